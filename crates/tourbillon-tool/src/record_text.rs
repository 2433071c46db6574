//! Records in files that have other text, too: what a `main` prints around a run whose lines go to stdout.

use std::io::{self, BufRead, Read};

use tourbillon_record::LONGEST_LINE;

/// A line of a record begins with this, its type, and then the other.
const TYPE: &[u8] = br#"{"type":""#;
const SCHEMA: &[u8] = br#"","schema":"#;

/// A file of records as a reader of their lines, without the text of a `main` that prints around them. What may be a
/// damaged line of a record stays.
#[derive(Debug)]
pub(crate) struct RecordText<R> {
    file: R,
    line: Vec<u8>,
    /// How much of the line was read.
    at: usize,
    /// The first line, while no line of a record has come: a file without one is shown by it.
    first: Option<Vec<u8>>,
}

impl<R: BufRead> RecordText<R> {
    /// Reads a file from where it is.
    pub(crate) fn new(file: R) -> RecordText<R> {
        RecordText {
            file,
            line: Vec::new(),
            at: 0,
            first: Some(Vec::new()),
        }
    }

    /// Reads on to a line of a record; nothing is left of the line at the end of the file.
    fn next_line(&mut self) -> io::Result<()> {
        loop {
            self.line.clear();
            self.at = 0;
            // A longer one is refused as it comes.
            let mut limited = (&mut self.file).take(LONGEST_LINE as u64 + 1);
            if limited.read_until(b'\n', &mut self.line)? == 0 {
                self.line = self.first.take().unwrap_or_default();
                return Ok(());
            }
            let mut found = start(&self.line);
            if found.is_none()
                && let Some(line) = without_blanks(&self.line)
            {
                self.line = line;
                found = Some(0);
            }
            if let Some(at) = found.or_else(|| may_be_damaged(&self.line).then_some(0)) {
                self.at = at;
                self.first = None;
                return Ok(());
            }
            if let Some(first) = self.first.as_mut().filter(|first| first.is_empty()) {
                first.clone_from(&self.line);
            }
        }
    }
}

impl<R: BufRead> BufRead for RecordText<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.line.len() {
            self.next_line()?;
        }
        Ok(&self.line[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }
}

impl<R: BufRead> Read for RecordText<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

/// The bytes of a file of records, as [`RecordText`] reads them.
pub(crate) fn record_text(bytes: Vec<u8>) -> Vec<u8> {
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
    if lines.all(|line| line.starts_with(TYPE)) {
        return bytes;
    }
    let mut text = Vec::new();
    // Bytes in memory can be read.
    let _ = RecordText::new(&*bytes).read_to_end(&mut text);
    text
}

/// A line of a record that another program wrote, with blanks before its schema, as it is written here; `None` for
/// others. What follows may have any.
fn without_blanks(line: &[u8]) -> Option<Vec<u8>> {
    let mut rest = line;
    for text in ["{", "\"type\"", ":", "\""] {
        rest = rest.trim_ascii_start().strip_prefix(text.as_bytes())?;
    }
    let end = rest.iter().position(|byte| *byte == b'"')?;
    let kind = &rest[..end];
    rest = &rest[end + 1..];
    for text in [",", "\"schema\"", ":"] {
        rest = rest.trim_ascii_start().strip_prefix(text.as_bytes())?;
    }
    Some([TYPE, kind, SCHEMA, rest].concat())
}

/// Whether a line may be what is left of one of a record.
fn may_be_damaged(line: &[u8]) -> bool {
    let is_cut = !line.ends_with(b"\n") && TYPE.starts_with(line);
    let has_schema = line.windows(SCHEMA.len()).any(|part| part == SCHEMA);
    line.starts_with(TYPE) || is_cut || has_schema || line.contains(&0)
}

/// Where a line of a record begins in a line of text.
pub(crate) fn start(line: &[u8]) -> Option<usize> {
    let is_start = |rest: &[u8]| {
        let kind = rest.strip_prefix(TYPE).unwrap_or_default();
        let end = kind.iter().position(|byte| *byte == b'"');
        end.is_some_and(|end| end > 0 && kind[end..].starts_with(SCHEMA))
    };
    let braces = (0..line.len()).filter(|&at| line[at] == b'{');
    braces.into_iter().find(|&at| is_start(&line[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_without_what_a_program_printed_around_it() {
        let golden = include_str!("../../tourbillon-record/tests/golden/schema-2-one-run.jsonl");
        let text = |printed: &str| {
            let kept = record_text(printed.as_bytes().to_vec());
            String::from_utf8(kept).expect("text")
        };
        for (before, after) in [
            ("", ""),
            ("main: before\n", "main: after\n"),
            ("\n{\"level\":\"info\"}\nloading ... ", "\n\n"),
            ("", "done"),
        ] {
            assert_eq!(text(&format!("{before}{golden}{after}")), golden);
        }
        let among = golden.replacen('\n', "\nstill here\n", 3);
        assert_eq!(text(&among), golden);
        // What is damaged is not taken for text of the program.
        let lines: Vec<&str> = golden.split_inclusive('\n').collect();
        let (cut, rest) = (&lines[2][..4], &lines[3..]);
        for damaged in [
            golden.replacen("{\"type\":\"case\"", "[\"type\":\"case\"", 1),
            golden.replacen(
                "\"type\":\"case\",\"schema\"",
                "\"type\":\"case\",\"scheme\"",
                1,
            ),
            format!("{}{cut}", rest.concat()),
            format!("{}\0\0\0\n", rest.concat()),
        ] {
            assert_eq!(text(&damaged), damaged);
        }
        // Another program wrote it again.
        let blanks = golden.replace("{\"type\":\"", "{\"type\": \"");
        let blanks = blanks.replace("\",\"schema\":", "\", \"schema\":");
        assert_ne!(blanks, golden);
        assert_eq!(text(&blanks), golden);
        assert_eq!(text(&golden.replacen('{', " { ", 1)), golden);
        // A file of another kind is shown by its first line.
        assert_eq!(text("one\ntwo\n"), "one\n");
        assert_eq!(text(""), "");
    }
}
