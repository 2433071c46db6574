//! Counting one call, with sizes and a text.

use std::fmt;
use std::io::{self, Write};
use std::ops::Deref;
use std::{process, ptr};

use crate::counts::{Counts, ProcessCounts};
use crate::details::{Details, Extent, List, Sizes};
use crate::region::{NotMetered, check_installed, tally_process};
use crate::size_text::Counted;
use crate::tally::{self, ThreadRegion};

/// What a call requested from the allocator, from [`count`]: its counts, to which this type dereferences,
/// and the sizes of the blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// The counts.
    pub counts: Counts,
    /// Sizes of the requested blocks.
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

/// Calls `body` once and counts what this thread requests from the allocator meanwhile.
///
/// The value of `body` is still alive when the counting ends, so live bytes are what it owns.
///
/// # Panics
/// If this process has no [`Meter`](crate::Meter) as its global allocator; [`try_count`] returns an
/// error instead.
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
/// coroutine with a stack of its own that counts, too. A call that ends before one that began inside of
/// it ends the process with a message.
///
/// # Cost
/// About 100 ns, and for each event a few nanoseconds and a query of the block's size.
#[track_caller]
pub fn count<T>(body: impl FnOnce() -> T) -> (T, Used) {
    metered();
    let (value, used, _) = watch(body);
    (value, used)
}

/// As [`count`], with an error instead of a panic.
///
/// # Errors
/// As [`tally`](crate::tally).
pub fn try_count<T>(body: impl FnOnce() -> T) -> Result<(T, Used), NotMetered> {
    check_installed()?;
    let (value, used, _) = watch(body);
    Ok((value, used))
}

/// Records while it lives what this thread requests, and adds it to the outer details at the end, also
/// when the code inside unwinds.
struct Watch<'a> {
    inner: &'a Details,
    outer: *const Details,
}

impl<'a> Watch<'a> {
    fn begin(inner: &'a Details) -> Self {
        let outer = tally::with(|tally| tally.replace_details(ptr::from_ref(inner)));
        Self { inner, outer }
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        tally::with(|tally| {
            let innermost = tally.replace_details(self.outer);
            if !ptr::eq(innermost, self.inner) {
                out_of_order();
            }
            if let Some(outer) = tally.details() {
                outer.append(self.inner);
            }
        });
    }
}

/// Ends the process: another region would restore details that no longer exist.
#[cold]
fn out_of_order() -> ! {
    let text = b"tourbillon-mem: a call of `count` ended before one that began inside of it, as in a coroutine \
        that was switched away from; count inside of one coroutine at a time\n";
    // The process ends in either case.
    let _ = io::stderr().write_all(text);
    process::abort();
}

/// Calls `body` and records what this thread requests from the allocator meanwhile.
pub(crate) fn watch<T>(body: impl FnOnce() -> T) -> (T, Used, Extent) {
    let details = Details::new();
    let _watch = Watch::begin(&details);
    let region = ThreadRegion::open(true);
    let value = body();
    let counts = region.counts();
    let (sizes, extent) = details.read();
    (value, Used { counts, sizes }, extent)
}

/// Calls `body` once and counts what all threads of this process request from the allocator meanwhile.
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

/// Called by [`assert_allocs!`](crate::assert_allocs).
///
/// # Panics
/// If the number of requests is not the expected one.
#[doc(hidden)]
#[track_caller]
pub fn expect_allocs(used: &Used, expected: u64, body: &str) {
    let requests = used.requests();
    if requests == expected {
        return;
    }
    let expected = Counted(expected, "alloc");
    let mut text = format!(
        "`{body}`: expected {expected}, counted {}",
        Counted(used.allocs, "alloc")
    );
    if requests > used.allocs {
        text += &format!(" and {}", Counted(requests - used.allocs, "realloc"));
    }
    if requests > 0 {
        text += &format!(": {}", List(used.sizes.first()));
    }
    let shown = used.sizes.first().len() as u64;
    if requests > shown {
        let largest = List(used.sizes.largest());
        text += &format!(
            " and {} more, the largest of all: {largest}",
            requests - shown
        );
    }
    panic!("{text}");
}

/// Evaluates an expression, and panics unless it requests memory exactly this many times; its value is the
/// value of the macro.
///
/// Allocations and reallocations count, in place or not. Only this thread is counted, so concurrent tests
/// do not disturb each other.
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
/// If the number differs, with the sizes of the blocks:
/// ```text
/// `join(&words)`: expected 1 alloc, counted 2 allocs and 1 realloc: 8 B, 24 B, 96 B
/// ```
/// And if the program has no [`Meter`](crate::Meter).
#[macro_export]
macro_rules! assert_allocs {
    ($expected:expr, $body:expr $(,)?) => {{
        let expected: u64 = $expected;
        let (value, used) = $crate::count(|| $body);
        $crate::expect_allocs(&used, expected, stringify!($body));
        value
    }};
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    #[test]
    fn regions_that_end_out_of_order_end_the_process() {
        const VARIABLE: &str = "TOURBILLON_MEM_OUT_OF_ORDER";
        let (first, second) = (Details::new(), Details::new());
        if env::var_os(VARIABLE).is_some() {
            let outer = Watch::begin(&first);
            let inner = Watch::begin(&second);
            drop(outer);
            drop(inner);
            return;
        }
        let this = "count::tests::regions_that_end_out_of_order_end_the_process";
        let output = process::Command::new(env::current_exe().expect("tests have a path"))
            .args([this, "--exact", "--nocapture"])
            .env(VARIABLE, "")
            .output()
            .expect("tests can be started");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{text}");
        assert!(
            text.contains("a call of `count` ended before one"),
            "{text}"
        );
    }
}
