//! The role of a process, by a variable of its environment. Arguments stay as they were typed: suites read them.

use std::env;
use std::ffi::{OsStr, OsString};
use std::process;

use tourbillon_coordinator::runner::WorkerArgs;
use tourbillon_record::WORKER_ARGUMENT;

/// What `cargo tourbillon` looks for in the file of a program before it starts it: other programs would simply run.
#[used]
static MARK: &str = WORKER_ARGUMENT;

/// The variable.
pub(crate) const VARIABLE: &str = "TOURBILLON_CRITERION";

/// What a process does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// What its command line asks for; to measure, it starts other processes.
    Front,
    /// Measures in this process, because the variable asks for it.
    InProcess,
    /// Finds out which benchmarks there are, and runs each of them once if `rehearses`.
    Discoverer {
        /// Whether the functions of benchmarks are called.
        rehearses: bool,
    },
    /// Measures a benchmark.
    Worker {
        /// How it writes.
        args: WorkerArgs,
        /// Where the benchmark is; `None` where a coordinator of another build knows only its id.
        wanted: Option<Wanted>,
    },
}

/// Where a benchmark is in a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The target that registers it.
    pub(crate) target: String,
    /// Its id, without a number.
    pub(crate) base: String,
    /// Which one of that id it is in its target, from 1.
    pub(crate) occurrence: u32,
    /// Whether the functions of the benchmarks before it are called once.
    pub(crate) rehearses: bool,
    /// Whether the worker measures later benchmarks of the target, too.
    pub(crate) is_shared: bool,
}

/// What measures in the process itself, as the value of the variable.
const IN_PROCESS: &str = "inprocess";

impl Role {
    /// The role of this process.
    pub(crate) fn of_process() -> Role {
        let arguments: Vec<OsString> = env::args_os().skip(1).collect();
        if let Some(args) = WorkerArgs::read(&arguments) {
            return Role::Worker { args, wanted: None };
        }
        let value = env::var(VARIABLE).unwrap_or_default();
        Role::read(&value, parent()).unwrap_or(Role::Front)
    }

    /// The role that a value of the variable gives to a child of `parent`. Processes that a child starts inherit
    /// the variable, not the role.
    fn read(value: &str, parent: Option<u32>) -> Option<Role> {
        if value == IN_PROCESS {
            return Some(Role::InProcess);
        }
        let mut lines = value.split('\n');
        let mut words = lines.next()?.split(' ');
        let (word, of) = (words.next()?, words.next()?.parse::<u32>().ok()?);
        if parent.is_some_and(|parent| parent != of) {
            return None;
        }
        match word {
            "discover" => Some(Role::Discoverer { rehearses: false }),
            "rehearse" => Some(Role::Discoverer { rehearses: true }),
            "work" => {
                let nocapture = words.next()? == "nocapture";
                let occurrence = words.next()?.parse().ok()?;
                let rehearses = words.next()? == "rehearse";
                let is_shared = words.next()? == "shared";
                let (target, base) = (lines.next()?.to_owned(), lines.collect::<Vec<_>>());
                Some(Role::Worker {
                    args: WorkerArgs { nocapture },
                    wanted: Some(Wanted {
                        target,
                        base: base.join("\n"),
                        occurrence,
                        rehearses,
                        is_shared,
                    }),
                })
            }
            _ => None,
        }
    }
}

/// Whether a value of the variable gives a role to a process.
pub fn role_read(value: &str) -> bool {
    Role::read(value, None).is_some()
}

/// The value for a discoverer that this process starts.
pub(crate) fn discoverer(rehearses: bool) -> String {
    let word = if rehearses { "rehearse" } else { "discover" };
    format!("{word} {}", process::id())
}

/// The value for a worker that this process starts.
pub(crate) fn worker(wanted: &Wanted, nocapture: bool) -> OsString {
    let Wanted {
        target,
        base,
        occurrence,
        rehearses,
        is_shared,
    } = wanted;
    let capture = if nocapture { "nocapture" } else { "capture" };
    let rehearses = if *rehearses { "rehearse" } else { "measure" };
    let own = process::id();
    let is_shared = if *is_shared { "shared" } else { "alone" };
    let words = format!("work {own} {capture} {occurrence} {rehearses} {is_shared}");
    let value = format!("{words}\n{target}\n{base}");
    // A variable cannot hold it; the worker looks for the id of its plan, which does not.
    OsStr::new(&value.replace('\0', "")).to_owned()
}

/// The process that started this one; `None` where that is not known.
fn parent() -> Option<u32> {
    #[cfg(unix)]
    return Some(std::os::unix::process::parent_id());
    #[cfg(not(unix))]
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_reads_what_its_parent_wrote() {
        let own = Some(process::id());
        for rehearses in [false, true] {
            let value = discoverer(rehearses);
            assert_eq!(
                Role::read(&value, own),
                Some(Role::Discoverer { rehearses })
            );
            let wanted = Wanted {
                target: "suite::benches/sums".to_owned(),
                base: "a b\n/c #2".to_owned(),
                occurrence: 3,
                rehearses,
                is_shared: !rehearses,
            };
            for nocapture in [false, true] {
                let value = worker(&wanted, nocapture).into_string().expect("text");
                let expected = Role::Worker {
                    args: WorkerArgs { nocapture },
                    wanted: Some(wanted.clone()),
                };
                assert_eq!(Role::read(&value, own), Some(expected));
            }
        }
    }

    #[test]
    fn a_grandchild_has_no_role() {
        let other = Some(process::id() + 1);
        assert_eq!(Role::read(&discoverer(false), other), None);
        assert_eq!(
            Role::read(
                &worker(&Wanted::default(), false)
                    .into_string()
                    .expect("text"),
                other
            ),
            None
        );
        for value in ["", "discover", "discover x", "work 1", "dance 1"] {
            assert_eq!(Role::read(value, None), None, "{value:?}");
        }
        assert_eq!(Role::read("inprocess", other), Some(Role::InProcess));
    }
}
