//! Finds the cases that are to be explained.

use std::collections::HashMap;

use tourbillon_present::{Block, Judged};
use tourbillon_record::Verdict;
use tourbillon_report::{Outcome, Style};

use crate::confirmation::{Confirmed, Explain};
use crate::judgement::Compared;
use crate::pairing::{Comparison, PairedCase};

impl Comparison {
    /// The cases that verdicts call faster or slower, in the order of what a reader must act on.
    pub fn confirmed<'c>(
        &'c self,
        verdicts: impl IntoIterator<Item = &'c Verdict>,
    ) -> Vec<Confirmed<'c>> {
        let names = self.names();
        let cases: HashMap<&str, &PairedCase> = self
            .cases
            .iter()
            .map(|paired| (paired.case.id.as_str(), paired))
            .collect();
        let mut confirmed = Vec::new();
        for verdict in verdicts {
            let is_clear = matches!(Outcome::of(verdict), Outcome::Slower | Outcome::Faster);
            let case = cases.get(verdict.case.as_str()).copied();
            if let (true, None, Some(paired)) = (is_clear, verdict.metric, case) {
                confirmed.push(Confirmed {
                    name: names.name(&paired.case.id).to_owned(),
                    ids: [&paired.reference, &paired.case.id],
                    builds: self.builds(),
                    executables: self.executables(paired.pair),
                    verdict,
                    built_otherwise: self.built_otherwise(),
                });
            }
        }
        confirmed.sort_by_key(|one| Judged::new("", one.verdict).order());
        confirmed
    }

    /// What the user or a commit asked for that makes both builds other ones.
    fn built_otherwise(&self) -> Option<String> {
        let flags = self.builds().map(|build| build.flags.as_str());
        let facts = self.conditions.explained_facts();
        match flags {
            [old, new] if facts.is_empty() && old != new => Some(new.to_owned()),
            _ => Some(facts).filter(|facts| !facts.is_empty()),
        }
    }
}

impl Compared<'_> {
    /// What explains its cases that are faster or slower; nothing without an explanation, and where it was interrupted.
    pub(crate) fn explained(&self, explain: Option<Explain>, style: &Style) -> Vec<Block> {
        let confirmed = self.confirmed();
        match explain {
            Some(explain) if !confirmed.is_empty() => explain(&confirmed, style),
            _ => Vec::new(),
        }
    }

    /// Its cases that are faster or slower; none where it was interrupted.
    pub(crate) fn confirmed(&self) -> Vec<Confirmed<'_>> {
        if self.interrupted() {
            return Vec::new();
        }
        let is_valid = self
            .measured
            .cases
            .iter()
            .filter(|case| case.fault.is_none());
        let verdicts = is_valid.map(|case| self.verdict(case));
        self.comparison.confirmed(verdicts)
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Finding, Metric};

    use super::*;
    use crate::results::rows::tests::comparison;
    use crate::results::suite::tests::executable;

    fn verdict(case: &str, finding: Finding, ratio: f64) -> Verdict {
        Verdict {
            case: case.to_owned(),
            finding,
            ratio: Some(ratio),
            ..Verdict::default()
        }
    }

    #[test]
    fn cases_with_a_direction_are_confirmed() {
        let mut comparison = comparison();
        let first = comparison.cases[0].clone();
        for build in [&mut comparison.old, &mut comparison.new] {
            build.executables = vec![executable()];
        }
        comparison.pairs = vec![[0, 0]];
        for name in ["d", "e"] {
            let mut other = first.clone();
            other.case.id = format!("p/t::{name}");
            comparison.cases.push(other);
        }
        let mut percentile = verdict("p/t::d", Finding::Slower, 9.0);
        percentile.metric = Some(Metric::P99);
        let verdicts = [
            verdict("p/t::c", Finding::Faster, 0.5),
            percentile,
            verdict("p/t::d", Finding::Same, 1.0),
            verdict("p/t::e", Finding::Slower, 1.3),
            verdict("p/t::gone", Finding::Slower, 1.3),
        ];
        let confirmed = comparison.confirmed(&verdicts);
        let ids: Vec<[&str; 2]> = confirmed.iter().map(|one| one.ids).collect();
        assert_eq!(ids, [["p/t::c", "p/t::e"], ["p/t::c", "p/t::c"]]);
        assert_eq!(confirmed[0].built_otherwise, None);
        comparison.new.flags = "features=simd".to_owned();
        let confirmed = comparison.confirmed(&verdicts);
        let otherwise = confirmed[0].built_otherwise.as_deref();
        assert_eq!(otherwise, Some("features=simd"));
    }
}
