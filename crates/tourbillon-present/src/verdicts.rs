//! Verdicts as a table: what changed first, in words that people use.

use std::collections::BTreeMap;

use tourbillon_record::{CaseResult, Finding, Metric, OwnMetric, Verdict};

use crate::document::{Audience, Cell, Column, Mark, Meaning, Phrase, Row, Table, line};
use crate::number::percent;
use crate::{
    Change, Figure, Ink, Outcome, Reason, SAME_CODE, Status, Style, measured, shortened,
    trimmed_percent,
};

/// Where more rows than these are *same* or *unchanged*, those beyond and those without a figure are counted, unless all
/// are listed.
const MOST_SAME: usize = 10;
/// The column of what placement does.
const PLACEMENT: &str = "placement";
/// Before a time that another run may not have.
const ROUGH: &str = "~ ";
/// The least share of a time that its last digit stands for, however exact the change.
const EXACT_TIMES: f64 = 0.001;
/// Most columns of the name of a side in a title.
const MOST_LABEL: usize = 16;

/// What became of a case, a percentile, an assertion or a limit.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'r> {
    /// As printed, not escaped.
    pub name: &'r str,
    /// What became of it.
    pub outcome: Outcome,
    /// What the gate makes of it.
    pub status: Status,
    /// What was measured.
    pub verdict: Option<&'r Verdict>,
    /// What changed, where there is no verdict.
    pub change: &'r str,
    /// What its placement does to it, as a share, where that is known and shown.
    pub placement: Option<f64>,
}

impl<'r> Judged<'r> {
    /// A verdict that no gate has judged.
    pub fn new(name: &'r str, verdict: &'r Verdict) -> Judged<'r> {
        let outcome = Outcome::of(verdict);
        Judged {
            name,
            outcome,
            status: outcome.status(),
            verdict: Some(verdict),
            change: "",
            placement: None,
        }
    }

    /// Where it stands among others: what a reader must act on comes first.
    pub fn rank(&self) -> (bool, Outcome) {
        (self.status > Status::Exceeds, self.outcome)
    }

    /// The same, and among those of one outcome the largest change first.
    pub fn order(&self) -> (bool, Outcome, i64) {
        let ratio = self.verdict.and_then(|verdict| verdict.ratio);
        let size = ratio
            .filter(|ratio| *ratio > 0.0)
            .map_or(0.0, |ratio| ratio.ln().abs());
        let (is_within, outcome) = self.rank();
        (is_within, outcome, -(size * 1e6) as i64)
    }

    /// Whether a reader has nothing to do about it.
    fn is_same(&self) -> bool {
        let is_same = matches!(self.outcome, Outcome::Same | Outcome::Unchanged);
        is_same && self.status == Status::Passes
    }

    /// How much it changed, and the interval of that, as far as the outcome says so.
    fn changed(&self, style: &Style) -> [String; 2] {
        let change = self.verdict.and_then(|verdict| Change::of(verdict, style));
        let word = self.outcome.word().to_owned();
        match (self.outcome, change) {
            (Outcome::Same, _) => {
                let margin = self.verdict.map_or(0.0, |verdict| verdict.margin);
                let within = (margin > 0.0).then(|| format!(" within {}", trimmed_percent(margin)));
                [word + &within.unwrap_or_default(), String::new()]
            }
            (
                Outcome::Slower | Outcome::Faster | Outcome::Worse | Outcome::Better,
                Some(Change { text, interval }),
            ) => [text, interval],
            (Outcome::Unchanged, _) => [word, SAME_CODE.to_owned()],
            (Outcome::Failed, _) => [word, String::new()],
            (Outcome::Holds | Outcome::DoesNotHold, Some(Change { text, interval })) => {
                [format!("{word}, {text}"), interval]
            }
            (_, Some(Change { interval, .. })) => [word, interval],
            (_, None) if self.change.is_empty() => [word, String::new()],
            (_, None) => [self.change.to_owned(), String::new()],
        }
    }

    /// The cells of how much it changed, of the interval of that, and of what is missing for a verdict.
    pub fn change_cells(&self, style: &Style) -> [Cell; 3] {
        let [change, interval] = self.changed(style);
        let (_, ink) = self.outcome.mark(style);
        let is_over = self.status <= Status::Exceeds;
        let ink = if is_over { Ink::Failure } else { ink };
        let is_open = matches!(self.outcome, Outcome::Undecided | Outcome::SizeUndecided);
        // Without an interval, of the two times beside it: pairs that are too few may have another centre.
        let about = self
            .verdict
            .filter(|_| is_open && interval.is_empty())
            .and_then(|verdict| Change::of_ratio(ratio_of_times(verdict)?, style));
        let interval = match about {
            Some(change) => format!("about {}", change.text),
            None if interval.is_empty() || self.outcome == Outcome::Unchanged => interval,
            None => format!("({interval})"),
        };
        let why = self.verdict.and_then(Reason::short).unwrap_or_default();
        [
            Cell::text(change).ink(ink),
            Cell::text(interval).ink(Ink::Dim),
            Cell::text(why).ink(Ink::Dim),
        ]
    }

    /// The outcome and how much it changed, in words: `slower, +31 % (+29 .. +33 %)`.
    pub fn details(&self) -> String {
        let word = self.outcome.word();
        let [change, interval] = self.changed(&Style::default());
        let mut text = if change.contains(word) {
            change
        } else {
            format!("{word}, {change}")
        };
        if !interval.is_empty() {
            text += &format!(" ({interval})");
        }
        text
    }

    fn row(&self, style: &Style, has_placements: bool) -> Row {
        let (symbol, _) = self.outcome.mark(style);
        let [change, interval, why] = self.change_cells(style);
        let ink = change.ink;
        let [before, after] = self
            .verdict
            .map_or_else(Default::default, |verdict| sides(verdict, style));
        let of_ratio = |number: Option<f64>| Cell::number("", number);
        let mut cells = vec![
            Cell::text(self.name),
            Cell::text(self.outcome.word()),
            before,
            after,
            if self.verdict.is_some() {
                change
            } else {
                change.spanning()
            },
            interval,
            why,
            of_ratio(self.verdict.and_then(|verdict| verdict.ratio)),
            of_ratio(self.verdict.and_then(|verdict| verdict.lower)),
            of_ratio(self.verdict.and_then(|verdict| verdict.upper)),
            of_ratio(self.verdict.map(|verdict| verdict.margin)),
            Cell::text(self.status.name()),
        ];
        if has_placements {
            let text = self.placement.map_or_else(String::new, percent);
            cells.push(Cell::number(text, self.placement));
        }
        Row {
            mark: Some(Mark { symbol, ink }),
            cells,
            ..Row::default()
        }
    }
}

