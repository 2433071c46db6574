//! Whether an installed meter that does not count changes the results of benchmarks: see `scripts/mem-off.sh`.
//!
//! Two executables of the same benchmarks, with the meter as global allocator and without: a round starts the
//! one without, the same file again, and the one with, in random order. The results are intervals of the ratios
//! over all rounds; "again" shows the intervals without a difference. Rounds are stored in a file, from which an
//! interrupted measurement goes on.

mod cases;
mod rounds;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cases::{Case, Found};
use rounds::{Bench, Round, Rounds, Times};
use tourbillon_stats::Rng;

const USAGE: &str = "usage: mem-off FILE ROUNDS SECONDS SEED PLAIN METERED [PLAIN METERED]..";
/// Names of the executables, in the order of the figures.
const ARMS: [&str; 3] = ["plain", "again", "metered"];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mem-off: {error}");
            ExitCode::from(1)
        }
    }
}

/// The arguments.
struct Arguments {
    file: PathBuf,
    rounds: usize,
    /// Longest time of this process.
    time: Duration,
    seed: u64,
    benches: Vec<Bench>,
}

fn run() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let arguments = Arguments::read(&words).ok_or(USAGE)?;
    let mut rounds = Rounds::open(&arguments.file, &arguments.benches)?;
    let mut rng = Rng::new(arguments.seed);
    let (start, mut longest) = (Instant::now(), Duration::ZERO);
    while rounds.whole() < arguments.rounds {
        let whole = rounds.whole();
        for (number, bench) in arguments.benches.iter().enumerate() {
            if rounds.of[number].len() > whole {
                continue;
            }
            // Another round is started if there is time for it.
            if start.elapsed() + longest > arguments.time {
                let (file, all) = (arguments.file.display(), arguments.rounds);
                println!("{whole} of {all} rounds are in {file}; repeat the command to continue");
                return Ok(());
            }
            let begun = Instant::now();
            let round =
                round(bench, &mut rng).map_err(|error| format!("round {whole}: {error}"))?;
            rounds.add(number, round)?;
            longest = longest.max(begun.elapsed());
        }
    }
    let mut cases: Vec<Case> = Vec::new();
    for [plain, again, metered] in rounds.of.iter().flatten() {
        cases::add(&mut cases, plain.clone(), again, metered);
    }
    print(&cases, rounds.whole())
}

impl Arguments {
    fn read(arguments: &[String]) -> Option<Arguments> {
        let [file, rounds, seconds, seed, benches @ ..] = arguments else {
            return None;
        };
        let (benches, rest) = benches.as_chunks();
        let bench = |[plain, metered]: &[String; 2]| Bench {
            plain: plain.clone(),
            metered: metered.clone(),
        };
        let benches: Vec<Bench> = benches.iter().map(bench).collect();
        if benches.is_empty() || !rest.is_empty() {
            return None;
        }
        Some(Arguments {
            file: PathBuf::from(file),
            rounds: rounds.parse().ok()?,
            time: Duration::from_secs(seconds.parse().ok()?),
            seed: seed.parse().ok()?,
            benches,
        })
    }
}

/// One process of each executable, in random order.
fn round(bench: &Bench, rng: &mut Rng) -> Result<Round, String> {
    let mut order = [0, 1, 2];
    rng.shuffle(&mut order);
    let mut found = [Times::new(), Times::new(), Times::new()];
    for arm in order {
        found[arm] = bench.run(ARMS[arm] == "metered")?;
    }
    Ok(found)
}

fn print(cases: &[Case], rounds: usize) -> Result<(), String> {
    println!("| case | ns | again / plain | metered / plain | |");
    println!("|---|---:|---:|---:|---|");
    let mut found = Vec::new();
    for case in cases {
        let of_case = case
            .found(cases.len())
            .ok_or_else(|| format!("`{}` has too few figures; use more rounds", case.name))?;
        let verdict = of_case.metered.verdict();
        println!(
            "| {} | {:.4} | {} | {} | {verdict} |",
            case.name, of_case.plain_ns, of_case.again, of_case.metered
        );
        found.push(of_case);
    }
    let different = |ratio: fn(&Found) -> &cases::Ratio| {
        let outside = |found: &&Found| !ratio(found).verdict().is_empty();
        found.iter().filter(outside).count()
    };
    println!(
        "\n{} cases, {rounds} rounds; simultaneous intervals of 99 %. Different from plain: again {}, metered \
         {}.",
        cases.len(),
        different(|found| &found.again),
        different(|found| &found.metered),
    );
    let (again, metered) = cases::over_all(&found).ok_or("no figures")?;
    println!("Over all cases: again {again}, metered {metered}.");
    Ok(())
}
