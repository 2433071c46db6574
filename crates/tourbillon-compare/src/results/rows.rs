//! A comparison as rows: what became of each case of both builds, whether it was measured or not.

use std::collections::HashMap;

use tourbillon_present::Explanation;
use tourbillon_record::{Case, Finding, Metric, Verdict};
use tourbillon_report::{Names, Outcome};

use crate::counts::{CountKind, Pair};
use crate::gate::by_case::OfCases;
use crate::gate::result::name;
use crate::growth::Growth;
use crate::judgement::Compared;
use crate::measurement::MeasuredCase;
use crate::results::assertion::of_assertion;
use crate::results::case_outcome::CaseOutcome;
use crate::results::notes::{failure, of_verdict, uncounted};
use crate::results::suite::suite_without_path;
use crate::verify::Asserted;

/// The rows of a comparison and of the assertions of its newer build.
pub(crate) fn rows(compared: &Compared<'_>, asserted: Option<&Asserted>) -> Vec<CaseOutcome> {
    let names = compared.comparison.names();
    let gate = compared.gate.as_ref().map(OfCases::of);
    let of_verdict = |case, verdict| of_case(compared, gate.as_ref(), case, verdict, &names);
    let mut rows = Vec::new();
    for case in &compared.measured.cases {
        let verdicts = compared.verdicts(case);
        rows.extend(verdicts.map(|verdict| of_verdict(case, verdict)));
        let of_kind = |kind| of_counts(compared, gate.as_ref(), case, &names, kind);
        rows.extend(CountKind::ALL.into_iter().filter_map(of_kind));
    }
    rows.extend(unpaired(compared, &names));
    let growth = compared.gate.iter().flat_map(|gate| &gate.growth);
    rows.extend(growth.filter_map(of_growth));
    if let Some(build) = asserted {
        rows.extend(
            build
                .verdicts
                .iter()
                .map(|one| of_assertion(one, &build.names)),
        );
    }
    for row in &mut rows {
        if let Some(suite) = suite_without_path(compared.comparison, &row.id) {
            row.suite = suite;
        }
    }
    rows
}

/// Rows of times that show what placement does to them; whether it is known of any.
pub(crate) fn show_placements(rows: &mut [CaseOutcome], compared: &Compared<'_>) -> bool {
    let cases = compared.measured.cases.iter();
    let spreads: HashMap<&str, f64> = cases
        .filter_map(|case| Some((case.case.id.as_str(), case.placement_spread()?)))
        .collect();
    for row in rows {
        row.placement = spreads.get(row.id.as_str()).copied();
    }
    !spreads.is_empty()
}

/// The rows of a build whose reference has no benchmarks.
pub(crate) fn new_rows(cases: &[Case]) -> Vec<CaseOutcome> {
    let names = Names::of(cases);
    let row = |case: &Case| CaseOutcome::new(&case.id, names.name(&case.id), Outcome::New).at(case);
    cases.iter().map(row).collect()
}

/// A verdict on the time of a case, or on a percentile.
fn of_case(
    compared: &Compared<'_>,
    gate: Option<&OfCases<'_>>,
    case: &MeasuredCase,
    verdict: &Verdict,
    names: &Names,
) -> CaseOutcome {
    let builds = compared.comparison.builds();
    let of_time = verdict.metric.is_none();
    let mut notes = Vec::new();
    if let (true, Some((side, fault))) = (of_time, &case.fault) {
        notes.push(Explanation::Own(failure(
            &builds[*side].label,
            fault,
            names.name(&case.case.id),
        )));
    }
    let slower = gate.and_then(|gate| gate.slower(verdict));
    let mut exceeds: Vec<Explanation> = slower.map(Explanation::Own).into_iter().collect();
    let own_name = name(verdict, names);
    if gate.is_some_and(|gate| gate.fails_undecided(&own_name)) {
        exceeds.push(undecided_fails());
    }
    let is_exceeded = !exceeds.is_empty();
    notes.splice(0..0, exceeds);
    notes.extend(of_verdict(case, verdict));
    if of_time {
        notes.extend(opposite(&case.counts.pairs(&verdict.case), verdict.finding));
    }
    let metric = verdict.metric.map(|metric| metric.name());
    let id = metric.map_or_else(
        || verdict.case.clone(),
        |metric| format!("{} {metric}", verdict.case),
    );
    let mut row = CaseOutcome {
        verdict: Some(verdict.clone()),
        notes,
        ..CaseOutcome::new(&id, &own_name, case.outcome(verdict)).at(&case.case)
    };
    if is_exceeded {
        row.exceed();
    }
    row
}

