//! Signs of life of a worker that compares.

use tourbillon_clock::Clock;
use tourbillon_record::{Frame, Plan};

/// How often a second a worker shows that it is alive.
const SIGNS_PER_SECOND: u64 = 4;

/// Signs of life, no more than are needed.
pub(crate) struct Life<'s> {
    send: &'s mut dyn FnMut(Frame),
    clock: &'s Clock,
    last: u64,
    silence: u64,
}

impl<'s> Life<'s> {
    #[inline(never)]
    pub(crate) fn new(plan: &Plan, clock: &'s Clock, send: &'s mut dyn FnMut(Frame)) -> Life<'s> {
        Life {
            send,
            clock,
            last: clock.now().0,
            silence: plan.tick_hz / SIGNS_PER_SECOND,
        }
    }

    /// Shows one, when the last is long ago or it is wanted `at_once`.
    #[inline(never)]
    pub(crate) fn shown(&mut self, at_once: bool) {
        let now = self.clock.now().0;
        if at_once || now.wrapping_sub(self.last) >= self.silence {
            (self.send)(Frame::Progress {
                first_call_ns: 0,
                timeout_ns: None,
            });
            self.last = now;
        }
    }
}
