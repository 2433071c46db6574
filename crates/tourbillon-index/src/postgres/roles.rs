//! What roles may do.

/// Rights of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rights {
    /// On the index: to ask.
    Read,
    /// On the index: to ask, and to add runs, for machines that measure. What is there stays as it is.
    Append,
    /// On the queue: to add requests, to cancel and to repeat them, and to read their results.
    Request,
    /// On the queue: to claim jobs and to store results. Results that are there stay as they are.
    Work,
}

const INDEX: [&str; 6] = [
    "runs",
    "series",
    "points",
    "comparisons",
    "verdicts",
    "failures",
];
const QUEUE: [&str; 5] = ["requests", "jobs", "machines", "pins", "results"];

impl Rights {
    /// The SQL that gives the rights to a role. The owner of the tables executes it.
    pub fn grant(self, role: &str) -> String {
        let role = format!("\"{}\"", role.replace('"', "\"\""));
        let grant = |rights: &str, tables: &[&str]| {
            let tables: Vec<String> = tables
                .iter()
                .map(|name| format!("tourbillon.{name}"))
                .collect();
            format!("GRANT {rights} ON {} TO {role};\n", tables.join(", "))
        };
        let mut sql = format!("GRANT USAGE ON SCHEMA tourbillon TO {role};\n");
        sql += &grant("SELECT", &["tables_version"]);
        sql += &match self {
            Rights::Read => grant("SELECT", &INDEX),
            Rights::Append => grant("SELECT, INSERT", &INDEX),
            Rights::Request => {
                grant("SELECT", &QUEUE)
                    + &grant("INSERT", &["requests", "jobs"])
                    + &grant("UPDATE (state, attempts_left)", &["jobs"])
                    + &grant("DELETE", &["pins"])
            }
            Rights::Work => {
                let claim = "UPDATE (state, attempts, attempts_left, machine, seen, failure)";
                grant("SELECT", &QUEUE)
                    + &grant(claim, &["jobs"])
                    + &grant("INSERT, UPDATE", &["machines", "pins"])
                    + &grant("INSERT", &["results"])
            }
        };
        sql
    }
}
