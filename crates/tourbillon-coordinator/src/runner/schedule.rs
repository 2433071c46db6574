//! Which case has the next launch.

use std::collections::{BTreeMap, VecDeque};

use tourbillon_record::BatchShape;
use tourbillon_stats::Rng;

/// Faults of a case without a batch length after which it gets no more launches.
const MOST_PILOT_FAULTS: u32 = 2;
/// Faults of a case after which it gets no more launches.
const MOST_FAULTS: u32 = 3;

/// All launches of all cases, in one random order. Cases of a shared worker have theirs after each other, in the order
/// of the cases: a pass, which one worker can make.
///
/// The first launch of a case is its pilot launch, which finds the batch length for the others. If it fails, the
/// next launch of the case takes its place.
pub(crate) struct Schedule {
    rng: Rng,
    /// Index of a case for each launch that is still to begin.
    queue: VecDeque<usize>,
    /// The case of the launch that was begun last.
    last: Option<usize>,
    cases: Vec<CaseState>,
}

#[derive(Clone, Copy, Default)]
struct CaseState {
    /// Launches begun, which is the number of the next launch.
    begun: u32,
    faults: u32,
    length: Option<BatchShape>,
    given_up: bool,
    shared_worker: Option<u32>,
}

/// A launch to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Index of the case.
    pub(crate) case: usize,
    /// Number of the launch.
    pub(crate) launch: u32,
    /// Batch length; `None` for a pilot launch.
    pub(crate) length: Option<BatchShape>,
}

impl Schedule {
    /// So many launches of each case, which may belong to a shared worker.
    pub(crate) fn new(seed: u64, cases: &[(u32, Option<u32>)]) -> Schedule {
        let state = |(_, shared_worker): &(u32, Option<u32>)| CaseState {
            shared_worker: *shared_worker,
            ..CaseState::default()
        };
        let mut schedule = Schedule {
            rng: Rng::new(seed),
            queue: VecDeque::new(),
            last: None,
            cases: cases.iter().map(state).collect(),
        };
        for (case, (launches, _)) in cases.iter().enumerate() {
            schedule.add(case, *launches);
        }
        schedule.shuffle();
        schedule
    }

    /// Adds launches of a case after all others; [`Schedule::shuffle`] draws their places.
    pub(crate) fn add(&mut self, case: usize, launches: u32) {
        if !self.cases[case].given_up {
            let launches = std::iter::repeat_n(case, launches as usize);
            self.queue.extend(launches);
        }
    }

    /// Draws the order of the launches that are still to begin.
    pub(crate) fn shuffle(&mut self) {
        let mut rest = Vec::from(self.queue.split_off(self.in_pass()));
        let mut units: Vec<Vec<usize>> = Vec::new();
        let mut passes: BTreeMap<u32, Vec<Vec<usize>>> = BTreeMap::new();
        let alone = rest
            .iter()
            .filter(|case| self.cases[**case].shared_worker.is_none());
        units.extend(alone.map(|case| vec![*case]));
        rest.sort_unstable();
        for same in rest.chunk_by(|one, other| one == other) {
            if let Some(shared_worker) = self.cases[same[0]].shared_worker {
                let passes = passes.entry(shared_worker).or_default();
                let count = passes.len().max(same.len());
                passes.resize_with(count, Vec::new);
                for pass in &mut passes[..same.len()] {
                    pass.push(same[0]);
                }
            }
        }
        units.extend(passes.into_values().flatten());
        self.rng.shuffle(&mut units);
        self.queue.extend(units.into_iter().flatten());
    }

    /// Launches at the front that belong to the pass of the one that was begun last.
    fn in_pass(&self) -> usize {
        let Some(mut last) = self.last else {
            return 0;
        };
        let shared_worker = self.cases[last].shared_worker;
        let follows = |case: &&usize| {
            let is_next = **case > last
                && shared_worker.is_some()
                && self.cases[**case].shared_worker == shared_worker;
            last = **case;
            is_next
        };
        self.queue.iter().take_while(follows).count()
    }

    /// The next launch.
    pub(crate) fn turn(&mut self) -> Option<Turn> {
        let case = self.queue.pop_front()?;
        self.last = Some(case);
        let state = &mut self.cases[case];
        let launch = state.begun;
        state.begun += 1;
        Some(Turn {
            case,
            launch,
            length: state.length,
        })
    }

    /// Whether all launches of a case have ended, of which there are `ended`.
    pub(crate) fn is_done(&self, case: usize, ended: u32) -> bool {
        self.cases[case].begun == ended && !self.queue.contains(&case)
    }

    /// Launches that are still to begin.
    pub(crate) fn left(&self) -> usize {
        self.queue.len()
    }

    /// The pilot launch of a case has ended: the others take its batch length, and at most this many of them are
    /// made. These are spread evenly over the rest of the run.
    pub(crate) fn piloted(&mut self, case: usize, length: BatchShape, others: u32) {
        self.cases[case].length = Some(length);
        let waiting = self.queue.iter().filter(|other| **other == case).count() as u64;
        let kept = u64::from(others).min(waiting);
        let mut number = 0;
        self.queue.retain(|other| {
            let is_other = *other != case;
            number += u64::from(!is_other);
            is_other || number * kept / waiting > (number - 1) * kept / waiting
        });
    }

