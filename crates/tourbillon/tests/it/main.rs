//! Integration tests.

mod allowances;
mod arrows;
#[cfg(target_arch = "x86_64")]
mod assembly;
mod circles;
mod commands;
mod editor;
mod examples;
mod figures;
mod harness;
mod packages;
mod pages;
mod prose;
mod reads;
mod registry;
mod registry_calls;
mod registry_refusals;
mod searches;
mod tidy;
