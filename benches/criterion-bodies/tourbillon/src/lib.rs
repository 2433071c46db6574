//! Nothing: the benchmark is in `../benches/bodies.rs`.
