use tourbillon_engine::Streamed;

use super::refused::Refused;
use crate::Bencher;

/// A [`Bencher`] whose body gets one item of a slice after the other.
///
/// # Accuracy
///
/// Fetching an item is a load, and it is timed together with the body: items come in order, so that the
/// processor fetches them ahead. [`WithStream::fetch`] shows what it costs. The slice may be larger than
/// a cache: then what is measured is the memory, too. A batch goes on where the one before has stopped;
/// beginning again costs a few cycles, so that a slice should have some thousand items.
#[derive(Debug)]
pub struct WithStream<'a, 'i, I> {
    bencher: Bencher<'a>,
    items: &'i [I],
}

impl<'a, 'i, I> WithStream<'a, 'i, I> {
    pub(crate) fn new(bencher: Bencher<'a>, items: &'i [I]) -> Self {
        Self { bencher, items }
    }

    /// Measures a body that looks at an item.
    pub fn iter<R>(self, body: impl FnMut(&I) -> R) {
        self.drive("with_stream.iter", body);
    }

    /// Measures what getting at an item costs: the load of it and of the loop around it. It is a case
    /// of its own and is not taken off from others, for a processor fetches the next item while it works
    /// on this one.
    pub fn fetch(self)
    where
        I: Copy,
    {
        self.drive("with_stream.fetch", |item| *item);
    }

    fn drive<R>(self, terminal: &'static str, body: impl FnMut(&I) -> R) {
        let (bencher, arm) = self.armed(body);
        match arm {
            Some(mut arm) => bencher.drive(terminal, 1, &mut arm),
            None => bencher.without_items(terminal),
        }
    }

    /// The arm of `body`; `None` without items.
    pub(super) fn armed<R, F: FnMut(&I) -> R>(
        self,
        body: F,
    ) -> (Bencher<'a>, Option<Streamed<'i, I, F, R>>) {
        let arm = Streamed::new(self.items, body, self.bencher.drop_inside);
        (self.bencher, arm)
    }
}

impl Bencher<'_> {
    /// Has the case fail: there is nothing to stream.
    pub(super) fn without_items(self, terminal: &'static str) {
        let mut empty = Refused("`with_stream` has no items: give it a slice with some thousand");
        self.drive(terminal, 1, &mut empty);
    }
}
