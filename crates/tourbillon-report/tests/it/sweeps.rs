//! The lines of growth.

use tourbillon_analysis::sweep::{Cache, caches};
use tourbillon_record::{Absence, Case, CaseResult, FactValue, Throughput, ThroughputUnit};
use tourbillon_report::{ReportFormat, Style, Sweeps, TableData, display_width};

use crate::samples::{HOSTILE, case, header, table, text, time};

/// A benchmark over doubled sizes from 64.
fn made(
    name: &str,
    axis: &str,
    count: u32,
    ns: impl Fn(f64) -> f64,
) -> (Vec<Case>, Vec<CaseResult>) {
    let sizes = (0..count).map(|power| 64 << power);
    let cases: Vec<Case> = sizes
        .map(|n: u64| case("sort", name, &[(axis, &n.to_string()), ("kind", "random")]))
        .collect();
    let results = cases.iter().map(|case| {
        let size: f64 = case.arguments[0].value.parse().expect("a size");
        time(case, ns(size), 0.002)
    });
    let results = results.collect();
    (cases, results)
}

fn shown(cases: &[Case], results: &[CaseResult], caches: &[Cache]) -> String {
    Sweeps::of(cases, results, caches).render(&Style::default())
}

#[test]
fn growth_is_named_with_its_exponent() {
    let (cases, results) = made("heap", "n", 12, |n| 3.0 * n * n.log2());
    assert_eq!(
        shown(&cases, &results, &[]),
        "growth\n  \
         sort/heap/random over n: n log n\n                           \
         exponent 1.10 [1.09, 1.10] from 8,192 to 131,072\n"
    );
}

#[test]
fn a_constant_time_has_a_bound() {
    let (cases, results) = made("push", "n", 12, |_| 5.0);
    assert_eq!(
        shown(&cases, &results, &[]),
        "growth\n  \
         sort/push/random over n: constant\n                           \
         grows by at most 0.3 % from 8,192 to 131,072\n"
    );
}

#[test]
fn kinks_lie_next_to_caches() {
    let facts = vec![tourbillon_record::Fact {
        name: "caches".to_owned(),
        value: FactValue::List(vec!["L1 data 32 KiB".to_owned(), "L2 1 MiB".to_owned()]),
    }];
    let caches = caches(&header(facts));
    let slower = |n: f64| if n > 9_000.0 { 2.0 * n } else { n };
    let (cases, results) = made("scan", "n", 12, slower);
    let line =
        "  ! kink between 8,192 and 16,384: 2.0 times slower than the sizes around\n    predict";
    let plain = shown(&cases, &results, &caches);
    assert!(plain.contains(line) && !plain.contains("holds"), "{plain}");
    // Four bytes for each unit of the axis.
    let mut in_bytes = results.clone();
    for (case, result) in cases.iter().zip(&mut in_bytes) {
        let size: u64 = case.arguments[0].value.parse().expect("a size");
        result.throughput = Some(Throughput {
            unit: ThroughputUnit::Bytes,
            per_op: 4 * size,
        });
    }
    let text = shown(&cases, &in_bytes, &caches);
    assert!(
        text.contains("L1 holds 32 KiB") && !text.contains("L2"),
        "{text}"
    );
}

#[test]
fn refusals_name_what_a_sweep_lacks() {
    let (cases, results) = made("heap", "n", 5, |n| n);
    let refusal = |missing: &str| {
        format!("  sort/heap/random over n: not examined\n                           {missing}\n")
    };
    let refused = |cases: &[Case], results: &[CaseResult]| {
        // Not on the screen: few sizes are no mistake.
        assert_eq!(shown(cases, results, &[]), "");
        Sweeps::of(cases, results, &[]).refusals(&Style::default())
    };
    assert_eq!(
        refused(&cases, &results),
        refusal("5 sizes with an interval, 1 more needed")
    );
    let wide = [&cases[0], &cases[2], &cases[4]].map(Case::clone);
    assert_eq!(
        refused(&wide, &results),
        refusal("3 sizes with an interval, 3 more needed")
    );
    // Six sizes that are close to each other.
    let close: Vec<Case> = (10..16)
        .map(|n| case("sort", "heap", &[("n", &n.to_string()), ("kind", "random")]))
        .collect();
    let results: Vec<CaseResult> = close.iter().map(|case| time(case, 5.0, 0.002)).collect();
    let text = refused(&close, &results);
    assert!(text.contains("the largest size is 1.5 times"), "{text}");
}

