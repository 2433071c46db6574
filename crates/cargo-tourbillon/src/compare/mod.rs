//! `cargo tourbillon compare`: builds side by side.
//!
//! What is compared is built or found ([`crate::builds`]), the cases of all sides are listed and
//! paired, and the gate is read, before anything is measured.

mod cases;
mod command;
mod gate;
mod pairing;
mod prepared;
mod value;
mod wishes;

use clap::ArgMatches;

pub(crate) use self::command::{command, selection as selection_arguments};
use self::pairing::Comparison;
use self::wishes::Wishes;
pub(crate) use self::wishes::selection;
use crate::builds::{Build, Cache, Maker, prune};
use crate::exit::{Stop, print, say};

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Stop> {
    let wishes = Wishes::of(matches)?;
    let cache = Cache::locate()?;
    let maker = Maker::new(cache.clone(), wishes.selection.clone(), wishes.places())?;
    let subjects = wishes.subjects(&maker, &cache)?;
    let mut builds = Vec::new();
    for subject in &subjects {
        builds.push(maker.make(subject)?);
    }
    let comparisons = compared(&builds, &wishes.bench)?;
    for comparison in &comparisons {
        for line in comparison.remarks() {
            say(&format!("{line}\n"));
        }
    }
    let text = prepared::text(&builds, &comparisons, &wishes)?;
    prune(&cache);
    print(&text)
}

/// The first build with each of the others.
fn compared(builds: &[Build], bench: &[String]) -> Result<Vec<Comparison>, Stop> {
    let mut listed = Vec::new();
    for build in builds {
        listed.push(cases::listed(build, bench)?);
    }
    let mut comparisons = Vec::new();
    for number in 1..builds.len() {
        let old = (&builds[0], listed[0].as_slice());
        comparisons.push(Comparison::of(old, (&builds[number], &listed[number]))?);
    }
    Ok(comparisons)
}
