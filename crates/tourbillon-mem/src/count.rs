//! Counting one call, for people: with sizes, and a text.

use std::fmt;
use std::ops::Deref;

use crate::counts::{Counts, ProcessCounts};
use crate::details::watch;
use crate::installed::{NotMetered, check_installed};
use crate::region::tally_process;
use crate::size_text::{Change, Counted, Size};
use crate::sizes::{Sizes, list};

/// What a call asked of the allocator: its counts, which this type also gives directly, and how large
/// the blocks were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// The counts.
    pub counts: Counts,
    /// Sizes of the blocks that were asked for.
    pub sizes: Sizes,
}

impl Deref for Used {
    type Target = Counts;

    fn deref(&self) -> &Counts {
        &self.counts
    }
}

impl fmt::Display for Used {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.counts.fmt(f)
    }
}

/// Calls `body` once and counts what this thread asks of the allocator meanwhile.
///
/// What `body` returns is still alive when the counting ends: bytes live are what it keeps.
///
/// # Panics
/// When this process has no [`Meter`](crate::Meter) as its global allocator; [`try_count`] returns
/// that as an error.
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// let (words, used) = tourbillon_mem::count(|| {
///     let text = "now and then".to_owned();
///     text.split(' ').map(str::to_owned).collect::<Vec<_>>()
/// });
/// assert_eq!(used.allocs, 5);
/// assert_eq!(used.live_blocks(), 4);
/// assert_eq!(used.sizes.first(), [12, 3, 96, 3, 4]);
/// assert_eq!(
///     used.to_string(),
///     "5 allocs (118 B), 1 free (12 B), kept 106 B in 4 blocks, peak 118 B"
/// );
/// # drop(words);
/// ```
///
/// # Accuracy
/// As [`tally`](crate::tally): exact for this thread, of the program as it was optimised.
///
/// Calls on one thread end in the reverse order of their beginning, unless `body` switches to another
/// coroutine with a stack of its own and that one counts, too: a call that ends before one that began
/// inside of it ends the process with a message.
///
/// # Cost
/// Some 100 ns, and for each event a few nanoseconds and a question to the allocator about the size
/// of the block.
#[track_caller]
pub fn count<T>(body: impl FnOnce() -> T) -> (T, Used) {
    metered();
    count_metered(body)
}

/// As [`count`], with an error instead of a panic.
///
/// # Errors
/// As [`tally`](crate::tally).
pub fn try_count<T>(body: impl FnOnce() -> T) -> Result<(T, Used), NotMetered> {
    check_installed()?;
    Ok(count_metered(body))
}

fn count_metered<T>(body: impl FnOnce() -> T) -> (T, Used) {
    let (value, watched) = watch(body);
    let used = Used {
        counts: watched.counts,
        sizes: watched.sizes,
    };
    (value, used)
}

/// Calls `body` once and counts what all threads of this process ask of the allocator meanwhile.
///
/// # Panics
/// As [`count`]; [`tally_process`] returns an error instead.
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// let ((), used) = tourbillon_mem::count_process(|| {
///     std::thread::scope(|scope| {
///         scope.spawn(|| std::hint::black_box(vec![0_u8; 1000]));
///     });
/// });
/// assert!(used.allocated_elsewhere_bytes() >= 1000);
/// ```
///
/// # Accuracy
/// As [`tally_process`].
#[track_caller]
pub fn count_process<T>(body: impl FnOnce() -> T) -> (T, ProcessCounts) {
    match tally_process(body) {
        Ok(counted) => counted,
        Err(error) => not_metered(&error),
    }
}

/// Panics unless this process counts.
#[track_caller]
pub(crate) fn metered() {
    if let Err(error) = check_installed() {
        not_metered(&error);
    }
}

#[cold]
#[track_caller]
fn not_metered(error: &NotMetered) -> ! {
    panic!("allocations cannot be counted: {error}")
}

