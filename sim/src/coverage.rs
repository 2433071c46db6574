use tourbillon_analysis::{Rules, Tally, estimate};
use tourbillon_record::{CaseResult, LaunchSamples, Metric};
use tourbillon_stats::{Confidence, Sample, mean, median, stddev};

use crate::launches::{CYCLES_PER_OP, frequency, simulated_launch};
use crate::machine::Conditions;
use crate::{Chance, Claim, Machine, Proportion, Repeats, Table, quantile};

/// Launches of a case at default settings.
pub(crate) const LAUNCHES: u32 = 20;
/// Launches from which the truth of a cell is known, for each repeat; and how many at least.
const REFERENCE: u32 = 4;
const REFERENCE_AT_LEAST: u32 = 2_000;
/// Student's t for 19 degrees of freedom at 99 %.
const T_19: f64 = 2.860_935;
/// Launches of the interval from the smallest to the largest.
const EXTREMES: usize = 10;

/// A machine on which intervals are tried.
#[derive(Clone, Debug)]
pub struct Cell {
    /// What it is called.
    pub name: &'static str,
    /// What it does.
    pub machine: Machine,
    /// Whether launches are independent there, as intervals of launches take them to be.
    pub independent: bool,
}

/// What is true of a machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Truth {
    /// The median process, in nanoseconds and in cycles.
    pub time: f64,
    /// The same in cycles.
    pub cycles: f64,
    /// The mean of all processes, in nanoseconds.
    pub mean: f64,
    /// What the body costs in the median process where nothing disturbs it, in cycles.
    pub undisturbed: f64,
}

/// The rules of a run at 99 %.
pub(crate) fn rules() -> Rules {
    Rules {
        frequency: frequency(),
        confidence: Confidence::P99,
        core_cache_bytes: None,
    }
}

/// The launches of one run.
pub(crate) fn run(machine: &Machine, launches: u32, seed: u64) -> Vec<LaunchSamples> {
    let mut chance = Chance::new(seed);
    let mut conditions = Conditions::of(machine, &mut chance);
    (0..launches)
        .map(|launch| {
            let offset = machine.offset(&mut chance) * conditions.next(&mut chance);
            let moment = (f64::from(launch) + 0.5) / f64::from(launches);
            simulated_launch(machine, launch, offset, moment, chance.seed(), None)
        })
        .collect()
}

/// The results of launches, those of a run at default settings.
pub(crate) fn results(launches: &[LaunchSamples]) -> Vec<CaseResult> {
    estimate("", launches, &Tally::default(), &rules())
}

/// The result in a metric.
pub(crate) fn of(results: &[CaseResult], metric: Metric) -> Option<&CaseResult> {
    results.iter().find(|result| result.metric == metric)
}

/// The estimate in a metric; not a number where there is none, which nothing covers.
pub(crate) fn figure(results: &[CaseResult], metric: Metric) -> f64 {
    of(results, metric)
        .and_then(|result| result.estimate.ok())
        .unwrap_or(f64::NAN)
}

/// Whether an interval is there and has a value in it.
pub(crate) fn covers(result: Option<&CaseResult>, truth: f64) -> bool {
    let ends = result.and_then(|result| Some((result.lower?, result.upper?)));
    ends.is_some_and(|(lower, upper)| lower <= truth && truth <= upper)
}

/// Half the width of an interval, as a fraction of the truth; infinite where there is none.
pub(crate) fn half_width(result: Option<&CaseResult>, truth: f64) -> f64 {
    let ends = result.and_then(|result| Some((result.lower?, result.upper?)));
    ends.map_or(f64::INFINITY, |(lower, upper)| {
        (upper - lower) / 2.0 / truth
    })
}

/// Learns the truth of a machine from many launches, each of a run of its own.
pub(crate) fn truth(machine: &Machine, repeats: Repeats) -> Truth {
    let repeats = Repeats {
        count: repeats
            .count
            .saturating_mul(REFERENCE)
            .max(REFERENCE_AT_LEAST),
        ..repeats
    };
    let launches = repeats.of(|seed| {
        let mut chance = Chance::new(seed);
        let mut conditions = Conditions::of(machine, &mut chance);
        let own = machine.offset(&mut chance);
        let offset = own * conditions.next(&mut chance);
        let moment = chance.uniform();
        let found = results(&[simulated_launch(
            machine,
            0,
            offset,
            moment,
            chance.seed(),
            None,
        )]);
        (
            figure(&found, Metric::Time),
            figure(&found, Metric::Cycles),
            own,
        )
    });
    let time = sample(launches.iter().map(|launch| launch.0));
    let cycles = sample(launches.iter().map(|launch| launch.1));
    let own = sample(launches.iter().map(|launch| launch.2));
    Truth {
        time: median(&time),
        cycles: median(&cycles),
        mean: mean(&time),
        undisturbed: CYCLES_PER_OP * median(&own),
    }
}

