//! The subcommand as cargo and people start it.

#![warn(clippy::match_bool)]

mod baselines;
mod cache;
mod ci;
mod clocks;
#[cfg(target_os = "linux")]
mod commands;
mod compare;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod configurations;
mod doctor;
#[cfg(target_os = "linux")]
mod elsewhere;
mod explain;
mod export;
mod facade_build;
#[cfg(target_os = "linux")]
mod files;
mod findings;
mod folder;
mod growth;
#[cfg(feature = "sqlite")]
mod history;
mod init;
#[cfg(all(target_os = "linux", feature = "sqlite"))]
mod interrupts;
mod isolation;
mod latencies;
mod long_names;
mod newest;
#[cfg(all(target_os = "linux", feature = "sqlite"))]
mod outputs;
#[cfg(unix)]
mod pipe;
#[cfg(all(feature = "postgres", feature = "sqlite"))]
mod postgres;
#[cfg(unix)]
mod process;
mod program;
mod records;
mod report;
mod rough_ranges;
mod run;
mod schemas;
mod settings;
mod show;
mod stepping;
mod targets;
mod usage;
#[cfg(unix)]
mod watch;
mod why;
#[cfg(target_os = "linux")]
mod words;
