//! `history backfill`.

use std::collections::HashSet;
use std::env;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tourbillon_builds::{Build, Selection, main_line_of, subject_of};
use tourbillon_clock::wall;
use tourbillon_os::{Ending, Signals};
use tourbillon_report::{counted, escape};
use tourbillon_tool::config_file::{NO_FILE, VARIABLE};
use tourbillon_tool::exit::{ENVIRONMENT, FAILED, INTERRUPTED, NOTHING, Stop, USAGE, print, say};
use tourbillon_tool::program_lines::record_lines;
use tourbillon_tool::program_output::{Limits, not_run, printed_of_commit};

use crate::index::Failure;
use crate::location::{History, Location};
use crate::revisions::{Attempt, ENDED, Revisions};
use crate::short_names::short_commit;

/// Options of this subcommand: which commits are measured, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Commits as git log takes them, of which first parents count: A..B, or B for all up to it.
    pub range: String,
    /// Only the newest commits of the range.
    pub last: Option<u64>,
    /// Only each N-th commit, from the newest on.
    pub every: u64,
    /// Try commits again that could not be measured.
    pub again: bool,
    /// Print what would be measured, and measure nothing.
    pub dry_run: bool,
    /// What is built, and how.
    pub selection: Selection,
    /// For the bench binaries, after --.
    pub bench_flags: Vec<String>,
}

/// Why a commit whose benchmarks have no figures cannot be measured.
const NO_RESULT: &str = "no benchmark has a result";
/// Why one cannot whose program was ended, as where there is too little memory.
const PROGRAM_ENDED: &str = "its program was ended by a signal";
/// Why one cannot whose program refuses what stands after `--`, or a declaration: its message does not tell.
const REFUSED: &str = "its program exited with code 1, a mistake in its flags or in a declaration";
/// Why one cannot whose program says that this machine does not permit it, as a full disk.
const NOT_PERMITTED: &str = "its program exited with code 5, this machine does not permit it";
/// What may be otherwise another time: on a less busy machine, with other flags. Such a commit is tried again.
const NOT_KEPT: [&str; 5] = [NO_RESULT, ENDED, PROGRAM_ENDED, REFUSED, NOT_PERMITTED];
/// Signals that say nothing about a program: HUP, INT, KILL, TERM.
const OF_OTHERS: [i32; 4] = [1, 2, 9, 15];

/// Measures commits that have no results yet.
///
/// # Errors
///
/// What is wrong with the options, the history or this machine.
pub fn run(options: &Options, location: &Location) -> Result<(), Stop> {
    let folder = env::current_dir().unwrap_or_default();
    let commits = main_line_of(&folder, &options.range)?;
    if commits.is_empty() {
        let range = &options.range;
        return Err(Stop::Usage(format!(
            "{range:?} has no commit; `git log {range}` lists those of a range"
        )));
    }
    let commits = chosen(&commits, options.last, options.every);
    let mut history = location.open()?;
    let runs = history.index.runs()?.into_iter();
    let known: HashSet<[String; 2]> = runs
        .filter_map(|run| Some([run.commit?, run.machine]))
        .collect();
    if options.dry_run {
        return print(&plan(&commits, &known, &folder));
    }
    history.archive.check_writable()?;
    let file = location.store.config.file()?;
    let failures = if options.again {
        HashSet::new()
    } else {
        let failures = history.index.failures()?.into_iter();
        failures.map(|one| [one.commit, one.machine]).collect()
    };
    let mut backfill = Backfill {
        history: &history,
        revisions: Revisions::new(options.selection.clone())?,
        bench_flags: &options.bench_flags,
        file: file.map(|file| file.path),
        known,
        failures,
        machine: None,
        unnoted: Vec::new(),
        counts: BackfillCounts::default(),
    };
    let ended = backfill.all(&commits, &folder);
    let text = backfill.counts.text();
    drop(backfill);
    print(&text)?;
    location.update()?;
    ended
}

