//! What the system counts: for this process, and for the machine.

use std::os::windows::io::RawHandle;
use std::sync::atomic::{AtomicU64, Ordering};

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Diagnostics::Debug::IsDebuggerPresent;
use windows_sys::Win32::System::ProcessStatus::{GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetProcessIoCounters, GetProcessTimes, GetSystemTimes, IO_COUNTERS,
};

use super::call::succeeded;

/// Units of 100 ns in a tick: as on Linux, 100 ticks are a second.
const UNITS_PER_TICK: u64 = 100_000;

/// Processor time of the children that have been waited for, in units of 100 ns.
static OF_CHILDREN: AtomicU64 = AtomicU64::new(0);

/// Pages that this process has touched for the first time, those read from a disk included.
pub(crate) fn page_faults() -> Option<u64> {
    Some(u64::from(memory()?.PageFaultCount))
}

fn memory() -> Option<PROCESS_MEMORY_COUNTERS> {
    let mut memory = PROCESS_MEMORY_COUNTERS::default();
    let bytes = size_of_val(&memory) as u32;
    // SAFETY: the size is that of the structure, into which the call writes.
    succeeded(unsafe { GetProcessMemoryInfo(GetCurrentProcess(), &raw mut memory, bytes) }).ok()?;
    Some(memory)
}

/// Bytes that this process has passed to write calls.
pub(crate) fn written_bytes() -> Option<u64> {
    let mut counts = IO_COUNTERS::default();
    // SAFETY: there is room for what the call writes.
    succeeded(unsafe { GetProcessIoCounters(GetCurrentProcess(), &raw mut counts) }).ok()?;
    Some(counts.WriteTransferCount)
}

/// Whether a debugger is attached to this process.
pub(crate) fn debugger_attached() -> bool {
    // SAFETY: takes nothing and returns a number.
    unsafe { IsDebuggerPresent() != 0 }
}

/// Ticks of the machine in which a processor had something to run, and those of this process with its
/// children.
pub(crate) fn wanted_and_own_ticks() -> Option<(u64, u64)> {
    let [mut idle, mut kernel, mut user] = [FILETIME::default(); 3];
    // SAFETY: there is room for what the call writes.
    succeeded(unsafe { GetSystemTimes(&raw mut idle, &raw mut kernel, &raw mut user) }).ok()?;
    // The time of the kernel includes that in which there was nothing to run.
    let wanted = (units(kernel) + units(user)).saturating_sub(units(idle));
    let own = own()? + OF_CHILDREN.load(Ordering::Relaxed);
    Some((wanted / UNITS_PER_TICK, own / UNITS_PER_TICK))
}

/// Counts the processor time of a child that has ended as this process's.
pub(crate) fn add_child(process: RawHandle) {
    let time = processor_time(process).unwrap_or(0);
    OF_CHILDREN.fetch_add(time, Ordering::Relaxed);
}

fn own() -> Option<u64> {
    // SAFETY: returns a number that stands for this process.
    processor_time(unsafe { GetCurrentProcess() })
}

/// Processor time of a process, in units of 100 ns.
fn processor_time(process: RawHandle) -> Option<u64> {
    let [mut begun, mut ended, mut kernel, mut user] = [FILETIME::default(); 4];
    // SAFETY: there is room for what the call writes.
    succeeded(unsafe {
        GetProcessTimes(
            process,
            &raw mut begun,
            &raw mut ended,
            &raw mut kernel,
            &raw mut user,
        )
    })
    .ok()?;
    Some(units(kernel) + units(user))
}

/// Units of 100 ns.
fn units(time: FILETIME) -> u64 {
    u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime)
}
