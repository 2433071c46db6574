use std::num::NonZeroU64;

use tourbillon_coordinate::Frequency;
use tourbillon_engine::always_beside_a_neighbour;
use tourbillon_record::{
    Additions, Batches, Chain, Empty, Length, Pilot, SystemCounts, Visit, Warmup,
};

use crate::machine::{CYCLE_NS, Code, TICK_NS};
use crate::{Chance, Machine};

/// What an op of the simulated body costs, in cycles of the core's clock.
pub(crate) const CYCLES_PER_OP: f64 = 100.0;
/// The same in nanoseconds, where the core's clock is at its own pace.
pub(crate) const NS_PER_OP: f64 = CYCLES_PER_OP * CYCLE_NS;
/// Ops of a short batch: 67 us, as the pilot would find.
const OPS: u64 = 2_480;
/// Rounds in a visit of 7.5 ms.
const ROUNDS: usize = 24;
/// What a batch costs besides its ops: two readings of the clock.
const FIXED_NS: f64 = 18.0;
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

/// What the worker of one launch would have measured, in a process that is off by a factor, at a
/// moment of the run between 0 and 1. It ends before its time beside the neighbour of that sign.
pub(crate) fn visit(
    machine: &Machine,
    launch: u32,
    offset: f64,
    moment: f64,
    seed: u64,
    neighbour_from: Option<u64>,
) -> Visit {
    let mut running = machine.start(moment, Chance::new(seed));
    let mut batches = Batches::default();
    let mut chain = Chain {
        of: "multiplications of 3 cycles".to_owned(),
        short_cycles: CHAIN_CYCLES.0 as u64,
        long_cycles: CHAIN_CYCLES.1 as u64,
        ..Chain::default()
    };
    let mut empty = Empty {
        ops: EMPTY_OPS,
        ..Empty::default()
    };
    let mut additions = Additions::default();
    let mut visit_ticks = 0;
    for round in 0..ROUNDS {
        let mut kinds = [0_u8, 1, 2];
        running.chance.shuffle(&mut kinds);
        for kind in kinds {
            let ops = (u64::from(kind) * OPS) as f64;
            let ticks = running.batch(ops * CYCLES_PER_OP * offset, FIXED_NS);
            batches.kind.push(kind);
            batches.ticks.push(ticks);
            visit_ticks += ticks;
            running.pause(100.0);
        }
        chain.at.push(batches.kind.len() as u64);
        let start_ups = [(); 2].map(|()| LOOP_STARTS * running.chance.normal().abs());
        let mut read = |code, cycles| running.run(code, cycles, FIXED_NS);
        let (short, long) = CHAIN_CYCLES;
        chain.short_ticks.push(read(Code::Multiplications, short));
        chain.long_ticks.push(read(Code::Multiplications, long));
        additions.short_ticks.push(read(Code::Additions, short));
        additions.long_ticks.push(read(Code::Additions, long));
        if round % 2 == 0 {
            let (short, long) = (EMPTY_OPS as f64 / 8.0, EMPTY_OPS as f64 / 4.0);
            let [before_short, before_long] = start_ups;
            empty
                .short_ticks
                .push(read(Code::EmptyLoop, short + before_short));
            empty
                .long_ticks
                .push(read(Code::EmptyLoop, long + before_long));
        }
        // Who was there at the beginning, most likely, before warming up.
        if let Some(from) = neighbour_from
            && round == 0
            && always_beside_a_neighbour(&chain, &empty, from)
        {
            break;
        }
    }
    chain.additions = Some(Box::new(additions));
    Visit {
        case: String::new(),
        launch,
        scout: launch == 0,
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
        length: Length {
            windows: 1,
            items: OPS,
            unroll: 1,
            slope: true,
        },
        batches,
        chain: Some(chain),
        empty,
        pauses: None,
        visit_ticks,
        threads: Some(1),
        counted: SystemCounts::default(),
        touched_bytes: None,
        fixed_item: None,
        apart: None,
        measured: None,
        team: None,
        unknown: String::new(),
    }
}
