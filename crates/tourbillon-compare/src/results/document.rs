//! A comparison as a document.

use tourbillon_present::{
    Block, Document, Judged, Note, Phrase, Table, limit_notes, shell_operand, verdict_table,
};
use tourbillon_report::{Outcome, Style, counted};

use crate::judgement::Compared;
use crate::measurement::Measured;
use crate::pairing::Comparison;
use crate::results::basis::{basis, spent};
use crate::results::case_outcome::CaseOutcome;
use crate::results::notes::{failures, notes};

/// The command that prints the other notes of a comparison that is stored.
pub(crate) const EXPLAIN: &str = "cargo tourbillon explain";

/// A comparison, with what became of each case. The command `more` prints the notes that this leaves out.
pub(crate) fn document(
    compared: &Compared<'_>,
    found: &[CaseOutcome],
    style: &Style,
    all: bool,
    more: &str,
) -> Document {
    let comparison = compared.comparison;
    let builds = comparison.builds();
    let labels = match &comparison.cases[..] {
        // Two cases of one build.
        [only] if only.reference != only.case.id && builds[0].label == builds[1].label => {
            let names = comparison.names();
            [&only.reference, &only.case.id].map(|id| names.name(id).to_owned())
        }
        _ => builds.map(|build| build.label.clone()),
    };
    let mut all_notes = failures(compared);
    let mut others = notes(compared);
    if !all {
        limit_notes(&mut others, more);
    }
    all_notes.append(&mut others);
    let Measured {
        wall_ns,
        linking_ns,
        ..
    } = compared.measured;
    let told = Told {
        builds: builds.map(|build| build.label.clone()),
        labels,
        cases: compared.measured.cases.len(),
        lines: lines(comparison),
        notes: all_notes,
        gate: gate_lines(compared),
        spent: spent(wall_ns, linking_ns),
        basis: basis(compared),
    };
    told.document(found, style, all)
}

/// What a comparison has besides its rows, whether it was measured just now or read from its record.
pub(crate) struct Told {
    /// What the two builds are called.
    pub(crate) builds: [String; 2],
    /// The titles of the columns of both sides.
    pub(crate) labels: [String; 2],
    /// How many cases were compared.
    pub(crate) cases: usize,
    /// What else is to be known about what was compared.
    pub(crate) lines: Vec<String>,
    pub(crate) notes: Vec<Note>,
    /// What the gate says.
    pub(crate) gate: Vec<String>,
    /// How long it took.
    pub(crate) spent: String,
    /// How it was measured.
    pub(crate) basis: String,
}

impl Told {
    /// The document, with these rows.
    pub(crate) fn document(self, found: &[CaseOutcome], style: &Style, all: bool) -> Document {
        let found: Vec<&CaseOutcome> = found.iter().collect();
        let title = self.title(&found);
        let mut blocks = vec![Block::Table(table(&self.labels, &found, style, all))];
        blocks.extend(self.lines.into_iter().map(Block::text));
        let mut notes = self.notes;
        let of_gate = self.gate.into_iter();
        notes.extend(of_gate.map(|line| Note::new("gate: ", line)));
        blocks.push(Block::Notes(notes));
        let mut answer = tally(found.iter().copied());
        answer.push(self.spent.into());
        Document {
            title,
            blocks,
            answer,
            details: self.basis,
        }
    }

    fn title(&self, found: &[&CaseOutcome]) -> String {
        let [old, new] = &self.builds;
        let mut suites: Vec<&str> = found.iter().map(|row| row.suite.as_str()).collect();
        suites.sort_unstable();
        suites.dedup();
        let suites = match suites.as_slice() {
            [] => String::new(),
            [only] => format!(" · {only}"),
            several => format!(" · {}", counted(several.len(), "target")),
        };
        let cases = counted(self.cases, "case");
        format!("{old} → {new}{suites} · {cases} compared")
    }
}

