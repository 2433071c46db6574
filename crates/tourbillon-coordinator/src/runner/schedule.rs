//! Which case has the next launch.

use std::collections::{BTreeMap, VecDeque};

use tourbillon_record::BatchShape;
use tourbillon_stats::Rng;

/// Faults of a case without a batch length after which it gets no more launches.
const MOST_PILOT_FAULTS: u32 = 2;
/// Faults of a case after which it gets no more launches.
const MOST_FAULTS: u32 = 3;

/// All launches of all cases, in one random order of units. A unit is a launch of a case, or those of a set of cases
/// that follow each other:
///
/// * a pass over the cases of a shared worker, in the order of the cases, which one worker can make;
/// * a block of cases that are compared, in a random order.
///
/// The launches of a unit have the number of the unit. The first launch of a case is its pilot launch, which finds the
/// batch length for the others. If it fails, the next launch of the case takes its place.
pub(crate) struct Schedule {
    rng: Rng,
    /// The cases of the units that are still to begin.
    units: VecDeque<Vec<usize>>,
    /// The rest of the unit that was begun last, and its number.
    current: VecDeque<usize>,
    number: u32,
    /// Cases of launches that were added and have no place yet.
    added: Vec<usize>,
    /// Launches that are still to begin, of all cases.
    left: usize,
    cases: Vec<CaseState>,
    /// Units begun of each set of cases.
    begun_of: BTreeMap<Set, u32>,
}

/// What holds cases together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Set {
    /// Nothing: the case of this index alone.
    Alone(usize),
    /// A shared worker.
    Pass(u32),
    /// They are compared.
    Block(usize),
}

struct CaseState {
    set: Set,
    /// Launches begun.
    begun: u32,
    /// Launches that are still to begin.
    waiting: u32,
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
    /// So many launches of each case, and what holds it together with others.
    pub(crate) fn new(seed: u64, cases: &[(u32, Set)]) -> Schedule {
        let state = |(_, set): &(u32, Set)| CaseState {
            set: *set,
            begun: 0,
            waiting: 0,
            faults: 0,
            length: None,
            given_up: false,
        };
        let mut schedule = Schedule {
            rng: Rng::new(seed),
            units: VecDeque::new(),
            current: VecDeque::new(),
            number: 0,
            added: Vec::new(),
            left: 0,
            cases: cases.iter().map(state).collect(),
            begun_of: BTreeMap::new(),
        };
        for (case, (launches, _)) in cases.iter().enumerate() {
            schedule.add(case, *launches);
        }
        schedule.shuffle();
        schedule
    }

    /// Adds launches of a case; [`Schedule::shuffle`] draws their places.
    pub(crate) fn add(&mut self, case: usize, launches: u32) {
        if !self.cases[case].given_up {
            self.cases[case].waiting += launches;
            self.left += launches as usize;
            let launches = std::iter::repeat_n(case, launches as usize);
            self.added.extend(launches);
        }
    }

    /// Draws the units that are still to begin, and their order. Cases of a set share as many units as they can.
    pub(crate) fn shuffle(&mut self) {
        let mut of_set: BTreeMap<Set, Vec<Vec<usize>>> = BTreeMap::new();
        let mut rest = std::mem::take(&mut self.added);
        rest.extend(self.units.drain(..).flatten());
        rest.sort_unstable();
        for same in rest.chunk_by(|one, other| one == other) {
            let units = of_set.entry(self.cases[same[0]].set).or_default();
            let count = units.len().max(same.len());
            units.resize_with(count, Vec::new);
            for unit in &mut units[..same.len()] {
                unit.push(same[0]);
            }
        }
        let mut units = Vec::new();
        for (set, of_set) in of_set {
            for mut unit in of_set {
                if matches!(set, Set::Block(_)) {
                    self.rng.shuffle(&mut unit);
                }
                units.push(unit);
            }
        }
        self.rng.shuffle(&mut units);
        self.units.extend(units);
    }

    /// The next launch.
    pub(crate) fn turn(&mut self) -> Option<Turn> {
        while self.current.is_empty() {
            let unit = self.units.pop_front()?;
            if let Some(case) = unit.first() {
                let begun = self.begun_of.entry(self.cases[*case].set).or_default();
                self.number = *begun;
                *begun += 1;
            }
            self.current.extend(unit);
        }
        let case = self.current.pop_front()?;
        self.left -= 1;
        let state = &mut self.cases[case];
        state.begun += 1;
        state.waiting -= 1;
        Some(Turn {
            case,
            launch: self.number,
            length: state.length,
        })
    }

