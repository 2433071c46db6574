//! A setting of the file, as it would be typed.

use std::ffi::OsString;
use std::path::Path;
use tourbillon_record::CaseOptions;

use lexopt::Parser;
use tourbillon_values::nearest;

use crate::args::flags::{all, find};
use crate::args::low::LowArgs;
use crate::values::{Setting, SettingScope};

/// A setting as words of a command line.
#[derive(Debug)]
pub(super) struct SettingWords {
    pub(super) arguments: Vec<OsString>,
    pub(super) values: Vec<String>,
    pub(super) takes_value: bool,
    /// What it sets of the options of cases.
    pub(super) options: CaseOptions,
}

impl SettingWords {
    /// The words of a setting in a file of this folder, which relative paths begin at.
    ///
    /// # Errors
    ///
    /// What is not understood.
    pub(super) fn new(setting: &Setting, folder: &Path) -> Result<SettingWords, String> {
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
        Ok(SettingWords {
            arguments,
            values,
            takes_value,
            options: low.options,
        })
    }
}
