//! The flags of `cargo bench`.

/// Flags of `cargo bench` with a value, and how both begin in one word. Flags of both, such as `--color`, go to both.
const VALUES: [(&str, &str); 14] = [
    ("-p", "--package="),
    ("--package", "--package="),
    ("--bench", "--bench="),
    ("--features", "--features="),
    ("-F", "--features="),
    ("--profile", "--profile="),
    ("--target", "--target="),
    ("--target-dir", "--target-dir="),
    ("--manifest-path", "--manifest-path="),
    ("--config", "--config="),
    ("--exclude", "--exclude="),
    ("-j", "--jobs="),
    ("--jobs", "--jobs="),
    ("--color", "--color="),
];
/// Flags of `cargo bench` without a value.
const SWITCHES: &str = "--workspace --all --all-features --no-default-features --benches --locked \
    --offline --frozen --keep-going --ignore-rust-version --verbose -v";

/// How a flag with a value begins in one word with it; `None` for other words.
pub(super) fn cargo_value(flag: &str) -> Option<&'static str> {
    let mut values = VALUES.iter();
    let (_, start) = values.find(|(known, _)| *known == flag)?;
    Some(start)
}

/// A flag without a value; `None` for other words.
pub(super) fn cargo_switch(word: &str) -> Option<&'static str> {
    SWITCHES.split_whitespace().find(|flag| *flag == word)
}
