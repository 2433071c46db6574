//! Tables, byte for byte: rows, names and order.

use tourbillon_record::{
    Absence, Case, CaseResult, Fault, Finding, Metric, Note, Throughput, ThroughputUnit, Verdict,
};
use tourbillon_report::{Before, Ratio, Style, Table, display_width};

use crate::same::same;
use crate::samples::{absent, case, cycles, noted, panicked, table, time};

/// A table of a run of 20 launches at 99 %.
pub(crate) struct Run {
    pub(crate) cases: Vec<Case>,
    pub(crate) results: Vec<CaseResult>,
    pub(crate) faults: Vec<Fault>,
    /// Bytes per op of cases whose id contains this.
    pub(crate) bytes: Option<(&'static str, u64)>,
    baseline: Option<&'static str>,
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) last: fn(&str) -> Option<Before>,
}

impl Run {
    pub(crate) fn of(cases: Vec<Case>, results: Vec<CaseResult>) -> Run {
        Run {
            cases,
            results,
            faults: Vec::new(),
            bytes: None,
            baseline: None,
            verdicts: Vec::new(),
            last: |_| None,
        }
    }

    pub(crate) fn drawn(&self, style: Style) -> String {
        let mut results = self.results.clone();
        let (part, per_op) = self.bytes.unwrap_or(("no case", 0));
        for result in results
            .iter_mut()
            .filter(|result| result.case.contains(part))
        {
            result.throughput = Some(Throughput {
                unit: ThroughputUnit::Bytes,
                per_op,
            });
        }
        self.table(&results).document(&style).text(&style)
    }

    /// The findings as in a report.
    pub(crate) fn notes(&self) -> Vec<tourbillon_report::Note> {
        self.table(&self.results).notes(&Style::default())
    }

    fn table<'a>(&'a self, results: &'a [CaseResult]) -> Table<'a> {
        Table {
            faults: &self.faults,
            baseline: self.baseline,
            verdicts: &self.verdicts,
            last: &self.last,
            ..table(&self.cases, results)
        }
    }

    pub(crate) fn at(&self, width: usize) -> String {
        self.drawn(Style::of_width(width))
    }
}

/// Two groups, all columns, every reason not to have a figure.
pub(crate) fn everything() -> Run {
    let mut cases = vec![
        case("search", "same", &[("n", "100")]),
        case("search", "stream", &[("n", "100")]),
        case("search", "stream", &[("n", "6553600")]),
        case("sort", "selection", &[("n", "10000")]),
        case("sort", "heap", &[("n", "10000")]),
        case("sort", "broken", &[]),
        case("sort", "slow", &[]),
        case("sort", "late", &[]),
        case("", "empty", &[]),
    ];
    cases[6].ignored = Some("takes minutes".to_owned());
    let slow = [Note::SlowLaunches {
        count: 1,
        excess: 0.61,
    }];
    let results = vec![
        time(&cases[0], 4.41, 0.002),
        cycles(&cases[0], 15.8, 0.002),
        time(&cases[1], 17.3, 0.004),
        cycles(&cases[1], 62.1, 0.004),
        time(&cases[2], 321.0, 0.019),
        cycles(&cases[2], 1150.0, 0.019),
        time(&cases[3], 38.1e6, 0.003),
        cycles(&cases[3], 136.9e6, 0.003),
        noted(time(&cases[4], 829e3, 0.011), &slow),
        noted(cycles(&cases[4], 2.98e6, 0.011), &slow),
        absent(&cases[8], Absence::BelowResolution, Some(0.0481)),
    ];
    let faults = vec![panicked(&cases[5], 0), panicked(&cases[5], 1)];
    let last = |id: &str| {
        let ratio = Ratio {
            metric: Metric::Cycles,
            estimate: 1.0112,
            lower: 0.9931,
            upper: 1.0288,
        };
        id.contains("6553600").then_some(Before::Change(ratio))
    };
    Run {
        cases,
        results,
        faults,
        bytes: Some(("stream", 800)),
        baseline: None,
        verdicts: Vec::new(),
        last,
    }
}

