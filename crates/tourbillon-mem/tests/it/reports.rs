//! Sizes in words: structs, what they own, strings, arrays and maps.

use std::collections::HashMap;
use std::hint::black_box;

use tourbillon_mem::{footprint, footprint_by, size_report, size_report_items};

/// A byte.
struct S1 {
    byte: u8,
}

/// A number.
struct S2 {
    number: i32,
}

/// A text.
struct S3 {
    text: String,
}

/// The first line, which is the same whatever the allocator.
fn head(text: &str) -> &str {
    text.split(['\n', ';']).next().unwrap_or_default()
}

#[test]
fn structs_are_described() {
    let s1 = size_report(|| black_box(S1 { byte: 1 }));
    assert_eq!(head(&s1.to_string()), "S1: 1 byte");
    assert_eq!(s1.each.packed_bytes(), Some(1.0));
    assert!(s1.to_string().contains(", 1 in an array; shallow: "));
    let s2 = size_report(|| black_box(S2 { number: 1 }));
    assert_eq!(head(&s2.to_string()), "S2: 4 bytes");
    assert_eq!(s2.each.packed_bytes(), Some(4.0));
    assert_eq!(S1 { byte: 1 }.byte as i32, S2 { number: 1 }.number);
}

#[test]
fn what_a_struct_owns_is_described() {
    let s3 = size_report(|| S3 {
        text: "a".repeat(16),
    });
    let inline = size_of::<S3>();
    let expected = format!("S3: {} bytes = {inline} inline + 16 content", inline + 16);
    assert_eq!(head(&s3.to_string()), expected);
    assert_eq!(s3.each.packed_bytes(), Some((inline + 16) as f64));
    assert_eq!(
        S3 {
            text: String::new()
        }
        .text,
        ""
    );
}

#[test]
fn strings_arrays_and_collections_are_described() {
    let text = size_report(|| "a".repeat(16));
    let expected = format!(
        "String: {} bytes = {} inline + 16 content",
        size_of::<String>() + 16,
        size_of::<String>()
    );
    assert_eq!(head(&text.to_string()), expected);

    let array = size_report_items(|| vec![1_i32; 16].into_boxed_slice(), |array| array.len());
    assert_eq!(array.footprint.owned.requested_bytes, 64);
    assert_eq!(array.items, Some(16));
    assert!(
        array
            .to_string()
            .ends_with("\n    16 items, 4.0 bytes each")
    );
    assert!(array.to_string().starts_with("Box<[i32]>: "));

    let map = || (0..10_000).map(|n| (n, n)).collect::<HashMap<i32, i32>>();
    let map = size_report_items(map, HashMap::len);
    // 16 384 buckets of two numbers and a control byte, and the last group of these again.
    let group = if cfg!(target_feature = "sse2") { 16 } else { 8 };
    let content = 16_384 * 9 + group;
    assert_eq!(map.footprint.owned.requested_bytes, content);
    let text = map.to_string();
    assert!(text.starts_with("HashMap<i32, i32>: "), "{text}");
    assert!(
        text.ends_with("\n    10000 items, 14.7 bytes each"),
        "{text}"
    );
}

#[test]
fn nothing_is_described_too() {
    let nothing = size_report_items(Vec::<u8>::new, Vec::len);
    assert!(nothing.to_string().ends_with("0 items"));
    let boxed = size_report(|| Box::new(5_u64));
    assert!(boxed.to_string().contains("inline + 8 content; 1 block"));
}

#[test]
fn what_cannot_be_relied_on_says_so() {
    let mut bytes = 0;
    let varies = size_report(|| {
        bytes += 1;
        vec![1_u8; bytes]
    });
    assert!(varies.to_string().contains("; not confirmed"));
    let leaks = size_report(|| black_box(Box::leak(Box::new(1_u8))));
    assert!(leaks.to_string().contains("1 B in 1 block"), "{leaks}");
    assert!(leaks.to_string().contains("left behind"), "{leaks}");
}

#[test]
fn a_footprint_is_one_line() {
    let cost = footprint(|| vec![1_u8; 2048]);
    let text = cost.to_string();
    let inline = size_of::<Vec<u8>>();
    assert!(text.contains(&format!("= {inline} B inline + 2.0 KiB in 1 block")));
    assert!(text.ends_with(" owned; confirmed after 2 builds"), "{text}");
    assert_eq!(text.lines().count(), 1);
}

#[test]
fn growth_is_a_table() {
    let lists = footprint_by(&[0, 10, 100], |n| vec![1_u16; n]);
    let inline = size_of::<Vec<u16>>();
    let expected = format!(
        "     items        owned   blocks     B/item  next item
         0          0 B        0          -          -
        10         20 B        1        2.0        2.0
       100        200 B        1        2.0        2.0
{inline} B without items, 2.0 B for each"
    );
    assert_eq!(lists.to_string(), expected);
}