/// Each `every`-th of the newest `last` commits, the newest first.
fn chosen(commits: &[String], last: Option<u64>, every: u64) -> Vec<&String> {
    let [last, every] =
        [last.unwrap_or(u64::MAX), every].map(|n| usize::try_from(n).unwrap_or(usize::MAX));
    commits.iter().rev().take(last).step_by(every).collect()
}

/// The same commits in an order from coarse to fine: the ends of the range, its middle, the middles of the halves.
fn coarse_to_fine<T: Copy>(all: &[T]) -> Vec<T> {
    let mut order = Vec::with_capacity(all.len());
    let mut taken = vec![false; all.len()];
    let last = all.len().saturating_sub(1);
    let mut parts = 1;
    while order.len() < all.len() {
        for part in 0..=parts {
            // The nearest to so many parts of the whole.
            let index = (last * part + parts / 2) / parts;
            if !taken[index] {
                taken[index] = true;
                order.push(all[index]);
            }
        }
        parts *= 2;
    }
    order
}

/// What would be measured, the newest first. Without a build the kind of this machine is not known.
fn plan(commits: &[&String], known: &HashSet<[String; 2]>, folder: &Path) -> String {
    let known: HashSet<&String> = known.iter().map(|[commit, _]| commit).collect();
    let open = commits.iter().filter(|commit| !known.contains(**commit));
    let lines: Vec<String> = open
        .map(|commit| {
            let subject = escape(&subject_of(folder, commit), true);
            format!("would measure {}: {subject}\n", short_commit(commit))
        })
        .collect();
    if lines.is_empty() {
        "nothing to measure\n".to_owned()
    } else {
        lines.concat()
    }
}

/// What became of the commits.
#[derive(Clone, Copy, Debug, Default)]
struct BackfillCounts {
    measured: u64,
    known: u64,
    failed: u64,
}

impl BackfillCounts {
    fn text(self) -> String {
        let measured = counted(self.measured, "commit");
        let BackfillCounts { known, failed, .. } = self;
        format!(
            "{measured} measured, {known} with results before, {failed} that cannot be measured\n"
        )
    }
}

/// Measures commits.
struct Backfill<'b> {
    history: &'b History,
    revisions: Revisions,
    bench_flags: &'b [String],
    /// The file of defaults, for all commits.
    file: Option<PathBuf>,
    /// Commits with results, each with the key of a machine.
    known: HashSet<[String; 2]>,
    failures: HashSet<[String; 2]>,
    /// The key of this machine, once a build has been made.
    machine: Option<String>,
    /// Commits that do not build, each with the reason, until the machine is known.
    unnoted: Vec<(String, String)>,
    counts: BackfillCounts,
}

