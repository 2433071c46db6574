//! A comparison as a document.

use std::collections::BTreeMap;

use tourbillon_present::{Audience, Block, Cell, Column, Document, Ink, Mark, Note, Row, Table};
use tourbillon_record::{CaseResult, Metric, OwnMetric, Verdict};
use tourbillon_report::{
    Figure, Outcome, Reason, Status, Style, counted, duration, measured as shown_number, shortened,
};

use crate::judgement::Compared;
use crate::pairing::Comparison;
use crate::results::basis::basis;
use crate::results::notes::{failures, notes};
use crate::results::row::Row as Found;

/// Rows that are *same* beyond so many are counted, unless all are listed.
const MOST_SAME: usize = 10;
/// Most columns of the name of a build in a title.
const MOST_LABEL: usize = 16;
/// Most notes that are printed; `explain` has the others.
const MOST_NOTES: usize = 3;

/// The columns, in order.
const SPANNING: usize = 4;
const COLUMNS: usize = 10;

/// A comparison, with what became of each case.
pub(crate) fn document(
    compared: &Compared<'_>,
    found: &[Found],
    style: &Style,
    all: bool,
) -> Document {
    let comparison = compared.comparison;
    let builds = comparison.builds();
    let labels = builds.map(|build| build.label.clone());
    let mut found: Vec<&Found> = found.iter().collect();
    found.sort_by_key(|row| row.rank());
    let mut blocks = vec![Block::Table(table(&labels, &found, style, all))];
    blocks.extend(comparison.conditions.changed().map(Block::Text));
    blocks.extend(peers(comparison).map(Block::Text));
    let mut all_notes = failures(compared);
    let mut others = notes(compared);
    if others.len() > MOST_NOTES && !all {
        let more = others.split_off(MOST_NOTES).len();
        others.push(Note::new(
            "! ",
            format!("{more} more: cargo tourbillon explain"),
        ));
    }
    all_notes.append(&mut others);
    let of_gate = compared.gate.iter().flat_map(|result| result.lines());
    all_notes.extend(of_gate.map(|line| Note::new("gate: ", line)));
    blocks.push(Block::Notes(all_notes));
    let wall = duration(compared.measured.wall_ns);
    Document {
        title: title(compared, &found),
        blocks,
        answer: format!("{} · {wall}", tally(found.iter().copied())),
        details: basis(compared),
    }
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

fn title(compared: &Compared<'_>, found: &[&Found]) -> String {
    let builds = compared.comparison.builds();
    let [old, new] = builds.map(|build| &build.label);
    let mut suites: Vec<&str> = found.iter().map(|row| row.suite.as_str()).collect();
    suites.sort_unstable();
    suites.dedup();
    let suites = match suites.as_slice() {
        [] => String::new(),
        [only] => format!(" · {only}"),
        several => format!(" · {}", counted(several.len(), "target")),
    };
    let cases = counted(compared.measured.cases.len(), "case");
    format!("{old} → {new}{suites} · {cases}")
}

/// The rows below the labels of both builds.
pub(crate) fn table(labels: &[String; 2], found: &[&Found], style: &Style, all: bool) -> Table {
    let ellipsis = if style.unicode { "…" } else { ".." };
    // The commit in parentheses is in the title of the document.
    let short = |label: &str| label.split(" (").next().unwrap_or_default().to_owned();
    let [old, new] = labels.each_ref().map(|label| match label.as_str() {
        "working tree" => "now".to_owned(),
        label => shortened(&short(label), MOST_LABEL, ellipsis),
    });
    let columns = vec![
        Column::left("case", ""),
        Column::of_programs("verdict"),
        Column::right("reference", old).giving_way(2),
        Column::right("candidate", new),
        Column::left("change", "change").for_audience(Audience::People),
        Column::left("interval", confidence(found))
            .for_audience(Audience::People)
            .giving_way(1),
        Column::of_programs("ratio"),
        Column::of_programs("lower"),
        Column::of_programs("upper"),
        Column::of_programs("gate"),
    ];
    let mut same = 0;
    let rows = found.iter().map(|one| {
        same += usize::from(one.outcome == Outcome::Same);
        let is_folded = !all
            && one.outcome == Outcome::Same
            && same > MOST_SAME
            && one.status == Status::Passes;
        Row {
            is_folded,
            ..row(one, style)
        }
    });
    let rows: Vec<Row> = rows.collect();
    let folded = rows.iter().filter(|row| row.is_folded).count();
    let folded = (folded > 0).then(|| format!("{folded} more are the same; --list-all lists them"));
    Table {
        columns,
        rows,
        folded,
    }
}

/// The confidence of the verdicts, which all have the same.
fn confidence(found: &[&Found]) -> String {
    let verdicts = found.iter().filter_map(|row| row.verdict.as_ref());
    let mut confidences = verdicts
        .map(|verdict| verdict.confidence)
        .filter(|held| *held > 0.0);
    let percent = |held: f64| format!("{} %", tourbillon_tool::cells::trimmed(100.0 * held));
    confidences.next().map_or_else(String::new, percent)
}

fn row(found: &Found, style: &Style) -> Row {
    let (symbol, ink) = found.outcome.mark(style);
    let [change, interval] = found.changed(style);
    let strong = if found.status <= Status::Exceeds {
        Ink::Failure
    } else {
        ink
    };
    let verdict = found.verdict.as_ref();
    let mut cells = vec![Cell::default(); COLUMNS];
    cells[0] = Cell::text(&found.name);
    cells[1] = Cell::text(found.outcome.word());
    if let Some(verdict) = verdict {
        let [before, after] = both_sides(verdict, style);
        let numbers = match &verdict.number {
            Some(number) => [Some(number.reference), Some(number.case)],
            None => [verdict.reference_ns, verdict.case_ns],
        };
        cells[2] = Cell::number(before, numbers[0]);
        cells[3] = Cell::number(after, numbers[1]);
        for (at, number) in [(6, verdict.ratio), (7, verdict.lower), (8, verdict.upper)] {
            cells[at] = Cell::number("", number);
        }
    }
    cells[SPANNING] = Cell::text(change).ink(strong);
    if verdict.is_none() {
        cells[SPANNING] = std::mem::take(&mut cells[SPANNING]).spanning();
    }
    let is_open = matches!(found.outcome, Outcome::Undecided | Outcome::SizeUndecided);
    let why = verdict.filter(|_| is_open).and_then(Reason::short);
    let beside = match (interval.is_empty(), why) {
        (true, why) => why.unwrap_or_default(),
        (false, _) if found.outcome == Outcome::Same => interval,
        (false, None) => format!("({interval})"),
        (false, Some(why)) => format!("({interval}) {why}"),
    };
    cells[5] = Cell::text(beside).ink(Ink::Dim);
    cells[9] = Cell::text(found.status.name());
    Row {
        mark: Some(Mark {
            symbol,
            ink: strong,
        }),
        cells,
        is_folded: false,
    }
}

/// What the reference and the other build take, or the numbers that they come to.
fn both_sides(verdict: &Verdict, style: &Style) -> [String; 2] {
    let Some(number) = &verdict.number else {
        return [verdict.reference_ns, verdict.case_ns].map(|ns| time(ns, style));
    };
    let own = || OwnMetric {
        name: number.name.clone(),
        unit: number.unit.clone(),
        more_is_better: number.more_is_better,
    };
    let metric = number.metric();
    let of_number = CaseResult {
        metric,
        own: (metric == Metric::Own).then(own),
        ..CaseResult::default()
    };
    [number.reference, number.case]
        .map(|number| shown_number(&of_number, Figure::exact(number), style))
}

fn time(nanos: Option<f64>, style: &Style) -> String {
    let about = |ns: f64| Figure::new(ns, Some(ns * 0.999), Some(ns * 1.001));
    nanos.map_or_else(String::new, |nanos| about(nanos).time(style))
}

/// How many rows have each outcome, in the order of the table: `1 slower · 2 undecided · 40 same`.
pub(crate) fn tally<'r>(rows: impl IntoIterator<Item = &'r Found>) -> String {
    let mut counts: BTreeMap<(bool, Outcome), usize> = BTreeMap::new();
    for row in rows {
        *counts.entry(row.rank()).or_default() += 1;
    }
    let mut words: Vec<(&str, usize)> = Vec::new();
    for ((_, outcome), count) in counts {
        match words.iter_mut().find(|(word, _)| *word == outcome.word()) {
            Some((_, all)) => *all += count,
            None => words.push((outcome.word(), count)),
        }
    }
    let parts = words.iter().map(|(word, count)| format!("{count} {word}"));
    parts.collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use tourbillon_record::{ComparedNumber, CompiledOtherwise, Undecided};

    use super::*;
    use crate::gate::flag::GateFlag;
    use crate::gate::result::hold;
    use crate::gate::result::tests::measured;
    use crate::gate::thresholds::Gate;
    use crate::measurement::Measured;
    use crate::pairing::Comparison;
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
        let page = document(&compared, &rows, &Style::default(), false).text(&Style::default());
        let words: Vec<&str> = page.split_whitespace().collect();
        (passes, words.join(" "), json_lines(&compared))
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
