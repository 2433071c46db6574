//! Figures of the operating system: resident memory and page faults.

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};

const FAULTS: &str = "the number of page faults";
const PEAK: &str = "peak resident memory";

/// Page faults since a thread or the process began, or between two moments.
///
/// # Examples
///
/// ```
/// use tourbillon_mem::thread_page_faults;
///
/// if let Ok(before) = thread_page_faults() {
///     let pages = vec![1_u8; 1 << 20];
///     let faults = thread_page_faults().map(|now| now.since(before));
///     println!("{faults:?} for {} bytes", pages.len());
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageFaults {
    /// Served from memory: a page used for the first time, or shared until it was written to.
    pub minor: u64,
    /// Served from a disk.
    pub major: u64,
}

impl PageFaults {
    /// Those since an earlier reading.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self {
            minor: self.minor.saturating_sub(earlier.minor),
            major: self.major.saturating_sub(earlier.major),
        }
    }
}

/// Page faults of this thread since it began.
///
/// # Errors
/// On systems other than Linux, and there without `/proc`.
///
/// # Accuracy
/// Exact. With large pages one fault brings as much memory as many small pages.
///
/// # Cost
/// Opens and reads a file of the kernel: about 20 microseconds, no allocation.
pub fn thread_page_faults() -> Result<PageFaults, Unavailable> {
    read(FAULTS, "/proc/thread-self/stat", page_faults)
}

/// Page faults of all threads of this process since it began; otherwise as [`thread_page_faults`].
///
/// # Errors
/// On systems other than Linux and macOS, and on Linux without `/proc`. Windows does not tell faults served from
/// a disk from the others.
pub fn process_page_faults() -> Result<PageFaults, Unavailable> {
    #[cfg(target_os = "macos")]
    return match crate::resident::page_faults() {
        Ok([minor, major]) => Ok(PageFaults { minor, major }),
        Err(error) => Err(Unavailable::call(FAULTS, "getrusage", error)),
    };
    #[cfg(not(target_os = "macos"))]
    read(FAULTS, "/proc/self/stat", page_faults)
}

/// The most memory that this process had resident since it began, or since
/// [`reset_peak_resident`], in bytes.
///
/// # Errors
/// On systems other than Linux, macOS and Windows, and on Linux without `/proc`.
///
/// # Accuracy
/// Whole pages of the program, its libraries, stacks and heap together; a page counts from its first
/// use, not from its allocation. Kernels keep this count in portions for each processor: it may be off by
/// dozens of pages for each, and lags for a process that runs on many. On Windows it is the peak of the working
/// set.
///
/// # Cost
/// On Linux, opens and reads a file of the kernel: about 20 microseconds, no allocation. Elsewhere a system call.
///
/// # Examples
/// ```
/// use tourbillon_mem::{peak_resident_bytes, reset_peak_resident};
///
/// if reset_peak_resident().is_ok() {
///     let pages = vec![1_u8; 10 << 20];
///     println!("{:?} for {} bytes", peak_resident_bytes(), pages.len());
/// }
/// ```
pub fn peak_resident_bytes() -> Result<u64, Unavailable> {
    #[cfg(any(windows, target_os = "macos"))]
    return crate::resident::peak_bytes().map_err(|error| {
        let call = if cfg!(windows) {
            "GetProcessMemoryInfo"
        } else {
            "getrusage"
        };
        Unavailable::call(PEAK, call, error)
    });
    #[cfg(not(any(windows, target_os = "macos")))]
    read(PEAK, "/proc/self/status", high_water_mark)
}

/// Makes the memory that is resident now the peak: the next [`peak_resident_bytes`] covers the time from
/// here on.
///
/// # Errors
/// On systems other than Linux, which reset no peak, where `/proc` is read-only as in some containers, and in a
/// kernel without page monitoring. The peak is that of the whole process then.
pub fn reset_peak_resident() -> Result<(), Unavailable> {
    let path = "/proc/self/clear_refs";
    open(PEAK, path, File::options().write(true))?
        // 5 resets the peak and nothing else (proc_pid_clear_refs(5)).
        .write_all(b"5\n")
        .map_err(|error| Unavailable::file(PEAK, path, error))
}

fn open(
    what: &'static str,
    path: &'static str,
    options: &std::fs::OpenOptions,
) -> Result<File, Unavailable> {
    if !cfg!(target_os = "linux") {
        let reason = Reason::System;
        return Err(Unavailable { what, reason });
    }
    options
        .open(path)
        .map_err(|error| Unavailable::file(what, path, error))
}

