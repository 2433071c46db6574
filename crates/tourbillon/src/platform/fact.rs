//! How facts are made.

use std::io;
use std::path::Path;

use tourbillon_record::{Fact, FactValue};

fn fact(name: &str, value: Result<FactValue, String>) -> Fact {
    Fact {
        name: name.to_owned(),
        value: value.unwrap_or_else(FactValue::Absent),
    }
}

pub(super) fn text(name: &str, value: Result<String, String>) -> Fact {
    fact(name, value.map(FactValue::Text))
}

pub(super) fn integer(name: &str, value: Result<u64, String>) -> Fact {
    fact(name, value.map(FactValue::Integer))
}

pub(super) fn flag(name: &str, value: Result<bool, String>) -> Fact {
    fact(name, value.map(FactValue::Flag))
}

pub(super) fn list(name: &str, value: Result<Vec<String>, String>) -> Fact {
    fact(name, value.map(FactValue::List))
}

/// The text of a small file of the system, without space at its ends; the error is the reason.
pub(super) fn read(path: &Path) -> Result<String, String> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).trim().to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(format!("this system has no {}", path.display()))
        }
        Err(error) => Err(format!("{} cannot be read: {error}", path.display())),
    }
}

/// The text of a file of the system whose place is known.
pub(super) fn read_system(path: &str) -> Result<String, String> {
    read(Path::new(path))
}

/// The value of the first line `key : value` or `key=value` of a text.
pub(super) fn field<'a>(text: &'a str, key: &str, separator: char) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(separator)?;
        (name.trim() == key).then(|| value.trim())
    })
}

/// The same, with the reason where there is none.
pub(super) fn field_of<'a>(
    text: &'a Result<String, String>,
    key: &str,
    path: &str,
) -> Result<&'a str, String> {
    match text {
        Ok(text) => match field(text, key, ':') {
            Some(value) if !value.is_empty() => Ok(value),
            _ => Err(format!("{path} does not name it")),
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
            read(Path::new("/nowhere/at all")),
            Err("this system has no /nowhere/at all".to_owned())
        );
        let error = read(Path::new("/")).expect_err("a directory");
        assert!(error.starts_with("/ cannot be read: "), "{error}");
    }
}
