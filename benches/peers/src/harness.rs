//! The harnesses, and how each is started.

use std::fs;
use std::path::Path;
use std::process::Command;

use peers::Case;

use crate::shown::{self, Shown};

/// A harness whose benchmark of the reference kernels can be run.
#[derive(Debug)]
pub(crate) struct Harness {
    /// The name of its bench target.
    pub(crate) name: &'static str,
    /// Its package in `Cargo.lock`; none for what comes with the compiler.
    pub(crate) package: Option<&'static str>,
    /// What `cargo bench` hands over, and what is needed for results to be printed.
    pub(crate) arguments: &'static [&'static str],
    /// What is added when it should be quick.
    pub(crate) quick: &'static [&'static str],
    /// What the interval is that it shows.
    pub(crate) interval: Option<&'static str>,
    /// Readings in parallel: processes that measure at the same time.
    pub(crate) at_once: u32,
    /// The executions in which it measures all cases.
    pub(crate) parts: &'static [Part],
    /// How many brackets of a case belong to the figure, from the last one; `None` for all of them.
    pub(crate) brackets: Option<usize>,
    /// What it printed on standard output and standard error, understood.
    pub(crate) read: fn(&str, &str) -> Vec<Shown>,
}

/// Some of the cases, measured in one execution: a harness that takes minutes is interrupted less
/// often, and mixed with the others better, when it takes them in turns.
#[derive(Debug)]
pub(crate) struct Part {
    /// What is added to select them.
    pub(crate) arguments: &'static [&'static str],
    /// The kernels of the cases; all of them if there are none.
    kernels: &'static [&'static str],
}

impl Part {
    /// Whether a case is in it.
    pub(crate) fn has(&self, case: &Case) -> bool {
        self.kernels.is_empty() || self.kernels.contains(&case.kernel)
    }
}

/// One of a line each; the commands of the others follow from it.
const PLAIN: Harness = Harness {
    name: "",
    package: None,
    arguments: &["--bench"],
    quick: &[],
    interval: None,
    at_once: 1,
    parts: &[Part {
        arguments: &[],
        kernels: &[],
    }],
    brackets: None,
    read: |_, _| Vec::new(),
};

/// In the order of the tables.
pub(crate) const HARNESSES: &[Harness] = &[
    Harness {
        name: "tourbillon",
        package: Some("tourbillon"),
        arguments: &["--bench", "--format", "jsonl", "--no-store"],
        quick: &["--launches", "8"],
        interval: Some("99 %"),
        read: |out, _| shown::tourbillon(out),
        ..PLAIN
    },
    Harness {
        name: "criterion",
        package: Some("criterion"),
        quick: &["--quick"],
        interval: Some("95 %"),
        parts: &[
            Part {
                arguments: &["^(empty|thr)"],
                kernels: &["empty", "thr"],
            },
            Part {
                arguments: &["^(mov|lat)"],
                kernels: &["mov", "lat"],
            },
            Part {
                arguments: &["^add"],
                kernels: &["add"],
            },
        ],
        // Its 100 samples, the shortest of which have none of their own; what comes before is warm-up.
        brackets: Some(95),
        read: |out, _| lines(out, shown::criterion),
        ..PLAIN
    },
    Harness {
        name: "divan",
        package: Some("divan"),
        read: |out, _| lines(out, shown::divan),
        ..PLAIN
    },
    Harness {
        name: "zenbench",
        package: Some("zenbench"),
        interval: Some("95 %"),
        read: |out, err| [lines(out, shown::zenbench_csv), lines(err, shown::zenbench)].concat(),
        ..PLAIN
    },
    Harness {
        name: "tango",
        package: Some("tango-bench"),
        // Itself against itself: it measures nothing else.
        arguments: &["compare"],
        at_once: 2,
        read: |out, _| lines(out, shown::tango),
        ..PLAIN
    },
    Harness {
        name: "brunch",
        package: Some("brunch"),
        read: |_, err| lines(err, shown::brunch),
        ..PLAIN
    },
    Harness {
        name: "libtest",
        interval: Some("range"),
        read: |out, _| lines(out, shown::libtest),
        ..PLAIN
    },
];

fn lines(text: &str, read: fn(&str) -> Option<Shown>) -> Vec<Shown> {
    text.lines().filter_map(read).collect()
}

impl Harness {
    /// The harness of that name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        HARNESSES.iter().find(|harness| harness.name == name)
    }

    /// The command that runs its executable in an empty folder: it does not find what it measured before,
    /// and leaves nothing anywhere else.
    ///
    /// # Errors
    ///
    /// Says that the folder cannot be made.
    pub(crate) fn command(&self, executable: &Path, folder: &Path) -> Result<Command, String> {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder)
            .map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
        let mut command = Command::new(executable);
        command
            .args(self.arguments)
            .current_dir(folder)
            .env("NO_COLOR", "1")
            .env("CRITERION_HOME", folder.join("criterion"))
            .env("NO_BRUNCH_HISTORY", "1")
            .env("XDG_CACHE_HOME", folder.join("cache"));
        Ok(command)
    }

    /// Its version; the compiler's for the one that comes with it.
    pub(crate) fn version(&self) -> String {
        let Some(package) = self.package else {
            return "of the compiler".to_owned();
        };
        let name = format!("name = \"{package}\"\nversion = \"");
        let lock = include_str!("../Cargo.lock");
        let version = lock
            .split_once(&name)
            .and_then(|(_, rest)| rest.split_once('"'));
        version.map_or("", |(version, _)| version).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use peers::CASES;

    use super::HARNESSES;

    #[test]
    fn every_case_is_in_one_part() {
        for harness in HARNESSES {
            for case in CASES {
                let parts = harness.parts.iter().filter(|part| part.has(case));
                assert_eq!(parts.count(), 1, "{}: {}", harness.name, case.name);
            }
        }
    }

    #[test]
    fn the_lock_file_knows_every_version() {
        for harness in HARNESSES {
            let version = harness.version();
            assert!(
                harness.package.is_none() || version.contains('.'),
                "{}: {version:?}",
                harness.name
            );
        }
    }
}
