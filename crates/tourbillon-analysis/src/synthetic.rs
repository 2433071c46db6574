//! Launches of bodies whose cost is known, for tests: with the feature `synthetic`.

use std::num::NonZeroU64;

use tourbillon_record::{
    Additions, BatchShape, Batches, Chain, Empty, LaunchSamples, Pauses, Pilot, Plan, SystemCounts,
    Warmup,
};
use tourbillon_stats::Rng;

use crate::frequency::Frequency;

/// A body, and the machine that it runs on.
#[derive(Clone, Debug)]
pub struct Model {
    /// What an op costs, in cycles of the core's clock.
    pub cycles_per_op: f64,
    /// Spread of that cost between processes, as a fraction: uniform in plus or minus so much.
    pub process_spread: f64,
    /// What a batch costs besides its ops, in ticks.
    pub fixed_ticks: f64,
    /// One batch in so many is interrupted for 60 000 ticks.
    pub interrupted: Option<NonZeroU64>,
    /// Ticks per cycle at the start of a launch, and by how much they change in each batch.
    pub core: (f64, f64),
    /// Ops of the short batch.
    pub ops: u64,
    /// Whether there are long batches.
    pub slope: bool,
    /// Rounds in a launch.
    pub rounds: u64,
    /// Cycles of an op of the empty loop.
    pub empty: f64,
    /// Spread of that between processes, as that of the body.
    pub empty_spread: f64,
    /// What the seeds of the launches come from.
    pub seed: u64,
    /// Pauses in a short batch, and ticks that each leaves in the timed region.
    pub pauses: Option<(u64, u64)>,
    /// Ticks of set-up.
    pub setup_ticks: u64,
    /// Ticks of the first call.
    pub first_call_ticks: u64,
}

impl Default for Model {
    fn default() -> Model {
        Model {
            cycles_per_op: 100.0,
            process_spread: 0.0,
            fixed_ticks: 40.0,
            interrupted: None,
            core: (0.7, 0.0),
            ops: 1_000,
            slope: true,
            rounds: 20,
            empty: 0.125,
            empty_spread: 0.0,
            seed: 17,
            pauses: None,
            setup_ticks: 100,
            first_call_ticks: 500,
        }
    }
}

/// Ticks of the clock in a second.
pub const HZ: u64 = 2_600_000_000;

/// The clock's frequency, as a run knows it.
pub fn frequency() -> Frequency {
    Frequency {
        numerator: NonZeroU64::new(HZ).expect("it is not zero"),
        denominator: NonZeroU64::MIN,
        error_ppm: Some(1.0),
    }
}

