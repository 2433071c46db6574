//! Lists the cases of a build.

use std::process::Stdio;

use crate::exit::{ENVIRONMENT, Stop, say};
use tourbillon_builds::Build;

/// Suffix of the lines of a list.
const KIND: &str = ": benchmark";

/// The ids of the selected cases of each executable.
pub(super) fn listed(build: &Build, flags: &[String]) -> Result<Vec<Vec<String>>, Stop> {
    let mut all = Vec::new();
    for executable in &build.executables {
        let mut command = executable.command(build);
        let ours = ["--list", "--format", "terse"].map(str::to_owned);
        // First, because a filter may follow a `--`.
        command.arg("--bench").args(ours).args(flags);
        let output = command
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output();
        let output = output.map_err(|error| {
            Stop::Environment(format!("{:?} cannot be started: {error}", executable.path))
        })?;
        match output.status.code() {
            Some(0) => all.push(identities(&String::from_utf8_lossy(&output.stdout))),
            code => {
                let (name, label) = (executable.name(), &build.label);
                say(&format!(
                    "error: {name} of {label} does not list its cases; its message is above\n"
                ));
                let code = code.and_then(|code| u8::try_from(code).ok());
                return Err(Stop::Code(code.unwrap_or(ENVIRONMENT)));
            }
        }
    }
    Ok(all)
}

fn identities(list: &str) -> Vec<String> {
    let lines = list.lines();
    lines
        .filter_map(|line| line.strip_suffix(KIND))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_a_case_a_line() {
        let list = "a/b::c: benchmark\na/b::d[x=: benchmark]: benchmark\nsomething else\n";
        assert_eq!(identities(list), ["a/b::c", "a/b::d[x=: benchmark]"]);
    }
}
