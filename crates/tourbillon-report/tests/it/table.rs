use tourbillon_record::{
    Absence, Case, CaseResult, Fault, FaultKind, Metric, Note, Scope, Throughput, ThroughputUnit,
};
use tourbillon_report::{Ratio, Style, Table, display_width};

use crate::made::{absent, case, cycles, fault, noted, panicked, time};
use crate::same::same;

/// A table of a run of 20 launches at 99 %.
struct Run {
    cases: Vec<Case>,
    results: Vec<CaseResult>,
    faults: Vec<Fault>,
    /// Bytes per op of cases whose id contains this.
    bytes: Option<(&'static str, u64)>,
    baseline: Option<&'static str>,
    last: fn(&str) -> Option<Ratio>,
}

impl Run {
    fn of(cases: Vec<Case>, results: Vec<CaseResult>) -> Run {
        Run {
            cases,
            results,
            faults: Vec::new(),
            bytes: None,
            baseline: None,
            last: |_| None,
        }
    }

    fn drawn(&self, style: Style) -> String {
        let throughput = |id: &str| {
            let (part, per_op) = self.bytes?;
            id.contains(part).then_some(Throughput {
                unit: ThroughputUnit::Bytes,
                per_op,
            })
        };
        let table = Table {
            cases: &self.cases,
            results: &self.results,
            faults: &self.faults,
            end: None,
            launches: 20,
            confidence: 0.99,
            throughput: &throughput,
            baseline: self.baseline,
            last: &self.last,
            below: &|_, _| String::new(),
        };
        table.render(&style)
    }

    fn at(&self, width: usize) -> String {
        self.drawn(Style {
            width,
            ..Style::default()
        })
    }
}

/// Two groups, all columns, every reason not to have a figure.
fn everything() -> Run {
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
        id.contains("6553600").then_some(ratio)
    };
    Run {
        cases,
        results,
        faults,
        bytes: Some(("stream", 800)),
        baseline: None,
        last,
    }
}

#[test]
fn everything_at_80_columns() {
    same(
        &everything().at(80),
        "
                       time/op  99 % CI ±   cycles        vs last run
empty               < 0.049 ns
search
├─ same/100           4.410 ns      0.2 %  15.80
├─ stream/100         17.30 ns      0.4 %   62.1
╰─ stream/6553600       321 ns      1.9 %   1150    1.01 [0.99, 1.03]
sort
├─ selection/10000     38.1 ms      0.3 %  136.9 M
├─ heap/10000           829 µs      1.1 %   2.98 M
├─ broken           failed: panicked: index out of bounds: the len is 3 but the…
├─ slow             ignored: takes minutes
╰─ late             not reached

<  an upper bound: not distinguishable from an empty loop
vs last run  cycles of this run divided by those of the last run; not measured
             together, so not a verdict
no room for: throughput
! empty: not distinguishable from an empty body; the compiler may have removed
  the work: pass inputs through hide(), return the result, and see what is left
  (guide: Reading the assembly)
! sort/heap/10000: 1 of 20 launches was 61 % slower; it is in the interval
",
    );
}

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
    assert_eq!(
        told(&results).as_deref(),
        Some("! tiny/hash, tiny/len, tiny/sum: not distinguishable from an empty body")
    );
    results.push(hidden(&cases[3]));
    assert_eq!(
        told(&results).as_deref(),
        Some("! tiny/hash, tiny/len, tiny/sum and 1 more: not distinguishable from an empty body")
    );
}

#[test]
fn a_name_that_is_its_heading_is_not_repeated() {
    let slow = [Note::Skewed];
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
        results[index].notes = slow.to_vec();
    }
    same(
        &Run::of(cases, results).at(80),
        "
sort         time/op  99 % CI ±
├─ 4/up       100 ns      1.0 %
╰─ 8/up       100 ns      1.0 %
hash
├─ hash/4     100 ns      1.0 %
╰─ rehash/4   100 ns      1.0 %
parse
╰─ parse      100 ns      1.0 %

! sort/4/up (mean 100 ns), hash/4 (mean 100 ns), parse (mean 100 ns): skewed:
  the mean lies outside the interval; the median is shown
",
    );
}