#[test]
fn parameters_that_happen_to_be_numbers_have_no_growth() {
    // 64, 128, 256 and 512.
    let (mut cases, results) = made("heap", "n", 4, |n| n);
    assert_eq!(shown(&cases, &results, &[]), "");
    assert_eq!(shown(&cases[..2], &results, &[]), "");
    // A limit expects growth.
    cases[0].at_most = Some("n".to_owned());
    let text = shown(&cases, &results, &[]);
    assert!(text.contains("nor compared with at_most = \"n\""), "{text}");
    let (threads, results) = made("heap", "threads", 8, |n| n);
    assert_eq!(shown(&threads, &results, &[]), "");
}

#[test]
fn a_limit_that_is_exceeded_fails_the_case() {
    let (mut cases, results) = made("heap", "n", 6, |n| n * n);
    for (limit, exceeded) in [("n log n", true), ("n^2", false)] {
        for case in &mut cases {
            case.at_most = Some(limit.to_owned());
        }
        let text = shown(&cases, &results, &[]);
        let line = "  ! grows faster than at_most = \"n log n\": case failed\n";
        assert_eq!(text.contains(line), exceeded, "{text}");
    }
}

#[test]
fn scattered_launches_count_by_their_lower_end() {
    let (cases, mut results) = made("heap", "n", 6, |n| 2.0 * n);
    results[4].estimate = Err(Absence::TooScattered);
    results[4].upper = results[4].upper.map(|upper| 3.0 * upper);
    let text = shown(&cases, &results, &[]);
    assert!(text.contains(" over n: n "), "{text}");
    results[4].estimate = Err(Absence::MachineBusy);
    let text = Sweeps::of(&cases, &results, &[]).refusals(&Style::default());
    assert!(
        text.contains("5 sizes with an interval, 1 more needed"),
        "{text}"
    );
    for case in &mut cases.clone() {
        case.at_most = Some("n".to_owned());
        let text = shown(std::slice::from_ref(case), &results, &[]);
        assert!(text.contains("nor compared with at_most = \"n\""), "{text}");
    }
}

#[test]
fn a_script_has_it_as_comments() {
    let (cases, results) = made("heap", "n", 6, |n| n * n);
    let table = table(&cases, &results);
    let script = ReportFormat::Gnuplot.render(&[TableData {
        name: "",
        table: &table,
    }]);
    for line in [
        "#   sort/heap/random over n: n^2 · exponent 2.00 [2.00, 2.00] from 128 to 2,048\n",
        "#   local exponent 2.000 [1.996, 2.004] from 64 to 128\n",
    ] {
        assert!(script.contains(line), "{script}");
    }
}

#[test]
fn no_name_breaks_a_line() {
    for name in HOSTILE {
        let (mut cases, results) = made("heap", "n", 6, |n| n * n);
        for case in &mut cases {
            case.name = (*name).to_owned();
            case.at_most = Some("n".to_owned());
        }
        for width in [24, 60] {
            let style = Style::of_width(width);
            let text = Sweeps::of(&cases, &results, &[]).render(&style);
            for line in text.lines() {
                // A word that is wider than the terminal is not broken.
                let word = display_width(line.rsplit(' ').next().unwrap_or(line));
                let fits = display_width(line) <= width || word > width / 2;
                assert!(fits, "{line}");
                assert!(!line.contains(|c: char| c.is_control()), "{line:?}");
            }
        }
    }
    // The tests' own fact has nothing to do with caches.
    assert_eq!(caches(&header(vec![text("caches", "L1")])), []);
}
