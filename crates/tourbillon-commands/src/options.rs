//! What is measured, and how.

use std::path::PathBuf;

use tourbillon_analysis::Criteria;

use crate::line::Shell;

/// What is measured, and how. Lists that may be given for each command have one value for all, one for each, or none.
#[derive(Clone, Debug)]
pub struct Options {
    /// Command lines; the first is the reference of the others.
    pub commands: Vec<String>,
    /// Names of the commands in results.
    pub command_name: Vec<String>,
    /// A command line that the others are compared with.
    pub reference: Option<String>,
    /// Its name in results.
    pub reference_name: Option<String>,
    /// Time to measure, in nanoseconds; `None`: by the number of commands.
    pub time_ns: Option<u64>,
    /// Untimed runs of each command first.
    pub warmup: u32,
    /// Runs of each command, whatever they show.
    pub runs: Option<u64>,
    /// Fewest runs of each command; `None`: 10, or what a verdict needs.
    pub min_runs: Option<u64>,
    /// Most runs of each command.
    pub max_runs: Option<u64>,
    /// What the verdicts have to meet.
    pub criteria: Criteria,
    /// Run before the first run of a command.
    pub setup: Vec<String>,
    /// Run before each run.
    pub prepare: Vec<String>,
    /// Run after each run.
    pub conclude: Vec<String>,
    /// Run after the last run.
    pub cleanup: Vec<String>,
    /// For each parameter that is scanned: its name, the first and the last number.
    pub parameter_scan: Vec<String>,
    /// Distances of two numbers of the scans.
    pub parameter_step_size: Vec<String>,
    /// For each parameter with a list: its name, and the values with commas between them.
    pub parameter_list: Vec<String>,
    /// The shell of commands that are measured.
    pub shell: Shell,
    /// Files for stdin, or `null`.
    pub input: Vec<String>,
    /// Destinations of stdout: `null`, `inherit`, or files.
    pub output: Vec<String>,
    /// Whether stdout and stderr of commands are shown.
    pub show_output: bool,
    /// Working folders.
    pub folder: Vec<String>,
    /// Variables of all commands, `NAME=VALUE`.
    pub env: Vec<String>,
    /// A run that takes longer, in nanoseconds, has failed.
    pub timeout_ns: Option<u64>,
    /// Failures that are measured.
    pub ignore_failure: Option<IgnoredCodes>,
    /// Counters of the processor, by their places in the list of [`Columns`](crate::Columns).
    pub counters: Vec<u8>,
    /// Commands have to write the same to stdout, of this many bytes at most.
    pub same_output: Option<u64>,
    /// Whether it fails while another program measures.
    pub no_wait: bool,
    /// Files that will be written: no command may read them.
    pub exports: Vec<PathBuf>,
    /// Seed of everything that is drawn.
    pub seed: Option<u64>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            commands: Vec::new(),
            command_name: Vec::new(),
            reference: None,
            reference_name: None,
            time_ns: None,
            warmup: 0,
            runs: None,
            min_runs: None,
            max_runs: None,
            criteria: Criteria::COMMANDS,
            setup: Vec::new(),
            prepare: Vec::new(),
            conclude: Vec::new(),
            cleanup: Vec::new(),
            parameter_scan: Vec::new(),
            parameter_step_size: Vec::new(),
            parameter_list: Vec::new(),
            shell: Shell::Unset,
            input: Vec::new(),
            output: Vec::new(),
            show_output: false,
            folder: Vec::new(),
            env: Vec::new(),
            timeout_ns: None,
            ignore_failure: None,
            counters: Vec::new(),
            same_output: None,
            no_wait: false,
            exports: Vec::new(),
            seed: None,
        }
    }
}

impl Options {
    /// The shell of commands that are not measured.
    pub(crate) fn shell_of_others(&self) -> Shell {
        match &self.shell {
            Shell::Unset | Shell::None => Shell::default_shell(),
            shell @ Shell::Program(_) => shell.clone(),
        }
    }
}

/// The order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// As typed.
    Command,
    /// The fastest first.
    Time,
}

/// Exit codes that do not stop the measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IgnoredCodes {
    /// All but 0.
    All,
    /// These.
    These(Vec<i32>),
}

impl IgnoredCodes {
    /// Reads `all-non-zero`, or codes with commas between them.
    ///
    /// # Errors
    ///
    /// When it is neither; the text says what to write.
    pub fn parse(text: &str) -> Result<IgnoredCodes, String> {
        if text == "all-non-zero" {
            return Ok(IgnoredCodes::All);
        }
        let codes = text.split(',').map(|code| code.trim().parse::<i32>());
        codes
            .collect::<Result<_, _>>()
            .map(IgnoredCodes::These)
            .map_err(|_| format!("{text:?} is no list of exit codes; write 1,2 or all-non-zero"))
    }

    /// Whether a process that ended with this code counts.
    pub(crate) fn has(&self, code: i32) -> bool {
        match self {
            IgnoredCodes::All => true,
            IgnoredCodes::These(codes) => codes.contains(&code),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_listed() {
        let parsed = |text| IgnoredCodes::parse(text);
        assert_eq!(parsed("all-non-zero"), Ok(IgnoredCodes::All));
        let some = parsed("1, 2").expect("a list");
        assert_eq!([1, 2, 3].map(|code| some.has(code)), [true, true, false]);
        assert!(parsed("one").is_err());
    }
}
