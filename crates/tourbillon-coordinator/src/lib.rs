//! The run of a bench program: its command line, its workers, and what it prints and stores.
//!
//! The coordinator measures nothing. It reads flags and the file of defaults ([`args`], [`values`]), lists the cases,
//! has workers measure them ([`runner`]), and prints and stores what they found ([`run`], [`output`]), with what is known
//! about the machine and the build ([`platform`]).
//!
//! A part of Tourbillon; bench programs use `tourbillon::main`.

#![forbid(unsafe_code)]

pub mod args;
pub mod output;
pub mod platform;
pub mod run;
pub mod runner;
pub mod values;

mod show_config;

pub use show_config::settings_text;
