//! What was typed.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::slice::Iter;

use tourbillon_report::Pieces;

use super::flag::{Flag, Sets};
use super::nearest::nearest;
use super::table::{FLAGS, LONG};
use super::usage::Usage;
use super::value::{self, COLORS, FORMATS};
use crate::lasting::Lasting;
use crate::text::{owned, text};

/// What was typed, before the environment and the defaults have their say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LowArgs {
    pub(super) cpus: Vec<u32>,
    pub(super) store: Option<PathBuf>,
    /// Filters and all other flags, in the order in which they were given.
    given: Vec<Given>,
}

/// A flag or filter that was given.
#[derive(Clone, Debug, PartialEq)]
struct Given {
    sets: Sets,
    /// Its value as it was typed; empty for a switch.
    typed: String,
    /// What [`number`] makes of that.
    number: u64,
}

impl LowArgs {
    /// Reads a command line without the program's name.
    ///
    /// The usual forms: `--name value`, `--name=value`, `-n value`, `-nvalue`, `-n=value`, several
    /// switches behind one dash, and nothing but filters behind `--`.
    ///
    /// # Errors
    ///
    /// The first thing in it that is not understood.
    #[inline(never)]
    pub(crate) fn parse(arguments: &[OsString]) -> Result<Lasting<LowArgs>, Usage> {
        let mut low = Lasting::new(LowArgs::default());
        match low.read(arguments.iter()) {
            Ok(()) => Ok(low),
            Err(what) => Err(Usage::new(what)),
        }
    }

    /// Whether a flag was given.
    pub(super) fn has(&self, sets: Sets) -> bool {
        self.last(sets).is_some()
    }

    /// The value of a flag as a number, which [`number`] explains. What is given last holds.
    #[inline(never)]
    pub(super) fn number(&self, sets: Sets) -> Option<u64> {
        Some(self.last(sets)?.number)
    }

    /// The value of a flag as it was typed. What is given last holds.
    #[inline(never)]
    pub(super) fn text(&self, sets: Sets) -> Option<String> {
        Some(owned(&self.last(sets)?.typed))
    }

    /// All values of a flag that may be repeated.
    #[inline(never)]
    pub(super) fn texts(&self, sets: Sets) -> Vec<String> {
        let mut texts = Vec::new();
        for given in &self.given {
            if given.sets == sets {
                texts.push(owned(&given.typed));
            }
        }
        texts
    }

    #[inline(never)]
    fn last(&self, sets: Sets) -> Option<&Given> {
        let mut last = None;
        for given in &self.given {
            if given.sets == sets {
                last = Some(given);
            }
        }
        last
    }

    fn read(&mut self, mut rest: Iter<'_, OsString>) -> Result<(), String> {
        let mut only_filters = false;
        while let Some(argument) = rest.next() {
            let Some(typed) = argument.to_str() else {
                return Err(text!(
                    "{argument:?} is not valid UTF-8; only a separate value may be not"
                ));
            };
            match typed.as_bytes() {
                b"--" if !only_filters => only_filters = true,
                [b'-', _, ..] if !only_filters => self.take_all(typed, &mut rest)?,
                _ => self.keep(Sets::Filter, typed, 0),
            }
        }
        Ok(())
    }

    /// Takes the flags in an argument: a long one, or what stands behind one dash: switches, the last
    /// of which may be a flag with its value.
    fn take_all(&mut self, typed: &str, rest: &mut Iter<'_, OsString>) -> Result<(), String> {
        if let Some(long) = typed.strip_prefix("--") {
            let mut parts = Pieces::divided(long, b'=');
            let name = parts.next().unwrap_or_default();
            return self.take(find(name, None)?, &text!("--{name}"), parts.rest(), rest);
        }
        let mut letters = &typed[1..];
        while let Some(name) = letters.chars().next() {
            letters = &letters[name.len_utf8()..];
            let flag = find("", Some(name))?;
            let mut attached = None;
            if !flag.value.is_empty() && !letters.is_empty() {
                attached = Some(letters.strip_prefix("=").unwrap_or(letters));
                letters = "";
            }
            self.take(flag, &text!("-{name}"), attached, rest)?;
        }
        Ok(())
    }

