//! The effect of a second process on a source.

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
    pub(super) beside: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The other process has no effect.
    Isolated,
    /// The other process is included.
    Disturbed,
    /// The work was too short for its steps.
    TooCoarse,
}

impl SourceTimes {
    /// The median of the undisturbed rounds; `None` without rounds.
    pub(super) fn alone(&self) -> Option<f64> {
        median(&self.alone)
    }

    /// The median of the contended rounds; `None` without rounds.
    pub(super) fn beside(&self) -> Option<f64> {
        median(&self.beside)
    }

    /// Contended to undisturbed time; `None` if it counted nothing alone.
    pub(super) fn ratio(&self) -> Option<f64> {
        let alone = self.alone().filter(|&alone| alone > 0.0)?;
        Some(self.beside()? / alone)
    }

    pub(super) fn verdict(&self) -> Verdict {
        match self.ratio() {
            None => Verdict::TooCoarse,
            Some(ratio) if ratio > DISTURBED => Verdict::Disturbed,
            Some(_) => Verdict::Isolated,
        }
    }

    /// Whether it behaves like a source of its kind.
    pub(super) fn is_as_expected(&self) -> bool {
        match self.verdict() {
            Verdict::TooCoarse => true,
            Verdict::Isolated => self.own_time,
            Verdict::Disturbed => !self.own_time,
        }
    }
}

fn median(rounds: &[f64]) -> Option<f64> {
    let mut sorted = rounds.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(own_time: bool, alone: &[f64], beside: &[f64]) -> SourceTimes {
        SourceTimes {
            source: "a".to_owned(),
            counts: "wall".to_owned(),
            own_time,
            alone: alone.to_vec(),
            beside: beside.to_vec(),
        }
    }

    #[test]
    fn a_second_process_doubles_wall_time_and_leaves_cpu_time() {
        let wall = seen(false, &[100.0, 101.0, 180.0], &[199.0, 205.0, 90.0]);
        assert_eq!(wall.verdict(), Verdict::Disturbed);
        assert_eq!(wall.ratio(), Some(199.0 / 101.0));
        assert!(wall.is_as_expected());
        let own = seen(true, &[100.0, 101.0, 102.0], &[103.0, 104.0, 105.0]);
        assert_eq!(own.verdict(), Verdict::Isolated);
        assert!(own.is_as_expected());
    }

    #[test]
    fn what_should_not_be_is_told() {
        assert!(!seen(true, &[100.0], &[200.0]).is_as_expected());
        assert!(!seen(false, &[100.0], &[101.0]).is_as_expected());
    }

    #[test]
    fn a_source_that_saw_nothing_is_not_judged() {
        let coarse = seen(true, &[0.0, 0.0, 4.0], &[4.0, 0.0, 4.0]);
        assert_eq!(coarse.verdict(), Verdict::TooCoarse);
        assert_eq!(coarse.ratio(), None);
        assert!(seen(false, &[], &[]).is_as_expected());
    }
}
