//! Arms that can be moved in memory.

use std::mem::MaybeUninit;
use std::num::NonZeroU64;

use tourbillon_clock::Clock;
use tourbillon_record::BatchShape;
use tourbillon_stats::Rng;

use crate::arm::{Arm, Limits, Reading};

/// Slots of an arm, one for each line of a page: in a first-level cache whose ways are as large as a page, a
/// virtual address decides no more than the line.
const SLOTS: NonZeroU64 = NonZeroU64::new(64).expect("not zero");

/// An arm of this many bytes reaches into every set of such a cache wherever it lies, and is not moved.
const PAGE: usize = 4096;

/// An arm that can be moved, with all that its body captured by value, to another address.
///
/// Each call of a body reads the cache lines of its captures. If such a line falls into a full set of the
/// cache, the call is slower until the process ends, by almost 1 % for a body that walks a thousand
/// lines: of two arms that are the same code, one is slower. Moved before every batch, each arm is in every
/// slot equally often.
///
/// What the body captured by reference, and what it owns on the heap, stays where it is, unless
/// `move_heap` moves it.
struct Moving<A, const GAP: usize> {
    limits: Limits,
    move_heap: fn(&mut A, &mut Rng),
    slots: Vec<Slot<A, GAP>>,
    /// The slot of `slots` that is taken.
    at: usize,
}

/// A slot and a gap after it, which puts the next slot on another page and another line of it: on every
/// line once, because the number of lines from one slot to the next is odd.
struct Slot<A, const GAP: usize> {
    arm: Option<Aligned<A>>,
    _gap: MaybeUninit<[CacheLine; GAP]>,
}

/// At the start of a cache line, so that it occupies as few lines as possible.
#[repr(align(64))]
struct Aligned<A>(A);

#[repr(align(64))]
struct CacheLine {
    _bytes: [u8; 64],
}

/// Makes an arm that [`Arm::settle`] moves in memory; `move_heap` is called then, too, and moves what the arm
/// has on the heap.
pub fn moving<'a, A: Arm + 'a>(arm: A, move_heap: fn(&mut A, &mut Rng)) -> Box<dyn Arm + 'a> {
    if const { size_of::<Slot<A, 64>>() / size_of::<CacheLine>() % 2 == 1 } {
        Box::new(Moving::<A, 64>::new(arm, move_heap))
    } else {
        Box::new(Moving::<A, 65>::new(arm, move_heap))
    }
}

impl<A: Arm, const GAP: usize> Moving<A, GAP> {
    fn new(arm: A, move_heap: fn(&mut A, &mut Rng)) -> Self {
        let limits = arm.limits();
        let free = || Slot {
            arm: None,
            _gap: MaybeUninit::uninit(),
        };
        let count = if size_of::<A>() < PAGE {
            SLOTS.get() as usize
        } else {
            1
        };
        let mut slots = Vec::with_capacity(count);
        slots.push(Slot {
            arm: Some(Aligned(arm)),
            ..free()
        });
        slots.resize_with(count, free);
        Self {
            limits,
            move_heap,
            slots,
            at: 0,
        }
    }

    fn arm(&mut self) -> &mut A {
        let Aligned(arm) = self.slots[self.at]
            .arm
            .as_mut()
            .expect("the arm is where it was put");
        arm
    }
}

impl<A: Arm, const GAP: usize> Arm for Moving<A, GAP> {
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        self.arm().batch(clock, shape)
    }

    fn first(&mut self, clock: &Clock) -> Result<Reading, String> {
        self.arm().first(clock)
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn settle(&mut self, rng: &mut Rng) {
        if self.slots.len() > 1 {
            let arm = self.slots[self.at].arm.take();
            self.at = rng.below(SLOTS) as usize;
            self.slots[self.at].arm = arm;
        }
        (self.move_heap)(self.arm(), rng);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tourbillon_clock::Script;

    use super::*;

    /// An arm that reads its line in a page, as ticks.
    struct Where<const BYTES: usize> {
        captured: [u8; BYTES],
    }

    impl<const BYTES: usize> Arm for Where<BYTES> {
        fn batch(&mut self, _clock: &Clock, _shape: BatchShape) -> Reading {
            let at = self.captured.as_ptr().addr();
            Reading::of(at as u64 % 4096 / 64)
        }

        fn limits(&self) -> Limits {
            Limits::windows(BYTES)
        }
    }

    fn lines<const BYTES: usize>() -> BTreeSet<u64> {
        let clock = Clock::scripted(&Script::new());
        let captured = [0; BYTES];
        let mut arm = moving(Where { captured }, |_, _| ());
        assert_eq!(arm.limits().window_bytes_per_item, Some(BYTES));
        let mut rng = Rng::new(4);
        let mut line = || {
            arm.settle(&mut rng);
            arm.batch(&clock, BatchShape::of_items(1)).ticks.0
        };
        (0..2_000).map(|_| line()).collect()
    }

    #[test]
    fn an_arm_moves_to_every_line_of_a_page() {
        let all: BTreeSet<u64> = (0..64).collect();
        assert_eq!(lines::<8>(), all);
        assert_eq!(lines::<64>(), all);
        assert_eq!(lines::<100>(), all);
        assert_eq!(lines::<200>(), all);
    }

    #[test]
    fn an_arm_of_a_page_stays_and_its_heap_moves() {
        assert_eq!(lines::<4096>().len(), 1);
        let captured = [0; 4096];
        let count = |arm: &mut Where<4096>, _: &mut Rng| arm.captured[0] += 1;
        let mut arm = Moving::<_, 64>::new(Where { captured }, count);
        let mut rng = Rng::new(4);
        for _ in 0..3 {
            arm.settle(&mut rng);
        }
        assert_eq!((arm.slots.len(), arm.arm().captured[0]), (1, 3));
    }
}
