//! What the compiler makes of the timed loops, read as assembly: of the engine's own, and of those that the terminals
//! of a `Bencher` lead to.

mod engine;
mod outputs;
mod terminals;
mod timed_loops;
