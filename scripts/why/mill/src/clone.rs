//! The newest of versions.

use semver::Version;

pub fn versions() -> Vec<Version> {
    (0..10)
        .map(|day| Version::parse(&format!("1.2.3-nightly.202601{:02}", day + 1)).unwrap())
        .collect()
}

pub fn newest(all: &[Version]) -> u64 {
    let mut newest = &all[0];
    for version in all {
        if version > newest {
            newest = version;
        }
    }
    newest.patch
}
