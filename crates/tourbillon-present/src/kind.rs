//! Kinds of documents, and what programs may rely on in each.

mod rows;

use tourbillon_record::json::Writer;

use crate::document::{Cell, Table, Value};

pub use self::rows::Holds;

use self::rows::{
    CAUSES, CHANGED_LINES, CODE, FUNCTION_DIFFERENCES, Members, NOMINATIONS, VERDICTS,
};
use Holds::{Flag, Number, Text};

/// A kind of document. What is removed or renamed makes a new version of it; what is added does not.
#[derive(Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: u32,
    /// Its tables by their names, and the members of their rows.
    tables: &'static [(&'static str, Members)],
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

/// The results of runs. Times and their like are in `unit`, per op.
pub static RESULTS: Kind = kind(
    "results",
    &[
        (
            "rows",
            &[
                ("case", Text),
                ("time", Number),
                ("interval", Number),
                ("cycles", Number),
                ("instructions", Number),
                ("allocs", Number),
                ("bytes", Number),
                ("throughput", Text),
                ("last", Text),
                ("reference", Text),
                ("reference_interval", Text),
                ("mean", Number),
                ("median", Number),
                ("min", Number),
                ("max", Number),
                ("sd", Number),
                ("mad", Number),
                ("p90", Number),
                ("ratio", Number),
                ("rank", Number),
                ("cpu_cycles", Number),
                ("cpu_instructions", Number),
                ("ipc", Number),
                ("branches", Number),
                ("branch_misses", Number),
                ("cache_references", Number),
                ("cache_misses", Number),
                ("minor_faults", Number),
                ("context_switches", Number),
                ("id", Text),
                ("metric", Text),
                ("unit", Text),
                ("lower", Number),
                ("upper", Number),
                ("absent", Text),
            ],
        ),
        // Those that stand in no row.
        ("verdicts", VERDICTS),
    ],
);
/// A comparison of two builds.
pub static COMPARISON: Kind = kind(
    "comparison",
    &[
        ("rows", VERDICTS),
        ("causes", CAUSES),
        ("functions", FUNCTION_DIFFERENCES),
        ("changed_lines", CHANGED_LINES),
        ("code", CODE),
    ],
);
/// An attempt with its comparison, or all attempts of a campaign. Times are in seconds.
pub static ATTEMPT: Kind = kind(
    "attempt",
    &[
        (
            "attempts",
            &[
                ("attempt", Number),
                ("answer", Text),
                ("error", Number),
                ("seconds", Number),
                ("why", Text),
                ("diff", Text),
                ("reference", Text),
                ("commit", Text),
                ("measurement", Number),
                ("seconds_needed", Number),
                ("time_needed", Number),
            ],
        ),
        ("rows", VERDICTS),
    ],
);
/// Why the cases of a comparison are faster or slower.
pub static WHY: Kind = kind(
    "why",
    &[
        ("causes", CAUSES),
        ("functions", FUNCTION_DIFFERENCES),
        ("changed_lines", CHANGED_LINES),
        ("code", CODE),
    ],
);
/// The instructions of a case.
pub static PROFILE: Kind = kind(
    "profile",
    &[
        (
            "functions",
            &[
                ("function", Text),
                ("instructions", Number),
                ("share", Number),
                ("inlined", Number),
            ],
        ),
        (
            "lines",
            &[
                ("line", Text),
                ("instructions", Number),
                ("share", Number),
                ("text", Text),
            ],
        ),
        ("code", CODE),
    ],
);
/// The assertions of a build.
pub static ASSERTIONS: Kind = kind("assertions", &[("rows", VERDICTS)]);
/// Commands that were measured.
pub static COMMANDS: Kind = kind(
    "commands",
    &[(
        "rows",
        &[
            ("command", Text),
            ("time_ns", Number),
            ("lower_ns", Number),
            ("upper_ns", Number),
            ("min_ns", Number),
            ("max_ns", Number),
            ("cpu_ns", Number),
            ("user_ns", Number),
            ("system_ns", Number),
            ("peak_bytes", Number),
            ("verdict", Text),
            ("ratio", Number),
            ("ratio_lower", Number),
            ("ratio_upper", Number),
            ("runs", Number),
            ("page_faults", Number),
            ("switches", Number),
            ("cpu_cycles", Number),
            ("instructions", Number),
            ("cache_references", Number),
            ("cache_misses", Number),
            ("branch_misses", Number),
        ],
    )],
);
/// The course of a case over commits.
pub static LOG: Kind = kind(
    "log",
    &[(
        "rows",
        &[
            ("commit", Text),
            ("started", Text),
            ("value", Number),
            ("lower", Number),
            ("upper", Number),
            ("unit", Text),
            ("case", Text),
            ("metric", Text),
            ("machine", Text),
        ],
    )],
);
/// Changes that the history nominates.
pub static CHANGES: Kind = kind("changes", &[("rows", NOMINATIONS)]);
/// What measuring nominations again came to.
pub static CONFIRMATIONS: Kind = kind("confirmations", &[("rows", NOMINATIONS)]);
/// The search for the commit of a change.
pub static BISECTION: Kind = kind(
    "bisection",
    &[
        (
            "rows",
            &[
                ("commit", Text),
                ("change", Text),
                ("ratio", Number),
                ("note", Text),
            ],
        ),
        ("commits", &[("commit", Text), ("subject", Text)]),
    ],
);
/// What is kept on disk.
pub static CACHE: Kind = kind(
    "cache",
    &[(
        "rows",
        &[
            ("name", Text),
            ("kind", Text),
            ("count", Number),
            ("bytes", Number),
            ("last_used", Text),
        ],
    )],
);
/// What may disturb measurements on a machine.
pub static DOCTOR: Kind = kind(
    "doctor",
    &[
        (
            "findings",
            &[
                ("check", Text),
                ("severity", Text),
                ("found", Text),
                ("why", Text),
                ("remedy", Text),
                ("absent", Text),
                ("guide", Text),
            ],
        ),
        (
            "reference_kernels",
            &[
                ("kernel", Text),
                ("true_cycles", Number),
                ("measured_cycles", Number),
                ("lower_cycles", Number),
                ("upper_cycles", Number),
                ("error_cycles", Number),
                ("below_resolution", Flag),
                ("verdict", Text),
            ],
        ),
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
    /// Whether a table of a document of this kind has no other members than these, of no other types.
    pub(crate) fn allows(&self, table: &Table) -> bool {
        let of_name = self.tables.iter().find(|(name, _)| *name == table.member());
        let Some((_, members)) = of_name else {
            return self.is_open;
        };
        let columns = table.shown_to_programs();
        columns.into_iter().all(|at| {
            let key = table.columns[at].key.as_str();
            let member = members.iter().find(|(name, _)| *name == key);
            let fits = |cell: Option<&Cell>| match cell.map(|cell| &cell.value) {
                Some(Value::Text) => member.is_some_and(|member| member.1 == Text),
                Some(Value::Number(_)) => member.is_some_and(|member| member.1 == Number),
                Some(Value::Flag(_)) => member.is_some_and(|member| member.1 == Flag),
                Some(Value::Absent) | None => true,
            };
            member.is_some() && table.rows.iter().all(|row| fits(row.cells.get(at)))
        })
    }

    /// The form of such a document as JSON Schema (draft 2020-12), on one line.
    pub fn schema(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            member(
                out,
                "$schema",
                "https://json-schema.org/draft/2020-12/schema",
            );
            member(out, "title", &format!("{} {}", self.name, self.version));
            member(out, "type", "object");
            out.name("required");
            out.list(|out| {
                for name in ["kind", "version"] {
                    out.separate();
                    out.text(name);
                }
            });
            out.name("properties");
            out.object(|out| {
                out.name("kind");
                out.object(|out| member(out, "const", self.name));
                out.name("version");
                out.object(|out| {
                    out.name("const");
                    out.json(self.version);
                });
                for text in ["title", "answer", "details"] {
                    out.name(text);
                    out.object(|out| member(out, "type", "string"));
                }
                out.name("texts");
                array(out, |out| member(out, "type", "string"));
                out.name("notes");
                array(out, note);
                for (name, members) in self.tables {
                    out.name(name);
                    array(out, |out| row(out, members));
                }
            });
        });
        out.finish() + "\n"
    }
}

fn member(out: &mut Writer, name: &str, text: &str) {
    out.name(name);
    out.text(text);
}

fn array(out: &mut Writer, items: impl FnOnce(&mut Writer)) {
    out.object(|out| {
        member(out, "type", "array");
        out.name("items");
        out.object(items);
    });
}

fn note(out: &mut Writer) {
    member(out, "type", "object");
    out.name("properties");
    out.object(|out| {
        out.name("about");
        array(out, |out| member(out, "type", "string"));
        out.name("text");
        out.object(|out| member(out, "type", "string"));
    });
}

fn row(out: &mut Writer, members: Members) {
    member(out, "type", "object");
    out.name("properties");
    out.object(|out| {
        for (name, holds) in members {
            let name_of_type = match holds {
                Text => "string",
                Number => "number",
                Flag => "boolean",
            };
            out.name(name);
            out.object(|out| {
                out.name("type");
                out.list(|out| {
                    for name in [name_of_type, "null"] {
                        out.separate();
                        out.text(name);
                    }
                });
            });
        }
    });
}