    /// Takes a flag, which is `shown` in messages, and its value: the one attached, else the next
    /// argument.
    #[inline(never)]
    fn take(
        &mut self,
        flag: &Flag,
        shown: &str,
        attached: Option<&str>,
        rest: &mut Iter<'_, OsString>,
    ) -> Result<(), String> {
        let value = match (flag.value, attached) {
            ("", None) => OsStr::new(""),
            ("", Some(_)) => {
                return Err(text!("{shown} takes no value; write {shown} alone"));
            }
            (_, Some(attached)) => OsStr::new(attached),
            (name, None) => match rest.next() {
                Some(next) => next,
                None => return Err(text!("{shown} needs a value; write {shown} {name}")),
            },
        };
        match self.set(flag.sets, value) {
            Ok(()) => Ok(()),
            Err(what) => Err(text!("{shown}: {what}")),
        }
    }

    /// Keeps a flag with its value.
    #[inline(never)]
    fn set(&mut self, sets: Sets, value: &OsStr) -> Result<(), String> {
        if sets == Sets::Store {
            if value.is_empty() {
                return Err(owned("the path is empty; write the folder of the store"));
            }
            self.store = Some(Path::new(value).to_owned());
            self.keep(sets, "", 0);
            return Ok(());
        }
        let Some(typed) = value.to_str() else {
            return Err(text!("{value:?} is not valid UTF-8"));
        };
        if sets == Sets::Cpus {
            self.cpus = value::cpus(typed)?;
            return Ok(());
        }
        let number = number(sets, typed)?;
        self.keep(sets, typed, number);
        Ok(())
    }

    #[inline(never)]
    fn keep(&mut self, sets: Sets, typed: &str, number: u64) {
        self.given.push(Given {
            sets,
            typed: owned(typed),
            number,
        });
    }
}

/// The value of a flag as a number: a count, nanoseconds, a seed, the bits of a fraction, the place in
/// a list of what may be chosen; 0 for a switch and for what is a text.
///
/// # Errors
///
/// What is wrong with the value.
fn number(sets: Sets, typed: &str) -> Result<u64, String> {
    match sets {
        Sets::Launches => value::launches(typed),
        Sets::MinIterations | Sets::Count => value::count(typed),
        Sets::MinTime | Sets::MaxTime | Sets::Timeout | Sets::ProfileTime => value::duration(typed),
        Sets::Seed => value::seed(typed),
        Sets::Precision => value::precision(typed).map(f64::to_bits),
        Sets::Clock => value::clock(typed),
        Sets::Format => value::choice(typed, &FORMATS.0),
        Sets::Color => value::choice(typed, &COLORS.0),
        Sets::Save | Sets::Baseline if typed.trim_ascii().is_empty() => {
            Err(owned("the name is empty; write one such as main"))
        }
        Sets::Against if typed.is_empty() => {
            Err(owned("the id is empty; --list shows the ids of the cases"))
        }
        _ => Ok(0),
    }
}

/// The flag with this long or short name.
#[inline(never)]
fn find(long: &str, short: Option<char>) -> Result<&'static Flag, String> {
    for flag in FLAGS {
        // Either name may be missing.
        if !long.is_empty() && flag.long == long || short.is_some() && flag.short == short {
            return Ok(flag);
        }
    }
    let known = "--help lists the known ones";
    Err(match (short, nearest(long, &LONG)) {
        (Some(short), _) => text!("unknown flag -{short}; {known}"),
        (None, Some(meant)) => text!("unknown flag --{long}; did you mean --{meant}?"),
        (None, None) => text!("unknown flag --{long}; {known}"),
    })
}

#[cfg(test)]
mod tests;
