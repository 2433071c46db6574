//! The meter, to measure its cost in benchmarks that do not count.

use tourbillon_mem::Meter;

#[global_allocator]
static ALLOC: Meter = Meter::system();
