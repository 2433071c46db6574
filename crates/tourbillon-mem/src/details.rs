//! What a region may want to know beyond counts: sizes of blocks, and what they really occupy.

use std::cell::{Cell, UnsafeCell};
use std::io::{self, Write};
use std::process;
use std::ptr;

use crate::counts::Counts;
use crate::sizes::Sizes;
use crate::tally::{self, ThreadRegion};
use crate::usable::BlockSize;

/// Bytes that live blocks occupy more or fewer than at the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    usable_bytes: i64,
    chunk_bytes: i64,
    /// Blocks whose size the allocator did not tell, made or gone.
    usable_unknown: u64,
    chunk_unknown: u64,
}

impl Extent {
    /// Usable bytes, if that of every block was known.
    pub(crate) fn usable_bytes(&self) -> Option<i64> {
        (self.usable_unknown == 0).then_some(self.usable_bytes)
    }

    /// Bytes taken from the heap, if those of every block were known.
    pub(crate) fn chunk_bytes(&self) -> Option<i64> {
        (self.chunk_unknown == 0).then_some(self.chunk_bytes)
    }

    fn add(&mut self, size: Option<BlockSize>, sign: i64) {
        match size {
            None => self.usable_unknown += 1,
            Some(size) => self.usable_bytes += sign * size.usable_bytes as i64,
        }
        match size.and_then(|size| size.chunk_bytes) {
            None => self.chunk_unknown += 1,
            Some(bytes) => self.chunk_bytes += sign * bytes as i64,
        }
    }

    fn append(&mut self, later: Self) {
        self.usable_bytes += later.usable_bytes;
        self.chunk_bytes += later.chunk_bytes;
        self.usable_unknown += later.usable_unknown;
        self.chunk_unknown += later.chunk_unknown;
    }
}

/// What the hooks write to while a region is open that wants details.
pub(crate) struct Details {
    sizes: UnsafeCell<Sizes>,
    extent: Cell<Extent>,
}

impl Details {
    fn new() -> Self {
        Self {
            sizes: UnsafeCell::new(Sizes::new()),
            extent: Cell::default(),
        }
    }

    /// A block was made of so many bytes, which occupies that.
    pub(crate) fn made(&self, bytes: usize, size: Option<BlockSize>) {
        self.with_sizes(|sizes| sizes.record(bytes));
        self.change_extent(|extent| extent.add(size, 1));
    }

    /// A block is gone that occupied that.
    pub(crate) fn gone(&self, size: Option<BlockSize>) {
        self.change_extent(|extent| extent.add(size, -1));
    }

    fn append(&self, later: &Self) {
        self.with_sizes(|sizes| later.with_sizes(|later| sizes.append(later)));
        self.change_extent(|extent| extent.append(later.extent.get()));
    }

    fn change_extent(&self, change: impl FnOnce(&mut Extent)) {
        let mut extent = self.extent.get();
        change(&mut extent);
        self.extent.set(extent);
    }

    fn with_sizes<R>(&self, use_them: impl FnOnce(&mut Sizes) -> R) -> R {
        // SAFETY: the type stays on one thread, and what is passed here neither allocates, which would
        // call a hook, nor comes here again with the same details.
        use_them(unsafe { &mut *self.sizes.get() })
    }
}

/// What a detailed region saw.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    pub(crate) counts: Counts,
    pub(crate) sizes: Sizes,
    pub(crate) extent: Extent,
}

/// Makes the hooks of this thread write to other details while it lives, and adds these to the
/// outer ones at the end, also when the code inside unwinds.
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
            let innermost = tally.replace_details(ptr::null());
            if !ptr::eq(innermost, self.inner) {
                out_of_order();
            }
            tally.replace_details(self.outer);
            if let Some(outer) = tally.details() {
                outer.append(self.inner);
            }
        });
    }
}

/// Ends the process: another region would put details back that are gone by then.
#[cold]
fn out_of_order() -> ! {
    let text = b"tourbillon-mem: a call of `count` ended before one that began inside of it, as in a coroutine \
        that was switched away from; count inside of one coroutine at a time\n";
    // The process ends in either case.
    let _ = io::stderr().write_all(text);
    process::abort();
}

/// Calls `body` and notes what this thread asks of the allocator meanwhile, in detail.
pub(crate) fn watch<T>(body: impl FnOnce() -> T) -> (T, Watched) {
    let details = Details::new();
    let _watch = Watch::begin(&details);
    let region = ThreadRegion::open_for_more();
    let value = body();
    let watched = Watched {
        counts: region.counts(),
        sizes: details.with_sizes(|sizes| sizes.clone()),
        extent: details.extent.get(),
    };
    (value, watched)
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
        let this = "details::tests::regions_that_end_out_of_order_end_the_process";
        let output = process::Command::new(env::current_exe().expect("tests have a path"))
            .args([this, "--exact", "--nocapture"])
            .env(VARIABLE, "")
            .output()
            .expect("tests can be started");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{said}");
        assert!(
            said.contains("a call of `count` ended before one"),
            "{said}"
        );
    }
}
