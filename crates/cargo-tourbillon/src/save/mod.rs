//! `cargo tourbillon save`: keeps executables under a name.

use std::fs;
use std::io;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};
use tourbillon_clock::wall::local_rfc3339;
use tourbillon_report::escape;

use crate::compare;
use crate::exit::{Stop, print};
use tourbillon_builds::{
    Build, Cache, Maker, PLACED, Subject, Unfinished, create, prune, read, refused, size, unsaved,
    write,
};

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

/// Builds, and replaces the saved build of that name.
fn save(cache: &Cache, name: &str, matches: &ArgMatches) -> Result<(), Stop> {
    if name.trim().is_empty() {
        return Err(Stop::Usage("the name is empty; write save NAME".to_owned()));
    }
    let maker = Maker::new(cache.clone(), compare::selection(matches), true)?;
    let build = maker.make(&Subject::WorkingTree)?;
    let folder = cache.saved(name);
    let cannot = |error: io::Error| refused(&folder, "written", &error);
    let unfinished = Unfinished::new(cache, "saved")?;
    copy(&build.folder, unfinished.path()).map_err(cannot)?;
    let saved = build.moved(unfinished.path(), name);
    write(&saved)?;
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(cannot)?;
    }
    create(&cache.all_saved())?;
    unfinished.finish(&folder)?;
    prune(cache);
    print(&format!(
        "{}: {}\n",
        escape(name, true),
        describe(&saved, size(&folder))
    ))
}

/// Copies the folders in a folder, except placements, which are made again when needed. Files are
/// written anew for the saved build.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() && entry.file_name() != PLACED {
            let inner = to.join(entry.file_name());
            fs::create_dir_all(&inner)?;
            copy_files(&entry.path(), &inner)?;
            copy(&entry.path(), &inner)?;
        }
    }
    Ok(())
}

fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
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
        lines.push("no saved builds; `cargo tourbillon save NAME` makes one\n".to_owned());
    }
    Ok(lines.concat())
}

/// The executables, commit, compiler, size and time of a build.
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
        return Err(unsaved(name));
    }
    fs::remove_dir_all(&folder).map_err(|error| refused(&folder, "removed", &error))
}
