//! The figures of the columns on request.

use std::collections::HashMap;

use tourbillon_present::figure::measured;
use tourbillon_present::{Figure, Style};
use tourbillon_record::CaseResult;

use super::input::{Found, Table, figure};
use super::options::{ColumnKind, OptionalColumn};

/// The figures of the requested columns, row by row.
pub(crate) fn extra_figures(found: &[Found<'_>], table: &Table<'_>) -> Vec<Vec<Option<Figure>>> {
    let columns = table.options.columns;
    let is_rank = |column: &OptionalColumn| matches!(column.kind, ColumnKind::Rank);
    let ranks = if columns.iter().any(is_rank) {
        ranks(found)
    } else {
        HashMap::new()
    };
    let mut references = HashMap::new();
    for row in found.iter().filter(|row| row.case.reference) {
        references.entry(place(row)).or_insert(row);
    }
    let rows = found.iter().enumerate().map(|(at, row)| {
        // Without a figure there is nothing to scatter about.
        let own = row.main.and_then(figure);
        let spread = own.and_then(|_| table.options.spreads?.get(&*row.case.id));
        let cells = columns.iter().map(|column| match column.kind {
            ColumnKind::Launches(value_of) => {
                Some(Figure::within(value_of(spread?), own?.half_width))
            }
            ColumnKind::Deviation(value_of) => Some(Figure::new(value_of(spread?)?, None, None)),
            ColumnKind::Ratio => ratio(row, references.get(&place(row))?),
            ColumnKind::Rank => ranks.get(&at).map(|rank| Figure::exact(*rank as f64)),
        });
        cells.collect()
    });
    rows.collect()
}

/// The text of such a figure.
pub(super) fn text(
    column: OptionalColumn,
    figure: Figure,
    main: &CaseResult,
    style: &Style,
) -> String {
    match column.kind {
        ColumnKind::Launches(_) | ColumnKind::Deviation(_) => measured(main, figure, style),
        ColumnKind::Ratio if figure == Figure::exact(1.0) => "1".to_owned(),
        ColumnKind::Ratio => figure.cycles(),
        ColumnKind::Rank => format!("{}", figure.value),
    }
}

/// What a row has in common with its reference: the group and the arguments.
fn place<'a>(row: &Found<'a>) -> (&'a str, Vec<(&'a str, &'a str)>) {
    let arguments = &row.case.arguments;
    let place = arguments
        .iter()
        .map(|argument| (argument.axis.as_str(), argument.value.as_str()));
    (&row.case.group, place.collect())
}

/// The quotient, with the half-width of those of any two values in both intervals.
fn ratio(row: &Found<'_>, reference: &Found<'_>) -> Option<Figure> {
    let (one, other) = (row.main?, reference.main?);
    let (above, below) = (one.estimate.ok()?, other.estimate.ok()?);
    if row.case.id == reference.case.id {
        return Some(Figure::exact(1.0));
    }
    let is_same = (one.metric, &one.own) == (other.metric, &other.own);
    let quotient = |above: Option<f64>, below: Option<f64>| Some(above? / below?);
    let ratio = Figure::new(
        above / below,
        quotient(one.lower, other.upper),
        quotient(one.upper, other.lower),
    );
    (is_same && ratio.value.is_finite()).then_some(ratio)
}

/// The ranks of the rows with a figure.
fn ranks(found: &[Found<'_>]) -> HashMap<usize, usize> {
    let figures = found.iter().enumerate().filter_map(|(at, row)| {
        let main = row.main?;
        let estimate = main.estimate.ok()?;
        let ends = (
            main.lower.unwrap_or(estimate),
            main.upper.unwrap_or(estimate),
        );
        Some((at, row.case.group.as_str(), estimate, ends))
    });
    let mut rows: Vec<_> = figures.collect();
    rows.sort_by(|one, other| one.1.cmp(other.1).then(one.2.total_cmp(&other.2)));
    let mut ranks = HashMap::new();
    for group in rows.chunk_by(|one, other| one.1 == other.1) {
        let mut rank = 1;
        let mut first_upper = f64::INFINITY;
        for (index, (at, _, _, (lower, upper))) in group.iter().enumerate() {
            if index == 0 || *lower > first_upper {
                (rank, first_upper) = (index + 1, *upper);
            }
            ranks.insert(*at, rank);
        }
    }
    ranks
}
