//! What a table shows on request.

use std::collections::HashMap;
use std::fmt;

use tourbillon_analysis::Spread;

/// A column that a table has on request: a row of [`OptionalColumn::WORDS`], which alone knows it by its name.
#[derive(Clone, Copy)]
pub struct OptionalColumn {
    name: &'static str,
    pub(crate) kind: ColumnKind,
    pub(crate) csv: InCsv,
}

/// What a column on request shows: this decides how it is computed, written and explained.
#[derive(Clone, Copy)]
pub(crate) enum ColumnKind {
    /// A value over the launches that the figure is made of, one each, with the unit and the digits of the figure.
    Launches(fn(&Spread) -> f64),
    /// How far these launches are from each other, in the unit of the figure. It is unknown which of its digits count:
    /// it has three.
    Deviation(fn(&Spread) -> Option<f64>),
    /// The figure divided by that of the reference of its group.
    Ratio,
    /// The place in its group, from 1 for the quickest. Cases whose intervals overlap that of the first of a rank have
    /// the same rank.
    Rank,
}

/// Whether CSV has a column without a request, because it is a member of every result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum InCsv {
    Always,
    OnRequest,
}

use ColumnKind::{Deviation, Launches, Rank, Ratio};
use InCsv::{Always, OnRequest};

impl OptionalColumn {
    /// All of them under their names, which are typed, and are the titles in CSV.
    pub const WORDS: [(&'static str, OptionalColumn); 9] = [
        row("mean", Launches(|launches| launches.mean), Always),
        row("median", Launches(|launches| launches.median), OnRequest),
        row("min", Launches(|launches| launches.min), OnRequest),
        row("max", Launches(|launches| launches.max), OnRequest),
        row("sd", Deviation(|launches| launches.stddev), Always),
        row("mad", Deviation(|launches| Some(launches.mad)), Always),
        row("p90", Launches(|launches| launches.p90), OnRequest),
        row("ratio", Ratio, OnRequest),
        row("rank", Rank, OnRequest),
    ];

    /// Its name in [`OptionalColumn::WORDS`].
    pub fn name(self) -> &'static str {
        self.name
    }

    /// All names, as the help of a flag lists them: `mean, p90 (over launches), rank`.
    pub fn help() -> String {
        let words = &OptionalColumn::WORDS;
        let alike = words.chunk_by(|(_, one), (_, other)| one.kind.help() == other.kind.help());
        let parts = alike.map(|rows| {
            let names: Vec<&str> = rows.iter().map(|(name, _)| *name).collect();
            names.join(", ") + rows[0].1.kind.help()
        });
        Vec::from_iter(parts).join(", ")
    }
}

const fn row(name: &'static str, kind: ColumnKind, csv: InCsv) -> (&'static str, OptionalColumn) {
    (name, OptionalColumn { name, kind, csv })
}

impl ColumnKind {
    /// What a help has after the names of such columns.
    fn help(self) -> &'static str {
        match self {
            Launches(_) | Deviation(_) => " (over launches)",
            Ratio => " (to the reference of the group)",
            Rank => "",
        }
    }
}

/// The names differ.
impl PartialEq for OptionalColumn {
    fn eq(&self, other: &OptionalColumn) -> bool {
        self.name == other.name
    }
}

impl Eq for OptionalColumn {}

impl fmt::Debug for OptionalColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The order of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowOrder {
    /// That of the source.
    #[default]
    Source,
    /// The quickest case of each group first, those without a figure last; groups in the order of the source.
    Time,
    /// Groups and cases by name, arguments that are numbers by their value.
    Name,
}

impl RowOrder {
    /// All of them under the names that are typed.
    pub const WORDS: [(&'static str, RowOrder); 3] = [
        ("source", RowOrder::Source),
        ("time", RowOrder::Time),
        ("name", RowOrder::Name),
    ];
}

/// What a table shows on request.
#[derive(Clone, Copy)]
pub struct TableOptions<'a> {
    /// Columns at the right of the others.
    pub columns: &'a [OptionalColumn],
    /// The order of rows.
    pub order: RowOrder,
    /// How the launches of cases scatter, by their ids; `None` where that is not known of any.
    pub spreads: Option<&'a HashMap<&'a str, Spread>>,
}

impl Default for TableOptions<'_> {
    fn default() -> Self {
        TableOptions {
            columns: &[],
            order: RowOrder::Source,
            spreads: None,
        }
    }
}

impl fmt::Debug for TableOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableOptions")
            .field("columns", &self.columns)
            .field("order", &self.order)
            .finish_non_exhaustive()
    }
}