impl Backfill<'_> {
    fn all(&mut self, commits: &[&String], folder: &Path) -> Result<(), Stop> {
        let order = coarse_to_fine(commits);
        for (number, commit) in (1..).zip(&order) {
            if self.is_done(commit) {
                continue;
            }
            let subject = escape(&subject_of(folder, commit), true);
            let [of, short] = [&order.len().to_string(), short_commit(commit)];
            say(&format!("{number} of {of}: {short} {subject}\n"));
            if let Err(why) = self.commit(commit)? {
                say(&format!("{short} cannot be measured: {why}\n"));
                self.counts.failed += 1;
                if !NOT_KEPT.contains(&why.as_str()) {
                    self.unnoted.push(((*commit).clone(), why));
                }
            }
            self.note_failures()?;
            self.revisions.prune();
        }
        Ok(())
    }

    /// Counts a commit about which enough is known.
    fn is_done(&mut self, commit: &str) -> bool {
        let Some(machine) = &self.machine else {
            return false;
        };
        let here = [commit.to_owned(), machine.clone()];
        if self.known.contains(&here) {
            self.counts.known += 1;
        } else if self.failures.contains(&here) {
            self.counts.failed += 1;
        } else {
            return false;
        }
        true
    }

    /// Measures a commit, unless the machine turns out to have done so.
    fn commit(&mut self, commit: &str) -> Result<Attempt<()>, Stop> {
        let build = match self.revisions.build(commit)? {
            Ok(build) => build,
            Err(why) => return Ok(Err(why)),
        };
        if self.machine.is_none() {
            self.machine = Some(self.revisions.machine(&build).key);
            if self.is_done(commit) {
                return Ok(Ok(()));
            }
        }
        let records = match self.records(&build)? {
            Ok(records) => records,
            Err(why) => return Ok(Err(why)),
        };
        let mut added = 0;
        for record in &records {
            added += match self.history.add_runs(record, commit)? {
                Ok(count) => count,
                Err(why) => return Ok(Err(format!("its record cannot be read: {why}"))),
            };
        }
        Ok(match added {
            0 => Err(NO_RESULT.to_owned()),
            _ => {
                self.counts.measured += 1;
                Ok(())
            }
        })
    }

    /// Runs the executables of a build, and gives their records.
    fn records(&self, build: &Build) -> Result<Attempt<Vec<Vec<u8>>>, Stop> {
        let mut records = Vec::new();
        for executable in &build.executables {
            let mut program = executable.invocation(build);
            let process = program
                .words(&["--bench", "--format", "jsonl", "--no-store"])
                .verbatim(self.bench_flags)
                .process();
            tourbillon_stepper::offer(process);
            match &self.file {
                Some(file) => process.env(VARIABLE, file),
                None => process.env(VARIABLE, NO_FILE),
            };
            let output = printed_of_commit(process, Limits::RECORD, Signals::installed());
            self.revisions.not_interrupted()?;
            let output = match output {
                // The next commit may have one that ends.
                Err(error)
                    if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::InvalidData) =>
                {
                    return Ok(Err(format!("{}: {error}", executable.name())));
                }
                output => output.map_err(|error| not_run(&executable.path, &error))?,
            };
            // Without those that failed, a run still has results.
            match output
                .status
                .code()
                .and_then(|code| u8::try_from(code).ok())
            {
                Some(0 | FAILED | NOTHING) => {
                    records.push(record_lines(&output.stdout).into_owned())
                }
                // A signal to this process was noted above.
                Some(INTERRUPTED) => return Ok(Err(PROGRAM_ENDED.to_owned())),
                Some(USAGE) => return Ok(Err(REFUSED.to_owned())),
                Some(ENVIRONMENT) => return Ok(Err(NOT_PERMITTED.to_owned())),
                _ => {
                    let ending = Ending::from(output.status);
                    if matches!(ending, Ending::Signalled(signal) if OF_OTHERS.contains(&signal)) {
                        return Ok(Err(PROGRAM_ENDED.to_owned()));
                    }
                    return Ok(Err(format!("{} {ending}", executable.name())));
                }
            }
        }
        Ok(Ok(records))
    }

    /// Keeps the commits that cannot be measured, once the machine is known.
    fn note_failures(&mut self) -> Result<(), Stop> {
        let Some(machine) = &self.machine else {
            return Ok(());
        };
        for (commit, why) in self.unnoted.drain(..) {
            let failure = Failure::new(&commit, machine, &why, wall::unix_ns());
            self.history.archive.add_failure(&failure)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_from_coarse_to_fine_and_complete() {
        let all: Vec<usize> = (0..9).collect();
        assert_eq!(coarse_to_fine(&all), [0, 8, 4, 2, 6, 1, 3, 5, 7]);
        for count in 0..40 {
            let all: Vec<usize> = (0..count).collect();
            let mut order = coarse_to_fine(&all);
            order.sort_unstable();
            assert_eq!(order, all);
        }
    }

    #[test]
    fn the_newest_commits_are_chosen() {
        let commits: Vec<String> = (0..10).map(|commit| commit.to_string()).collect();
        let chosen = |last, every| {
            chosen(&commits, last, every)
                .into_iter()
                .cloned()
                .collect::<Vec<_>>()
        };
        assert_eq!(chosen(None, 4), ["9", "5", "1"]);
        assert_eq!(chosen(Some(3), 1), ["9", "8", "7"]);
        assert_eq!(chosen(Some(3), 2), ["9", "7"]);
    }
}
