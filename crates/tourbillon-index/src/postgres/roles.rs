//! What roles may do.

/// Rights of a role on an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rights {
    /// To ask.
    Read,
    /// To ask, and to add runs: for machines that measure. What is there stays as it is.
    Append,
}

impl Rights {
    /// The SQL that gives the rights to a role. The owner of the tables executes it.
    pub fn grant(self, role: &str) -> String {
        let role = format!("\"{}\"", role.replace('"', "\"\""));
        let (read, append) = (
            "tables_version, runs, series, points",
            "runs, series, points",
        );
        let tables = |names: &str| {
            let names = names.split(", ").map(|name| format!("tourbillon.{name}"));
            names.collect::<Vec<_>>().join(", ")
        };
        let mut sql = format!(
            "GRANT USAGE ON SCHEMA tourbillon TO {role};\nGRANT SELECT ON {} TO {role};\n",
            tables(read)
        );
        if self == Rights::Append {
            sql += &format!("GRANT INSERT ON {} TO {role};\n", tables(append));
        }
        sql
    }
}
