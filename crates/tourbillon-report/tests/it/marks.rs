//! Rows whose figures are absent, or hold for less than others: byte for byte.

use tourbillon_record::{Absence, CaseResult, FaultKind, Metric, Note, Rough, Scope};
use tourbillon_report::{Before, Ratio};

use crate::same::same;
use crate::samples::{absent, case, fault, noted, time};
use crate::table::{Run, everything};

#[test]
fn without_figures_there_are_no_titles() {
    let a = case("g", "a", &[]);
    let b = case("g", "b", &[]);
    let c = case("", "c", &[]);
    let d = case("", "d", &[]);
    let results = vec![
        absent(&a, Absence::Failed, None),
        absent(&b, Absence::NotReached, None),
    ];
    let mut run = Run::of(vec![a, b, c, d], results);
    run.cases[2].ignored = Some(String::new());
    run.faults = vec![fault(&run.cases[3], 0, FaultKind::Signal(11))];
    same(
        &run.at(80),
        "
c     ignored
d     failed: killed by signal 11 (SIGSEGV)
g
├─ a  failed
╰─ b  not reached
",
    );
}

#[test]
fn intervals_that_cover_less_are_marked() {
    let cases = vec![
        case("g", "a", &[]),
        case("g", "b", &[]),
        case("g", "c", &[]),
    ];
    let mut results: Vec<_> = cases.iter().map(|case| time(case, 10.0, 0.01)).collect();
    results[1].scope = Scope::Process;
    results[1].confidence = Some(0.9688);
    results[2].confidence = None;
    same(
        &Run::of(cases, results).at(80),
        "
g        time     ±99 %
├─ a  10.0 ns  1.0 %
├─ b  10.0 ns  1.0 % pc
╰─ c  10.0 ns  1.0 % c
p  interval of one process, or of too few: another may differ by more
c  confidence below 99 %, down to 96.88 %
",
    );
}

#[test]
fn the_heading_names_what_was_reached() {
    let cases = vec![case("g", "a", &[]), case("g", "b", &[])];
    let mut results: Vec<_> = cases.iter().map(|case| time(case, 10.0, 0.01)).collect();
    results[0].confidence = Some(0.9844);
    results[1].confidence = Some(0.9688);
    same(
        &Run::of(cases, results).at(80),
        "
g        time  ±96.88 %
├─ a  10.0 ns     1.0 %
╰─ b  10.0 ns     1.0 %
",
    );
}

/// Rough before and rough now, without a change that is certain.
#[test]
fn a_result_of_the_last_run_stands_where_no_change_is_certain() {
    let mut run = everything();
    run.cases.truncate(3);
    run.bytes = None;
    let scattered = |at: usize, run: &mut Run| {
        let rough = Some(Rough {
            estimate: 300.0,
            lower: 280.0,
            upper: 330.0,
        });
        let of_case = |result: &&mut CaseResult| {
            result.case == run.cases[at].id && result.metric == Metric::Time
        };
        let result = run.results.iter_mut().find(of_case).expect("a time");
        result.estimate = Err(Absence::TooScattered);
        result.rough = rough;
    };
    scattered(2, &mut run);
    run.last = |id| {
        let then = CaseResult {
            estimate: Ok(4.2),
            lower: Some(4.1),
            upper: Some(4.3),
            ..CaseResult::default()
        };
        let rough = CaseResult {
            estimate: Err(Absence::MachineBusy),
            rough: Some(Rough {
                estimate: 18.0,
                lower: 15.0,
                upper: 22.0,
            }),
            ..CaseResult::default()
        };
        let wide = CaseResult {
            rough: Some(Rough {
                estimate: 18.0,
                lower: 1.0,
                upper: 900.0,
            }),
            ..rough.clone()
        };
        let mut all = [("same", wide), ("6553600", then), ("", rough)].into_iter();
        let was = all.find(|(part, _)| id.contains(part))?.1;
        Some(Before::Was(Box::new(was)))
    };
    same(
        &run.at(80),
        "
search(n)              time         ±99 %  cycles     last run
├─ same/100        4.410 ns         0.2 %   15.80     was wide
├─ stream/100      17.30 ns         0.4 %    62.1  was ~ 18 ns
╰─ stream/6553600  ~ 300 ns  280 … 330 ns    1150   was 4.2 ns
~  rough: another run may differ; of all launches, contended ones included
was  the result of the last run, where a change is not certain
",
    );
}

#[test]
fn ratios_of_two_kinds_have_one_line() {
    let mut run = everything();
    run.last = |id| {
        let metric = if id.contains("stream") {
            Metric::Time
        } else {
            Metric::Cycles
        };
        Some(Before::Change(Ratio {
            metric,
            estimate: 1.2,
            lower: 1.1,
            upper: 1.3,
        }))
    };
    run.bytes = None;
    run.cases.truncate(3);
    same(
        &run.at(80),
        "
search(n)              time  ±99 %  cycles  last run
├─ same/100        4.410 ns  0.2 %   15.80     +20 %
├─ stream/100      17.30 ns  0.4 %    62.1     +20 %
╰─ stream/6553600    321 ns  1.9 %    1150     +20 %
last run  change of cycles, or of times where these are steadier, since then,
          also by where another build has placed the code; verdicts: cargo
          tourbillon compare
",
    );
}

#[test]
fn without_a_figure_a_row_says_why() {
    let [busy, wide] = ["busy", "wide"].map(|name| case("g", name, &[]));
    let discarded = Note::Contended {
        launches: 19,
        in_figure: false,
    };
    let scattered = CaseResult {
        lower: Some(1.04),
        upper: Some(10.2),
        ..absent(&wide, Absence::TooScattered, None)
    };
    let results = vec![
        noted(absent(&busy, Absence::MachineBusy, None), &[discarded]),
        scattered,
    ];
    same(
        &Run::of(vec![busy, wide], results).at(80),
        "
g
├─ busy  machine too busy: repeat later, or raise --max-time
╰─ wide  too scattered for a figure: 1.0 ns to 11 ns

! busy machine: 19 of 59 launches discarded; in a quieter moment times may
  differ by more than their intervals, cycles hardly; verdicts hold
",
    );
}

#[test]
fn a_rough_estimate_has_its_range() {
    let [busy, wide, open] = ["busy", "wide", "open"].map(|name| case("g", name, &[]));
    let rough = |lower, upper| Some(Rough::between(lower, upper));
    let results = vec![
        CaseResult {
            rough: rough(39.2, 83.7),
            ..absent(&busy, Absence::MachineBusy, None)
        },
        CaseResult {
            metric: Metric::Cycles,
            rough: rough(102.0, 131.0),
            ..absent(&busy, Absence::MachineBusy, None)
        },
        CaseResult {
            rough: rough(1.04, 10.2),
            ..absent(&wide, Absence::TooScattered, None)
        },
        CaseResult {
            rough: rough(0.0, 1_640.0),
            ..absent(&open, Absence::TooScattered, None)
        },
    ];
    same(
        &Run::of(vec![busy, wide, open], results).at(80),
        "
g                    time       ±99 %  cycles
├─ busy           ~ 57 ns  39 … 84 ns   ~ 116
├─ wide  ~ 1.0 ns … 11 ns        wide
╰─ open        ~ < 1.7 µs        wide
~  rough: another run may differ; of all launches, contended ones included
",
    );
}
