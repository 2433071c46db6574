//! Rows for a table, column by column.

/// Rows that are added to a table.
pub(crate) struct NewRows<'r> {
    table: &'static str,
    pub(crate) columns: Vec<(&'static str, Column<'r>)>,
    /// Whether a row that the table has is skipped. Otherwise there is none.
    skips_known: bool,
}

/// The values of a column.
pub(crate) enum Column<'r> {
    Integers(Vec<i64>),
    Texts(Vec<Option<&'r str>>),
    Reals(Vec<Option<f64>>),
}

impl<'r> NewRows<'r> {
    pub(crate) fn new<const N: usize>(
        table: &'static str,
        columns: [(&'static str, Column<'r>); N],
    ) -> NewRows<'r> {
        NewRows {
            table,
            columns: columns.into(),
            skips_known: false,
        }
    }

    pub(crate) fn skip_known(mut self) -> NewRows<'r> {
        self.skips_known = true;
        self
    }

    pub(crate) fn count(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.count())
    }

    /// The statement that adds what `source` gives, whose columns have `$1`, `$2` and so on.
    pub(crate) fn statement(&self, source: impl Fn(&[String]) -> String) -> String {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        let values: Vec<String> = (1..=names.len())
            .map(|number| format!("${number}"))
            .collect();
        let conflict = if self.skips_known {
            " ON CONFLICT DO NOTHING"
        } else {
            ""
        };
        let (names, source) = (names.join(", "), source(&values));
        format!("INSERT INTO {} ({names}) {source}{conflict}", self.table)
    }
}

impl<'r> Column<'r> {
    pub(crate) fn integers<R>(rows: &[R], part: impl Fn(&R) -> i64) -> Column<'r> {
        Column::Integers(rows.iter().map(part).collect())
    }

    /// Times in nanoseconds. One that is too large for a column becomes the largest.
    pub(crate) fn times<R>(rows: &[R], part: impl Fn(&R) -> u64) -> Column<'r> {
        Column::integers(rows, |row| i64::try_from(part(row)).unwrap_or(i64::MAX))
    }

    pub(crate) fn texts<R>(rows: &[R], part: impl Fn(&R) -> &'r str) -> Column<'r> {
        Column::optional_texts(rows, |row| Some(part(row)))
    }

    pub(crate) fn optional_texts<R>(
        rows: &[R],
        part: impl Fn(&R) -> Option<&'r str>,
    ) -> Column<'r> {
        Column::Texts(rows.iter().map(part).collect())
    }

    pub(crate) fn reals<R>(rows: &[R], part: impl Fn(&R) -> f64) -> Column<'r> {
        Column::optional_reals(rows, |row| Some(part(row)))
    }

    pub(crate) fn optional_reals<R>(rows: &[R], part: impl Fn(&R) -> Option<f64>) -> Column<'r> {
        // SQLite has no negative zero.
        let values = rows.iter().map(|row| part(row).map(|value| value + 0.0));
        Column::Reals(values.collect())
    }

    fn count(&self) -> usize {
        match self {
            Column::Integers(values) => values.len(),
            Column::Texts(values) => values.len(),
            Column::Reals(values) => values.len(),
        }
    }
}
