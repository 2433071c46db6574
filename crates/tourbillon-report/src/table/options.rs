//! What a table shows on request.

use std::fmt;

use tourbillon_analysis::Spread;

/// A column that a table has on request.
///
/// Those before [`OptionalColumn::Ratio`] are over the launches that the figure is made of, one value each, in the unit
/// of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionalColumn {
    /// Arithmetic mean.
    Mean,
    /// Median.
    Median,
    /// The quickest launch.
    Min,
    /// The slowest launch.
    Max,
    /// Standard deviation, with n - 1 in the denominator.
    StdDev,
    /// Median absolute deviation, not scaled.
    Mad,
    /// The 90th percentile.
    P90,
    /// The figure divided by that of the reference of its group.
    Ratio,
    /// The place in its group, from 1 for the quickest. Cases whose intervals overlap that of the first of a rank have
    /// the same rank.
    Rank,
}

impl OptionalColumn {
    /// All of them under their names, which are typed, and are the titles in CSV.
    pub const WORDS: [(&'static str, OptionalColumn); 9] = [
        ("mean", OptionalColumn::Mean),
        ("median", OptionalColumn::Median),
        ("min", OptionalColumn::Min),
        ("max", OptionalColumn::Max),
        ("sd", OptionalColumn::StdDev),
        ("mad", OptionalColumn::Mad),
        ("p90", OptionalColumn::P90),
        ("ratio", OptionalColumn::Ratio),
        ("rank", OptionalColumn::Rank),
    ];

    /// Its name in [`OptionalColumn::WORDS`].
    pub fn name(self) -> &'static str {
        let mut known = OptionalColumn::WORDS.iter();
        let found = known.find(|(_, column)| *column == self);
        found.map_or("", |(name, _)| name)
    }

    /// Its value, of those over launches.
    pub(super) fn of(self, spread: &Spread) -> Option<f64> {
        match self {
            OptionalColumn::Mean => Some(spread.mean),
            OptionalColumn::Median => Some(spread.median),
            OptionalColumn::Min => Some(spread.min),
            OptionalColumn::Max => Some(spread.max),
            OptionalColumn::StdDev => spread.stddev,
            OptionalColumn::Mad => Some(spread.mad),
            OptionalColumn::P90 => Some(spread.p90),
            OptionalColumn::Ratio | OptionalColumn::Rank => None,
        }
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
    /// How the launches of a case scatter, by its id.
    pub spread: &'a dyn Fn(&str) -> Option<Spread>,
}

impl Default for TableOptions<'_> {
    fn default() -> Self {
        TableOptions {
            columns: &[],
            order: RowOrder::Source,
            spread: &|_| None,
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
