//! Writes the files of a comparison.

use std::env;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tourbillon_builds::folder_in_checkout;
use tourbillon_report::escape_json;
use tourbillon_tool::exit::{Stop, say};
use tourbillon_tool::output;
use tourbillon_tool::records::workspace;
use tourbillon_values::regular_file;

use super::base::Environment;
use super::code_quality::code_quality;
use super::junit::junit;
use super::markdown::{COMMENT, MARKER, SUMMARY, page};
use super::report::Report;

/// GitHub's variable with the file of the summary of a step.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";
/// The number of the pull request, for the job that writes the comment.
const PULL_REQUEST: &str = "pull-request";

/// A copy of the settings that applied.
pub(super) const SETTINGS: &str = "settings.toml";

/// The names of all files.
const NAMES: [&str; 8] = [
    "summary.md",
    "comment.md",
    "comparison.jsonl",
    "junit.xml",
    "code-quality.json",
    OUTCOMES,
    PULL_REQUEST,
    SETTINGS,
];

/// Is in a folder whose files of these names are those of an earlier job.
const MARK: &str = ".tourbillon-ci";

/// The folder of the records.
const STORE: &str = "store";

/// The flag that names the folder of the files.
const FLAG: &str = "--output DIR";

/// What became of each case, without which the action fails.
const OUTCOMES: &str = "outcomes.json";

/// The folder of the files.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) folder: PathBuf,
    /// Whether cargo may be asked for the workspace, which can run a compiler that the head names.
    has_cargo: bool,
    /// Files that were read: none is replaced.
    inputs: Vec<PathBuf>,
}

impl Files {
    /// Creates the folder, before a build takes minutes. Cargo is not asked for one: its settings are those of the head.
    pub(super) fn create(
        folder: &Path,
        has_cargo: bool,
        inputs: Vec<PathBuf>,
    ) -> Result<Files, Stop> {
        let folder = output::make_folder(folder, FLAG)?;
        output::refuse_tracked_link(&folder.join(STORE), Some(FLAG))?;
        take(&folder, &inputs)?;
        Ok(Files {
            folder,
            has_cargo,
            inputs,
        })
    }

    /// The folder of the records.
    pub(super) fn store(&self) -> PathBuf {
        self.folder.join(STORE)
    }

    /// Writes all files, and appends the summary to that of the step.
    pub(super) fn write(&self, report: &Report, environment: &Environment) -> Result<(), Stop> {
        let workspace = if self.has_cargo {
            workspace().ok().map(|workspace| workspace.root.clone())
        } else {
            env::current_dir().ok()
        };
        let within = workspace.and_then(|root| folder_in_checkout(&root));
        let summary = page(report, "", SUMMARY);
        self.file("summary.md", &summary)?;
        self.file("comment.md", &page(report, MARKER, COMMENT))?;
        self.file("comparison.jsonl", &escape_json(report.json.clone()))?;
        self.file("junit.xml", &junit(report))?;
        self.file(
            "code-quality.json",
            &code_quality(report, &within.unwrap_or_default()),
        )?;
        if let Some(outcomes) = outcomes(report) {
            self.file(OUTCOMES, &outcomes)?;
        }
        if let Some(number) = environment.pull_request() {
            self.file(PULL_REQUEST, &format!("{number}\n"))?;
        }
        if let Some(path) = env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty())
            && let Err(Stop::Environment(why)) = append(Path::new(&path), &summary)
        {
            say(&format!("warning: no summary of the step: {why}\n"));
        }
        Ok(())
    }

    fn file(&self, name: &str, text: &str) -> Result<(), Stop> {
        debug_assert!(NAMES.contains(&name), "{name} is not among the names");
        let path = self.folder.join(name);
        output::refuse_inputs(&path, &self.inputs)?;
        output::write_own(&path, text)
    }
}

