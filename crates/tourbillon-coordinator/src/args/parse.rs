//! From words to what was typed, by the table of flags.

use std::ffi::OsString;

use lexopt::{Arg, Parser};
use tourbillon_values::nearest;

use super::flag::{Flag, Set};
use super::flags::{all, find, is_flag, utf8};
use super::foreign::foreign_flag;
use super::low::LowArgs;

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
        self.given
            .push((name.to_owned(), typed.to_string_lossy().into_owned()));
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
