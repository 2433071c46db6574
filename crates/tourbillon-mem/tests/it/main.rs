//! Everything that needs the meter as the global allocator around the system's one.

mod asserting;
mod counting;
mod footprints;
mod layouts;
mod model;
mod operating_system;
mod properties;
mod random;
mod reports;
mod tables;

#[global_allocator]
static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
