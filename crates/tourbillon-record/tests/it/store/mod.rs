//! The store on real files, disturbed in every way that happens.

mod baseline;
mod child;
mod disturbance;
mod folder;
mod last;
mod locate;
mod runs;
mod samples;