/// The command that says why the first case is slower, for a person, where there is one.
pub(crate) fn what_next(rows: &[CaseOutcome], style: &Style) -> Option<Block> {
    let is_supported = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    let slower = rows.iter().map(CaseOutcome::judged).filter(|row| {
        row.outcome == Outcome::Slower && row.verdict.is_some_and(|one| one.metric.is_none())
    });
    let name = shell_operand(slower.min_by_key(Judged::order)?.name, style.unicode);
    let is_shown = is_supported && !style.wide_tables;
    is_shown.then(|| Block::text(format!("what made it slower: cargo tourbillon why {name}")))
}

/// What a reader has to know about what was compared.
pub(crate) fn lines(comparison: &Comparison) -> Vec<String> {
    let changed = comparison.also_changed().into_iter();
    changed
        .chain(peers(comparison))
        .chain(comparison.ignored_line())
        .collect()
}

/// What the gate says; nothing without one.
pub(crate) fn gate_lines(compared: &Compared<'_>) -> Vec<String> {
    let of_gate = compared.gate.iter().flat_map(|result| result.lines());
    of_gate.collect()
}

/// The cases that are compared with others than themselves.
fn peers(comparison: &Comparison) -> impl Iterator<Item = String> {
    let names = comparison.names();
    let others = comparison
        .cases
        .iter()
        .filter(|one| one.reference != one.case.id);
    others.map(move |one| {
        let [case, reference] = [&one.case.id, &one.reference].map(|id| names.name(id));
        format!("{case} is compared with {reference}")
    })
}

/// The rows below the labels of both builds.
pub(crate) fn table(
    labels: &[String; 2],
    found: &[&CaseOutcome],
    style: &Style,
    all: bool,
) -> Table {
    let judged: Vec<Judged<'_>> = found.iter().map(|row| row.judged()).collect();
    verdict_table(labels, &judged, style, all)
}

