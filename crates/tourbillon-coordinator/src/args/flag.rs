//! What is known about a flag of a bench program.

use std::ffi::OsStr;
use tourbillon_record::CaseOptions;

use super::low::LowArgs;

/// A flag of a bench program.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// Its name, long wherever there is a long one.
    pub name: &'static str,
    /// A short form; empty without one.
    pub short: &'static str,
    /// The name of its value; empty for a switch.
    pub value: &'static str,
    /// What it does.
    pub(super) help: &'static str,
    /// The list of known words at the end of the help.
    pub(super) words: Option<fn() -> String>,
    /// What holds without it; empty where nothing does.
    pub default: &'static str,
    /// The flag that it is another name of; empty for a flag of its own.
    pub alias_of: &'static str,
    /// Whether it selects cases.
    pub selects: bool,
    /// Whether it has no default in the settings file: what to do, which shard this is, and where the defaults are.
    pub(super) typed_only: bool,
    /// Whether it may be repeated.
    pub(super) repeated: bool,
    /// Whether its value is a list with commas.
    pub(super) listed: bool,
    /// Flags that cannot be given together with it. A default gives way to each of them, and the other way round.
    pub(super) contradicts: &'static [&'static str],
    /// Flags and variables to which a default gives way.
    pub(super) yields_to: &'static [&'static str],
    /// Its value in the options of a case, for one that may be set for single cases.
    pub(super) of_case: Option<fn(&CaseOptions) -> Option<String>>,
    pub(super) set: Set,
}

/// How a flag is taken.
#[derive(Clone, Copy, Debug)]
pub(super) enum Set {
    Switch(fn(&mut LowArgs)),
    Value(fn(&mut LowArgs, &OsStr) -> Result<(), String>),
}

impl Flag {
    const fn new(name: &'static str, value: &'static str, set: Set) -> Flag {
        Flag {
            name,
            short: "",
            value,
            help: "",
            words: None,
            default: "",
            alias_of: "",
            selects: false,
            typed_only: false,
            repeated: false,
            listed: false,
            contradicts: &[],
            yields_to: &[],
            of_case: None,
            set,
        }
    }

    pub(super) const fn switch(name: &'static str, set: fn(&mut LowArgs)) -> Flag {
        Flag::new(name, "", Set::Switch(set))
    }

    pub(super) const fn value(
        name: &'static str,
        value: &'static str,
        set: fn(&mut LowArgs, &OsStr) -> Result<(), String>,
    ) -> Flag {
        Flag::new(name, value, Set::Value(set))
    }

    pub(super) const fn short(self, short: &'static str) -> Flag {
        Flag { short, ..self }
    }

    pub(super) const fn help(self, help: &'static str) -> Flag {
        Flag { help, ..self }
    }

    pub(super) const fn words(self, words: fn() -> String) -> Flag {
        Flag {
            words: Some(words),
            ..self
        }
    }

    pub(super) const fn default(self, default: &'static str) -> Flag {
        Flag { default, ..self }
    }

    pub(super) const fn alias_of(self, alias_of: &'static str) -> Flag {
        Flag { alias_of, ..self }
    }

    pub(super) const fn selecting(self) -> Flag {
        Flag {
            selects: true,
            ..self
        }
    }

    pub(super) const fn typed_only(self) -> Flag {
        Flag {
            typed_only: true,
            ..self
        }
    }

    pub(super) const fn repeated(self) -> Flag {
        Flag {
            repeated: true,
            ..self
        }
    }

    pub(super) const fn listed(self) -> Flag {
        Flag {
            listed: true,
            ..self
        }
    }

    pub(super) const fn contradicts(self, contradicts: &'static [&'static str]) -> Flag {
        Flag {
            contradicts,
            ..self
        }
    }

    pub(super) const fn yields_to(self, yields_to: &'static [&'static str]) -> Flag {
        Flag { yields_to, ..self }
    }

    pub(super) const fn of_case(self, of_case: fn(&CaseOptions) -> Option<String>) -> Flag {
        Flag {
            of_case: Some(of_case),
            ..self
        }
    }

    /// Its value in the options of a case; `None` for one that is not set there.
    pub fn value_in(&self, options: &CaseOptions) -> Option<String> {
        self.of_case.and_then(|of_case| of_case(options))
    }

    /// What it does, with the words that it knows.
    pub fn explanation(&self) -> String {
        let words = self.words.map_or_else(String::new, |words| words());
        self.help.to_owned() + &words
    }

    /// Its names, as they may be typed.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let names = [self.short, self.name];
        names.into_iter().filter(|name| !name.is_empty())
    }
}
