//! The meter, to see what it costs benchmarks that do not count.

use tourbillon_mem::Meter;

#[global_allocator]
static ALLOC: Meter = Meter::system();