/// What [`assert_allocs!`](crate::assert_allocs) calls.
///
/// # Panics
/// When memory was asked for another number of times than expected.
#[doc(hidden)]
#[track_caller]
pub fn expect_allocs(used: &Used, expected: u64, body: &str) {
    assert!(
        used.requests() == expected,
        "{}",
        Unexpected {
            used,
            expected,
            body
        }
    );
}

struct Unexpected<'a> {
    used: &'a Used,
    expected: u64,
    body: &'a str,
}

impl fmt::Display for Unexpected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            used,
            expected,
            body,
        } = self;
        let requests = used.requests();
        let (expected, noun) = (Counted(*expected, "alloc"), requests_text(used));
        write!(f, "`{body}`: expected {expected}, counted {noun}")?;
        if requests == 0 {
            return Ok(());
        }
        f.write_str(": ")?;
        list(f, used.sizes.first())?;
        let shown = used.sizes.first().len() as u64;
        if requests > shown {
            write!(f, " and {} more, the largest of all: ", requests - shown)?;
            list(f, used.sizes.largest())?;
        }
        Ok(())
    }
}

fn requests_text(counts: &Counts) -> String {
    let reallocs = counts.reallocs_in_place + counts.reallocs_moved;
    let allocs = Counted(counts.allocs, "alloc");
    if reallocs == 0 {
        return allocs.to_string();
    }
    format!("{allocs} and {}", Counted(reallocs, "realloc"))
}

/// Evaluates an expression and panics unless it asks for memory exactly so many times; its value is
/// the value of the macro.
///
/// Allocations and reallocations count, in place or not. Only this thread is looked at, so that tests
/// which run at the same time do not disturb each other.
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// use tourbillon_mem::assert_allocs;
///
/// let words = assert_allocs!(1, vec!["now", "and", "then"]);
/// let longest = assert_allocs!(0, words.iter().map(|word| word.len()).max());
/// assert_eq!(longest, Some(4));
/// ```
///
/// # Panics
/// When the number is another one, with the sizes of the blocks:
/// ```text
/// `join(&words)`: expected 1 alloc, counted 2 allocs and 1 realloc: 8 B, 24 B, 96 B
/// ```
/// And when the program has no [`Meter`](crate::Meter).
#[macro_export]
macro_rules! assert_allocs {
    ($expected:expr, $body:expr $(,)?) => {{
        let expected: u64 = $expected;
        let (value, used) = $crate::count(|| $body);
        $crate::expect_allocs(&used, expected, stringify!($body));
        value
    }};
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0 allocs");
        }
        let grown = self.reallocs_in_place;
        let allocs = Counted(self.allocs, "alloc");
        write!(f, "{allocs} ({})", Size(self.allocated_bytes))?;
        if grown > 0 {
            write!(f, ", {} in place", Counted(grown, "realloc"))?;
        }
        if self.reallocs_moved > 0 {
            let moved = Counted(self.reallocs_moved, "realloc");
            write!(f, ", {moved} moved ({} copied)", Size(self.copied_bytes))?;
        }
        if self.frees > 0 {
            let frees = Counted(self.frees, "free");
            write!(f, ", {frees} ({})", Size(self.freed_bytes))?;
        }
        if self.failed > 0 {
            write!(f, ", {} failed", self.failed)?;
        }
        let (bytes, blocks) = (self.live_bytes(), self.live_blocks());
        let plural = if blocks == 1 { "" } else { "s" };
        write!(f, ", kept {}", Change(bytes))?;
        if bytes != 0 || blocks != 0 {
            write!(f, " in {blocks} block{plural}")?;
        }
        write!(f, ", peak {}", Size(self.peak_bytes))
    }
}

impl fmt::Display for ProcessCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.process.fmt(f)?;
        match self.requests_elsewhere() {
            0 => Ok(()),
            requests => {
                let bytes = Size(self.allocated_elsewhere_bytes());
                let requests = Counted(requests, "request");
                write!(f, "; {requests} ({bytes}) on other threads")
            }
        }
    }
}
