//! Whether benchmarks can tell that a meter is installed which does not count: see `scripts/mem-off.sh`.
//!
//! Two executables of the same benchmarks, with the meter as global allocator and without, run beside
//! each other: a round starts the one without, the same file again, and the one with, in an order drawn
//! anew. Each case has the ratio of each round, and an interval of these; "again" shows what intervals are
//! like where there is no difference. Rounds are kept in a file, and go on where they stopped.

mod cases;
mod process;
mod rounds;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cases::{Case, Found};
use process::{Bench, Times};
use rounds::{Round, Rounds};
use tourbillon_stats::Rng;

const USAGE: &str = "usage: mem-off FILE ROUNDS SECONDS SEED PLAIN METERED [PLAIN METERED]..";
/// Names of what is compared, in the order of the figures.
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

/// What is wanted.
struct Wish {
    file: PathBuf,
    rounds: usize,
    /// How long this process may measure.
    time: Duration,
    seed: u64,
    benches: Vec<Bench>,
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let wish = Wish::read(&arguments).ok_or(USAGE)?;
    let mut rounds = Rounds::open(&wish.file, &wish.benches)?;
    let mut rng = Rng::new(wish.seed);
    let (start, mut longest) = (Instant::now(), Duration::ZERO);
    while rounds.whole() < wish.rounds {
        let whole = rounds.whole();
        for (number, bench) in wish.benches.iter().enumerate() {
            if rounds.of[number].len() > whole {
                continue;
            }
            // Another one is begun where it fits in.
            if start.elapsed() + longest > wish.time {
                let (file, all) = (wish.file.display(), wish.rounds);
                println!("{whole} of {all} rounds are in {file}; the same command goes on");
                return Ok(());
            }
            let begun = Instant::now();
            let round = beside_each_other(bench, &mut rng)
                .map_err(|error| format!("round {whole}: {error}"))?;
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

impl Wish {
    fn read(arguments: &[String]) -> Option<Wish> {
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
        Some(Wish {
            file: PathBuf::from(file),
            rounds: rounds.parse().ok()?,
            time: Duration::from_secs(seconds.parse().ok()?),
            seed: seed.parse().ok()?,
            benches,
        })
    }
}

/// One process of each arm, in an order of chance.
fn beside_each_other(bench: &Bench, rng: &mut Rng) -> Result<Round, String> {
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
            .ok_or_else(|| format!("`{}` has too few figures; give more rounds", case.name))?;
        let verdict = of_case.metered.verdict();
        println!(
            "| {} | {:.4} | {} | {} | {verdict} |",
            case.name, of_case.plain_ns, of_case.again, of_case.metered
        );
        found.push(of_case);
    }
    let told_apart = |ratio: fn(&Found) -> &cases::Ratio| {
        let outside = |found: &&Found| !ratio(found).verdict().is_empty();
        found.iter().filter(outside).count()
    };
    println!(
        "\n{} cases, {rounds} rounds; intervals that all hold together with 99 %. Told apart from \
         plain: again {}, metered {}.",
        cases.len(),
        told_apart(|found| &found.again),
        told_apart(|found| &found.metered),
    );
    let (again, metered) = cases::over_all(&found).ok_or("no figures")?;
    println!("Over all cases: again {again}, metered {metered}.");
    Ok(())
}