/// The verdicts in the order of what a reader must act on, below the labels of both sides. Where more
/// than ten ask for nothing, those beyond and those without a figure are folded, unless `all` are wanted.
pub fn verdict_table(
    labels: &[String; 2],
    judged: &[Judged<'_>],
    style: &Style,
    all: bool,
) -> Table {
    // The commit in parentheses is in the title of the document.
    let short = |label: &str| label.split(" (").next().unwrap_or_default().to_owned();
    let [old, new] = labels.each_ref().map(|label| match label.as_str() {
        "working tree" => "now".to_owned(),
        label => shortened(&short(label), MOST_LABEL, style.glyphs().ellipsis),
    });
    let mut columns = vec![
        Column::left("case", ""),
        Column::of_programs("verdict"),
        Column::right("reference", old).giving_way(2),
        Column::right("candidate", new),
        Column::left("change", "change").for_audience(Audience::People),
        Column::left("interval", confidence(judged))
            .for_audience(Audience::People)
            .giving_way(3),
        Column::left("why", "remark")
            .for_audience(Audience::People)
            .giving_way(1),
        Column::of_programs(RATIO[0]),
        Column::of_programs(RATIO[1]),
        Column::of_programs(RATIO[2]),
        Column::of_programs(RATIO[3]),
        Column::of_programs("gate"),
    ];
    let has_placements = judged.iter().any(|one| one.placement.is_some());
    if has_placements {
        columns.push(Column::right(PLACEMENT, PLACEMENT).giving_way(0));
    }
    let mut sorted: Vec<&Judged<'_>> = judged.iter().collect();
    sorted.sort_by_key(|one| one.order());
    let is_long = !all && sorted.iter().filter(|one| one.is_same()).count() > MOST_SAME;
    let (mut folded, mut shown) = (Vec::new(), Vec::new());
    let mut rows = Vec::new();
    let mut same = 0;
    for one in sorted {
        same += usize::from(one.is_same());
        let is_beyond = same > MOST_SAME || one.outcome == Outcome::Unchanged;
        let is_folded = is_long && one.is_same() && is_beyond;
        rows.push(Row {
            is_folded,
            ..one.row(style, has_placements)
        });
        if is_folded { &mut folded } else { &mut shown }.push(one);
    }
    let and = if shown.is_empty() { "" } else { "and " };
    let counts = line(&tally(folded.iter().map(|one| **one)));
    let folded = (!folded.is_empty()).then(|| format!("{and}{counts}; --list-all lists them"));
    let mut verdicts = shown.iter().filter_map(|one| one.verdict);
    let is_rough = verdicts.any(|one| times_apart(one).is_some());
    let legend = is_rough.then(|| {
        Meaning::new(
            "candidate",
            ROUGH.trim_end(),
            "rough: another run may differ; quote the change, measured in pairs",
        )
    });
    Table {
        columns,
        rows,
        folded,
        legend: legend.into_iter().collect(),
        ..Table::default()
    }
}

/// The columns of a ratio, the ends of its interval, and the margin.
pub const RATIO: [&str; 4] = ["ratio", "lower", "upper", "margin"];

/// The least confidence of the verdicts. Those on assertions, which may have another one, count where there are no
/// others.
fn confidence(judged: &[Judged<'_>]) -> String {
    let least = |of_assertions: bool| {
        let verdicts = judged.iter().filter_map(|one| one.verdict);
        let measured = verdicts.filter(|verdict| verdict.finding != Finding::Unchanged);
        let held = measured
            .filter(|verdict| of_assertions || verdict.limit.is_none())
            .map(|verdict| verdict.confidence);
        held.filter(|held| *held > 0.0).reduce(f64::min)
    };
    let held = least(false).or_else(|| least(true));
    held.map_or_else(String::new, |held| {
        format!("{} interval", trimmed_percent(held))
    })
}

/// The ratio of the two times where both are known; else that of the verdict.
fn ratio_of_times(verdict: &Verdict) -> Option<f64> {
    let times = verdict.case_ns.zip(verdict.reference_ns);
    let times = times.filter(|(case, reference)| *case > 0.0 && *reference > 0.0);
    times
        .map(|(case, reference)| case / reference)
        .or(verdict.ratio)
}

/// The ratio of the two times where it is not that of the verdict, within its interval and the margin.
///
/// The times are medians of all batches, the ratio is the centre of pairs. They differ where the
/// processes of one side have several speeds.
pub fn ratio_apart(verdict: &Verdict) -> Option<f64> {
    let times = verdict
        .ratio_of_medians
        .or_else(|| Some(verdict.case_ns? / verdict.reference_ns?))?;
    let (ratio, lower, upper) = (verdict.ratio?, verdict.lower?, verdict.upper?);
    let apart = (times / ratio).ln().abs();
    let is_apart = apart > verdict.margin.ln_1p() && apart > (upper / lower).ln() / 4.0;
    is_apart.then_some(times)
}

/// How far the ratio of the two times is from that of the verdict beside them, as a share, beyond the margin: a reader
/// who divides them finds another change, also where it lies [within the interval](ratio_apart).
fn times_apart(verdict: &Verdict) -> Option<f64> {
    let times = verdict.case_ns? / verdict.reference_ns?;
    let apart = times / verdict.ratio? - 1.0;
    (verdict.lower.is_some() && apart.abs() > verdict.margin.max(EXACT_TIMES)).then_some(apart)
}

/// Half of the interval of the change as a share of it: the times beside it have no more digits than it has.
fn half_width(verdict: &Verdict) -> Option<f64> {
    let (ratio, lower, upper) = (verdict.ratio?, verdict.lower?, verdict.upper?);
    let half = (upper - lower) / 2.0 / ratio;
    half.is_finite().then_some(half)
}

/// What the reference and the other side take, or the numbers that they come to.
fn sides(verdict: &Verdict, style: &Style) -> [Cell; 2] {
    let Some(number) = &verdict.number else {
        let apart = times_apart(verdict);
        let share = apart.map(f64::abs).into_iter().chain(half_width(verdict));
        let share = share.fold(EXACT_TIMES, f64::max);
        return [verdict.reference_ns, verdict.case_ns].map(|ns| {
            let about = |ns: f64| {
                let times = Figure::within(ns, Some(ns * share));
                format!("{}{}", apart.map_or("", |_| ROUGH), times.time(style))
            };
            Cell::number(ns.map_or_else(String::new, about), ns)
        });
    };
    let metric = number.metric();
    let own = || OwnMetric {
        name: number.name.clone(),
        unit: number.unit.clone(),
        more_is_better: number.more_is_better,
    };
    let of_number = CaseResult {
        metric,
        own: (metric == Metric::Own).then(own),
        ..CaseResult::default()
    };
    [number.reference, number.case].map(|number| {
        let text = measured(&of_number, Figure::exact(number), style);
        Cell::number(text, Some(number))
    })
}

/// How many there are of each outcome, in the order of the table: `1 slower`, `2 undecided`, `40 same`.
pub fn tally<'r>(judged: impl IntoIterator<Item = Judged<'r>>) -> Vec<Phrase> {
    let mut counts: BTreeMap<(bool, Outcome), usize> = BTreeMap::new();
    for one in judged {
        *counts.entry(one.rank()).or_default() += 1;
    }
    let mut outcomes: Vec<(Outcome, usize)> = Vec::new();
    for ((_, outcome), count) in counts {
        match outcomes.iter_mut().find(|(other, _)| *other == outcome) {
            Some((_, all)) => *all += count,
            None => outcomes.push((outcome, count)),
        }
    }
    let phrases = outcomes.into_iter().map(|(outcome, count)| {
        let (symbol, ink) = outcome.mark(&Style::default());
        Phrase {
            text: format!("{count} {}", outcome.word()),
            mark: Some(Mark { symbol, ink }),
        }
    });
    phrases.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_without_an_interval_is_that_of_the_times_beside_it() {
        let verdict = Verdict {
            finding: Finding::Undecided,
            ratio: Some(0.686),
            reference_ns: Some(436.7),
            case_ns: Some(467.3),
            ..Verdict::default()
        };
        let judged = [Judged::new("join", &verdict)];
        let labels = ["main", "working tree"].map(str::to_owned);
        let style = Style::default();
        let text = verdict_table(&labels, &judged, &style, true).text(&style);
        assert!(text.contains("about +7.0 %"), "{text}");
        assert!(!text.contains("placement"), "{text}");
    }

    #[test]
    fn what_placement_does_has_a_column_where_it_is_shown() {
        let verdict = Verdict::default();
        let one = Judged::new("join", &verdict);
        let moved = Judged {
            placement: Some(0.021),
            ..one
        };
        let labels = ["main", "working tree"].map(str::to_owned);
        let style = Style::default();
        let table = verdict_table(&labels, &[one, moved], &style, true);
        let text = table.text(&style);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].ends_with("placement"), "{text}");
        assert!(text.contains("2.1 %"), "{text}");
    }

    #[test]
    fn rows_that_carry_nothing_are_counted_where_they_are_many() {
        let of = |outcomes: &[(Finding, usize)]| {
            let verdicts = outcomes.iter().flat_map(|(finding, count)| {
                let verdict = Verdict {
                    finding: *finding,
                    ..Verdict::default()
                };
                vec![verdict; *count]
            });
            let verdicts: Vec<Verdict> = verdicts.collect();
            let judged: Vec<_> = verdicts.iter().map(|one| Judged::new("a", one)).collect();
            let labels = ["main", "working tree"].map(str::to_owned);
            let table = verdict_table(&labels, &judged, &Style::default(), false);
            assert_eq!(table.rows.len(), verdicts.len());
            [table.text(&Style::default()), table.markdown()]
        };
        use Finding::{Same, Slower, Unchanged};
        for (outcomes, shown, folded) in [
            (&[(Slower, 1), (Same, 2), (Unchanged, 8)][..], 11, None),
            (&[(Slower, 1), (Unchanged, 22)], 1, Some("and 22 unchanged")),
            (
                &[(Same, 12), (Unchanged, 3)],
                10,
                Some("and 2 same · 3 unchanged"),
            ),
            (&[(Unchanged, 25)], 0, Some("\n25 unchanged")),
        ] {
            for text in of(outcomes) {
                let text = format!("\n{text}");
                let rows = text
                    .lines()
                    .filter(|line| line.contains('a') && line.contains(['▲', '■', '=']));
                assert_eq!(rows.count(), shown, "{text}");
                assert_eq!(text.contains("--list-all"), folded.is_some(), "{text}");
                assert!(text.contains(folded.unwrap_or_default()), "{text}");
            }
        }
    }

    #[test]
    fn the_interval_of_a_change_is_there_where_a_terminal_is_narrow() {
        let verdict = Verdict {
            finding: Finding::Undecided,
            why: Some(tourbillon_record::Undecided::Time),
            ratio: Some(0.98),
            margin: 0.01,
            lower: Some(0.92),
            upper: Some(1.04),
            confidence: 0.999,
            reference_ns: Some(15.0),
            case_ns: Some(14.6),
            seconds_needed: Some(40.0),
            ..Verdict::default()
        };
        let judged = [Judged::new(
            "a_module/shared_between_threads/mutex/16",
            &verdict,
        )];
        let labels = ["main", "working tree"].map(str::to_owned);
        let at = |width| {
            let style = Style::of_width(width);
            verdict_table(&labels, &judged, &style, true).text(&style)
        };
        let [narrow, usual, wide] = [60, 80, 120].map(at);
        for text in [&narrow, &usual, &wide] {
            assert!(text.contains("(−8 … +4 %)"), "{text}");
        }
        let omitted = "no room for: main, remark";
        assert!(narrow.trim_end().ends_with(omitted), "{narrow}");
        assert!(wide.contains("40 s more"), "{wide}");
    }

    #[test]
    fn times_that_contradict_the_change_beside_them_are_rough() {
        let with = |case_ns| {
            let verdict = Verdict {
                finding: Finding::Faster,
                ratio: Some(0.99),
                lower: Some(0.98),
                upper: Some(0.999),
                margin: 0.005,
                reference_ns: Some(6183.0),
                case_ns: Some(case_ns),
                ..Verdict::default()
            };
            let labels = ["main", "working tree"].map(str::to_owned);
            let judged = [Judged::new("parse", &verdict)];
            let style = Style::default();
            verdict_table(&labels, &judged, &style, true).text(&style)
        };
        let agree = with(6121.0);
        assert!(agree.contains("6.18 µs  6.12 µs"), "{agree}");
        assert!(!agree.contains('~'), "{agree}");
        let rough = with(5776.0);
        assert!(rough.contains("~ 6.2 µs  ~ 5.8 µs"), "{rough}");
        let meaning = "~  rough: another run may differ; quote the change, measured in pairs";
        assert!(rough.contains(meaning), "{rough}");
    }

    #[test]
    fn times_have_the_digits_of_the_change_beside_them() {
        for (margin, ends, expected) in [
            // The quotient of the times is another change.
            (0.01, (0.7534, 0.9523), "~ 21 ms  ~ 16 ms  −21 %"),
            (0.03, (0.7534, 0.9523), "21 ms  16 ms  −21 %"),
            (0.03, (0.7834, 0.7872), "20.88 ms  15.99 ms  −21.5 %"),
        ] {
            let verdict = Verdict {
                finding: Finding::Faster,
                ratio: Some(0.7852),
                lower: Some(ends.0),
                upper: Some(ends.1),
                margin,
                reference_ns: Some(20_876_700.0),
                case_ns: Some(15_987_500.0),
                ..Verdict::default()
            };
            let labels = ["main", "working tree"].map(str::to_owned);
            let judged = [Judged::new("sort", &verdict)];
            let style = Style::default();
            let text = verdict_table(&labels, &judged, &style, true).text(&style);
            assert!(text.contains(expected), "{text}");
        }
    }
}
