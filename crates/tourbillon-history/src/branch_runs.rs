//! The runs of a branch, in the order of its commits.

use std::collections::HashMap;
use std::env;

use tourbillon_builds::{main_line, main_line_of_head};
use tourbillon_clock::wall::{self, local_rfc3339};
use tourbillon_tool::exit::Stop;

use crate::equal_builds::{EqualBuilds, EqualPart};
use crate::index::{Index, IndexedRun, Point, Series};

/// Most runs that an index is asked for by their numbers.
const ASKED_FOR: usize = 1_000;

/// Runs in the order of the commits that they measured; several runs of one commit in that of their start.
pub(crate) struct BranchRuns {
    pub(crate) runs: Vec<IndexedRun>,
    /// The place of a run, by its number in the index.
    places: HashMap<i64, usize>,
    builds: EqualBuilds,
    /// The newest name of each machine, by its key.
    machine_names: HashMap<String, String>,
    /// What to say about runs that began after now.
    pub(crate) warning: Option<String>,
}

impl BranchRuns {
    /// The runs of a branch, of its newest `last` commits with runs. Those of other commits do not count. Outside of
    /// a repository all runs count, in the order of their start, except for those that began after now: where they
    /// belong is not known.
    pub(crate) fn of_branch(
        branch: &str,
        index: &mut dyn Index,
        last: u64,
    ) -> Result<BranchRuns, Stop> {
        let runs = index.runs()?;
        let folder = env::current_dir().unwrap_or_default();
        let commits = match branch {
            "HEAD" => main_line_of_head(&folder)?,
            other => Some(main_line(&folder, other)?),
        };
        let now = wall::unix_ns();
        Ok(BranchRuns::of(runs, commits.as_deref(), last, now))
    }

    /// `commits` are those of the branch, the oldest first; `last` is how many commits with runs are kept.
    fn of(
        mut runs: Vec<IndexedRun>,
        commits: Option<&[String]>,
        last: u64,
        now_unix_ns: u64,
    ) -> BranchRuns {
        let warning = ahead(&runs, now_unix_ns);
        let is_past = |run: &IndexedRun| run.started_unix_ns <= now_unix_ns;
        // The oldest of their commits.
        runs.sort_by_key(is_past);
        let mut runs: Vec<IndexedRun> = match commits {
            Some(commits) => {
                let places: HashMap<&str, usize> =
                    commits.iter().map(String::as_str).zip(0..).collect();
                let place = |run: &IndexedRun| places.get(run.commit.as_deref()?).copied();
                let mut placed: Vec<(usize, IndexedRun)> = runs
                    .into_iter()
                    .filter_map(|run| Some((place(&run)?, run)))
                    .collect();
                // The runs of one commit stay in the order of their start.
                placed.sort_by_key(|(place, _)| *place);
                placed.into_iter().map(|(_, run)| run).collect()
            }
            None => runs.into_iter().filter(is_past).collect(),
        };
        runs.drain(..start_of_newest(&runs, last));
        let places = runs.iter().map(|run| run.number).zip(0..).collect();
        let names = runs.iter();
        let names = names.map(|run| (run.machine.clone(), run.machine_name.clone()));
        BranchRuns {
            builds: EqualBuilds::of(&runs),
            machine_names: names.collect(),
            runs,
            places,
            warning,
        }
    }

    /// The runs of the newest `last` commits with runs.
    pub(crate) fn newest(&self, last: u64) -> &[IndexedRun] {
        &self.runs[start_of_newest(&self.runs, last)..]
    }

    /// The points of a series, each with its run, in the order of the runs, and divided where programs were compiled
    /// otherwise.
    pub(crate) fn parts(
        &self,
        index: &mut dyn Index,
        series: &Series,
    ) -> Result<Vec<EqualPart<'_>>, Stop> {
        // Those of all runs of the series are read sooner than each of many series asks for many runs.
        let is_asked = self.runs.len() <= ASKED_FOR;
        let numbers = self.runs.iter().map(|run| run.number);
        let numbers: Option<Vec<i64>> = is_asked.then(|| numbers.collect());
        let points = index.points(series.number, numbers.as_deref())?;
        let place = |point: &Point| self.places.get(&point.run).copied();
        let mut placed: Vec<(usize, Point)> = points
            .into_iter()
            .filter_map(|point| Some((place(&point)?, point)))
            .collect();
        placed.sort_by_key(|(place, _)| *place);
        Ok(self.builds.parts(&self.runs, placed.into_iter()))
    }

    /// Where a run is among all; the end for one of others.
    pub(crate) fn place(&self, run: &IndexedRun) -> usize {
        let place = self.places.get(&run.number).copied();
        place.unwrap_or(self.runs.len())
    }

    /// The name of a machine, by its key.
    pub(crate) fn machine_name<'n>(&'n self, key: &'n str) -> &'n str {
        self.machine_names.get(key).map_or(key, String::as_str)
    }
}