impl Model {
    /// The launch that a worker would make.
    pub fn launch(&self, plan: &Plan) -> LaunchSamples {
        let mut rng = Rng::new(plan.seed);
        let off = |rng: &mut Rng, spread: f64| {
            1.0 + spread * (2.0 * (rng.next_u64() as f64 / u64::MAX as f64) - 1.0)
        };
        let process = off(&mut rng, self.process_spread);
        let empty_process = off(&mut Rng::new(rng.derive(1)), self.empty_spread);
        let mut core = self.core.0;
        let mut batches = Batches::default();
        let mut chain = Chain {
            of: "additions of 1 cycle".to_owned(),
            short_cycles: 5_000,
            long_cycles: 15_000,
            ..Chain::default()
        };
        let mut empty = Empty {
            ops: 8_192,
            ..Empty::default()
        };
        let read = |chain: &mut Chain, at: usize, core: f64| {
            chain.at.push(at as u64);
            chain
                .short_ticks
                .push((40.0 + 5_000.0 * core).round() as u64);
            chain
                .long_ticks
                .push((40.0 + 15_000.0 * core).round() as u64);
        };
        read(&mut chain, 0, core);
        for round in 0..self.rounds {
            let mut kinds = vec![0, 1, 2];
            kinds.truncate(if self.slope { 3 } else { 2 });
            rng.shuffle(&mut kinds);
            for kind in kinds {
                let ops = (u64::from(kind) * self.ops) as f64;
                let pauses = self
                    .pauses
                    .map_or(0, |(in_short, _)| in_short * u64::from(kind));
                let left = self.pauses.map_or(0, |(_, ticks)| ticks * pauses) as f64;
                let mut ticks = self.fixed_ticks + ops * self.cycles_per_op * process * core + left;
                if self.interrupted.is_some_and(|often| rng.below(often) == 0) {
                    ticks += 60_000.0;
                }
                batches.kind.push(kind);
                batches.ticks.push(ticks.round() as u64);
                if self.pauses.is_some() {
                    batches.pauses.push(pauses);
                }
                core += self.core.1;
            }
            read(&mut chain, batches.kind.len(), core);
            let lengths = [
                (&mut empty.short_ticks, 8_192.0),
                (&mut empty.long_ticks, 16_384.0),
            ];
            for (ticks, ops) in lengths.into_iter().filter(|_| round % 2 == 0) {
                ticks.push((40.0 + ops * self.empty * empty_process * core).round() as u64);
            }
        }
        let inside: u64 = batches.ticks.iter().sum();
        LaunchSamples {
            case: plan.case.clone(),
            launch: plan.launch,
            pilot_launch: plan.batch_shape.is_none(),
            seed: plan.seed,
            pid: 1,
            started_unix_ns: 0,
            terminal: "iter".to_owned(),
            drop_inside: false,
            ops_per_iteration: 1,
            throughput: None,
            setup_ticks: self.setup_ticks,
            first_call_ticks: self.first_call_ticks,
            pilot: Pilot::default(),
            warmup: Warmup {
                batches: 3,
                ticks: 1_000,
                settled: true,
            },
            batch_shape: BatchShape {
                windows: 1,
                items: self.ops,
                unroll: 8,
                slope: self.slope,
            },
            batches,
            chain: Some(chain),
            empty,
            pauses: self.pauses.map(|(_, ticks)| Pauses {
                pairs: 100,
                residual_ticks: vec![100 * ticks; 9],
            }),
            fixed_item: None,
            fenced: None,
            measured: None,
            calls: None,
            team: None,
            launch_ticks: inside + self.setup_ticks + self.first_call_ticks,
            threads: Some(1),
            working_threads: None,
            counted: SystemCounts::default(),
            touched_bytes: None,
            arm: None,
            core_kind: None,
            unknown: String::new(),
        }
    }

    /// The launches of so many launches of a case.
    pub fn launches(&self, case: &str, launches: u32) -> Vec<LaunchSamples> {
        let plan = |launch| Plan {
            seed: Rng::new(self.seed).derive(u64::from(launch)),
            ..plan(case, launch)
        };
        (0..launches)
            .map(|launch| self.launch(&plan(launch)))
            .collect()
    }
}

/// A plan such as a coordinator would make.
pub fn plan(case: &str, launch: u32) -> Plan {
    Plan {
        case: case.to_owned(),
        launch,
        seed: Rng::new(17).derive(u64::from(launch)),
        clock: "scripted".to_owned(),
        tick_hz: HZ,
        budget_ns: 6_250_000,
        batch_ns: 100_000,
        min_iterations: 1,
        window_items: 1_024,
        window_bytes: 1 << 18,
        batch_shape: None,
        turns: None,
        memory: false,
        stepped: None,
        events: None,
        metric: None,
        contended_from: None,
        core_kind: None,
    }
}

/// Makes a launch contended: turns of the empty loop take `turn` times as long, every other one a third longer
/// still, additions this fraction longer than multiplications, and batches a fifth.
///
/// # Panics
///
/// On a launch without a chain: those of a [`Model`] have one.
pub fn contend(launch: &mut LaunchSamples, turn: f64, additions: f64) {
    let empty = &mut launch.empty;
    for (index, long) in empty.long_ticks.iter_mut().enumerate() {
        let short = empty.short_ticks[index];
        let scattered = if turn > 1.0 && index % 2 == 0 {
            1.33 + 0.01 * index as f64
        } else {
            1.0
        };
        *long = short + (turn * scattered * (*long - short) as f64) as u64;
    }
    let chain = launch.chain.as_mut().expect("a launch of a model");
    let longer = |ticks: &u64| (*ticks as f64 * (1.0 + additions)).round() as u64;
    chain.additions = Some(Box::new(Additions {
        short_ticks: chain.short_ticks.iter().map(longer).collect(),
        long_ticks: chain.long_ticks.iter().map(longer).collect(),
    }));
    if turn > 1.0 || additions > 0.0 {
        for ticks in &mut launch.batches.ticks {
            *ticks += *ticks / 5;
        }
    }
}
