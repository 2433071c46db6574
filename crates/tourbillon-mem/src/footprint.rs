//! What a value costs with all that it owns, by building and dropping it.

use std::fmt;
use std::hint::black_box;

use crate::count::metered;
use crate::counts::Counts;
use crate::details::watch;
use crate::heap::{Growth, Heap};
use crate::size_text::Size;

/// How often a value is built at most until two readings in a row agree.
const MOST_TRIES: u32 = 10;

/// What a value costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// Bytes of the value itself, as `size_of` has it; where they are depends on where it is kept.
    pub inline_bytes: u64,
    /// What dropping the value gives back.
    pub owned: Heap,
    /// Built with the value and not given back by dropping it: a leak, a cache that grows with each
    /// build, or a part that is shared with something that lives on.
    pub left_behind: Heap,
    /// Given back by dropping the value and not built with it: captured and moved in.
    pub brought_in: Heap,
    /// What the first build kept beyond what each later one does: initialised once. `None` where the
    /// readings did not come to agree.
    pub first_only: Option<Heap>,
    /// What building it asked of the allocator, blocks that it kept for a while only included: see
    /// [`transient_bytes`](Self::transient_bytes).
    pub building: Counts,
    /// Whether it can be relied on.
    pub confirmation: Confirmation,
}

/// Whether readings agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The last two of so many readings were equal.
    Confirmed {
        /// How many readings it took, two at least.
        after: u32,
    },
    /// No two readings in a row were equal; the last one is shown.
    Varies {
        /// The fewest bytes that the value owned.
        lowest_bytes: u64,
        /// The most bytes that the value owned.
        highest_bytes: u64,
        /// How many readings were taken.
        tries: u32,
    },
}

impl Footprint {
    /// Bytes of the value and of all that it owns, as they were asked for.
    #[must_use]
    pub const fn total_bytes(&self) -> u64 {
        self.inline_bytes + self.owned.requested_bytes
    }

    /// Owned bytes for each of so many items, not rounded; `None` without items.
    #[must_use]
    pub fn per_item_bytes(&self, items: usize) -> Option<f64> {
        (items > 0).then(|| self.owned.requested_bytes as f64 / items as f64)
    }

    /// How much more building it took for a while than it kept: the peak beyond what was there when
    /// it was built.
    #[must_use]
    pub const fn transient_bytes(&self) -> u64 {
        let kept = self.building.live_bytes();
        let kept = if kept > 0 { kept.unsigned_abs() } else { 0 };
        self.building.peak_bytes.saturating_sub(kept)
    }

    /// Whether two readings in a row were equal.
    #[must_use]
    pub const fn is_confirmed(&self) -> bool {
        matches!(self.confirmation, Confirmation::Confirmed { .. })
    }
}

#[derive(Clone, Copy)]
struct Reading {
    built: Growth,
    given_back: Growth,
}

impl Reading {
    fn agrees_with(&self, other: &Self) -> bool {
        self.built.same_request(&other.built) && self.given_back.same_request(&other.given_back)
    }
}

