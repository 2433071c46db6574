//! What a command writes, as little as tells two outputs apart: memory does not grow with the output.

/// Bytes of the beginning that are kept, so that a difference there can be quoted.
const HEAD: usize = 1 << 20;

/// Bytes between two marks at first.
const FIRST_STEP: u64 = 1 << 16;

/// Most marks: then every second one goes, and the step is twice as long.
const MARKS: usize = 1024;

/// Most characters of a line that is quoted.
const QUOTED: usize = 60;

/// Bytes before a difference from which on a long line is quoted.
const BEFORE: usize = 20;

/// The hash of an output, its beginning, and hashes of what precedes some places.
#[derive(Debug)]
pub(crate) struct Fingerprint {
    hasher: blake3::Hasher,
    bytes: u64,
    line_feeds: u64,
    head: Vec<u8>,
    step: u64,
    /// At each multiple of the step.
    marks: Vec<Mark>,
}

/// What precedes a place.
#[derive(Clone, Copy, Debug)]
struct Mark {
    hash: blake3::Hash,
    line_feeds: u64,
}

impl Fingerprint {
    /// That of nothing.
    pub(crate) fn new() -> Fingerprint {
        Fingerprint {
            hasher: blake3::Hasher::new(),
            bytes: 0,
            line_feeds: 0,
            head: Vec::with_capacity(HEAD),
            step: FIRST_STEP,
            marks: Vec::new(),
        }
    }

    /// How much was written.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds what is written next.
    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        let room = HEAD - self.head.len();
        self.head.extend(&bytes[..bytes.len().min(room)]);
        while !bytes.is_empty() {
            let next = self.step * (self.marks.len() as u64 + 1) - self.bytes;
            let length = usize::try_from(next).unwrap_or(usize::MAX);
            let (part, rest) = bytes.split_at(length.min(bytes.len()));
            self.hasher.update(part);
            self.bytes += part.len() as u64;
            self.line_feeds += line_feeds(part);
            if part.len() as u64 == next {
                self.mark();
            }
            bytes = rest;
        }
    }

    fn mark(&mut self) {
        self.marks.push(Mark {
            hash: self.hasher.finalize(),
            line_feeds: self.line_feeds,
        });
        if self.marks.len() == MARKS {
            let mut number = 0;
            self.marks.retain(|_| {
                number += 1;
                number % 2 == 0
            });
            self.step *= 2;
        }
    }

    /// The mark at a place; `None` where there is none.
    fn mark_at(&self, place: u64) -> Option<Mark> {
        let number = usize::try_from(place / self.step).ok()?;
        self.marks.get(number.checked_sub(1)?).copied()
    }

    /// Where `other` differs, and in what; `None` where it is the same.
    pub(crate) fn difference(&self, other: &Fingerprint) -> Option<String> {
        if self.bytes == other.bytes && self.hasher.finalize() == other.hasher.finalize() {
            return None;
        }
        let shared = self.head.iter().zip(&other.head);
        let at = shared.take_while(|(one, two)| one == two).count();
        let is_in_head = at < self.head.len() && at < other.head.len()
            || self.bytes.min(other.bytes) == at as u64;
        Some(if is_in_head {
            quoted_difference(&self.head, &other.head, at)
        } else {
            self.difference_between_marks(other)
        })
    }

    /// Beyond what is kept.
    fn difference_between_marks(&self, other: &Fingerprint) -> String {
        let step = self.step.max(other.step);
        let [mut from, mut line] = [HEAD as u64, line_feeds(&self.head)];
        let mut to = step;
        while let (Some(one), Some(two)) = (self.mark_at(to), other.mark_at(to)) {
            if one.hash != two.hash {
                break;
            }
            if to > from {
                [from, line] = [to, one.line_feeds];
            }
            to += step;
        }
        let to = to.min(self.bytes).min(other.bytes);
        format!(
            "in line {} or later, between the bytes {from} and {to}; they write {} and {} bytes",
            line + 1,
            other.bytes,
            self.bytes
        )
    }
}

