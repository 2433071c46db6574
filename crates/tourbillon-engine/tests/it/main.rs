//! Integration tests.

mod arms;
mod calls;
mod chain_share;
mod contention;
mod cycles;
mod documents;
mod fence;
mod futures;
mod interleave;
mod launches;
mod meters;
mod pilots;
mod stage;
mod streams;
mod system;
mod threads;
mod turns;
