//! The last line of a result: what was found, in a sentence for each verdict.

use tourbillon_present::{Change, Judged, Reason, Remedy, shortened, tally};
use tourbillon_record::{Metric, Run, Verdict};
use tourbillon_report::{CaseResults, Figure, Outcome, Style};

use crate::advice;
use crate::failure::failure;

/// Verdicts that the answer has as sentences; more of them are counted.
const SENTENCES: usize = 3;

/// Columns of a name in a sentence; the table has more of it, and the record all.
const NAME: usize = 32;

/// What was found: `sort -g is 3.6x slower than sort -n (3.3 .. 3.9)`.
pub(crate) fn answer(run: &Run, style: &Style) -> Vec<String> {
    if let Some(fault) = run.faults.first() {
        // The last word: nothing else counts until it is mended.
        return vec![failure(fault)];
    }
    if let [only] = &run.cases[..] {
        return alone(&only.id, run, style).into_iter().collect();
    }
    if let [only] = &run.verdicts[..] {
        return vec![sentence(only, run, style)];
    }
    let is_open = |verdict: &&Verdict| is_open(Outcome::of(verdict));
    let decided = run.verdicts.iter().filter(|verdict| !is_open(verdict));
    let is_counted = run.verdicts.len() > SENTENCES;
    let sentences = decided.filter(|_| !is_counted);
    let mut phrases: Vec<String> = sentences.map(|one| sentence(one, run, style)).collect();
    let counted = run.verdicts.iter().filter(|one| is_counted || is_open(one));
    let counts = tally(counted.map(|verdict| Judged::new(&verdict.case, verdict)));
    phrases.extend(counts.into_iter().map(|phrase| phrase.text));
    if let Some(advice) = advice::of_several(run.verdicts.iter().filter(is_open), run) {
        let mut ends = phrases.iter_mut().rev();
        if let Some(open) = ends.find(|phrase| phrase.ends_with(Outcome::Undecided.word())) {
            *open += &format!("; {advice}");
        }
    }
    phrases
}

fn is_open(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Undecided | Outcome::SizeUndecided)
}

/// A name as a sentence has it.
pub(crate) fn name(text: &str, style: &Style) -> String {
    if style.wide_tables {
        return text.to_owned();
    }
    shortened(text, NAME, style.glyphs().ellipsis)
}

/// What a verdict says.
fn sentence(verdict: &Verdict, run: &Run, style: &Style) -> String {
    let one = Judged::new(&verdict.case, verdict);
    let [case, reference] = [&verdict.case, &verdict.reference].map(|text| name(text, style));
    let [change, interval, _] = one.change_cells(style).map(|cell| cell.text);
    let text = match one.outcome {
        Outcome::Same => format!(
            "{case} is the same as {reference}{}",
            change.trim_start_matches("same")
        ),
        Outcome::Slower | Outcome::Faster if change.ends_with('%') => {
            let (more, size) = match change.strip_prefix('+') {
                Some(size) => ("more", size),
                None => ("less", change.trim_start_matches(['-', '−'])),
            };
            format!("{case} takes {size} {more} time than {reference} {interval}")
        }
        Outcome::Slower | Outcome::Faster => {
            format!("{case} is {change} than {reference} {interval}")
        }
        _ => {
            let remedy = Remedy::of(verdict);
            // What is known in words stands in place of the interval.
            let is_bounded = matches!(remedy, Some(Remedy::Wider { .. }));
            let between = Change::between(verdict, style).filter(|_| !is_bounded);
            // The advice has how long.
            let what = Reason::of(verdict).map(|reason| reason.what);
            let what = what.filter(|_| !matches!(remedy, Some(Remedy::Time(_))));
            let advice = advice::of_one(verdict, run);
            let known = [between, what, advice].into_iter().flatten();
            let known = known.collect::<Vec<_>>().join("; ");
            let word = one.outcome.word();
            let known = if known.is_empty() {
                known
            } else {
                format!(", {known}")
            };
            format!("{case} compared with {reference}: {word}{known}")
        }
    };
    text.trim_end().to_owned()
}

