//! What an op requests from the allocator, a line for each case, and which counts have changed.

use tourbillon_present::number::fixed;
use tourbillon_present::{
    Note, Style, bytes, counted_figure, counted_figures, is_exact, same_count,
};
use tourbillon_record::{Case, CaseResult, Metric, Scope};

use crate::case_results::CaseResults;
use crate::names::printed_name;

/// The counts in the order of the line, with the words before and after each.
const SHOWN: [(Metric, &str, &str); 5] = [
    (Metric::Allocs, "", "/op"),
    (Metric::Bytes, "", "/op"),
    (Metric::Peak, "peak ", ""),
    (Metric::Kept, "kept ", ""),
    (Metric::Moved, "moved ", ""),
];

impl CaseResults<'_> {
    /// What an op of a case requests from the allocator, as the items of a line; none where nothing was counted.
    pub fn allocations(&self, case: &str) -> Vec<String> {
        let counts: Vec<_> = SHOWN
            .iter()
            .filter_map(|shown| Some((shown, self.result(case, shown.0)?)))
            .collect();
        let Some((_, allocs)) = counts.first() else {
            return Vec::new();
        };
        if allocs.metric != Metric::Allocs || allocs.estimate.is_err() {
            return Vec::new();
        }
        let certainty = certainty(&counts[..counts.len().min(2)]);
        let nothing = counts.iter().all(|count| count.1.estimate == Ok(0.0));
        let mut items = if nothing && is_exact(allocs) {
            vec![format!(
                "alloc {} {certainty}",
                per_op(Metric::Allocs, allocs)
            )]
        } else {
            let shown = if nothing { &counts[..1] } else { &counts };
            let mut items: Vec<_> = shown
                .iter()
                .map(|((metric, ..), count)| per_op(*metric, count))
                .collect();
            items[0].insert_str(0, "alloc ");
            items.push(certainty);
            items
        };
        items.extend(first_call(allocs, self.result(case, Metric::Bytes)));
        items
    }
}

/// A note on each case with a count that is not that of the run before: `before` has the results of that by the case's
/// id and the metric, `baseline` is the name under which it was saved, `None` for the last run.
pub fn changed_counts<'r>(
    cases: &[Case],
    results: &CaseResults<'_>,
    before: impl Fn(&str, Metric) -> Option<&'r CaseResult>,
    baseline: Option<&str>,
    style: &Style,
) -> Vec<Note> {
    let other = baseline.unwrap_or("the last run");
    let change = |case: &Case, metric: Metric| {
        let now = results.result(&case.id, metric)?;
        let then = before(&case.id, metric)?;
        let has_changed = now.estimate.is_ok() && then.estimate.is_ok() && !same_count(now, then);
        has_changed.then(|| change(metric, [then, now], style))
    };
    let mut notes = Vec::new();
    for case in cases {
        let changes = SHOWN
            .iter()
            .filter_map(|(metric, ..)| change(case, *metric));
        let allocations: Vec<String> = changes.collect();
        let instructions = change(case, Metric::Instructions);
        let of_case = [
            (!allocations.is_empty()).then(|| format!("alloc {}", allocations.join(", "))),
            instructions.map(|change| format!("instructions {change}")),
        ];
        for text in of_case.into_iter().flatten() {
            notes.push(Note {
                names: vec![printed_name(case)],
                ..Note::new("! ", format!("{text} against {other}"))
            });
        }
    }
    notes
}

/// `3/op`, `1 in 8 ops`, `peak 4.0 KiB`.
fn per_op(metric: Metric, result: &CaseResult) -> String {
    in_words(metric, &counted_figure(result))
}

/// A count with the words of its metric.
fn in_words(metric: Metric, count: &str) -> String {
    let words = SHOWN.iter().find(|shown| shown.0 == metric);
    match words {
        _ if count.starts_with("1 in ") => format!("{count} ops"),
        Some((_, before, after)) => format!("{before}{count}{after}"),
        None => count.to_owned(),
    }
}

/// Whether all launches counted the same.
fn certainty(counts: &[(&(Metric, &str, &str), &CaseResult)]) -> String {
    if let Some((_, varying)) = counts.iter().find(|(_, result)| !is_exact(result)) {
        let mut ends = Vec::new();
        for end in [varying.lower, varying.upper].into_iter().flatten() {
            ends.push(counted_figure(&CaseResult {
                estimate: Ok(end),
                lower: None,
                ..(*varying).clone()
            }));
        }
        return format!("(varies: {})", ends.join(" to "));
    }
    if counts.iter().any(|(_, one)| one.scope == Scope::Process) {
        "(exact, one process)".to_owned()
    } else {
        "(exact)".to_owned()
    }
}

