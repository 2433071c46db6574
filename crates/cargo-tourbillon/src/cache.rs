//! `cargo tourbillon cache`: what is kept on this machine to be made again, and its removal.

use std::time::{SystemTime, UNIX_EPOCH};
use tourbillon_present::kind::CACHE;

use clap::{Args, ValueEnum};
use tourbillon_builds::{Cache, CacheEntry, EntryKind};
use tourbillon_clock::wall::local_rfc3339;
use tourbillon_present::{Block, Cell, Column, Document, Row, Table};
use tourbillon_report::bytes;
use tourbillon_values::size;

use crate::exit::{Stop, say};
use crate::output_flags::{ColorFlag, FormatFlag};

const AFTER: &str = "\
Examples:
  cargo tourbillon cache
  cargo tourbillon cache --remove placements --remove clones
  cargo tourbillon cache --shrink 1GiB

What was not used for longest goes by itself beyond 4 GiB; TOURBILLON_CACHE_SIZE sets the limit. Records of commands and \
saved builds stay until they are removed.";

/// List what is kept of builds and clones, and remove it
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Each build, clone and saved build in a row of its own
    #[arg(short, long)]
    verbose: bool,
    /// Remove a kind: placements, builds, clones, records, saved or all (but saved builds); repeatable
    #[arg(long, value_name = "KIND")]
    remove: Vec<Removed>,
    /// Remove what was not used for longest until this much is left
    #[arg(long, value_name = "SIZE", value_parser = size, conflicts_with = "remove")]
    shrink: Option<u64>,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    color: ColorFlag,
}

/// What is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Removed {
    All,
    Placements,
    Builds,
    Clones,
    Records,
    Saved,
}

impl Removed {
    fn has(self, kind: EntryKind) -> bool {
        match self {
            Removed::All => kind != EntryKind::Saved,
            Removed::Placements => kind == EntryKind::Placements,
            // A build takes its placements with it.
            Removed::Builds => matches!(kind, EntryKind::Placements | EntryKind::Build),
            Removed::Clones => kind == EntryKind::Clone,
            Removed::Records => kind == EntryKind::Records,
            Removed::Saved => kind == EntryKind::Saved,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let cache = Cache::locate(say)?;
    if let Some(limit) = arguments.shrink {
        let (removed, failures) = cache.shrink(limit);
        report_removed(&removed);
        if let Some(failure) = failures.into_iter().next() {
            return Err(failure.into());
        }
    }
    if !arguments.remove.is_empty() {
        remove(&cache.entries(), &arguments.remove)?;
    }
    let document = document(&cache, arguments.verbose);
    arguments
        .format
        .print(&document, &CACHE, &arguments.color.style())
}

/// Removes what is of one of the kinds, and names what is in use.
fn remove(entries: &[CacheEntry], kinds: &[Removed]) -> Result<(), Stop> {
    let mut removed = Vec::new();
    for entry in entries {
        if !kinds.iter().any(|one| one.has(entry.kind)) {
            continue;
        }
        if entry.remove()? {
            removed.push(entry.clone());
        } else {
            let name = &entry.name;
            say(&format!(
                "{name:?} is used by another cargo tourbillon and stays; remove it when that has ended\n"
            ));
        }
    }
    report_removed(&removed);
    Ok(())
}

fn report_removed(removed: &[CacheEntry]) {
    let total = removed.iter().map(|entry| entry.bytes).sum();
    say(&format!("removed {}\n", shown(total)));
}

/// The folder, a row for each kind or for each entry, and the limit.
fn document(cache: &Cache, verbose: bool) -> Document {
    let entries = cache.entries();
    let limited = entries.iter().filter(|entry| entry.kind.is_limited());
    let total = limited.map(|entry| entry.bytes).sum();
    let answer = format!("{} of at most {}", shown(total), shown(cache.limit()));
    let table = if verbose {
        each(&entries)
    } else {
        by_kind(&entries)
    };
    Document {
        title: format!("cache in {}", cache.path().display()),
        blocks: vec![Block::Table(table)],
        answer: vec![answer.into()],
        ..Document::default()
    }
}

fn by_kind(entries: &[CacheEntry]) -> Table {
    let mut table = Table::of([
        Column::left("kind", "what"),
        Column::right("count", "count"),
        Column::right("bytes", "size"),
        Column::left("last_used", "last used"),
    ]);
    for kind in EntryKind::ALL {
        let of_kind: Vec<&CacheEntry> = entries.iter().filter(|one| one.kind == kind).collect();
        let total = of_kind.iter().map(|entry| entry.bytes).sum();
        let used = of_kind.iter().map(|entry| entry.used).max();
        table.rows.push(Row {
            cells: vec![
                Cell::text(kind.name()),
                Cell::number(of_kind.len().to_string(), Some(of_kind.len() as f64)),
                Cell::number(shown(total), Some(total as f64)),
                Cell::text(used.map(date).unwrap_or_default()),
            ],
            ..Row::default()
        });
    }
    table
}

fn each(entries: &[CacheEntry]) -> Table {
    let mut table = Table::of([
        Column::left("name", "name"),
        Column::left("kind", "what"),
        Column::right("bytes", "size"),
        Column::left("last_used", "last used").giving_way(0),
    ]);
    for entry in entries {
        table.rows.push(Row {
            cells: vec![
                Cell::text(entry.name.clone()),
                Cell::text(entry.kind.name()),
                Cell::number(shown(entry.bytes), Some(entry.bytes as f64)),
                Cell::text(date(entry.used)),
            ],
            ..Row::default()
        });
    }
    table
}

fn shown(count: u64) -> String {
    bytes(count as f64)
}

/// Local time; empty if it is unknown.
fn date(time: SystemTime) -> String {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) if !since.is_zero() => {
            local_rfc3339(u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
        }
        _ => String::new(),
    }
}
