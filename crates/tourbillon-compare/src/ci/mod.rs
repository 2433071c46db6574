//! `cargo tourbillon ci`: base against head in one job, with files for the services that show results.

mod base;
mod code_quality;
mod coverage;
mod files;
mod junit;
mod markdown;
mod report;
mod settings;

use std::path::PathBuf;
use std::slice;

use serde_json::json;
use tourbillon_builds::{Build, Cache, Error, Maker, Subject};
use tourbillon_coordinator::values::SettingsFile;
use tourbillon_present::shell_word;
use tourbillon_record::Case;
use tourbillon_report::{Outcome, escape};
use tourbillon_tool::exit::{Stop, print, print_page, say};
use tourbillon_tool::machine_lock::machine_lock;

use self::base::{Environment, Revisions};
use self::coverage::{Coverage, keep_demands, without_outcome};
use self::files::Files;
use self::report::Report;
use self::settings::{Settings, toolchain_change};
use crate::judgement::Compared;
use crate::options::Options;
use crate::pairing::builds::{all_listed, check_unchanged, find_unchanged, paired};
use crate::pairing::conditions::Conditions;
use crate::pairing::files_read::UnreadFiles;
use crate::results::basis::basis;
use crate::results::case_outcome::CaseOutcome;
use crate::results::document::{EXPLAIN, document};
use crate::results::json_lines::{json_lines, why_line};
use crate::results::rows::{new_rows, rows};
use crate::subjects::unpacked;
use crate::verify::verify;

/// What is compared, and how.
#[derive(Clone, Debug, Default)]
pub struct CiOptions {
    /// Branch or commit to compare with; `None` for that of the service.
    pub base: Option<String>,
    /// Commit that is compared.
    pub head: String,
    /// Folder of the files.
    pub output: PathBuf,
    /// Whether cases that the head lacks or ignores fail the job.
    pub missing_fails: bool,
    /// Files that `bundle` made, with the builds of base and head; without any, both are built.
    pub bundles: Vec<PathBuf>,
    /// How builds are made and compared.
    pub options: Options,
}

/// Compares the head of a branch with its base, prints the result and writes the files of a job.
///
/// # Errors
///
/// What is wrong with the options or with this machine; the exit code where a case or the gate failed.
pub fn run(mut arguments: CiOptions) -> Result<(), Stop> {
    let environment = Environment::read();
    let settings = arguments.options.settings_file().into_iter().collect();
    let files = Files::create(&arguments.output, arguments.bundles.is_empty(), settings)?;
    let report = compare(&mut arguments, &environment, &files).map_err(|stop| {
        let report = Report::without_result(&stop);
        (stop, report)
    });
    let (stop, report) = match report {
        Ok(report) => (None, report),
        Err((stop, report)) => (Some(stop), report),
    };
    files.write(&report, &environment)?;
    print(&format!("{}\n", report.headline()))?;
    for change in &report.changes {
        say(&format!("{}\n", escape(change, true)));
    }
    say(&format!("files in {}\n", files.folder.display()));
    match (stop, report.code.max(report.stored)) {
        (Some(stop), _) => Err(stop),
        (None, 0) => Ok(()),
        (None, code) => Err(Stop::Code(code)),
    }
}

/// The file whose defaults a command line has: that of its base. What keeps it from being found is reported when both
/// are compared.
pub fn settings_file(arguments: &CiOptions) -> Option<SettingsFile> {
    let cache = Cache::locate(say).ok()?;
    let (.., settings) = settled(arguments, &Environment::read(), &cache).ok()?;
    settings.file
}

/// Both commits, and the settings of the base.
fn settled(
    arguments: &CiOptions,
    environment: &Environment,
    cache: &Cache,
) -> Result<(Maker, Revisions, Settings), Stop> {
    let options = &arguments.options;
    let selection = options.selection.clone();
    let maker = Maker::new(cache.clone(), selection, options.has_placements())?;
    let typed = arguments.base.as_deref();
    let revisions = Revisions::find(&maker, typed, &arguments.head, environment)?;
    let settings = Settings::find(&maker, &revisions, &options.store.config)?;
    Ok((maker, revisions, settings))
}

