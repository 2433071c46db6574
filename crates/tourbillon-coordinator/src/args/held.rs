//! The settings that hold for a program, and where each comes from.

use super::defaults::{DISPLACED, TYPED_ONLY, long};
use super::environment::Environment;
use super::high::HighArgs;
use super::low::explained;

/// Each setting: the flag, its value, and where that comes from. Flags that are off and have no value by
/// default are not among them.
pub(crate) fn held(high: &HighArgs) -> Vec<Vec<String>> {
    let environment = Environment::read();
    let defaults = &high.defaults;
    let mut rows = Vec::new();
    for (names, explanation) in explained() {
        let flag = names
            .iter()
            .copied()
            .find(|name| name.starts_with("--") && long(name) == *name);
        let Some(flag) = flag.filter(|flag| is_setting(flag)) else {
            continue;
        };
        let mut row = |value: &str, from: &str| {
            rows.push([flag, value, from].map(str::to_owned).to_vec());
        };
        let mut is_held = false;
        for (_, value) in defaults
            .typed
            .iter()
            .filter(|(typed, _)| long(typed) == flag)
        {
            is_held = true;
            let is_switch = value.is_empty();
            row(if is_switch { "true" } else { value }, "command line");
        }
        let mut variables = DISPLACED.iter().filter(|(key, variable)| {
            flag.strip_prefix("--") == Some(key) && environment.value(variable).is_some()
        });
        let mut of_file = defaults
            .origins
            .iter()
            .filter(|origin| origin.pattern.is_none() && origin.flag == flag);
        if is_held {
            // The last one counts, and those that may be repeated all do.
        } else if let Some((_, variable)) = variables.next() {
            let value = environment.value(variable).unwrap_or_default();
            row(&value.to_string_lossy(), variable);
        } else if let Some(origin) = of_file.next_back() {
            row(&origin.value, &origin.place);
        } else if flag == "--config" {
            let file = defaults
                .file
                .as_ref()
                .map(|file| file.display().to_string());
            row(file.as_deref().unwrap_or("none"), "found");
        } else if let Some((_, usual)) = explanation.rsplit_once('[') {
            row(usual.trim_end_matches(']'), "default");
        }
    }
    rows
}

/// Whether a flag is no question.
fn is_setting(flag: &str) -> bool {
    let key = flag.trim_start_matches('-');
    key == "config" || !TYPED_ONLY.contains(&key)
}
