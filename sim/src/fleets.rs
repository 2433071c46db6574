use tourbillon_history::ChangeDetector;

use crate::history::{AFTER, BEFORE, ERROR, NOISE, RUNS, Scatter, step_of};
use crate::{Chance, Claim, Proportion, Repeats, Table};

/// Standard deviation of the levels of machines of one kind, as a share.
const LEVELS: f64 = 0.02;
/// The step that all machines have.
const STEP: f64 = 0.02;

/// Which of several machines of one kind makes a run.
#[derive(Clone, Copy)]
enum Fleet {
    One,
    /// One of so many, by chance.
    Some(usize),
    /// One for so many runs each, then a new one.
    New(usize),
    /// One up to this run, then another.
    Replaced(usize),
    /// One of two, the second one more and more often.
    Growing,
    /// One for every other run, a new one for each of the others.
    Half,
    /// One of two by chance, of which the second scatters four times as much.
    Rough,
    /// A quiet one, then the rough one for the last runs from here on.
    RoughLast(usize),
}

const FLEETS: [(&str, Fleet); 12] = [
    ("one", Fleet::One),
    ("two by chance", Fleet::Some(2)),
    ("five by chance", Fleet::Some(5)),
    ("30 by chance", Fleet::Some(30)),
    ("a new one each run", Fleet::New(1)),
    ("a new one after 5 runs", Fleet::New(5)),
    ("a new one after 20 runs", Fleet::New(20)),
    ("another from run 70 on", Fleet::Replaced(70)),
    ("two, the second more and more often", Fleet::Growing),
    ("one, a new one every other run", Fleet::Half),
    (
        "two by chance, one scatters four times as much",
        Fleet::Rough,
    ),
    (
        "the same, the rough one for the last 12 runs",
        Fleet::RoughLast(12),
    ),
];

/// Runs of machines of one kind: the values, and which machine made each.
struct Fleeted {
    values: Vec<f64>,
    machines: Vec<usize>,
}

impl Fleet {
    /// `count` runs, with a step after [`BEFORE`].
    fn runs(self, count: usize, step: f64, seed: u64) -> Fleeted {
        let mut chance = Chance::new(seed);
        let levels: Vec<f64> = (0..count).map(|_| 1.0 + LEVELS * chance.normal()).collect();
        let machine = |at: usize, chance: &mut Chance| match self {
            Fleet::One => 0,
            Fleet::Some(machines) => (chance.uniform() * machines as f64) as usize,
            Fleet::New(runs) => at / runs,
            Fleet::Replaced(from) => usize::from(at >= from),
            Fleet::Growing => usize::from(chance.happens(at as f64 / count as f64)),
            Fleet::Half => at % 2 * at,
            Fleet::Rough => usize::from(chance.happens(0.5)),
            Fleet::RoughLast(runs) => usize::from(at + runs >= count),
        };
        let machines: Vec<usize> = (0..count).map(|at| machine(at, &mut chance)).collect();
        let scatter = Scatter::Normal.values(count, &mut chance);
        let value = |(at, scatter): (usize, &f64)| {
            let machine = machines[at];
            let is_rough = matches!(self, Fleet::Rough | Fleet::RoughLast(_)) && machine == 1;
            let noise = if is_rough { 4.0 * NOISE } else { NOISE };
            let step = if at < BEFORE { 0.0 } else { step };
            levels[machine] * (1.0 + step) * (1.0 + noise * scatter)
        };
        Fleeted {
            values: scatter.iter().enumerate().map(value).collect(),
            machines,
        }
    }
}

/// The detector of the history on series of several machines.
pub(crate) fn fleets(repeats: Repeats) -> Table {
    let mut table = Table::new(
        "Machines of one kind whose levels differ by 2 %, a scatter of 0.5 %, nominated at 5 %",
        &[
            "who measures",
            "stable series nominated",
            "with all taken for one",
            "a step of 2 % after 100 runs within 8 runs",
            "within 16 runs",
            "within 40 runs",
        ],
    );
    let detector = ChangeDetector::new(RUNS, ERROR);
    for (number, (name, fleet)) in FLEETS.into_iter().enumerate() {
        table.row(name);
        let repeats = repeats.for_cell(1_330 + number as u64);
        let stable = repeats.of(|seed| {
            let Fleeted { values, machines } = fleet.runs(RUNS, 0.0, seed);
            let own = detector.changes_on(&values, &machines);
            [!own.is_empty(), !detector.changes(&values).is_empty()]
        });
        let share = |column: usize| Proportion::count(stable.iter().map(|found| found[column]));
        table.share(share(0), Claim::AtMost(ERROR));
        let is_shifted = matches!(
            fleet,
            Fleet::New(5 | 20) | Fleet::Replaced(_) | Fleet::Growing | Fleet::RoughLast(_)
        );
        let ignored = if is_shifted {
            Claim::FailsAbove(ERROR)
        } else {
            Claim::Shown { upper: true }
        };
        table.share(share(1), ignored);
        let steps = repeats.of(|seed| {
            [8, 16, AFTER].map(|after| {
                let Fleeted { values, machines } = fleet.runs(BEFORE + after, STEP, seed);
                step_of(detector.changes_on(&values, &machines)).is_some()
            })
        });
        for within in 0..3 {
            let found = Proportion::count(steps.iter().map(|found| found[within]));
            table.share(found, Claim::Shown { upper: false });
        }
    }
    table
}
