//! The last line of a result: what was found, in a sentence for each verdict.

use tourbillon_present::{Change, Judged, Remedy, tally};
use tourbillon_record::{Metric, Run};
use tourbillon_report::{CaseResults, Figure, Outcome, Reason, Style};

use crate::failure::failure;

/// Verdicts that the answer has as sentences; more of them are counted.
const SENTENCES: usize = 3;

/// What was found: `sort -g is 3.6x slower than sort -n (3.3 .. 3.9)`.
pub(crate) fn answer(run: &Run, style: &Style) -> Vec<String> {
    if let Some(fault) = run.faults.first() {
        // The last word: nothing else counts until it is mended.
        return vec![failure(fault)];
    }
    if let [only] = &run.cases[..] {
        return alone(&only.id, run, style).into_iter().collect();
    }
    let judged = run.verdicts.iter();
    let judged = judged.map(|verdict| Judged::new(&verdict.case, verdict));
    if run.verdicts.len() > SENTENCES {
        let counts = tally(judged);
        return counts.into_iter().map(|phrase| phrase.text).collect();
    }
    let sentences = judged.zip(&run.verdicts).map(|(one, verdict)| {
        let (case, reference) = (&verdict.case, &verdict.reference);
        let [change, interval, _] = one.change_cells(style).map(|cell| cell.text);
        match one.outcome {
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
                // What is known in words stands in place of the interval.
                let is_bounded = matches!(Remedy::of(verdict), Some(Remedy::Wider { .. }));
                let between = Change::between(verdict, style).filter(|_| !is_bounded);
                let open = Reason::of(verdict).map(|reason| match run.verdicts.len() {
                    1 => reason.text(),
                    _ => reason.what,
                });
                let known = [between, open].into_iter().flatten();
                let known = known.collect::<Vec<_>>().join("; ");
                let word = one.outcome.word();
                let known = if known.is_empty() {
                    known
                } else {
                    format!(", {known}")
                };
                format!("{case} against {reference}: {word}{known}")
            }
        }
    });
    sentences.map(|one| one.trim_end().to_owned()).collect()
}

/// What a single command takes: `sort takes 46 ms ±3.0 %`.
fn alone(case: &str, run: &Run, style: &Style) -> Option<String> {
    let results = CaseResults::of(&run.results);
    let time = results.result(case, Metric::Time)?;
    let figure = Figure::new(time.estimate.ok()?, time.lower, time.upper);
    let (time, share) = (
        figure.time(style),
        figure.plus_minus(|end| end.time(style), style),
    );
    Some(format!("{case} takes {time}{share}"))
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
            "b against a: undecided, between −5 and +29 %; a verdict needs about 20 s of measuring; raise --time or --runs"
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
            "b against a: undecided, no difference beyond 1.2 %; for \"same\" within that: --margin 1.5%"
        );
    }

    #[test]
    fn too_few_rounds_are_counted() {
        let few = undecided(Undecided::TooFew);
        let expected = "b against a: undecided, too few rounds: 10 of 12";
        assert_eq!(
            of(std::slice::from_ref(&few)),
            format!("{expected}; --runs 12")
        );
        // A note has what several ask for.
        assert_eq!(of(&[few.clone(), few]), format!("{expected} · {expected}"));
    }
}