/// Parses the beginning of a file of the kernel, read without allocating. Bytes, because the name of a
/// thread need not be a text.
fn read<T>(
    what: &'static str,
    path: &'static str,
    parse: fn(&[u8]) -> Option<T>,
) -> Result<T, Unavailable> {
    let mut file = open(what, path, File::options().read(true))?;
    let mut buffer = [0; 4096];
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(Unavailable::file(what, path, error)),
        }
    }
    let reason = Reason::NoEntry(path);
    parse(&buffer[..filled]).ok_or(Unavailable { what, reason })
}

/// Fields 10 and 12 of the line. The second is the name in parentheses, which may hold anything, so
/// fields are counted from the last parenthesis.
fn page_faults(stat: &[u8]) -> Option<PageFaults> {
    let end_of_name = stat.iter().rposition(|byte| *byte == b')')?;
    let mut fields = stat[end_of_name + 1..]
        .split(u8::is_ascii_whitespace)
        .filter(|field| !field.is_empty());
    let minor = number(fields.nth(7)?)?;
    let major = number(fields.nth(1)?)?;
    Some(PageFaults { minor, major })
}

/// The peak in bytes; the kernel writes kibibytes.
#[cfg(any(not(any(windows, target_os = "macos")), test))]
fn high_water_mark(status: &[u8]) -> Option<u64> {
    let line = status
        .split(|byte| *byte == b'\n')
        .find_map(|line| line.strip_prefix(b"VmHWM:"))?;
    number(line)?.checked_mul(1024)
}

/// The number at the beginning of a text, after blanks.
fn number(text: &[u8]) -> Option<u64> {
    let text = text.trim_ascii_start();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&text[..digits]).ok()?.parse().ok()
}

/// A figure that this system does not provide, and why; [`thread_page_faults`] returns it, for example.
#[derive(Debug)]
pub struct Unavailable {
    what: &'static str,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    /// The file could not be used.
    File(&'static str, io::Error),
    /// The file has no such entry.
    NoEntry(&'static str),
    /// The call failed.
    #[cfg(any(windows, target_os = "macos"))]
    Call(&'static str, io::Error),
    /// Only Linux has it.
    System,
}

impl Unavailable {
    #[cold]
    fn file(what: &'static str, path: &'static str, error: io::Error) -> Self {
        let reason = Reason::File(path, error);
        Self { what, reason }
    }
}

#[cfg(any(windows, target_os = "macos"))]
impl Unavailable {
    #[cold]
    fn call(what: &'static str, call: &'static str, error: io::Error) -> Self {
        let reason = Reason::Call(call, error);
        Self { what, reason }
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not available: ", self.what)?;
        match &self.reason {
            Reason::File(path, error) => {
                write!(
                    f,
                    "`{path}` cannot be used ({error}); let this process open it"
                )
            }
            Reason::NoEntry(path) => {
                write!(f, "`{path}` does not have it; a full Linux kernel does")
            }
            #[cfg(any(windows, target_os = "macos"))]
            Reason::Call(call, error) => write!(f, "{call} failed: {error}"),
            Reason::System => f.write_str("it is read on Linux only"),
        }
    }
}

impl std::error::Error for Unavailable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.reason {
            Reason::File(_, error) => Some(error),
            #[cfg(any(windows, target_os = "macos"))]
            Reason::Call(_, error) => Some(error),
            Reason::NoEntry(_) | Reason::System => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_parentheses_and_blanks_do_not_shift_the_fields() {
        let stat = b"23111 (a) 1 2 (b\xff) R 23099 23099 27014 0 -1 4194304 100 7 3 9 0 0\n";
        let expected = PageFaults {
            minor: 100,
            major: 3,
        };
        assert_eq!(page_faults(stat), Some(expected));
        assert_eq!(page_faults(b"23111 (cat) R 1 2 3"), None);
        assert_eq!(page_faults(b""), None);
    }

    #[test]
    fn the_entry_is_found_among_others() {
        let status =
            b"Name:\t\xff\xfe\nVmPeak:\t    9000 kB\nVmHWM:\t    2192 kB\nVmRSS:\t 100 kB\n";
        assert_eq!(high_water_mark(status), Some(2192 * 1024));
        assert_eq!(high_water_mark(b"Name:\tVmHWM: 1\n"), None);
        assert_eq!(high_water_mark(b"VmHWM:\tmuch\n"), None);
    }

    #[test]
    fn a_number_ends_before_the_first_other_character() {
        assert_eq!(number(b"\t  2192 kB\n"), Some(2192));
        assert_eq!(number(b"0"), Some(0));
        assert_eq!(number(b" kB"), None);
        assert_eq!(number(b"99999999999999999999999"), None);
    }
}
