//! How facts are found and noted.

use std::path::Path;
use std::{fs, io};

use tourbillon_record::{Fact, FactValue};

/// A value, or the reason why it is not known.
pub(super) type Known<T> = Result<T, String>;

/// Facts in the order in which they are shown.
#[derive(Default)]
pub(super) struct Facts(pub(super) Vec<Fact>);

impl Facts {
    fn add(&mut self, name: &str, value: Known<FactValue>) {
        self.0.push(Fact {
            name: name.to_owned(),
            value: value.unwrap_or_else(FactValue::Absent),
        });
    }

    /// A text that is known.
    pub(super) fn known(&mut self, name: &str, value: &str) {
        self.add(name, Ok(FactValue::Text(value.to_owned())));
    }

    /// A fact that is not known here, and why.
    pub(super) fn absent(&mut self, name: &str, why: &str) {
        self.add(name, Err(why.to_owned()));
    }

    pub(super) fn text(&mut self, name: &str, value: Known<String>) {
        self.add(name, value.map(FactValue::Text));
    }

    pub(super) fn integer(&mut self, name: &str, value: Known<u64>) {
        self.add(name, value.map(FactValue::Integer));
    }

    pub(super) fn flag(&mut self, name: &str, value: Known<bool>) {
        self.add(name, value.map(FactValue::Flag));
    }

    pub(super) fn list(&mut self, name: &str, value: Vec<String>) {
        self.add(name, Ok(FactValue::List(value)));
    }
}

/// The text of a small file, without white space at its ends.
pub(super) fn read(path: impl AsRef<Path>) -> Known<String> {
    let path = path.as_ref();
    match fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).trim().to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(format!("this system has no {}", path.display()))
        }
        Err(error) => Err(format!("{} cannot be read: {error}", path.display())),
    }
}

/// The text of a file in a folder, empty where it cannot be read.
#[cfg(not(any(windows, target_os = "macos")))]
pub(super) fn read_in(folder: impl AsRef<Path>, name: &str) -> String {
    read(folder.as_ref().join(name)).unwrap_or_default()
}

/// A whole number, with white space around it or not.
#[cfg(not(any(windows, target_os = "macos")))]
pub(super) fn whole(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

/// A text without the quotation marks around it.
pub(super) fn unquoted(text: &str) -> &str {
    let inside = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

/// The value of the first line `key : value` or `key=value` of a text.
#[cfg(any(not(any(windows, target_os = "macos")), test))]
pub(super) fn field<'a>(text: &'a str, key: &str, separator: char) -> Option<&'a str> {
    let mut pairs = text.lines().filter_map(|line| line.split_once(separator));
    let (_, value) = pairs.find(|(name, _)| name.trim() == key)?;
    Some(value.trim())
}

/// The value of a field of the file at `path`, whose text this is.
#[cfg(any(not(any(windows, target_os = "macos")), test))]
pub(super) fn field_of<'a>(text: &'a Known<String>, key: &str, path: &str) -> Known<&'a str> {
    let text = text.as_ref().map_err(String::clone)?;
    let value = field(text, key, ':').filter(|value| !value.is_empty());
    value.ok_or_else(|| format!("{path} does not name it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        let text = "a : 1\nb=2\nbb\t: two: three\na : 4\nempty :\n";
        assert_eq!(field(text, "a", ':'), Some("1"));
        assert_eq!(field(text, "b", '='), Some("2"));
        assert_eq!(field(text, "bb", ':'), Some("two: three"));
        assert_eq!(field(text, "c", ':'), None);
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
