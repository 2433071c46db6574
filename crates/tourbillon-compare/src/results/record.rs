//! A comparison from its record, as it was printed.

use std::collections::HashSet;

use tourbillon_present::{Block, Document, Explanation, Note};
use tourbillon_record::{ByCase, Fact, FactValue, Finding, Rounds, Run, Verdict};
use tourbillon_report::{Names, Outcome, Style, comparison_basis, duration, faults, sides};

use crate::counts::{CountKind, Counts};
use crate::gate::result::name;
use crate::judgement::Compared;
use crate::results::case_outcome::CaseOutcome;
use crate::results::document::{Told, gate_lines, lines, what_next};
use crate::results::notes::{interruption, notes_of, of_builds, untimed};
use crate::results::rows::rows;

/// Facts that have what was printed, where neither verdicts nor counts tell it: notes, lines, what the gate said, and
/// rows, each after its outcome.
const NOTES: &str = "comparison_notes";
const LINES: &str = "comparison_lines";
const GATE: &str = "comparison_gate";
const ROWS: &str = "comparison_rows";

/// Outcomes of such rows.
const OUTCOMES: [Outcome; 6] = [
    Outcome::Missing,
    Outcome::NotCompared,
    Outcome::New,
    Outcome::GrowsFaster,
    Outcome::GrowthUnknown,
    Outcome::Undecided,
];

/// The facts of a comparison that only what was printed has.
pub(crate) fn printed(compared: &Compared<'_>) -> impl Iterator<Item = Fact> {
    let notes = of_builds(compared).into_iter().map(|note| {
        let heading = note.names.join(", ");
        let gap = if heading.is_empty() { "" } else { ": " };
        format!("{heading}{gap}{}", note.text)
    });
    let rows = rows(compared, None).into_iter();
    let rows = rows
        .filter(|row| row.verdict.is_none() && OUTCOMES.contains(&row.outcome))
        .map(|row| format!("{}: {}", row.outcome.word(), row.name));
    let lists = [
        (NOTES, notes.collect()),
        (LINES, lines(compared.comparison)),
        (GATE, gate_lines(compared)),
        (ROWS, Vec::from_iter(rows)),
    ];
    lists
        .into_iter()
        .filter(|(_, list)| !list.is_empty())
        .map(|(name, list)| Fact {
            name: name.to_owned(),
            value: FactValue::List(list),
        })
}

/// A comparison of builds from its record; `all` rows, also those that are the same beyond ten.
pub fn recorded(run: &Run, style: &Style, all: bool) -> Document {
    let names = Names::of(&run.cases);
    let rows = recorded_rows(run, &names);
    let spent = run.end.as_ref().map(|end| duration(end.wall_ns));
    let told = Told {
        builds: sides(&run.header),
        labels: sides(&run.header),
        cases: run.cases.len(),
        lines: list(run, LINES).to_vec(),
        notes: notes(run, &rows),
        gate: list(run, GATE).to_vec(),
        spent: spent.unwrap_or_else(|| "not ended".to_owned()),
        basis: comparison_basis(&run.verdicts),
    };
    let mut document = told.document(&rows, style, all);
    let faults = faults(&run.faults, &names, style);
    let mut below = Vec::new();
    if !faults.is_empty() {
        below.push(Block::Lines(faults));
    }
    if run.end.as_ref().is_some_and(|end| !end.interrupted) {
        below.extend(what_next(&rows, style));
    }
    document.insert_before_notes(below);
    document
}

/// How many cases of a recorded comparison have each outcome, in words: `3 slower, 1 allocates less`.
pub fn recorded_answer(run: &Run) -> String {
    let rows = recorded_rows(run, &Names::of(&run.cases));
    let tally = super::document::tally(&rows).into_iter();
    tally
        .map(|phrase| phrase.text)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The names of the cases of the reference that the newer build lacks.
pub(crate) fn missing(run: &Run) -> impl Iterator<Item = &str> {
    let word = Outcome::Missing.word();
    let rows = list(run, ROWS).iter();
    rows.filter_map(move |row| row.strip_prefix(word)?.strip_prefix(": "))
}

fn list<'r>(run: &'r Run, fact: &str) -> &'r [String] {
    match run.header.fact(fact) {
        Some(FactValue::List(texts)) => texts,
        _ => &[],
    }
}