/// Marks a folder, in which no file may be that of another program: files of these names are replaced and removed. They are
/// removed at once, except those that were read: a job that is interrupted leaves none, neither of an earlier job nor of a
/// commit.
fn take(folder: &Path, inputs: &[PathBuf]) -> Result<(), Stop> {
    let mark = folder.join(MARK);
    if mark.exists() {
        let replaced = NAMES.map(|name| folder.join(name)).into_iter();
        for file in replaced.filter(|file| output::refuse_inputs(file, inputs).is_ok()) {
            match fs::remove_file(&file) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    let what =
                        format!("{file:?} is of an earlier job and cannot be removed: {error}");
                    return Err(Stop::Environment(what));
                }
                _ => {}
            }
        }
        return Ok(());
    }
    let mut files = NAMES.iter().map(|name| folder.join(name));
    if let Some(file) = files.find(|file| fs::symlink_metadata(file).is_ok()) {
        return Err(Stop::Usage(format!(
            "{file:?} is not of an earlier job; remove it or name another folder with {FLAG}"
        )));
    }
    output::write_own(
        &mark,
        "Files of `cargo tourbillon ci`, which replaces and removes them.\n",
    )
}

/// The outcome of every case as a JSON text; `None` where nothing was compared.
fn outcomes(report: &Report) -> Option<String> {
    let revisions = report.revisions.as_ref()?;
    let rows = report.rows.iter().map(
        |row| json!({"case": row.id, "outcome": row.status.name(), "finding": row.outcome.word()}),
    );
    let outcomes = json!({
        "exit_code": report.code,
        "base": revisions.base,
        "head": revisions.head,
        "changes": report.changes,
        "coverage": report.coverage.json(),
        "cases": rows.collect::<Vec<Value>>(),
    });
    Some(escape_json(format!("{outcomes}\n")))
}

/// Appends to a file, which code of the head may have put there: a pipe would wait for a reader.
fn append(path: &Path, text: &str) -> Result<(), Stop> {
    output::refuse_tracked_link(path, None)?;
    let file = regular_file::open_with(File::options().append(true).create(true), path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| output::not_written(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_summary_is_appended_to_files_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        assert!(append(&pipe, "x").is_err());
        let file = folder.path().join("file");
        append(&file, "a")
            .and_then(|()| append(&file, "b"))
            .expect("a file");
        assert_eq!(fs::read_to_string(&file).expect("a file"), "ab");
    }

    /// A commit may have the link, and the runner's variable its name.
    #[cfg(unix)]
    #[test]
    fn a_summary_is_appended_by_no_link_of_a_repository() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("kept"), "kept").expect("a file");
        fs::create_dir(at("checkout")).expect("a folder");
        let link = at("checkout/summary");
        std::os::unix::fs::symlink(at("kept"), &link).expect("a link");
        append(&link, "").expect("a link that is no repository's");
        for words in [&["init", "--quiet"][..], &["add", "--", "summary"]] {
            let mut git = std::process::Command::new("git");
            let status = git.args(words).current_dir(at("checkout")).status();
            assert!(status.expect("git starts").success());
        }
        assert!(append(&link, "x").is_err());
        assert_eq!(fs::read_to_string(at("kept")).expect("a file"), "kept");
    }

    #[test]
    fn a_folder_with_files_of_others_is_not_taken() {
        for name in NAMES {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join(name);
            fs::write(&file, "kept").expect("a file");
            let refused = take(folder.path(), &[]);
            assert!(matches!(refused, Err(Stop::Usage(_))), "{name}");
            fs::remove_file(&file).expect("the file");
            fs::write(folder.path().join("other"), "kept").expect("a file");
            take(folder.path(), &[]).expect("no file of a job");
            fs::write(&file, "of a job").expect("a file");
            take(folder.path(), std::slice::from_ref(&file)).expect("a folder of jobs");
            assert!(file.exists(), "{name} was read");
            // Those of a job before this one say nothing of it.
            take(folder.path(), &[]).expect("a folder of jobs");
            assert!(!file.exists(), "{name}");
        }
    }
}
