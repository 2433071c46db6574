//! Which flags are cargo's, and which the bench binaries'.

use std::path::PathBuf;

use crate::exit::Stop;

/// Flags of `cargo bench` that take a value. Those that both know, such as `--color`, go to both.
const CARGO_VALUES: [&str; 14] = [
    "-p",
    "--package",
    "--bench",
    "--features",
    "-F",
    "--profile",
    "--target",
    "--target-dir",
    "--manifest-path",
    "--config",
    "--exclude",
    "-j",
    "--jobs",
    "--color",
];

/// Those that take none.
const CARGO_SWITCHES: [&str; 12] = [
    "--workspace",
    "--all",
    "--all-features",
    "--no-default-features",
    "--benches",
    "--locked",
    "--offline",
    "--frozen",
    "--keep-going",
    "--ignore-rust-version",
    "--verbose",
    "-v",
];

/// Flags of the bench binaries that take a value.
const BENCH_VALUES: [&str; 19] = [
    "--skip",
    "--tag",
    "--launches",
    "--precision",
    "--min-time",
    "--max-time",
    "--min-iterations",
    "--timeout",
    "--against",
    "--clock",
    "--cpus",
    "--seed",
    "--format",
    "--save",
    "--baseline",
    "--store",
    "--profile-time",
    "--color",
    "-Z",
];

/// A command line, divided.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Divided {
    /// For `cargo bench`.
    pub(super) cargo: Vec<String>,
    /// For the bench binaries.
    pub(super) bench: Vec<String>,
}

impl Divided {
    /// Whether nothing is to be measured, only to be said.
    pub(super) fn asks(&self) -> bool {
        let asking = ["--help", "-h", "--version", "-V"];
        self.lists()
            || self
                .bench
                .iter()
                .any(|word| asking.contains(&word.as_str()))
    }

    /// The folder of the store, where `--store` names one.
    pub(super) fn store(&self) -> Option<PathBuf> {
        let mut words = self.bench.iter();
        let mut store = None;
        while let Some(word) = words.next() {
            match word.strip_prefix("--store=") {
                Some(folder) => store = Some(folder.into()),
                None if word == "--store" => store = words.next().map(PathBuf::from),
                None => {}
            }
        }
        store
    }

    pub(super) fn lists(&self) -> bool {
        self.bench.iter().any(|word| word == "--list")
    }
}

/// Divides what was typed. Behind `--` everything is for the bench binaries, as with `cargo bench`;
/// they get `--bench`, without which they would only be tested.
pub(super) fn split_args(typed: &[String]) -> Result<Divided, Stop> {
    let mut divided = Divided {
        bench: vec!["--bench".to_owned()],
        ..Divided::default()
    };
    let mut words = typed.iter();
    let mut behind = false;
    while let Some(word) = words.next() {
        if word == "--" && !behind {
            behind = true;
            continue;
        }
        let name = word.split('=').next().unwrap_or(word);
        let cargo_value = !behind && CARGO_VALUES.contains(&name);
        let cargo_switch = !behind && CARGO_SWITCHES.contains(&name);
        let bench_value = BENCH_VALUES.contains(&name);
        let mut taken = vec![word.clone()];
        if (cargo_value || bench_value) && name == word {
            let Some(value) = words.next() else {
                return Err(Stop::Usage(format!("{word} needs a value")));
            };
            taken.push(value.clone());
        }
        if cargo_value || cargo_switch {
            divided.cargo.extend(taken.iter().cloned());
        }
        if bench_value || !(cargo_value || cargo_switch) {
            divided.bench.extend(taken);
        }
    }
    Ok(divided)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divided(line: &str) -> [String; 2] {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let divided = split_args(&words).expect(line);
        [divided.cargo, divided.bench].map(|words| words.join(" "))
    }

    #[test]
    fn flags_go_where_they_belong_in_any_order() {
        for (line, cargo, bench) in [
            ("", "", "--bench"),
            ("sort", "", "--bench sort"),
            (
                "--launches 5 -p examples sort --features a,b --exact",
                "-p examples --features a,b",
                "--bench --launches 5 sort --exact",
            ),
            ("--bench math --seed=1", "--bench math", "--bench --seed=1"),
            (
                "--profile=fast --skip x",
                "--profile=fast",
                "--bench --skip x",
            ),
            ("--color always", "--color always", "--bench --color always"),
            ("-- --help", "", "--bench --help"),
            ("a -- -- b", "", "--bench a -- b"),
            ("--luanches 5", "", "--bench --luanches 5"),
            ("-v --offline", "-v --offline", "--bench"),
        ] {
            let expected = [cargo, bench].map(str::to_owned);
            assert_eq!(divided(line), expected, "{line}");
        }
    }

    #[test]
    fn a_value_may_be_missing() {
        let words = ["--launches".to_owned()];
        assert!(matches!(split_args(&words), Err(Stop::Usage(_))));
    }

    #[test]
    fn questions_are_told_from_measurements() {
        for (line, asks) in [
            ("", false),
            ("--list", true),
            ("-- -h", true),
            ("--test", false),
        ] {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(split_args(&words).expect(line).asks(), asks, "{line}");
        }
    }
}
