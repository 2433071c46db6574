//! The unsafe part of the operating system that coordinator and workers need.
//!
//! * Coordinator: [`Launcher`] and [`Child`] (a worker in a process group of its own, on Windows in a job;
//!   its pipes, its end), [`Signals`] (those that end a run, to wait for), [`terminal_width`], [`terminal_height`],
//!   [`follow_escapes`], [`InheritedPipe`] (pipes between two workers), [`machine_counts`], [`open_plain`],
//!   [`refuse_large_files`]; on Linux on x86-64, with the feature `trace`, `Tracee` (a worker, instruction by
//!   instruction).
//! * Worker: [`take_protocol`] (the pipes out of the benchmark's reach), on Unix `silence`, [`tie_to_coordinator`]
//!   (no orphan survives), [`keep_freed_memory`], [`open_inherited`], [`threads`], [`debugger_attached`],
//!   [`page_faults`], [`written_bytes`], [`waited_ns`].
//! * Both: [`at_exit`], [`write_line`], [`read_line`], [`is_closed`], [`affinity`], [`set_affinity`],
//!   [`set_random_addresses`].
//!
//! On Windows and macOS, where no files describe it, also facts about the machine. On systems with a single process,
//! such as WebAssembly, all of it compiles and nothing can be started: bodies run there, and are measured elsewhere.
//!
//! Nothing here reads time: every wait is bounded by a duration that the caller passes.
//! Where the platform lacks something, the result is an error of kind `Unsupported` or `None`.

mod affinity;
mod c_library;
#[cfg(unix)]
mod channels;
#[cfg(unix)]
mod child;
#[cfg(feature = "commands")]
pub mod command;
#[cfg(any(windows, test))]
mod command_line;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod core_type;
mod counters;
#[cfg(all(target_arch = "x86_64", any(windows, test)))]
mod cpuid;
#[cfg(not(any(windows, target_os = "macos")))]
mod emulator;
#[cfg(all(target_os = "linux", target_arch = "x86_64", feature = "trace"))]
mod event_group;
mod heap;
mod hypervisor;
mod launch;
#[cfg(unix)]
mod launcher;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod mark;
mod pipe;
mod plain_file;
#[cfg(any(target_os = "macos", test))]
mod power_settings;
mod process;
#[cfg(any(windows, test))]
mod processor_groups;
#[cfg(unix)]
mod signals;
#[cfg(not(any(unix, windows)))]
mod single_process;
#[cfg(any(unix, windows))]
#[cfg_attr(
    any(target_os = "linux", not(feature = "commands")),
    expect(unreachable_pub, reason = "public for commands on other systems")
)]
mod stderr_file;
mod stdout;
#[cfg(unix)]
mod stdout_hold;
#[cfg(unix)]
mod strays;
#[cfg(unix)]
mod sys;
#[cfg(unix)]
mod tie;
#[cfg(all(target_os = "linux", target_arch = "x86_64", feature = "trace"))]
mod tracee;
#[cfg(windows)]
mod windows;
#[cfg(unix)]
mod worker;

pub use affinity::{affinity, set_affinity, set_random_addresses};
pub use c_library::c_library;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use core_type::core_types;
pub use counters::{MachineCounts, machine_counts, page_faults, waited_ns, written_bytes};
pub use heap::keep_freed_memory;
pub use hypervisor::{HYPERVISOR_FILES, hypervisor_in};
pub use launch::{Ending, ErrorOutput, Executable, HAS_PROCESSES, Protocol, Ready};
pub use pipe::{is_closed, read_line, write_line};
pub use plain_file::open_plain;
pub use process::{debugger_attached, forget_touched, threads, touched_bytes};
pub use stdout::{end_data, keep_for_data, print};

#[cfg(not(any(windows, target_os = "macos")))]
pub use emulator::emulator;

#[cfg(all(target_os = "linux", target_arch = "x86_64", feature = "trace"))]
pub use event_group::{EventGroup, EventReading, PerfEvent};
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use mark::{Mark, mark};
#[cfg(all(target_os = "linux", target_arch = "x86_64", feature = "trace"))]
pub use tracee::{Registers, SIGTRAP, Stop, Tracee};

#[cfg(all(target_arch = "x86_64", any(windows, test)))]
pub use cpuid::{ProcessorName, processor_name};
#[cfg(target_os = "macos")]
pub use macos::{load_average, power, system_number, system_text};
#[cfg(any(target_os = "macos", test))]
pub use power_settings::PowerSettings;
#[cfg(not(any(unix, windows)))]
pub use single_process::{
    Child, InheritedPipe, Launcher, Signals, Waiting, at_exit, coordinator_gone, follow_escapes,
    open_inherited, refuse_large_files, take_protocol, terminal_height, terminal_width,
    tie_to_coordinator,
};
#[cfg(windows)]
pub use windows::{
    Cache, CacheContents, Child, Core, InheritedPipe, Launcher, Processors, Signals, Waiting,
    WindowsVersion, at_exit, coordinator_gone, follow_escapes, is_translated, memory_bytes,
    on_battery, open_inherited, power_plan, priority, processors, random_addresses,
    refuse_large_files, take_protocol, terminal_height, terminal_width, tie_to_coordinator,
    windows_version,
};
#[cfg(unix)]
pub use {
    child::Child,
    launcher::Launcher,
    pipe::{InheritedPipe, open_inherited},
    signals::{Signals, Waiting, refuse_large_files},
    stdout_hold::{hold_stdout, release_stdout},
    worker::{
        Silenced, at_exit, coordinator_gone, follow_escapes, silence, take_protocol,
        terminal_height, terminal_width, tie_to_coordinator,
    },
};
