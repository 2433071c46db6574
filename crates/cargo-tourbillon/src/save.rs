//! `cargo tourbillon save`: keeps executables under a name.

use clap::Args;
use tourbillon_builds::{Cache, Maker, SavedBuild, Subject};
use tourbillon_clock::wall::local_rfc3339;
use tourbillon_report::escape;

use crate::build_flags::Selected;
use crate::exit::{Stop, print, say};
use crate::store_flags::ConfigFlag;

const AFTER: &str = "\
Examples:
  cargo tourbillon save before
  cargo tourbillon compare before --build-only
  cargo tourbillon save --list
  cargo tourbillon save --remove before

Results are saved with `cargo bench -- --save NAME`; `cargo tourbillon baselines` lists them.";

/// Keep the bench executables of the working tree under a name
///
/// They are stored in the user's cache folder, outside of the checkout, until they are removed.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The name
    #[arg(required_unless_present_any = ["list", "remove"])]
    name: Option<String>,
    /// List the saved builds
    #[arg(long, conflicts_with_all = ["name", "remove"])]
    list: bool,
    /// Remove a saved build
    #[arg(long, value_name = "NAME", alias = "delete", conflicts_with = "name")]
    remove: Option<String>,
    #[command(flatten)]
    selected: Selected,
    #[command(flatten)]
    config: ConfigFlag,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let cache = Cache::locate(say)?;
    if arguments.list {
        let saved = cache.saved_builds()?;
        if saved.is_empty() {
            return print("no saved builds; `cargo tourbillon save NAME` makes one\n");
        }
        return print(&saved.iter().map(describe).collect::<String>());
    }
    if let Some(name) = &arguments.remove {
        return Ok(cache.remove_saved(name)?);
    }
    let name = arguments.name.as_deref().unwrap_or_default();
    if name.trim().is_empty() {
        return Err(Stop::Usage("the name is empty; write save NAME".to_owned()));
    }
    let mut selection = arguments.selected.selection();
    selection.flags.extend(arguments.config.of_cargo());
    let maker = Maker::new(cache.clone(), selection, true)?;
    let saved = cache.save(&maker.make(&Subject::WorkingTree)?, name)?;
    cache.prune();
    print(&describe(&saved))
}

/// The name, executables, commit, compiler, size and time of a build.
fn describe(saved: &SavedBuild) -> String {
    let build = &saved.build;
    let executables = build.executables.iter();
    let names: Vec<String> = executables.map(|executable| executable.name()).collect();
    let commit = build.short_commit().map(|commit| format!(" of {commit}"));
    format!(
        "{}: {}{}{}, {}, {} MB, {}\n",
        escape(&build.label, true),
        escape(&names.join(" "), true),
        commit.unwrap_or_default(),
        if build.dirty { ", changed" } else { "" },
        build.toolchain,
        saved.bytes.div_ceil(1_000_000),
        local_rfc3339(build.built_unix_ns)
    )
}
