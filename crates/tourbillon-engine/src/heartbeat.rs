//! Signs of life of a worker.

use tourbillon_clock::Clock;
use tourbillon_record::{Frame, Plan};

/// Most signs of life in a second.
const SIGNS_PER_SECOND: u64 = 4;

/// Sends signs of life, no more than are needed.
pub(crate) struct Heartbeat<'s> {
    send: &'s mut dyn FnMut(Frame),
    clock: &'s Clock,
    first_call_ns: u64,
    last: u64,
    silence: u64,
}

impl<'s> Heartbeat<'s> {
    pub(crate) fn new(
        plan: &Plan,
        clock: &'s Clock,
        send: &'s mut dyn FnMut(Frame),
    ) -> Heartbeat<'s> {
        Heartbeat {
            send,
            clock,
            first_call_ns: 0,
            last: clock.now().0,
            silence: plan.tick_hz / SIGNS_PER_SECOND,
        }
    }

    /// Sends a sign that the first call is over, and how long it took.
    pub(crate) fn first_call(&mut self, first_call_ns: u64) {
        self.first_call_ns = first_call_ns;
        self.send_sign();
    }

    /// Sends a sign if the last one was long ago.
    pub(crate) fn beat(&mut self) {
        if self.clock.now().0.wrapping_sub(self.last) >= self.silence {
            self.send_sign();
        }
    }

    fn send_sign(&mut self) {
        (self.send)(Frame::Progress {
            first_call_ns: self.first_call_ns,
            timeout_ns: None,
        });
        self.last = self.clock.now().0;
    }
}
