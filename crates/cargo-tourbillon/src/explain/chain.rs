//! The time that the reference chain took.

use tourbillon_record::{Chain, Visit};
use tourbillon_report::{Style, escape};

use crate::paragraph;

/// Adds how often the chain was read and for how long; nothing without readings.
pub(super) fn push(text: &mut String, visits: &[Visit], style: &Style) {
    let mut readings = Vec::new();
    let mut shares = Vec::new();
    let (mut of_chain, mut of_all) = (0, 0);
    let mut made_of = "";
    for visit in visits {
        let Some(chain) = &visit.chain else { continue };
        let (read, measured) = (ticks(chain), measured(visit));
        if measured < read || read == 0 {
            continue;
        }
        made_of = &chain.of;
        readings.push(chain.at.len());
        shares.push(read as f64 / measured as f64);
        of_chain += read;
        of_all += measured;
    }
    let (Some(fewest), Some(most)) = (readings.iter().min(), readings.iter().max()) else {
        return;
    };
    let largest = shares.iter().copied().fold(0.0, f64::max);
    let often = if fewest == most {
        fewest.to_string()
    } else {
        format!("{fewest} to {most}")
    };
    let summary = format!(
        "{} and additions, read {often} times per launch: {:.1} % of the time after the first call, \
         at most {:.1} % of a launch.",
        escape(made_of, style.unicode),
        100.0 * of_chain as f64 / of_all as f64,
        100.0 * largest,
    );
    paragraph::push(text, "Reference chain: ", &summary, style);
    text.push('\n');
}

/// Ticks of all readings.
fn ticks(chain: &Chain) -> u64 {
    let mut columns = vec![&chain.short_ticks, &chain.long_ticks];
    if let Some(additions) = &chain.additions {
        columns.extend([&additions.short_ticks, &additions.long_ticks]);
    }
    let readings = columns.into_iter().flatten();
    readings.fold(0, |sum, &ticks| sum.saturating_add(ticks))
}

/// Ticks from the first call to the end of a visit: pilot, warm-up and sampling.
fn measured(visit: &Visit) -> u64 {
    let before = visit.setup_ticks.saturating_add(visit.first_call_ticks);
    visit.visit_ticks.saturating_sub(before)
}
