use tourbillon_record::{Finding, Rounds, Verdict};

use crate::{Claim, Proportion, Repeats, Table, quantile};

/// What many verdicts come to.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    verdicts: Vec<Verdict>,
}

impl Tally {
    /// Makes a verdict for each repeat.
    pub(crate) fn of(repeats: Repeats, verdict: impl Fn(u64) -> Verdict + Sync) -> Tally {
        Tally {
            verdicts: repeats.of(verdict),
        }
    }

    /// Verdicts that were made elsewhere.
    pub(crate) fn from_verdicts(verdicts: Vec<Verdict>) -> Tally {
        Tally { verdicts }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.verdicts.len()
    }

    /// How often it was this.
    pub(crate) fn found(&self, finding: Finding) -> Proportion {
        self.count(|verdict| verdict.finding == finding)
    }

    /// How often it was called different.
    pub(crate) fn different(&self) -> Proportion {
        self.count(|v| matches!(v.finding, Finding::Faster | Finding::Slower))
    }

    /// How often the printed interval did not contain the true ratio.
    pub(crate) fn missed(&self, ratio: f64) -> Proportion {
        self.count(|verdict| excludes(verdict, ratio))
    }

    /// How often the arms were found to disturb each other.
    pub(crate) fn disturbed(&self) -> Proportion {
        self.count(|verdict| verdict.interference.is_some_and(|i| i.matters))
    }

    /// How often turns were made longer.
    pub(crate) fn lengthened(&self) -> Proportion {
        let least = Rounds::LEAST_LEAD_IN;
        self.count(|verdict| verdict.interference.is_some_and(|i| i.lead_in > least))
    }

    /// Seconds of measuring that a share of the verdicts took at most.
    pub(crate) fn seconds(&self, share: f64) -> String {
        let seconds = quantile(self.verdicts.iter().map(|v| v.seconds), share);
        format!("{seconds:.2} s")
    }

    /// Pairs of processes that a share of the verdicts took at most.
    pub(crate) fn launches(&self, share: f64) -> String {
        let launches = quantile(self.verdicts.iter().map(|v| v.launches.into()), share);
        format!("{launches:.0}")
    }

    fn count(&self, of: impl Fn(&Verdict) -> bool) -> Proportion {
        Proportion::count(self.verdicts.iter().map(of))
    }
}

/// Whether an interval is there and does not contain a ratio.
pub(crate) fn excludes(verdict: &Verdict, ratio: f64) -> bool {
    let ends = verdict.lower.zip(verdict.upper);
    ends.is_some_and(|(lower, upper)| ratio < lower || upper < ratio)
}

/// Adds what a power table shows of verdicts about a ratio to its last row: `None` where the change
/// has no one ratio.
pub(crate) fn power(table: &mut Table, tally: &Tally, ratio: Option<f64>, error: f64) {
    let shown = Claim::Shown { upper: false };
    // What is slower, even if by little, is never to be called faster, and the other way round.
    let (right, wrong) = match ratio {
        Some(ratio) if ratio < 1.0 => (Finding::Faster, Finding::Slower),
        _ => (Finding::Slower, Finding::Faster),
    };
    table.share(tally.found(right), shown);
    table.share(tally.found(Finding::Same), shown);
    table.share(tally.found(Finding::Undecided), shown);
    table.share(tally.found(wrong), Claim::AtMost(error));
    match ratio {
        Some(ratio) => table.share(tally.missed(ratio), Claim::AtMost(error)),
        None => table.text("–"),
    }
}
