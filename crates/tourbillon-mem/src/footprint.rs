//! What a value costs with everything that it owns, by building and dropping it.

use std::fmt;
use std::hint::black_box;

use crate::count::{Used, metered, watch};
use crate::counts::Counts;
use crate::details::Extent;
use crate::size_text::{Counted, Size};

/// Blocks of the heap, a part of the result of [`footprint`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// Number of blocks.
    pub blocks: u64,
    /// Bytes that the program requested: the content.
    pub requested_bytes: u64,
    /// Bytes that it could use, the allocator's rounding included; `None` if the allocator does not
    /// report them.
    pub usable_bytes: Option<u64>,
    /// Bytes taken from the heap, headers of the blocks included; `None` if not known.
    pub chunk_bytes: Option<u64>,
}

impl Heap {
    /// Bytes beyond the requested ones: rounding, and headers if they are known.
    #[must_use]
    pub fn overhead_bytes(&self) -> Option<u64> {
        let taken = self.chunk_bytes.or(self.usable_bytes)?;
        Some(taken.saturating_sub(self.requested_bytes))
    }

    /// Whether there are no blocks.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.blocks == 0 && self.requested_bytes == 0
    }
}

impl fmt::Display for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blocks = Counted(self.blocks, "block");
        write!(f, "{} in {blocks}", Size(self.requested_bytes))?;
        match self.usable_bytes {
            Some(usable) if usable != self.requested_bytes => {
                write!(f, " (usable {})", Size(usable))
            }
            _ => Ok(()),
        }
    }
}

/// Most builds of a value until two consecutive readings agree.
const MOST_TRIES: u32 = 10;

/// The memory cost of a value, from [`footprint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// Bytes of the value itself, its `size_of`.
    pub inline_bytes: u64,
    /// Freed by dropping the value.
    pub owned: Heap,
    /// Built with the value and not freed by dropping it: a leak, a cache that grows with each build, or
    /// a part that is shared with a value that lives on.
    pub left_behind: Heap,
    /// Freed by dropping the value and not built with it: captured and moved in.
    pub brought_in: Heap,
    /// Kept by the first build beyond what each later build keeps: initialised once. `None` if the
    /// readings never agreed.
    pub first_only: Option<Heap>,
    /// Counts of building it, temporary blocks included: see
    /// [`transient_bytes`](Self::transient_bytes).
    pub building: Counts,
    /// Whether the readings agreed.
    pub confirmation: Confirmation,
}

/// Whether consecutive readings of a [`footprint`] agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The last two readings were equal.
    Confirmed {
        /// Number of readings, at least two.
        after: u32,
    },
    /// No two consecutive readings were equal; the last one is reported.
    Varies {
        /// The fewest bytes that the value owned.
        lowest_bytes: u64,
        /// The most bytes that the value owned.
        highest_bytes: u64,
        /// Number of readings.
        tries: u32,
    },
}

impl Footprint {
    /// Bytes of the value and requested bytes of everything that it owns.
    #[must_use]
    pub const fn total_bytes(&self) -> u64 {
        self.inline_bytes + self.owned.requested_bytes
    }

    /// Owned bytes per item, not rounded; `None` without items.
    #[must_use]
    pub fn per_item_bytes(&self, items: usize) -> Option<f64> {
        (items > 0).then(|| self.owned.requested_bytes as f64 / items as f64)
    }

    /// Temporary bytes while building: the peak less the bytes live when the value was built.
    #[must_use]
    pub const fn transient_bytes(&self) -> u64 {
        let kept = self.building.live_bytes();
        let peak = self.building.peak_bytes;
        if kept > 0 {
            peak.saturating_sub(kept.unsigned_abs())
        } else {
            peak
        }
    }

    /// Whether two consecutive readings were equal.
    #[must_use]
    pub const fn is_confirmed(&self) -> bool {
        matches!(self.confirmation, Confirmation::Confirmed { .. })
    }
}

/// Growth of the heap; negative where it shrank.
#[derive(Clone, Copy)]
struct Growth {
    blocks: i64,
    requested_bytes: i64,
    extent: Extent,
}

