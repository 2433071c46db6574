//! How far a measurement is, in a line.

use tourbillon_present::{Change, Style, display_width, escape, shortened};
use tourbillon_record::Rounds;
use tourbillon_report::{counted, duration};
use tourbillon_stats::{Sample, median};

use super::limits::Limits;

/// A process that has run for less is not named.
pub(super) const SLOW_NS: u64 = 1_000_000_000;

/// Columns of a name, however narrow the screen is: both its ends tell what differs.
const LEAST_NAME: usize = 9;

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
    /// Nanoseconds of the runs, with what runs before and after each.
    pub(super) spent_ns: u64,
    /// What a round takes, where that is known.
    pub(super) pace_ns: Option<u64>,
    /// What runs now.
    pub(super) running: Option<Running>,
}

/// A process that runs.
#[derive(Debug)]
pub(super) struct Running {
    /// What it is for, before the name of its command: empty for the command itself.
    pub(super) what: String,
    pub(super) of: String,
    /// For how long.
    pub(super) ns: u64,
}

impl Progress<'_> {
    /// `3.2 s of at most 10 s · 41 runs · sort -g 3.1x slower so far`. A bound is a limit that a flag sets, and so stays
    /// as it is. In `room` columns, names lose their middle.
    pub(crate) fn text(&self, room: usize) -> String {
        let runs = self.rounds.round.last().map_or(0, |last| last + 1);
        let spent = duration(self.spent_ns);
        let limits = self.limits;
        let how_far = match (limits.runs, self.pace_ns) {
            (Some(most), Some(pace_ns))
                if pace_ns.saturating_mul(most.saturating_sub(runs)) > SLOW_NS =>
            {
                let all = duration(pace_ns.saturating_mul(most));
                format!("{spent} of about {all} · {runs} of {most} runs")
            }
            (Some(most), _) => format!("{spent} · {runs} of {most} runs"),
            (None, _) if runs == 0 => spent,
            (None, None) => format!("{spent} · {}", counted(runs, "run")),
            (None, Some(pace_ns)) => {
                let most = limits.most_rounds(self.rounds.cases.len(), pace_ns);
                let all_ns = pace_ns.saturating_mul(most);
                // Rounds end it, not the time.
                if all_ns > limits.time_ns.saturating_add(pace_ns) {
                    let all = duration(all_ns);
                    format!("{spent} of about {all} · {runs} of {most} runs")
                } else {
                    let all = duration(limits.time_ns);
                    format!("{spent} of at most {all} · {runs} runs")
                }
            }
        };
        let running = self
            .running
            .as_ref()
            .filter(|running| running.ns >= SLOW_NS);
        let running = running.map(|Running { what, of, ns }| {
            let what = format!(" · {what}");
            [what, of.clone(), format!(": {}", duration(*ns))]
        });
        let Some([before, name, after]) = running.or_else(|| so_far(self.rounds)) else {
            return how_far;
        };
        let others = [&how_far, &before, &after].map(|text| display_width(text));
        let left = room.saturating_sub(others.iter().sum());
        let name = shortened(&escape(&name, true), left.max(LEAST_NAME), "…");
        how_far + &before + &name + &after
    }
}

/// ` · `, `sort -g` and ` 3.1× slower so far`: by the medians. Of more than two commands, the fastest; `None` for one.
fn so_far(rounds: &Rounds) -> Option<[String; 3]> {
    let medians = (0..rounds.cases.len()).map(|arm| {
        let own = rounds.arm.iter().zip(&rounds.ticks);
        let own = own.filter(|(of, _)| usize::from(**of) == arm);
        let ticks = Sample::new(own.map(|(_, ticks)| *ticks as f64).collect()).ok()?;
        Some(median(&ticks))
    });
    let medians: Vec<f64> = medians.collect::<Option<_>>()?;
    if let [first, second] = medians[..] {
        let change = Change::of_ratio(second / first, &Style::default())?.text;
        let name = rounds.cases[1].clone();
        return Some([" · ".to_owned(), name, format!(" {change} so far")]);
    }
    let times = medians
        .iter()
        .zip(&rounds.cases)
        .skip(usize::from(medians.len() == 1));
    let (_, fastest) = times.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let after = " is the fastest so far".to_owned();
    Some([" · ".to_owned(), fastest.clone(), after])
}