/// Builds a value and drops it, until two readings in a row agree, and says what it costs.
///
/// # Panics
/// When this process has no [`Meter`](crate::Meter) as its global allocator.
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// use std::collections::BTreeMap;
///
/// let words = tourbillon_mem::footprint(|| vec!["now".to_owned(), "then".to_owned()]);
/// assert_eq!(words.owned.blocks, 3);
/// assert_eq!(words.owned.requested_bytes as usize, 2 * size_of::<String>() + 3 + 4);
/// assert!(words.left_behind.is_empty() && words.is_confirmed());
/// ```
///
/// # Accuracy
/// Exact for what this thread allocates, whatever other threads do; what `make` has other threads
/// allocate is not seen. A part that is shared with something that lives on is not owned: cloned from
/// outside it costs nothing, built inside it is `left_behind`. Readings agree when what was built and
/// what was given back do, in blocks and requested bytes; usable bytes are those of the last build, as
/// an allocator gives a block more room one time than another. A cache that grows rarely can agree with itself in two
/// builds and grow in the next.
///
/// # Cost
/// Builds and drops the value two to ten times.
#[track_caller]
pub fn footprint<T>(mut make: impl FnMut() -> T) -> Footprint {
    metered();
    let (first, mut building) = read(&mut make);
    let mut last = first;
    let mut lowest_bytes = first.given_back.grown().requested_bytes;
    let mut highest_bytes = lowest_bytes;
    let mut confirmation = None;
    for tries in 2..=MOST_TRIES {
        let reading;
        (reading, building) = read(&mut make);
        let owned_bytes = reading.given_back.grown().requested_bytes;
        lowest_bytes = lowest_bytes.min(owned_bytes);
        highest_bytes = highest_bytes.max(owned_bytes);
        let agree = reading.agrees_with(&last);
        last = reading;
        if agree {
            confirmation = Some(Confirmation::Confirmed { after: tries });
            break;
        }
    }
    Footprint {
        inline_bytes: size_of::<T>() as u64,
        owned: last.given_back.grown(),
        left_behind: last.built.less(last.given_back).grown(),
        brought_in: last.given_back.less(last.built).grown(),
        first_only: confirmation.map(|_| first_only(first, last)),
        building,
        confirmation: confirmation.unwrap_or(Confirmation::Varies {
            lowest_bytes,
            highest_bytes,
            tries: MOST_TRIES,
        }),
    }
}

fn read<T>(make: &mut impl FnMut() -> T) -> (Reading, Counts) {
    // The compiler may not conclude that nobody looks at the value, and build none.
    let (value, built) = watch(|| black_box(make()));
    let ((), dropped) = watch(|| drop(black_box(value)));
    let reading = Reading {
        built: Growth::of(&built),
        given_back: Growth::of(&dropped).reversed(),
    };
    (reading, built.counts)
}

/// What the first build left behind and each later one does not.
fn first_only(first: Reading, last: Reading) -> Heap {
    let left = first.built.less(first.given_back);
    left.less(last.built.less(last.given_back)).grown()
}

/// What dropping this very value gives back, its own bytes apart.
///
/// For a value that cannot be built twice; nothing confirms the reading, and what else it shares is
/// not seen. The inline bytes are `size_of_val` of it.
///
/// # Panics
/// When this process has no [`Meter`](crate::Meter) as its global allocator.
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// let mut list = Vec::with_capacity(100);
/// list.push(1_u64);
/// assert_eq!(tourbillon_mem::footprint_of(list).requested_bytes, 800);
/// ```
///
/// # Accuracy
/// As [`footprint`]. A value that was allocated by another thread is given back by this one, and counts.
#[track_caller]
pub fn footprint_of<T>(value: T) -> Heap {
    metered();
    let ((), dropped) = watch(|| drop(black_box(value)));
    Growth::of(&dropped).reversed().grown()
}

impl fmt::Display for Footprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (total, inline) = (Size(self.total_bytes()), Size(self.inline_bytes));
        write!(f, "{total} = {inline} inline + {} owned", self.owned)?;
        let parts = [
            (Some(self.left_behind), "left behind"),
            (Some(self.brought_in), "brought in"),
            (self.first_only, "by the first build only"),
        ];
        for (heap, what) in parts {
            if let Some(heap) = heap.filter(|heap| !heap.is_empty()) {
                write!(f, "; {heap} {what}")?;
            }
        }
        if self.transient_bytes() > 0 {
            write!(f, "; {} more while building", Size(self.transient_bytes()))?;
        }
        match self.confirmation {
            Confirmation::Confirmed { after } => write!(f, "; confirmed after {after} builds"),
            Confirmation::Varies {
                lowest_bytes,
                highest_bytes,
                tries,
            } => {
                let (lowest, highest) = (Size(lowest_bytes), Size(highest_bytes));
                write!(
                    f,
                    "; not confirmed: {lowest} to {highest} owned in {tries} builds"
                )
            }
        }
    }
}
