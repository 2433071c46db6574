//! The order of rows.

use std::cmp::Ordering;
use std::collections::HashMap;

use tourbillon_record::{Absence, Argument, Case, CaseResult};

use super::input::Table;
use super::options::RowOrder;
use crate::tree::{above, grouped};

impl<'a> Table<'a> {
    /// The cases in the order of the rows, those of a group together.
    pub fn order(&self) -> Vec<&'a Case> {
        ordered(self)
    }
}

pub(crate) fn ordered<'a>(table: &Table<'a>) -> Vec<&'a Case> {
    let mut order = grouped(table.cases);
    match table.options.order {
        RowOrder::Source => {}
        RowOrder::Time => {
            let mains = table
                .results
                .iter()
                .filter(|result| result.metric.is_main());
            let mut times: HashMap<&str, f64> = HashMap::new();
            for result in mains {
                // The first is what the case is measured in.
                times.entry(&result.case).or_insert_with(|| time(result));
            }
            let time = |case: &Case| {
                times
                    .get(case.id.as_str())
                    .copied()
                    .unwrap_or(f64::INFINITY)
            };
            for group in order.chunk_by_mut(|one, other| above(one) == above(other)) {
                group.sort_by(|one, other| time(one).total_cmp(&time(other)));
            }
        }
        RowOrder::Name => order.sort_by(|one, other| by_name(one, other)),
    }
    order
}

/// The figure, or the bound that stands for it.
fn time(result: &CaseResult) -> f64 {
    match result.estimate {
        Ok(estimate) => estimate,
        Err(Absence::BelowResolution) => result.upper.unwrap_or(0.0),
        Err(_) => f64::INFINITY,
    }
}

fn by_name(one: &Case, other: &Case) -> Ordering {
    let number = |argument: &Argument| argument.value.parse::<f64>().ok().filter(|x| x.is_finite());
    let arguments = one.arguments.iter().zip(&other.arguments);
    let mut differences = arguments.map(|(one, other)| match (number(one), number(other)) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        _ => one.value.cmp(&other.value),
    });
    (above(one), &one.name)
        .cmp(&(above(other), &other.name))
        .then_with(|| {
            differences
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        })
}
