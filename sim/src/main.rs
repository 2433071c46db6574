//! `sim [--repeats N] [--threads N] [--seed N] [PART..]`: prints how often the estimators are right.

use std::io::Write;
use std::process::ExitCode;

use sim::{
    Repeats, Table, attempts, bisections, cases, changed_builds, changed_functions, contention,
    controls, coverage, disturbed_functions, for_contention, for_precision, for_runs, history,
    machines, percentiles, precision, same_builds, same_functions, shards, suites, sweeps,
};

/// Makes the tables of a part.
type Part = fn(Repeats) -> Vec<Table>;

/// What can be asked for.
const PARTS: &[(&str, Part)] = &[
    ("coverage", |repeats| coverage(&for_runs(), repeats).into()),
    ("precision", |repeats| {
        vec![precision(&for_precision(), repeats)]
    }),
    ("contention", |repeats| {
        vec![contention(&for_contention(), repeats)]
    }),
    ("cases", |repeats| vec![cases(&for_contention(), repeats)]),
    ("same-functions", |repeats| vec![same_functions(repeats)]),
    ("changed-functions", |repeats| {
        vec![changed_functions(repeats)]
    }),
    ("disturbed-functions", |repeats| {
        vec![disturbed_functions(repeats)]
    }),
    ("same-builds", |repeats| vec![same_builds(repeats)]),
    ("changed-builds", |repeats| vec![changed_builds(repeats)]),
    ("controls", |repeats| vec![controls(repeats)]),
    ("suites", |repeats| vec![suites(repeats)]),
    ("sweeps", sweeps),
    ("percentiles", percentiles),
    ("history", history),
    ("bisections", |repeats| vec![bisections(repeats)]),
    ("attempts", attempts),
    ("shards", |repeats| vec![shards(repeats)]),
    ("machines", |repeats| vec![machines(repeats)]),
];

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "sim: {e}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: impl Iterator<Item = String>) -> Result<bool, String> {
    let mut repeats = Repeats {
        count: 10_000,
        threads: 2,
        seed: 1,
    };
    let mut parts = Vec::new();
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let value = arguments
                .next()
                .ok_or(format!("{argument} wants a number"))?;
            value
                .parse::<u32>()
                .map_err(|e| format!("{argument} {value}: {e}; give a whole number"))
        };
        match argument.as_str() {
            "--repeats" => repeats.count = number()?,
            "--threads" => repeats.threads = number()?,
            "--seed" => repeats.seed = number()?.into(),
            name => match PARTS.iter().find(|(own, _)| *own == name) {
                Some(part) => parts.push(*part),
                None => {
                    let names: Vec<&str> = PARTS.iter().map(|part| part.0).collect();
                    return Err(format!("no `{name}`; there is {}", names.join(", ")));
                }
            },
        }
    }
    if parts.is_empty() {
        parts.extend(PARTS);
    }
    let mut out = std::io::stdout();
    let mut wrong = Vec::new();
    for (_, part) in parts {
        for table in part(repeats) {
            writeln!(out, "{table}").map_err(|e| format!("cannot print: {e}"))?;
            wrong.extend_from_slice(table.wrong());
        }
    }
    for line in &wrong {
        writeln!(out, "not as it shall be: {line}").map_err(|e| format!("cannot print: {e}"))?;
    }
    Ok(wrong.is_empty())
}
