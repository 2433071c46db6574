//! The result of `--isolation` as text and JSON.

use serde_json::json;
use tourbillon_analysis::median_of;
use tourbillon_present::figure::known_time;
use tourbillon_present::number::fixed;
use tourbillon_present::{Document, Table};
use tourbillon_report::Style;

use crate::screen::Page;

/// The result of `--isolation`.
#[derive(Debug)]
pub(in crate::clocks) struct IsolationResult {
    /// The processor that both processes shared; `None` if the system does not pin.
    pub(super) processor: Option<u32>,
    /// Number of processes that load the processor.
    pub(super) rivals: usize,
    pub(super) rounds: usize,
    pub(super) times: Vec<SourceTimes>,
}

/// Largest ratio of contended to undisturbed time that counts as undisturbed. Sharing a processor
/// doubles the time; caches and frequency account for some tenths.
const DISTURBED: f64 = 1.3;

/// The same work as measured by one source.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SourceTimes {
    pub(super) source: String,
    /// What it counts.
    pub(super) counts: String,
    /// Whether it counts only the time of this program.
    pub(super) own_time: bool,
    /// In nanoseconds, or in cycles if the source counts those, for each round.
    pub(super) alone: Vec<f64>,
    pub(super) contended: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Isolation {
    /// The other process has no effect.
    Isolated,
    /// The other process is included.
    Disturbed,
    /// The work was too short for its steps.
    TooCoarse,
}

impl SourceTimes {
    /// Contended to undisturbed time; `None` if it counted nothing alone.
    pub(super) fn ratio(&self) -> Option<f64> {
        let alone = median_of(self.alone.iter().copied()).filter(|&alone| alone > 0.0)?;
        Some(median_of(self.contended.iter().copied())? / alone)
    }

    pub(super) fn verdict(&self) -> Isolation {
        match self.ratio() {
            None => Isolation::TooCoarse,
            Some(ratio) if ratio > DISTURBED => Isolation::Disturbed,
            Some(_) => Isolation::Isolated,
        }
    }

    /// Whether it behaves like a source of its kind.
    pub(super) fn is_as_expected(&self) -> bool {
        match self.verdict() {
            Isolation::TooCoarse => true,
            Isolation::Isolated => self.own_time,
            Isolation::Disturbed => !self.own_time,
        }
    }
}

/// One row for each source, and the conclusion.
pub(in crate::clocks) fn document(outcome: &IsolationResult, style: &Style) -> Document {
    let place = match outcome.processor {
        Some(processor) => format!("on processor {processor}, shared with one other process"),
        None => format!(
            "while {} other processes load every processor, because this system does not pin",
            outcome.rivals
        ),
    };
    let rounds = outcome.rounds;
    let what = format!("the same work {rounds} times alone and {rounds} times contended, {place}");
    let mut page = Page::new(style);
    page.say("", &what);
    page.line("");
    page.table(table(&outcome.times, style));
    page.line("");
    page.say("", conclusion(&outcome.times));
    for times in outcome.times.iter().filter(|times| !times.is_as_expected()) {
        let text = if times.own_time {
            "includes time of other processes; do not use it for CPU time here"
        } else {
            "does not include the other process, which may have run elsewhere; try again"
        };
        page.say(&format!("! {}: ", times.source), text);
    }
    page.document()
}

fn table(all: &[SourceTimes], style: &Style) -> Table {
    let mut sheet = Table::new("source")
        .left(["counts"])
        .right(["alone", "contended", "ratio"])
        .left(["the other process"]);
    for times in all {
        let time = |ns| known_time(ns, style);
        let ratio = times.ratio();
        let other = match times.verdict() {
            Isolation::Isolated => "is not counted",
            Isolation::Disturbed => "is counted",
            Isolation::TooCoarse => "too coarse to tell",
        };
        sheet.push([
            times.source.clone(),
            times.counts.clone(),
            time(median_of(times.alone.iter().copied())),
            time(median_of(times.contended.iter().copied())),
            ratio.map_or_else(String::new, |ratio| fixed(ratio, 2)),
            other.to_owned(),
        ]);
    }
    sheet
}