/// What a single command takes: `sort takes 46 ms ±3.0 %`.
fn alone(case: &str, run: &Run, style: &Style) -> Option<String> {
    let results = CaseResults::of(&run.results);
    let time = results.result(case, Metric::Time)?;
    let figure = Figure::new(time.estimate.ok()?, time.lower, time.upper);
    let spread = figure.plus_minus(|end| end.time(style), style);
    let (name, time) = (name(case, style), figure.time(style));
    Some(format!("{name} takes {time}{spread}"))
}

#[cfg(test)]
mod tests {
    use tourbillon_analysis::Design;
    use tourbillon_record::{Case, CaseResult, Fault, FaultKind, Finding, Undecided, Verdict};

    use super::*;

    fn undecided(why: Undecided) -> Verdict {
        Verdict {
            case: "b".into(),
            reference: "a".into(),
            method: Design::Commands.method().to_owned(),
            finding: Finding::Undecided,
            why: Some(why),
            confidence: 0.999,
            pairs: 10,
            launches: 10,
            ..Verdict::default()
        }
    }

    fn of(verdicts: &[Verdict]) -> String {
        let run = Run {
            verdicts: verdicts.to_vec(),
            ..Run::default()
        };
        answer(&run, &Style::default()).join(" · ")
    }

    #[test]
    fn one_command_has_its_time_and_a_failure_the_last_word() {
        let time = CaseResult {
            estimate: Ok(46e6),
            lower: Some(45e6),
            upper: Some(47e6),
            ..CaseResult::without_figures("a", Metric::Time, "")
        };
        let mut run = Run {
            cases: vec![Case {
                id: "a".into(),
                ..Case::default()
            }],
            results: vec![time],
            ..Run::default()
        };
        let said = |run: &Run| answer(run, &Style::default()).join(" · ");
        assert_eq!(said(&run), "a takes 46 ms ±2.2 %");
        run.faults.push(Fault {
            case: "a".into(),
            kind: FaultKind::Exit(7),
            stderr: "first\nthe reason".into(),
            ..Fault::default()
        });
        assert_eq!(
            said(&run),
            "a exited with code 7; its stderr ends with: first | the reason; correct it, or measure it nevertheless with \
             --ignore-failure"
        );
    }

    #[test]
    fn what_is_undecided_has_its_range() {
        let open = Verdict {
            ratio: Some(1.1),
            lower: Some(0.953),
            upper: Some(1.29),
            margin: 0.01,
            seconds: 3.0,
            seconds_needed: Some(20.0),
            ..undecided(Undecided::Time)
        };
        assert_eq!(
            of(std::slice::from_ref(&open)),
            "b compared with a: undecided, between −5 and +29 %; --time 25s may decide"
        );
        let equal = Verdict {
            ratio: Some(1.001),
            lower: Some(0.992),
            upper: Some(1.012),
            seconds_needed: Some(114_720.0),
            ..open
        };
        assert_eq!(
            of(&[equal]),
            "b compared with a: undecided, no difference beyond 1.2 %; for \"same\" within that: --margin 1.5%"
        );
    }

    #[test]
    fn too_few_rounds_are_counted() {
        let few = undecided(Undecided::TooFew);
        assert_eq!(
            of(std::slice::from_ref(&few)),
            "b compared with a: undecided, too few rounds: 10 of 12; --runs 12"
        );
        assert_eq!(of(&[few.clone(), few]), "2 undecided; --runs 12");
    }

    #[test]
    fn what_is_undecided_of_several_is_counted() {
        let slower = |case: &str| Verdict {
            case: case.into(),
            finding: Finding::Slower,
            why: None,
            ratio: Some(1.3),
            lower: Some(1.2),
            upper: Some(1.4),
            ..undecided(Undecided::Time)
        };
        let open = Verdict {
            ratio: Some(1.1),
            lower: Some(0.953),
            upper: Some(1.29),
            margin: 0.01,
            seconds: 3.0,
            seconds_needed: Some(20.0),
            ..undecided(Undecided::Time)
        };
        let long = "/opt/versions/3.11.7/bin/python --version";
        assert_eq!(
            of(&[slower(long), open.clone(), open.clone()]),
            "/opt/versions/3.…ython --version takes 30 % more time than a (+20 … +40 %) · 2 undecided; --time 25s may decide"
        );
        assert_eq!(
            of(&[slower("b"), open.clone(), open, slower("c")]),
            "2 slower · 2 undecided; --time 25s may decide"
        );
    }
}
