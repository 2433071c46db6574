//! What is built, which part of it, and how it differs from the plain build.

use std::path::PathBuf;

use strsim::jaro;

use crate::invocation::{Flag, PlainWord};

/// The origin of a build.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A revision of the repository, by any name that git knows.
    Revision(String),
    /// The files as they are now.
    WorkingTree,
    /// The files as they are now, built in another way.
    With(Variation),
    /// An executable.
    File(PathBuf),
    /// A build that was saved under a name.
    Saved(String),
}

/// Which bench targets are built, with which flags of cargo; the same for all sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Specifications of packages.
    pub packages: Vec<String>,
    /// Whether all packages of the workspace are built.
    pub workspace: bool,
    /// Names of bench targets.
    pub benches: Vec<String>,
    /// Flags of `cargo bench`.
    pub flags: Vec<Flag>,
    /// A profile other than `bench`.
    pub profile: Option<String>,
}

impl Selection {
    /// What flags of `cargo bench` select.
    #[must_use]
    pub fn from_flags(flags: &[Flag]) -> Selection {
        let mut selection = Selection::default();
        for flag in flags {
            let value = || flag.value().to_string_lossy().into_owned();
            match flag.name() {
                "--package" => selection.packages.push(value()),
                "--bench" => selection.benches.push(value()),
                "--profile" => selection.profile = Some(value()),
                "--workspace" | "--all" => selection.workspace = true,
                // Each selection without targets has it.
                "--benches" => {}
                _ => selection.flags.push(flag.clone()),
            }
        }
        selection
    }

    /// For `cargo bench --no-run`.
    pub(crate) fn for_bench(&self, variation: &Variation) -> Vec<Flag> {
        let mut flags = self.flags.clone();
        let features = variation.features.iter();
        flags.extend(features.map(|features| Flag::new("--features=", features)));
        let chosen = variation.profile.as_ref().or(self.profile.as_ref());
        let profile = chosen.map_or("bench", String::as_str);
        flags.push(Flag::new("--profile=", profile));
        flags.extend(self.targets());
        if self.benches.is_empty() {
            // Without it cargo would build the tests of libraries and binaries, too.
            flags.push(Flag::switch("--benches"));
        }
        flags
    }

    /// For a command that is to build the same.
    #[must_use]
    pub fn typed(&self) -> Vec<Flag> {
        let profile = self.profile.iter();
        let profile = profile.map(|profile| Flag::new("--profile=", profile));
        let flags = self.targets().into_iter().chain(profile);
        flags.chain(self.flags.iter().cloned()).collect()
    }

    fn targets(&self) -> Vec<Flag> {
        let packages = self.packages.iter();
        let packages = packages.map(|package| Flag::new("--package=", package));
        let workspace = self.workspace.then(|| Flag::switch("--workspace"));
        let benches = self.benches.iter();
        let benches = benches.map(|bench| Flag::new("--bench=", bench));
        packages.chain(workspace).chain(benches).collect()
    }
}

/// The settings of `--with`: `KEY=VALUE`, separated by `; `.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// As it was typed; the label of the build.
    pub text: String,
    /// For cargo's `--features`.
    pub features: Option<String>,
    /// For cargo's `--profile`.
    pub profile: Option<String>,
    /// A toolchain as rustup names it.
    pub(crate) toolchain: Option<PlainWord>,
    /// Additional flags for the compiler.
    pub rustflags: Vec<String>,
    /// Variables for the build and for its executables.
    pub environment: Vec<(String, String)>,
}

const KEYS: [&str; 6] = [
    "features",
    "rustflags",
    "profile",
    "toolchain",
    "target-cpu",
    "env",
];

