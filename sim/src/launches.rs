use std::num::NonZeroU64;

use tourbillon_analysis::Frequency;
use tourbillon_engine::all_contended;
use tourbillon_record::{
    BatchShape, Batches, Chain, Empty, LaunchSamples, Pilot, SystemCounts, Warmup,
};

use crate::machine::{CYCLE_NS, Code, Running, TICK_NS};
use crate::{Chance, Machine};

/// What an op of the simulated body costs, in cycles of the core's clock.
pub(crate) const CYCLES_PER_OP: f64 = 100.0;
/// The same in nanoseconds, where the core's clock is at its own pace.
pub(crate) const NS_PER_OP: f64 = CYCLES_PER_OP * CYCLE_NS;
/// Ops of a short batch: 67 us, as the pilot would find.
const OPS: u64 = 2_480;
/// Rounds in a launch of 7.5 ms.
const ROUNDS: usize = 24;
/// What a batch costs besides its ops: two readings of the clock.
const FIXED_NS: f64 = 18.0;
/// Readings by which a launch begins contended.
const FIRST_READINGS: usize = 3;
/// The reference chain at its two lengths.
const CHAIN_CYCLES: (f64, f64) = (1_800.0, 18_000.0);
/// Ops of the empty loop, eight of which take a cycle.
const EMPTY_OPS: u64 = 8_192;
/// Cycles until the empty loop runs at its pace, one standard deviation: from reading to reading the
/// difference of its two lengths varies by some percent.
const LOOP_STARTS: f64 = 80.0;

/// The clock that measures, by whose bound intervals are widened.
pub(crate) fn frequency() -> Frequency {
    Frequency {
        numerator: NonZeroU64::new(2_600_000_000).unwrap_or(NonZeroU64::MIN),
        denominator: NonZeroU64::MIN,
        error_ppm: Some(1.0),
    }
}

/// What stands between the batches of a launch.
struct Probes {
    chain: Chain,
    empty: Empty,
}

impl Probes {
    fn new() -> Probes {
        Probes {
            chain: Chain {
                of: "multiplications of 3 cycles".to_owned(),
                short_cycles: CHAIN_CYCLES.0 as u64,
                long_cycles: CHAIN_CYCLES.1 as u64,
                additions: Some(Box::default()),
                ..Chain::default()
            },
            empty: Empty {
                ops: EMPTY_OPS,
                ..Empty::default()
            },
        }
    }

    /// Reads the chains after `at` batches, and the empty loop if `with_empty`.
    fn read(&mut self, running: &mut Running<'_>, at: usize, with_empty: bool) {
        let start_ups = [(); 2].map(|()| LOOP_STARTS * running.chance.normal().abs());
        let mut take = |code, cycles| running.run(code, cycles, FIXED_NS);
        let (short, long) = CHAIN_CYCLES;
        self.chain.at.push(at as u64);
        self.chain
            .short_ticks
            .push(take(Code::Multiplications, short));
        self.chain
            .long_ticks
            .push(take(Code::Multiplications, long));
        if let Some(additions) = &mut self.chain.additions {
            additions.short_ticks.push(take(Code::Additions, short));
            additions.long_ticks.push(take(Code::Additions, long));
        }
        if with_empty {
            let (short, long) = (EMPTY_OPS as f64 / 8.0, EMPTY_OPS as f64 / 4.0);
            let [before_short, before_long] = start_ups;
            let empty = &mut self.empty;
            empty
                .short_ticks
                .push(take(Code::EmptyLoop, short + before_short));
            empty
                .long_ticks
                .push(take(Code::EmptyLoop, long + before_long));
        }
    }
}

/// What the worker of one launch would have measured, in a process that is off by a factor, at a
/// moment of the run between 0 and 1. It ends without a batch where it begins contended by that sign.
pub(crate) fn simulated_launch(
    machine: &Machine,
    launch: u32,
    offset: f64,
    moment: f64,
    seed: u64,
    contended_from: Option<u64>,
) -> LaunchSamples {
    let mut running = machine.start(moment, Chance::new(seed));
    let mut batches = Batches::default();
    let mut launch_ticks = 0;
    let mut first = Probes::new();
    if contended_from.is_some() {
        for _ in 0..FIRST_READINGS {
            first.read(&mut running, 0, true);
        }
    }
    let begins_contended =
        contended_from.is_some_and(|from| all_contended(&first.chain, &first.empty, from));
    let probes = if begins_contended {
        first
    } else {
        let mut probes = Probes::new();
        for round in 0..ROUNDS {
            let mut kinds = [0_u8, 1, 2];
            running.chance.shuffle(&mut kinds);
            for kind in kinds {
                let ops = (u64::from(kind) * OPS) as f64;
                let ticks = running.batch(ops * CYCLES_PER_OP * offset, FIXED_NS);
                batches.kind.push(kind);
                batches.ticks.push(ticks);
                launch_ticks += ticks;
                running.pause(100.0);
            }
            probes.read(&mut running, batches.kind.len(), round % 2 == 0);
        }
        probes
    };
    let Probes { chain, empty } = probes;
    LaunchSamples {
        case: String::new(),
        launch,
        pilot_launch: launch == 0,
        seed,
        pid: 1,
        started_unix_ns: 0,
        terminal: "iter".to_owned(),
        drop_inside: false,
        ops_per_iteration: 1,
        throughput: None,
        setup_ticks: 100,
        first_call_ticks: (NS_PER_OP / TICK_NS) as u64,
        pilot: Pilot::default(),
        warmup: Warmup::default(),
        batch_shape: BatchShape {
            windows: 1,
            items: OPS,
            unroll: 1,
            slope: true,
        },
        batches,
        chain: Some(chain),
        empty,
        pauses: None,
        launch_ticks,
        threads: Some(1),
        working_threads: None,
        counted: SystemCounts::default(),
        touched_bytes: None,
        arm: None,
        core_kind: None,
        fixed_item: None,
        fenced: None,
        measured: None,
        calls: None,
        team: None,
        unknown: String::new(),
    }
}
