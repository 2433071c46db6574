//! Processor time of a thread or of the process, independent of other programs.
//!
//! Readings in nanoseconds, each a system call of a few hundred nanoseconds: to be made around a batch, not
//! around an iteration. Their resolution:
//!
//! | | Linux | macOS | Windows |
//! |---|---|---|---|
//! | sum of a thread, of the process | the scheduler's, in nanoseconds | the same; the process in microseconds | a tick of the system, 0.5 to 15.6 ms |
//! | split into user and kernel | sampled at the kernel's tick, and scaled to the sum | the scheduler's, in microseconds | a tick of the system |
//!
//! On Linux the split of a *thread* is updated at the kernel's tick and when the thread is switched out, that
//! of the *process* at every call. [`split_granularity_ns`] is the length of a tick. A kernel with exact
//! accounting (`CONFIG_VIRT_CPU_ACCOUNTING_GEN` with `nohz_full`) is finer, and does not report it.
//!
//! # Examples
//!
//! ```
//! use tourbillon_clock::cpu_time;
//!
//! let before = cpu_time::thread_cpu_ns();
//! let sum: u64 = (0..1_000_000).sum();
//! match (before, cpu_time::thread_cpu_ns()) {
//!     (Ok(before), Ok(after)) => println!("{sum} after {} ns of work", after - before),
//!     (Err(absence), _) | (_, Err(absence)) => println!("no processor time: {absence}"),
//! }
//! ```

#[cfg_attr(unix, path = "cpu_time/unix.rs")]
#[cfg_attr(windows, path = "cpu_time/windows.rs")]
#[cfg_attr(not(any(unix, windows)), path = "cpu_time/absent.rs")]
mod system;

use crate::Absence;

/// Processor time in the program's own code and in the kernel, at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct UserKernel {
    /// In the program's own code, in nanoseconds.
    pub user_ns: u64,
    /// In the kernel on behalf of the program, in nanoseconds.
    pub kernel_ns: u64,
}

impl UserKernel {
    fn of((user_ns, kernel_ns): (u64, u64)) -> UserKernel {
        UserKernel { user_ns, kernel_ns }
    }

    /// The sum of both, in nanoseconds. On Linux [`thread_cpu_ns`] and [`process_cpu_ns`] are finer.
    #[must_use]
    pub const fn total_ns(self) -> u64 {
        self.user_ns.saturating_add(self.kernel_ns)
    }
}

/// Processor time of the calling thread since it began, in nanoseconds.
///
/// # Accuracy
///
/// Exact on Linux and macOS. Time stolen by a hypervisor is included, unless the guest's kernel is informed
/// of it and subtracts it (`CONFIG_PARAVIRT_TIME_ACCOUNTING`).
///
/// # Errors
///
/// If the system does not report it.
pub fn thread_cpu_ns() -> Result<u64, Absence> {
    system::thread_cpu_ns()
}

/// Processor time of all threads of this process, ended ones included, in nanoseconds.
///
/// # Accuracy
///
/// As [`thread_cpu_ns`]; on macOS a microsecond.
///
/// # Errors
///
/// If the system does not report it.
pub fn process_cpu_ns() -> Result<u64, Absence> {
    system::process_cpu_ns()
}

/// User and kernel time of the calling thread since it began.
///
/// # Accuracy
///
/// See the table of this module: on Linux both stand still between two ticks of the kernel.
///
/// # Errors
///
/// On Unix systems other than Linux and macOS.
pub fn thread_user_kernel_ns() -> Result<UserKernel, Absence> {
    system::thread_user_kernel_ns().map(UserKernel::of)
}

/// User and kernel time of all threads of this process.
///
/// # Accuracy
///
/// See the table of this module: on Linux the sum is exact to a microsecond, the split is not.
///
/// # Errors
///
/// If the system does not report it.
pub fn process_user_kernel_ns() -> Result<UserKernel, Absence> {
    system::process_user_kernel_ns().map(UserKernel::of)
}

/// Resolution of the split into user and kernel time, in nanoseconds: a tick of the kernel on Linux and
/// Windows, a microsecond on macOS; `None` if unknown.
#[must_use]
pub fn split_granularity_ns() -> Option<u64> {
    system::split_granularity_ns()
}

/// Resolution of [`process_cpu_ns`] and [`thread_cpu_ns`], in nanoseconds: the system's own figure on Unix
/// systems, 1 on Linux; a tick on Windows; `None` if unknown.
#[must_use]
pub fn sum_granularity_ns() -> Option<u64> {
    system::sum_granularity_ns()
}

#[cfg(any(target_os = "linux", target_vendor = "apple", windows))]
#[cfg(test)]
mod tests {
    use super::*;

    /// Reads until the figure has moved: it comes to an end, as reading is work.
    fn moves(read: impl Fn() -> Result<u64, Absence>) {
        let first = read().unwrap();
        let mut last = first;
        while last == first {
            let next = read().unwrap();
            assert!(next >= last, "{next} after {last}");
            last = next;
        }
    }

    #[test]
    fn work_is_counted_by_all_four() {
        moves(thread_cpu_ns);
        moves(process_cpu_ns);
        moves(|| thread_user_kernel_ns().map(UserKernel::total_ns));
        moves(|| process_user_kernel_ns().map(UserKernel::total_ns));
    }

    #[test]
    fn a_thread_has_not_spent_more_than_its_process() {
        // In this order: what is spent between the two readings is on the process's side.
        let thread = thread_cpu_ns().unwrap();
        assert!(thread <= process_cpu_ns().unwrap());
    }

    #[test]
    fn another_threads_work_is_the_processs_and_not_ours() {
        const WORK_NS: u64 = 20_000_000;
        let (thread, process) = (thread_cpu_ns().unwrap(), process_cpu_ns().unwrap());
        std::thread::spawn(|| while thread_cpu_ns().unwrap() < WORK_NS {})
            .join()
            .unwrap();
        let ours = thread_cpu_ns().unwrap() - thread;
        let of_all = process_cpu_ns().unwrap() - process;
        // Logic, not timing: the process spent all that the other one did, on top of what we did. The
        // sum of Windows moves in ticks.
        let tick = if cfg!(windows) { 16_000_000 } else { 0 };
        assert!(of_all + tick >= WORK_NS + ours, "{of_all} with {ours}");
    }

    #[test]
    fn the_split_makes_up_the_sum() {
        let split = process_user_kernel_ns().unwrap().total_ns();
        let sum = process_cpu_ns().unwrap();
        // Cut to microseconds, each of the two.
        assert!(split <= sum + 2_000, "{split} of {sum}");
        let (of_split, of_sum) = (split_granularity_ns(), sum_granularity_ns());
        assert!(of_split.is_some_and(|ns| ns >= 1_000));
        assert!(of_sum.is_some_and(|ns| ns >= 1) && of_sum <= of_split);
    }
}
