//! An archive, and what an index of it answers.

use std::path::Path;

#[cfg(feature = "postgres")]
use tourbillon_history::index::FileKind;
use tourbillon_history::index::{Archive, Failure, Index};
use tourbillon_record::Finding;

use crate::samples::{comparison, record, run};

/// An archive of this many runs of two cases on two machines, two comparisons and two failures.
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
    for (number, cases) in [
        (2, &[("a", Finding::Slower)][..]),
        (1, &[("b", Finding::Same), ("a", Finding::Undecided)]),
    ] {
        let bytes = comparison(number, ["c1", "c2"], cases);
        archive
            .add_comparison(&run(&bytes), &bytes)
            .expect("written");
        let failure = Failure::new("c3", "m", "it does not build", 9 - number);
        archive.add_failure(&failure).expect("written");
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
                "{} {:?} {} {} {:?}",
                run.record, run.commit, run.started_unix_ns, run.machine, run.compilation
            )
        })
        .collect();
    for series in index.series().expect("series") {
        let mut points: Vec<String> = index
            .points(series.number, None)
            .expect("points")
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
    let comparisons = index.comparisons().expect("comparisons");
    lines.extend(comparisons.iter().map(|one| format!("{one:?}")));
    let failures = index.failures().expect("failures");
    lines.extend(failures.iter().map(|one| format!("{one:?}")));
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
    text += &format!("{:#?}\n", index.comparisons().expect("comparisons"));
    text += &format!("{:#?}\n", index.failures().expect("failures"));
    for of in [FileKind::Run, FileKind::Comparison, FileKind::Failure] {
        let mut hashes = Vec::from_iter(index.hashes(of).expect("hashes"));
        hashes.sort();
        text += &hashes.join("\n");
    }
    text
}
