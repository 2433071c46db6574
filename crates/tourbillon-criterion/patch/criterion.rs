//! Criterion's API on the engine of Tourbillon; see the package `tourbillon-criterion`.

pub use facade::*;
