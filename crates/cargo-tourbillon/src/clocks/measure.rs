//! Time sources, and the row of a source from its readings.

use std::fmt;

use tourbillon_clock::{Clock, Frequency, Ticks};
use tourbillon_timers::characterise::{
    Collector, Cost, Deltas, Granularity, Hardware, Observed, Regime, Spread,
};
use tourbillon_timers::{Counts, Listed, Source, sources};

use super::report::Row;

/// How long the counter is compared with the system's clock.
pub(super) const EXAMINED_NS: u64 = 1_000_000;
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
            let mean = observed.mean;
            let nanos = |ticks: f64| tick_ns.map(|ns| ticks * ns);
            row.resolution_min_ns = nanos(observed.minimum.median);
            row.resolution_mean_ns = nanos(mean.median);
            row.resolution_median_ns = nanos(observed.median.median);
            row.resolution_spread = tick_ns.map(|_| (mean.highest - mean.lowest) / mean.median);
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

/// The current frequency of the core in hertz; `None` if nothing counts its cycles.
pub(super) fn core_hz(clock: &Clock, frequency: &Frequency) -> Option<f64> {
    let chain = clock.reference_chain().ok()?;
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

/// A source of this machine, or one that it lacks.
#[derive(Debug, Default)]
pub(super) struct Subject {
    pub(super) name: String,
    /// What it counts.
    pub(super) counts: String,
    /// Whether it counts only the time of this program.
    pub(super) own_time: bool,
    /// The hardware or system call behind it; empty if unknown.
    pub(super) behind: String,
    /// How to change that.
    pub(super) change: Option<&'static str>,
    pub(super) safe: bool,
    /// Why it is absent or unsafe.
    pub(super) reason: Option<String>,
    /// `None` if this machine lacks it.
    pub(super) reader: Option<Reader>,
}

/// Fills a buffer with sequential readings.
type Fill = dyn FnMut(&mut [Ticks]);

/// Reads a source.
pub(super) struct Reader {
    /// `None` if a tick has no fixed length, such as a core's cycle.
    pub(super) frequency: Option<Frequency>,
    fill: Box<Fill>,
}

impl Reader {
    pub(super) fn new(
        frequency: Option<Frequency>,
        fill: impl FnMut(&mut [Ticks]) + 'static,
    ) -> Reader {
        Reader {
            frequency,
            fill: Box::new(fill),
        }
    }

    /// Fills a buffer with sequential readings.
    pub(super) fn fill(&mut self, buffer: &mut [Ticks]) {
        (self.fill)(buffer);
    }

    /// One reading.
    pub(super) fn read(&mut self) -> Ticks {
        let mut one = [Ticks(0)];
        self.fill(&mut one);
        one[0]
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("frequency", &self.frequency)
            .finish_non_exhaustive()
    }
}

/// All known sources, those that this machine lacks included.
pub(super) fn all() -> Vec<Subject> {
    sources().into_iter().map(subject).collect()
}

fn subject(listed: Listed) -> Subject {
    let mut subject = Subject {
        name: listed.name.to_owned(),
        counts: listed.counts.to_string(),
        // Only what the program does makes other sources advance.
        own_time: listed.counts != Counts::Wall,
        ..Subject::default()
    };
    match listed.source {
        Err(absence) => subject.reason = Some(absence.to_string()),
        Ok(source) => {
            let frequency = source.frequency();
            let behind = source.behind();
            subject.behind = recognised(&*source, frequency, behind.to_string());
            subject.change = behind.change;
            subject.reason = source.caveat();
            subject.safe = subject.reason.is_none();
            subject.reader = Some(Reader::new(frequency, move |buffer| source.fill(buffer)));
        }
    }
    subject
}

/// What is behind a source, recognised by its rate if the source does not name it.
fn recognised(source: &dyn Source, frequency: Option<Frequency>, behind: String) -> String {
    let unsaid = source.behind().hardware.is_none() && source.counts() == Counts::Wall;
    match frequency.and_then(|frequency| Hardware::recognise(frequency.hz())) {
        Some(hardware) if unsaid && hardware != Hardware::Nanoseconds => {
            format!("{behind} ({hardware}, by its rate)")
        }
        _ => behind,
    }
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
            safe: true,
            reader: Some(reader),
            ..Subject::default()
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
        assert_eq!(
            (row.resolution_min_ns, row.resolution_median_ns),
            (Some(300.0), Some(300.0))
        );
        assert_eq!(row.resolution_spread, Some(0.0));
        assert!(row.available && row.safe && row.negative == 0);
    }

    #[test]
    fn the_row_of_a_fine_source_and_its_costs() {
        let (mut subject, clock) = scripted(&Script::new().now_cost(25).read_cost(3, 4));
        let row = row(&mut subject, &Collector::new(&clock, effort()));
        assert_eq!(row.regime.as_deref(), Some("latency"));
        assert_eq!(row.resolution_median_ns, Some(25.0));
        assert_eq!(row.read_median_ns, Some(25.0));
        assert_eq!(row.read_p99_ns, Some(25.0));
        assert_eq!(row.pair_ns, Some(50.0));
    }

    #[test]
    fn a_source_that_stands_still_is_reported() {
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
        assert_eq!(row.resolution_median_ns, None);
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
    fn the_chain_tells_the_frequency_of_the_core() {
        let script = Script::new().core_cycle(0.25).read_cost(20, 20);
        let clock = Clock::scripted(&script);
        assert_eq!(core_hz(&clock, &clock.frequency()), Some(4e9));
    }
}
