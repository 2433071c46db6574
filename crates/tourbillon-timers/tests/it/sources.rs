//! Properties of the list of sources on any machine.

use std::collections::HashSet;

use tourbillon_clock::{Absence, Ticks};
use tourbillon_timers::counters::Counter;
use tourbillon_timers::{Counts, Listed, sources};

#[test]
fn names_are_unique_and_rows_agree_with_their_sources() {
    let mut names = HashSet::new();
    for Listed {
        name,
        counts,
        source,
    } in sources()
    {
        assert!(names.insert(name), "{name} is listed twice");
        assert!(
            name.chars().all(|letter| letter == '-'
                || letter.is_ascii_lowercase()
                || letter.is_ascii_digit()),
            "{name}"
        );
        match source {
            Ok(source) => {
                assert_eq!((source.name(), source.counts()), (name, counts));
                assert_eq!(
                    source.frequency().is_none(),
                    counts == Counts::Cycles,
                    "{name}"
                );
                assert!(!source.behind().to_string().is_empty());
                assert!(source.granularity_ns().is_none_or(|ns| ns > 0.0), "{name}");
                let mut readings = [Ticks(0); 4];
                source.fill(&mut readings);
                assert!(source.caveat().is_some() || readings.is_sorted(), "{name}");
            }
            Err(absence) => assert!(!absence.to_string().is_empty()),
        }
    }
}

#[test]
fn the_table_is_complete() {
    let names: Vec<&str> = sources().iter().map(|listed| listed.name).collect();
    let mut expected = vec!["rdtsc", "cntvct", "instant"];
    if cfg!(target_arch = "x86_64") {
        expected.extend([
            "rdtscp",
            "lfence-rdtsc",
            "lfence-rdtsc-lfence",
            "rdtscp-lfence",
            "mfence-lfence-rdtsc",
            "serialize-rdtsc",
            "cpuid-rdtsc",
        ]);
    }
    if cfg!(target_os = "linux") {
        expected.extend([
            "monotonic",
            "monotonic-raw",
            "monotonic-coarse",
            "boottime",
            "realtime",
            "realtime-coarse",
            "tai",
            "process-cputime",
            "thread-cputime",
            "gettimeofday",
            "rusage-process-user",
            "rusage-process-kernel",
            "rusage-thread-user",
            "rusage-thread-kernel",
            "times-user",
            "times-kernel",
            "times-elapsed",
            "hpet",
            "rdpmc-cycles",
        ]);
    }
    if cfg!(windows) {
        expected.extend([
            "query-performance-counter",
            "get-tick-count-64",
            "time-get-time",
            "system-time",
            "system-time-precise",
            "thread-times-user",
            "thread-times-kernel",
            "process-times-user",
            "process-times-kernel",
            "thread-cycles",
        ]);
    }
    for name in expected {
        assert!(names.contains(&name), "{name} is missing in {names:?}");
    }
}

#[test]
fn wall_clocks_advance() {
    for listed in sources() {
        if let (Counts::Wall, Ok(source)) = (listed.counts, listed.source) {
            let first = source.read();
            while source.read() == first {}
        }
    }
}

#[test]
fn a_source_of_another_processor_is_absent_for_that_reason() {
    let elsewhere = if cfg!(target_arch = "x86_64") {
        "cntvct"
    } else {
        "rdtsc"
    };
    let row = sources().into_iter().find(|row| row.name == elsewhere);
    let absence = row.unwrap().source.err();
    assert!(matches!(absence, Some(Absence::OtherProcessor(_))));
}

#[test]
fn any_source_can_be_counted_with() {
    for listed in sources() {
        if let Ok(source) = listed.source {
            let counter = Counter::new(source);
            let running = counter.start();
            // Those with a caveat may be stepped.
            if let Ok(period) = running.stop() {
                let cycles = counter.source().counts() == Counts::Cycles;
                assert_eq!(period.nanoseconds().is_none(), cycles, "{}", listed.name);
            }
        }
    }
}
