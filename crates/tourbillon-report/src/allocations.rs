//! What an op asks of the allocator, a line for each case, and what of it has changed.

use tourbillon_record::{Case, CaseResult, Metric, Scope};

use crate::Style;
use crate::counted::{is_exact, push_bytes, push_counted, same_count};
use crate::escape::display_width;
use crate::pieces::Pieces;
use crate::style::Ink;
use crate::text::Text;
use crate::tree::say_full_label;
use crate::wrap::Page;

/// Before a line below the row of a case.
const INDENTATION: &str = "    ";
const INDENT: usize = INDENTATION.len();

/// The counted results of a run, and those of the run that it is held against.
#[derive(Clone, Copy)]
pub struct Allocations<'a> {
    /// The cases in the order in which they are shown.
    pub cases: &'a [Case],
    /// Their results, in any order.
    pub results: &'a [CaseResult],
    /// The result of the other run, by the case's id and the metric.
    pub before: &'a dyn Fn(&str, Metric) -> Option<&'a CaseResult>,
    /// The name under which that run was saved; `None` for the last run.
    pub baseline: Option<&'a str>,
}

impl std::fmt::Debug for Allocations<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Allocations")
            .field("cases", &self.cases.len())
            .field("results", &self.results.len())
            .finish_non_exhaustive()
    }
}

impl<'a> Allocations<'a> {
    /// `alloc 3/op  1.2 KiB/op  peak 4.0 KiB  kept 0 B  moved 512 B  (exact)`, indented and broken to
    /// the width, with a line feed; empty for a case of which nothing was counted.
    #[inline(never)]
    pub fn below(&self, case: &str, style: &Style) -> String {
        let items = self.items(case, style);
        let mut page = String::new();
        if items.is_empty() {
            return page;
        }
        let room = style.columns() - INDENT;
        if Pieces::of(&items).any(|item| display_width(item) > room) {
            // So narrow that items have to be broken themselves.
            let mut narrow = Page::new(style);
            narrow.line.say(&items);
            narrow.fill(Ink::Dim, INDENTATION);
            return narrow.text;
        }
        let mut line = String::new();
        for item in Pieces::of(&items) {
            let width = display_width(&line) + 2 + display_width(item);
            if !line.is_empty() && width > style.columns() {
                end(&mut page, &line, style);
                line.clear();
            }
            line.push_str(if line.is_empty() { INDENTATION } else { "  " });
            line.push_str(item);
        }
        end(&mut page, &line, style);
        page
    }

    /// The items of the line, divided by line feeds; empty where nothing was counted.
    #[inline(never)]
    pub fn items(&self, case: &str, style: &Style) -> String {
        let mut text = Text::new(style);
        let of = |metric| self.result(case, metric);
        let Some(allocs) = of(Metric::Allocs).filter(|allocs| allocs.estimate.is_ok()) else {
            return text.string;
        };
        let mut nothing = true;
        for metric in SHOWN {
            nothing &= of(metric).is_none_or(|result| result.estimate == Ok(0.0));
        }
        text.say("alloc ");
        push_per_op(&mut text, allocs);
        if !nothing {
            for (metric, before, behind) in [
                (Metric::Bytes, "", "/op"),
                (Metric::Peak, "peak ", ""),
                (Metric::Kept, "kept ", ""),
                (Metric::Moved, "moved ", ""),
            ] {
                if let Some(result) = of(metric) {
                    text.item().say(before);
                    push_counted(&mut text.string, result);
                    text.say(behind);
                }
            }
        }
        if nothing && is_exact(allocs) {
            // With the count in one item: it is one statement.
            text.say(" ");
        } else {
            text.item();
        }
        say_certainty(&mut text, &[of(Metric::Allocs), of(Metric::Bytes)]);
        say_first_call(&mut text, allocs, of(Metric::Bytes));
        text.string
    }

