//! The result of a comparison as text.

use std::collections::BTreeMap;

use tourbillon_record::{CaseResult, Metric, OwnMetric, Reach, Verdict};
use tourbillon_report::{Figure, Outcome, Style, counted, duration, measured as shown_number};

use crate::counts::Pair;
use crate::gate::result::name;
use crate::judgement::Compared;
use crate::measurement::{Measured, MeasuredCase};
use crate::pairing::Comparison;
use crate::results::notes::notes;
use tourbillon_tool::cells::trimmed;
use tourbillon_tool::screen::Page;
use tourbillon_tool::table::Sheet;

/// Fewest and most decimals of a ratio.
const DECIMALS: (f64, f64) = (2.0, 5.0);

/// A comparison as a page of text.
pub(crate) fn text(compared: &Compared<'_>, style: &Style) -> String {
    let comparison = compared.comparison;
    let mut page = Page::new(style);
    let (old, new) = (&comparison.old.label, &comparison.new.label);
    page.quote("", &format!("{new} against {old}"));
    if let Some(changed) = comparison.conditions.changed() {
        page.quote("", &changed);
    }
    page.line("");
    page.sheet(&table(compared, style));
    page.line("");
    for note in notes(compared) {
        page.quote("! ", &note);
    }
    for line in compared.gate.iter().flat_map(|result| result.lines()) {
        page.quote("gate: ", &line);
    }
    if let Some(text) = unchanged(comparison, &compared.measured) {
        page.quote("", &text);
    }
    page.say("", &summary(compared));
    page.text
}

fn table(compared: &Compared<'_>, style: &Style) -> Sheet {
    let comparison = compared.comparison;
    let names = comparison.names();
    let mut sheet = Sheet::new("case")
        .left(["verdict", "ratio"])
        .right([&comparison.old.label, &comparison.new.label])
        .right(COUNTS.map(|(_, title)| title));
    for case in &compared.measured.cases {
        for verdict in compared.verdicts(case) {
            let (ratio, interval) = ratio(verdict);
            let [old, new] = both_sides(verdict, style);
            let cells = [
                name(verdict, &names),
                case.outcome(verdict).word().to_owned(),
                format!("{ratio} {interval}").trim().to_owned(),
                old,
                new,
            ];
            let changes = match verdict.metric {
                None => changes(case),
                Some(_) => Default::default(),
            };
            sheet.row(cells.into_iter().chain(changes));
        }
    }
    sheet
}

/// The columns of counts; each is shown if any case differs in it.
pub(crate) const COUNTS: [(Metric, &str); 5] = [
    (Metric::Allocs, "allocs/op"),
    (Metric::Bytes, "bytes/op"),
    (Metric::Peak, "peak"),
    (Metric::Kept, "kept"),
    (Metric::Moved, "moved"),
];

/// The cells of these columns, empty where nothing differs.
pub(crate) fn changes(case: &MeasuredCase) -> [String; 5] {
    let pairs = case.counts.pairs(&case.verdict.case);
    COUNTS.map(|(metric, _)| {
        pairs
            .iter()
            .find(|pair| pair.metric == metric && pair.differs())
            .map_or_else(String::new, Pair::text)
    })
}

/// In how many cases all counts are equal; `None` if nothing was counted.
pub(crate) fn unchanged(comparison: &Comparison, measured: &Measured) -> Option<String> {
    let same = |case: &&MeasuredCase| {
        let pairs = case.counts.pairs(&case.verdict.case);
        !pairs.is_empty() && !pairs.iter().any(Pair::differs)
    };
    let count = measured.cases.iter().filter(same).count();
    let old = &comparison.old.label;
    (count > 0).then(|| format!("alloc as in {old}: {}", counted(count, "case")))
}

pub(crate) fn time(nanos: Option<f64>, style: &Style) -> String {
    let about = |ns: f64| Figure::new(ns, Some(ns * 0.999), Some(ns * 1.001));
    nanos.map_or_else(String::new, |nanos| about(nanos).time(style))
}

