//! The whole harness on a scripted clock: attribute, Bencher, engine, coordinator, estimates and
//! report, from the listing to the last line of the console. Nothing here depends on the machine, so
//! what a person would see is compared to the byte.

use std::cell::RefCell;
use std::num::NonZeroU64;

use tourbillon::private::Registered;
use tourbillon::{Bencher, Bytes, bench};
use tourbillon_analysis::{BY_COUNTER, Frequency, METHOD};
use tourbillon_clock::{Clock, Script};
use tourbillon_coordinator::runner::{
    Act, CaseSettings, Ending, InMemory, Observer, ScriptedRunClock, Settings, run,
};
use tourbillon_engine::System;
use tourbillon_record::{
    Case, CaseResult, ClockCheck, ClockFacts, Entry, Fact, FactValue, Header, Line, Metric, Plan,
    RunSettings, SystemCounts,
};
use tourbillon_report::{Names, Stored, Style, Summary, Table, faults, header};

/// Ticks per second of the scripted clock.
const HZ: u64 = 2_000_000_000;

thread_local! {
    /// The clock of the process that is being played.
    static SCRIPT: RefCell<Script> = RefCell::new(Script::new());
}

/// Lets the scripted clock run on.
fn pass(ticks: u64) {
    SCRIPT.with_borrow(|script| script.advance(ticks));
}

#[bench(group = "scripted")]
fn steady(b: Bencher<'_>) {
    b.throughput(Bytes(1_000)).iter(|| pass(2_000));
}

#[bench(group = "scripted", args = [20, 200])]
fn tiny(b: Bencher<'_>, ticks: u64) {
    b.iter(|| pass(ticks));
}

#[bench(group = "scripted")]
fn long(b: Bencher<'_>) {
    b.iter(|| pass(60_000_000));
}

#[bench(group = "scripted")]
fn paused(b: Bencher<'_>) {
    b.iter_controlled(|count, control| {
        for _ in 0..count {
            control.pause();
            pass(5_000);
            control.resume();
            pass(400);
        }
    });
}

/// Fast for its first argument, which every call gets for the throughput.
#[bench(group = "scripted", modes = [throughput, latency])]
fn function(b: Bencher<'_>) {
    b.function(0, |x: u64| {
        pass(if x == 0 { 500 } else { 2_000 });
        1
    });
}

/// Fast where the item is that of the call before.
#[bench(group = "scripted")]
fn stream(b: Bencher<'_>) {
    let items: Vec<u64> = (0..1_000).collect();
    let mut last = 0;
    b.with_stream(&items).iter(|&item| {
        pass(if item == last { 500 } else { 2_000 });
        last = item;
    });
}

#[bench(group = "scripted")]
fn no_item(b: Bencher<'_>) {
    b.with_stream(&[0; 0]).fetch();
}

#[bench(group = "scripted", modes = [latency])]
fn no_function(b: Bencher<'_>) {
    b.iter(|| pass(500));
}

/// Always of one time, whatever the core's clock does; by the system's count it touches much memory.
#[bench(group = "scripted")]
fn spills(b: Bencher<'_>) {
    b.iter(|| pass(2_000));
}

/// A system that counts nothing; batches of one case touch more than the core's caches hold.
struct Walked<'p>(&'p Plan);

impl System for Walked<'_> {
    fn counts(&self) -> SystemCounts {
        SystemCounts::default()
    }

    fn forget_touched(&self) -> Option<u64> {
        Some(0)
    }

    fn touched_bytes(&self, _forgotten: u64) -> Option<u64> {
        Some(if self.0.case.ends_with("::spills") {
            16 << 20
        } else {
            300 << 10
        })
    }
}

/// On this thread alone: the script is its.
#[bench(group = "scripted", threads = [1])]
fn threads(b: Bencher<'_>) {
    b.throughput(Bytes(1_000)).iter_threads(|_| || pass(2_000));
}

#[bench(group = "scripted", threads = std::iter::once(0))]
fn no_thread(b: Bencher<'_>) {
    b.iter_threads(|_| || pass(500));
}

#[bench(group = "scripted", threads = [1])]
fn no_threads(b: Bencher<'_>) {
    b.iter(|| pass(500));
}

#[bench(group = "scripted")]
fn how_many_threads(b: Bencher<'_>) {
    b.iter_threads(|_| || pass(500));
}

#[bench(group = "scripted")]
fn broken() -> Result<(), String> {
    Err("the input is missing".to_owned())
}

#[bench(group = "scripted", ignore = "takes a day")]
fn skipped() {}

