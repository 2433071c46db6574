//! `--isolation` as text.

use tourbillon_report::Style;

use super::IsolationResult;
use super::verdict::{SourceTimes, Verdict};
use crate::clocks::cells;
use crate::paragraph;
use crate::table::{Align, Sheet};

/// One row for each source, and the conclusion.
pub(in crate::clocks) fn render(outcome: &IsolationResult, style: &Style) -> String {
    let place = match outcome.processor {
        Some(processor) => format!("on processor {processor}, shared with one other process"),
        None => format!(
            "while {} other processes load every processor, because this system does not pin",
            outcome.rivals
        ),
    };
    let what = format!(
        "the same work {} times alone and {} times contended, {place}",
        outcome.rounds, outcome.rounds
    );
    let mut page = String::new();
    paragraph::push(&mut page, "", &what, style);
    page.push('\n');
    page.push_str(&table(&outcome.times, style).render(style));
    page.push('\n');
    paragraph::push(&mut page, "", conclusion(&outcome.times), style);
    let unexpected = outcome.times.iter().filter(|times| !times.is_as_expected());
    for times in unexpected {
        let text = if times.own_time {
            "includes time of other processes; do not use it for CPU time here"
        } else {
            "does not include the other process, which may have run elsewhere; try again"
        };
        paragraph::push(&mut page, &format!("! {}: ", times.source), text, style);
    }
    page
}

fn table(all: &[SourceTimes], style: &Style) -> Sheet {
    let mut sheet = Sheet::new("source")
        .column("counts", Align::Left)
        .column("alone", Align::Right)
        .column("contended", Align::Right)
        .column("ratio", Align::Right)
        .column("the other process", Align::Left);
    for times in all {
        let time = |ns| cells::time(ns, style);
        sheet.row(vec![
            times.source.clone(),
            times.counts.clone(),
            time(times.alone()),
            time(times.beside()),
            times.ratio()
                .map_or(String::new(), |ratio| format!("{ratio:.2}")),
            match times.verdict() {
                Verdict::Isolated => "is not counted",
                Verdict::Disturbed => "is counted",
                Verdict::TooCoarse => "too coarse to tell",
            }
            .to_owned(),
        ]);
    }
    sheet
}

fn conclusion(all: &[SourceTimes]) -> &'static str {
    let any = |own_time, verdict| {
        all.iter()
            .any(|times| times.own_time == own_time && times.verdict() == verdict)
    };
    if any(false, Verdict::Disturbed) && any(true, Verdict::Isolated) {
        "Wall time includes other processes, CPU time does not. Both are right: they answer different \
         questions."
    } else {
        "The other process did not have the expected effect: the machine is busy otherwise, or the two \
         did not share a processor."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(source: &str, own_time: bool, alone: f64, beside: f64) -> SourceTimes {
        SourceTimes {
            source: source.to_owned(),
            counts: if own_time { "CPU total" } else { "wall" }.to_owned(),
            own_time,
            alone: vec![alone; 3],
            beside: vec![beside; 3],
        }
    }

    fn outcome(times: Vec<SourceTimes>) -> IsolationResult {
        IsolationResult {
            processor: Some(1),
            rivals: 1,
            rounds: 3,
            times,
        }
    }

    #[test]
    fn wall_and_cpu_time_differ() {
        let outcome = outcome(vec![
            times("monotonic", false, 100e6, 201e6),
            times("thread_cputime", true, 100e6, 101e6),
            times("times_kernel", true, 0.0, 0.0),
        ]);
        assert_eq!(
            render(&outcome, &Style::default()),
            include_str!("../snapshots/isolation-80.txt")
        );
    }

    #[test]
    fn what_is_unexpected_is_pointed_at() {
        let outcome = IsolationResult {
            processor: None,
            ..outcome(vec![
                times("monotonic", false, 100e6, 101e6),
                times("thread_cputime", true, 100e6, 190e6),
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
