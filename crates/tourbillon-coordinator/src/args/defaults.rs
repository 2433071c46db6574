//! Defaults of flags in `tourbillon.toml`.

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::values::{Setting, SettingScope, SettingsFile};
use lexopt::Parser;
use tourbillon_engine::CaseOptions;
use tourbillon_record::Case;
use tourbillon_report::is_selected;
use tourbillon_values::nearest;

use super::environment::Environment;
use super::flags::{all, find, own_name};
use super::low::LowArgs;
use super::selection::Chosen;

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
        let whole = format!("{package}/{target}");
        let mut held: Vec<(&Setting, Words)> = Vec::new();
        for setting in &file.settings {
            let holds = match &setting.scope {
                SettingScope::Command(_) => continue,
                SettingScope::Bench | SettingScope::Cases(_) => true,
                SettingScope::Package(name) => name == package,
                // A target's name has `_` where a file's has `-`.
                SettingScope::Target(name) => {
                    let name = name.replace('-', "_");
                    name == target.replace('-', "_") || name == whole.replace('-', "_")
                }
            };
            let words =
                Words::of(setting, file.folder()).map_err(|what| file.at(setting.line, &what))?;
            if holds {
                held.push((setting, words));
            }
        }
        held.sort_by_key(|(setting, _)| match &setting.scope {
            SettingScope::Cases(pattern) => (4, pattern.len()),
            SettingScope::Target(_) => (3, 0),
            SettingScope::Package(_) => (2, 0),
            _ => (1, 0),
        });
        for (at, (setting, words)) in held.iter().enumerate() {
            let flag = format!("--{}", setting.key);
            let pattern = match &setting.scope {
                SettingScope::Cases(pattern) => Some(pattern),
                _ => None,
            };
            let is_later = |(later, _): &(&Setting, Words)| {
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

/// A setting as words of a command line.
#[derive(Debug)]
struct Words {
    arguments: Vec<OsString>,
    values: Vec<String>,
    takes_value: bool,
    /// What it sets of the options of cases.
    options: CaseOptions,
}

impl Words {
    fn of(setting: &Setting, folder: &Path) -> Result<Words, String> {
        let key = setting.key.as_str();
        let flag = format!("--{key}");
        let Some(known) = find(&flag) else {
            let keys = all().filter_map(|flag| flag.name.strip_prefix("--"));
            let meant = nearest(key, keys).map_or_else(
                || "keys are the flags of `cargo bench -- --help` without dashes".to_owned(),
                |meant| format!("did you mean {meant}?"),
            );
            return Err(format!("unknown key {key}; {meant}"));
        };
        if known.typed_only {
            return Err(format!(
                "{key} has no default; write {flag} on the command line"
            ));
        }
        let takes_value = !known.value.is_empty();
        let mut values = setting.typed(takes_value)?;
        if known.listed {
            values = vec![values.join(",")];
        } else if values.len() > 1 && !known.repeated {
            return Err(format!("{key} takes one value"));
        }
        if key == "store" {
            // An empty path stays one, which is a mistake.
            values = values
                .into_iter()
                .map(|path| match path.as_str() {
                    "" => path,
                    _ => folder.join(path).to_string_lossy().into_owned(),
                })
                .collect();
        }
        let arguments: Vec<OsString> = values
            .iter()
            .map(|value| {
                if takes_value {
                    format!("{flag}={value}").into()
                } else {
                    flag.clone().into()
                }
            })
            .collect();
        let mut low = LowArgs::default();
        let mut parser = Parser::from_args(&arguments);
        while let Ok(Some(_)) = parser.next() {
            low.set(&flag, &mut parser).map_err(|what| {
                // The key is what was written.
                what.strip_prefix("--").unwrap_or(&what).to_owned()
            })?;
        }
        if matches!(setting.scope, SettingScope::Cases(_)) && known.of_case.is_none() {
            return Err(format!(
                "{key} is not for single cases; write it in [bench]"
            ));
        }
        if key == "store" && setting.scope != SettingScope::Bench {
            return Err("store is for all programs; write it in [bench]".to_owned());
        }
        Ok(Words {
            arguments,
            values,
            takes_value,
            options: low.options,
        })
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
