//! Page faults: how often memory was used that was not there yet.

use crate::unavailable::Unavailable;

const FAULTS: &str = "the number of page faults";

/// Page faults since a thread or the process began, or between two moments.
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
/// Where the kernel does not tell: elsewhere than on Linux, or without `/proc`.
///
/// # Accuracy
/// Exact. With large pages one fault brings many small ones' worth of memory.
///
/// # Cost
/// Opens and reads a file of the kernel: about 20 microseconds, no allocation.
#[inline]
pub fn thread_page_faults() -> Result<PageFaults, Unavailable> {
    #[cfg(target_os = "linux")]
    {
        read("/proc/thread-self/stat")
    }
    #[cfg(not(target_os = "linux"))]
    Err(Unavailable::on_this_system(FAULTS))
}

/// Page faults of all threads of this process since it began; otherwise as [`thread_page_faults`].
///
/// # Errors
/// Where the kernel does not tell: elsewhere than on Linux, or without `/proc`.
#[inline]
pub fn process_page_faults() -> Result<PageFaults, Unavailable> {
    #[cfg(target_os = "linux")]
    {
        read("/proc/self/stat")
    }
    #[cfg(not(target_os = "linux"))]
    Err(Unavailable::on_this_system(FAULTS))
}

#[cfg(target_os = "linux")]
#[inline]
fn read(path: &'static str) -> Result<PageFaults, Unavailable> {
    let mut buffer = [0; 4096];
    let stat = crate::proc_file::read(FAULTS, path, &mut buffer)?;
    parse(stat).ok_or_else(|| Unavailable::no_entry(FAULTS, path))
}

/// Fields 10 and 12 of the line. The second is the name in parentheses, which may hold anything, so
/// fields are counted from the last parenthesis.
#[cfg(target_os = "linux")]
#[inline]
fn parse(stat: &[u8]) -> Option<PageFaults> {
    let end_of_name = stat.iter().rposition(|byte| *byte == b')')?;
    let mut fields = stat[end_of_name + 1..]
        .split(u8::is_ascii_whitespace)
        .filter(|field| !field.is_empty());
    let minor = crate::proc_file::number(fields.nth(7)?)?;
    let major = crate::proc_file::number(fields.nth(1)?)?;
    Some(PageFaults { minor, major })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{PageFaults, parse};

    #[test]
    fn names_with_parentheses_and_blanks_do_not_shift_the_fields() {
        let stat = b"23111 (a) 1 2 (b\xff) R 23099 23099 27014 0 -1 4194304 100 7 3 9 0 0\n";
        let expected = PageFaults {
            minor: 100,
            major: 3,
        };
        assert_eq!(parse(stat), Some(expected));
        assert_eq!(parse(b"23111 (cat) R 1 2 3"), None);
        assert_eq!(parse(b""), None);
    }
}