/// How many rows have each outcome.
pub(crate) fn tally<'r>(rows: impl IntoIterator<Item = &'r CaseOutcome>) -> Vec<Phrase> {
    tourbillon_present::tally(rows.into_iter().map(CaseOutcome::judged))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use tourbillon_record::{ComparedNumber, CompiledOtherwise, Finding, Undecided, Verdict};

    use super::*;
    use crate::gate::flag::GateFlag;
    use crate::gate::result::hold;
    use crate::gate::result::tests::measured;
    use crate::gate::thresholds::Gate;
    use crate::measurement::Measured;
    use crate::pairing::{Comparison, LeftOut};
    use crate::results::json_lines::json_lines;
    use crate::results::rows::rows;
    use crate::results::rows::tests::comparison;

    /// Whether a gate passes, what the page says on one line, and what programs read.
    fn gated(
        comparison: &Comparison,
        mut measured: Measured,
        undecided_fails: bool,
    ) -> (bool, String, String) {
        let flags = ["5%", "p99=5%"].map(|flag| GateFlag::parse(flag).expect(flag));
        let gate = Gate::read(&flags, None).expect("flags").expect("a gate");
        let names = comparison.names();
        measured.note_built_otherwise(comparison);
        let result = hold(&measured.cases, &gate, &names, (0.001, 0), undecided_fails);
        let passes = result.passes();
        let compared = Compared {
            comparison,
            measured,
            gate: Some(result),
            mistake: None,
        };
        let rows = rows(&compared, None);
        let page =
            document(&compared, &rows, &Style::default(), false, EXPLAIN).text(&Style::default());
        let words: Vec<&str> = page.split_whitespace().collect();
        (passes, words.join(" "), json_lines(&compared))
    }

    #[test]
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    fn a_person_is_shown_how_to_find_the_cause() {
        let verdict = |ratio| Verdict {
            finding: Finding::Slower,
            ratio: Some(ratio),
            ..Verdict::default()
        };
        let row = |name: &str, verdict: Verdict| CaseOutcome {
            verdict: Some(verdict),
            ..CaseOutcome::new(name, name, Outcome::Slower)
        };
        let percentile = Verdict {
            metric: Some(tourbillon_record::Metric::P99),
            ..verdict(9.0)
        };
        let rows = [
            row("a", verdict(1.1)),
            row("b [1]", verdict(1.2)),
            row("c p99", percentile),
        ];
        let terminal = Style::default();
        let expected = Block::text("what made it slower: cargo tourbillon why 'b [1]'");
        assert_eq!(what_next(&rows, &terminal), Some(expected));
        let file = Style {
            wide_tables: true,
            ..terminal
        };
        assert_eq!(what_next(&rows, &file), None);
        assert_eq!(what_next(&[], &terminal), None);
    }

    #[test]
    fn a_gate_closes_although_a_tracked_file_changed() {
        let mut comparison = comparison();
        comparison.conditions.files = vec![PathBuf::from(".cargo/config.toml")];
        let (passes, page, lines) = gated(&comparison, measured(2), false);
        assert!(!passes);
        assert!(page.contains("also changed: .cargo/config.toml"), "{page}");
        assert!(
            page.contains("gate: c p99 is slower by more than 5 %"),
            "{page}"
        );
        assert!(
            lines.contains("\"changed_files\":[\".cargo/config.toml\"]"),
            "{lines}"
        );
    }

    #[test]
    fn a_gate_on_what_was_built_otherwise_is_undecided() {
        let mut comparison = comparison();
        comparison.conditions.otherwise = vec![vec![CompiledOtherwise {
            fact: "opt_level",
            then: "3".to_owned(),
            now: "1".to_owned(),
        }]];
        for fails in [false, true] {
            let mut measured = measured(2);
            // Without a launch.
            measured.cases[0].launches.clear();
            measured.cases[0].percentiles.clear();
            let (passes, page, lines) = gated(&comparison, measured, fails);
            assert_eq!(passes, !fails, "{page}");
            assert!(
                page.contains("built otherwise: opt_level 3, now 1"),
                "{page}"
            );
            assert!(
                page.contains("c, c p99: undecided: both sides were built in"),
                "{page}"
            );
            let why = format!("\"why\":\"{}\"", Undecided::BuiltOtherwise.name());
            assert!(lines.contains(&why), "{lines}");
        }
    }

    #[test]
    fn cases_that_are_ignored_are_named() {
        let mut comparison = comparison();
        let case = comparison.only_new.remove(0);
        comparison.ignored = vec![LeftOut { case, is_new: true }];
        let (passes, page, lines) = gated(&comparison, measured(1), true);
        assert!(passes, "{page}");
        assert!(
            page.contains(" ignored added; -- --include-ignored measures it "),
            "{page}"
        );
        assert!(lines.contains("\"ignored\":[\"p/t::added\"]"), "{lines}");
        assert!(!lines.contains("\"verdict\":\"new\""), "{lines}");
    }

    #[test]
    fn unchanged_cases_pass_every_gate() {
        let mut measured = measured(2);
        let case = &mut measured.cases[0];
        case.launches.clear();
        case.percentiles.clear();
        case.verdict = Verdict {
            case: case.case.id.clone(),
            finding: Finding::Unchanged,
            confidence: 1.0,
            ..Verdict::default()
        };
        let (passes, page, lines) = gated(&comparison(), measured, true);
        assert!(passes, "{page}");
        assert!(page.contains("= c unchanged same machine code"), "{page}");
        assert!(
            page.contains("gate: no case is slower than allowed"),
            "{page}"
        );
        assert!(page.contains("1 unchanged \u{b7}"), "{page}");
        assert!(lines.contains("\"verdict\":\"unchanged\""), "{lines}");
        assert!(!page.contains("100 %"), "{page}");
    }

    #[test]
    fn a_gate_judges_a_number_by_its_direction() {
        let of = |case: f64| {
            let mut measured = measured(1);
            let one = &mut measured.cases[0];
            one.launches.clear();
            one.percentiles.clear();
            one.verdict = Verdict {
                ratio: Some(case / 10.0),
                lower: Some(case / 10.0),
                upper: Some(case / 10.0),
                number: Some(ComparedNumber {
                    name: "hits".to_owned(),
                    unit: "hits".to_owned(),
                    more_is_better: true,
                    reference: 10.0,
                    case,
                }),
                ..one.verdict.clone()
            };
            gated(&comparison(), measured, false)
        };
        let (passes, page, _) = of(8.0);
        assert!(!passes);
        assert!(page.contains("gate: c is worse by more than 5 %"), "{page}");
        assert!(page.contains("1 worse \u{b7}"), "{page}");
        assert!(of(12.0).0);
    }
}