    /// A line for each case with a count that is not what it was, and how many are; empty where there
    /// is nothing to compare with.
    #[inline(never)]
    pub fn changes(&self, style: &Style) -> String {
        let mut page = Page::new(style);
        let mut same = 0;
        for case in self.cases {
            let mut between = ": alloc ";
            let mut compared = false;
            for metric in SHOWN {
                let (Some(now), Some(then)) = (
                    self.result(&case.id, metric),
                    (self.before)(&case.id, metric),
                ) else {
                    continue;
                };
                // What is not there is no change of what is.
                if now.estimate.is_err() || then.estimate.is_err() {
                    continue;
                }
                compared = true;
                if same_count(now, then) {
                    continue;
                }
                if between == ": alloc " {
                    say_full_label(&mut page.line, case);
                }
                page.line.say(between);
                say_change(&mut page.line, metric, then, now);
                between = ", ";
            }
            if between == ", " {
                page.line.say(" against ");
                self.say_other(&mut page.line);
                page.fill(Ink::Note, "! ");
            } else {
                same += u64::from(compared);
            }
        }
        if same > 0 {
            page.line.say("alloc as in ");
            self.say_other(&mut page.line);
            page.line.say(": ").counted(same, "case");
            page.fill(Ink::Plain, "");
        }
        page.text
    }

    fn say_other(&self, text: &mut Text) {
        match self.baseline {
            Some(name) => text.safe(name),
            None => text.say("the last run"),
        };
    }

    fn result(&self, case: &str, metric: Metric) -> Option<&'a CaseResult> {
        let of_case = |result: &&CaseResult| result.metric == metric && result.case == case;
        self.results.iter().find(of_case)
    }
}

/// In the order in which they stand in the line.
const SHOWN: [Metric; 5] = [
    Metric::Allocs,
    Metric::Bytes,
    Metric::Peak,
    Metric::Kept,
    Metric::Moved,
];

/// `3/op`, `1 in 8 ops`.
fn push_per_op(text: &mut Text, allocs: &CaseResult) {
    let start = text.string.len();
    push_counted(&mut text.string, allocs);
    let rare = text.string[start..].starts_with("1 in ");
    text.say(if rare { " ops" } else { "/op" });
}

/// Whether all visits counted the same.
fn say_certainty(text: &mut Text, results: &[Option<&CaseResult>]) {
    for result in results.iter().flatten() {
        if is_exact(result) {
            continue;
        }
        text.say("(not the same every time: ");
        for (at, end) in [result.lower, result.upper]
            .into_iter()
            .flatten()
            .enumerate()
        {
            text.say(if at == 0 { "" } else { " to " });
            let end = CaseResult {
                estimate: Ok(end),
                lower: None,
                ..(*result).clone()
            };
            push_counted(&mut text.string, &end);
        }
        text.say(")");
        return;
    }
    let once = results
        .iter()
        .flatten()
        .any(|one| one.scope == Scope::Process);
    text.say(if once {
        "(exact, of one process)"
    } else {
        "(exact)"
    });
}

/// What the first call had, where it is another figure.
fn say_first_call(text: &mut Text, allocs: &CaseResult, size: Option<&CaseResult>) {
    let differs = |result: &CaseResult| {
        let (Some(first), Ok(steady)) = (result.first_call, result.estimate) else {
            return false;
        };
        // One in eight ops is none or one in any single op.
        (first - steady).abs() >= 1.0
    };
    if !differs(allocs) && !size.is_some_and(differs) {
        return;
    }
    let Some(first) = allocs.first_call else {
        return;
    };
    text.item().say("first call ").decimal(first, 0);
    if let Some(first) = size.and_then(|size| size.first_call) {
        text.say(", ");
        push_bytes(&mut text.string, first);
    }
}

/// `3/op -> 4/op`.
fn say_change(text: &mut Text, metric: Metric, then: &CaseResult, now: &CaseResult) {
    let (before, behind) = match metric {
        Metric::Bytes => ("", "/op"),
        Metric::Peak => ("peak ", ""),
        Metric::Kept => ("kept ", ""),
        Metric::Moved => ("moved ", ""),
        _ => {
            push_per_op(text, then);
            push_per_op(text.say(" -> "), now);
            return;
        }
    };
    push_counted(&mut text.say(before).string, then);
    push_counted(&mut text.say(behind).say(" -> ").string, now);
    text.say(behind);
}

