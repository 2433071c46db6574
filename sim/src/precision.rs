use tourbillon_record::Metric;
use tourbillon_stats::{Confidence, Sample, median_interval};

use crate::coverage::{Cell, covers, figure, of, results, run, truth};
use crate::simulated_run::simulated_run;
use crate::{Claim, Machine, Proportion, Repeats, Table};

/// The precision that is asked for: so narrow that most runs need a second look, and many a third.
const ASKED: f64 = 0.005;
/// Repeats from which the negative control is held to failing.
const CONTROL_FROM: u32 = 5_000;
/// Launches at most, in the negative control too.
const MOST: u32 = 80;

/// Runs that stop when their interval is narrow enough: by the project's own coordinator, whose workers
/// are the virtual machine; and by looking after every launch, which must fail.
pub fn precision(cells: &[Cell], repeats: Repeats) -> Table {
    let mut table = Table::new(
        "Coverage at 99 % of runs that stop at a precision of 0.5 %: median process",
        &[
            "machine",
            "time",
            "cycles",
            "launches on average",
            "reached it",
            "a look after every launch from 8 on",
        ],
    );
    let mut early = Vec::new();
    for (number, cell) in cells.iter().enumerate() {
        let own = repeats.for_cell(800 + 10 * number as u64);
        let truth = truth(&cell.machine, own.for_cell(0));
        let stopped = own.of(|seed| {
            let (results, launches) = simulated_run(&cell.machine, Some(ASKED), seed);
            let (time, cycles) = (of(&results, Metric::Time), of(&results, Metric::Cycles));
            let narrow = time.is_some_and(|time| {
                let ends = time.lower.zip(time.upper).zip(time.estimate.ok());
                ends.is_some_and(|((l, u), estimate)| (u - l) / 2.0 <= ASKED * estimate)
            });
            (
                covers(time, truth.time),
                covers(cycles, truth.cycles),
                launches,
                narrow,
            )
        });
        let peeked = own.of(|seed| peeked(&cell.machine, ASKED, truth.time, seed));
        table.row(cell.name);
        let time = Proportion::count(stopped.iter().map(|stopped| stopped.0));
        let cycles = Proportion::count(stopped.iter().map(|stopped| stopped.1));
        table.share(time, Claim::AtLeast(0.99));
        table.share(cycles, Claim::AtLeast(0.99));
        let launches: f64 = stopped.iter().map(|stopped| f64::from(stopped.2)).sum();
        table.text(format!("{:.0}", launches / stopped.len().max(1) as f64));
        let narrow = Proportion::count(stopped.iter().map(|stopped| stopped.3));
        table.text(format!("{:.0} %", 100.0 * narrow.share()));
        if narrow.share() >= 0.5 {
            early.extend_from_slice(&peeked);
        }
        table.share(Proportion::count(peeked), Claim::Shown { upper: true });
    }
    // It fails by little: with few repeats, or where runs do not stop early, that does not show.
    let control = if repeats.count >= CONTROL_FROM {
        Claim::FailsBelow(0.99)
    } else {
        Claim::Shown { upper: true }
    };
    table.row("those of which at least half reached it, together");
    for _ in 0..4 {
        table.text("");
    }
    table.share(Proportion::count(early), control);
    table
}

/// Whether the interval at 99 % covers that is taken when it is narrow enough for the first time,
/// looked at after every launch.
fn peeked(machine: &Machine, precision: f64, truth: f64, seed: u64) -> bool {
    let launches = run(machine, MOST, seed);
    let launches: Vec<f64> = launches
        .iter()
        .map(|launch| figure(&results(std::slice::from_ref(launch)), Metric::Time))
        .collect();
    let mut covers = false;
    for count in Confidence::P99.values_needed()..=launches.len() {
        let interval = Sample::new(launches[..count].to_vec())
            .ok()
            .and_then(|sample| median_interval(&sample, Confidence::P99).ok());
        let Some(interval) = interval else {
            continue;
        };
        covers = interval.contains(truth);
        if interval.half_width() <= precision * truth {
            break;
        }
    }
    covers
}
