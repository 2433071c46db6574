//! `cargo tourbillon save`: executables kept under a name.

use std::fs;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};
use tourbillon_clock::wall::local_rfc3339;
use tourbillon_report::escape;

use crate::builds::{Build, Cache, Maker, Subject, prune, read, size, write};
use crate::compare;
use crate::exit::{Stop, print};

const ABOUT: &str = "Keep the bench executables of the working tree under a name";

const AFTER: &str = "\
Examples:
  cargo tourbillon save before
  cargo tourbillon compare before --build-only
  cargo tourbillon save --list
  cargo tourbillon save --remove before

They lie in the user's cache folder, outside of the checkout, and stay until
they are removed.";

pub(crate) fn command() -> Command {
    Command::new("save")
        .about(ABOUT)
        .after_help(AFTER)
        .arg(
            Arg::new("name")
                .value_name("NAME")
                .help("The name")
                .required_unless_present_any(["list", "remove"]),
        )
        .arg(
            Arg::new("list")
                .long("list")
                .help("Show what was saved")
                .conflicts_with_all(["name", "remove"])
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("remove")
                .long("remove")
                .value_name("NAME")
                .help("Remove what was saved under a name")
                .conflicts_with("name"),
        )
        .args(compare::selection_arguments())
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Stop> {
    let cache = Cache::locate()?;
    if matches.get_flag("list") {
        return print(&list(&cache)?);
    }
    if let Some(name) = matches.get_one::<String>("remove") {
        return remove(&cache, name);
    }
    let name = matches.get_one::<String>("name");
    save(&cache, name.map_or("", String::as_str), matches)
}

/// Builds, and keeps a copy of what was built; whatever had that name goes.
fn save(cache: &Cache, name: &str, matches: &ArgMatches) -> Result<(), Stop> {
    if name.trim().is_empty() {
        return Err(Stop::Usage("the name is empty; write save NAME".to_owned()));
    }
    let maker = Maker::new(cache.clone(), compare::selection(matches), true)?;
    let build = maker.make(&Subject::WorkingTree)?;
    let folder = cache.saved(name);
    let cannot = |error: &dyn std::fmt::Display| {
        Stop::Environment(format!("{folder:?} cannot be written: {error}"))
    };
    let unfinished = cache
        .all_saved()
        .join(format!("unfinished-{}", std::process::id()));
    let copied = copy(&build.folder, &unfinished).and_then(|()| {
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::rename(&unfinished, &folder)
    });
    if let Err(error) = copied {
        let _ = fs::remove_dir_all(&unfinished);
        return Err(cannot(&error));
    }
    let executables = build.executables.iter().map(|executable| {
        let mut moved = executable.clone();
        if let Ok(within) = executable.path.strip_prefix(&build.folder) {
            moved.path = folder.join(within);
        }
        moved
    });
    let saved = Build {
        label: name.to_owned(),
        executables: executables.collect(),
        folder: folder.clone(),
        ..build.clone()
    };
    write(&saved)?;
    prune(cache);
    print(&format!(
        "{}: {}\n",
        escape(name, true),
        describe(&saved, size(&folder))
    ))
}

/// A folder without the placements that were made in it: they are made again where they are needed.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if !entry.file_type()?.is_dir() {
            fs::copy(entry.path(), target)?;
        } else if entry.file_name() != "placed" {
            copy(&entry.path(), &target)?;
        }
    }
    Ok(())
}

fn list(cache: &Cache) -> Result<String, Stop> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(cache.all_saved())
        .into_iter()
        .flatten()
        .flatten()
    {
        if let Some(build) = read(&entry.path(), false)? {
            let name = escape(&build.label, true);
            lines.push(format!(
                "{name}: {}\n",
                describe(&build, size(&entry.path()))
            ));
        }
    }
    lines.sort();
    if lines.is_empty() {
        lines.push("nothing was saved; cargo tourbillon save NAME does it\n".to_owned());
    }
    Ok(lines.concat())
}

/// What it is made of, of which commit, and when.
fn describe(build: &Build, bytes: u64) -> String {
    let executables: Vec<String> = build
        .executables
        .iter()
        .map(|executable| escape(&executable.name(), true))
        .collect();
    let commit = match &build.commit {
        Some(commit) => format!(" of {}", commit.get(..7).unwrap_or(commit)),
        None => String::new(),
    };
    let changed = if build.dirty { ", changed" } else { "" };
    format!(
        "{}{commit}{changed}, {}, {} MB, {}",
        executables.join(" "),
        build.toolchain,
        bytes.div_ceil(1_000_000),
        local_rfc3339(build.built_unix_ns)
    )
}

fn remove(cache: &Cache, name: &str) -> Result<(), Stop> {
    let folder = cache.saved(name);
    if !folder.is_dir() {
        return Err(Stop::Usage(format!(
            "nothing was saved as {name:?}; `cargo tourbillon save --list` shows what was"
        )));
    }
    fs::remove_dir_all(&folder)
        .map_err(|error| Stop::Environment(format!("{folder:?} cannot be removed: {error}")))
}
