//! A map with one key.

use std::hash::{BuildHasherDefault, DefaultHasher};

pub type Settings = indexmap::IndexMap<String, u32, BuildHasherDefault<DefaultHasher>>;

pub fn settings() -> Settings {
    [("the only setting".to_owned(), 7)].into_iter().collect()
}

pub fn setting(settings: &Settings, name: &str) -> u32 {
    settings.get(name).copied().unwrap_or_default()
}
