//! The program through which cargo starts others, such as `numactl` or an emulator.

use std::env;
use std::path::Path;
use std::str::FromStr;

use cargo_platform::{Cfg, Platform};
use toml::{Table, Value};

use crate::compile::configuration::Settings;
use crate::compile::configured_paths::runner_words;
use crate::invocation::{Flag, Invocation};

/// The words of cargo's runner, as `cargo bench` with these flags starts programs in a folder: of its flags, the variable
/// `CARGO_TARGET_<triple>_RUNNER`, or its files. Empty where there is none.
pub(crate) fn cargo_runner(folder: &Path, flags: &[Flag]) -> Vec<String> {
    let settings = Settings::of(folder, flags);
    let is_named = |(name, _): (std::ffi::OsString, _)| name.to_string_lossy().ends_with("_RUNNER");
    if runners(&settings.all()).next().is_none() && !env::vars_os().any(is_named) {
        return Vec::new();
    }
    let target = flags.iter().rfind(|flag| flag.name() == "--target");
    let target = target.map(|flag| flag.value().to_string_lossy().into_owned());
    let Some(target) = target.or_else(host) else {
        return Vec::new();
    };
    let of_variable = || {
        let mut words = runner_words(&env::var(variable(&target)).ok()?.into());
        let mut program = words.iter_mut().take(1);
        // Cargo is started in the folder.
        if let Some(path) = program.find(|program| program.contains(['/', '\\'])) {
            *path = folder.join(&*path).to_string_lossy().into_owned();
        }
        Some(words)
    };
    chosen(&settings, &target, of_variable, || conditions(&target))
}

/// The variable with cargo's runner of a target.
fn variable(target: &str) -> String {
    let target = target.to_uppercase().replace(['-', '.'], "_");
    format!("CARGO_TARGET_{target}_RUNNER")
}

/// For what there are runners, and their words.
fn runners(settings: &Table) -> impl Iterator<Item = (&str, Vec<String>)> {
    let targets = settings.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flatten();
    let runners = targets.filter_map(|(name, target)| Some((name, target.get("runner")?)));
    runners.map(|(name, runner)| (name.as_str(), runner_words(runner)))
}

/// Of a target's own ones that of the flags, of the variable, of the files, else of those with conditions that hold.
fn chosen(
    settings: &Settings,
    target: &str,
    of_variable: impl FnOnce() -> Option<Vec<String>>,
    conditions: impl FnOnce() -> Vec<Cfg>,
) -> Vec<String> {
    let own = |table: &Table| {
        let mut all = runners(table);
        all.find_map(|(name, words)| (name == target).then_some(words))
    };
    let of_files = || own(&settings.of_files);
    if let Some(words) = own(&settings.of_flags)
        .or_else(of_variable)
        .or_else(of_files)
    {
        return words;
    }
    let all = settings.all();
    let with_conditions = runners(&all).filter(|(name, _)| name.starts_with("cfg("));
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
            let settings = Settings::of(&root.path().join(folder), &[]);
            chosen(&settings, target, || None, || cfg(holds))
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
