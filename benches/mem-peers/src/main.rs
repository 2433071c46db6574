//! What counting costs for each call of an allocator, beside others that count: see
//! `scripts/mem-cost.sh`.
//!
//! Each round runs the same body over every allocator in a new random order. From each round's figure
//! that of the allocator which does not count is subtracted, so that what changes from round to round
//! cancels, and the median of the differences is shown with its quartiles.

mod nothing;
mod order;
mod work;

use std::alloc::System;
use std::process::ExitCode;

use divan::AllocProfiler;
use nothing::Nothing;
use order::Order;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use tourbillon_clock::Clock;
use tourbillon_mem::{Meter, count, tally, tally_process};
use work::{EVENTS, work};

#[global_allocator]
static ALLOC: Meter = Meter::system();
static OVER_NOTHING: Meter<Nothing> = Meter::new(Nothing);
static DIVAN: AllocProfiler = AllocProfiler::system();
static DIVAN_OVER_NOTHING: AllocProfiler<Nothing> = AllocProfiler::new(Nothing);

/// Passes over the body in one batch.
const PASSES: u32 = 50;
/// Rounds before the first that counts.
const WARM_UP: usize = 20;

/// An allocator, and how the body is run over it.
struct Row {
    name: &'static str,
    run: fn(passes: u32),
    /// How many times shorter its batches are, for one that would take too long.
    shorter: u32,
}

const fn row(name: &'static str, run: fn(u32)) -> Row {
    Row {
        name,
        run,
        shorter: 1,
    }
}

/// Over the system's allocator; the first one does not count.
const OVER_SYSTEM: &[Row] = &[
    row("system", |passes| work(&System, passes)),
    row("system again", |passes| work(&System, passes)),
    row("Meter, off", |passes| work(&ALLOC, passes)),
    row("Meter, this thread", |passes| {
        let _ = tally(|| work(&ALLOC, passes));
    }),
    row("Meter, whole process", |passes| {
        let _ = tally_process(|| work(&ALLOC, passes));
    }),
    row("Meter, with sizes", |passes| {
        let _ = count(|| work(&ALLOC, passes));
    }),
    row("divan 0.1 AllocProfiler", |passes| work(&DIVAN, passes)),
    row("stats_alloc 0.1", |passes| {
        work(&INSTRUMENTED_SYSTEM, passes)
    }),
    Row {
        name: "dhat 0.3",
        run: |passes| work(&dhat::Alloc, passes),
        shorter: 10,
    },
];

/// Over an allocator that does nothing: what the counting itself takes.
const OVER_NOTHING_AT_ALL: &[Row] = &[
    row("nothing", |passes| work(&Nothing, passes)),
    row("nothing again", |passes| work(&Nothing, passes)),
    row("Meter, off", |passes| work(&OVER_NOTHING, passes)),
    row("Meter, this thread", |passes| {
        let _ = tally(|| work(&OVER_NOTHING, passes));
    }),
    row("Meter, whole process", |passes| {
        let _ = tally_process(|| work(&OVER_NOTHING, passes));
    }),
    row("Meter, with sizes", |passes| {
        let _ = count(|| work(&OVER_NOTHING, passes));
    }),
    row("divan 0.1 AllocProfiler", |passes| {
        work(&DIVAN_OVER_NOTHING, passes)
    }),
    row("stats_alloc 0.1", |passes| {
        work(&StatsAlloc::new(Nothing), passes)
    }),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = match arguments.as_slice() {
        [] => Some(1000),
        [rounds] => rounds.parse().ok().filter(|rounds| *rounds > 0),
        _ => None,
    };
    let Some(rounds) = rounds else {
        eprintln!("usage: mem-peers [ROUNDS], a whole number from 1");
        return ExitCode::from(1);
    };
    if let Err(error) = tourbillon_mem::check_installed() {
        eprintln!("mem-peers: {error}");
        return ExitCode::from(3);
    }
    let _heap_profiler = dhat::Profiler::builder().testing().build();
    for rows in [OVER_SYSTEM, OVER_NOTHING_AT_ALL] {
        let Some(figures) = compare(rows, rounds) else {
            eprintln!("mem-peers: the clock went backwards; run it again");
            return ExitCode::from(3);
        };
        show(rows, &figures);
    }
    ExitCode::SUCCESS
}

/// Nanoseconds for each call of the allocator, row by row and round by round.
fn compare(rows: &[Row], rounds: usize) -> Option<Vec<Vec<f64>>> {
    let clock = Clock::choose().clock;
    let frequency = clock.frequency();
    let mut figures = vec![Vec::with_capacity(rounds); rows.len()];
    let mut order = Order::new(rounds as u64);
    for round in 0..rounds + WARM_UP {
        for index in order.next_of(rows.len()) {
            let passes = PASSES / rows[index].shorter;
            let start = clock.start();
            (rows[index].run)(passes);
            let stop = clock.stop();
            let ns = frequency.nanos(stop.since(start)?);
            if round >= WARM_UP {
                figures[index].push(ns / f64::from(passes * EVENTS));
            }
        }
    }
    Some(figures)
}

fn show(rows: &[Row], figures: &[Vec<f64>]) {
    println!(
        "| allocator | ns a call | more than {} | quartiles |",
        rows[0].name
    );
    println!("|---|---:|---:|---:|");
    for (row, ns) in rows.iter().zip(figures) {
        let mut more: Vec<f64> = ns.iter().zip(&figures[0]).map(|(a, b)| a - b).collect();
        more.sort_by(f64::total_cmp);
        let mut ns = ns.clone();
        ns.sort_by(f64::total_cmp);
        let at = |quarter: usize| more[(more.len() - 1) * quarter / 4];
        println!(
            "| {} | {:.2} | {:+.2} | {:+.2} .. {:+.2} |",
            row.name,
            ns[ns.len() / 2],
            at(2),
            at(1),
            at(3)
        );
    }
    println!();
}