/// That instructions and time moved in opposite directions, each by more than its interval.
fn opposite(pairs: &[Pair], finding: Finding) -> Option<Explanation> {
    let of_time = match finding {
        Finding::Slower => "fewer",
        Finding::Faster => "more",
        _ => return None,
    };
    let instructions = [Metric::Instructions, Metric::CpuInstructions];
    let mut counted = pairs
        .iter()
        .filter(|pair| instructions.contains(&pair.metric));
    let pair = counted.find(|pair| pair.finding() == of_time)?;
    let change = pair.change();
    Some(Explanation::Own(format!(
        "{change}: instructions and time moved in opposite directions, so the cause is how they are executed"
    )))
}

/// The counts of a case, where they differ or were counted in one build only.
fn of_counts(
    compared: &Compared<'_>,
    gate: Option<&OfCases<'_>>,
    case: &MeasuredCase,
    names: &Names,
    kind: CountKind,
) -> Option<CaseOutcome> {
    let name = kind.name(names.name(&case.case.id));
    let row = |outcome| CaseOutcome::new(&kind.name(&case.case.id), &name, outcome).at(&case.case);
    let differing = CaseOutcome::of_differing(&case.case, &case.counts, names, kind);
    if let Some(grown) = gate.and_then(|gate| gate.grown(&case.case.id, kind)) {
        let mut row = row(kind.outcome(true)).note(Explanation::Own(grown));
        row.exceed();
        row.change = differing.map_or_else(String::new, |row| row.change);
        return Some(row);
    }
    let fails = gate.is_some_and(|gate| gate.fails_undecided(&name));
    let uncounted = uncounted(compared.comparison, case, kind).filter(|_| case.fault.is_none());
    if !fails && (uncounted.is_none() || differing.is_some()) {
        let mut row = differing?;
        // Some events may be counted, and others not.
        row.notes.extend(uncounted.map(Explanation::Common));
        return Some(row);
    }
    let mut row = row(Outcome::Undecided);
    if fails {
        row.exceed();
        row = row.note(undecided_fails());
    }
    row.notes.extend(uncounted.map(Explanation::Common));
    Some(row)
}

/// Why what is undecided exceeds what the gate allows.
fn undecided_fails() -> Explanation {
    Explanation::Common("undecided, which counts as failed".to_owned())
}

/// Cases without a peer.
fn unpaired<'r>(
    compared: &'r Compared<'_>,
    names: &'r Names,
) -> impl Iterator<Item = CaseOutcome> + 'r {
    let comparison = compared.comparison;
    let [old, new] = comparison.builds().map(|build| &build.label);
    let row = |case: &Case, outcome, note: String| {
        let name = names.name(&case.id);
        CaseOutcome::new(&case.id, name, outcome)
            .at(case)
            .note(Explanation::Common(note))
    };
    let old = comparison
        .only_old
        .iter()
        .map(move |case| row(case, Outcome::Missing, format!("only in {old}")));
    let new = comparison
        .only_new
        .iter()
        .map(move |case| row(case, Outcome::New, format!("only in {new}")));
    let why = comparison.refused.join("; ");
    let refused = comparison
        .refused_cases
        .iter()
        .map(move |case| row(case, Outcome::NotCompared, why.clone()));
    old.chain(refused).chain(new)
}

/// A benchmark with a limit of growth that it exceeds, or that was not examined.
fn of_growth(growth: &Growth) -> Option<CaseOutcome> {
    let outcome = if growth.exceeds {
        Outcome::GrowsFaster
    } else {
        Outcome::GrowthUnknown
    };
    let id = format!("{} at_most {}", growth.benchmark, growth.axis);
    let text = growth.text()?;
    Some(CaseOutcome::new(&id, &growth.name, outcome).note(Explanation::Own(text)))
}

