//! Defaults of flags in `tourbillon.toml`.

mod words;

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use tourbillon_record::{Case, CaseOptions};
use tourbillon_report::is_selected;

use self::words::SettingWords;
use super::environment::Environment;
use super::flags::{all, find, own_name};
use super::low::LowArgs;
use super::selection::Chosen;
use crate::values::{Setting, SettingScope, SettingsFile};

/// The variable that names the file.
const VARIABLE: &str = "TOURBILLON_CONFIG";

/// What the file has for a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// The file.
    pub file: Option<PathBuf>,
    /// Flags, as they would be typed before the others.
    pub arguments: Vec<OsString>,
    /// Options of every case.
    pub options: CaseOptions,
    /// Options of the cases that a pattern selects, the longest pattern last.
    pub cases: Vec<(String, CaseOptions)>,
    /// The flags of the command line, with their values.
    pub(super) typed: Vec<(String, String)>,
    /// The settings that hold for the program, with the table and line of each.
    pub(super) origins: Vec<Origin>,
}

/// A setting that holds, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Origin {
    /// A long flag.
    pub(crate) flag: String,
    /// The pattern of the cases that it is for.
    pub(super) pattern: Option<String>,
    pub(crate) value: String,
    /// File, line, and table.
    pub(crate) place: String,
}

impl Defaults {
    /// The defaults for a program, whose flags are in `typed`.
    ///
    /// # Errors
    ///
    /// The first mistake in the file, also in what is for other programs, with its line.
    pub fn read(
        typed: &LowArgs,
        environment: &Environment,
        package: &str,
        target: &str,
    ) -> Result<Defaults, String> {
        // Miri gives programs no files.
        if cfg!(miri) {
            return Ok(Defaults::default());
        }
        let named = match &typed.config {
            Some(path) => Some(path.clone()),
            None => environment.value(VARIABLE).map(PathBuf::from),
        };
        let folder = match environment.value("CARGO_MANIFEST_DIR") {
            Some(folder) => PathBuf::from(folder),
            None => env::current_dir().unwrap_or_default(),
        };
        let file = SettingsFile::locate(named.as_deref(), &folder)?;
        let is_given = |name: &str| match name {
            // Without it, and without `--bench`, a program is tested.
            "--test" if !typed.bench => true,
            _ if name.starts_with("--") => is_given(&typed.given, name),
            _ => environment.value(name).is_some(),
        };
        let mut defaults = match file {
            Some(file) => Defaults::of(&file, &is_given, package, target)?,
            None => Defaults::default(),
        };
        defaults.typed.clone_from(&typed.given);
        Ok(defaults)
    }

    fn of(
        file: &SettingsFile,
        is_given: &dyn Fn(&str) -> bool,
        package: &str,
        target: &str,
    ) -> Result<Defaults, String> {
        let mut defaults = Defaults {
            file: Some(file.path.clone()),
            ..Defaults::default()
        };
        let mut held: Vec<(&Setting, SettingWords)> = Vec::new();
        for setting in &file.settings {
            if matches!(setting.scope, SettingScope::Command(_)) {
                continue;
            }
            // What is for other programs is read, too: a mistake there is one in the file.
            let words = SettingWords::new(setting, file.folder())
                .map_err(|what| file.at(setting.line, &what))?;
            if is_for(&setting.scope, package, target) {
                held.push((setting, words));
            }
        }
        held.sort_by_key(|(setting, _)| precedence(&setting.scope));
        for (at, (setting, words)) in held.iter().enumerate() {
            let flag = format!("--{}", setting.key);
            let pattern = match &setting.scope {
                SettingScope::Cases(pattern) => Some(pattern),
                _ => None,
            };
            let is_later = |(later, _): &(&Setting, SettingWords)| {
                later.key == setting.key && !matches!(later.scope, SettingScope::Cases(_))
            };
            if is_given(&flag)
                || gives_way_to(&flag).any(is_given)
                || (pattern.is_none() && held[at + 1..].iter().any(is_later))
            {
                continue;
            }
            let shown = words.values.join(",");
            defaults.origins.push(Origin {
                value: if words.takes_value {
                    shown
                } else {
                    (!words.values.is_empty()).to_string()
                },
                pattern: pattern.cloned(),
                place: file.at(setting.line, &setting.scope.table()),
                flag,
            });
            match pattern {
                Some(pattern) => defaults.cases.push((pattern.clone(), words.options)),
                None if words.options != CaseOptions::default() => {
                    defaults.options = over(&words.options, &defaults.options);
                }
                None => defaults.arguments.extend(words.arguments.iter().cloned()),
            }
        }
        Ok(defaults)
    }

