//! Looking at a suite without measuring: what there is, and whether it runs.

use std::ops::ControlFlow;

use tourbillon_clock::Clock;
use tourbillon_record::Case;

use crate::{About, Arm, CaseOptions, Drive, Suite, Visitor};

/// Hands out all cases of `suite`, in its order.
#[inline]
pub fn each(suite: &dyn Suite, take: &mut dyn FnMut(&Case, &CaseOptions)) {
    struct Each<'t>(&'t mut dyn FnMut(&Case, &CaseOptions));
    impl Visitor for Each<'_> {
        fn case(
            &mut self,
            case: &Case,
            options: &CaseOptions,
            _body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
        ) -> ControlFlow<()> {
            (self.0)(case, options);
            ControlFlow::Continue(())
        }
    }
    suite.visit(&mut Each(take));
}

/// Why a case did not pass when it was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The suite has no case of that identity.
    UnknownCase,
    /// The benchmark returned without calling a terminal on its `Bencher`.
    NoTerminal,
    /// The benchmark, or the first call of its body, returned an error.
    Failed(String),
}

/// Runs the body of the case with identity `id` once, through its terminal, in this process.
///
/// # Errors
///
/// What went wrong. A panic goes through to the caller.
#[inline]
pub fn try_once(suite: &dyn Suite, id: &str, clock: &Clock) -> Result<(), Trouble> {
    let mut once = Once {
        id,
        clock,
        outcome: Err(Trouble::UnknownCase),
    };
    suite.visit(&mut once);
    once.outcome
}

/// Looks for one case and runs it once.
struct Once<'o> {
    id: &'o str,
    clock: &'o Clock,
    outcome: Result<(), Trouble>,
}

impl Visitor for Once<'_> {
    #[inline]
    fn case(
        &mut self,
        case: &Case,
        _options: &CaseOptions,
        body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()> {
        if case.id != self.id {
            return ControlFlow::Continue(());
        }
        let mut driver = OneCall {
            clock: self.clock,
            outcome: Err(Trouble::NoTerminal),
        };
        let returned = body(&mut driver);
        self.outcome = match returned {
            Err(error) => Err(Trouble::Failed(error)),
            Ok(()) => driver.outcome,
        };
        ControlFlow::Break(())
    }
}

/// Runs the arm that it is handed once.
struct OneCall<'o> {
    clock: &'o Clock,
    outcome: Result<(), Trouble>,
}

impl Drive for OneCall<'_> {
    #[inline]
    fn drive(&mut self, arm: &mut dyn Arm, _about: About) {
        self.outcome = arm.first(self.clock).map(drop).map_err(Trouble::Failed);
    }
}