/// What became of each case.
fn recorded_rows(run: &Run, names: &Names) -> Vec<CaseOutcome> {
    let failed: HashSet<&str> = run.faults.iter().map(|fault| &*fault.case).collect();
    // The reference's case may have another name.
    let rounds = run.rounds.iter();
    let rounds = ByCase::of(rounds.filter_map(|one| Some((one.cases.last()?.as_str(), one))));
    let mut rows = Vec::new();
    for verdict in &run.verdicts {
        let has_failed = failed.contains(&*verdict.case);
        rows.push(of_verdict(
            verdict,
            has_failed,
            rounds.case(&verdict.case),
            names,
        ));
    }
    let memory = ByCase::of(run.memory.iter().map(|one| (&*one.case, one)));
    let followed = ByCase::of(run.stepped.iter().map(|one| (&*one.case, one)));
    for case in &run.cases {
        let counts = Counts::recorded(memory.case(&case.id), followed.case(&case.id));
        let of_kind = |kind| CaseOutcome::of_differing(case, &counts, names, kind);
        rows.extend(CountKind::ALL.into_iter().filter_map(of_kind));
    }
    for row in list(run, ROWS) {
        let mut known = OUTCOMES.into_iter();
        let found = known.find_map(|outcome| {
            let name = row.strip_prefix(outcome.word())?.strip_prefix(": ")?;
            Some((outcome, name))
        });
        rows.extend(found.map(|(outcome, name)| CaseOutcome {
            suite: run.header.package.clone() + "/" + &run.header.target,
            ..CaseOutcome::new(name, name, outcome)
        }));
    }
    rows
}

fn of_verdict(
    verdict: &Verdict,
    has_failed: bool,
    launches: &[&Rounds],
    names: &Names,
) -> CaseOutcome {
    let outcome = if has_failed {
        Outcome::Failed
    } else {
        Outcome::of(verdict)
    };
    let untimed = || untimed(launches.iter().copied(), verdict).map(Explanation::Common);
    let note = untimed().or_else(|| Explanation::of(verdict));
    CaseOutcome {
        verdict: Some(verdict.clone()),
        notes: note.filter(|_| !has_failed).into_iter().collect(),
        ..CaseOutcome::new(&verdict.case, &name(verdict, names), outcome)
    }
}

/// The notes that were printed, and that cases have no verdict.
fn notes(run: &Run, rows: &[CaseOutcome]) -> Vec<Note> {
    let is_interrupted = run.end.as_ref().is_some_and(|end| end.interrupted);
    let is_undecided = |row: &&CaseOutcome| {
        let mut verdict = row.verdict.iter();
        verdict.any(|one| one.finding == Finding::Undecided)
    };
    let open = rows.iter().filter(|row| row.outcome != Outcome::Failed);
    let open: HashSet<&str> = open.filter(is_undecided).map(|row| &*row.id).collect();
    let interrupted = interruption(open.len()).filter(|_| is_interrupted);
    let texts = interrupted
        .into_iter()
        .chain(list(run, NOTES).iter().cloned());
    let mut notes: Vec<Note> = texts.map(|text| Note::new("! ", text)).collect();
    // That it was interrupted is why these are undecided.
    let is_known = |row: &&CaseOutcome| !(is_interrupted && is_undecided(row));
    let mut known: Vec<&CaseOutcome> = rows.iter().filter(is_known).collect();
    known.sort_by_key(|row| row.outcome);
    notes.extend(notes_of(&known));
    let names = Names::of(&run.cases);
    let decided: HashSet<&str> = run.verdicts.iter().map(|one| one.case.as_str()).collect();
    let without = run.cases.iter().filter(|case| !decided.contains(&*case.id));
    notes.extend(Note::joined(without.map(|case| {
        let why = Explanation::Common("no verdict".to_owned());
        (names.name(&case.id).to_owned(), why)
    })));
    notes
}