/// Measures base and head, and prints the result.
fn compare(
    arguments: &mut CiOptions,
    environment: &Environment,
    files: &Files,
) -> Result<Report, Stop> {
    let cache = Cache::locate(say)?;
    let (maker, revisions, settings) = settled(arguments, environment, &cache)?;
    let options = &mut arguments.options;
    options.hold(settings.file.as_ref(), settings.copy_to(&files.folder)?)?;
    options.keep_in(|| Some(files.store()));
    options.require_gate();
    options.holds_head = true;
    if arguments.head == "HEAD" && maker.is_changed() {
        say("uncommitted changes are no part of the head\n");
    }
    let mut report = if arguments.bundles.is_empty() {
        compare_built(arguments, &maker, &revisions)?
    } else {
        let builds = bundled(arguments, &revisions, &cache)?;
        compare_builds(&builds, arguments)?
    };
    // A job keeps its cache; placements are the largest part of it, and are drawn anew by the next one.
    cache.remove_placements();
    cache.prune();
    report.changes.splice(0..0, settings.changes);
    report.revisions = Some(revisions);
    Ok(report)
}

/// Builds both sides and measures them.
fn compare_built(
    arguments: &CiOptions,
    maker: &Maker,
    revisions: &Revisions,
) -> Result<Report, Stop> {
    let base = match built(maker, "base", &revisions.base) {
        Err(Error::NoBenchmarks(why)) => {
            say(&format!("{why}\n"));
            None
        }
        made => Some(made?),
    };
    let head = built(maker, "head", &revisions.head)?;
    let mut report = match base {
        Some(base) => compare_builds(&[base, head], arguments)?,
        None => all_new(&head, &arguments.options)?,
    };
    if report.sides.is_none() {
        // The base may have no benchmarks for its compiler.
        report.changes.extend(toolchain_change(maker, revisions));
    }
    Ok(report)
}

/// Measures two builds.
fn compare_builds(builds: &[Build; 2], arguments: &CiOptions) -> Result<Report, Stop> {
    let options = &arguments.options;
    let lists = all_listed(builds, options)?;
    let [bases, heads] = [0, 1].map(|side| lists[side].cases.concat());
    let mut comparisons = paired(builds, &lists, options, None)?;
    let mut coverage = Coverage::new(&comparisons[0], &bases);
    keep_demands(&mut comparisons[0], &bases);
    let lock = machine_lock("cargo tourbillon ci", options.no_wait)?;
    let files = Build::hold_files(builds, say)?;
    find_unchanged(&mut comparisons[0], options, &UnreadFiles::default());
    check_unchanged(&mut comparisons[0], options)?;
    let compared = Compared::measure(&comparisons[0], options)?;
    let style = options.style();
    let found = rows(&compared, None);
    let mut page = document(&compared, &found, &style, options.list_all, EXPLAIN);
    let stored = compared.keep(options)?;
    let why = compared.explained(options.explain, &style);
    page.insert_before_notes(why.clone());
    print_page(&page.text(&style))?;
    let asserted = if compared.interrupted() {
        None
    } else {
        Some(verify(&builds[1], &lists[1].cases, options)?)
    };
    drop((files, lock));
    let mut report = Report {
        sides: Some(builds.each_ref().map(|build| build.label.clone())),
        rows: rows(&compared, asserted.as_ref()),
        basis: basis(&compared),
        json: json_lines(&compared) + &why_line(&why),
        why,
        changes: sentences(&comparisons[0].conditions, compared.mistake.clone()),
        code: compared.code(),
        stored,
        ..Report::default()
    };
    if let Some(asserted) = &asserted {
        if !asserted.verdicts.is_empty() {
            print_page(&asserted.document(&style).text(&style))?;
        }
        report.json += &asserted.json_lines();
        report.code = report.code.max(asserted.code);
    }
    let commits = builds.each_ref().map(|build| build.short_commit());
    let search = dependency_search(&comparisons[0].conditions, commits, &report.rows);
    report.changes.extend(search);
    coverage.note(&mut report.rows);
    let names = comparisons[0].names();
    for case in without_outcome(&comparisons[0], &bases, &heads, &report.rows) {
        let name = names.name(&case.id);
        report.none_for(CaseOutcome::new(&case.id, name, Outcome::NoOutcome));
    }
    report.coverage = coverage;
    if arguments.missing_fails {
        report.fail_missing();
    }
    Ok(report)
}