fn verdict(case: &Case, reference: &Case, finding: Finding, ratio: [f64; 3]) -> Verdict {
    Verdict {
        case: case.id.clone(),
        reference: reference.id.clone(),
        finding,
        ratio: Some(ratio[0]),
        lower: Some(ratio[1]),
        upper: Some(ratio[2]),
        confidence: 0.999,
        margin: 0.01,
        ..Verdict::default()
    }
}

#[test]
fn a_verdict_stands_in_the_row_of_what_was_compared() {
    let cases = vec![
        case("case", "lower", &[]),
        case("case", "upper", &[]),
        case("case", "title", &[]),
        case("case", "swapped", &[]),
    ];
    let results = cases.iter().zip([35.0, 126.0, 34.9, 36.1]);
    let results = results.map(|(case, ns)| time(case, ns, 0.02)).collect();
    let mut run = Run::of(cases, results);
    let [lower, upper, title, swapped] = &run.cases[..] else {
        panic!("four cases");
    };
    run.verdicts = vec![
        verdict(upper, lower, Finding::Slower, [3.545, 3.51, 3.58]),
        verdict(title, lower, Finding::Same, [0.997, 0.993, 1.002]),
        verdict(swapped, lower, Finding::Faster, [0.969, 0.961, 0.981]),
    ];
    same(
        &run.at(80),
        "
case           time  ±99 %  to reference     99.9 % interval
├─ lower    35.0 ns  2.0 %  reference
├─ upper     126 ns  2.0 %  3.54× slower     (3.51 … 3.58)
├─ title    34.9 ns  2.0 %  same within 1 %
╰─ swapped  36.1 ns  2.0 %  −3 %             (−4 … −1 %)
",
    );
    // The interval gives way before what a reader needs.
    let narrow = run.at(44);
    assert!(
        !narrow.contains('…') && narrow.contains("3.54× slower"),
        "{narrow}"
    );
}

#[test]
fn functions_with_arguments_have_a_heading() {
    let cases = vec![
        case("", "encode", &[("n", "16")]),
        case("", "concat", &[]),
        case(
            "from_hex",
            "from_hex",
            &[("type", "Vec<u8>"), ("upper", "true")],
        ),
        case("", "encode", &[("n", "1024")]),
        // Rows of several axes have none in common.
        case("map", "get", &[("n", "4")]),
        case("map", "insert", &[("hasher", "fx")]),
    ];
    let results = cases.iter().map(|case| time(case, 10.0, 0.01)).collect();
    same(
        &Run::of(cases, results).at(80),
        "
                    time  ±99 %
concat           10.0 ns  1.0 %
encode(n)
├─ 16            10.0 ns  1.0 %
╰─ 1024          10.0 ns  1.0 %
from_hex(type, upper)
╰─ Vec<u8>/true  10.0 ns  1.0 %
map
├─ get/4         10.0 ns  1.0 %
╰─ insert/fx     10.0 ns  1.0 %
",
    );
}

#[test]
fn a_name_that_is_its_heading_is_not_repeated() {
    let written = [Note::Writes { per_op: 2.0 }];
    let cases = vec![
        case("sort", "sort", &[("n", "4"), ("kind", "up")]),
        case("sort", "sort", &[("n", "8"), ("kind", "up")]),
        // With another function, and without arguments, the name is needed.
        case("hash", "hash", &[("n", "4")]),
        case("hash", "rehash", &[("n", "4")]),
        case("parse", "parse", &[]),
    ];
    let mut results: Vec<_> = cases.iter().map(|case| time(case, 100.0, 0.01)).collect();
    for index in [0, 2, 4] {
        results[index].notes = written.to_vec();
    }
    same(
        &Run::of(cases, results).at(80),
        "
sort(n, kind)    time  ±99 %
├─ 4/up        100 ns  1.0 %
╰─ 8/up        100 ns  1.0 %
hash(n)
├─ hash/4      100 ns  1.0 %
╰─ rehash/4    100 ns  1.0 %
parse
╰─ parse       100 ns  1.0 %

! sort/4/up, hash/4, parse: writes up to 2 bytes per op, whose time is in the
  figure; keep output out of the body unless it is what is measured
",
    );
}

