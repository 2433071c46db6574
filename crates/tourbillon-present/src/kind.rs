//! Kinds of documents, and what programs may rely on in each.

mod rows;

pub use self::rows::{Holds, Members};

use crate::document::{Table, Value};

/// A kind of document. What is removed or renamed makes a new version of it; what is added does not.
#[derive(Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: u32,
    /// Its tables by their names, and the members of their rows.
    pub tables: &'static [(&'static str, Members)],
    /// Whether it has other tables, too, whose members are the titles that people read.
    is_open: bool,
}

const fn kind(name: &'static str, tables: &'static [(&'static str, Members)]) -> Kind {
    Kind {
        name,
        version: 1,
        tables,
        is_open: false,
    }
}

const fn open(name: &'static str) -> Kind {
    Kind {
        is_open: true,
        ..kind(name, &[])
    }
}

/// The results of runs. Times and their like are in `unit`, per op. Verdicts are those that stand in no row.
pub static RESULTS: Kind = kind(
    "results",
    &[("rows", rows::RESULTS), ("verdicts", rows::VERDICTS)],
);
/// A comparison of two builds.
pub static COMPARISON: Kind = kind(
    "comparison",
    &[
        ("rows", rows::VERDICTS),
        ("causes", rows::CAUSES),
        ("functions", rows::FUNCTION_DIFFERENCES),
        ("changed_lines", rows::CHANGED_LINES),
        ("code", rows::CODE),
    ],
);
/// An attempt with its comparison, or all attempts of a campaign. Times are in seconds.
pub static ATTEMPT: Kind = kind(
    "attempt",
    &[("attempts", rows::ATTEMPTS), ("rows", rows::VERDICTS)],
);
/// Why the cases of a comparison are faster or slower.
pub static WHY: Kind = kind(
    "why",
    &[
        ("causes", rows::CAUSES),
        ("functions", rows::FUNCTION_DIFFERENCES),
        ("changed_lines", rows::CHANGED_LINES),
        ("code", rows::CODE),
    ],
);
/// The instructions of a case.
pub static PROFILE: Kind = kind(
    "profile",
    &[
        ("functions", rows::FUNCTIONS),
        ("lines", rows::LINES),
        ("code", rows::CODE),
    ],
);
/// The assertions of a build.
pub static ASSERTIONS: Kind = kind("assertions", &[("rows", rows::VERDICTS)]);
/// Commands that were measured.
pub static COMMANDS: Kind = kind("commands", &[("rows", rows::COMMANDS)]);
/// The course of a case over commits.
pub static LOG: Kind = kind("log", &[("rows", rows::LOG)]);
/// Changes that the history nominates.
pub static CHANGES: Kind = kind("changes", &[("rows", rows::NOMINATIONS)]);
/// What measuring nominations again came to.
pub static CONFIRMATIONS: Kind = kind("confirmations", &[("rows", rows::NOMINATIONS)]);
/// The search for the commit of a change.
pub static BISECTION: Kind = kind(
    "bisection",
    &[("rows", rows::EXAMINED), ("commits", rows::COMMITS)],
);
/// What is kept on disk.
pub static CACHE: Kind = kind("cache", &[("rows", rows::KEPT)]);
/// What may disturb measurements on a machine.
pub static DOCTOR: Kind = kind(
    "doctor",
    &[
        ("findings", rows::FINDINGS),
        ("reference_kernels", rows::REFERENCE_KERNELS),
    ],
);
/// How figures were computed.
pub static EXPLANATION: Kind = open("explanation");
/// The clocks of a machine: on pages; their JSON is a report of its own.
pub static CLOCKS: Kind = open("clocks");

/// All that are printed as JSON.
pub static KINDS: [&Kind; 14] = [
    &RESULTS,
    &COMPARISON,
    &ATTEMPT,
    &WHY,
    &PROFILE,
    &ASSERTIONS,
    &COMMANDS,
    &LOG,
    &CHANGES,
    &CONFIRMATIONS,
    &BISECTION,
    &CACHE,
    &DOCTOR,
    &EXPLANATION,
];

impl Kind {
    /// What a member of a table holds; `None` where there is no such table or member.
    pub fn holds(&self, table: &str, member: &str) -> Option<Holds> {
        let (_, members) = self.tables.iter().find(|(name, _)| *name == table)?;
        let has = |names: &str| names.split(' ').any(|name| name == member);
        let (holds, _) = members.iter().find(|(_, names)| has(names))?;
        Some(*holds)
    }

    /// Whether a table of a document of this kind has no other members than these, of no other types.
    pub(crate) fn allows(&self, table: &Table) -> bool {
        let name = table.member();
        if self.tables.iter().all(|(one, _)| *one != name) {
            return self.is_open;
        }
        table.shown_to_programs().into_iter().all(|at| {
            let Some(holds) = self.holds(name, &table.columns[at].key) else {
                return false;
            };
            let mut cells = table.rows.iter().filter_map(|row| row.cells.get(at));
            cells.all(|cell| match cell.value {
                Value::Text => holds == Holds::Text,
                Value::Number(_) => holds == Holds::Number,
                Value::Flag(_) => holds == Holds::Flag,
                Value::Absent => true,
            })
        })
    }
}
