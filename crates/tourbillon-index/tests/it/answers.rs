//! An archive, and what an index of it answers.

use std::path::Path;

use tourbillon_index::{Archive, Index};

use crate::samples::{record, run};

/// An archive of this many runs of two cases on two machines.
pub(crate) fn archive(folder: &Path, runs: u64) -> Archive {
    let archive = Archive::new(folder);
    for number in 0..runs {
        let cpu = if number % 3 == 0 { "one" } else { "other" };
        let cases = [
            ("shop/sort::a", 10.0 + number as f64),
            ("shop/sort::b", 5.0),
        ];
        let bytes = record(number, &format!("c{number}"), cpu, &cases);
        archive.add(&run(&bytes), &bytes, None).expect("written");
    }
    archive
}

/// Everything that an index answers, without its own numbers.
pub(crate) fn answers(index: &mut dyn Index) -> Vec<String> {
    let runs = index.runs().expect("runs");
    let record = |number: i64| {
        let run = runs.iter().find(|run| run.number == number);
        run.expect("a run").record.clone()
    };
    let mut lines: Vec<String> = runs
        .iter()
        .map(|run| {
            format!(
                "{} {:?} {} {}",
                run.record, run.commit, run.started_unix_ns, run.machine
            )
        })
        .collect();
    for series in index.series().expect("series") {
        let points = index.points(series.number, None).expect("points");
        let mut points: Vec<String> = points
            .iter()
            .map(|point| {
                format!(
                    "{} {} {:?} {:?}",
                    record(point.run),
                    point.value,
                    point.lower,
                    point.upper
                )
            })
            .collect();
        points.sort();
        let (case, metric, machine) = (&series.case, &series.metric, &series.machine);
        lines.push(format!(
            "{case} {metric} {} {machine}: {points:?}",
            series.unit
        ));
    }
    lines
}

/// Everything that an index answers, to the last bit and in its order.
#[cfg(feature = "postgres")]
pub(crate) fn exact_answers(index: &mut dyn Index) -> String {
    let runs = index.runs().expect("runs");
    let mut text = format!("{runs:#?}\n");
    let some: Vec<i64> = runs.iter().step_by(3).map(|run| run.number).collect();
    for series in index.series().expect("series") {
        text += &format!("{series:#?}\n");
        for runs in [None, Some(some.as_slice()), Some(&[])] {
            for point in index.points(series.number, runs).expect("points") {
                let ends = [point.lower, point.upper].map(|end| end.map(f64::to_bits));
                text += &format!("{} {} {ends:?}\n", point.run, point.value.to_bits());
            }
        }
    }
    let mut records: Vec<String> = index.records().expect("records").into_iter().collect();
    records.sort();
    text + &records.join("\n")
}