impl Growth {
    const NOTHING: Self = Self {
        blocks: 0,
        requested_bytes: 0,
        extent: Extent::NOTHING,
    };

    /// Calls `body` and returns the growth meanwhile.
    fn during<T>(body: impl FnOnce() -> T) -> (T, Used, Self) {
        let (value, used, extent) = watch(body);
        let growth = Self {
            blocks: used.live_blocks(),
            requested_bytes: used.live_bytes(),
            extent,
        };
        (value, used, growth)
    }

    /// Whether the program requested the same; the allocator's rounding may differ.
    fn same_request(&self, other: &Self) -> bool {
        (self.blocks, self.requested_bytes) == (other.blocks, other.requested_bytes)
    }

    fn less(self, other: Self) -> Self {
        Self {
            blocks: self.blocks - other.blocks,
            requested_bytes: self.requested_bytes - other.requested_bytes,
            extent: self.extent.less(other.extent),
        }
    }

    /// Nothing where the heap shrank.
    fn grown(self) -> Heap {
        let grown = |amount: i64| u64::try_from(amount).unwrap_or(0);
        Heap {
            blocks: grown(self.blocks),
            requested_bytes: grown(self.requested_bytes),
            usable_bytes: self.extent.usable_bytes.map(grown),
            chunk_bytes: self.extent.chunk_bytes.map(grown),
        }
    }
}

#[derive(Clone, Copy)]
struct Reading {
    built: Growth,
    given_back: Growth,
}

impl Reading {
    /// Builds a value and drops it.
    fn take<T>(make: &mut impl FnMut() -> T) -> (Reading, Counts) {
        // Keeps the compiler from removing the unused value.
        let (value, used, built) = Growth::during(|| black_box(make()));
        let ((), _, dropped) = Growth::during(|| drop(black_box(value)));
        let given_back = Growth::NOTHING.less(dropped);
        (Reading { built, given_back }, used.counts)
    }

    fn agrees_with(&self, other: &Self) -> bool {
        self.built.same_request(&other.built) && self.given_back.same_request(&other.given_back)
    }

    fn left_behind(&self) -> Growth {
        self.built.less(self.given_back)
    }
}

/// Builds a value and drops it, until two consecutive readings agree, and returns what it costs.
///
/// # Panics
/// If this process has no [`Meter`](crate::Meter) as its global allocator.
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
/// Exact for allocations of this thread; those of other threads are not seen. A part that is shared with
/// a value that lives on is not owned: cloned from outside it costs nothing, built inside it is
/// `left_behind`. Readings agree if the blocks and requested bytes that were built and freed do. Usable
/// bytes are those of the last build, because an allocator may round a block differently each time. A
/// cache that grows rarely can be equal in two builds and grow in the next.
///
/// # Cost
/// Builds and drops the value two to ten times.
#[track_caller]
pub fn footprint<T>(mut make: impl FnMut() -> T) -> Footprint {
    metered();
    let (first, mut building) = Reading::take(&mut make);
    let mut last = first;
    let mut lowest_bytes = first.given_back.grown().requested_bytes;
    let mut highest_bytes = lowest_bytes;
    let mut confirmation = None;
    for tries in 2..=MOST_TRIES {
        let reading;
        (reading, building) = Reading::take(&mut make);
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
        left_behind: last.left_behind().grown(),
        brought_in: last.given_back.less(last.built).grown(),
        first_only: confirmation.map(|_| first.left_behind().less(last.left_behind()).grown()),
        building,
        confirmation: confirmation.unwrap_or(Confirmation::Varies {
            lowest_bytes,
            highest_bytes,
            tries: MOST_TRIES,
        }),
    }
}

/// What dropping this value frees, without its inline bytes.
///
/// For a value that cannot be built twice; the reading is not confirmed, and shared parts are not seen.
///
/// # Panics
/// If this process has no [`Meter`](crate::Meter) as its global allocator.
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
/// As [`footprint`]. A value that another thread allocated is freed by this one, and counts.
#[track_caller]
pub fn footprint_of<T>(value: T) -> Heap {
    metered();
    let ((), _, dropped) = Growth::during(|| drop(black_box(value)));
    Growth::NOTHING.less(dropped).grown()
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
