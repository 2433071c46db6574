//! The levels of memory: what it takes to follow a pointer, from what fits the first cache to what
//! fits none; and memory that was never touched.
//!
//! Each step of `chase` needs the one before, and each goes to another cache line in a random order:
//! nothing can be fetched ahead. `first_reads` reads a byte of every page of memory that was asked
//! for with zeroes in it and never touched: the system hands out its pages while the clock runs.
//! `later_reads` does the same in memory that was written before. A benchmark of memory that was
//! never touched measures the system (Sestoft, "Microbenchmarks in Java and C#", 2015, section 10).

use std::process::ExitCode;

use examples::chase::{BYTES_PER_NODE, Ring};
use examples::check::equal;
use tourbillon::{Bencher, Bytes, bench, geometric};

fn main() -> ExitCode {
    tourbillon::main()
}

const KIB: usize = 1_024;
const MIB: usize = 1_024 * KIB;

#[bench(args(bytes = geometric(4 * KIB, 256 * MIB, 4)))]
fn chase(b: Bencher<'_>, bytes: usize) -> Result<(), String> {
    let ring = Ring::new(bytes / BYTES_PER_NODE, 1);
    equal("length of the way round", ring.way_round(), ring.len())?;
    b.chain(0, |place| ring.next(place));
    Ok(())
}

/// Memory that is read, and a page of it; where pages are larger, some reads share one.
const READ: usize = 16 * MIB;
const PAGE: usize = 4 * KIB;

fn read(memory: &[u8]) -> u64 {
    memory
        .iter()
        .step_by(PAGE)
        .map(|byte| u64::from(*byte))
        .sum()
}

#[bench]
fn first_reads(b: Bencher<'_>) -> Result<(), String> {
    equal("sum", read(&vec![0; READ]), 0)?;
    b.throughput(Bytes(READ as u64))
        .with_state(Vec::new)
        .reset(|memory| *memory = vec![0; READ])
        .iter_mut(|memory| read(memory));
    Ok(())
}

#[bench]
fn later_reads(b: Bencher<'_>) -> Result<(), String> {
    equal("sum", read(&vec![1; READ]), (READ / PAGE) as u64)?;
    b.throughput(Bytes(READ as u64))
        .with_state(|| vec![1; READ])
        .reset(|memory| memory.fill(1))
        .iter_mut(|memory| read(memory));
    Ok(())
}