fn line_feeds(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

/// The line in which two texts differ first, both as they have it; `at` is the first byte that differs.
fn quoted_difference(first: &[u8], second: &[u8], at: usize) -> String {
    // Where one ends and the other has a line feed, the line is the same, and the next one is only in the other.
    let is_line_end = |text: &[u8]| text.get(at) == Some(&b'\n');
    let is_end = |text: &[u8]| text.len() == at;
    let is_next = is_end(first) && is_line_end(second) || is_end(second) && is_line_end(first);
    let line_start = first[..at].iter().rposition(|byte| *byte == b'\n');
    let start = match line_start.map_or(0, |feed| feed + 1) {
        _ if is_next => at + 1,
        start => start,
    };
    let quoted = |text: &[u8]| match text.get(start..) {
        None => "nothing more".to_owned(),
        Some(rest) => {
            let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
            quoted_line(line, at.saturating_sub(start))
        }
    };
    format!(
        "in line {} {} in place of {}, after {at} equal bytes",
        line_feeds(&first[..at]) + 1 + u64::from(is_next),
        quoted(second),
        quoted(first)
    )
}

/// The part of a line around a byte.
fn quoted_line(line: &[u8], at: usize) -> String {
    let is_part_of_a_letter = |byte: &u8| (0x80..0xc0).contains(byte);
    let mut from = match at {
        0..QUOTED => 0,
        at => (at - BEFORE).min(line.len()),
    };
    while line.get(from).is_some_and(is_part_of_a_letter) {
        from += 1;
    }
    let text = String::from_utf8_lossy(&line[from..]);
    let short: String = text.chars().take(QUOTED).collect();
    let dots = |is_cut| if is_cut { ".." } else { "" };
    let (before, after) = (dots(from > 0), dots(short.len() < text.len()));
    format!("{before}{short:?}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &[u8]) -> Fingerprint {
        let mut fingerprint = Fingerprint::new();
        fingerprint.add(text);
        fingerprint
    }

    fn difference(first: &str, second: &str) -> String {
        let difference = of(first.as_bytes()).difference(&of(second.as_bytes()));
        difference.expect("they differ")
    }

    #[test]
    fn the_first_line_that_differs_is_quoted() {
        for (first, second, expected) in [
            (
                "a\nb\n",
                "a\nc\n",
                "in line 2 \"c\" in place of \"b\", after 2 equal bytes",
            ),
            (
                "a",
                "a\n",
                "in line 2 \"\" in place of nothing more, after 1 equal bytes",
            ),
            (
                "a\n",
                "a",
                "in line 2 nothing more in place of \"\", after 1 equal bytes",
            ),
            (
                "a\n",
                "a\nb",
                "in line 2 \"b\" in place of \"\", after 2 equal bytes",
            ),
            (
                "",
                "x",
                "in line 1 \"x\" in place of \"\", after 0 equal bytes",
            ),
            (
                "",
                "\u{202e}\u{1b}",
                "in line 1 \"\\u{202e}\\u{1b}\" in place of \"\", after 0 equal bytes",
            ),
        ] {
            assert_eq!(difference(first, second), expected);
        }
        let long = "y".repeat(100);
        assert!(difference("", &long).contains("yyy\".. in place"));
        let text = difference(&format!("{long}é1{long}"), &format!("{long}é2{long}"));
        assert!(text.contains("..\"yyyyyyyyyyyyyyyyyyé2yyy"), "{text}");
        assert!(text.ends_with("after 102 equal bytes"), "{text}");
    }

    /// The numbers in a text.
    fn numbers(text: &str) -> Vec<u64> {
        let words = text.split(|c: char| !c.is_ascii_digit());
        words.filter_map(|word| word.parse().ok()).collect()
    }

    #[test]
    fn memory_does_not_grow_and_the_difference_is_between_two_marks() {
        // Lines of 64 bytes, added in pieces that fit no mark, of which there are sixteen times as many.
        const PIECES: u64 = 50;
        const PIECE: u64 = 100_000;
        let line = [&[b'x'; 63][..], b"\n"].concat();
        let piece = line.repeat(1_563)[..PIECE as usize].to_vec();
        let written = |changed: Option<u64>| {
            let mut fingerprint = Fingerprint {
                step: FIRST_STEP / 16,
                ..Fingerprint::new()
            };
            for number in 0..PIECES {
                let mut piece = piece.clone();
                if changed == Some(number) {
                    piece[50_000] = b'y';
                }
                fingerprint.add(&piece);
            }
            fingerprint
        };
        let all = PIECES * PIECE;
        let plain = written(None);
        assert_eq!(plain.bytes(), all);
        assert_eq!((plain.head.capacity(), plain.step), (HEAD, FIRST_STEP / 8));
        assert!(plain.marks.len() < MARKS);
        assert_eq!(plain.difference(&written(None)), None);
        for changed in [11, 49] {
            let text = plain.difference(&written(Some(changed)));
            let [line, from, to, one, other] = numbers(&text.expect("it differs"))[..] else {
                panic!("five numbers");
            };
            let place = changed * PIECE + 50_000;
            assert!((from..to).contains(&place), "{from} {place} {to}");
            assert!(to - from <= plain.step, "{from} {to}");
            let before = piece.iter().cycle().take(from as usize);
            assert_eq!(
                line,
                before.filter(|byte| **byte == b'\n').count() as u64 + 1
            );
            assert_eq!([one, other], [all; 2]);
        }
        // One that goes on.
        let mut longer = written(None);
        longer.add(b"more");
        let text = plain.difference(&longer).expect("it differs");
        assert_eq!(numbers(&text)[2..], [all, all + 4, all]);
    }
}