#[test]
fn columns_go_and_names_are_cut_as_it_gets_narrow() {
    same(
        &everything().at(60),
        "
                       time/op  99 % CI ±        vs last run
empty               < 0.049 ns
search
├─ same/100           4.410 ns      0.2 %
├─ stream/100         17.30 ns      0.4 %
╰─ stream/6553600       321 ns      1.9 %  1.01 [0.99, 1.03]
sort
├─ selection/10000     38.1 ms      0.3 %
├─ heap/10000           829 µs      1.1 %
├─ broken           failed: panicked: index out of bounds: …
├─ slow             ignored: takes minutes
╰─ late             not reached

<  an upper bound: not distinguishable from an empty loop
vs last run  cycles of this run divided by those of the last
             run; not measured together, so not a verdict
no room for: cycles, throughput
! empty: not distinguishable from an empty body; the
  compiler may have removed the work: pass inputs through
  hide(), return the result, and see what is left (guide:
  Reading the assembly)
! sort/heap/10000: 1 of 20 launches was 61 % slower; it is
  in the interval
",
    );
    let ascii = Style {
        width: 40,
        unicode: false,
        color: false,
    };
    same(
        &everything().drawn(ascii),
        "
                     time/op  99 % CI +-
empty             < 0.049 ns
search
|- same/100         4.410 ns       0.2 %
|- stream/100       17.30 ns       0.4 %
`- stream..53600      321 ns       1.9 %
sort
|- select..10000     38.1 ms       0.3 %
|- heap/10000         829 us       1.1 %
|- broken         failed: panicked: in..
|- slow           ignored: takes minutes
`- late           not reached

<  an upper bound: not distinguishable
   from an empty loop
no room for: cycles, throughput, vs last
run
! empty: not distinguishable from an
  empty body; the compiler may have
  removed the work: pass inputs through
  hide(), return the result, and see
  what is left (guide: Reading the
  assembly)
! sort/heap/10000: 1 of 20 launches was
  61 % slower; it is in the interval
",
    );
    let narrow = everything().at(24);
    same(
        &narrow[..narrow.find("\n\n").unwrap() + 1],
        "
                 time/op
empty         < 0.049 ns
search
├─ same/100     4.410 ns
├─ stre…/100    17.30 ns
╰─ stre…3600      321 ns
sort
├─ sele…0000     38.1 ms
├─ heap…0000      829 µs
├─ broken     failed: p…
├─ slow       ignored: …
╰─ late       not reach…
",
    );
}