#[cfg(test)]
pub(crate) mod tests {
    use tourbillon_builds::Build;
    use tourbillon_record::{Fault, FaultKind};
    use tourbillon_report::Status;
    use tourbillon_stepper::PAIRS;

    use super::*;
    use crate::counts::Tally;
    use crate::counts::tests::{counts, events};
    use crate::gate::flag::GateFlag;
    use crate::gate::result::hold;
    use crate::gate::result::tests::measured;
    use crate::gate::thresholds::Gate;
    use crate::pairing::{Comparison, PairedCase};

    fn case(id: &str) -> Case {
        Case {
            id: id.to_owned(),
            name: id.split("::").last().unwrap_or_default().to_owned(),
            file: "benches/t.rs".to_owned(),
            line: 7,
            ..Case::default()
        }
    }

    /// The case of [`measured`], and one of each kind that is not measured.
    pub(crate) fn comparison() -> Comparison {
        let build = |label: &str| Build {
            label: label.to_owned(),
            ..Build::default()
        };
        Comparison {
            old: build("base"),
            new: build("head"),
            set_up_ns: 0,
            pairs: Vec::new(),
            cases: vec![PairedCase {
                case: case("p/t::c"),
                reference: "p/t::c".to_owned(),
                pair: 0,
            }],
            only_old: vec![case("p/t::gone")],
            only_new: vec![case("p/t::added")],
            ignored: Vec::new(),
            shard: None,
            refused_cases: vec![case("p/u::other")],
            refused: vec!["p/u uses another engine".to_owned()],
            conditions: Default::default(),
            equality: Vec::new(),
        }
    }

    /// The rows where p99 of the second build is so many times as long; `fails` is the side that fails.
    fn found(slower: u64, fails: Option<usize>, undecided_fails: bool) -> Vec<CaseOutcome> {
        let comparison = comparison();
        let mut measured = measured(slower);
        measured.cases[0].percentiles[0].finding = Finding::Undecided;
        if let Some(side) = fails {
            let fault = Fault {
                kind: FaultKind::Exit(7),
                ..Fault::default()
            };
            measured.cases[0].fault = Some((side, fault));
        }
        let flags = ["1%", "p99=5%"].map(|flag| GateFlag::parse(flag).expect(flag));
        let gate = Gate::read(&flags, None).expect("flags").expect("a gate");
        let names = comparison.names();
        let gate = hold(&measured.cases, &gate, &names, (0.001, 0), undecided_fails);
        let compared = Compared {
            comparison: &comparison,
            measured,
            gate: Some(gate),
            mistake: None,
        };
        rows(&compared, None)
    }

    fn outcomes(rows: &[CaseOutcome]) -> Vec<(&str, Status, &str)> {
        let parts = |row: &'_ CaseOutcome| (row.status, row.outcome.word());
        let parts = rows.iter().map(|row| (row.name.as_str(), parts(row)));
        parts
            .map(|(name, (status, word))| (name, status, word))
            .collect()
    }

    #[test]
    fn every_case_of_both_builds_has_a_row() {
        let rows = found(2, None, false);
        assert_eq!(
            outcomes(&rows),
            [
                ("c", Status::Passes, "same"),
                // Without a threshold, nothing judged it.
                ("c p50", Status::Undecided, "undecided"),
                ("c p99", Status::Exceeds, "slower"),
                ("gone", Status::Missing, "missing"),
                ("other", Status::Missing, "not compared"),
                ("added", Status::Missing, "new"),
            ]
        );
        assert_eq!(rows[2].sentences()[0], "slower by more than 5 %");
        assert_eq!(rows[3].sentences(), ["only in base"]);
        assert_eq!(rows[4].sentences(), ["p/u uses another engine"]);
        assert_eq!(
            (rows[0].suite.as_str(), rows[4].suite.as_str()),
            ("p/t", "p/u")
        );
        assert_eq!(rows[3].place, Some(("benches/t.rs".to_owned(), 7)));
    }