    /// Whether all launches of a case have ended, of which there are `ended`.
    pub(crate) fn is_done(&self, case: usize, ended: u32) -> bool {
        self.cases[case].begun == ended && self.cases[case].waiting == 0
    }

    /// Launches that are still to begin.
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// The pilot launch of a case has ended: the others take its batch length, and at most this many of them are
    /// made. These are spread evenly over the rest of the run.
    pub(crate) fn piloted(&mut self, case: usize, length: BatchShape, others: u32) {
        self.cases[case].length = Some(length);
        let waiting = u64::from(self.cases[case].waiting);
        let kept = u64::from(others).min(waiting);
        let mut number = 0;
        self.retain(case, || {
            number += 1;
            number * kept / waiting > (number - 1) * kept / waiting
        });
    }

    /// Keeps those waiting launches of a case of which `is_kept` says so, asked in their order.
    fn retain(&mut self, case: usize, mut is_kept: impl FnMut() -> bool) {
        let mut dropped = 0;
        let mut keep = |other: &usize| {
            let is_dropped = *other == case && !is_kept();
            dropped += u32::from(is_dropped);
            !is_dropped
        };
        self.current.retain(&mut keep);
        for unit in &mut self.units {
            unit.retain(&mut keep);
        }
        self.added.retain(&mut keep);
        self.cases[case].waiting -= dropped;
        self.left -= dropped as usize;
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
            self.retain(case, || false);
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
        let mut cases = Vec::new();
        for (case, launches) in launches.iter().enumerate() {
            cases.push((*launches, Set::Alone(case)));
        }
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
        let waiting: Vec<usize> = schedule.units.iter().flatten().copied().collect();
        let places: Vec<usize> = (0..waiting.len())
            .filter(|place| waiting[*place] == 0)
            .collect();
        assert_eq!(places.len(), 5);
        assert!(places[0] < 100 && places[4] > 130, "{places:?}");
        schedule.piloted(0, LENGTH, 0);
        assert_eq!(schedule.cases[0].waiting, 0);
        assert!(!schedule.units.iter().flatten().any(|case| *case == 0));
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
            (3, Set::Pass(7)),
            (4, Set::Alone(1)),
            (2, Set::Pass(7)),
            (3, Set::Pass(7)),
            (2, Set::Pass(8)),
        ];
        for seed in 0..20 {
            let mut schedule = Schedule::new(seed, &cases);
            let mut order = Vec::new();
            while let Some(turn) = schedule.turn() {
                order.push(turn.case);
                // The rest of the pass stays.
                schedule.shuffle();
            }
            let is_one_pass =
                |one: &usize, next: &usize| one < next && *one != 1 && *next != 1 && *next != 4;
            let mut passes: Vec<&[usize]> = order.chunk_by(is_one_pass).collect();
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

    #[test]
    fn cases_that_are_compared_share_blocks_in_random_order() {
        let block = Set::Block(0);
        let mut schedule = Schedule::new(
            4,
            &[(20, block), (20, block), (8, block), (5, Set::Alone(3))],
        );
        let mut blocks: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut last = None;
        while let Some(turn) = schedule.turn() {
            if turn.case < 3 {
                // The launches of a block follow each other.
                let block = blocks.entry(turn.launch).or_default();
                assert!(block.is_empty() || last == Some(turn.launch), "{turn:?}");
                block.push(turn.case);
            }
            last = (turn.case < 3).then_some(turn.launch);
            // The rest of the block stays.
            schedule.shuffle();
        }
        assert_eq!(blocks.len(), 20);
        let with = |cases: &[usize]| {
            let has = |block: &&Vec<usize>| cases.iter().all(|case| block.contains(case));
            blocks.values().filter(has).count()
        };
        assert_eq!((with(&[0, 1]), with(&[0, 1, 2])), (20, 8));
        let first = |case: usize| blocks.values().filter(|block| block[0] == case).count();
        assert!(first(0) > 3 && first(1) > 3, "{blocks:?}");
        // More of two of them are blocks, too, with the next numbers.
        schedule.add(2, 2);
        schedule.add(0, 3);
        schedule.shuffle();
        let rest: Vec<Turn> = std::iter::from_fn(|| schedule.turn()).collect();
        let numbers: Vec<u32> = rest.iter().map(|turn| turn.launch).collect();
        assert_eq!(rest.len(), 5);
        assert_eq!((numbers[0], numbers[4]), (20, 22));
    }
}