/// Keeps the lines of a run.
#[derive(Default)]
struct Kept {
    lines: Vec<Line>,
}

impl Observer for Kept {
    fn entry(&mut self, entry: Entry<'_>) {
        self.lines.push(entry.into());
    }
}

fn opening(cases: usize, seed: u64, common: &CaseSettings) -> Header {
    Header {
        tourbillon: "0.1.0".to_owned(),
        engine: "scripted".to_owned(),
        started_unix_ns: 1_790_000_000_000_000_000,
        started: "2026-09-21T14:13:20+00:00".to_owned(),
        package: "tourbillon".to_owned(),
        target: "it".to_owned(),
        command: vec!["it".to_owned(), "--bench".to_owned()],
        seed,
        cases: cases as u64,
        shard: None,
        settings: RunSettings {
            launches: common.launches,
            fewest_launches: None,
            budget_ns: common.budget_ns,
            batch_ns: common.batch_ns,
            confidence: 0.99,
            precision: None,
            cpus: Vec::new(),
            core_kinds: None,
        },
        clock: ClockFacts {
            source: "scripted".to_owned(),
            why: "the test says so".to_owned(),
            hz_numerator: HZ,
            hz_denominator: 1,
            frequency_from: "script".to_owned(),
            frequency_error_ppm: Some(1.0),
            cycles_from: Some("reference chain of additions of 1 cycle".to_owned()),
            no_cycles: None,
        },
        facts: vec![
            Fact {
                name: "cpu_model".to_owned(),
                value: FactValue::Text("a processor on paper".to_owned()),
            },
            Fact {
                name: "lto".to_owned(),
                value: FactValue::Absent("cargo does not tell".to_owned()),
            },
        ],
        unknown: String::new(),
    }
}

/// Plays a run with `seed`; what the console shows, and the lines of the record.
fn played(seed: u64) -> (String, Vec<Line>) {
    played_on(seed, 0)
}

/// The same on a machine with a counter of cycles, until so many ticks have passed in a process.
fn played_on(seed: u64, counts_until: u64) -> (String, Vec<Line>) {
    let (mut ignored, mut cases) = (Vec::new(), Vec::new());
    tourbillon_engine::each(&Registered::new(), &mut |case, _| {
        if case.group == "scripted" {
            let place = if case.ignored.is_some() {
                &mut ignored
            } else {
                &mut cases
            };
            place.push(case.clone());
        }
    });
    let frequency = Frequency {
        numerator: NonZeroU64::new(HZ).expect("not zero"),
        denominator: NonZeroU64::MIN,
        error_ppm: Some(1.0),
    };
    let settings = Settings {
        seed,
        clock: "scripted".to_owned(),
        frequency,
        confidence: 0.99,
        core_cache_bytes: Some(1 << 20),
        window_items: tourbillon_engine::WINDOW_ITEMS,
        window_bytes: tourbillon_engine::WINDOW_BYTES,
        // Less than the default: bodies are called for real, on a clock that costs more than they do.
        common: CaseSettings {
            budget_ns: 80_000_000,
            ..CaseSettings::default()
        },
        overrides: Default::default(),
    };
    let run_clock = ScriptedRunClock::new();
    let hands = run_clock.clone();
    let mut workers = InMemory::new(&run_clock, move |plan, _draw, act| {
        // A process of its own: a clock that starts somewhere else, a core a little faster or slower.
        let wander = 1.0 + 0.01 * (plan.launch % 3) as f64;
        let script = Script::new()
            .hz(HZ)
            .read_cost(20, 20)
            .core_cycle(0.5 * wander)
            .cycle_counter(counts_until);
        script.advance(1_000 * u64::from(plan.launch));
        SCRIPT.set(script.clone());
        act(Act::Work(1_000_000));
        if plan.case.ends_with("tiny[ticks=200]") && plan.launch == 7 {
            act(Act::Complain("out of luck\n".to_owned()));
            act(Act::End(Ending::Signalled(9)));
            return;
        }
        let before = script.at().0;
        let suite = Registered::new();
        let clock = Clock::scripted(&script);
        let mut frames = Vec::new();
        let mut send = |frame| frames.push(frame);
        tourbillon_engine::run_launch(&suite, plan, &clock, &Walked(plan), &mut send);
        for frame in frames {
            act(Act::Say(frame));
        }
        act(Act::Work((script.at().0 - before) / 2));
        hands.advance((script.at().0 - before) / 2);
        act(Act::End(Ending::Exited(0)));
    });
    let opening = opening(cases.len(), seed, &settings.common);
    let mut kept = Kept::default();
    let mut outcome = run(&cases, &[], &settings, &mut workers, &run_clock, &mut kept);
    outcome.end.clock_check = Some(ClockCheck {
        deviation_ppm: 0.1,
        bound_ppm: 0.4,
        baseline_ns: 3_000_000_000,
    });

    let style = Style::default();
    let shown: Vec<Case> = cases.into_iter().chain(ignored).collect();
    let table = Table {
        cases: &shown,
        results: &outcome.results,
        faults: &outcome.faults,
        end: Some(&outcome.end),
        launches: settings.common.launches,
        confidence: settings.confidence,
        verdicts: &outcome.verdicts,
        ..Table::default()
    };
    let times = outcome
        .results
        .iter()
        .filter(|result| result.metric == Metric::Time);
    let (failed, measured): (Vec<_>, Vec<_>) =
        times.partition(|result| result.estimate == Err(tourbillon_record::Absence::Failed));
    let summary = Summary {
        end: &outcome.end,
        measured: measured.len() as u64,
        failed: failed.len() as u64,
        ignored: 1,
        not_reached: 0,
        rough: 0,
        without_figure: 0,
        answer: Vec::new(),
        stored: Stored::NotRequested,
        verbose: false,
    };
    let console = [
        header(&opening, &style),
        table.document(&style).text(&style),
        faults(&outcome.faults, &Names::of(&shown), &style),
        summary.render(&style),
    ];
    (console.join("\n"), kept.lines)
}

