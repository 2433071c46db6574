//! Marks and notes of a table.

use tourbillon_record::{Absence, CaseResult, End, Metric, Note};
use tourbillon_report::{Style, Table};

use crate::same::same;
use crate::samples::{absent, case, cycles, noted, table, time};
use crate::table::Run;

#[test]
fn bodies_that_may_have_been_removed_are_named() {
    let names = ["hash", "len", "sum", "parse", "load"];
    let cases: Vec<_> = names.iter().map(|name| case("tiny", name, &[])).collect();
    // `load` is distinguishable from an empty body; `sum` is by its time, but not by its cycles.
    let hidden = |case| absent(case, Absence::BelowResolution, Some(0.0481));
    let mut results = vec![hidden(&cases[0]), hidden(&cases[1])];
    results.push(time(&cases[2], 0.0512, 0.1));
    results.push(CaseResult {
        metric: Metric::Cycles,
        ..absent(&cases[2], Absence::BelowResolution, Some(0.17))
    });
    results.push(time(&cases[4], 0.9, 0.01));
    let told = |results: &[CaseResult]| {
        let text = Run::of(cases.clone(), results.to_vec()).at(200);
        text.lines()
            .find(|line| line.starts_with('!'))
            .map(|line| line.split("; ").next().unwrap_or(line).to_owned())
    };
    assert_eq!(told(&results[4..]), None);
    // A busy machine hides more than an empty body.
    let busy = [absent(&cases[0], Absence::BelowResolution, Some(420.0))];
    assert_eq!(told(&busy), None);
    assert_eq!(
        told(&results).as_deref(),
        Some("! tiny/hash, tiny/len, tiny/sum: not distinguishable from an empty body")
    );
    results.push(hidden(&cases[3]));
    assert_eq!(
        told(&results).as_deref(),
        Some("! tiny/hash, tiny/len, tiny/sum and 1 more: not distinguishable from an empty body")
    );
    // A report has the same findings, each with all of its cases.
    let notes = Run::of(cases, results).notes();
    let [found] = notes.as_slice() else {
        panic!("{notes:?}");
    };
    assert!(found.text.starts_with("not distinguishable"), "{found:?}");
    assert_eq!(found.names.len(), 4);
}

#[test]
fn cycles_of_code_that_waits_for_memory_are_marked_and_explained() {
    let cases = vec![case("g", "fits", &[]), case("g", "spills", &[])];
    let waits = [Note::WaitsForMemory {
        touched_bytes: 16 << 20,
    }];
    let results = vec![
        time(&cases[0], 10.0, 0.01),
        cycles(&cases[0], 35.0, 0.01),
        time(&cases[1], 20.0, 0.01),
        noted(cycles(&cases[1], 70.0, 0.01), &waits),
    ];
    let run = Run::of(cases, results);
    same(
        &run.at(80),
        "
g             time  ±99 %    cycles
├─ fits    10.0 ns  1.0 %  35.0
╰─ spills  20.0 ns  1.0 %  70.0 mem
mem  waits for memory: touches more than a core's second-level cache holds, so
     its cycles depend on the core's frequency
",
    );
    // Where there is no room for the column, nothing is marked.
    let narrow = run.at(24);
    assert!(!narrow.contains("mem"), "{narrow}");
}

#[test]
fn clocks_that_disagree_leave_cycles_and_a_reason() {
    let cases = vec![case("g", "one", &[]), case("g", "other", &[])];
    let disagree = [Note::ClocksDisagree { ppm: -47_619.4 }];
    let void = |case| noted(absent(case, Absence::ClocksDisagree, None), &disagree);
    let results = vec![
        void(&cases[0]),
        cycles(&cases[0], 35.0, 0.01),
        void(&cases[1]),
    ];
    let run = Run::of(cases, results);
    same(
        &run.at(80),
        "
g         time  cycles
├─ one    none    35.0
╰─ other  none

! g/one, g/other: no time: the measuring clock ran 47,619 ppm slower than the
  system's; measure again when the system's time is no longer being corrected
  (`timedatectl`, `chronyc tracking`), and without programs that change it, such
  as faketime; cycles are not affected
",
    );
}

