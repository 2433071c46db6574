//! The program through which cargo starts others, such as `numactl` or an emulator.

use std::env;
use std::path::Path;
use std::str::FromStr;

use cargo_platform::{Cfg, Platform};
use toml::Value;

use crate::compile::configuration::settings_for;
use crate::invocation::{Flag, Invocation};

/// The words of cargo's runner, as `cargo bench` with these flags starts programs in a folder: those
/// of the variable `CARGO_TARGET_<triple>_RUNNER`, or of cargo's configuration. Empty where there is none.
pub(crate) fn cargo_runner(folder: &Path, flags: &[Flag]) -> Vec<String> {
    let of_files = configured(folder, flags);
    let target = flags.iter().rfind(|flag| flag.name() == "--target");
    let target = target.map(|flag| flag.value().to_string_lossy().into_owned());
    let is_named = |(name, _): &(_, _)| {
        let name: &std::ffi::OsString = name;
        name.to_string_lossy().ends_with("_RUNNER")
    };
    if of_files.is_empty() && !env::vars_os().any(|variable| is_named(&variable)) {
        return Vec::new();
    }
    let Some(target) = target.or_else(host) else {
        return Vec::new();
    };
    match env::var(variable(&target)) {
        Ok(words) => words.split_whitespace().map(str::to_owned).collect(),
        Err(_) => chosen(of_files, &target, || conditions(&target)),
    }
}

/// The variable with cargo's runner of a target.
fn variable(target: &str) -> String {
    let target = target.to_uppercase().replace(['-', '.'], "_");
    format!("CARGO_TARGET_{target}_RUNNER")
}

/// The runners of cargo's configuration, the nearest first: for what, and their words.
fn configured(folder: &Path, flags: &[Flag]) -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    for (file, table) in settings_for(folder, flags) {
        let around = file.parent().and_then(Path::parent).unwrap_or(&file);
        let targets = table.get("target").and_then(Value::as_table);
        for (target, settings) in targets.into_iter().flatten() {
            let words = settings
                .get("runner")
                .map_or(Vec::new(), |runner| words(runner, around));
            if !words.is_empty() {
                all.push((target.clone(), words));
            }
        }
    }
    all
}

/// The words of a setting; a program that is a path is relative to the folder around that of the file.
fn words(runner: &Value, around: &Path) -> Vec<String> {
    let mut words: Vec<String> = match runner {
        Value::String(text) => text.split_whitespace().map(str::to_owned).collect(),
        Value::Array(all) => all
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    };
    if let Some(program) = words
        .first_mut()
        .filter(|program| program.contains(['/', '\\']))
    {
        *program = around.join(&*program).to_string_lossy().into_owned();
    }
    words
}

/// Of a target's own ones the nearest, else of those with conditions that hold.
fn chosen(
    all: Vec<(String, Vec<String>)>,
    target: &str,
    conditions: impl FnOnce() -> Vec<Cfg>,
) -> Vec<String> {
    if let Some((_, words)) = all.iter().find(|(name, _)| name == target) {
        return words.clone();
    }
    let with_conditions = all.into_iter().filter(|(name, _)| name.starts_with("cfg("));
    let mut with_conditions = with_conditions.peekable();
    if with_conditions.peek().is_none() {
        return Vec::new();
    }
    let conditions = conditions();
    let holds = |name: &str| {
        Platform::from_str(name).is_ok_and(|platform| platform.matches(target, &conditions))
    };
    let mut holding = with_conditions.filter(|(name, _)| holds(name));
    holding.next().map_or(Vec::new(), |(_, words)| words)
}

/// The triple of this machine, as the compiler says it.
fn host() -> Option<String> {
    let mut rustc = Invocation::new("rustc");
    let output = rustc.words(&["-vV"]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
}

/// What holds for a target, as the compiler says it.
fn conditions(target: &str) -> Vec<Cfg> {
    let mut rustc = Invocation::new("rustc");
    rustc
        .words(&["--print=cfg"])
        .flags(&[Flag::new("--target=", target)]);
    let output = rustc
        .output()
        .map(|output| output.stdout)
        .unwrap_or_default();
    let text = String::from_utf8_lossy(&output).into_owned();
    text.lines()
        .filter_map(|line| Cfg::from_str(line).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_runner_is_that_of_the_nearest_file() {
        let root = tempfile::tempdir().expect("a folder");
        let (outer, inner) = (root.path().join(".cargo"), root.path().join("a/.cargo"));
        for folder in [&outer, &inner] {
            fs::create_dir_all(folder).expect("a folder");
        }
        let far = "[target.x86_64-unknown-linux-gnu]\nrunner = \"perf stat\"\n\
            [target.'cfg(windows)']\nrunner = \"wine\"\n[target.'cfg(unix)']\nrunner = [\"./run\", \"a b\"]\n";
        let near = "[target.x86_64-unknown-linux-gnu]\nrunner = [\"numactl\", \"-C 1\"]\n";
        fs::write(outer.join("config.toml"), far).expect("a file");
        fs::write(inner.join("config.toml"), near).expect("a file");
        let cfg = |name: &str| vec![Cfg::from_str(name).expect("a condition")];
        let of = |folder: &str, target: &str, holds: &str| {
            let all = configured(&root.path().join(folder), &[]);
            chosen(all, target, || cfg(holds))
        };
        assert_eq!(
            of("a", "x86_64-unknown-linux-gnu", "unix"),
            ["numactl", "-C 1"]
        );
        assert_eq!(of("", "x86_64-unknown-linux-gnu", "unix"), ["perf", "stat"]);
        let beside = root.path().join("./run").to_string_lossy().into_owned();
        assert_eq!(of("a", "aarch64-apple-darwin", "unix"), [&*beside, "a b"]);
        assert_eq!(of("a", "x86_64-pc-windows-gnu", "windows"), ["wine"]);
        assert_eq!(of("a", "wasm32-wasip1", "debug_assertions"), [""; 0]);
    }

    #[test]
    fn dots_and_dashes_of_a_triple_are_lines_in_its_variable() {
        assert_eq!(
            variable("thumbv8m.main-none-eabi"),
            "CARGO_TARGET_THUMBV8M_MAIN_NONE_EABI_RUNNER"
        );
    }
}
