//! `report/index.html`: a page with the benchmarks that have files.

use std::fs;
use std::io::{self, BufReader};
use std::path::Path;

use tourbillon_criterion_files::Estimates;
use tourbillon_record::Results;
use tourbillon_record::store::Draft;
use tourbillon_report::escape;
use tourbillon_values::{own_folder, regular_file};

use super::folder::RECORD;
use crate::values::value;

/// Folders in each other in which benchmarks are looked for: group, function, parameter, `new`.
const DEPTH: usize = 4;

/// A benchmark on the page.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    id: String,
    /// The folder of its files, below the root.
    folder: String,
    /// The figure, and the ends of its interval.
    figures: [String; 3],
}

/// Writes the page of all benchmarks below a folder, those of other programs and earlier runs among them.
///
/// # Errors
///
/// When a folder cannot be read, or the page not be written.
pub(crate) fn write_index(root: &Path) -> Result<(), String> {
    let mut rows = Vec::new();
    let folder = own_folder::below(root, "report".as_ref()).map_err(|error| error.to_string())?;
    let page = folder.join("index.html");
    let mut take = |record: &Path, below: &Path| rows.extend(row(record, below));
    let collected = fs::create_dir_all(folder).and_then(|()| collect(root, root, DEPTH, &mut take));
    let written = collected.and_then(|()| {
        rows.sort_by(|one, other| one.id.cmp(&other.id));
        Draft::write(&page, render(&rows))
    });
    written.map_err(|error| format!("{}: {error}", page.display()))
}

/// Gives each record of a last run to `take`, with its folder below the root.
fn collect(
    root: &Path,
    folder: &Path,
    depth: usize,
    take: &mut dyn FnMut(&Path, &Path),
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // Links are not followed: one may lead back, or anywhere.
        if !entry.file_type()?.is_dir() {
            continue;
        }
        let path = entry.path();
        let is_new = path.file_name().is_some_and(|name| name == "new");
        let below = path.strip_prefix(root).unwrap_or(&path);
        if is_new {
            take(&path.join(RECORD), below);
        }
        // A function may be called new.
        if depth > 1 {
            collect(root, &path, depth - 1, take)?;
        }
    }
    Ok(())
}

/// The benchmark of a record; `None` where there is none that can be read.
fn row(record: &Path, folder: &Path) -> Option<Row> {
    let file = regular_file::open(record).ok()?;
    let results = Results::read(&mut BufReader::new(file)).ok()?.ok()?.results;
    let main = results.iter().find(|result| result.metric.is_main())?;
    let numbers = match (Estimates::of(main), main.rough) {
        (Some(Estimates { median, .. }), _) => [median.point, median.lower, median.upper],
        (None, Some(rough)) => [rough.estimate, rough.lower, rough.upper],
        (None, None) => return None,
    };
    let mut figures = numbers.map(|number| value(main, number));
    if main.estimate.is_err() {
        figures[0] = format!("~ {}", figures[0].trim());
    }
    Some(Row {
        id: main.case.clone(),
        folder: folder.to_string_lossy().replace('\\', "/"),
        figures,
    })
}

fn render(rows: &[Row]) -> String {
    let mut page = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Benchmarks</title>\n<style>\
         body{font-family:sans-serif;margin:2em}td,th{padding:.2em 1em;text-align:right}\
         td:first-child,th:first-child{text-align:left}</style>\n<h1>Benchmarks</h1>\n<p>The last results of each \
         benchmark, with 99 % intervals. <code>cargo tourbillon report</code> draws a run.</p>\n<table>\n\
         <tr><th>benchmark<th>median<th>from<th>to\n",
    );
    for Row {
        id,
        folder,
        figures: [median, lower, upper],
    } in rows
    {
        let [id, median, lower, upper] =
            [id, median, lower, upper].map(|text| escaped(text.trim()));
        let link = link(folder);
        page +=
            &format!("<tr><td><a href=\"../{link}/\">{id}</a><td>{median}<td>{lower}<td>{upper}\n");
    }
    page += "</table>\n</html>\n";
    page
}

/// A text in HTML, on one line, where no character moves or hides another.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in escape(text, true).chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            c => escaped.push(c),
        }
    }
    escaped
}

/// A path as a part of an address (RFC 3986).
fn link(path: &str) -> String {
    let mut link = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                link.push(char::from(byte));
            }
            byte => link += &format!("%{byte:02X}"),
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let page = render(&[Row {
            id: "a<b>/\"c\"\u{1b}[31m\u{202e}".to_owned(),
            folder: "a_b_/c d\u{202e}/new".to_owned(),
            figures: ["1.5 µs", "1.4 µs", "1.6 µs"].map(str::to_owned),
        }]);
        let row = "<tr><td><a href=\"../a_b_/c%20d%E2%80%AE/new/\">a&lt;b&gt;/&quot;c&quot;\\u{1b}[31m\\u{202e}</a><td>1.5 µs<td>1.4 µs<td>1.6 µs\n";
        assert!(page.contains(row), "{page}");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let root = std::env::temp_dir().join(format!("tourbillon-index-{}", std::process::id()));
        fs::create_dir_all(root.join("group/new")).expect("a folder");
        for name in 0..100 {
            std::os::unix::fs::symlink(".", root.join(format!("{name}"))).expect("a link");
        }
        let mut records = 0;
        collect(&root, &root, DEPTH, &mut |_, _| records += 1).expect("a folder");
        fs::remove_dir_all(&root).expect("removed");
        assert_eq!(records, 1);
    }

    #[test]
    fn the_page_is_written_where_there_was_no_folder() {
        let root = std::env::temp_dir().join(format!("tourbillon-page-{}", std::process::id()));
        let written = write_index(&root.join("criterion"));
        let page = fs::read_to_string(root.join("criterion/report/index.html"));
        fs::remove_dir_all(&root).expect("removed");
        assert_eq!(written, Ok(()));
        assert!(page.is_ok_and(|page| page.contains("<h1>Benchmarks</h1>")));
    }
}
