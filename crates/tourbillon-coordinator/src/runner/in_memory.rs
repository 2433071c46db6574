//! Workers in memory and a clock that is advanced by hand, for tests.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

use tourbillon_os::Ending;
use tourbillon_record::{Entry, Frame, Metric, Plan};

use crate::runner::observer::RunClock;
use crate::runner::worker::{Dismissal, Draw, Error, Event, SentLaunch, SpawnWorker, Worker};

/// A clock that its clones advance: for runs that are the same every time.
#[derive(Clone, Debug, Default)]
pub struct ScriptedRunClock(Rc<Cell<u64>>);

impl ScriptedRunClock {
    /// A clock at 0.
    pub fn new() -> ScriptedRunClock {
        ScriptedRunClock::default()
    }

    /// Advances the clock.
    pub fn advance(&self, nanoseconds: u64) {
        self.0.set(self.0.get().saturating_add(nanoseconds));
    }
}

impl RunClock for ScriptedRunClock {
    fn now_ns(&self) -> u64 {
        self.0.get()
    }
}

/// What a worker in memory does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Sends a frame.
    Say(Frame),
    /// Sends something that is not a frame, or only the beginning of one.
    Garble(String),
    /// Is busy for this many nanoseconds.
    Work(u64),
    /// Is stopped for this many nanoseconds together with the coordinator, which was waiting for it.
    Stop(u64),
    /// Writes to stderr.
    Complain(String),
    /// Ends.
    End(Ending),
    /// The user presses Ctrl-C.
    Interrupt,
    /// Cannot be started at all; only as the first act.
    Refuse(String),
}

/// What every worker of an [`InMemory`] does, by its plan.
type Script = Box<dyn FnMut(&Plan, &Draw, &mut dyn FnMut(Act))>;

/// Workers without processes: each plays a script on a scripted clock.
///
/// A script without an end is followed by silence.
pub struct InMemory {
    run_clock: ScriptedRunClock,
    script: Script,
    counts: bool,
    counters: Vec<Metric>,
    interrupted: Rc<Cell<bool>>,
}

impl InMemory {
    /// Workers that play a script, whose time passes on a clock.
    pub fn new(
        run_clock: &ScriptedRunClock,
        script: impl FnMut(&Plan, &Draw, &mut dyn FnMut(Act)) + 'static,
    ) -> InMemory {
        InMemory {
            run_clock: run_clock.clone(),
            script: Box::new(script),
            counts: false,
            counters: Vec::new(),
            interrupted: Rc::default(),
        }
    }

    /// The same workers, which make memory launches too.
    #[must_use]
    pub fn counting(mut self) -> InMemory {
        self.counts = true;
        self
    }

    /// The same workers, which are followed for these counters, too.
    #[must_use]
    pub fn followed(mut self, counters: &[Metric]) -> InMemory {
        self.counters = counters.to_vec();
        self
    }
}

impl fmt::Debug for InMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InMemory")
    }
}

impl SpawnWorker for InMemory {
    fn spawn(&mut self, plan: &Plan, draw: &Draw) -> Result<Box<dyn Worker>, Error> {
        let mut acts = Vec::new();
        (self.script)(plan, draw, &mut |act| acts.push(act));
        if let Some(Act::Refuse(why)) = acts.first() {
            return Err(Error::new(why.as_str()));
        }
        Ok(Box::new(Player {
            run_clock: self.run_clock.clone(),
            acts: acts.into(),
            stderr: String::new(),
            interrupted: Rc::clone(&self.interrupted),
        }))
    }

    fn counts(&self) -> bool {
        self.counts
    }

    fn counters(&self) -> &[Metric] {
        &self.counters
    }

    fn interrupted(&self) -> bool {
        self.interrupted.get()
    }
}

/// A script being played.
struct Player {
    run_clock: ScriptedRunClock,
    /// What is still to be done.
    acts: VecDeque<Act>,
    stderr: String,
    /// Whether a signal stops the run, and so its other workers as well.
    interrupted: Rc<Cell<bool>>,
}

impl Worker for Player {
    fn begin(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn next(&mut self, timeout_ns: u64) -> Event {
        let mut left = timeout_ns;
        while let Some(act) = self.acts.pop_front() {
            match act {
                Act::Say(Frame::Launch(samples)) => {
                    let line = (Entry::Launch(&samples).encode() + "\n").into_bytes();
                    return Event::Launch(SentLaunch { samples, line });
                }
                Act::Say(frame) => return Event::Frame(frame),
                Act::Garble(text) => return Event::Garbled(text),
                Act::Complain(text) => self.stderr.push_str(&text),
                Act::Interrupt => {
                    self.interrupted.set(true);
                    return Event::Interrupted;
                }
                Act::End(ending) => {
                    self.acts.push_front(Act::End(ending));
                    return Event::Ended(ending);
                }
                Act::Stop(time) => {
                    left = left.max(time);
                    break;
                }
                Act::Work(time) if time > left => {
                    self.acts.push_front(Act::Work(time - left));
                    break;
                }
                Act::Work(time) => {
                    self.run_clock.advance(time);
                    left -= time;
                }
                // Only as the first act: see `spawn`.
                Act::Refuse(_) => {}
            }
        }
        self.run_clock.advance(left);
        Event::Silent
    }

    fn dismiss(self: Box<Self>) -> Dismissal {
        // A signal that has not been read yet: no later launch begins.
        if self.acts.contains(&Act::Interrupt) {
            self.interrupted.set(true);
        }
        let ending = match self.acts.front() {
            Some(Act::End(ending)) => *ending,
            // Killed.
            _ => Ending::Signalled(9),
        };
        Dismissal {
            stderr: self.stderr,
            ending,
            left_processes: false,
        }
    }
}
