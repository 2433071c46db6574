//! `cargo tourbillon bundle`: builds in one file, for other machines.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use tourbillon_builds::{Build, Bundle, BundledBuild, Cache, Maker, Subject, Variation};
use tourbillon_compare::subject;
use tourbillon_report::escape;

use crate::build_flags::Selected;
use crate::exit::{Stop, print, say};
use crate::output;
use crate::store_flags::ConfigFlag;

const AFTER: &str = "\
Examples:
  cargo tourbillon bundle pull-request.tar.gz main
  cargo tourbillon bundle pull-request.tar.gz --list
  cargo tourbillon compare --bundle pull-request.tar.gz";

/// Put executables into one file, for machines without a toolchain
///
/// Builds as `compare` does, and writes the executables, what they are linked from, and their hashes: of a
/// revision and of the working tree, of two revisions, or of the working tree alone. `compare --bundle FILE` measures
/// them on a machine with a linker, or without one in one placement.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Up to two revisions or saved builds [the working tree]
    #[arg(value_name = "REV", num_args = 0..=2, conflicts_with = "with")]
    rev: Vec<String>,
    /// The working tree built another way; repeatable
    #[arg(long, value_name = "SETTING", value_parser = Variation::parse)]
    with: Vec<Variation>,
    /// Check the file and print what is in it, start nothing
    #[arg(long, conflicts_with_all = ["rev", "with"])]
    list: bool,
    #[command(flatten)]
    selected: Selected,
    #[command(flatten)]
    config: ConfigFlag,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    if arguments.list {
        return print(&text(&Bundle::read(&arguments.file)?));
    }
    output::refuse_special(&arguments.file)?;
    output::refuse_unwritable(&arguments.file)?;
    output::refuse_tracked_link(&arguments.file, None)?;
    let files: Vec<PathBuf> = arguments.rev.iter().map(PathBuf::from).collect();
    output::refuse_inputs(&arguments.file, &files)?;
    refuse_other(&arguments.file)?;
    let cache = Cache::locate(say)?;
    let mut selection = arguments.selected.selection();
    selection.flags.extend(arguments.config.of_cargo());
    let maker = Maker::new(cache.clone(), selection, true)?;
    let subjects = arguments.subjects(&maker, &cache)?;
    // Before a build takes minutes.
    for subject in &subjects {
        maker.check(subject)?;
    }
    let mut builds = Vec::new();
    for subject in &subjects {
        let build = maker.make(subject)?;
        builds.push(match subject {
            Subject::WorkingTree => with_commit(build),
            _ => build,
        });
    }
    let bundle = Bundle::write(&builds, &arguments.file)?;
    drop(builds);
    cache.prune();
    print(&text(&bundle))
}

/// Fails for a file that is no bundle: it may be one that is built from.
fn refuse_other(file: &Path) -> Result<(), Stop> {
    match fs::metadata(file) {
        Ok(about) if about.len() > 0 && !Bundle::begins(file) => Err(Stop::Usage(format!(
            "{file:?} is no bundle and is not replaced; name another file or remove it"
        ))),
        _ => Ok(()),
    }
}

impl Arguments {
    /// What is built, the reference first.
    fn subjects(&self, maker: &Maker, cache: &Cache) -> Result<Vec<Subject>, Stop> {
        let named = self.rev.iter().map(|name| subject(name, maker, cache));
        let mut subjects = named.collect::<Result<Vec<_>, _>>()?;
        if subjects.len() < 2 {
            subjects.push(Subject::WorkingTree);
        }
        subjects.extend(self.with.iter().cloned().map(Subject::With));
        Ok(subjects)
    }
}

/// A working tree under the name of its commit: bundles of several working trees may be compared.
fn with_commit(build: Build) -> Build {
    let Some(commit) = build.short_commit() else {
        return build;
    };
    let label = if build.dirty {
        format!("{} on {commit}", build.label)
    } else {
        commit.to_owned()
    };
    Build { label, ..build }
}

/// A line for each build, and one for all.
fn text(bundle: &Bundle) -> String {
    let mut text: String = bundle.builds.iter().map(describe).collect();
    let megabytes = bundle.bytes().div_ceil(1_000_000);
    text += &format!(
        "{megabytes} MB unpacked, for {} on {}\n",
        bundle.system, bundle.architecture
    );
    text
}

/// The label, executables, commit and compiler of a build.
fn describe(bundled: &BundledBuild) -> String {
    let build = &bundled.build;
    let names: Vec<String> = build
        .executables
        .iter()
        .map(|executable| executable.name())
        .collect();
    let mut text = format!("{}: {}", build.label, names.join(" "));
    let commit = build.short_commit();
    if let Some(commit) = commit.filter(|commit| !build.label.contains(commit)) {
        text += &format!(" of {commit}");
    }
    if build.dirty {
        text += ", changed";
    }
    if !build.toolchain.is_empty() {
        text += &format!(", {}", build.toolchain);
    }
    escape(&text, true) + "\n"
}
