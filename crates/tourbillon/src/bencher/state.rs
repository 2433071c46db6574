use std::fmt;

use tourbillon_engine::Restored;

use crate::Bencher;

/// A [`Bencher`] whose body works on a state of its own.
pub struct WithState<'a, M> {
    bencher: Bencher<'a>,
    make: M,
}

impl<M> fmt::Debug for WithState<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithState")
            .field("bencher", &self.bencher)
            .finish_non_exhaustive()
    }
}

impl<'a, S, M: FnMut() -> S> WithState<'a, M> {
    pub(crate) fn new(bencher: Bencher<'a>, make: M) -> Self {
        Self { bencher, make }
    }

    /// Says how the state is brought back before each call of the body, outside the timed region.
    pub fn reset<Z: FnMut(&mut S)>(self, reset: Z) -> Resettable<'a, M, Z> {
        Resettable {
            bencher: self.bencher,
            make: self.make,
            reset,
        }
    }
}

/// A [`Bencher`] with a state that can be brought back.
///
/// # Accuracy
///
/// A window of calls has a state for each, all brought back before its clock starts; they are made
/// with `make` and live until the visit ends. What a window itself costs cancels in the difference
/// of two window lengths, for bodies from a few nanoseconds on.
pub struct Resettable<'a, M, Z> {
    pub(super) bencher: Bencher<'a>,
    pub(super) make: M,
    pub(super) reset: Z,
}

impl<M, Z> fmt::Debug for Resettable<'_, M, Z> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resettable")
            .field("bencher", &self.bencher)
            .finish_non_exhaustive()
    }
}

impl<S, M: FnMut() -> S, Z: FnMut(&mut S)> Resettable<'_, M, Z> {
    /// Measures a body that changes the state.
    pub fn iter_mut<R>(self, body: impl FnMut(&mut S) -> R) {
        let drop_inside = self.bencher.drop_inside;
        let mut arm = Restored::new(self.make, self.reset, body, drop_inside);
        self.bencher.drive("with_state.iter_mut", 1, &mut arm);
    }
}
