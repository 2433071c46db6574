//! How far a measurement is, in a line.

use tourbillon_present::{Change, Style};
use tourbillon_record::Rounds;
use tourbillon_report::duration;
use tourbillon_stats::{Sample, median};

use super::limits::{FIRST_LOOK, Limits};

/// A process that has run for less is not named.
pub(super) const SLOW_NS: u64 = 1_000_000_000;

/// What a measurement reports while it goes on.
pub(crate) enum Word<'w> {
    /// How far it is.
    Progress(Progress<'w>),
    /// What the caller has to know before it is over.
    Note(String),
}

/// How far a measurement is.
#[derive(Debug)]
pub(crate) struct Progress<'p> {
    pub(super) rounds: &'p Rounds,
    pub(super) limits: &'p Limits,
    /// Nanoseconds in which commands ran that are measured.
    pub(super) spent_ns: u64,
    /// What runs now, and for how long.
    pub(super) running: Option<(String, u64)>,
}

impl Progress<'_> {
    /// `3.2 s of at most 10 s · 41 runs · sort -g 3.1x slower so far`. A bound is a limit that a flag sets, and so stays
    /// as it is.
    pub(crate) fn text(&self) -> String {
        let runs = self.rounds.round.last().map_or(0, |last| last + 1);
        let spent = duration(self.spent_ns);
        let how_far = match self.most_runs(runs) {
            Some(most) => format!("{spent} · {runs} of {most} runs"),
            None if runs == 0 => spent,
            None => {
                let most = duration(self.limits.time_ns);
                format!("{spent} of at most {most} · {runs} runs")
            }
        };
        let running = self.running.as_ref().filter(|(_, ns)| *ns >= SLOW_NS);
        let running = running.map(|(what, ns)| format!(" · {what}: {}", duration(*ns)));
        how_far + &running.unwrap_or_else(|| so_far(self.rounds).unwrap_or_default())
    }

    /// The number of runs that ends it, where the time does not.
    fn most_runs(&self, runs: u64) -> Option<u64> {
        let limits = self.limits;
        if limits.runs.is_some() {
            return limits.runs;
        }
        let look = if self.rounds.cases.len() > 1 {
            FIRST_LOOK
        } else {
            0
        };
        let fewest = limits.min_runs.max(look);
        let fewest = limits.max_runs.map_or(fewest, |most| fewest.min(most));
        let pace_ns = self.spent_ns.checked_div(runs)?;
        (pace_ns.saturating_mul(fewest) > limits.time_ns).then_some(fewest)
    }
}

/// ` · sort -g 3.1× slower so far`: by the medians. Of more than two commands, the fastest; `None` for one.
fn so_far(rounds: &Rounds) -> Option<String> {
    let medians = (0..rounds.cases.len()).map(|arm| {
        let own = rounds.arm.iter().zip(&rounds.ticks);
        let own = own.filter(|(of, _)| usize::from(**of) == arm);
        let ticks = Sample::new(own.map(|(_, ticks)| *ticks as f64).collect()).ok()?;
        Some(median(&ticks))
    });
    let medians: Vec<f64> = medians.collect::<Option<_>>()?;
    if let [first, second] = medians[..] {
        let change = Change::of_ratio(second / first, &Style::default())?.text;
        return Some(format!(" · {} {change} so far", rounds.cases[1]));
    }
    let times = medians
        .iter()
        .zip(&rounds.cases)
        .skip(usize::from(medians.len() == 1));
    let (_, fastest) = times.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
    Some(format!(" · {fastest} is the fastest so far"))
}