/// A sample of those values that are numbers; of zero, where none is.
fn sample(values: impl Iterator<Item = f64>) -> Sample {
    let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    Sample::new(values).unwrap_or_else(|_| {
        let zero = [0];
        Sample::from_ticks(&zero).unwrap_or_else(|_| unreachable!("one value is a sample"))
    })
}

/// What one run shows, and whether it is true.
struct Tried {
    time: bool,
    time_width: f64,
    cycles: bool,
    cycles_undisturbed: bool,
    cycles_width: f64,
    one_process: bool,
    one_process_width: f64,
    mean: bool,
    mean_width: f64,
    extremes: bool,
    extremes_width: f64,
}

fn try_once(machine: &Machine, truth: &Truth, seed: u64) -> Tried {
    let launches = run(machine, LAUNCHES, seed);
    let found = results(&launches);
    let (time, cycles) = (of(&found, Metric::Time), of(&found, Metric::Cycles));
    let alone = results(&launches[..1]);
    let one_process = of(&alone, Metric::Time);
    let launches: Vec<f64> = launches
        .iter()
        .map(|launch| figure(&results(std::slice::from_ref(launch)), Metric::Time))
        .collect();
    // From the whole of the run, as ten launches would be.
    let step = launches.len() / EXTREMES;
    let ten = sample(launches.iter().copied().step_by(step.max(1)));
    let all = sample(launches.into_iter());
    let reach = T_19 * stddev(&all).unwrap_or(0.0) / (all.len() as f64).sqrt();
    Tried {
        time: covers(time, truth.time),
        time_width: half_width(time, truth.time),
        cycles: covers(cycles, truth.cycles),
        cycles_undisturbed: covers(cycles, truth.undisturbed),
        cycles_width: half_width(cycles, truth.cycles),
        one_process: covers(one_process, truth.time),
        one_process_width: half_width(one_process, truth.time),
        mean: (mean(&all) - truth.mean).abs() <= reach,
        mean_width: reach / truth.mean,
        extremes: ten.min() <= truth.time && truth.time <= ten.max(),
        extremes_width: (ten.max() - ten.min()) / 2.0 / truth.time,
    }
}

/// Tries the intervals of default runs on each machine; then what others do, which must fail.
pub fn coverage(cells: &[Cell], repeats: Repeats) -> [Table; 2] {
    let mut ours = Table::new(
        "Coverage of the intervals of a run at 99 %, twenty launches",
        &[
            "machine",
            "time: median process",
            "half-width",
            "cycles: median process",
            "cycles: undisturbed cost",
            "half-width",
        ],
    );
    let mut controls = Table::new(
        "What others do, at 99 % as well",
        &[
            "machine",
            "one process: median process",
            "half-width",
            "mean and t: mean process",
            "half-width",
            "[min, max] of ten: median process",
            "half-width",
            "one in ten wider than",
        ],
    );
    for (number, cell) in cells.iter().enumerate() {
        let machine = &cell.machine;
        let own = repeats.for_cell(number as u64);
        let truth = truth(machine, own.for_cell(0));
        let tried = own.of(|seed| try_once(machine, &truth, seed));
        let count = |of: fn(&Tried) -> bool| Proportion::count(tried.iter().map(of));
        let width = |of: fn(&Tried) -> f64, share| {
            format!("{:.3} %", 100.0 * quantile(tried.iter().map(of), share))
        };
        let claim = if cell.independent {
            Claim::AtLeast(0.99)
        } else {
            Claim::FailsBelow(0.99)
        };
        let shown = Claim::Shown { upper: false };
        ours.row(cell.name);
        ours.share(count(|tried| tried.time), claim);
        ours.text(width(|tried| tried.time_width, 0.5));
        ours.share(count(|tried| tried.cycles), claim);
        ours.share(count(|tried| tried.cycles_undisturbed), shown);
        ours.text(width(|tried| tried.cycles_width, 0.5));
        controls.row(cell.name);
        // A clock that hardly sees anything makes an interval so wide that it covers that as well.
        let processes_differ = machine.process > 0.0 && machine.quantum_ns < 100.0;
        let one_process = if processes_differ {
            Claim::FailsBelow(0.99)
        } else {
            shown
        };
        controls.share(count(|tried| tried.one_process), one_process);
        controls.text(width(|tried| tried.one_process_width, 0.5));
        let mean = if machine.slow_in > 0.0 {
            Claim::FailsBelow(0.99)
        } else {
            shown
        };
        controls.share(count(|tried| tried.mean), mean);
        controls.text(width(|tried| tried.mean_width, 0.5));
        controls.share(count(|tried| tried.extremes), shown);
        controls.text(width(|tried| tried.extremes_width, 0.5));
        controls.text(width(|tried| tried.extremes_width, 0.9));
    }
    [ours, controls]
}