#[test]
fn a_column_stays_while_it_fits() {
    let only = case("group", "function", &[]);
    let results = vec![time(&only, 10.0, 0.01), cycles(&only, 36.0, 0.01)];
    let run = Run::of(vec![only], results);
    let fitting = display_width(run.at(80).lines().next().unwrap());
    assert!(!run.at(fitting).contains("no room"));
    assert!(run.at(fitting - 1).contains("no room for: cycles\n"));
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
                  time/op  99 % CI ±  cycles
empty          < 0.049 ns
^[1msort^[0m
^[2m├─ ^[0mheap/10000      829 µs      1.1 %  2.98 M
^[2m├─ ^[0mbroken      ^[31mfailed: panicked: index out of bounds: the len is 3 but the inde…^[0m
^[2m├─ ^[0mslow        ^[2mignored: takes minutes^[0m
^[2m╰─ ^[0mlate        ^[2mnot reached^[0m

<  an upper bound: not distinguishable from an empty loop
^[33m! empty: not distinguishable from an empty body; the compiler may have removed^[0m
^[33m  the work: pass inputs through hide(), return the result, and see what is left^[0m
^[33m  (guide: Reading the assembly)^[0m
^[33m! sort/heap/10000: 1 of 20 launches was 61 % slower; it is in the interval^[0m
",
    );
}

#[test]
fn wide_terminals_show_all_of_a_reason() {
    let text = everything().at(120);
    assert!(text.contains("broken           failed: panicked: index out of bounds: the len is 3 but the index is 3\n"), "{text}");
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
        time/op
concat  17.3 ns
",
    );
}

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
fn no_case_no_text() {
    same(&Run::of(Vec::new(), Vec::new()).at(80), "");
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
g     time/op  99 % CI ±
├─ a  10.0 ns   1.0 %
├─ b  10.0 ns   1.0 % pc
╰─ c  10.0 ns   1.0 % c

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
g     time/op  96.88 % CI ±
├─ a  10.0 ns         1.0 %
╰─ b  10.0 ns         1.0 %
",
    );
}

#[test]
fn ratios_of_two_kinds_are_marked() {
    let mut run = everything();
    run.last = |id| {
        let metric = if id.contains("stream") {
            Metric::Time
        } else {
            Metric::Cycles
        };
        Some(Ratio {
            metric,
            estimate: 1.2,
            lower: 1.1,
            upper: 1.3,
        })
    };
    run.bytes = None;
    run.cases.truncate(3);
    same(
        &run.at(80),
        "
search              time/op  99 % CI ±  cycles          vs last run
├─ same/100        4.410 ns      0.2 %   15.80  1.20 [1.10, 1.30]
├─ stream/100      17.30 ns      0.4 %    62.1  1.20 [1.10, 1.30] w
╰─ stream/6553600    321 ns      1.9 %    1150  1.20 [1.10, 1.30] w

vs last run  cycles of this run divided by those of the last run; not measured
             together, so not a verdict
w  ratio of wall times, not of cycles
",
    );
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
g          time/op  99 % CI ±    cycles
├─ fits    10.0 ns      1.0 %  35.0
╰─ spills  20.0 ns      1.0 %  70.0 mem

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
g         time/op  cycles
├─ one       none    35.0
╰─ other     none

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
g              time/op  99 % CI ±  cycles
├─ waits     10.0 ns        1.0 %    35.0
╰─ overlaps  20.0 ns t      1.0 %    70.0

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
            let excess = f64::from(n) * 0.3;
            noted(
                time(case, 10.0, 0.01),
                &[Note::SlowLaunches { count: n, excess }],
            )
        })
        .collect();
    results[1].notes.push(Note::CorrectionTooLarge);
    results[2].notes.push(Note::Skewed);
    results[2].mean = Some(12.345);
    results[3].notes.push(Note::Other("tepid".to_owned()));
    results[3].notes.push(Note::Other("new".to_owned()));
    results[4].notes.push(Note::SlowLaunches {
        count: 1,
        excess: -3.0,
    });
    for (result, launches) in results.iter_mut().zip([4, 2, 3]) {
        result.notes.push(Note::FewLaunches { launches });
    }
    same(
        &Run::of(cases, results).at(80),
        "
g       time/op  99 % CI ±
├─ f/1  10.0 ns      1.0 %
├─ f/2  10.0 ns      1.0 %
├─ f/3  10.0 ns      1.0 %
├─ f/4  10.0 ns      1.0 %
╰─ f/5  10.0 ns      1.0 %

! g/f/2: not reliable: the correction for pauses is larger than the reading;
  prepare inputs with `with_inputs` instead of pausing
! g/f/1, g/f/2, g/f/3 and 2 more: up to 5 of 20 launches were up to 300 %
  faster; they are in the interval
! g/f/3: skewed: the mean (12.3 ns) lies outside the interval; the median is
  shown
! g/f/1, g/f/2, g/f/3: only 2 launches, too few for an interval across
  processes; raise --max-time
! g/f/4: note `tepid` of a newer version
! g/f/4: note `new` of a newer version
",
    );
}

#[test]
fn every_note_says_what_it_means() {
    let only = case("g", "f", &[]);
    let notes = [
        Note::Shortened { requested: 20 },
        Note::FewLaunches { launches: 5 },
        Note::SlowLaunches {
            count: 2,
            excess: -0.3,
        },
        Note::Curvature { fraction: -0.031 },
        Note::NotWarm { launches: 3 },
        Note::Contended {
            launches: 4,
            in_figure: false,
        },
        Note::ThreadsLeft { launches: 1 },
        Note::ProcessesLeft { launches: 2 },
        Note::PagesTouched { per_op: 256.3 },
        Note::Writes { per_op: 0.004 },
        Note::FailedLaunches { count: 1 },
        Note::FixedItem { fraction: -0.52 },
        Note::UnevenThreads { fraction: 0.96 },
        Note::Oversubscribed {
            threads: 4,
            processors: 2,
        },
        Note::Waited { fraction: 0.312 },
    ];
    let results = vec![noted(time(&only, 10.0, 0.01), &notes)];
    same(
        &Run::of(vec![only], results).at(80),
        "
g     time/op  99 % CI ±
╰─ f  10.0 ns      1.0 %

! g/f: 1 of 20 launches failed; the figure is of the others
! g/f: threads still ran at the end of 1 launch and disturb the figure; join
  them in the body
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
  by 3.1 %): the cost of a call depends on the calls before it
! g/f: 2 of 20 launches were up to 30 % faster; they are in the interval
! g/f: the slowest thread takes 96 % longer than the fastest; the figure is from
  the first start to the last end
! g/f: only 5 launches, too few for an interval across processes; raise
  --max-time
! g/f: fewer than 20 launches fitted into the budget; raise --max-time
! g/f: an op on one item alone takes 52 % less time than on the stream of items,
  which is shown: the cost depends on the item
! busy machine: 4 of 24 launches discarded in 1 benchmark, 1 benchmark waited up
  to 31 % of the time for a processor; `cargo tourbillon explain` has details
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
╰─ wide  too scattered for a figure: up to 11 ns

! busy machine: 19 of 59 launches discarded in 1 benchmark; `cargo tourbillon
  explain` has details
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
g     time/op  99 % CI ±
╰─ f  10.0 ns      1.0 %

! g/f: CPU contention (an SMT sibling or another VM) in 17 launches, too many to
  discard; the figure may be up to twice too high
",
    );
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
