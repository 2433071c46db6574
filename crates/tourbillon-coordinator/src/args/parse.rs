//! From words to what was typed, by the table of flags.

use std::ffi::{OsStr, OsString};

use lexopt::{Arg, Parser};
use tourbillon_values::nearest;

use super::flag::{Flag, Set};
use super::flags::{GROUPS, utf8};
use super::low::LowArgs;
use crate::values::foreign_flag;

/// All flags, in the order of the help.
pub fn all() -> impl Iterator<Item = &'static Flag> {
    GROUPS.iter().flat_map(|(_, flags)| *flags)
}

/// The flag of a name; `None` for an unknown one.
pub fn find(name: &str) -> Option<&'static Flag> {
    all().find(|flag| flag.names().any(|known| known == name))
}

/// Whether a word is a flag of a bench program: it is no value of the flag before it, unless it is attached to that, as
/// in `--skip=--list`.
pub fn is_flag(word: &OsStr) -> bool {
    word.to_str().is_some_and(|word| find(word).is_some())
}

/// The name of a flag in the settings: that of its own, also for a short one or another name of it.
pub(super) fn own_name(name: &str) -> &str {
    match find(name) {
        Some(flag) if flag.alias_of.is_empty() => flag.name,
        Some(flag) => flag.alias_of,
        None => name,
    }
}

impl LowArgs {
    /// Reads a command line without the program's name. Of a flag that is given twice, the last counts.
    ///
    /// # Errors
    ///
    /// The first thing in it that is not understood.
    pub fn parse(arguments: &[OsString]) -> Result<LowArgs, String> {
        let mut low = LowArgs::default();
        let mut parser = Parser::from_args(arguments);
        while let Some(argument) = parser.next().map_err(message)? {
            let name = match &argument {
                Arg::Short(name) => format!("-{name}"),
                Arg::Long(name) => format!("--{name}"),
                Arg::Value(filter) => {
                    low.filters.push(utf8(filter)?.to_owned());
                    continue;
                }
            };
            low.set(&name, &mut parser)?;
        }
        Ok(low)
    }

    /// Takes a flag, with its value from `parser` if it has one.
    ///
    /// # Errors
    ///
    /// When the flag is unknown or its value is not understood.
    pub fn set(&mut self, name: &str, parser: &mut Parser) -> Result<(), String> {
        let flag = find(name).ok_or_else(|| unknown(name))?;
        let mut typed = OsString::new();
        match flag.set {
            Set::Switch(set) => set(self),
            Set::Value(set) => {
                typed = value(name, parser)?;
                set(self, &typed).map_err(|what| format!("{name}: {what}"))?;
            }
        }
        let typed = typed.to_string_lossy().into_owned();
        self.given.push((name.to_owned(), typed));
        Ok(())
    }
}

/// The value of a flag.
fn value(name: &str, parser: &mut Parser) -> Result<OsString, String> {
    if let Some(attached) = parser.optional_value() {
        return Ok(attached);
    }
    let next = parser.value().map_err(message)?;
    if is_flag(&next) {
        return Err(without_value(name));
    }
    Ok(next)
}

fn unknown(name: &str) -> String {
    if let Some(hint) = foreign_flag(name) {
        return hint;
    }
    match nearest(name, all().flat_map(Flag::names)) {
        Some(meant) if name.starts_with("--") => {
            format!("unknown flag {name}; did you mean {meant}?")
        }
        _ => format!("unknown flag {name}; --help lists the known ones"),
    }
}

fn message(error: lexopt::Error) -> String {
    match error {
        lexopt::Error::UnexpectedValue { option, .. } => {
            format!("{option} takes no value; write {option} alone")
        }
        lexopt::Error::MissingValue {
            option: Some(option),
        } => without_value(&option),
        other => other.to_string(),
    }
}

fn without_value(name: &str) -> String {
    let value = find(name).map_or("VALUE", |flag| flag.value);
    format!("{name} needs a value; write {name} {value}")
}