/// What the reference and the other build take, or the numbers that they come to.
pub(crate) fn both_sides(verdict: &Verdict, style: &Style) -> [String; 2] {
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

/// The ratio and its interval, with the decimals that the interval supports.
pub(crate) fn ratio(verdict: &Verdict) -> (String, String) {
    match (verdict.ratio, verdict.lower, verdict.upper) {
        (Some(ratio), Some(lower), Some(upper)) => {
            let wanted = (1.0 - ((upper - lower) / 2.0).log10()).ceil();
            let decimals = wanted.clamp(DECIMALS.0, DECIMALS.1) as usize;
            let interval = format!("[{lower:.decimals$}, {upper:.decimals$}]");
            (format!("{ratio:.decimals$}"), interval)
        }
        (Some(ratio), ..) => (format!("{ratio:.2}"), String::new()),
        _ => (String::new(), String::new()),
    }
}

/// The smallest and the largest margin of the verdicts in per cent, since a gate has margins for
/// single cases; `usual` without verdicts.
fn margins(of_cases: &[f64], usual: f64) -> String {
    let ends = [f64::min, f64::max].map(|end| of_cases.iter().copied().reduce(end));
    let [least, most] = ends.map(|end| trimmed(100.0 * end.unwrap_or(usual)));
    if least == most {
        least
    } else {
        format!("{least} to {most}")
    }
}

/// The number of verdicts of each kind, and what they are based on.
pub(crate) fn summary(compared: &Compared<'_>) -> String {
    let outcomes = compared.measured.cases.iter().flat_map(|case| {
        let verdicts = compared.verdicts(case);
        verdicts.map(|verdict| case.outcome(verdict))
    });
    tally(outcomes) + &basis(compared)
}

/// What the verdicts are based on, each part after a separator.
pub(crate) fn basis(compared: &Compared<'_>) -> String {
    let measured = &compared.measured;
    let all = || measured.cases.iter().map(|case| compared.verdict(case));
    let mut text = String::new();
    let mut confidences = all().map(|verdict| verdict.confidence);
    if let Some(confidence) = confidences.find(|confidence| *confidence > 0.0) {
        let confidence = trimmed(100.0 * confidence);
        text += &format!(" · {confidence} % confidence each");
    }
    let timed = measured.cases.iter().filter(|case| !case.is_of_number());
    let verdicts = || timed.clone().map(|case| compared.verdict(case));
    // Exact numbers have none.
    let of_cases = all()
        .map(|verdict| verdict.margin)
        .filter(|margin| *margin > 0.0);
    let margins = margins(&of_cases.collect::<Vec<f64>>(), measured.criteria.margin);
    text += &format!(" · same within {margins} %");
    if let Some(most) = verdicts()
        .map(|verdict| verdict.launches)
        .max()
        .filter(|most| *most > 0)
    {
        let what = if verdicts().any(|verdict| verdict.scope == Reach::Placements) {
            "pairs of processes, each in another placement"
        } else {
            "pairs of processes, in one placement"
        };
        text += &format!(" · up to {most} {what}");
    }
    let wall = duration(measured.wall_ns);
    text += &format!(" · {wall}: {}", shares(measured));
    if let Some(links) = measured.links.text() {
        text += &format!(" · {links}");
    }
    text + &format!(" · seed {:x}", measured.seed)
}

/// How often each outcome is there. Verdicts that differ by an undecided size are undecided.
fn tally(outcomes: impl IntoIterator<Item = Outcome>) -> String {
    let mut counts: BTreeMap<Outcome, usize> = BTreeMap::new();
    for outcome in outcomes {
        *counts.entry(outcome).or_default() += 1;
    }
    let differ = counts.remove(&Outcome::SizeUndecided).unwrap_or_default();
    if differ > 0 {
        *counts.entry(Outcome::Undecided).or_default() += differ;
    }
    let parts = counts.into_iter().map(|(outcome, count)| {
        let of_them = match (outcome, differ) {
            (Outcome::Undecided, 1) => " (1 differs)".to_owned(),
            (Outcome::Undecided, 2..) => format!(" ({differ} differ)"),
            _ => String::new(),
        };
        format!("{count} {}{of_them}", outcome.word())
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// How the time was spent, in per cent that add up to 100.
fn shares(measured: &Measured) -> String {
    let per_cent = |ns: u64| (100.0 * ns as f64 / measured.wall_ns.max(1) as f64).round();
    let measuring = per_cent(measured.launches_ns).min(100.0);
    let linking = per_cent(measured.linking_ns).min(100.0 - measuring);
    let rest = 100.0 - measuring - linking;
    let mut text = format!("{measuring} % measuring");
    for (share, what) in [(linking, "linking"), (rest, "starting processes")] {
        if share > 0.0 {
            text += &format!(", {share} % {what}");
        }
    }
    text
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
    use crate::results::json_lines::json_lines;
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
        let page = text(&compared, &Style::default());
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

    #[test]
    fn what_differs_by_an_undecided_size_is_undecided() {
        use Outcome::{Failed, Same, SizeUndecided, Slower, Undecided};
        assert_eq!(tally([Same, Slower, Same]), "1 slower, 2 same");
        assert_eq!(tally([Undecided]), "1 undecided");
        let outcomes = [SizeUndecided, Undecided, Failed];
        assert_eq!(tally(outcomes), "2 undecided (1 differs), 1 failed");
        assert_eq!(tally([SizeUndecided; 2]), "2 undecided (2 differ)");
    }

    #[test]
    fn a_gate_gives_cases_margins_of_their_own() {
        assert_eq!(margins(&[0.02, 0.01, 0.05], 0.01), "1 to 5");
        assert_eq!(margins(&[0.02, 0.02], 0.01), "2");
        assert_eq!(margins(&[], 0.01), "1");
    }

    #[test]
    fn shares_have_the_digits_that_they_need() {
        assert_eq!(
            (trimmed(99.9), trimmed(2.0)),
            ("99.9".to_owned(), "2".to_owned())
        );
    }
}
