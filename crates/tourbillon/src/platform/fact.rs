//! How facts are made.

use std::fs;
use std::path::Path;

use crate::text::{owned, text};
use tourbillon_record::{Fact, FactValue};
use tourbillon_report::Pieces;

/// What was found out, or why not.
pub(super) type Known<T> = Result<T, String>;

/// Facts in the order in which they are shown.
///
/// Little functions that are not inlined: the compiler makes each once, not for each fact.
#[derive(Default)]
pub(super) struct Facts(pub(super) Vec<Fact>);

impl Facts {
    fn add(&mut self, name: &str, value: FactValue) {
        self.0.push(Fact {
            name: owned(name),
            value,
        });
    }

    /// A text that is always known.
    #[inline(never)]
    pub(super) fn known(&mut self, name: &str, value: &str) {
        self.add(name, FactValue::Text(owned(value)));
    }

    /// A fact that cannot be had here, and why.
    #[inline(never)]
    pub(super) fn absent(&mut self, name: &str, why: &str) {
        self.add(name, FactValue::Absent(owned(why)));
    }

    #[inline(never)]
    pub(super) fn text(&mut self, name: &str, value: Known<String>) {
        self.add(
            name,
            match value {
                Ok(value) => FactValue::Text(value),
                Err(why) => FactValue::Absent(why),
            },
        );
    }

    #[inline(never)]
    pub(super) fn integer(&mut self, name: &str, value: Known<u64>) {
        self.add(
            name,
            match value {
                Ok(value) => FactValue::Integer(value),
                Err(why) => FactValue::Absent(why),
            },
        );
    }

    #[inline(never)]
    pub(super) fn flag(&mut self, name: &str, value: Known<bool>) {
        self.add(
            name,
            match value {
                Ok(value) => FactValue::Flag(value),
                Err(why) => FactValue::Absent(why),
            },
        );
    }

    pub(super) fn list(&mut self, name: &str, value: Vec<String>) {
        self.add(name, FactValue::List(value));
    }
}

/// The text of a small file of the system, without space at its ends; the error is the reason.
#[inline(never)]
pub(super) fn read(path: &str) -> Known<String> {
    read_file(Path::new(path))
}

/// The text of a file in a folder of the system, empty where it cannot be had.
#[inline(never)]
pub(super) fn read_in(folder: &str, name: &str) -> String {
    read(&text!("{folder}/{name}")).unwrap_or_default()
}

/// Whether the file in a folder says just this.
#[inline(never)]
pub(super) fn says(folder: &str, name: &str, text: &str) -> bool {
    read_in(folder, name) == text
}

/// The same as [`read`], of any path.
#[inline(never)]
pub(super) fn read_file(path: &Path) -> Known<String> {
    match fs::read(path) {
        Ok(bytes) => Ok(owned(&String::from_utf8_lossy(bytes.trim_ascii()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(text!("this system has no {}", path.display()))
        }
        Err(error) => Err(text!("{} cannot be read: {error}", path.display())),
    }
}

/// The paths of what is in a folder of the system.
#[inline(never)]
pub(super) fn entries(folder: &str) -> Known<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(_) => return Err(text!("this system has no {folder}")),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let Ok(entry) = entry else { continue };
        paths.push(owned(&entry.path().to_string_lossy()));
    }
    Ok(paths)
}

/// A text without the quotation marks around it.
#[inline(never)]
pub(super) fn unquoted(text: &str) -> &str {
    match text.as_bytes() {
        [b'"', .., b'"'] | [b'\'', .., b'\''] => &text[1..text.len() - 1],
        _ => text,
    }
}

/// The value of the first line `key : value` or `key=value` of a text.
#[inline(never)]
pub(super) fn field<'a>(text: &'a str, key: &str, separator: u8) -> Option<&'a str> {
    for line in Pieces::of(text) {
        let mut parts = Pieces::divided(line, separator);
        let name = parts.next().unwrap_or_default();
        if let Some(value) = parts.rest()
            && name.trim_ascii() == key
        {
            return Some(value.trim_ascii());
        }
    }
    None
}

/// The same, with the reason where there is none.
#[inline(never)]
pub(super) fn field_of<'a>(text: &'a Known<String>, key: &str, path: &str) -> Known<&'a str> {
    match text {
        Ok(text) => match field(text, key, b':') {
            Some(value) if !value.is_empty() => Ok(value),
            _ => Err(text!("{path} does not name it")),
        },
        Err(why) => Err(why.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        let text = "a : 1\nb=2\nbb\t: two: three\na : 4\nempty :\n";
        assert_eq!(field(text, "a", b':'), Some("1"));
        assert_eq!(field(text, "b", b'='), Some("2"));
        assert_eq!(field(text, "bb", b':'), Some("two: three"));
        assert_eq!(field(text, "c", b':'), None);
        let text = Ok(text.to_owned());
        assert_eq!(
            field_of(&text, "empty", "/x"),
            Err("/x does not name it".to_owned())
        );
        assert_eq!(
            field_of(&Err("gone".to_owned()), "a", "/x"),
            Err("gone".to_owned())
        );
    }

    #[test]
    fn a_missing_file_is_a_reason() {
        assert_eq!(
            read("/nowhere/at all"),
            Err("this system has no /nowhere/at all".to_owned())
        );
        let error = read("/").expect_err("a directory");
        assert!(error.starts_with("/ cannot be read: "), "{error}");
    }
}
