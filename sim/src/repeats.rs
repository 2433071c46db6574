use std::thread;

/// How often, with how many threads and from which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// Repeats of each cell.
    pub count: u32,
    /// Threads that share them.
    pub threads: u32,
    /// Seed of all.
    pub seed: u64,
}

impl Repeats {
    /// What a function gives for the seed of each repeat, in their order: the same whatever the
    /// number of threads.
    pub fn of<T: Send>(self, repeat: impl Fn(u64) -> T + Sync) -> Vec<T> {
        let seeds = tourbillon_stats::Rng::new(self.seed);
        let share = self.count.div_ceil(self.threads.max(1)).max(1);
        let (seeds, repeat) = (&seeds, &repeat);
        thread::scope(|scope| {
            let mut workers = Vec::new();
            for first in (0..self.count).step_by(share as usize) {
                let last = first.saturating_add(share).min(self.count);
                workers.push(scope.spawn(move || {
                    let of_one = |index: u32| repeat(seeds.derive(index.into()));
                    (first..last).map(of_one).collect::<Vec<T>>()
                }));
            }
            let mut all = Vec::with_capacity(self.count as usize);
            for worker in workers {
                match worker.join() {
                    Ok(part) => all.extend(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all
        })
    }

    /// A quarter as many: for shares that need no more.
    #[must_use]
    pub fn quarter(self) -> Repeats {
        Repeats {
            count: self.count.div_ceil(4),
            ..self
        }
    }

    /// The same with the seed of a cell, which no other cell has.
    #[must_use]
    pub fn for_cell(self, number: u64) -> Repeats {
        Repeats {
            seed: tourbillon_stats::Rng::new(self.seed).derive(number.wrapping_add(1 << 32)),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_change_nothing() {
        let with = |threads| {
            let repeats = Repeats {
                count: 101,
                threads,
                seed: 4,
            };
            repeats.for_cell(7).of(|seed| seed)
        };
        assert_eq!(with(1).len(), 101);
        assert_eq!(with(1), with(2));
        assert_eq!(with(1), with(64));
    }
}
