//! Bodies that get an input, a state, or the items of a slice.

use std::fmt;

use tourbillon_engine::{Prepared, Restored, Streamed};

use super::terminal::Bencher;

/// Inputs, prepared outside of the timed region.
impl<'a> Bencher<'a> {
    /// Prepares an input with `make` for every call of the body, before the clock starts.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, bench};
    ///
    /// #[bench]
    /// fn sort(b: Bencher<'_>) {
    ///     let numbers: Vec<u32> = (0..1_000).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
    ///     b.with_inputs(|| numbers.clone()).iter_mut(|numbers| numbers.sort_unstable());
    /// }
    /// ```
    pub fn with_inputs<I, M: FnMut() -> I>(self, make: M) -> WithInputs<'a, M> {
        WithInputs {
            bencher: self,
            make,
        }
    }

    /// Works on a state that is made once with `make`; [`WithState::reset`] brings it back before every
    /// call of the body, outside the timed region.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, bench};
    ///
    /// #[bench]
    /// fn fill(b: Bencher<'_>) {
    ///     b.with_state(|| Vec::with_capacity(1_000))
    ///         .reset(Vec::clear)
    ///         .iter_mut(|numbers| numbers.extend(0..1_000_u32));
    /// }
    /// ```
    pub fn with_state<S, M: FnMut() -> S>(self, make: M) -> WithState<'a, M> {
        WithState {
            bencher: self,
            make,
        }
    }

    /// Gives the body one item of a prepared slice after the other, and begins again after the last.
    ///
    /// The same input again and again is the fastest there is: the branch predictor has learnt it and the
    /// cache holds it. One fixed item is tried as well, and a line below the table reports when the two
    /// differ by more than 10 %.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, bench};
    ///
    /// /// More items than a branch predictor learns by heart.
    /// fn words() -> Vec<u32> {
    ///     (0..1 << 16).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect()
    /// }
    ///
    /// #[bench]
    /// fn ones(b: Bencher<'_>) {
    ///     b.with_stream(&words()).iter(|&word| word.leading_zeros());
    /// }
    ///
    /// /// What getting at an item costs, as a case of its own.
    /// #[bench]
    /// fn fetch(b: Bencher<'_>) {
    ///     b.with_stream(&words()).fetch();
    /// }
    /// ```
    pub fn with_stream<'i, I>(self, items: &'i [I]) -> WithStream<'a, 'i, I> {
        WithStream {
            bencher: self,
            items,
        }
    }
}

/// A [`Bencher`] whose body gets a prepared input for each call; see [`Bencher::with_inputs`].
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

impl<I, M: FnMut() -> I> WithInputs<'_, M> {
    /// Measures a body that reads its input.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, bench};
    ///
    /// #[bench]
    /// fn count(b: Bencher<'_>) {
    ///     b.with_inputs(|| "a b c".to_owned()).iter_ref(|text| text.split(' ').count());
    /// }
    /// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, bench};
    ///
    /// #[bench]
    /// fn into_bytes(b: Bencher<'_>) {
    ///     b.with_inputs(|| "a b c".to_owned()).iter_owned(|text| text.into_bytes());
    /// }
    /// ```
    pub fn iter_owned<R>(self, body: impl FnMut(I) -> R) {
        let drop_inside = self.bencher.drop_inside;
        let mut arm = Prepared::consuming(self.make, body, drop_inside);
        self.bencher.drive("with_inputs.iter_owned", 1, &mut arm);
    }
}

/// A [`Bencher`] whose body works on a state; see [`Bencher::with_state`].
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
    /// How to bring the state back before each call of the body, outside the timed region.
    pub fn reset<Z: FnMut(&mut S)>(self, reset: Z) -> Resettable<'a, M, Z> {
        Resettable {
            bencher: self.bencher,
            make: self.make,
            reset,
        }
    }
}

/// A [`Bencher`] with a state that can be brought back; see [`Bencher::with_state`].
///
/// # Accuracy
///
/// A window of calls has a state for each, all brought back before its clock starts; they are made
/// with `make` and live until the launch ends. What a window itself costs cancels in the difference
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

/// A [`Bencher`] whose body gets one item of a slice after the other; see [`Bencher::with_stream`].
///
/// # Accuracy
///
/// Fetching an item is a load, and it is timed together with the body: items come in order, so that the
/// processor fetches them ahead. [`WithStream::fetch`] shows what it costs. The slice may be larger than
/// a cache: then the memory is measured, too. A batch goes on where the one before has stopped;
/// beginning again costs a few cycles, so that a slice should have some thousand items.
#[derive(Debug)]
pub struct WithStream<'a, 'i, I> {
    bencher: Bencher<'a>,
    items: &'i [I],
}

impl<'a, 'i, I> WithStream<'a, 'i, I> {
    /// Measures a body that reads an item.
    pub fn iter<R>(self, body: impl FnMut(&I) -> R) {
        self.drive("with_stream.iter", body);
    }

    /// Measures what getting at an item costs: the load of it and of the loop around it. It is a case
    /// of its own and is not subtracted from others, because a processor fetches the next item while it
    /// works on this one.
    pub fn fetch(self)
    where
        I: Copy,
    {
        self.drive("with_stream.fetch", |item| *item);
    }

    fn drive<R>(self, terminal: &'static str, body: impl FnMut(&I) -> R) {
        self.armed(terminal, body, |bencher, arm| {
            bencher.drive(terminal, 1, arm)
        });
    }

    /// Passes the arm of `body` to `drive`; without items, has the case fail.
    pub(super) fn armed<R, F: FnMut(&I) -> R>(
        self,
        terminal: &'static str,
        body: F,
        drive: impl FnOnce(Bencher<'a>, &mut Streamed<'i, I, F, R>),
    ) {
        match Streamed::new(self.items, body, self.bencher.drop_inside) {
            Some(mut arm) => drive(self.bencher, &mut arm),
            None => self.bencher.refuse(
                terminal,
                "`with_stream` has no items: give it a slice with some thousand",
            ),
        }
    }
}