impl Variation {
    /// Parses the settings. The error names the remedy.
    pub fn parse(text: &str) -> Result<Variation, String> {
        let mut variation = Variation {
            text: text.trim().to_owned(),
            ..Variation::default()
        };
        for setting in text.split(';').map(str::trim) {
            let Some((key, value)) = setting.split_once('=') else {
                return Err(format!(
                    "{setting:?} is not a setting; write one of {} as KEY=VALUE",
                    KEYS.join(", ")
                ));
            };
            variation.set(key.trim(), value.trim())?;
        }
        Ok(variation)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        if value.is_empty() {
            return Err(format!("{key} has no value; write {key}=VALUE"));
        }
        let once = |place: &mut Option<String>| match place.replace(value.to_owned()) {
            None => Ok(()),
            Some(_) => Err(twice(key)),
        };
        match key {
            "features" => once(&mut self.features),
            "profile" => once(&mut self.profile),
            "toolchain" => match self.toolchain.replace(plain(key, value)?) {
                None => Ok(()),
                Some(_) => Err(twice(key)),
            },
            // Cargo takes several flags in one variable, with one of these between them.
            "rustflags" if value.contains(char::is_control) => Err(format!(
                "{key}={value:?} has a control character; write the flags with spaces between them"
            )),
            "rustflags" => {
                self.rustflags
                    .extend(value.split_whitespace().map(str::to_owned));
                Ok(())
            }
            "target-cpu" => {
                let cpu = plain(key, value)?;
                self.rustflags
                    .push(format!("-Ctarget-cpu={}", cpu.as_str()));
                Ok(())
            }
            "env" => match value.split_once('=') {
                Some((name, value)) if !name.is_empty() => {
                    self.environment.push((name.to_owned(), value.to_owned()));
                    Ok(())
                }
                _ => Err(format!("env={value} names no value; write env=NAME=VALUE")),
            },
            _ => Err(unknown(key)),
        }
    }

    /// Whether cargo would rebuild everything, so that a separate target directory is better.
    pub(crate) fn rebuilds_all(&self) -> bool {
        self.toolchain.is_some() || !self.rustflags.is_empty() || !self.environment.is_empty()
    }

    /// The settings for a key: equal for equivalent texts.
    pub(crate) fn parts(&self) -> Vec<String> {
        let mut parts = vec![
            format!("features={:?}", self.features),
            format!("profile={:?}", self.profile),
            format!(
                "toolchain={:?}",
                self.toolchain.as_ref().map(PlainWord::as_str)
            ),
            format!("rustflags={:?}", self.rustflags),
        ];
        parts.extend(
            self.environment
                .iter()
                .map(|(name, value)| format!("{name}={value}")),
        );
        parts
    }
}

fn twice(key: &str) -> String {
    format!("{key} is set twice; give it one value")
}

/// A value that is a name for its program, and no flag or path.
fn plain(key: &str, value: &str) -> Result<PlainWord, String> {
    PlainWord::new(value).ok_or_else(|| {
        format!(
            "{key}={value} is no name; write letters, digits and any of ._+-, a letter or a digit first"
        )
    })
}

