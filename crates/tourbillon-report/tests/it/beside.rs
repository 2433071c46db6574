//! Several records in one table, byte for byte.

use tourbillon_record::{Absence, Case, CaseResult, Metric, Rough, Run};
use tourbillon_report::{Beside, Style, beside};

use crate::same::same;
use crate::samples::{absent, case, cycles, header, own, panicked, result, text, time};

fn run(cases: &[Case], results: Vec<CaseResult>) -> Run {
    Run {
        header: header(vec![text("cpu_model", "Example 9000")]),
        cases: cases.to_vec(),
        results,
        ..Run::default()
    }
}

fn drawn(records: &[(&str, &Run)], style: Style) -> String {
    let records = records.iter().map(|(label, run)| Beside {
        label: (*label).to_owned(),
        runs: vec![run],
    });
    beside(&records.collect::<Vec<_>>(), &style).text(&style)
}

/// Two runs with groups, other metrics and every reason not to have a change.
fn two() -> [Run; 2] {
    let cases = [
        case("encode", "encode", &[("n", "16")]),
        case("encode", "encode", &[("n", "1024")]),
        case("shared", "mutex", &[]),
        case("shared", "channel", &[]),
        case("", "broken", &[]),
        case("", "retries", &[]),
        case("", "gone", &[]),
    ];
    let allocs = |case: &Case, count| result(case, Metric::Allocs, count, 0.0);
    let bytes = |case: &Case, count| result(case, Metric::Bytes, count, 0.0);
    let p99 = |case: &Case, ns| result(case, Metric::P99, ns, 0.01);
    let rough = |case: &Case| CaseResult {
        rough: Some(Rough {
            estimate: 61.0,
            lower: 39.0,
            upper: 84.0,
        }),
        ..absent(case, Absence::MachineBusy, None)
    };
    let then = vec![
        time(&cases[0], 105.0, 0.02),
        cycles(&cases[0], 310.0, 0.004),
        allocs(&cases[0], 3.0),
        bytes(&cases[0], 96.0),
        time(&cases[1], 1440.0, 0.02),
        cycles(&cases[1], 4292.0, 0.004),
        allocs(&cases[1], 1.0),
        time(&cases[2], 15.0, 0.02),
        time(&cases[3], 130.0, 0.02),
        p99(&cases[3], 900.0),
        time(&cases[4], 15.0, 0.02),
        own(&cases[5], "retries", "retries", 12.0, 0.01),
        time(&cases[6], 21.0, 0.02),
    ];
    let now = vec![
        time(&cases[0], 38.9, 0.02),
        cycles(&cases[0], 116.0, 0.004),
        allocs(&cases[0], 1.0),
        bytes(&cases[0], 32.0),
        time(&cases[1], 1450.0, 0.02),
        cycles(&cases[1], 4292.0, 0.004),
        allocs(&cases[1], 1.0),
        rough(&cases[2]),
        time(&cases[3], 101.0, 0.02),
        p99(&cases[3], 1200.0),
        own(&cases[5], "retries", "retries", 30.0, 0.01),
    ];
    let mut later = run(&cases[..6], now);
    later.faults.push(panicked(&cases[4], 0));
    [run(&cases, then), later]
}

#[test]
fn a_row_has_both_times_the_change_and_what_else_differs() {
    let [then, now] = two();
    let at = |width| drawn(&[("main", &then), ("here", &now)], Style::of_width(width));
    same(
        &at(80),
        "
                    main  ±99 %          here       ±99 %  change
broken      15.0 ns       2.0 %        failed
retries     12.0 retries  1.0 %  30.0 retries       1.0 %  2.50× more
gone        21.0 ns       2.0 %                            missing
encode(n)
├─ 16        105 ns       2.0 %  38.9 ns            2.0 %  2.7× faster
    allocs 3 → 1 · bytes 96 B → 32 B
╰─ 1024     1.44 µs       2.0 %  1.45 µs            2.0 %  ≈
shared
├─ mutex    15.0 ns       2.0 %  ~ 61 ns       39 … 84 ns
╰─ channel   130 ns       2.0 %   101 ns            2.0 %  −22 %
    p99 900 ns → 1.20 µs
no room for: cycles
~  rough: another run may differ; of all launches, contended ones included
change  of the time, main → here; not measured together, so not a verdict

3 differ · 1 missing · 1 not told apart · 2 without a change
",
    );
}

#[test]
fn columns_give_way_where_it_is_narrow() {
    let [then, now] = two();
    same(
        &drawn(&[("main", &then), ("here", &now)], Style::of_width(50)),
        "
                   main          here  change
broken     15.0 ns             failed
retries    12.0 retries  30.0 retries  2.50× more
gone       21.0 ns                     missing
encode(n)
├─ 16       105 ns       38.9 ns       2.7× faster
    allocs 3 → 1 · bytes 96 B → 32 B
╰─ 1024    1.44 µs       1.45 µs       ≈
shared
├─ mutex   15.0 ns       ~ 61 ns
╰─ cha…el   130 ns        101 ns       −22 %
    p99 900 ns → 1.20 µs
no room for: ±99 %, ±99 %, cycles
~  rough: another run may differ; of all launches,
   contended ones included
change  of the time, main → here; not measured
        together, so not a verdict

3 differ · 1 missing · 1 not told apart
2 without a change
",
    );
}

#[test]
fn cycles_are_compared_on_one_model_of_processor() {
    let [then, mut now] = two();
    let wide = drawn(&[("main", &then), ("here", &now)], Style::of_width(100));
    let row = wide.lines().find(|line| line.contains("─ 16"));
    assert_eq!(
        row,
        Some(
            "├─ 16        105 ns       2.0 %  38.9 ns            2.0 %  2.7× faster  2.67× faster"
        ),
        "{wide}"
    );
    assert!(wide.contains("\ncycles  their change, which"), "{wide}");
    now.header.facts = vec![text("cpu_model", "Other")];
    let ascii = Style {
        unicode: false,
        ..Style::default()
    };
    let table = drawn(&[("main", &then), ("here", &now)], ascii);
    assert!(!table.contains("cycles"), "{table}");
    assert!(
        table.contains("2.7x faster") && table.contains("allocs 3 -> 1"),
        "{table}"
    );
}

#[test]
fn of_three_records_there_is_no_change() {
    let [then, now] = two();
    let records = [("a", &then), ("b", &now), ("c", &then)];
    same(
        &drawn(&records, Style::default()),
        "
                       a  ±99 %             b       ±99 %             c  ±99 %
broken      15.0 ns       2.0 %        failed              15.0 ns       2.0 %
retries     12.0 retries  1.0 %  30.0 retries       1.0 %  12.0 retries  1.0 %
gone        21.0 ns       2.0 %                            21.0 ns       2.0 %
encode(n)
├─ 16        105 ns       2.0 %  38.9 ns            2.0 %   105 ns       2.0 %
    allocs 3 → 1 → 3 · bytes 96 B → 32 B → 96 B
╰─ 1024     1.44 µs       2.0 %  1.45 µs            2.0 %  1.44 µs       2.0 %
shared
├─ mutex    15.0 ns       2.0 %  ~ 61 ns       39 … 84 ns  15.0 ns       2.0 %
╰─ channel   130 ns       2.0 %   101 ns            2.0 %   130 ns       2.0 %
    p99 900 ns → 1.20 µs → 900 ns
~  rough: another run may differ; of all launches, contended ones included

The records were not measured together: a difference between them is not a
verdict.
",
    );
}