    #[test]
    fn instructions_that_moved_against_the_time_are_named() {
        let comparison = comparison();
        let sentences = |[then, now]: [u64; 2], finding| {
            let mut measured = measured(1);
            let case = &mut measured.cases[0];
            case.verdict.finding = finding;
            let launch = |each| Some(events(Metric::CpuInstructions, [each; PAIRS as usize]));
            case.counts.events = [launch(then), launch(now)];
            let compared = Compared::without_gate(&comparison, measured);
            let rows = rows(&compared, None);
            let of_case = rows.iter().find(|row| row.name == "c").expect("a row");
            of_case.sentences().join(" ")
        };
        let text = "90.00 cpu_instructions instead of 100.0: instructions and time moved in opposite directions";
        let found = sentences([100, 90], Finding::Slower);
        assert!(found.contains(text), "{found}");
        assert!(sentences([90, 100], Finding::Faster).contains("opposite"));
        for (counts, finding) in [
            ([90, 100], Finding::Slower),
            ([100, 90], Finding::Same),
            ([100, 100], Finding::Slower),
        ] {
            assert!(
                !sentences(counts, finding).contains("opposite"),
                "{finding:?}"
            );
        }
    }

    #[test]
    fn rows_of_times_show_what_placement_does() {
        let comparison = comparison();
        let mut measured = measured(1);
        let shown = |measured| {
            let compared = Compared::without_gate(&comparison, measured);
            let mut rows = rows(&compared, None);
            let is_known = show_placements(&mut rows, &compared);
            let of_rows = rows.iter().map(|row| row.placement);
            (is_known, of_rows.collect::<Vec<_>>())
        };
        let (is_known, placements) = shown(crate::gate::result::tests::measured(1));
        assert!(!is_known && placements.iter().all(Option::is_none));
        for (number, rounds) in measured.cases[0].launches.iter_mut().enumerate() {
            rounds.placement = Some(number as u64);
        }
        let (is_known, placements) = shown(measured);
        assert!(is_known);
        assert_eq!(placements[0], Some(0.0));
        assert!(
            placements[1..].iter().all(Option::is_none),
            "{placements:?}"
        );
    }

    #[test]
    fn a_failure_is_never_a_pass() {
        let rows = found(1, Some(1), false);
        assert_eq!(rows[0].status, Status::Failed);
        assert!(
            rows[0].sentences()[0].starts_with("failed in head: exited with code 7"),
            "{rows:?}"
        );
    }

    #[test]
    fn allocations_have_a_row_where_they_exceed_a_limit_or_are_not_known() {
        let rows_of = |sides: [&[u64]; 2], without_new: bool, undecided_fails| {
            let comparison = comparison();
            let mut measured = measured(1);
            let of_case = &mut measured.cases[0];
            of_case.percentiles.clear();
            of_case.counts = counts([sides[0], sides[0]], [sides[1], sides[1]]);
            if without_new {
                of_case.counts.sides[1] = Tally::Unable("no meter".to_owned());
            }
            let flags = [GateFlag::parse("1%").expect("a flag")];
            let gate = Gate::read(&flags, None).expect("flags").expect("a gate");
            let names = comparison.names();
            let held = hold(&measured.cases, &gate, &names, (0.001, 0), undecided_fails);
            let compared = Compared {
                comparison: &comparison,
                measured,
                gate: Some(held),
                mistake: None,
            };
            let mut rows = rows(&compared, None);
            rows.truncate(2);
            rows
        };
        let (three, four): (&[u64], &[u64]) = (&[3, 3], &[4, 4]);
        let second = |rows: &[CaseOutcome]| (rows[1].name.clone(), rows[1].status, rows[1].outcome);
        let grown = rows_of([three, four], false, false);
        let name = || "c allocations".to_owned();
        let expected = (name(), Status::Exceeds, Outcome::AllocatesMore);
        assert_eq!(second(&grown), expected);
        assert_eq!(grown[0].outcome, Outcome::Same);
        assert!(grown[1].sentences()[0].starts_with("allocates more: 4 allocs instead of 3"));
        let one_side = rows_of([three, three], true, false);
        let expected = (name(), Status::Undecided, Outcome::Undecided);
        assert_eq!(second(&one_side), expected);
        let fails = rows_of([three, three], true, true);
        assert_eq!(fails[1].status, Status::Exceeds);
        assert_eq!(fails[1].sentences()[0], "undecided, which counts as failed");
        // Otherwise they have none.
        assert_eq!(rows_of([three, three], false, true)[1].name, "gone");
    }
}