#[test]
fn colours() {
    let mut run = everything();
    run.cases.drain(..4);
    let text = run.drawn(Style {
        color: true,
        ..Style::default()
    });
    same(
        &text.replace('\x1b', "^"),
        "
^[2m                     time  ±99 %  cycles^[0m
empty          < 0.049 ns
^[1msort^[0m
^[2m├─ ^[0mheap/10000      829 µs  ^[2m1.1 %^[0m  2.98 M
^[2m├─ ^[0mbroken      ^[31mfailed: panicked: index out of bounds: the len is 3 but the inde…^[0m
^[2m├─ ^[0mslow        ^[2mignored: takes minutes^[0m
^[2m╰─ ^[0mlate        ^[2mno result^[0m
^[2m<  an upper bound: not distinguishable from an empty loop^[0m

^[33m! empty: not distinguishable from an empty body; the compiler may have removed^[0m
^[33m  the work: pass inputs through hide(), return the result, and read what is^[0m
^[33m  left: cargo rustc --profile bench --bench NAME -- --emit asm^[0m
",
    );
}

#[test]
fn one_case_with_nothing_but_a_time() {
    let only = case("", "concat", &[]);
    let mut result = time(&only, 17.3, 0.004);
    result.lower = None;
    result.upper = None;
    result.confidence = None;
    same(
        &Run::of(vec![only], vec![result]).at(80),
        "
           time
concat  17.3 ns
",
    );
}

#[test]
fn no_case_no_text() {
    same(&Run::of(Vec::new(), Vec::new()).at(80), "");
}

#[test]
fn results_and_faults_of_other_cases_are_left_aside() {
    let mut run = everything();
    let text = run.at(80);
    let stranger = case("other", "stranger", &[]);
    run.results.insert(3, time(&stranger, 1.0, 0.1));
    run.faults.insert(0, panicked(&stranger, 0));
    same(&run.at(80), &text);
}

#[test]
fn the_order_of_results_does_not_matter() {
    let mut run = everything();
    let text = run.at(80);
    run.results.reverse();
    run.faults.reverse();
    same(&run.at(80), &text);
}

#[test]
fn a_thousand_cases_have_a_line_each() {
    let cases: Vec<_> = (0..1000)
        .map(|n| case(&format!("group {}", n % 7), "f", &[("n", &n.to_string())]))
        .collect();
    let results = cases.iter().map(|case| time(case, 10.0, 0.01)).collect();
    let text = Run::of(cases, results).at(80);
    assert_eq!(text.lines().count(), 1007);
    assert_eq!(text.matches("├─ ").count(), 993);
    assert_eq!(text.matches("╰─ ").count(), 7);
    let widths: Vec<_> = text
        .lines()
        .filter(|line| line.contains("─ f/"))
        .map(display_width)
        .collect();
    assert!(widths.iter().all(|width| *width == widths[0]));
}

#[test]
fn the_change_since_a_baseline_gives_way_last() {
    let without = everything();
    let titles = |run: &Run| {
        let text = run.at(60);
        let omitted = text.lines().find(|line| line.starts_with("no room for"));
        omitted.map_or_else(String::new, str::to_owned)
    };
    // It answers what changed.
    let (omitted, text) = (titles(&without), without.at(60));
    assert!(omitted.ends_with("cycles"), "{text}");
    assert!(text.contains("last run\n"), "{text}");
    let with = Run {
        baseline: Some("v1"),
        ..everything()
    };
    let (omitted, text) = (titles(&with), with.at(60));
    assert!(
        omitted.contains("cycles") && !omitted.contains("v1"),
        "{text}"
    );
    assert!(text.contains("+1.1 %") || text.contains("≈"), "{text}");
}