/// What the first call requested, where that differs.
fn first_call(allocs: &CaseResult, size: Option<&CaseResult>) -> Option<String> {
    // One in eight ops is none or one in any single op.
    let differs = |result: &CaseResult| {
        let first = result.first_call.zip(result.estimate.ok());
        first.is_some_and(|(first, steady)| (first - steady).abs() >= 1.0)
    };
    if !differs(allocs) && !size.is_some_and(differs) {
        return None;
    }
    let first = format!("first call {}", fixed(allocs.first_call?, 0));
    Some(match size.and_then(|size| size.first_call) {
        Some(size) => format!("{first}, {}", bytes(size)),
        None => first,
    })
}

/// `3/op → 4/op`, `peak 64 B → 96 B`.
fn change(metric: Metric, then_and_now: [&CaseResult; 2], style: &Style) -> String {
    let words = SHOWN.iter().find(|shown| shown.0 == metric);
    let before = words.map_or("", |words| words.1);
    let figures = counted_figures(&then_and_now.map(CaseResult::clone));
    let words: Vec<String> = figures
        .iter()
        .map(|count| in_words(metric, count))
        .collect();
    let now = words[1].strip_prefix(before).unwrap_or(&words[1]);
    format!("{} {} {now}", words[0], style.glyphs().arrow)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(metric: Metric, estimate: f64, first_call: f64) -> CaseResult {
        CaseResult {
            case: "c".to_owned(),
            metric,
            estimate: Ok(estimate),
            lower: Some(estimate),
            upper: Some(estimate),
            scope: Scope::Processes,
            first_call: Some(first_call),
            ops: 6144,
            ..CaseResult::default()
        }
    }

    /// Requests, bytes, peak, kept and moved, the same in the first call.
    fn results(figures: [f64; 5]) -> Vec<CaseResult> {
        let results = SHOWN.iter().zip(figures);
        results
            .map(|(shown, figure)| result(shown.0, figure, figure))
            .collect()
    }

    fn line(results: &[CaseResult]) -> String {
        CaseResults::of(results).allocations("c").join("  ")
    }

    #[test]
    fn the_line_has_all_counts() {
        let some = results([3.0, 1_229.0, 4_096.0, 0.0, 512.0]);
        assert_eq!(
            line(&some),
            "alloc 3/op  1.2 KiB/op  peak 4.0 KiB  kept 0 B  moved 512 B  (exact)"
        );
        assert_eq!(line(&results([0.0; 5])), "alloc 0/op (exact)");
        assert_eq!(line(&[]), "");
        let input = results([0.0, 0.0, 0.0, -300.0, 0.0]);
        assert!(line(&input).contains("  kept -300 B  "), "{input:?}");
    }

    #[test]
    fn rare_first_and_varying_counts_are_shown() {
        let mut some = results([0.125, 8.0, 64.0, 0.0, 0.0]);
        assert!(line(&some).starts_with("alloc 1 in 8 ops  8 B/op  "));
        some[0].first_call = Some(1.0);
        assert!(!line(&some).contains("first call"));
        some[1].first_call = Some(72.0);
        assert!(line(&some).ends_with("(exact)  first call 1, 72 B"));
        some[0].scope = Scope::Process;
        assert!(line(&some).contains("  (exact, one process)  "));
        some[0].upper = Some(2.0);
        let line = line(&some);
        assert!(line.contains("  (varies: 0.125 to 2)  "), "{line}");
    }

    #[test]
    fn changes_are_named() {
        let case = |id: &str| Case {
            id: id.to_owned(),
            name: id.to_owned(),
            ..Case::default()
        };
        let cases = [case("c"), case("d"), case("new")];
        let then = results([3.0, 64.0, 64.0, 0.0, 0.0]);
        // Where the heap has room is another matter in each process.
        let mut now = results([4.0, 64.0, 96.0, 0.0, 32.0]);
        let same = then.iter().cloned().map(|one| CaseResult {
            case: "d".to_owned(),
            ..one
        });
        now.extend(same);
        let style = Style::default();
        let changed = |now: &[CaseResult], is_known: bool| {
            let before = |case: &str, metric| {
                let of_metric = |result: &&CaseResult| result.metric == metric;
                then.iter()
                    .find(of_metric)
                    .filter(|_| is_known && case != "new")
            };
            changed_counts(&cases, &CaseResults::of(now), before, Some("main"), &style)
        };
        let changes = changed(&now, true);
        let lines: String = changes.iter().map(|note| note.text(&style)).collect();
        assert_eq!(
            lines,
            "! c: alloc 3/op → 4/op, peak 64 B → 96 B against main\n"
        );
        assert_eq!(changed(&now, false), []);
        let [then, now] = [100.0, 104.0].map(|count| result(Metric::Instructions, count, count));
        let before = |_: &str, metric| Some(&then).filter(|then| then.metric == metric);
        let changes = changed_counts(&cases, &CaseResults::of([&now]), before, None, &style);
        let text = changes[0].text(&style);
        assert_eq!(text, "! c: instructions 100 → 104 against the last run\n");
        assert_eq!(changes.len(), 1);
    }
}
