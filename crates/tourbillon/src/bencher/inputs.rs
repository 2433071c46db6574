use std::fmt;

use tourbillon_engine::Prepared;

use crate::Bencher;

/// A [`Bencher`] whose body gets a prepared input for each call.
///
/// # Accuracy
///
/// Inputs are prepared for a window of calls (at most 1024 and 256 KiB of inline size) before its
/// clock starts; inputs that the body does not consume, and outputs that need dropping, are dropped
/// after it has stopped. What a window itself costs cancels in the difference of two window lengths.
pub struct WithInputs<'a, M> {
    pub(super) bencher: Bencher<'a>,
    pub(super) make: M,
}

impl<M> fmt::Debug for WithInputs<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithInputs")
            .field("bencher", &self.bencher)
            .finish_non_exhaustive()
    }
}

impl<'a, I, M: FnMut() -> I> WithInputs<'a, M> {
    pub(crate) fn new(bencher: Bencher<'a>, make: M) -> Self {
        Self { bencher, make }
    }

    /// Measures a body that looks at its input.
    pub fn iter_ref<R>(self, mut body: impl FnMut(&I) -> R) {
        let drop_inside = self.bencher.drop_inside;
        let mut arm = Prepared::borrowing(self.make, move |input| body(input), drop_inside);
        self.bencher.drive("with_inputs.iter_ref", 1, &mut arm);
    }

    /// Measures a body that changes its input.
    pub fn iter_mut<R>(self, body: impl FnMut(&mut I) -> R) {
        let drop_inside = self.bencher.drop_inside;
        let mut arm = Prepared::borrowing(self.make, body, drop_inside);
        self.bencher.drive("with_inputs.iter_mut", 1, &mut arm);
    }

    /// Measures a body that consumes its input, which includes dropping it unless it is returned.
    pub fn iter_owned<R>(self, body: impl FnMut(I) -> R) {
        let drop_inside = self.bencher.drop_inside;
        let mut arm = Prepared::consuming(self.make, body, drop_inside);
        self.bencher.drive("with_inputs.iter_owned", 1, &mut arm);
    }
}