#[test]
fn bodies_whose_calls_overlap_are_marked_and_explained() {
    let cases = vec![case("g", "waits", &[]), case("g", "overlaps", &[])];
    let alone = [Note::Overlaps { alone: 30.0 }];
    let results = vec![
        time(&cases[0], 10.0, 0.01),
        cycles(&cases[0], 35.0, 0.01),
        noted(time(&cases[1], 20.0, 0.01), &alone),
        cycles(&cases[1], 70.0, 0.01),
    ];
    let run = Run::of(cases, results);
    same(
        &run.at(80),
        "
g                 time  ±99 %  cycles
├─ waits     10.0 ns    1.0 %    35.0
╰─ overlaps  20.0 ns t  1.0 %    70.0
t  calls overlap: throughput, not latency; one call alone takes longer
",
    );
}

#[test]
fn a_note_of_many_cases_is_shown_once() {
    let cases: Vec<_> = (1..=5)
        .map(|n| case("g", "f", &[("n", &n.to_string())]))
        .collect();
    let mut results: Vec<_> = cases
        .iter()
        .zip(1_u32..)
        .map(|(case, n)| {
            let per_op = f64::from(n) * 0.3;
            noted(time(case, 10.0, 0.01), &[Note::Writes { per_op }])
        })
        .collect();
    results[1].notes.push(Note::CorrectionTooLarge);
    results[3].notes.push(Note::Other("tepid".to_owned()));
    results[3].notes.push(Note::Other("new".to_owned()));
    for (result, launches) in results.iter_mut().zip([4, 2, 3]) {
        result.notes.push(Note::FewLaunches { launches });
    }
    same(
        &Run::of(cases, results).at(80),
        "
g(n)       time  ±99 %
├─ f/1  10.0 ns  1.0 %
├─ f/2  10.0 ns  1.0 %
├─ f/3  10.0 ns  1.0 %
├─ f/4  10.0 ns  1.0 %
╰─ f/5  10.0 ns  1.0 %

! g/f/2: not reliable: the correction for pauses is larger than the reading;
  prepare inputs with `with_inputs` instead of pausing
! g/f/1, g/f/2, g/f/3 and 2 more: writes up to 2 bytes per op, whose time is in
  the figure; keep output out of the body unless it is what is measured
! g/f/1, g/f/2, g/f/3: only 2 launches, too few for an interval across
  processes; raise `launches`
! g/f/4: note `tepid` of a newer version
! g/f/4: note `new` of a newer version
",
    );
}

#[test]
fn what_is_missing_of_an_interrupted_run_asks_for_nothing() {
    let [few, short] = ["few", "short"].map(|name| case("", name, &[]));
    let results = [
        noted(time(&few, 10.0, 0.01), &[Note::FewLaunches { launches: 4 }]),
        noted(
            time(&short, 10.0, 0.01),
            &[Note::Shortened { requested: 20 }],
        ),
    ];
    let notes = |interrupted| {
        let end = End {
            interrupted,
            ..End::default()
        };
        let cases = [few.clone(), short.clone()];
        let table = Table {
            end: Some(&end),
            ..table(&cases, &results)
        };
        let notes = table.notes(&Style::default());
        notes.into_iter().map(|note| note.text).collect::<Vec<_>>()
    };
    assert_eq!(
        notes(true),
        ["interrupted: figures are of the launches until then"]
    );
    assert_eq!(notes(false).len(), 2);
}

