//! What is measured, held against what is known: the code of the programs that `scripts/` run.

#![forbid(unsafe_code)]

pub mod accuracy;
pub mod agreement;
pub mod findings;
pub mod ladder;
pub mod tries;