/// What differs in how both were built, and a mistake in the flags.
fn sentences(conditions: &Conditions, mistake: Option<String>) -> Vec<String> {
    let of_builds = [
        conditions.changed(),
        conditions.note(),
        conditions.unknown(),
    ];
    of_builds.into_iter().chain([mistake]).flatten().collect()
}

/// How to find the dependency that makes a case slower, where versions of dependencies are all that commits change of
/// how they are built.
fn dependency_search(
    conditions: &Conditions,
    commits: [Option<&str>; 2],
    rows: &[CaseOutcome],
) -> Option<String> {
    let [Some(base), Some(head)] = commits else {
        return None;
    };
    let slower = rows.iter().find(|row| row.outcome == Outcome::Slower)?;
    let case = shell_word(&slower.id, false);
    conditions.are_lock_files().then(|| {
        format!("which dependency: cargo tourbillon history bisect {case} --deps {base} {head}")
    })
}

/// The builds of both commits from bundles, the base first.
fn bundled(
    arguments: &CiOptions,
    revisions: &Revisions,
    cache: &Cache,
) -> Result<[Build; 2], Stop> {
    let builds = unpacked(&arguments.bundles, &arguments.options, cache)?;
    let count = builds.len();
    let Ok([mut base, mut head]) = <[Build; 2]>::try_from(builds) else {
        let what = format!(
            "the bundles have {count} builds; ci compares that of the base with that of the head"
        );
        return Err(Stop::Usage(what));
    };
    let commits = [&revisions.base, &revisions.head];
    for ((side, build), commit) in [("base", &mut base), ("head", &mut head)]
        .into_iter()
        .zip(commits)
    {
        if build.commit.as_ref() != Some(commit) || build.dirty {
            let label = &build.label;
            return Err(Stop::Usage(format!(
                "{label} in the bundle is not the {side} {commit}; bundle a checkout of that commit, and name the \
                 base first"
            )));
        }
        build.label = label(side, build, commit);
    }
    Ok([base, head])
}

/// The build of one side.
fn built(maker: &Maker, side: &str, commit: &str) -> Result<Build, Error> {
    let mut build = maker.make(&Subject::Revision(commit.to_owned()))?;
    build.label = label(side, &build, commit);
    Ok(build)
}

fn label(side: &str, build: &Build, commit: &str) -> String {
    format!("{side} {}", build.short_commit().unwrap_or(commit))
}

/// The report where the base has no benchmarks.
fn all_new(head: &Build, options: &Options) -> Result<Report, Stop> {
    let lists = all_listed(slice::from_ref(head), options)?;
    let cases: Vec<Case> = lists
        .into_iter()
        .flat_map(|list| list.cases)
        .flatten()
        .collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_commits_change_besides_the_code_is_said() {
        let mut conditions = Conditions::default();
        assert_eq!(sentences(&conditions, None), [""; 0]);
        conditions.files = vec!["Cargo.toml".into(), "Cargo.lock".into()];
        let said = sentences(&conditions, Some("a mistake".to_owned()));
        assert_eq!(said, ["also changed: Cargo.toml, Cargo.lock", "a mistake"]);
    }

    #[test]
    fn a_slower_case_with_other_dependencies_has_a_search() {
        let of = |files: &[&str], outcome: Outcome| {
            let mut conditions = Conditions::default();
            conditions.files = files.iter().map(PathBuf::from).collect();
            let rows = [CaseOutcome::new("shop/speed::a b", "a b", outcome)];
            dependency_search(&conditions, [Some("1a2b3c4"), Some("5d6e7f8")], &rows)
        };
        let expected = "which dependency: cargo tourbillon history bisect 'shop/speed::a b' --deps 1a2b3c4 5d6e7f8";
        let found = of(&["Cargo.lock"], Outcome::Slower);
        assert_eq!(found.as_deref(), Some(expected));
        assert_eq!(of(&["Cargo.lock"], Outcome::Faster), None);
        assert_eq!(of(&["Cargo.lock", "Cargo.toml"], Outcome::Slower), None);
        assert_eq!(of(&[], Outcome::Slower), None);
    }
}
