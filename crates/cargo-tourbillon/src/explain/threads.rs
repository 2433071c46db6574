//! The differences between the threads of a case.

use tourbillon_analysis::Rules;
use tourbillon_record::{Team, Visit};
use tourbillon_report::{Figure, Style};
use tourbillon_stats::{Sample, median};

use crate::paragraph;
use crate::table::{Align, Sheet};

/// Adds a table with a row for each launch; nothing for a single thread.
pub(super) fn push(text: &mut String, visits: &[Visit], rules: &Rules, style: &Style) {
    let Some(team) = visits.iter().find_map(|visit| visit.team.as_ref()) else {
        return;
    };
    text.push_str("Threads\n");
    let mut sheet = Sheet::new("launch");
    for title in ["fastest", "slowest", "starts apart"] {
        sheet = sheet.column(title, Align::Right);
    }
    for visit in visits {
        let Some(team) = &visit.team else { continue };
        let typical = |column: &[u64]| match of_longest(visit, column) {
            Some(ticks) => Figure::exact(ticks * 1e9 / rules.frequency.hz() as f64).time(style),
            None => String::new(),
        };
        sheet.row(vec![
            visit.launch.to_string(),
            typical(&team.fastest_ticks),
            typical(&team.slowest_ticks),
            typical(&team.apart_ticks),
        ]);
    }
    text.push_str(&sheet.render(style));
    let summary = format!(
        "{}. Each value is the median over the longest batches of the launch; a batch lasts from the \
         first start of a thread to the last end.",
        how_many(team)
    );
    paragraph::push(text, "", &summary, style);
    text.push('\n');
}

fn how_many(team: &Team) -> String {
    match team.processors {
        Some(processors) => format!("Threads: {}, processors: {processors}", team.threads),
        None => format!("Threads: {}", team.threads),
    }
}

/// The median of a column over the longest batches.
fn of_longest(visit: &Visit, column: &[u64]) -> Option<f64> {
    let kinds = &visit.batches.kind;
    let longest = kinds.iter().max()?;
    let of_them = kinds.iter().zip(column);
    let ticks: Vec<u64> = of_them
        .filter(|(kind, _)| *kind == longest)
        .map(|(_, ticks)| *ticks)
        .collect();
    Some(median(&Sample::from_ticks(&ticks).ok()?))
}
