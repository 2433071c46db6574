//! Integration tests.

mod arms;
#[cfg(target_arch = "x86_64")]
mod assembly;
#[cfg(target_arch = "x86_64")]
mod assembly_outputs;
mod calls;
mod chain_share;
mod contention;
mod cycles;
mod documents;
mod fence;
mod futures;
mod interleave;
#[cfg(target_arch = "x86_64")]
mod kernels;
mod launches;
mod meters;
mod pilots;
mod stage;
mod streams;
mod system;
mod threads;
mod turns;

/// The example that the assembly tests read.
#[cfg(target_arch = "x86_64")]
const KERNELS: &str = "kernels";

/// No package stays unoptimised.
#[cfg(target_arch = "x86_64")]
const UNOPTIMISED: &str = "";
