//! A worker: measures one benchmark, and leaves the suite.

use std::any::Any;
use std::cell::RefCell;
use std::mem;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process;

use tourbillon::program::{Panicked, WorkerLaunch, caught, once};
use tourbillon_clock::Clock;
use tourbillon_coordinator::runner::WorkerArgs;
use tourbillon_engine::{Suite, Visitor};
use tourbillon_record::{Case, CaseOptions};

use super::SILENCE_NS;
use super::registration::{Body, Registration};
use super::role::Wanted;

/// A worker.
pub(super) struct Worker {
    /// `None` when it is over.
    launch: Option<WorkerLaunch>,
    /// `None` once every target is to run.
    wanted: Option<Wanted>,
    /// Whether it makes a launch of one benchmark after the other.
    is_shared: bool,
    /// Whether it has made a launch since the targets began to run.
    has_measured: bool,
}

impl Worker {
    /// Waits for the plan.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub(super) fn begin(args: WorkerArgs, wanted: Option<Wanted>) -> Result<Worker, String> {
        let mut launch = WorkerLaunch::begin(args).map_err(|error| error.to_string())?;
        let is_shared = wanted.as_ref().is_some_and(|wanted| wanted.is_shared);
        if !is_shared {
            launch.sets_up();
        }
        Ok(Worker {
            launch: Some(launch),
            wanted,
            is_shared,
            has_measured: false,
        })
    }

    /// Whether a target is to run; what it does before the benchmark is its set-up.
    pub(super) fn enters(&mut self, target: &str) -> bool {
        let Some(launch) = &mut self.launch else {
            return false;
        };
        let is_wanted = self
            .wanted
            .as_ref()
            .is_none_or(|wanted| wanted.target == target);
        // In a shared worker, the launches of all its benchmarks share the set-up.
        if is_wanted && !self.is_shared {
            launch.sets_up();
        }
        is_wanted
    }

    /// Whether to run the targets again: the same ones as long as a shared worker finds benchmarks in them, because they
    /// may be registered in another order than before; then every target, where a benchmark is known by its id alone.
    pub(super) fn runs_again(&mut self) -> bool {
        self.launch.is_some() && (mem::take(&mut self.has_measured) || self.wanted.take().is_some())
    }

    /// Measures a benchmark if it is the one of the plan.
    pub(super) fn take(
        &mut self,
        registration: &Registration<'_>,
        id: &str,
        occurrence: u32,
        body: Body<'_>,
    ) {
        let Some(launch) = &mut self.launch else {
            return;
        };
        let is_it = match &self.wanted {
            // The number in its id may depend on other targets.
            Some(wanted) if !self.is_shared => {
                wanted.occurrence == occurrence && wanted.base == registration.named.id()
            }
            _ => launch.case() == id,
        };
        if !is_it {
            if self.wanted.as_ref().is_some_and(|wanted| wanted.rehearses)
                && let Ok(clock) = Clock::by_name("monotonic")
            {
                // Its failure is that of its own launches.
                let _ = once(body, &clock);
            }
            return;
        }
        let id = launch.case().to_owned();
        launch.make(&OneCase::new(registration, &id, body));
        self.has_measured = true;
        if self.is_shared && launch.next_plan() {
            return;
        }
        if let Some(launch) = self.launch.take() {
            launch.end();
        }
    }

    /// Reports a panic outside of the benchmark.
    pub(super) fn fail(&mut self, panicked: Panicked) {
        if let Some(launch) = self.launch.take() {
            launch.fail(panicked);
            launch.end();
        }
    }

    /// The suite has ended without the benchmark, or after it.
    pub(super) fn give_up(mut self) {
        if let Some(launch) = self.launch.take() {
            launch.fail_unknown();
            launch.end();
        }
        // At once: threads that the suite left running are not waited for.
        process::exit(0);
    }

    /// Whether the benchmark has been measured.
    pub(super) fn is_over(&self) -> bool {
        self.launch.is_none()
    }
}

/// The benchmark of the plan as a suite.
pub(super) struct OneCase<'b> {
    case: Case,
    body: RefCell<Body<'b>>,
}

impl<'b> OneCase<'b> {
    pub(super) fn new(registration: &Registration<'_>, id: &str, body: Body<'b>) -> OneCase<'b> {
        let location = registration.location;
        OneCase {
            case: registration
                .named
                .case(id, location.file(), location.line()),
            body: RefCell::new(body),
        }
    }
}

impl Suite for OneCase<'_> {
    fn visit(&self, visitor: &mut dyn Visitor) {
        let mut body = self.body.borrow_mut();
        // For a coordinator that is another program, such as that of two builds.
        let options = CaseOptions {
            timeout_ns: Some(SILENCE_NS),
            ..CaseOptions::default()
        };
        let _: ControlFlow<()> = visitor.case(&self.case, &options, &mut |drive| body(drive));
    }
}

/// What unwinds out of a suite whose benchmark has been measured: destructors of the target run, so that its
/// servers and temporary folders end. No hook is called for it.
pub(super) struct Left;

impl Left {
    /// Leaves the suite.
    pub(super) fn leave() -> ! {
        if cfg!(panic = "unwind") {
            resume_unwind(Box::new(Left));
        }
        process::exit(0)
    }

    /// Runs a target, which may leave the suite: then the process ends.
    ///
    /// # Errors
    ///
    /// The panic of the target.
    pub(super) fn caught(run: &mut dyn FnMut()) -> Result<(), Panicked> {
        let mut left = false;
        let ended = caught(|| {
            // What the target held is not used again.
            if let Err(payload) = catch_unwind(AssertUnwindSafe(run)) {
                let payload: Box<dyn Any + Send> = payload;
                left = payload.is::<Left>();
                if !left {
                    resume_unwind(payload);
                }
            }
        });
        if left {
            process::exit(0);
        }
        ended
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_engine::Drive;

    use super::*;

    /// What a coordinator of two builds, which knows no more than the name of a case, learns about it.
    struct Timeout(Option<u64>);

    impl Visitor for Timeout {
        fn case(
            &mut self,
            _: &Case,
            options: &CaseOptions,
            _: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
        ) -> ControlFlow<()> {
            self.0 = options.timeout_ns;
            ControlFlow::Break(())
        }
    }

    #[test]
    fn a_call_of_a_minute_is_no_hang_where_two_builds_are_compared() {
        let mut body = |_: &mut dyn Drive| Ok(());
        let suite = OneCase {
            case: Case::default(),
            body: RefCell::new(&mut body),
        };
        let mut timeout = Timeout(None);
        suite.visit(&mut timeout);
        assert_eq!(timeout.0, Some(SILENCE_NS));
    }
}
