//! The row of a source, from its readings.

use tourbillon_clock::{Clock, Frequency, Ticks};
use tourbillon_timers::characterise::{
    Collector, Cost, Deltas, Granularity, Observed, Regime, Spread,
};

use super::report::{Resolution, Row};
use super::subject::{Reader, Subject};

/// Turns of the short and the long reference chain: some microseconds.
const TURNS: (u64, u64) = (50, 150);
/// Readings of the reference chain; their median counts.
const CHAINS: usize = 21;

/// Everything about one source; what was not measured is absent.
pub(super) fn row(subject: &mut Subject, collector: &Collector<'_>) -> Row {
    let mut row = Row {
        name: subject.name.clone(),
        counts: subject.counts.clone(),
        behind: subject.behind.clone(),
        change: subject.change.map(str::to_owned),
        available: subject.reader.is_some(),
        safe: subject.safe && subject.reader.is_some(),
        reason: subject.reason.clone(),
        ..Row::default()
    };
    if let Some(reader) = &mut subject.reader {
        measure(&mut row, reader, collector);
    }
    row
}

fn measure(row: &mut Row, reader: &mut Reader, collector: &Collector<'_>) {
    let tick_ns = reader.frequency.map(|frequency| 1e9 / frequency.hz());
    row.tick_ns = tick_ns;
    let series = collector.series(&mut |buffer| reader.fill(buffer));
    let mut all = Deltas::default();
    for deltas in &series {
        all.merge(deltas);
    }
    row.negative = all.negatives().count;
    row.granularity_ns = tick_ns.and_then(|ns| Some(Granularity::of(&all)?.ticks() * ns));
    match Observed::of(&series) {
        Ok(observed) => {
            row.regime = Some(observed.regime.to_string());
            row.resolution = tick_ns.map(|ns| resolution(&observed, ns));
        }
        Err(why) => {
            row.regime = Some(Regime::of(&all).to_string());
            row.reason
                .get_or_insert_with(|| format!("no resolution: it {why}"));
        }
    }
    let read = collector.read_cost(&mut |buffer| reader.fill(buffer));
    let pair = collector.pair_cost(&mut |buffer| reader.fill(buffer));
    row.read_median_ns = read.map(|cost: Cost| cost.median_ns);
    row.read_p99_ns = read.map(|cost| cost.p99_ns);
    row.pair_ns = pair.map(|cost| cost.median_ns);
    row.pair_p99_ns = pair.map(|cost| cost.p99_ns);
}

fn resolution(observed: &Observed, tick_ns: f64) -> Resolution {
    let mean = observed.mean;
    Resolution {
        minimum_ns: observed.minimum.median * tick_ns,
        mean_ns: observed.mean.median * tick_ns,
        median_ns: observed.median.median * tick_ns,
        spread: Some((mean.highest - mean.lowest) / mean.median),
    }
}

/// The current frequency of the core in hertz; `None` if nothing counts its cycles.
pub(super) fn core_hz(clock: &Clock, frequency: &Frequency) -> Option<f64> {
    let chain = clock.reference_chain()?;
    let cycles = (TURNS.1 - TURNS.0) * chain.cycles_per_turn();
    let mut rates = Vec::new();
    for _ in 0..CHAINS {
        let short = chain.time(clock, TURNS.0)?;
        let long = chain.time(clock, TURNS.1)?;
        // After an interruption of the short chain there is no rate.
        if let Some(Ticks(ticks @ 1..)) = long.since(short) {
            rates.push(cycles as f64 / frequency.nanos(Ticks(ticks)) * 1e9);
        }
    }
    Spread::of(&rates).map(|spread| spread.median)
}

#[cfg(test)]
mod tests {
    use tourbillon_clock::Script;
    use tourbillon_timers::characterise::Effort;

    use super::*;

    fn scripted(script: &Script) -> (Subject, Clock) {
        let clock = Clock::scripted(script);
        let source = clock.clone();
        let reader = Reader::new(Some(clock.frequency()), move |buffer| {
            for slot in buffer {
                *slot = source.now();
            }
        });
        let subject = Subject {
            name: "scripted".to_owned(),
            counts: "wall".to_owned(),
            own_time: false,
            behind: "a script".to_owned(),
            change: None,
            safe: true,
            reason: None,
            reader: Some(reader),
        };
        (subject, clock)
    }

    fn effort() -> Effort {
        Effort {
            series: 5,
            reads: 10_000,
            patience_ns: 20_000_000,
            ..Effort::default()
        }
    }

    #[test]
    fn the_row_of_a_coarse_source() {
        let (mut subject, clock) =
            scripted(&Script::new().hz(100_000_000).granularity(30).now_cost(2));
        let row = row(&mut subject, &Collector::new(&clock, effort()));
        assert_eq!(row.tick_ns, Some(10.0));
        assert_eq!(row.granularity_ns, Some(300.0));
        assert_eq!(row.regime.as_deref(), Some("resolution"));
        let resolution = row.resolution.unwrap();
        assert_eq!(
            (resolution.minimum_ns, resolution.median_ns),
            (300.0, 300.0)
        );
        assert_eq!(resolution.spread, Some(0.0));
        assert!(row.available && row.safe && row.negative == 0);
    }

    #[test]
    fn the_row_of_a_fine_source_and_its_costs() {
        let (mut subject, clock) = scripted(&Script::new().now_cost(25).read_cost(3, 4));
        let row = row(&mut subject, &Collector::new(&clock, effort()));
        assert_eq!(row.regime.as_deref(), Some("latency"));
        assert_eq!(row.resolution.map(|seen| seen.median_ns), Some(25.0));
        assert_eq!(row.read_median_ns, Some(25.0));
        assert_eq!(row.read_p99_ns, Some(25.0));
        assert_eq!(row.pair_ns, Some(50.0));
    }

    #[test]
    fn a_source_that_stands_still_says_so() {
        let (mut subject, clock) = scripted(&Script::new().now_cost(20));
        let passing = clock.clone();
        subject.reader = Some(Reader::new(Some(clock.frequency()), move |buffer| {
            for slot in buffer {
                let _ = passing.now();
                *slot = Ticks(7);
            }
        }));
        let row = row(&mut subject, &Collector::new(&clock, effort()));
        assert_eq!(row.regime.as_deref(), Some("still"));
        assert_eq!(row.resolution, None);
        assert_eq!(row.granularity_ns, None);
        let reason = row.reason.unwrap();
        assert_eq!(
            reason,
            "no resolution: it did not move while it was watched"
        );
    }

    #[test]
    fn an_absent_source_is_not_read() {
        let (mut subject, clock) = scripted(&Script::new());
        subject.reader = None;
        subject.reason = Some("this processor has none".to_owned());
        let row = row(&mut subject, &Collector::new(&clock, effort()));
        assert!(!row.available && !row.safe);
        assert_eq!(row.tick_ns, None);
        assert_eq!(row.reason.as_deref(), Some("this processor has none"));
    }

    #[test]
    fn the_core_runs_at_what_the_chain_says() {
        let script = Script::new().core_cycle(0.25).read_cost(20, 20);
        let clock = Clock::scripted(&script);
        assert_eq!(core_hz(&clock, &clock.frequency()), Some(4e9));
    }
}
