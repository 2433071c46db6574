use tourbillon_record::BatchShape;
use tourbillon_stats::Rng;

/// Faults of a case without a batch length after which it is given up.
const MOST_SCOUT_FAULTS: u32 = 2;
/// Faults of a case after which it is given up.
const MOST_FAULTS: u32 = 3;

/// Which case is visited next: all visits of all cases in one random order.
///
/// The first visit of a case is its scout, which finds the batch length for the others. A scout
/// that fails hands its task to the case's next visit.
pub(crate) struct Schedule {
    rng: Rng,
    /// Index of a case for each visit, those made first.
    queue: Vec<usize>,
    /// How many have been made.
    made: usize,
    cases: Vec<Standing>,
}

/// How a case stands.
#[derive(Clone, Copy, Default)]
struct Standing {
    /// Visits begun, which is the number of the next launch.
    begun: u32,
    faults: u32,
    length: Option<BatchShape>,
    given_up: bool,
}

/// A visit to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Index of the case.
    pub(crate) case: usize,
    /// Number of the launch.
    pub(crate) launch: u32,
    /// Batch length; `None` for a scout.
    pub(crate) length: Option<BatchShape>,
}

impl Schedule {
    /// So many launches of each case.
    #[inline(never)]
    pub(crate) fn new(seed: u64, launches: &[u32]) -> Schedule {
        let mut schedule = Schedule {
            rng: Rng::new(seed),
            queue: Vec::new(),
            made: 0,
            cases: Vec::new(),
        };
        for launches in launches {
            schedule.cases.push(Standing::default());
            schedule.add(schedule.cases.len() - 1, *launches);
        }
        schedule.shuffle();
        schedule
    }

    /// Adds so many launches of a case, behind all others, for [`Schedule::shuffle`] to put in
    /// order.
    pub(crate) fn add(&mut self, case: usize, launches: u32) {
        if !self.cases[case].given_up {
            for _ in 0..launches {
                self.queue.push(case);
            }
        }
    }

    /// Draws the order of the visits that are still to be made.
    pub(crate) fn shuffle(&mut self) {
        self.rng.shuffle(&mut self.queue[self.made..]);
    }

    /// The next visit.
    pub(crate) fn turn(&mut self) -> Option<Turn> {
        let case = *self.queue.get(self.made)?;
        self.made += 1;
        let standing = &mut self.cases[case];
        let launch = standing.begun;
        standing.begun += 1;
        Some(Turn {
            case,
            launch,
            length: standing.length,
        })
    }

    /// Whether a case has no visit left: neither one that is still to begin, nor one besides those
    /// that have `ended`.
    pub(crate) fn is_done(&self, case: usize, ended: u32) -> bool {
        self.cases[case].begun == ended && !self.queue[self.made..].contains(&case)
    }

    /// Visits that are still to be made.
    pub(crate) fn left(&self) -> usize {
        self.queue.len() - self.made
    }

    /// The scout of a case has come back: the others take its batch length, and at most so many of
    /// them are made. Those left out are spread evenly over the rest of the run, so that the ones
    /// made still cover all of it.
    #[inline(never)]
    pub(crate) fn scouted(&mut self, case: usize, length: BatchShape, others: u32) {
        self.cases[case].length = Some(length);
        let mut waiting = 0;
        for other in &self.queue[self.made..] {
            waiting += u64::from(*other == case);
        }
        let kept = u64::from(others).min(waiting);
        let mut number = 0;
        self.keep(case, &mut || {
            number += 1;
            number * kept / waiting > (number - 1) * kept / waiting
        });
    }

    /// A visit of a case has failed. After two without a batch length, or three in all, the case
    /// is given up: its other visits would most likely fail too, and a hang costs 30 s each.
    #[inline(never)]
    pub(crate) fn failed(&mut self, case: usize) {
        let standing = &mut self.cases[case];
        standing.faults += 1;
        let most = match standing.length {
            None => MOST_SCOUT_FAULTS,
            Some(_) => MOST_FAULTS,
        };
        if standing.faults >= most {
            standing.given_up = true;
            self.keep(case, &mut || false);
        }
    }

    /// Leaves out the visits of a case that are still to be made and are not wanted.
    fn keep(&mut self, case: usize, wanted: &mut dyn FnMut() -> bool) {
        let mut kept = self.made;
        for index in self.made..self.queue.len() {
            let other = self.queue[index];
            if other != case || wanted() {
                self.queue[kept] = other;
                kept += 1;
            }
        }
        self.queue.truncate(kept);
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
    fn others_take_the_length_of_the_scout() {
        let mut schedule = Schedule::new(0, &[4]);
        assert_eq!(schedule.turn().unwrap().length, None);
        schedule.scouted(0, LENGTH, 3);
        assert_eq!(schedule.left(), 3);
        while let Some(turn) = schedule.turn() {
            assert_eq!(turn.length, Some(LENGTH));
        }
    }

    #[test]
    fn launches_left_out_are_spread() {
        let mut schedule = Schedule::new(3, &[21, 200]);
        while schedule.turn().unwrap().case != 0 {}
        schedule.scouted(0, LENGTH, 5);
        let places: Vec<usize> = (0..schedule.left())
            .filter(|place| schedule.queue[schedule.made + *place] == 0)
            .collect();
        assert_eq!(places.len(), 5);
        assert!(places[0] < 100 && places[4] > 130, "{places:?}");
        schedule.scouted(0, LENGTH, 0);
        assert!(!schedule.queue[schedule.made..].contains(&0));
        schedule.scouted(0, LENGTH, 9);
    }

    #[test]
    fn a_case_is_done_when_its_last_visit_has_ended() {
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
    fn a_second_scout_is_sent_and_no_third() {
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
        schedule.scouted(0, LENGTH, 19);
        schedule.failed(0);
        schedule.failed(0);
        assert_eq!(schedule.left(), 20);
        schedule.failed(0);
        assert_eq!(schedule.left(), 1);
    }
}
