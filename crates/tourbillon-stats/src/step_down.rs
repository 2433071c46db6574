//! Hypotheses without p-values, of which each that is rejected leaves more of the error to the others.

use std::collections::BTreeSet;

/// [`holm`](crate::holm) for hypotheses without p-values: `rejects` decides whether a given error is enough to reject
/// the hypothesis with a given number, from 0. Returns the numbers of the rejected hypotheses in the order of rejection.
///
/// The first number is that of the hypotheses, the second one that of others, which keep their shares
/// of the error because they are tested elsewhere. Each hypothesis is tested with the error divided by the number of
/// those that remain. After a rejection the remaining ones are tested again with their larger share: not with each,
/// since what a larger one does not reject, a smaller one does not. What is decided last about each hypothesis is by the
/// share that counts: that of its rejection, or that of all which remain in the end.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::step_down;
///
/// let p = [0.02, 0.6, 0.01];
/// assert_eq!(step_down((3, 0), 0.05, |number, error| p[number] <= error), [2, 0]);
/// ```
pub fn step_down(
    (count, elsewhere): (usize, usize),
    error: f64,
    mut rejects: impl FnMut(usize, f64) -> bool,
) -> Vec<usize> {
    let rejects = |number, left: usize| rejects(number, error / (left as f64 + elsewhere as f64));
    Steps {
        rejects,
        tested_with: vec![None; count],
        open: (0..count).collect(),
        untested: 0..count,
        due: vec![Vec::new(); count + 1],
        rejecting: BTreeSet::new(),
        rejected: Vec::new(),
    }
    .run()
}

/// What is known of a hypothesis when so many are left.
#[derive(Clone, Copy, Debug)]
enum Due {
    /// It is rejected.
    Rejects(usize),
    /// It is tested with the share that it has when so many more were rejected.
    Unknown { number: usize, ahead: usize },
}

struct Steps<F> {
    /// Whether a hypothesis is rejected when so many are left.
    rejects: F,
    /// With how many left each was tested last.
    tested_with: Vec<Option<usize>>,
    open: BTreeSet<usize>,
    untested: std::ops::Range<usize>,
    /// By the number of hypotheses that are left.
    due: Vec<Vec<Due>>,
    /// Those that are rejected now, without the untested ones.
    rejecting: BTreeSet<usize>,
    rejected: Vec<usize>,
}

impl<F: FnMut(usize, usize) -> bool> Steps<F> {
    fn run(mut self) -> Vec<usize> {
        while let Some(number) = self.next() {
            self.open.remove(&number);
            self.rejected.push(number);
        }
        self.rejected
    }

    /// The first that is rejected.
    fn next(&mut self) -> Option<usize> {
        let left = self.open.len();
        for due in std::mem::take(&mut self.due[left]) {
            match due {
                Due::Rejects(number) => _ = self.rejecting.insert(number),
                Due::Unknown { number, ahead } => self.look_ahead(number, ahead),
            }
        }
        while let Some(number) = self.rejecting.pop_first() {
            if self.is_rejected(number, left) {
                return Some(number);
            }
        }
        while let Some(number) = self.untested.next() {
            if self.is_rejected(number, left) {
                return Some(number);
            }
            self.wait(left - 1, Due::Unknown { number, ahead: 0 });
        }
        let is_last = |number: &usize| self.tested_with[*number] == Some(left);
        let all = self.open.iter().copied();
        let mut others: Vec<usize> = all.filter(|number| !is_last(number)).collect();
        others.retain(|number| self.is_rejected(*number, left));
        let first = others.first().copied();
        self.rejecting.extend(others.into_iter().skip(1));
        first
    }

    fn is_rejected(&mut self, number: usize, left: usize) -> bool {
        self.tested_with[number] = Some(left);
        (self.rejects)(number, left)
    }

    /// Finds out when one is rejected, at the latest after so many more.
    fn look_ahead(&mut self, number: usize, ahead: usize) {
        let now = self.open.len();
        let mut until = now.saturating_sub(ahead).max(1);
        if !self.is_rejected(number, until) {
            let ahead = 2 * ahead + 1;
            return self.wait(until - 1, Due::Unknown { number, ahead });
        }
        let mut from = now + 1;
        while from - until > 1 {
            let middle = until.midpoint(from);
            if self.is_rejected(number, middle) {
                until = middle;
            } else {
                from = middle;
            }
        }
        if until == now {
            self.rejecting.insert(number);
        } else {
            self.wait(until, Due::Rejects(number));
        }
    }

    fn wait(&mut self, left: usize, due: Due) {
        self.due[left].push(due);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    /// Tests all again after each rejection.
    fn naive(p: &[f64], elsewhere: usize, error: f64) -> (Vec<usize>, Vec<f64>) {
        let mut left: Vec<usize> = (0..p.len()).collect();
        let (mut rejected, mut shares) = (Vec::new(), vec![0.0; p.len()]);
        loop {
            let share = error / (left.len() as f64 + elsewhere as f64);
            let place = left.iter().position(|&number| {
                shares[number] = share;
                p[number] <= share
            });
            let Some(place) = place else {
                return (rejected, shares);
            };
            rejected.push(left.remove(place));
        }
    }

    /// The rejected ones, the share that each was last tested with, and how many tests there were.
    fn tested(p: &[f64], elsewhere: usize, error: f64) -> (Vec<usize>, Vec<f64>, usize) {
        let (mut shares, mut tests) = (vec![0.0; p.len()], 0);
        let rejected = step_down((p.len(), elsewhere), error, |number, share| {
            shares[number] = share;
            tests += 1;
            p[number] <= share
        });
        (rejected, shares, tests)
    }

    #[test]
    fn it_rejects_as_if_all_were_tested_after_each_rejection() {
        let mut rng = Rng::new(7);
        for count in (0..40).chain([150]) {
            for scale in [0.1, 1.0, 4.0] {
                let mut uniform = || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
                let p: Vec<f64> = (0..count).map(|_| scale * 0.05 * uniform()).collect();
                // Each is rejected by the share that the one before it leaves, in any order.
                let mut close: Vec<f64> = (1..=count).map(|left| 0.05 / left as f64).collect();
                for at in (1..close.len()).rev() {
                    close.swap(at, (uniform() * (at + 1) as f64) as usize);
                }
                for (p, elsewhere) in [(&p, 0), (&p, 3), (&close, 0), (&close, 1)] {
                    let (rejected, shares, _) = tested(p, elsewhere, 0.05);
                    assert_eq!((rejected, shares), naive(p, elsewhere, 0.05), "{p:?}");
                }
            }
        }
    }

    #[test]
    fn tests_grow_with_the_number_of_hypotheses() {
        let tests = |count: usize, p: fn(usize, usize) -> f64| {
            let p: Vec<f64> = (0..count).map(|number| p(number, count)).collect();
            tested(&p, 0, 0.05).2
        };
        // Every other one is rejected, and each by the share that the one before it leaves.
        let half = |number, _| if number % 2 == 0 { 1.0 } else { 0.0 };
        let last_first = |number, _| 0.05 / (number + 1) as f64;
        for count in [1_000, 4_000] {
            for tests in [tests(count, half), tests(count, last_first)] {
                assert!(tests <= 30 * count, "{tests} tests of {count}");
            }
        }
        assert_eq!(tests(1_000, |_, _| 1.0), 1_000);
    }
}