fn conclusion(all: &[SourceTimes]) -> &'static str {
    let any = |own_time, verdict| {
        all.iter()
            .any(|times| times.own_time == own_time && times.verdict() == verdict)
    };
    if any(false, Isolation::Disturbed) && any(true, Isolation::Isolated) {
        "Wall time includes other processes, CPU time does not. Both are right: they answer different \
         questions."
    } else {
        "The other process did not have the expected effect: the machine is busy otherwise, or the two \
         did not share a processor."
    }
}

/// The time of each source in every round, in nanoseconds.
pub(in crate::clocks) fn encode(outcome: &IsolationResult) -> String {
    let sources = outcome.times.iter().map(|times| {
        json!({
            "name": times.source,
            "counts": times.counts,
            "alone_ns": times.alone,
            "beside_ns": times.contended,
            "ratio": times.ratio(),
            "isolated": match times.verdict() {
                Isolation::Isolated => Some(true),
                Isolation::Disturbed => Some(false),
                Isolation::TooCoarse => None,
            },
            "expected": times.is_as_expected(),
        })
    });
    let value = json!({
        "processor": outcome.processor,
        "rivals": outcome.rivals,
        "rounds": outcome.rounds,
        "sources": sources.collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(source: &str, own_time: bool, alone: f64, contended: f64) -> SourceTimes {
        SourceTimes {
            source: source.to_owned(),
            counts: if own_time { "CPU total" } else { "wall" }.to_owned(),
            own_time,
            alone: vec![alone; 3],
            contended: vec![contended; 3],
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
            document(&outcome, &Style::default()).text(&Style::default()),
            include_str!("../snapshots/isolation-80.txt")
        );
    }

    #[test]
    fn unexpected_results_are_reported() {
        let outcome = IsolationResult {
            processor: None,
            ..outcome(vec![
                times("monotonic", false, 100e6, 101e6),
                times("thread_cputime", true, 100e6, 190e6),
            ])
        };
        let text = document(&outcome, &Style::default()).text(&Style::default());
        assert!(text.contains("this system does not pin"), "{text}");
        assert!(text.contains("! monotonic: does not include"), "{text}");
        assert!(
            text.contains("! thread_cputime: includes time of other"),
            "{text}"
        );
        assert!(text.contains("did not have the expected"), "{text}");
    }

    fn rounds(own_time: bool, alone: &[f64], contended: &[f64]) -> SourceTimes {
        SourceTimes {
            source: "a".to_owned(),
            counts: "wall".to_owned(),
            own_time,
            alone: alone.to_vec(),
            contended: contended.to_vec(),
        }
    }

    #[test]
    fn a_second_process_doubles_wall_time_and_leaves_cpu_time() {
        let wall = rounds(false, &[100.0, 101.0, 180.0], &[199.0, 205.0, 90.0]);
        assert_eq!(wall.verdict(), Isolation::Disturbed);
        assert_eq!(wall.ratio(), Some(199.0 / 101.0));
        assert!(wall.is_as_expected());
        let own = rounds(true, &[100.0, 101.0, 102.0], &[103.0, 104.0, 105.0]);
        assert_eq!(own.verdict(), Isolation::Isolated);
        assert!(own.is_as_expected());
    }

    #[test]
    fn unexpected_results_are_recognised() {
        assert!(!rounds(true, &[100.0], &[200.0]).is_as_expected());
        assert!(!rounds(false, &[100.0], &[101.0]).is_as_expected());
    }

    #[test]
    fn a_source_without_time_is_too_coarse() {
        let coarse = rounds(true, &[0.0, 0.0, 4.0], &[4.0, 0.0, 4.0]);
        assert_eq!(coarse.verdict(), Isolation::TooCoarse);
        assert_eq!(coarse.ratio(), None);
        assert!(rounds(false, &[], &[]).is_as_expected());
    }
}
