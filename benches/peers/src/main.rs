//! Lets several harnesses measure code whose cost is known, and says how far off each was: see
//! `scripts/peers.sh`.

mod harness;
mod piece;
mod readings;
mod repeat;
mod results;
mod shown;
mod table;
mod truth;

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use harness::{HARNESSES, Harness};
use peers::{BODIES, PAIRS};
use piece::Piece;
use tourbillon_stats::Rng;
use truth::Machine;

const USAGE: &str = "usage: peers measure FILE ROUNDS all|next [quick] NAME=EXECUTABLE ..\n       \
                     peers table FILE short|full\n       \
                     peers repeat bodies|pairs NAME EXECUTABLE FOLDER [ARGUMENT ..]";

fn main() -> ExitCode {
    match run(&env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("peers: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["table", file, form @ ("short" | "full")] => {
            let machine = Machine::here()?;
            let pieces = results::load(Path::new(file))?;
            let table = table::of(&machine, &pieces)?;
            print!(
                "{}",
                if form == "full" {
                    table.full()
                } else {
                    table.short()
                }
            );
            Ok(())
        }
        [
            "repeat",
            cases,
            name,
            executable,
            folder,
            ref arguments @ ..,
        ] => {
            let cases = if cases == "pairs" { PAIRS } else { BODIES };
            let mut command = named(name)?.command(Path::new(executable), Path::new(folder))?;
            command.args(arguments);
            print!("{}", repeat::run(named(name)?, command, cases)?);
            Ok(())
        }
        [
            "measure",
            file,
            rounds,
            extent @ ("all" | "next"),
            ref rest @ ..,
        ] => {
            let rounds = rounds.parse().map_err(|_| USAGE)?;
            let (quick, executables) = match rest {
                ["quick", executables @ ..] => (true, executables),
                executables => (false, executables),
            };
            let executables = executables_of(executables)?;
            measure(
                Path::new(file),
                rounds,
                extent == "next",
                quick,
                &executables,
            )
        }
        _ => Err(USAGE.to_owned()),
    }
}

fn named(name: &str) -> Result<&'static Harness, String> {
    Harness::named(name).ok_or_else(|| format!("no harness `{name}` is known"))
}

/// What is to be run, by the name of the harness.
fn executables_of(words: &[&str]) -> Result<BTreeMap<&'static str, PathBuf>, String> {
    let read = |word: &&str| {
        let (name, executable) = word.split_once('=').ok_or(USAGE)?;
        let harness = named(name)?;
        Ok((harness.name, PathBuf::from(executable)))
    };
    words.iter().map(read).collect()
}

/// Measures what the file does not have: every harness once in each round, in a random order that is
/// another one in each round. Only the next piece if `one`.
fn measure(
    file: &Path,
    rounds: u32,
    one: bool,
    quick: bool,
    executables: &BTreeMap<&str, PathBuf>,
) -> Result<(), String> {
    // It would be found out at the end of it otherwise.
    Machine::here()?;
    let done = results::load(file)?;
    let known = |round, harness: &Harness, part| {
        let same = |piece: &Piece| {
            piece.round == round && piece.harness == harness.name && piece.part == part
        };
        done.iter().any(same)
    };
    let pieces: Vec<_> = HARNESSES
        .iter()
        .flat_map(|harness| (0..harness.parts.len()).map(move |part| (harness, part)))
        .collect();
    let folder = file.with_extension("running");
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    for round in 1..=rounds {
        order.sort_unstable();
        Rng::new(u64::from(round)).shuffle(&mut order);
        for &index in &order {
            let (harness, part) = pieces[index];
            let Some(executable) = executables.get(harness.name) else {
                continue;
            };
            if known(round, harness, part) {
                continue;
            }
            let piece = Piece::measure(harness, part, executable, round, quick, &folder)?;
            results::append(file, &piece)?;
            eprintln!(
                "round {round} of {rounds}, {}, {} cases: {:.3} s a case",
                harness.name,
                piece.cases.len(),
                piece.seconds
            );
            if one {
                return Ok(());
            }
        }
    }
    eprintln!("all {rounds} rounds are measured");
    Ok(())
}
