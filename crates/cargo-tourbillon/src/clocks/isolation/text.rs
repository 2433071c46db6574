//! `--isolation` for people.

use tourbillon_report::Style;

use super::Outcome;
use super::verdict::{Seen, Verdict};
use crate::clocks::cells;
use crate::paragraph;
use crate::table::{Align, Sheet};

/// One row for each source, and what follows from them.
pub(in crate::clocks) fn render(outcome: &Outcome, style: &Style) -> String {
    let place = match outcome.processor {
        Some(processor) => format!("on processor {processor}, shared with one other process"),
        None => format!(
            "while {} other processes load every processor: this system pins none",
            outcome.rivals
        ),
    };
    let what = format!(
        "the same work {} times alone and {} times beside, {place}",
        outcome.rounds, outcome.rounds
    );
    let mut page = String::new();
    paragraph::push(&mut page, "", &what, style);
    page.push('\n');
    page.push_str(&table(&outcome.seen, style).render(style));
    page.push('\n');
    paragraph::push(&mut page, "", conclusion(&outcome.seen), style);
    let unexpected = outcome.seen.iter().filter(|seen| !seen.is_as_expected());
    for seen in unexpected {
        let text = if seen.own_time {
            "counts time of others along: do not measure CPU time with it here"
        } else {
            "saw nothing of the other process, which may have been elsewhere; try again"
        };
        paragraph::push(&mut page, &format!("! {}: ", seen.source), text, style);
    }
    page
}

fn table(all: &[Seen], style: &Style) -> Sheet {
    let mut sheet = Sheet::new("source")
        .column("counts", Align::Left)
        .column("alone", Align::Right)
        .column("beside", Align::Right)
        .column("ratio", Align::Right)
        .column("the other process", Align::Left);
    for seen in all {
        let time = |ns| cells::time(ns, style);
        sheet.row(vec![
            seen.source.clone(),
            seen.counts.clone(),
            time(seen.alone()),
            time(seen.beside()),
            seen.ratio()
                .map_or(String::new(), |ratio| format!("{ratio:.2}")),
            match seen.verdict() {
                Verdict::Isolated => "is not seen",
                Verdict::Disturbed => "is in it",
                Verdict::TooCoarse => "too coarse to tell",
            }
            .to_owned(),
        ]);
    }
    sheet
}

fn conclusion(all: &[Seen]) -> &'static str {
    let any = |own_time, verdict| {
        all.iter()
            .any(|seen| seen.own_time == own_time && seen.verdict() == verdict)
    };
    if any(false, Verdict::Disturbed) && any(true, Verdict::Isolated) {
        "Wall time holds what others do; CPU time does not. Neither is wrong: they answer different \
         questions."
    } else {
        "The other process did not show as it should: this machine has more to do than it says, or \
         the system did not let the two share a processor."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(source: &str, own_time: bool, alone: f64, beside: f64) -> Seen {
        Seen {
            source: source.to_owned(),
            counts: if own_time { "CPU total" } else { "wall" }.to_owned(),
            own_time,
            alone: vec![alone; 3],
            beside: vec![beside; 3],
        }
    }

    fn outcome(seen: Vec<Seen>) -> Outcome {
        Outcome {
            processor: Some(1),
            rivals: 1,
            rounds: 3,
            seen,
        }
    }

    #[test]
    fn wall_and_cpu_time_differ() {
        let outcome = outcome(vec![
            seen("monotonic", false, 100e6, 201e6),
            seen("thread_cputime", true, 100e6, 101e6),
            seen("times_kernel", true, 0.0, 0.0),
        ]);
        assert_eq!(
            render(&outcome, &Style::default()),
            include_str!("../snapshots/isolation-80.txt")
        );
    }

    #[test]
    fn what_is_unexpected_is_pointed_at() {
        let outcome = Outcome {
            processor: None,
            ..outcome(vec![
                seen("monotonic", false, 100e6, 101e6),
                seen("thread_cputime", true, 100e6, 190e6),
            ])
        };
        let text = render(&outcome, &Style::default());
        assert!(text.contains("this system pins none"), "{text}");
        assert!(text.contains("! monotonic: saw nothing"), "{text}");
        assert!(
            text.contains("! thread_cputime: counts time of others"),
            "{text}"
        );
        assert!(text.contains("did not show as it should"), "{text}");
    }
}
