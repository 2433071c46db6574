use std::mem::MaybeUninit;
use std::num::NonZeroU64;

use tourbillon_clock::Clock;
use tourbillon_stats::Rng;

use crate::{Arm, Limits, Reading, Stretch};

/// Places of an arm, one for each line of a page: those of a first-level cache whose ways are as
/// large as a page, which is all that a virtual address decides of where data comes to lie.
const PLACES: NonZeroU64 = NonZeroU64::new(64).expect("not zero");

/// Bytes from which on an arm reaches into every set of such a cache wherever it lies. It is left where
/// it is: to move it would be of no use, and take room and time.
const PAGE: usize = 4096;

/// An arm that can be moved, with all that its body captured by value, to another place in memory.
///
/// What a body captured lies in a cache line that each of its calls reads. If the line falls into
/// a set of the cache that is just full, the call is slower, by most of a per cent for a body that
/// walks a thousand lines, and stays so until the process ends: of two arms that are the same code,
/// one is slower. Moved before every batch, each arm is in every place equally often.
///
/// What it captured by reference, and what it owns on the heap, stays where it is, unless `besides`
/// moves it.
struct Moving<A, const GAP: usize> {
    limits: Limits,
    besides: fn(&mut A, &mut Rng),
    places: Vec<Place<A, GAP>>,
    /// The place of `places` that is taken.
    at: usize,
}

/// A place and a gap behind it, which takes the next place to another page and to another line of it:
/// to every line once, as the lines from one place to the next are an odd number.
struct Place<A, const GAP: usize> {
    arm: Option<Aligned<A>>,
    _gap: MaybeUninit<[Line; GAP]>,
}

/// At the start of a cache line, so that what does not have to lie in two does not.
#[repr(align(64))]
struct Aligned<A>(A);

/// As large as a cache line.
#[repr(align(64))]
struct Line {
    _bytes: [u8; 64],
}

/// Makes an arm one that comes to lie elsewhere in memory when [`Arm::settle`] is called; `besides` is
/// called then, too, and moves what the arm has on the heap.
#[inline]
pub fn moving<'a, A: Arm + 'a>(arm: A, besides: fn(&mut A, &mut Rng)) -> Box<dyn Arm + 'a> {
    if const { size_of::<Place<A, 64>>() / size_of::<Line>() % 2 == 1 } {
        Box::new(Moving::<A, 64>::new(arm, besides))
    } else {
        Box::new(Moving::<A, 65>::new(arm, besides))
    }
}

impl<A: Arm, const GAP: usize> Moving<A, GAP> {
    fn new(arm: A, besides: fn(&mut A, &mut Rng)) -> Self {
        let limits = arm.limits();
        let free = || Place {
            arm: None,
            _gap: MaybeUninit::uninit(),
        };
        let count = if size_of::<A>() < PAGE {
            PLACES.get() as usize
        } else {
            1
        };
        let mut places = Vec::with_capacity(count);
        places.push(Place {
            arm: Some(Aligned(arm)),
            ..free()
        });
        places.resize_with(count, free);
        Self {
            limits,
            besides,
            places,
            at: 0,
        }
    }

    fn arm(&mut self) -> &mut A {
        let Aligned(arm) = self.places[self.at]
            .arm
            .as_mut()
            .expect("the arm is where it was put");
        arm
    }
}

impl<A: Arm, const GAP: usize> Arm for Moving<A, GAP> {
    fn batch(&mut self, clock: &Clock, stretch: Stretch) -> Reading {
        self.arm().batch(clock, stretch)
    }

    fn first(&mut self, clock: &Clock) -> Result<Reading, String> {
        self.arm().first(clock)
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn settle(&mut self, rng: &mut Rng) {
        if self.places.len() > 1 {
            let arm = self.places[self.at].arm.take();
            self.at = rng.below(PLACES) as usize;
            self.places[self.at].arm = arm;
        }
        (self.besides)(self.arm(), rng);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tourbillon_clock::Script;

    use super::*;

    /// An arm that says in which line of a page it lies: as the ticks that it read.
    struct Where<const BYTES: usize> {
        captured: [u8; BYTES],
    }

    impl<const BYTES: usize> Arm for Where<BYTES> {
        fn batch(&mut self, _clock: &Clock, _stretch: Stretch) -> Reading {
            let at = self.captured.as_ptr().addr();
            Reading {
                ticks: tourbillon_clock::Ticks(at as u64 % 4096 / 64),
                pauses: 0,
            }
        }

        fn limits(&self) -> Limits {
            Limits {
                window_bytes_per_item: Some(BYTES),
                unrolls: false,
                pauses: false,
            }
        }
    }

    fn lines<const BYTES: usize>() -> BTreeSet<u64> {
        let clock = Clock::scripted(&Script::new());
        let captured = [0; BYTES];
        let mut arm = moving(Where { captured }, |_, _| ());
        assert_eq!(arm.limits().window_bytes_per_item, Some(BYTES));
        let mut rng = Rng::new(4);
        let stretch = Stretch {
            windows: 1,
            items: 1,
            unroll: 1,
        };
        let mut line = || {
            arm.settle(&mut rng);
            arm.batch(&clock, stretch).ticks.0
        };
        (0..2_000).map(|_| line()).collect()
    }

    #[test]
    fn an_arm_comes_to_lie_in_every_line_of_a_page() {
        let all: BTreeSet<u64> = (0..64).collect();
        assert_eq!(lines::<8>(), all);
        assert_eq!(lines::<64>(), all);
        assert_eq!(lines::<100>(), all);
        assert_eq!(lines::<200>(), all);
    }

    #[test]
    fn an_arm_of_a_page_stays_and_what_it_has_elsewhere_moves() {
        assert_eq!(lines::<4096>().len(), 1);
        let captured = [0; 4096];
        let count = |arm: &mut Where<4096>, _: &mut Rng| arm.captured[0] += 1;
        let mut arm = Moving::<_, 64>::new(Where { captured }, count);
        let mut rng = Rng::new(4);
        for _ in 0..3 {
            arm.settle(&mut rng);
        }
        assert_eq!((arm.places.len(), arm.arm().captured[0]), (1, 3));
    }
}
