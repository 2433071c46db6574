//! Which case has the next launch.

use std::collections::VecDeque;

use tourbillon_record::BatchShape;
use tourbillon_stats::Rng;

/// Faults of a case without a batch length after which it gets no more launches.
const MOST_PILOT_FAULTS: u32 = 2;
/// Faults of a case after which it gets no more launches.
const MOST_FAULTS: u32 = 3;

/// All launches of all cases, in one random order.
///
/// The first launch of a case is its pilot launch, which finds the batch length for the others. If it fails, the
/// next launch of the case takes its place.
pub(crate) struct Schedule {
    rng: Rng,
    /// Index of a case for each launch that is still to begin.
    queue: VecDeque<usize>,
    cases: Vec<CaseState>,
}

#[derive(Clone, Copy, Default)]
struct CaseState {
    /// Launches begun, which is the number of the next launch.
    begun: u32,
    faults: u32,
    length: Option<BatchShape>,
    given_up: bool,
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
    /// So many launches of each case.
    pub(crate) fn new(seed: u64, launches: &[u32]) -> Schedule {
        let mut schedule = Schedule {
            rng: Rng::new(seed),
            queue: VecDeque::new(),
            cases: vec![CaseState::default(); launches.len()],
        };
        for (case, launches) in launches.iter().enumerate() {
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
        self.rng.shuffle(self.queue.make_contiguous());
    }

    /// The next launch.
    pub(crate) fn turn(&mut self) -> Option<Turn> {
        let case = self.queue.pop_front()?;
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

    /// The pilot launch of a case has ended: the others take its batch length, and at most so many of them are
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

    fn order(seed: u64, launches: &[u32]) -> Vec<usize> {
        let mut schedule = Schedule::new(seed, launches);
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
        let mut schedule = Schedule::new(7, &[3, 3]);
        let mut next = [0, 0];
        while let Some(turn) = schedule.turn() {
            assert_eq!(turn.launch, next[turn.case]);
            next[turn.case] += 1;
        }
        assert_eq!(next, [3, 3]);
    }

    #[test]
    fn others_take_the_length_of_the_pilot_launch() {
        let mut schedule = Schedule::new(0, &[4]);
        assert_eq!(schedule.turn().unwrap().length, None);
        schedule.piloted(0, LENGTH, 3);
        assert_eq!(schedule.left(), 3);
        while let Some(turn) = schedule.turn() {
            assert_eq!(turn.length, Some(LENGTH));
        }
    }

    #[test]
    fn launches_that_are_kept_are_spread() {
        let mut schedule = Schedule::new(3, &[21, 200]);
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
        let mut schedule = Schedule::new(0, &[2]);
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
        let mut schedule = Schedule::new(0, &[20]);
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
        let mut schedule = Schedule::new(0, &[20, 1]);
        schedule.piloted(0, LENGTH, 19);
        schedule.failed(0);
        schedule.failed(0);
        assert_eq!(schedule.left(), 20);
        schedule.failed(0);
        assert_eq!(schedule.left(), 1);
    }
}
