//! Texts of a few words.

use std::cmp::Ordering;

use tourbillon::{bench, hide};

use crate::plain;
use crate::plain::TEXT;

#[bench]
fn find_char() -> Option<usize> {
    plain::find_z(hide(TEXT))
}

#[bench]
fn find_text() -> Option<usize> {
    hide(TEXT).find(hide("lazy"))
}

#[bench]
fn words() -> usize {
    plain::count_words(hide(TEXT))
}

#[bench]
fn capitals() -> String {
    plain::capitals(hide("grüße from the harbour"))
}

#[bench]
fn is_utf8() -> bool {
    let bytes = hide("häuser, größen und straßen; one more sentence in plain letters");
    str::from_utf8(bytes.as_bytes()).is_ok()
}

#[bench]
fn compare() -> Ordering {
    hide("tourbillon/benches/reproducible").cmp(hide("tourbillon/benches/representative"))
}

#[bench]
fn split_lengths() -> usize {
    let fields = hide("name,street,,city,country,2026").split(',');
    fields.fold(0, |all, field| 31 * all + field.len())
}

#[bench]
fn trim() -> &'static str {
    hide("   \t a line with blanks at both ends  \n").trim()
}

#[bench]
fn replace() -> String {
    hide("one two three two one").replace("two", "2")
}

#[bench]
fn letters() -> usize {
    hide("größere Straßen, ähnliche Häuser").chars().count()
}

#[bench]
fn equal_but_for_case() -> bool {
    hide("Content-Length").eq_ignore_ascii_case(hide("content-length"))
}