/// Where the runs of the newest `last` commits begin.
fn start_of_newest(runs: &[IndexedRun], last: u64) -> usize {
    let mut commits = 0;
    let mut start = runs.len();
    while start > 0 {
        let is_other = runs
            .get(start)
            .is_none_or(|next| next.commit != runs[start - 1].commit);
        if is_other && commits == last {
            break;
        }
        commits += u64::from(is_other);
        start -= 1;
    }
    start
}

/// What to say about runs that began after now; `None` without any.
fn ahead(runs: &[IndexedRun], now_unix_ns: u64) -> Option<String> {
    let mut ahead = runs.iter().filter(|run| run.started_unix_ns > now_unix_ns);
    let first = ahead.next()?;
    let (record, began) = (&first.record, local_rfc3339(first.started_unix_ns));
    let others = match ahead.count() {
        0 => String::new(),
        count => format!(" (and {count} more)"),
    };
    Some(format!(
        "the run with the record {record}{others} began after now, at {began}: it counts as the first of its commit, and \
         in no order of time; remove its files from the history, or set the clock of this machine if that is wrong"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(number: i64, commit: &str) -> IndexedRun {
        IndexedRun {
            number,
            record: format!("record-{number}"),
            commit: Some(commit.to_owned()),
            started_unix_ns: number.unsigned_abs(),
            package: String::new(),
            target: String::new(),
            machine: String::new(),
            machine_name: String::new(),
            host: String::new(),
            compilation: None,
            more_is_better: None,
        }
    }

    #[test]
    fn runs_are_in_the_order_of_commits() {
        // Measured in another order, one commit twice, one of another branch.
        let runs: Vec<IndexedRun> = [(1, "c"), (2, "a"), (3, "other"), (4, "c"), (5, "b")]
            .map(|(number, commit)| run(number, commit))
            .into();
        let commits = ["a", "b", "c", "d"].map(str::to_owned);
        let numbers =
            |runs: BranchRuns| -> Vec<i64> { runs.runs.iter().map(|run| run.number).collect() };
        assert_eq!(
            numbers(BranchRuns::of(runs.clone(), Some(&commits), 9, 9)),
            [2, 5, 1, 4]
        );
        assert_eq!(
            numbers(BranchRuns::of(runs.clone(), Some(&commits), 2, 9)),
            [5, 1, 4]
        );
        assert_eq!(
            numbers(BranchRuns::of(runs.clone(), Some(&commits), 1, 9)),
            [1, 4]
        );
        assert_eq!(numbers(BranchRuns::of(runs, None, 9, 9)), [1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_run_of_a_later_time_is_no_newest_one() {
        let runs: Vec<IndexedRun> = [(1, "a"), (2, "b"), (3, "b"), (9, "b"), (10, "a"), (11, "c")]
            .map(|(number, commit)| run(number, commit))
            .into();
        let commits = ["a", "b", "c"].map(str::to_owned);
        let numbers =
            |runs: BranchRuns| -> Vec<i64> { runs.runs.iter().map(|run| run.number).collect() };
        let of = |commits, last| numbers(BranchRuns::of(runs.clone(), commits, last, 3));
        assert_eq!(of(Some(&commits[..]), 9), [10, 1, 9, 2, 3, 11]);
        // In time alone it has no place, and takes none.
        assert_eq!(of(None, 9), [1, 2, 3]);
        assert_eq!(of(None, 1), [2, 3]);
        let warning = ahead(&runs, 3).expect("a warning");
        assert!(warning.starts_with("the run with the record record-9 (and 2 more) began after"));
        assert_eq!(ahead(&runs, 11), None);
    }
}
