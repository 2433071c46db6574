//! What roles may do.

/// Rights of a role on an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rights {
    /// To ask.
    Read,
    /// To ask, and to add runs, for machines that measure. What is there stays as it is.
    Append,
}

const TABLES: [&str; 6] = [
    "runs",
    "series",
    "points",
    "comparisons",
    "verdicts",
    "failures",
];

impl Rights {
    /// The SQL that gives the rights to a role. The owner of the tables executes it.
    pub fn grant(self, role: &str) -> String {
        let role = format!("\"{}\"", role.replace('"', "\"\""));
        let tables = TABLES.map(|name| format!("tourbillon.{name}")).join(", ");
        let rights = match self {
            Rights::Read => "SELECT",
            Rights::Append => "SELECT, INSERT",
        };
        format!(
            "GRANT USAGE ON SCHEMA tourbillon TO {role};\n\
             GRANT SELECT ON tourbillon.tables_version TO {role};\n\
             GRANT {rights} ON {tables} TO {role};\n"
        )
    }
}
