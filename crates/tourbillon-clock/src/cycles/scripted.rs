//! Cycles of a script.

use std::sync::{Mutex, PoisonError};

use super::Cycles;
use crate::{Regions, Script};

/// Regions on a scripted clock.
#[derive(Debug)]
struct Counting {
    script: Script,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    before: Option<f64>,
    sum: f64,
    is_lost: bool,
}

/// The counter of a script; `None` where it has none.
#[inline]
pub(super) fn cycles(script: &Script) -> Option<&'static dyn Cycles> {
    script.counted()?;
    let counting = Box::new(Counting {
        script: script.clone(),
        state: Mutex::default(),
    });
    Some(Box::leak(counting))
}

impl Counting {
    /// Has `change` change the state, given what the counter shows.
    fn told<T>(&self, change: impl FnOnce(&mut State, Option<f64>) -> T) -> T {
        // Nothing panics while it holds the state.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state, self.script.counted())
    }
}

impl Regions for Counting {
    fn before(&self) {
        self.told(|state, counted| state.before = counted);
    }

    fn begin(&self) {}

    fn end(&self) {}

    fn after(&self) {
        self.told(|state, counted| match (state.before.take(), counted) {
            (Some(before), Some(after)) => state.sum += after - before,
            _ => state.is_lost = true,
        });
    }
}

impl Cycles for Counting {
    fn take(&self) -> Option<u64> {
        let state = self.told(|state, _| std::mem::take(state));
        (!state.is_lost).then_some(state.sum.round() as u64)
    }
}