#[test]
fn every_note_says_what_it_means() {
    let [only, short] = ["f", "short"].map(|name| case("g", name, &[]));
    let shortened = Note::Shortened { requested: 20 };
    let notes = [
        // Few launches are fewer than requested.
        shortened.clone(),
        Note::FewLaunches { launches: 5 },
        Note::Curvature { fraction: -0.31 },
        Note::NotWarm { launches: 3 },
        Note::ThreadsLeft { launches: 1 },
        Note::ProcessesLeft { launches: 2 },
        Note::PagesTouched { per_op: 256.3 },
        Note::Writes { per_op: 0.004 },
        Note::FailedLaunches { count: 1 },
        Note::Oversubscribed {
            threads: 4,
            processors: 2,
        },
        Note::ConstantTime,
        Note::Imprecise { precision: 0.005 },
    ];
    let results = vec![
        noted(time(&only, 10.0, 0.01), &notes),
        noted(time(&short, 10.0, 0.01), &[shortened]),
    ];
    same(
        &Run::of(vec![only, short], results).at(80),
        "
g            time  ±99 %
├─ f      10.0 ns  1.0 %
╰─ short  10.0 ns  1.0 %

! g/f: 1 of 20 launches failed; the figure is of the others
! g/f: its time does not follow the number of iterations: batches of n and of 2
  n take the same; the body has to do as many as it is asked for
! g/f: threads still ran at the end of 1 launch and disturb the figure; join
  them in the body, or use a runtime of one thread
! g/f: started processes that still ran at the end of 2 launches and were ended;
  wait for them in the body
! g/f: 4 threads took turns on 2 processors: the figure includes waiting for a
  processor
! g/f: writes a byte in 250 ops, whose time is in the figure; keep output out of
  the body unless it is what is measured
! g/f: touches 256 new pages per op, whose page faults are in the figure; reuse
  memory, or touch it before, unless that is what is measured
! g/f: warm-up had not settled in 3 launches; raise --max-time
! g/f: time is not proportional to the iterations (short and long batches differ
  by 31 %): the cost of a call depends on the calls before it
! g/f: only 5 launches, too few for an interval across processes; raise
  --max-time
! g/f: the interval is wider than the requested 0.5 %; measure on a quieter
  machine, or choose a wider --precision
! g/short: fewer than 20 launches fitted into the budget; raise --max-time
",
    );
}

#[test]
fn contended_launches_in_the_figure_are_reported() {
    let only = case("g", "f", &[]);
    let kept = Note::Contended {
        launches: 17,
        in_figure: true,
    };
    let results = vec![noted(time(&only, 10.0, 0.01), &[kept])];
    same(
        &Run::of(vec![only], results).at(80),
        "
g        time  ±99 %
╰─ f  10.0 ns  1.0 %

! g/f: CPU contention (an SMT sibling or another VM) in 17 launches, too many to
  discard; the figure may be up to twice too high
",
    );
}

/// What is on the screen of a case with these notes.
fn screen(notes: &[Note]) -> String {
    let pure = case("g", "pure", &[]);
    let results = vec![noted(time(&pure, 10.0, 0.01), notes)];
    Run::of(vec![pure], results).at(80)
}

#[test]
fn what_needs_nothing_done_is_not_on_the_screen() {
    for note in [
        Note::Curvature { fraction: 0.06 },
        Note::SlowLaunches {
            count: 2,
            excess: -0.3,
        },
        Note::Skewed,
        Note::UnevenThreads { fraction: 0.96 },
        Note::FixedItem { fraction: -0.52 },
    ] {
        same(
            &screen(&[note]),
            "
g           time  ±99 %
╰─ pure  10.0 ns  1.0 %
",
        );
    }
}

#[test]
fn one_sentence_replaces_what_may_follow_from_a_busy_machine() {
    let waited = Note::Waited { fraction: 0.312 };
    let discarded = Note::Contended {
        launches: 4,
        in_figure: false,
    };
    let follow = [
        Note::NotWarm { launches: 7 },
        Note::FewLaunches { launches: 5 },
        Note::Shortened { requested: 20 },
        Note::Imprecise { precision: 0.01 },
        Note::Curvature { fraction: 0.45 },
    ];
    let writes = Note::Writes { per_op: 1.0 };
    let notes = [&follow[..], &[waited, discarded, writes]].concat();
    same(
        &screen(&notes),
        "
g           time  ±99 %
╰─ pure  10.0 ns  1.0 %

! busy machine: 4 of 24 launches discarded; in a quieter moment times may differ
  by more than their intervals, cycles hardly; verdicts hold
! g/pure: writes 1 byte per op, whose time is in the figure; keep output out of
  the body unless it is what is measured
",
    );
    for note in follow {
        assert!(
            screen(std::slice::from_ref(&note)).contains("! g/pure: "),
            "{note:?}"
        );
    }
}

#[test]
fn notes_of_cases_without_figures_are_left_out() {
    let only = case("g", "f", &[]);
    let failed = noted(
        absent(&only, Absence::Failed, None),
        &[Note::FailedLaunches { count: 2 }],
    );
    let text = Run::of(vec![only], vec![failed]).at(80);
    same(&text, "g\n╰─ f  failed\n");
}