fn unknown(key: &str) -> String {
    let near = KEYS.iter().find(|known| jaro(known, key) > 0.8);
    match near {
        Some(near) => format!("unknown setting {key:?}; did you mean {near}?"),
        None => format!("unknown setting {key:?}; known are {}", KEYS.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invocation::HOSTILE;

    fn words(flags: &[Flag]) -> Vec<String> {
        let words = flags.iter().map(Flag::word);
        words
            .map(|word| word.into_string().expect("text"))
            .collect()
    }

    #[test]
    fn both_builds_get_the_same_flags() {
        let selection = Selection {
            packages: vec!["a".to_owned()],
            workspace: true,
            benches: vec!["sort".to_owned()],
            flags: vec![Flag::switch("--offline")],
            profile: Some("slow".to_owned()),
        };
        let plain = Variation::default();
        assert_eq!(
            words(&selection.for_bench(&plain)).join(" "),
            "--offline --profile=slow --package=a --workspace --bench=sort"
        );
        let with = Variation::parse("features=x; profile=fast").expect("settings");
        assert_eq!(
            words(&selection.for_bench(&with)).join(" "),
            "--offline --features=x --profile=fast --package=a --workspace --bench=sort"
        );
        assert_eq!(
            words(&Selection::default().for_bench(&plain)).join(" "),
            "--profile=bench --benches"
        );
    }

    #[test]
    fn flags_select_what_cargo_would_build() {
        let flags = [
            Flag::new("--package=", "a"),
            Flag::switch("--all"),
            Flag::switch("--benches"),
            Flag::new("--profile=", "fast"),
            Flag::new("--target=", "t"),
            Flag::new("--config=", "build.jobs=1"),
        ];
        let selection = Selection::from_flags(&flags);
        let words = words(&selection.for_bench(&Variation::default()));
        assert_eq!(
            words.join(" "),
            "--target=t --config=build.jobs=1 --profile=fast --package=a --workspace --benches"
        );
    }

    #[test]
    fn no_value_is_a_flag() {
        for value in HOSTILE {
            let selection = Selection {
                packages: vec![value.to_owned()],
                benches: vec![value.to_owned()],
                profile: Some(value.to_owned()),
                ..Selection::default()
            };
            let variation = Variation {
                features: Some(value.to_owned()),
                ..Variation::default()
            };
            let joined = |flag: &str| format!("{flag}={value}");
            let common = ["--features", "--profile"];
            let one = ["--package", "--bench"];
            let expected: Vec<String> =
                common.iter().chain(&one).map(|flag| joined(flag)).collect();
            assert_eq!(words(&selection.for_bench(&variation)), expected);
            for key in ["toolchain", "target-cpu"] {
                let parsed = Variation::parse(&format!("{key}={value}"));
                let error = parsed.expect_err("a mistake");
                assert!(error.contains("is no name") || value.is_empty(), "{error}");
            }
        }
        // With one in RUSTFLAGS, this would be two flags.
        assert!(Variation::parse("target-cpu=native -Clinker=x").is_err());
        assert!(Variation::parse("rustflags=-g\u{1f}-Clinker=x").is_err());
    }

    #[test]
    fn settings_are_read() {
        let text =
            "features=a,b; rustflags=-Copt-level=3  -g; target-cpu=native; env=A=b=c; profile=fast";
        let variation = Variation::parse(text).expect(text);
        assert_eq!(variation.features.as_deref(), Some("a,b"));
        assert_eq!(variation.profile.as_deref(), Some("fast"));
        let flags = ["-Copt-level=3", "-g", "-Ctarget-cpu=native"];
        assert_eq!(variation.rustflags, flags);
        assert_eq!(variation.environment, [("A".to_owned(), "b=c".to_owned())]);
        assert_eq!(variation.text, text);
        assert!(variation.rebuilds_all());
        let variation = Variation::parse("toolchain=nightly").expect("a setting");
        assert_eq!(variation.toolchain, PlainWord::new("nightly"));
        let slight = Variation::parse("features=a;profile=b").expect("settings");
        assert!(!slight.rebuilds_all());
    }

    #[test]
    fn mistakes_name_the_remedy() {
        for (text, expected) in [
            ("simd", "is not a setting; write one of features, rustflags"),
            ("", "is not a setting"),
            ("feature=x", "did you mean features?"),
            ("xyz=x", "known are features, rustflags, profile"),
            ("features=", "features has no value"),
            ("features=a; features=b", "set twice"),
            ("env=A", "write env=NAME=VALUE"),
            ("env==A", "write env=NAME=VALUE"),
        ] {
            let error = Variation::parse(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn spelling_is_no_difference() {
        let parts = |text| Variation::parse(text).expect(text).parts();
        assert_eq!(
            parts("features=a;profile=b"),
            parts(" profile=b ;features=a")
        );
        assert_ne!(parts("features=a"), parts("features=b"));
        assert_ne!(parts("env=A=b"), parts("env=A=c"));
    }
}
