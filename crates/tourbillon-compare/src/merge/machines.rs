//! One comparison on several machines. Only ratios are combined: times of two machines are never compared.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;

use tourbillon_record::{Finding, Verdict};
use tourbillon_report::{Change, Outcome, counted, escape, first_names};
use tourbillon_stats::{Confidence, Interval};
use tourbillon_tool::machine_kind::Machine;
use tourbillon_tool::record_file::StoredRun;

use super::random_effects::{AcrossGroups, Group, across_groups};
use super::whole::gap;
use crate::facts;

/// What all machines found.
#[derive(Debug, Default)]
pub(super) struct Machines<'r> {
    /// How many measured to the end.
    count: usize,
    /// How many did not.
    interrupted: usize,
    /// Cases that failed on a machine.
    failed: usize,
    /// What records of machines lack.
    gaps: Vec<String>,
    /// By case and metric: a verdict of each machine.
    cases: BTreeMap<String, Vec<MachineVerdict<'r>>>,
}

/// The verdict of a machine.
#[derive(Debug)]
struct MachineVerdict<'r> {
    /// The name of the machine.
    machine: &'r str,
    kind: Machine,
    verdict: &'r Verdict,
}

impl<'r> Machines<'r> {
    /// Of the runs of one comparison.
    pub(super) fn of(runs: &[&'r StoredRun]) -> Machines<'r> {
        let mut machines = Machines::default();
        // Of two complete runs on one machine, the later one counts.
        let (mut complete, mut begun) = (BTreeMap::new(), BTreeMap::new());
        for stored in runs {
            let run = &stored.run;
            let machine = run.header.fact_text(facts::MACHINE).unwrap_or_default();
            begun.insert(machine, run);
            if run.end.as_ref().is_some_and(|end| !end.interrupted) {
                complete.insert(machine, run);
            }
        }
        machines.count = complete.len();
        machines.interrupted = begun.len() - complete.len();
        let mut lacking: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
        let mut lacks = |machine, what, name| {
            lacking.entry((machine, what)).or_default().insert(name);
        };
        let mut whole = Vec::new();
        for (&machine, run) in &complete {
            match gap(run) {
                Some(what) => machines.gaps.push(format!("{machine} {what}")),
                None => whole.push(machine),
            }
            let mut faults: Vec<&str> = run.faults.iter().map(|fault| &*fault.case).collect();
            faults.sort_unstable();
            faults.dedup();
            machines.failed += faults.len();
            for verdict in &run.verdicts {
                let found = MachineVerdict {
                    machine,
                    kind: Machine::of(&run.header),
                    verdict,
                };
                let name = match verdict.metric {
                    Some(metric) => format!("{} {}", verdict.case, metric.name()),
                    None => verdict.case.clone(),
                };
                let all = machines.cases.entry(name.clone()).or_default();
                if all.last().is_some_and(|last| last.machine == machine) {
                    lacks(machine, "several verdicts", name);
                } else {
                    all.push(found);
                }
            }
        }
        for (name, found) in &machines.cases {
            let has: HashSet<&str> = found.iter().map(|one| one.machine).collect();
            for machine in whole.iter().filter(|machine| !has.contains(*machine)) {
                lacks(machine, "no verdict", name.clone());
            }
        }
        for ((machine, what), cases) in lacking {
            let names = Vec::from_iter(cases);
            let gap = format!("{machine} has {what} on {}", first_names(&names));
            machines.gaps.push(gap);
        }
        machines
    }

    /// Whether all machines measured all of their cases.
    pub(super) fn is_decided(&self) -> bool {
        self.count > 0 && self.interrupted == 0 && self.failed == 0 && self.gaps.is_empty()
    }

    /// The rest of a line, and lines for each case.
    pub(super) fn text(&self) -> String {
        let mut text = counted(self.count, "machine");
        let failed = Outcome::Failed.word();
        for (count, what) in [(self.interrupted, "interrupted"), (self.failed, failed)] {
            if count > 0 {
                let _ = write!(text, "; {count} {what}");
            }
        }
        for gap in &self.gaps {
            let undecided = Outcome::Undecided.word();
            let _ = write!(text, "; {undecided}: {}", escape(gap, true));
        }
        text.push('\n');
        for (name, found) in &self.cases {
            let name = escape(name, true);
            let _ = writeln!(text, "  {name}: {}", agreement(found));
            if !all_agree(found) {
                for one in found {
                    let machine = escape(one.machine, true);
                    let words = Outcome::of(one.verdict).word();
                    let _ = writeln!(text, "    {machine}: {words}{}", ratio(one.verdict));
                }
            }
            for (kind, across) in across(found) {
                let _ = writeln!(text, "    {kind}: {across}");
            }
        }
        text
    }
}

fn all_agree(found: &[MachineVerdict<'_>]) -> bool {
    let outcome = |one: &MachineVerdict<'_>| Outcome::of(one.verdict);
    found
        .windows(2)
        .all(|two| outcome(&two[0]) == outcome(&two[1]))
}

/// `all 5 agree: slower`, or how many found what.
fn agreement(found: &[MachineVerdict<'_>]) -> String {
    let count = found.len();
    match found {
        [one] => format!("{}{}", Outcome::of(one.verdict).word(), ratio(one.verdict)),
        [one, ..] if all_agree(found) && one.verdict.finding == Finding::Undecided => {
            format!("{} on all {count}", Outcome::of(one.verdict).word())
        }
        [one, ..] if all_agree(found) => {
            format!("all {count} agree: {}", Outcome::of(one.verdict).word())
        }
        _ => {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for one in found {
                *counts.entry(Outcome::of(one.verdict).word()).or_default() += 1;
            }
            let findings: Vec<String> = counts
                .iter()
                .map(|(name, count)| format!("{name} on {count}"))
                .collect();
            format!("{} of {count}", findings.join(", "))
        }
    }
}

/// The ratio of a verdict with its interval.
fn ratio(verdict: &Verdict) -> String {
    match (verdict.ratio, verdict.lower, verdict.upper) {
        (Some(ratio), Some(lower), Some(upper)) => {
            let [ratio, lower, upper] = [ratio, lower, upper].map(Change::exact);
            format!(", {ratio} ({lower} to {upper})")
        }
        _ => String::new(),
    }
}

/// For each kind of machine with enough of them, the interval of the ratio.
fn across(found: &[MachineVerdict<'_>]) -> Vec<(String, String)> {
    let mut kinds: BTreeMap<&str, Vec<&MachineVerdict<'_>>> = BTreeMap::new();
    for one in found {
        kinds.entry(&one.kind.key).or_default().push(one);
    }
    let of_kind = |found: Vec<&MachineVerdict<'_>>| {
        let groups: Vec<Group> = found.iter().filter_map(|one| group(one.verdict)).collect();
        let across = across_groups(&groups, Confidence::P99).ok()?;
        let kind = escape(&found.first()?.kind.name, true);
        let name = format!("{kind}, {} machines", groups.len());
        Some((name, interval(&across)))
    };
    kinds.into_values().filter_map(of_kind).collect()
}

/// What a machine adds: the logarithm of the ratio.
fn group(verdict: &Verdict) -> Option<Group> {
    let [ratio, lower, upper] = [verdict.ratio?, verdict.lower?, verdict.upper?].map(f64::ln);
    let (confidence, is_finite) = (
        verdict.confidence,
        [ratio, lower, upper].map(f64::is_finite),
    );
    let is_usable = is_finite == [true; 3] && lower <= upper && (0.0..1.0).contains(&confidence);
    is_usable.then(|| {
        let interval = Interval {
            lower,
            upper,
            confidence,
        };
        Group::of(ratio, interval)
    })
}

fn interval(across: &AcrossGroups) -> String {
    let [centre, lower, upper] = [across.centre, across.interval.lower, across.interval.upper]
        .map(|log| Change::exact(log.exp()));
    format!("{centre} ({lower} to {upper}, 99 % for machines of this kind)")
}

#[cfg(test)]
pub(super) mod tests {
    use tourbillon_record::{Case, End, Fact, FactValue, Fault, Header, Run};

    use super::*;

    fn fact(name: &str, value: &str) -> Fact {
        Fact {
            name: name.to_owned(),
            value: FactValue::Text(value.to_owned()),
        }
    }

    /// A comparison of one case on a machine.
    pub(in crate::merge) fn on(
        machine: &str,
        kind: &str,
        finding: Finding,
        ratio: f64,
    ) -> StoredRun {
        let facts = [
            ("reference_commit", "1a2b3c4d5e6f"),
            ("reference_flags", ""),
            ("reference_toolchain", "rustc 1"),
            ("candidate_commit", "7a8b9c0d1e2f"),
            ("candidate_flags", "features=simd"),
            ("candidate_toolchain", "rustc 1"),
            ("cpu_model", kind),
            (facts::MACHINE, machine),
        ];
        let verdict = Verdict {
            case: "shop/sort::sum".to_owned(),
            finding,
            ratio: Some(ratio),
            lower: Some(ratio - 0.001),
            upper: Some(ratio + 0.001),
            confidence: 0.99,
            ..Verdict::default()
        };
        let run = Run {
            header: Header {
                package: "shop".to_owned(),
                target: "sort".to_owned(),
                facts: facts.map(|(name, value)| fact(name, value)).into(),
                ..Header::default()
            },
            cases: vec![Case {
                id: verdict.case.clone(),
                ..Case::default()
            }],
            verdicts: vec![verdict],
            end: Some(End::default()),
            ..Run::default()
        };
        StoredRun {
            run,
            sha256: machine.to_owned(),
        }
    }

    fn machines(ratios: &[f64]) -> Vec<StoredRun> {
        let names = ["a", "b", "c", "d", "e", "f"];
        ratios
            .iter()
            .zip(names)
            .map(|(ratio, name)| on(name, "Ryzen", Finding::Slower, *ratio))
            .collect()
    }

    fn text(runs: &[StoredRun]) -> String {
        Machines::of(&runs.iter().collect::<Vec<_>>()).text()
    }

    const FIVE: [f64; 5] = [1.020, 1.022, 1.021, 1.019, 1.023];

    #[test]
    fn five_machines_have_an_interval() {
        let text = text(&machines(&FIVE));
        let (first, last) = text.split_once("Ryzen, 5 machines: ").expect(&text);
        assert_eq!(
            first,
            "5 machines\n  shop/sort::sum: all 5 agree: slower\n    "
        );
        // The standard deviation of 1.58e-3, times 4.604, by the root of five, of ratios near 1.021.
        assert_eq!(
            last,
            "+2.10 % (+1.77 % to +2.43 %, 99 % for machines of this kind)\n"
        );
    }

    #[test]
    fn times_do_not_matter() {
        let mut runs = machines(&FIVE);
        let before = text(&runs);
        for (stored, ns) in runs.iter_mut().zip([1.0, 10.0, 1e3, 1e6, 1e9]) {
            stored.run.verdicts[0].reference_ns = Some(ns);
            stored.run.verdicts[0].case_ns = Some(ns * 1.02);
        }
        assert_eq!(text(&runs), before);
    }

    #[test]
    fn fewer_machines_and_machines_of_two_kinds_have_none() {
        let mut runs = machines(&FIVE);
        runs[4] = on("e", "Xeon", Finding::Slower, 1.02);
        assert_eq!(
            text(&runs),
            "5 machines\n  shop/sort::sum: all 5 agree: slower\n"
        );
        let undecided = ["a", "b"].map(|name| on(name, "Ryzen", Finding::Undecided, 1.0));
        let answer = text(&undecided);
        assert!(answer.ends_with("sum: undecided on all 2\n"), "{answer}");
        // A verdict without a ratio adds nothing.
        let mut runs = machines(&FIVE);
        runs[0].run.verdicts[0].ratio = None;
        assert!(!text(&runs).contains("of this kind"));
        runs[0].run.verdicts[0].ratio = Some(f64::NAN);
        assert!(!text(&runs).contains("of this kind"));
    }

    #[test]
    fn machines_that_disagree_are_listed() {
        let runs = [
            on("a", "Ryzen", Finding::Slower, 1.02),
            on("b", "Ryzen", Finding::Same, 1.001),
        ];
        assert_eq!(
            text(&runs),
            "2 machines\n  shop/sort::sum: same on 1, slower on 1 of 2\n    \
             a: slower, +2.00 % (+1.90 % to +2.10 %)\n    b: same, +0.10 % (+0.00 % to +0.20 %)\n"
        );
    }

    #[test]
    fn a_machine_counts_once_and_whole() {
        let mut runs = machines(&FIVE);
        runs.push(on("a", "Ryzen", Finding::Slower, 1.5));
        let answer = text(&runs);
        assert!(answer.starts_with("5 machines\n"), "{answer}");
        assert!(answer.contains("to +57"), "the later one counts: {answer}");
        let mut killed = on("f", "Ryzen", Finding::Slower, 1.02);
        killed.run.end = None;
        runs.push(killed);
        let all: Vec<&StoredRun> = runs.iter().collect();
        let answer = Machines::of(&all);
        assert!(!answer.is_decided());
        assert!(answer.text().starts_with("5 machines; 1 interrupted\n"));
        runs.pop();
        let fail = |stored: &mut StoredRun| {
            stored.run.faults = vec![Fault::default()];
            stored.run.end.as_mut().expect("an end").faults = 1;
        };
        fail(&mut runs[0]);
        assert!(Machines::of(&runs.iter().collect::<Vec<_>>()).is_decided());
        fail(&mut runs[1]);
        assert!(!Machines::of(&runs.iter().collect::<Vec<_>>()).is_decided());
    }
}