    /// A launch of a case has failed. After two without a batch length, or three in all, the case gets no more
    /// launches: they would most likely fail too, and a hang costs 30 s each.
    pub(crate) fn failed(&mut self, case: usize) {
        let state = &mut self.cases[case];
        state.faults += 1;
        let most = match state.length {
            None => MOST_PILOT_FAULTS,
            Some(_) => MOST_FAULTS,
        };
        if state.faults >= most {
            state.given_up = true;
            self.queue.retain(|other| *other != case);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: BatchShape = BatchShape {
        windows: 1,
        items: 100,
        unroll: 8,
        slope: true,
    };

    /// A schedule of cases without shared workers.
    fn alone(seed: u64, launches: &[u32]) -> Schedule {
        let cases: Vec<_> = launches.iter().map(|launches| (*launches, None)).collect();
        Schedule::new(seed, &cases)
    }

    fn order(seed: u64, launches: &[u32]) -> Vec<usize> {
        let mut schedule = alone(seed, launches);
        std::iter::from_fn(|| schedule.turn().map(|turn| turn.case)).collect()
    }

    #[test]
    fn every_case_gets_its_launches_in_an_order_of_the_seed() {
        let first = order(1, &[20, 20, 5]);
        assert_eq!(first.len(), 45);
        assert_eq!(first.iter().filter(|case| **case == 2).count(), 5);
        assert_eq!(first, order(1, &[20, 20, 5]));
        assert_ne!(first, order(2, &[20, 20, 5]));
        // Neither case by case nor round by round.
        let changes = first.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!((10..40).contains(&changes), "{first:?}");
    }

    #[test]
    fn launches_are_numbered_as_they_come() {
        let mut schedule = alone(7, &[3, 3]);
        let mut next = [0, 0];
        while let Some(turn) = schedule.turn() {
            assert_eq!(turn.launch, next[turn.case]);
            next[turn.case] += 1;
        }
        assert_eq!(next, [3, 3]);
    }

    #[test]
    fn others_take_the_length_of_the_pilot_launch() {
        let mut schedule = alone(0, &[4]);
        assert_eq!(schedule.turn().unwrap().length, None);
        schedule.piloted(0, LENGTH, 3);
        assert_eq!(schedule.left(), 3);
        while let Some(turn) = schedule.turn() {
            assert_eq!(turn.length, Some(LENGTH));
        }
    }

    #[test]
    fn launches_that_are_kept_are_spread() {
        let mut schedule = alone(3, &[21, 200]);
        while schedule.turn().unwrap().case != 0 {}
        schedule.piloted(0, LENGTH, 5);
        let places: Vec<usize> = (0..schedule.left())
            .filter(|place| schedule.queue[*place] == 0)
            .collect();
        assert_eq!(places.len(), 5);
        assert!(places[0] < 100 && places[4] > 130, "{places:?}");
        schedule.piloted(0, LENGTH, 0);
        assert!(!schedule.queue.contains(&0));
        schedule.piloted(0, LENGTH, 9);
    }

    #[test]
    fn a_case_is_done_when_its_last_launch_has_ended() {
        let mut schedule = alone(0, &[2]);
        assert!(!schedule.is_done(0, 0));
        schedule.turn();
        assert!(!schedule.is_done(0, 1));
        schedule.turn();
        assert!(!schedule.is_done(0, 1));
        assert!(schedule.is_done(0, 2));
        schedule.add(0, 1);
        assert!(!schedule.is_done(0, 2));
    }

    #[test]
    fn a_second_pilot_launch_is_made_and_no_third() {
        let mut schedule = alone(0, &[20]);
        schedule.turn();
        schedule.failed(0);
        let second = schedule.turn().unwrap();
        assert_eq!((second.launch, second.length), (1, None));
        schedule.failed(0);
        assert_eq!(schedule.turn(), None);
        schedule.add(0, 20);
        assert_eq!(schedule.turn(), None);
    }

    #[test]
    fn three_faults_end_a_case() {
        let mut schedule = alone(0, &[20, 1]);
        schedule.piloted(0, LENGTH, 19);
        schedule.failed(0);
        schedule.failed(0);
        assert_eq!(schedule.left(), 20);
        schedule.failed(0);
        assert_eq!(schedule.left(), 1);
    }

    #[test]
    fn cases_of_a_shared_worker_follow_each_other() {
        let cases = [
            (3, Some(7)),
            (4, None),
            (2, Some(7)),
            (3, Some(7)),
            (2, Some(8)),
        ];
        for seed in 0..20 {
            let mut schedule = Schedule::new(seed, &cases);
            let mut order = Vec::new();
            while let Some(turn) = schedule.turn() {
                order.push(turn.case);
                // The rest of the pass stays.
                schedule.shuffle();
            }
            let passes: Vec<&[usize]> = order
                .chunk_by(|one, next| one < next && *one != 1 && *next != 1 && *next != 4)
                .collect();
            let mut passes: Vec<Vec<usize>> = passes.into_iter().map(<[usize]>::to_vec).collect();
            passes.sort();
            let singles = [[1]; 4].map(Vec::from);
            let others = [[4]; 2].map(Vec::from);
            let shared_workers = [vec![0, 2, 3], vec![0, 2, 3], vec![0, 3]];
            assert_eq!(
                passes,
                [&shared_workers[..], &singles, &others].concat(),
                "{order:?}"
            );
        }
    }
}
