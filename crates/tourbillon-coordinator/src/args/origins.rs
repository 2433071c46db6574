//! The settings that hold for a program, and where each comes from.

use super::environment::Environment;
use super::flag::Flag;
use super::flags::{all, own_name};
use super::high::HighArgs;

/// Each setting: the flag, its value, and where that comes from. Flags that are off and have no value by
/// default are not among them.
pub(crate) fn origins(high: &HighArgs) -> Vec<Vec<String>> {
    let environment = Environment::read();
    let defaults = &high.defaults;
    let mut rows = Vec::new();
    for known in all().filter(|known| is_setting(known)) {
        let flag = known.name;
        let mut row = |value: &str, from: &str| {
            rows.push([flag, value, from].map(str::to_owned).to_vec());
        };
        let mut is_held = false;
        for (_, value) in defaults
            .typed
            .iter()
            .filter(|(typed, _)| own_name(typed) == flag)
        {
            is_held = true;
            let is_switch = value.is_empty();
            row(if is_switch { "true" } else { value }, "command line");
        }
        let mut variables = known
            .yields_to
            .iter()
            .filter(|name| !name.starts_with("--") && environment.value(name).is_some());
        let mut of_file = defaults
            .origins
            .iter()
            .filter(|origin| origin.pattern.is_none() && origin.flag == flag);
        if is_held {
            // The last one counts, and those that may be repeated all do.
        } else if let Some(variable) = variables.next() {
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
        } else if !known.default.is_empty() {
            row(known.default, "default");
        }
    }
    rows
}

/// Whether a flag is no question, and has a name of its own.
fn is_setting(flag: &Flag) -> bool {
    let is_own = flag.alias_of.is_empty() && flag.name.starts_with("--");
    is_own && (flag.name == "--config" || !flag.typed_only)
}
