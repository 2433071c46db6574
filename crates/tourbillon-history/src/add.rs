//! `history add`.

use std::collections::HashSet;
use std::env;
use std::path::PathBuf;

use tourbillon_builds::commit_of;
use tourbillon_report::counted;
use tourbillon_tool::exit::{Stop, print, say};
use tourbillon_tool::record_file::{
    bytes_named, first_damage, parse_without_samples, split, unreadable,
};

use crate::index::FileKind;
use crate::location::Location;

/// Options of this subcommand: records and their commit.
#[derive(Clone, Debug)]
pub struct Options {
    /// Records.
    pub records: Vec<PathBuf>,
    /// The commit that was measured.
    pub commit: Option<String>,
}

/// Adds records of runs to the archive, and to the index.
///
/// # Errors
///
/// What is wrong with the options, the history or this machine.
pub fn run(options: &Options, location: &Location) -> Result<(), Stop> {
    let archive = location.archive()?;
    // Of a folder that cannot be listed, what is added says why.
    let before: HashSet<String> = archive
        .hashes(FileKind::Run)
        .into_iter()
        .flatten()
        .collect();
    let folder = env::current_dir().unwrap_or_default();
    let commit = options
        .commit
        .as_ref()
        .map(|revision| {
            commit_of(&folder, revision)
                .ok_or_else(|| Stop::Usage(format!("--commit: git knows no revision {revision:?}")))
        })
        .transpose()?;
    let [mut runs, mut comparisons, mut known] = [0_u64; 3];
    for path in &options.records {
        let bytes = bytes_named(path)?;
        for lines in split(&bytes) {
            let stored = parse_without_samples(lines).map_err(|what| unreadable(path, &what))?;
            if let Some(error) = first_damage(&stored) {
                return Err(unreadable(path, error));
            }
            for stored in &stored {
                let run = &stored.run;
                if run.end.is_none() {
                    // The rest of it, added later, would be a second run.
                    let what = "a run that was killed or has not ended";
                    say(&format!("skipped: {what} in {path:?}\n"));
                    continue;
                }
                let has_results = run.results.iter().any(|result| result.estimate.is_ok());
                let added = match archive.add_comparison(run, lines)? {
                    Some((_, added)) => {
                        if commit.is_some() {
                            say(&format!(
                                "--commit is for runs: the comparison in {path:?} names both of its commits\n"
                            ));
                        }
                        added.then_some(&mut comparisons)
                    }
                    None if has_results => archive
                        .add(run, lines, commit.as_deref())?
                        .then_some(&mut runs),
                    None => {
                        say(&format!("skipped: a run without results in {path:?}\n"));
                        continue;
                    }
                };
                *added.unwrap_or(&mut known) += 1;
            }
        }
    }
    let folder = archive.path().display();
    let mut text = format!("{} added to {folder}", counted(runs, "run"));
    if comparisons > 0 {
        text += &format!(
            ", {} of commits for what `changes` nominates",
            counted(comparisons, "comparison")
        );
    }
    if known > 0 {
        text += &format!(", {known} known before");
    }
    print(&(text + "\n"))?;
    location.update_with(|unfit| {
        // It names its record, and with it the hash.
        let text = unfit.to_string();
        let mut words = text.split(|letter: char| !letter.is_ascii_hexdigit());
        !words.any(|word| before.contains(word))
    })
}