    /// The options of a case whose own are `own`.
    pub fn options_of(&self, case: &Case, own: &CaseOptions) -> CaseOptions {
        let mut defaults = self.options;
        for (pattern, options) in &self.cases {
            if is_selected(case, pattern) {
                defaults = over(options, &defaults);
            }
        }
        over(own, &defaults)
    }

    /// The settings of a case by its patterns, the longest first.
    pub(crate) fn of_case(&self, case: &Case) -> impl Iterator<Item = &Origin> {
        let of_case = |origin: &&Origin| {
            let pattern = origin.pattern.as_deref();
            pattern.is_some_and(|pattern| is_selected(case, pattern))
        };
        self.origins.iter().rev().filter(of_case)
    }

    /// Whether a flag was typed.
    pub(crate) fn is_typed(&self, flag: &str) -> bool {
        self.typed.iter().any(|(typed, _)| typed == flag)
    }

    /// Gives the cases the options of their patterns, below their own.
    pub fn apply(&self, chosen: &mut Chosen) {
        if self.file.is_none() {
            return;
        }
        let mut all = HashMap::new();
        for case in &chosen.runs {
            let own = chosen.options.get(&case.id).copied().unwrap_or_default();
            let options = self.options_of(case, &own);
            if options != self.options {
                all.insert(case.id.clone(), options);
            }
        }
        chosen.options = all;
    }
}

/// Whether a setting of this scope is for a program.
fn is_for(scope: &SettingScope, package: &str, target: &str) -> bool {
    // A target's name has `_` where a file's has `-`.
    let same = |one: &str, other: &str| one.replace('-', "_") == other.replace('-', "_");
    match scope {
        SettingScope::Command(_) => false,
        SettingScope::Bench | SettingScope::Cases(_) => true,
        SettingScope::Package(name) => name == package,
        SettingScope::Target(name) => {
            same(name, target) || same(name, &format!("{package}/{target}"))
        }
    }
}

/// The place of a scope among those of one key: the larger one counts.
fn precedence(scope: &SettingScope) -> (u8, usize) {
    match scope {
        SettingScope::Cases(pattern) => (4, pattern.len()),
        SettingScope::Target(_) => (3, 0),
        SettingScope::Package(_) => (2, 0),
        SettingScope::Bench | SettingScope::Command(_) => (1, 0),
    }
}

/// Options, and those that hold where they have none. A limit moves the opposite limit below it.
pub(super) fn over(upper: &CaseOptions, lower: &CaseOptions) -> CaseOptions {
    let most = upper.max_time_ns.unwrap_or(u64::MAX);
    let least = upper.min_time_ns.unwrap_or(0);
    let within = CaseOptions {
        min_time_ns: lower.min_time_ns.map(|ns| ns.min(most)),
        max_time_ns: lower.max_time_ns.map(|ns| ns.max(least)),
        ..*lower
    };
    upper.or(within)
}

/// Flags and variables to which the default of a flag gives way.
pub(super) fn gives_way_to(name: &str) -> impl Iterator<Item = &'static str> {
    let of_flag = find(name).into_iter();
    let own = of_flag.flat_map(|flag| flag.contradicts.iter().chain(flag.yields_to));
    let others = all().filter(move |flag| flag.contradicts.contains(&name));
    own.copied().chain(others.map(|flag| flag.name))
}

/// Whether a flag is among those that were given, under any of its names.
pub(super) fn is_given(given: &[(String, String)], name: &str) -> bool {
    given.iter().any(|(flag, _)| own_name(flag) == name)
}

#[cfg(test)]
mod tests;
