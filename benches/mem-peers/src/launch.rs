//! One process of many: each has its own random addresses of code and blocks.

use std::hint::black_box;

use tourbillon_clock::Clock;
use tourbillon_mem::tally_process;
use tourbillon_stats::{Rng, Sample, median};

use crate::tables::{On, Row, TABLES, Table};

/// Passes over the body in one batch.
const PASSES: u32 = 50;
/// Batches of each row in one launch.
const ROUNDS: usize = 400;
/// Discarded rounds at the start.
const WARM_UP: usize = 20;
/// Threads that count for the process, other than the one that measures.
const OTHER_THREADS: usize = 16;

/// A launch's figures of a row, in nanoseconds per call of the allocator.
#[derive(Clone, Copy)]
pub(crate) struct Figure {
    pub(crate) ns: f64,
    /// The median of the differences to the first row, each within a round.
    pub(crate) more_ns: f64,
}

/// Measures every row of every table; `None` if the clock went backwards.
pub(crate) fn measure(seed: u64) -> Option<Vec<Vec<Figure>>> {
    let mut rng = Rng::new(seed);
    TABLES
        .iter()
        .map(|table| measure_on(table, &mut rng))
        .collect()
}

/// Tables of one thread come first: the system's allocator is slower as soon as a second thread has existed.
fn measure_on(table: &Table, rng: &mut Rng) -> Option<Vec<Figure>> {
    if table.on != On::Only {
        for _ in 0..OTHER_THREADS {
            let counts = || tally_process(|| drop(black_box(Box::new(1_u8)))).is_ok();
            std::thread::spawn(counts).join().ok()?;
        }
    }
    if table.on == On::LastOfMany {
        return std::thread::scope(|scope| {
            scope.spawn(|| measure_table(table, rng)).join().ok()?
        });
    }
    measure_table(table, rng)
}

fn measure_table(table: &Table, rng: &mut Rng) -> Option<Vec<Figure>> {
    let clock = Clock::choose().clock;
    let frequency = clock.frequency();
    let rows = table.rows;
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut ns = vec![Vec::with_capacity(ROUNDS); rows.len()];
    for round in 0..ROUNDS + WARM_UP {
        rng.shuffle(&mut order);
        for &index in &order {
            let Row { run, shorter, .. } = rows[index];
            let passes = PASSES / shorter;
            let start = clock.start();
            run(passes);
            let stop = clock.stop();
            let taken = frequency.nanos(stop.since(start)?);
            if round >= WARM_UP {
                ns[index].push(taken / f64::from(passes * table.pass.calls));
            }
        }
    }
    ns.iter().map(|row| figure(row, &ns[0])).collect()
}

fn figure(row: &[f64], first: &[f64]) -> Option<Figure> {
    let more = row.iter().zip(first).map(|(row, first)| row - first);
    Some(Figure {
        ns: median(&Sample::new(row.to_vec()).ok()?),
        more_ns: median(&Sample::new(more.collect()).ok()?),
    })
}
