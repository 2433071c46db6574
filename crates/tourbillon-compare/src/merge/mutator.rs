//! Draws damaged and malicious records.

use serde_json::Value;
use tourbillon_stats::Rng;

/// Texts that must not be names of files, and must not be printed as they are.
const TEXTS: [&str; 12] = [
    "..",
    "../../x",
    "/etc/x",
    "a/../../../x",
    "C:\\x",
    "\\\\host\\x",
    "con",
    "",
    "\0",
    "\u{1b}[31m",
    "\r\n",
    "{\"type\":\"header\"",
];

/// Draws mutations.
pub(super) struct Mutator {
    pub(super) rng: Rng,
}

impl Mutator {
    pub(super) fn mutated(&mut self, record: &str) -> Vec<u8> {
        let mut lines: Vec<String> = record.lines().map(str::to_owned).collect();
        let (from, to) = (self.rng.index(lines.len()), self.rng.index(lines.len()));
        match self.rng.index(6) {
            0 => return self.with_bytes_changed(record.as_bytes().to_vec()),
            1 => lines.swap(from, to),
            2 => lines.insert(to, lines[from].clone()),
            _ => {
                let mut line: Value = serde_json::from_str(&lines[from]).expect("JSON");
                self.change(&mut line);
                lines[from] = line.to_string();
            }
        }
        (lines.join("\n") + "\n").into_bytes()
    }

    fn with_bytes_changed(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        for _ in 0..=self.rng.index(4) {
            let at = self.rng.index(bytes.len());
            match self.rng.index(3) {
                0 => bytes.truncate(at + 1),
                1 => drop(bytes.remove(at)),
                _ => bytes[at] = self.rng.index(256) as u8,
            }
            if bytes.is_empty() {
                bytes.push(b'{');
            }
        }
        bytes
    }

    /// Changes a value somewhere in another.
    fn change(&mut self, value: &mut Value) {
        let goes_on = self.rng.index(10) > 0;
        match value {
            Value::Object(members) if goes_on && !members.is_empty() => {
                let at = self.rng.index(members.len());
                let member = members.values_mut().nth(at).expect("a member");
                self.change(member);
            }
            Value::Array(items) if goes_on && !items.is_empty() => {
                let at = self.rng.index(items.len());
                self.change(&mut items[at]);
            }
            Value::Number(_) => {
                *value = match self.rng.index(5) {
                    0 => Value::from(u64::MAX),
                    1 => Value::from(0),
                    2 => Value::from(-1),
                    3 => Value::from(1e300),
                    _ => Value::from("9"),
                };
            }
            _ => *value = Value::from(TEXTS[self.rng.index(TEXTS.len())]),
        }
    }
}
