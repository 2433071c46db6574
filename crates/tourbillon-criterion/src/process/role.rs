//! The role of a process, by a variable of its environment. Arguments stay as they were typed: suites read them.

use std::env;
use std::ffi::OsString;
use std::process;

use tourbillon_coordinator::runner::WorkerArgs;
use tourbillon_record::codec::{Field, encode, open, read_fields, write_fields};
use tourbillon_record::json::Writer;
use tourbillon_record::{WORKER_ARGUMENT, object};

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
    /// Finds out which benchmarks there are.
    Discoverer(Discovery),
    /// Measures a benchmark.
    Worker {
        /// How it writes.
        args: WorkerArgs,
        /// Where the benchmark is; `None` where a coordinator of another build knows only its id.
        wanted: Option<Wanted>,
    },
}

/// What a discoverer does besides reporting benchmarks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Discovery {
    /// It runs each of them once.
    pub(crate) rehearses: bool,
    /// It makes launches where a set-up has taken long.
    pub(crate) launches: bool,
}

object! {
    Discovery { rehearses, launches }
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

object! {
    Wanted { target, base, occurrence, rehearses, is_shared }
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
        let (role, mut members) = open(value).ok()?;
        let mut of = 0;
        of.read_field("parent", &mut members).ok()?;
        if parent.is_some_and(|parent| parent != of) {
            return None;
        }
        match &*role {
            "discover" => {
                let mut discovery = Discovery::default();
                discovery.read_field("discovery", &mut members).ok()?;
                Some(Role::Discoverer(discovery))
            }
            "work" => {
                let (mut nocapture, mut wanted) = (false, Wanted::default());
                let mut fields: [(_, &mut dyn Field); 2] =
                    [("nocapture", &mut nocapture), ("wanted", &mut wanted)];
                read_fields(&mut members, &mut fields).ok()?;
                Some(Role::Worker {
                    args: WorkerArgs { nocapture },
                    wanted: Some(wanted),
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
pub(crate) fn discoverer(discovery: Discovery) -> String {
    value("discover", &[("discovery", &discovery)])
}

/// The value for a worker that this process starts.
pub(crate) fn worker(wanted: &Wanted, nocapture: bool) -> String {
    value("work", &[("nocapture", &nocapture), ("wanted", wanted)])
}

fn value(role: &str, fields: &[(&str, &dyn Field)]) -> String {
    let members = |out: &mut Writer| {
        process::id().write_field("parent", out);
        write_fields(out, fields);
    };
    encode(role, members, "")
}

/// The process that started this one; `None` where that is not known.
fn parent() -> Option<u32> {
    #[cfg(all(unix, not(miri)))]
    return Some(std::os::unix::process::parent_id());
    #[cfg(any(miri, not(unix)))]
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_reads_what_its_parent_wrote() {
        let own = Some(process::id());
        for rehearses in [false, true] {
            let discovery = Discovery {
                rehearses,
                launches: !rehearses,
            };
            let value = discoverer(discovery);
            assert_eq!(Role::read(&value, own), Some(Role::Discoverer(discovery)));
            let wanted = Wanted {
                target: "suite::benches/sums".to_owned(),
                base: "a b\n/c\0 #2".to_owned(),
                occurrence: 3,
                rehearses,
                is_shared: !rehearses,
            };
            for nocapture in [false, true] {
                let value = worker(&wanted, nocapture);
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
        let plain = discoverer(Discovery::default());
        assert_eq!(Role::read(&plain, other), None);
        assert_eq!(Role::read(&worker(&Wanted::default(), false), other), None);
        for value in [
            "",
            "discover",
            r#"{"type":"discover","schema":2,"parent":1}"#,
            r#"{"type":"discover","schema":2,"parent":"1","discovery":{"rehearses":true,"launches":false}}"#,
            r#"{"type":"work","schema":2,"parent":1,"nocapture":true}"#,
            r#"{"type":"dance","schema":2,"parent":1}"#,
        ] {
            assert_eq!(Role::read(value, None), None, "{value:?}");
        }
        assert_eq!(Role::read("inprocess", other), Some(Role::InProcess));
    }
}
