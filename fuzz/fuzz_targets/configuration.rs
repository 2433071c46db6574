//! `tourbillon.toml` by all of its readers, and what users type: flags and their values.
#![no_main]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cargo_tourbillon::hostile::{mistake_in_words, mistakes_in_settings};
use libfuzzer_sys::fuzz_target;
use tourbillon_coordinator::args::{Defaults, Environment, HighArgs, LowArgs, foreign_flag};
use tourbillon_coordinator::values::{Partition, SettingsFile, TomlEntry, TomlValue, toml};
use tourbillon_values::{
    assertion, count, duration, editor_path, nanoseconds, processors, seed, share,
};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    values(text);
    words(text);
    readers_agree(text);
    settings(text);
});

/// Values that are typed.
fn values(text: &str) {
    if let Ok(ns) = duration(text) {
        assert!(ns > 0, "{text:?} is no time");
    }
    if let Some(ns) = nanoseconds(text) {
        assert!(ns.is_finite(), "{text:?}");
    }
    if let Ok(share) = share(text) {
        assert!(share.is_finite(), "{text:?}");
    }
    if let Ok(seed_of) = seed(text) {
        assert_eq!(seed(&format!("{seed_of:x}")), Ok(seed_of));
    }
    if let Ok(count_of) = count(text, 1000) {
        assert!((1..=1000).contains(&count_of));
    }
    if let Ok(list) = processors(text) {
        assert!(!list.is_empty() && list.len() <= 1 << 16, "{text:?}");
    }
    // The text is the engine's variable, too.
    let variable = |_: &str| Some(text.to_owned());
    for typed in [text, "auto", "slice:auto", "auto/4"] {
        if let Ok(partition) = Partition::parse(typed, &variable) {
            let Partition {
                method,
                shard,
                shards,
            } = partition;
            assert!((1..=shards).contains(&shard), "{partition}");
            assert!((1..=shards).contains(&method.shard_of(text, 7, shards)));
            assert_eq!(
                Partition::parse(&partition.to_string(), &variable),
                Ok(partition)
            );
        }
    }
    let _ = assertion(text);
    let _ = editor_path(text);
    let _ = foreign_flag(text);
}

/// Command lines, a word in each line.
fn words(text: &str) {
    let words: Vec<OsString> = text.lines().take(40).map(OsString::from).collect();
    let _ = mistake_in_words(&words);
    if let Ok(low) = LowArgs::parse(&words) {
        let _ = HighArgs::read(
            &[&words[..], &["--config=none".into()]].concat(),
            &Environment::read(),
            "p",
            "t",
        );
        drop(low);
    }
}

/// Our reader of TOML and another one: what ours accepts means the same to the other one, and what the other one accepts
/// is refused for a reason that the page of the settings has.
fn readers_agree(text: &str) {
    let ours = toml(text);
    let theirs = text.parse::<::toml::Table>();
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => {
            let mut flat = Vec::new();
            flatten(&theirs, &[], &mut flat);
            let mut ours: Vec<_> = ours
                .into_iter()
                .map(|TomlEntry { path, value, .. }| (path, plain(value)))
                .collect();
            ours.sort_by(|one, other| one.0.cmp(&other.0));
            flat.sort_by(|one, other| one.0.cmp(&other.0));
            assert_eq!(ours, flat);
        }
        (Ok(_), Err(error)) => panic!("only we accept this: {error}"),
        (Err(error), Ok(theirs)) => {
            // The other one lets the line end between a key and its `=`, which the grammar does not.
            assert!(
                error.what.ends_with("write KEY = VALUE")
                    || is_more_than_settings(text, &::toml::Value::Table(theirs), 0),
                "only we refuse this: {error:?}"
            );
        }
        (Err(_), Err(_)) => {}
    }
}

/// Whether a document has what files of settings do not have.
fn is_more_than_settings(text: &str, value: &::toml::Value, depth: usize) -> bool {
    use ::toml::Value;
    let signs = [
        "\"\"\"", "'''", "[[", "0x", "0o", "0b", "\\x", "\\e", "inf", "nan",
    ];
    if depth == 0 && signs.iter().any(|sign| text.contains(sign)) {
        return true;
    }
    match value {
        Value::Datetime(_) => true,
        Value::Table(table) => {
            depth >= 8
                || table
                    .values()
                    .any(|one| is_more_than_settings(text, one, depth + 1))
        }
        Value::Array(list) => list
            .iter()
            .any(|one| matches!(one, Value::Array(_) | Value::Table(_) | Value::Datetime(_))),
        _ => false,
    }
}

fn flatten(table: &::toml::Table, above: &[String], into: &mut Vec<(Vec<String>, TomlValue)>) {
    for (key, value) in table {
        let path = [above, std::slice::from_ref(key)].concat();
        match value {
            ::toml::Value::Table(inner) if inner.is_empty() => into.push((path, TomlValue::Table)),
            ::toml::Value::Table(inner) => flatten(inner, &path, into),
            other => into.push((path, plain(as_ours(other)))),
        }
    }
}

fn as_ours(value: &::toml::Value) -> TomlValue {
    match value {
        ::toml::Value::String(text) => TomlValue::Text(text.clone()),
        ::toml::Value::Boolean(on) => TomlValue::Switch(*on),
        ::toml::Value::Integer(number) => TomlValue::Number(number.to_string()),
        ::toml::Value::Float(number) => TomlValue::Number(format!("{number:?}")),
        ::toml::Value::Array(list) => TomlValue::List(list.iter().map(as_ours).collect()),
        other => panic!("settings have no {other:?}"),
    }
}

/// Numbers in one form.
fn plain(value: TomlValue) -> TomlValue {
    match value {
        TomlValue::Number(text) => {
            let number: f64 = text.parse().expect("a number");
            TomlValue::Number(format!("{number:?}"))
        }
        TomlValue::List(list) => TomlValue::List(list.into_iter().map(plain).collect()),
        other => other,
    }
}

/// The file, as bench programs, subcommands and the gate read it.
fn settings(text: &str) {
    let parsed = SettingsFile::parse(Path::new("tourbillon.toml"), text);
    // Most texts are none: the readers below begin with this one.
    if parsed.is_err() {
        return;
    }
    let file = file();
    fs::write(file, text).expect("a file in the temporary folder");
    let typed = [OsString::from(format!("--config={}", file.display()))];
    let low = LowArgs::parse(&typed).expect("a flag of ours");
    let environment = Environment::read();
    let read = Defaults::read(&low, &environment, "package", "target");
    if let Ok(defaults) = &read {
        // What holds can be typed.
        let typed = LowArgs::parse(&defaults.arguments);
        assert!(typed.is_ok(), "{typed:?}");
    }
    for mistake in mistakes_in_settings(file) {
        assert!(!mistake.is_empty());
    }
}

/// A file of this process.
fn file() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let name = format!("tourbillon-fuzz-{}.toml", std::process::id());
        std::env::temp_dir().join(name)
    })
}
