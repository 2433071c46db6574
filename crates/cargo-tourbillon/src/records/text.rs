//! Several runs in one text.

/// Prefix of the first line of a run.
const HEADER: &[u8] = br#"{"type":"header","#;

/// The runs in a text, each from its header to the next, as several bench binaries write them to
/// one stdout. A text without a header is one piece, which the reader rejects.
pub(super) fn runs(text: &[u8]) -> Vec<&[u8]> {
    let mut starts = vec![0];
    for (at, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        if text[at + 1..].starts_with(HEADER) {
            starts.push(at + 1);
        }
    }
    starts.push(text.len());
    starts
        .windows(2)
        .map(|ends| &text[ends[0]..ends[1]])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn each_header_begins_a_run() {
        let one = "{\"type\":\"header\",1}\n{\"type\":\"case\"}\n";
        let two = "{\"type\":\"header\",2}\n{\"type\":\"end\"}\n";
        let text = format!("{one}{two}");
        assert_eq!(runs(text.as_bytes()), [one.as_bytes(), two.as_bytes()]);
        assert_eq!(runs(one.as_bytes()), [one.as_bytes()]);
    }

    #[test]
    fn what_is_no_run_stays_whole() {
        assert_eq!(runs(b"abc\ndef\n"), [b"abc\ndef\n"]);
        assert_eq!(runs(b""), [b""]);
    }
}