#[test]
fn what_a_person_sees_of_a_scripted_run() {
    let (console, _) = played(0x9f3c21);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/harness.txt");
    if std::env::var_os("TOURBILLON_BLESS").is_some() {
        std::fs::write(&path, &console).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&path).expect("the snapshot is there");
    assert_eq!(
        console, expected,
        "TOURBILLON_BLESS=1 takes over what is printed now:\n{console}"
    );
}

#[test]
fn the_same_seed_gives_the_same_run_to_the_byte() {
    // Process ids and dates are those of this process.
    let record = |seed| -> Vec<String> {
        let same = |line: &Line| {
            let mut line = line.clone();
            if let Line::Launch(launch) = &mut line {
                (launch.pid, launch.started_unix_ns) = (0, 0);
            }
            line.encode()
        };
        played(seed).1.iter().map(same).collect()
    };
    assert_eq!(record(1), record(1));
    assert_ne!(record(1), record(2));
}

#[test]
fn cycles_that_hardware_counts_come_into_the_table_and_the_record() {
    let cycles = |lines: &[Line]| -> Vec<CaseResult> {
        let of = |line: &Line| match line {
            Line::Result(result) if result.metric == Metric::Cycles => Some(result.clone()),
            _ => None,
        };
        lines.iter().filter_map(of).collect()
    };
    let (_, by_chain) = played_on(0x9f3c21, 0);
    let (console, by_counter) = played_on(0x9f3c21, u64::MAX);
    let (chain, counter) = (cycles(&by_chain), cycles(&by_counter));
    assert!(chain.len() > 5);
    assert_eq!(chain.len(), counter.len());
    let (mut counted, mut launches) = (0, 0);
    for (chain, counter) in chain.iter().zip(&counter) {
        assert_eq!(chain.method, METHOD);
        let estimates = (chain.estimate, counter.estimate);
        if let (Ok(chain), Ok(counter)) = estimates {
            assert!((chain - counter).abs() < 0.01 * chain, "{estimates:?}");
        }
        if counter.method == BY_COUNTER {
            counted += 1;
            launches += counter.launches as usize;
            // Not the chain's half a thousandth, nor its scatter.
            assert!(counter.systematic < chain.systematic, "{}", counter.case);
        }
    }
    // Not of what runs on threads, and not of what pauses.
    assert!(counted >= chain.len() - 2, "{counted} of {}", chain.len());
    assert!(console.contains("cycles"), "{console}");
    let has_cycles =
        |line: &&Line| matches!(line, Line::Launch(launch) if !launch.batches.cycles.is_empty());
    let recorded = by_counter.iter().filter(has_cycles).map(Line::encode);
    assert!(recorded.clone().count() >= launches);
    for line in recorded {
        assert!(line.contains("\"cycles\":["), "{line}");
    }
    // A counter that goes is none.
    let (_, gone) = played_on(0x9f3c21, 1_000_000);
    assert!(cycles(&gone).iter().all(|result| result.method == METHOD));
}
