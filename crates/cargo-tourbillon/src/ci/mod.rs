//! `cargo tourbillon ci`: base against head in one job, with files for the services that show results.

mod base;
mod code_quality;
mod files;
mod junit;
mod markdown;
mod report;

use std::path::PathBuf;
use std::slice;

use clap::{Args, ValueEnum};
use serde_json::json;
use tourbillon_builds::{Build, Cache, Error, Maker, Subject};
use tourbillon_record::Case;

use self::base::{Environment, Revisions};
use self::files::Files;
use self::report::Report;
use crate::compare::{
    Compared, NEW, Options, Outcome, Reason, all_listed, new_rows, paired, rows, verify,
};
use crate::exit::{GATE, Stop, print, say};
use crate::machine_lock::machine_lock;

const AFTER: &str = "\
The base comes from the service: of a pull request, a merge group or a push on
GitHub, and of a merge request or a push on GitLab. Elsewhere --base names it:
  cargo tourbillon ci --base origin/main

Files in the output folder: summary.md (also appended to the file in
GITHUB_STEP_SUMMARY), comment.md, comparison.jsonl, junit.xml,
code-quality.json, and pull-request with its number.

Thresholds of single cases are in tourbillon.toml: [gate]. Defaults of these
flags are in [ci].";

/// Compare the head of a branch with its base, for CI
///
/// Builds both commits in a clone in the user's cache folder, measures them as `compare` does, and writes
/// a summary, a comment and reports. The base is the last commit that the head and the base's branch have in
/// common. Uncommitted changes are no part of it.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Branch or commit to compare with [that of the pull request]
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Commit that is compared
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    head: String,
    /// Folder of the files [tourbillon-ci in the target folder]
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Cases that the head lacks, and the exit code: pass or fail
    #[arg(long, value_name = "WHAT", default_value = "pass")]
    missing: Missing,
    #[command(flatten)]
    options: Options,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Missing {
    Pass,
    Fail,
}

pub(crate) fn run(mut arguments: Arguments) -> Result<(), Stop> {
    let environment = Environment::read();
    let settings = arguments.options.settings_file().into_iter().collect();
    let files = Files::create(arguments.output.as_deref(), settings)?;
    let report = compare(&mut arguments, &environment).map_err(|stop| {
        let report = Report::without_result(&stop);
        (stop, report)
    });
    let (stop, report) = match report {
        Ok(report) => (None, report),
        Err((stop, report)) => (Some(stop), report),
    };
    files.write(&report, &environment)?;
    print(&format!("{}\n", report.headline()))?;
    say(&format!("files in {}\n", files.folder.display()));
    match (stop, report.code) {
        (Some(stop), _) => Err(stop),
        (None, 0) => Ok(()),
        (None, code) => Err(Stop::Code(code)),
    }
}

/// Measures base and head, and prints the result.
fn compare(arguments: &mut Arguments, environment: &Environment) -> Result<Report, Stop> {
    let options = &mut arguments.options;
    options.complete()?;
    options.require_gate();
    let cache = Cache::locate(say)?;
    let selection = options.selected.selection();
    let maker = Maker::new(cache.clone(), selection, options.has_placements())?;
    let typed = arguments.base.as_deref();
    let revisions = Revisions::find(&maker, typed, &arguments.head, environment)?;
    if arguments.head == "HEAD" && maker.is_changed() {
        say("uncommitted changes are no part of the head\n");
    }
    let base = match built(&maker, "base", &revisions.base) {
        Err(Error::NoBenchmarks(why)) => {
            say(&format!("{why}\n"));
            return all_new(&built(&maker, "head", &revisions.head)?, options);
        }
        made => made?,
    };
    let builds = [base, built(&maker, "head", &revisions.head)?];
    let lists = all_listed(&builds, options)?;
    let comparisons = paired(&builds, &lists, options, None)?;
    let lock = machine_lock("cargo tourbillon ci", options.no_wait)?;
    let compared = Compared::measure(&comparisons[0], options)?;
    let style = options.color.style();
    print(&compared.text(&style))?;
    compared.keep(options)?;
    let asserted = match compared.interrupted() {
        true => None,
        false => Some(verify(&builds[1], &lists[1].cases, options)?),
    };
    drop(lock);
    cache.prune();
    let mut report = Report {
        sides: Some(builds.each_ref().map(|build| build.label.clone())),
        rows: rows(&compared, asserted.as_ref()),
        basis: compared.basis(),
        json: compared.json_lines(),
        code: compared.code(),
        error: None,
    };
    if let Some(asserted) = &asserted {
        print(&asserted.text(&style))?;
        report.json += &asserted.json_lines();
        report.code = report.code.max(asserted.code);
    }
    if arguments.missing == Missing::Fail {
        fail_missing(&mut report);
    }
    Ok(report)
}

/// The build of one side.
fn built(maker: &Maker, side: &str, commit: &str) -> Result<Build, Error> {
    let mut build = maker.make(&Subject::Revision(commit.to_owned()))?;
    build.label = format!("{side} {}", build.short_commit().unwrap_or(commit));
    Ok(build)
}

/// The report where the base has no benchmarks.
fn all_new(head: &Build, options: &Options) -> Result<Report, Stop> {
    let lists = all_listed(slice::from_ref(head), options)?;
    let cases = lists.into_iter().flat_map(|list| list.cases).flatten();
    let cases: Vec<Case> = cases.collect();
    let ids: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    let line = json!({
        "type": "comparison",
        "candidate": head.label,
        "only_reference": [],
        "only_candidate": ids,
    });
    Ok(Report {
        rows: new_rows(&cases),
        json: format!("{line}\n"),
        ..Report::default()
    })
}

/// Cases that only the base has, and those that cannot be compared, fail.
fn fail_missing(report: &mut Report) {
    for row in &mut report.rows {
        if row.outcome == Outcome::Missing && row.finding != NEW {
            row.outcome = Outcome::Exceeds;
            let note = "missing cases count as failed".to_owned();
            row.notes.push(Reason::Common(note));
            report.code = report.code.max(GATE);
        }
    }
}