/// Ends a line that nothing is asked to look at first.
fn end(page: &mut String, line: &str, style: &Style) {
    style.paint(page, Ink::Dim, line);
    page.push('\n');
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
            confidence: None,
            own: None,
            scope: Scope::Processes,
            systematic: 0.0,
            launches: 2,
            samples: 4,
            mean: None,
            stddev: None,
            mad: None,
            fixed_cost: None,
            first_call: Some(first_call),
            resolution: Some(0.0),
            ops: 6144,
            iterations: 6144,
            elapsed_ns: 0.0,
            method: String::new(),
            notes: Vec::new(),
            unknown: String::new(),
        }
    }

    /// Requests, bytes, peak, kept and moved, the same in the first call.
    fn results(figures: [f64; 5]) -> Vec<CaseResult> {
        let results = SHOWN.iter().zip(figures);
        results
            .map(|(metric, figure)| result(*metric, figure, figure))
            .collect()
    }

    fn below(results: &[CaseResult], width: usize) -> String {
        let style = Style {
            width,
            ..Style::default()
        };
        let allocations = Allocations {
            cases: &[],
            results,
            before: &|_, _| None,
            baseline: None,
        };
        allocations.below("c", &style)
    }

    #[test]
    fn the_line_says_all_of_it() {
        let some = results([3.0, 1_229.0, 4_096.0, 0.0, 512.0]);
        assert_eq!(
            below(&some, 80),
            "    alloc 3/op  1.2 KiB/op  peak 4.0 KiB  kept 0 B  moved 512 B  (exact)\n"
        );
        assert_eq!(below(&results([0.0; 5]), 80), "    alloc 0/op (exact)\n");
        assert_eq!(below(&[], 80), "");
        let input = results([0.0, 0.0, 0.0, -300.0, 0.0]);
        assert!(below(&input, 80).contains("  kept -300 B  "), "{input:?}");
    }

    #[test]
    fn what_is_rare_or_first_or_not_the_same_is_said() {
        let mut some = results([0.125, 8.0, 64.0, 0.0, 0.0]);
        assert!(below(&some, 80).starts_with("    alloc 1 in 8 ops  8 B/op  "));
        some[0].first_call = Some(1.0);
        assert!(!below(&some, 120).contains("first call"));
        some[1].first_call = Some(72.0);
        assert!(below(&some, 120).ends_with("(exact)  first call 1, 72 B\n"));
        some[0].scope = Scope::Process;
        assert!(below(&some, 120).contains("  (exact, of one process)  "));
        some[0].upper = Some(2.0);
        let line = below(&some, 120);
        assert!(
            line.contains("  (not the same every time: 0.125 to 2)  "),
            "{line}"
        );
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let mut some = results([3.0, 1_229.0, 4_096.0, -1_229.0, 512.0]);
        some[1].upper = Some(1e9);
        for width in 24..120 {
            for line in below(&some, width).lines() {
                assert!(display_width(line) <= width, "{width}: {line}");
            }
        }
    }

    #[test]
    fn what_has_changed_is_named_and_the_rest_counted() {
        let case = |id: &str| Case {
            id: id.to_owned(),
            name: id.to_owned(),
            ..Case::default()
        };
        let cases = [case("c"), case("d"), case("new")];
        let then = results([3.0, 64.0, 64.0, 0.0, 0.0]);
        let mut now = results([4.0, 64.0, 96.0, 0.0, 0.0]);
        let same = then.iter().cloned().map(|one| CaseResult {
            case: "d".to_owned(),
            ..one
        });
        now.extend(same);
        let allocations = Allocations {
            cases: &cases,
            results: &now,
            before: &|case, metric| {
                let of_metric = |result: &&CaseResult| result.metric == metric;
                then.iter().find(of_metric).filter(|_| case != "new")
            },
            baseline: Some("main"),
        };
        assert_eq!(
            allocations.changes(&Style::default()),
            "! c: alloc 3/op -> 4/op, peak 64 B -> 96 B against main\nalloc as in main: 1 case\n"
        );
        let alone = Allocations {
            before: &|_, _| None,
            ..allocations
        };
        assert_eq!(alone.changes(&Style::default()), "");
    }
}
