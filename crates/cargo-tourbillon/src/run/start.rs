//! Starts bench targets.

use std::io;
use std::process::ExitStatus;

use tourbillon_builds::Invocation;
use tourbillon_os::{Ending, Signals};
use tourbillon_record::Case;
use tourbillon_tool::patience::status;
use tourbillon_tool::program_lines::listed_cases;

use super::program::Program;
use crate::exit::{ENVIRONMENT, FAILED, INTERRUPTED, Stop, USAGE, say};
use crate::program_output::{Limits, code_of, printed};

/// A bench target and its arguments.
#[derive(Clone, Debug)]
pub(super) struct Start<'t> {
    program: &'t Program,
    arguments: Vec<String>,
}

impl<'t> Start<'t> {
    pub(super) fn of(program: &'t Program, arguments: Vec<String>) -> Start<'t> {
        Start { program, arguments }
    }

    /// With more flags, the last ones: what follows a `--` are filters.
    pub(super) fn with<const N: usize>(mut self, flags: [&str; N]) -> Start<'t> {
        let mut arguments = self.arguments.iter();
        let end = arguments
            .position(|word| word == "--")
            .unwrap_or(self.arguments.len());
        self.arguments.splice(end..end, flags.map(str::to_owned));
        self
    }

    /// Package and target.
    pub(super) fn name(&self) -> String {
        format!("{}/{}", self.program.package, self.program.name)
    }

    /// Runs the target and gives its output.
    pub(super) fn output(&self, limits: Limits) -> (io::Result<ExitStatus>, Vec<u8>) {
        // A target that is interrupted ends by itself, and prints what it has measured.
        match printed(self.invocation().process(), limits, None) {
            Ok(output) => (Ok(output.status), output.stdout),
            Err(error) => (Err(error), Vec::new()),
        }
    }

    /// The exit code for the status of a target. A target that died is reported here, because it may not have
    /// printed anything.
    ///
    /// Never that of an interrupt, which this program gets, too.
    pub(super) fn code(&self, when: &str, status: io::Result<ExitStatus>) -> u8 {
        const REPORTED: [u8; 3] = [USAGE, FAILED, ENVIRONMENT];
        let (code, how) = match status {
            Ok(status) if status.success() => return 0,
            Ok(status) => match (code_of(status), Ending::from(status)) {
                // The bench binary has printed the reason.
                (code, Ending::Exited(own))
                    if own == i32::from(code) && REPORTED.contains(&code) =>
                {
                    return code;
                }
                (code, ending) => (code, ending.to_string()),
            },
            Err(error) => (ENVIRONMENT, format!("cannot be run: {error}")),
        };
        let (name, path) = (&self.program.name, &self.program.executable);
        say(&format!(
            "error: the bench target {name} {how} {when}; run {path:?} to see why\n"
        ));
        code
    }

    /// The exit code for output that cannot be read, which is reported.
    pub(super) fn unreadable(&self, why: &str) -> u8 {
        let (name, path) = (&self.program.name, &self.program.executable);
        say(&format!(
            "error: the bench target {name}: {why}; run {path:?} to see what it prints\n"
        ));
        ENVIRONMENT
    }

    fn invocation(&self) -> Invocation {
        let mut program = self.program.invocation();
        program.verbatim(&self.arguments);
        program
    }
}

/// Runs targets in turn and gives the most severe exit code. An interrupt ends the target that runs.
pub(super) fn each(starts: &[Start<'_>]) -> Result<u8, Stop> {
    let signals = signals()?;
    let mut worst = 0;
    for start in starts {
        let status = status(start.invocation().process());
        if signals.noted().is_some() {
            return Ok(INTERRUPTED);
        }
        worst = worst.max(start.code("while it ran", status));
    }
    Ok(worst)
}

/// The signals that end a target, which prints what it has measured.
pub(super) fn signals() -> Result<Signals, Stop> {
    Signals::install()
        .map_err(|error| Stop::Environment(format!("signals cannot be handled: {error}")))
}

/// How many cases of a target the filters select, ignored ones among them; or the exit code of the target. A suite of
/// criterion that fails in a part lists the others, which are measured.
pub(super) fn selected(target: &Program, arguments: &[String]) -> Result<u64, u8> {
    match list(target, arguments)? {
        (FAILED, cases) if cases.is_empty() => Err(FAILED),
        (_, cases) => Ok(cases.len() as u64),
    }
}

/// The cases of a target that the filters select, ignored ones among them; or the exit code of the target.
pub(super) fn listed(target: &Program, arguments: &[String]) -> Result<Vec<Case>, u8> {
    match list(target, arguments)? {
        (0, cases) => Ok(cases),
        (code, _) => Err(code),
    }
}

/// What a target lists, with its exit code if that is one of a list; or its exit code.
fn list(target: &Program, arguments: &[String]) -> Result<(u8, Vec<Case>), u8> {
    // The last format counts.
    let start = Start::of(target, arguments.to_vec()).with(["--list", "--format", "jsonl"]);
    let (status, stdout) = start.output(Limits::LIST);
    match start.code("while it listed its benchmarks", status) {
        code @ (0 | FAILED) => match listed_cases(&stdout) {
            Ok(cases) => Ok((code, cases)),
            Err(why) => Err(start.unreadable(&why)),
        },
        code => Err(code),
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_builds::Target;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_a_suite_lists_is_measured_where_a_part_of_it_fails() {
        let shell = Program::from(Target {
            executable: "/bin/sh".into(),
            folder: "/".into(),
            ..Target::default()
        });
        let case = Case::default();
        let line = tourbillon_record::Entry::Case(&case).encode();
        for (script, expected) in [
            (format!("echo '{line}'"), Ok(1)),
            (format!("echo '{line}'; exit 3"), Ok(1)),
            ("exit 3".to_owned(), Err(3)),
            (format!("echo '{line}'; exit 1"), Err(1)),
        ] {
            let arguments = ["-c".to_owned(), script];
            assert_eq!(selected(&shell, &arguments), expected, "{arguments:?}");
            let is_whole = !arguments[1].contains("exit");
            assert_eq!(listed(&shell, &arguments).is_ok(), is_whole);
        }
    }

    #[test]
    fn flags_come_before_filters_that_look_like_flags() {
        let program = Program::from(Target::default());
        for (typed, expected) in [
            (&["--bench", "a"][..], &["--bench", "a", "--list"][..]),
            (&["--bench", "--", "-a"], &["--bench", "--list", "--", "-a"]),
        ] {
            let typed = typed.iter().map(|&word| word.to_owned()).collect();
            let start = Start::of(&program, typed).with(["--list"]);
            assert_eq!(start.arguments, expected);
        }
    }
}
