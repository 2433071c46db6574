//! How much is measured, and whether that can give a verdict.

use tourbillon_analysis::{Criteria, fewest_pairs};
use tourbillon_report::duration;

use crate::options::IgnoredCodes;

/// Rounds of the first look at the pairs.
pub(super) const FIRST_LOOK: u64 = 16;

/// Fewest runs of a command.
const FEWEST: u64 = 10;

/// How many times as long as planned the first look may take.
pub(super) const STRETCH: u64 = 4;

/// How much is measured.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Untimed runs of each command.
    pub(crate) warmup: u32,
    /// Runs of each command, whatever they show.
    pub(crate) runs: Option<u64>,
    /// Fewest runs of each command; `None`: as many as a verdict needs.
    pub(crate) min_runs: Option<u64>,
    pub(crate) max_runs: Option<u64>,
    /// Nanoseconds of measuring, with what runs before and after each run.
    pub(crate) time_ns: u64,
    pub(crate) criteria: Criteria,
    pub(crate) ignored: Option<IgnoredCodes>,
}

impl Limits {
    /// The rounds of so many commands if nothing is decided before, where each takes so long.
    pub(super) fn most_rounds(&self, arms: usize, round_ns: u64) -> u64 {
        if let Some(runs) = self.runs {
            return runs;
        }
        let within = |time_ns: u64| time_ns.div_ceil(round_ns.max(1));
        let look = within(self.time_ns.saturating_mul(STRETCH)).min(FIRST_LOOK);
        let in_time = within(self.time_ns).max(if arms > 1 { look } else { 0 });
        let rounds = in_time.max(self.fewest(arms));
        self.max_runs.map_or(rounds, |most| rounds.min(most))
    }

    /// The fewest rounds of so many commands: those without which no verdict is found.
    pub(super) fn fewest(&self, arms: usize) -> u64 {
        let needed = || self.needed(arms).unwrap_or(0).max(FEWEST);
        self.min_runs.unwrap_or_else(needed)
    }

    /// The rounds that a verdict needs, whatever they show.
    fn needed(&self, arms: usize) -> Option<u64> {
        let error = self.criteria.of_pair(arms, (0, 1)).error;
        let pairs = fewest_pairs(error).filter(|_| arms > 1)?;
        Some(pairs as u64)
    }

    /// Whether a command has had its time after so many rounds, of which the first look may have more.
    pub(super) fn is_up(&self, rounds: u64, used_ns: u64) -> bool {
        used_ns >= self.time_ns && rounds >= FIRST_LOOK
            || used_ns >= self.time_ns.saturating_mul(STRETCH)
    }

    /// That the rounds of a verdict take far longer than the time to measure, where each takes so long.
    pub(super) fn too_long(&self, arms: usize, round_ns: u64) -> Option<String> {
        let needed = self.needed(arms)?;
        let takes_ns = round_ns.saturating_mul(needed);
        let is_planned = self.runs.is_some() || self.max_runs.is_some_and(|most| most < needed);
        let is_long = takes_ns > self.time_ns.saturating_mul(STRETCH);
        (is_long && !is_planned).then(|| {
            let [takes, round] = [takes_ns, round_ns].map(duration);
            format!(
                "a verdict needs {needed} rounds, about {takes} at {round} each; Ctrl-C ends it and shows what was measured"
            )
        })
    }

    /// How many rounds a verdict between commands lacks, whatever they show, and the flag; `None` where there are enough.
    /// Without the time of a round, as far as flags alone tell.
    pub(super) fn too_few(&self, arms: usize, round_ns: Option<u64>) -> Option<String> {
        let needed = self.needed(arms)?;
        let (rounds, flag) = match (self.runs, self.max_runs) {
            (Some(runs), _) => (runs, "--runs"),
            (None, Some(most)) if most < needed => (most, "--max-runs"),
            _ => (self.most_rounds(arms, round_ns?), "--min-runs"),
        };
        if rounds >= needed {
            return None;
        }
        let pace = if flag == "--min-runs" {
            "at this pace, "
        } else {
            ""
        };
        let missing = needed - rounds;
        Some(format!(
            "{pace}{rounds} rounds are {missing} too few for a verdict; {flag} {needed}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::limits;
    use super::*;

    #[test]
    fn rounds_that_are_too_few_name_the_flag_that_adds_them() {
        let few = |limits: &Limits, arms, ns| limits.too_few(arms, ns).unwrap_or_default();
        let runs = |runs| Limits {
            runs: Some(runs),
            ..limits()
        };
        let expected = "10 rounds are 2 too few for a verdict; --runs 12";
        assert_eq!(few(&runs(10), 2, None), expected);
        assert_eq!(few(&runs(12), 2, None), "");
        assert_eq!(few(&runs(10), 1, None), "");
        // Three commands share the error.
        let expected = "12 rounds are 2 too few for a verdict; --runs 14";
        assert_eq!(few(&runs(12), 3, None), expected);
        let most = Limits {
            max_runs: Some(5),
            ..limits()
        };
        let expected = "5 rounds are 7 too few for a verdict; --max-runs 12";
        assert_eq!(few(&most, 2, None), expected);
    }

    #[test]
    fn a_short_time_is_known_by_its_pace() {
        let limits = Limits {
            time_ns: 1_000_000_000,
            ..limits()
        };
        let second = Some(1_000_000_000);
        let expected = "at this pace, 10 rounds are 2 too few for a verdict; --min-runs 12";
        assert_eq!(limits.too_few(2, None), None);
        assert_eq!(limits.too_few(2, second).as_deref(), Some(expected));
        // Four seconds are enough for the first look.
        assert_eq!(limits.too_few(2, Some(250_000_000)), None);
        assert_eq!(limits.most_rounds(2, 250_000_000), 16);
        assert_eq!(limits.most_rounds(1, 10_000_000), 100);
    }
}
