//! Which functions were called from where.

use std::collections::HashMap;

/// A function that was called, in the tree of all calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Call {
    /// Place of the calling function.
    pub(super) parent: usize,
    /// Address of the instruction that calls it.
    pub(super) site: u64,
    /// Address that is called.
    pub(super) entry: u64,
}

/// The calls of an op, each in its place, and those that have not returned.
///
/// Place 0 is the loop around the ops; place n has call n - 1.
#[derive(Debug, Default)]
pub(super) struct CallTree {
    pub(super) calls: Vec<Call>,
    places: HashMap<Call, usize>,
    /// Place and address of the return address of those that have not returned.
    open: Vec<(usize, u64)>,
}

impl CallTree {
    /// Begins at the root.
    pub(super) fn enter(&mut self) {
        self.open.clear();
    }

    /// The present place.
    pub(super) fn place(&self) -> usize {
        self.open.last().map_or(0, |(place, _)| *place)
    }

    /// A call, after which the return address lies at `stack`.
    pub(super) fn called(&mut self, site: u64, entry: u64, stack: u64) {
        let call = Call {
            parent: self.place(),
            site,
            entry,
        };
        let place = *self.places.entry(call).or_insert_with(|| {
            self.calls.push(call);
            self.calls.len()
        });
        self.open.push((place, stack));
    }

    /// A return, after which the stack is here: from all functions below, which may be several.
    pub(super) fn returned(&mut self, stack: u64) {
        while self.open.last().is_some_and(|(_, slot)| *slot < stack) {
            self.open.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_have_places_and_returns_leave_them() {
        let mut tree = CallTree::default();
        tree.enter();
        tree.called(10, 100, 900);
        tree.called(110, 200, 800);
        assert_eq!(tree.place(), 2);
        tree.returned(808);
        assert_eq!(tree.place(), 1);
        // The same call has the same place, another one a new one.
        tree.called(110, 200, 800);
        assert_eq!(tree.place(), 2);
        tree.called(210, 100, 700);
        assert_eq!(tree.place(), 3);
        // As `longjmp` does: from all three.
        tree.returned(908);
        assert_eq!((tree.place(), tree.calls.len()), (0, 3));
        // Out of the root: it stays.
        tree.returned(5000);
        assert_eq!(tree.place(), 0);
    }
}
