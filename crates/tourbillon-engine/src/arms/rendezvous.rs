//! Where the threads of one body meet: they wait for a round without taking a processor, and begin it
//! together.

use std::any::Any;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};

use tourbillon_clock::Clock;

use crate::loops::Stamps;

/// What a panic carries.
pub(super) type Payload = Box<dyn Any + Send>;

/// Stands in place of the number of a round when there are no more rounds.
const OVER: u64 = u64::MAX;
/// How often a thread looks for the others before it yields the processor: seldom, because a thread that
/// returns from there starts late; often if the others wait for a processor.
const PATIENCE: u32 = 1 << 16;
const PATIENCE_IN_TURNS: u32 = 1 << 6;
/// How often the thread that leads looks for the end of a round before it goes to sleep.
const LINGERING: u32 = 1 << 8;

/// What a thread is to do in a round.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) clock: Clock,
    /// Calls of the body.
    pub(super) count: u64,
}

/// The meeting place: one thread leads, the others follow it round by round.
#[derive(Debug)]
pub(super) struct Rendezvous {
    threads: u64,
    patience: u32,
    /// The rounds that were called, or that it is over.
    called: AtomicU64,
    /// Arrivals of all threads at all meetings.
    arrived: AtomicU64,
    /// How often a follower was done: with its set-up, then with each round.
    done: AtomicU64,
    failed: AtomicBool,
    failure: Mutex<Option<Payload>>,
    order: Mutex<Option<Order>>,
    /// The last round of each follower.
    stamps: Vec<Mutex<Stamps>>,
    leader: Thread,
}

impl Rendezvous {
    /// A place for `threads` threads, led by the one that calls this; `in_turns` where there are fewer
    /// processors than that.
    pub(super) fn new(threads: usize, in_turns: bool) -> Self {
        Self {
            threads: threads as u64,
            patience: if in_turns {
                PATIENCE_IN_TURNS
            } else {
                PATIENCE
            },
            called: AtomicU64::new(0),
            arrived: AtomicU64::new(0),
            done: AtomicU64::new(0),
            failed: AtomicBool::new(false),
            failure: Mutex::new(None),
            order: Mutex::new(None),
            stamps: (1..threads).map(|_| Mutex::default()).collect(),
            leader: thread::current(),
        }
    }

    /// Calls the next round; returns its number. The followers still have to be woken.
    pub(super) fn call(&self, order: Order) -> u64 {
        *locked(&self.order) = Some(order);
        self.called.fetch_add(1, Ordering::Release) + 1
    }

    /// Ends the rounds. The followers still have to be woken.
    pub(super) fn close(&self) {
        self.called.store(OVER, Ordering::Release);
    }

    /// Waits, asleep, for the round after `seen`; `None` when there are no more rounds.
    pub(super) fn follow(&self, seen: u64) -> Option<(u64, Order)> {
        loop {
            let called = self.called.load(Ordering::Acquire);
            if called == OVER {
                return None;
            }
            if called != seen {
                return Some((called, locked(&self.order).clone()?));
            }
            thread::park();
        }
    }

    /// Arrives at a meeting, the first of which has the number 1, and waits, awake, for all others, so that
    /// they start together. False when they do not come.
    pub(super) fn meet(&self, meeting: u64) -> bool {
        let all = meeting * self.threads;
        let mut looks = 0;
        self.arrived.fetch_add(1, Ordering::AcqRel);
        while self.arrived.load(Ordering::Acquire) < all {
            std::hint::spin_loop();
            looks += 1;
            if looks == self.patience {
                looks = 0;
                let is_over = self.called.load(Ordering::Acquire) == OVER;
                if is_over || self.failed.load(Ordering::Acquire) {
                    return false;
                }
                thread::yield_now();
            }
        }
        true
    }

    /// A follower leaves its readings of a round.
    pub(super) fn record(&self, follower: usize, round: u64, stamps: Stamps) {
        *locked(&self.stamps[follower - 1]) = stamps;
        self.finish(round);
    }

    /// A follower is done: with a round, or with its set-up, which is round 0.
    pub(super) fn finish(&self, round: u64) {
        // Only the last one: the others may still run on the processor that the leader would wake on.
        if self.done.fetch_add(1, Ordering::AcqRel) + 1 == self.all_done(round) {
            self.leader.unpark();
        }
    }

    /// The value of `done` when all followers are done with a round.
    fn all_done(&self, round: u64) -> u64 {
        (round + 1) * (self.threads - 1)
    }

    /// A follower cannot go on.
    pub(super) fn fail(&self, payload: Payload) {
        // The first one: the others mostly fail because of it.
        locked(&self.failure).get_or_insert(payload);
        self.failed.store(true, Ordering::Release);
        self.leader.unpark();
    }

    /// Waits until all followers are done with a round.
    ///
    /// # Panics
    ///
    /// With the panic of a follower.
    pub(super) fn wait(&self, round: u64) {
        let all = self.all_done(round);
        let mut looks = 0;
        while self.done.load(Ordering::Acquire) < all {
            self.go_on_panicking();
            if looks < LINGERING {
                looks += 1;
                std::hint::spin_loop();
            } else {
                thread::park();
            }
        }
    }

    /// Panics if a follower has, with its panic.
    pub(super) fn go_on_panicking(&self) {
        if self.failed.load(Ordering::Acquire)
            && let Some(payload) = locked(&self.failure).take()
        {
            resume_unwind(payload);
        }
    }

    /// The last readings of the followers.
    pub(super) fn recorded(&self) -> impl Iterator<Item = Stamps> {
        self.stamps.iter().map(|stamps| *locked(stamps))
    }
}

/// Nothing panics while it holds one of these locks.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
