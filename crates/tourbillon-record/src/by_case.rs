//! What there is of each case: what is asked about one takes no search among those of all others.

use std::collections::HashMap;

/// Entries of a run by case, each case's in their order.
#[derive(Clone, Debug)]
pub struct ByCase<'a, T> {
    of_cases: HashMap<&'a str, Vec<T>>,
}

impl<'a, T> ByCase<'a, T> {
    /// These entries, each with the id of its case.
    ///
    /// # Examples
    ///
    /// ```
    /// let counts = tourbillon_record::ByCase::of([("a", 1), ("b", 2), ("a", 3)]);
    /// assert_eq!(counts.case("a"), [1, 3]);
    /// ```
    pub fn of(entries: impl IntoIterator<Item = (&'a str, T)>) -> ByCase<'a, T> {
        let mut of_cases: HashMap<&str, Vec<T>> = HashMap::new();
        for (case, entry) in entries {
            of_cases.entry(case).or_default().push(entry);
        }
        ByCase { of_cases }
    }

    /// The entries of the case with this id; none where there is no such case.
    pub fn case(&self, id: &str) -> &[T] {
        let found = self.entries(id);
        #[cfg(debug_assertions)]
        looked_at::add(found.len());
        found
    }

    /// The entries of the one of two cases that has fewer, and the id of the other one.
    pub fn fewer<'i>(&self, one: &'i str, other: &'i str) -> (&[T], &'i str) {
        if self.entries(one).len() <= self.entries(other).len() {
            (self.case(one), other)
        } else {
            (self.case(other), one)
        }
    }

    fn entries(&self, id: &str) -> &[T] {
        self.of_cases.get(id).map_or(&[][..], Vec::as_slice)
    }
}

/// How many entries were looked at, for tests of growth.
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod looked_at {
    use std::cell::Cell;

    thread_local! {
        static COUNT: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn add(entries: usize) {
        COUNT.set(COUNT.get() + entries);
    }

    /// The number in this thread since the last call.
    pub fn take() -> usize {
        COUNT.take()
    }
}
