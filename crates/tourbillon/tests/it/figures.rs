//! Numbers are written, columns laid out and JSON encoded in one place: `tourbillon-present` and the codec of records. What
//! else does it is listed here, how often, and why.

use crate::allowances::product;

/// Where it belongs.
const PLACES: [&str; 2] = [
    "crates/tourbillon-present/",
    "crates/tourbillon-record/src/json/",
];

// Below `crates`: how often, the beginning of a file's name, and why.

/// Numbers with a precision or a width of their own.
const NUMBERS: &str = "\
2 cargo-tourbillon/src/clocks/deltas/picture.rs: a picture of characters: bars after their counts
1 cargo-tourbillon/src/clocks/winstl.rs: the lead of a paragraph
1 cargo-tourbillon/src/lib.rs: the help, which clap's template takes as text
1 cargo-tourbillon/src/report/gallery.rs: the number in a file's name
10 tourbillon-clock/src/: dates, and two reasons of a crate below all others
1 tourbillon-commands/src/parameters.rs: words of a command line, counted through
1 tourbillon-compare/src/attempt/page.rs: shares of an error that may be a billionth of a billionth
13 tourbillon-criterion/src/: criterion's lines, to the character
20 tourbillon-mem/src/: a crate that stands alone: nothing may be linked beside the allocator
9 tourbillon-record/src/store/names.rs: names of files, which sort by their time
1 tourbillon-pictures/src/flame_graph.rs: shares of a crate that knows no figures
1 tourbillon-report/src/first_figures.rs: lines that are drawn over while the rows of the table are not known
3 tourbillon-report/src/formats/libtest.rs: libtest's lines, to the character
";

/// Columns by blanks.
const BLANKS: &str = "\
7 cargo-tourbillon/src/report/terminal.rs: pictures of characters
4 tourbillon-coordinator/src/args/help.rs: the help: paragraphs beside their flags
5 tourbillon-criterion/src/lines/: criterion's lines, to the character
4 tourbillon-mem/src/layout.rs: a crate that stands alone
1 tourbillon-report/src/first_figures.rs: lines that are drawn over while the rows of the table are not known
";

/// JSON from a text.
const JSON: &str = "\
2 tourbillon-compare/src/results/json_lines.rs: names of this code, beside what the codec and a document write
4 tourbillon-criterion-files/src/files.rs: criterion's files; suites of criterion link no library that encodes JSON
1 tourbillon-criterion/src/files/contents.rs: the same
";

/// The forms of numbers in the texts of a file: `.2` of `{ratio:.2}`.
fn forms(code: &str) -> impl Iterator<Item = &str> {
    let after_braces = code.split('{').skip(1);
    after_braces.filter_map(|rest| {
        let (inside, _) = rest.split_once('}')?;
        let (name, form) = inside.split_once(':')?;
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_form = form
            .chars()
            .all(|c| c.is_alphanumeric() || "<>^+-#$.*?_~".contains(c));
        (is_name && is_form).then_some(form)
    })
}

/// Whether a form has a precision, a width or a side. Hexadecimal digits are names.
fn shapes(form: &str) -> bool {
    let has_digit = form.contains(|c: char| c.is_ascii_digit());
    let is_name = form.ends_with(['x', 'X']);
    !is_name && (has_digit || form.contains(['.', '<', '>', '^', '$']))
}

fn check(found_in: impl Fn(&str) -> usize, exceptions: &str, remedy: &str) {
    let all = product();
    let mut wrong = Vec::new();
    let mut open: Vec<(&str, usize)> = Vec::new();
    for (name, code) in &all {
        if !PLACES.iter().any(|place| name.starts_with(place)) {
            open.push((name.trim_start_matches("crates/"), found_in(code)));
        }
    }
    for line in exceptions.lines() {
        let (count, rest) = line.split_once(' ').expect(line);
        let (place, _reason) = rest.split_once(": ").expect(line);
        let of_place = open.extract_if(.., |(name, _)| name.starts_with(place));
        let found: usize = of_place.map(|(_, found)| found).sum();
        if found.to_string() != count && !all.is_empty() {
            wrong.push(format!("{place}: {found}, and {count} are listed"));
        }
    }
    open.retain(|(_, found)| *found > 0);
    assert!(
        wrong.is_empty() && open.is_empty(),
        "{remedy}:\n{wrong:?}\n{open:?}"
    );
}

#[test]
fn numbers_are_written_in_one_place() {
    let count = |code: &str| forms(code).filter(|form| shapes(form)).count();
    let remedy = "use `tourbillon_present::{Figure, Change, number}`, or list it in this test with the reason";
    check(count, NUMBERS, remedy);
}

#[test]
fn columns_are_laid_out_in_one_place() {
    let blanks = ["\" \".repeat(", "padded("];
    let count = |code: &str| blanks.iter().map(|blank| code.matches(blank).count()).sum();
    check(
        count,
        BLANKS,
        "make a `Table`, or list it in this test with the reason",
    );
}

#[test]
fn json_is_encoded_in_one_place() {
    let count = |code: &str| {
        let member = r#""\"{name}\":"#;
        code.matches(r#""{{\""#).count() + code.matches(member).count()
    };
    let remedy =
        "use `serde_json`, or the codec of records in what a bench program links; or list it here";
    check(count, JSON, remedy);
}

#[test]
fn forms_of_numbers_are_found() {
    let code = "{} {a} {a:?} {b:.2} {:.*} {:>9} {c:.decimals$e} {d:02} {e:016x} {f:+} {{g:.1} h{margin:.2em 1em}";
    let found: Vec<&str> = forms(code).filter(|form| shapes(form)).collect();
    assert_eq!(found, [".2", ".*", ">9", ".decimals$e", "02", ".1"]);
}
