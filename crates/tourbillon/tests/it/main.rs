//! Integration tests.

mod allowances;
mod arrows;
#[cfg(target_arch = "x86_64")]
mod assembly;
mod circles;
mod commands;
mod editor;
mod examples;
mod harness;
#[cfg(target_arch = "x86_64")]
#[path = "../../../tourbillon-engine/tests/it/kernels.rs"]
mod kernels;
mod packages;
mod pages;
mod prose;
mod reads;
mod registry;
mod registry_calls;
mod registry_refusals;
mod searches;
mod tidy;

/// The example that the assembly tests read.
#[cfg(target_arch = "x86_64")]
const KERNELS: &str = "terminals";

/// The page with the packages that stay unoptimised where the example is one codegen unit.
#[cfg(target_arch = "x86_64")]
const UNOPTIMISED: &str = include_str!("../../../../docs/how-to/build-time.md");
