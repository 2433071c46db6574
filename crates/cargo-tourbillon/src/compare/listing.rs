//! Lists the cases of builds.

use std::path::{Path, absolute};
use std::process::Stdio;

use tourbillon_builds::Build;
use tourbillon_record::{Case, Line};

use crate::config_file;
use crate::exit::{ENVIRONMENT, Stop};

/// The selected cases of each executable, with the defaults of a file.
pub(super) fn listed(
    build: &Build,
    flags: &[String],
    file: Option<&Path>,
) -> Result<Vec<Vec<Case>>, Stop> {
    let file = file.and_then(|file| absolute(file).ok());
    let mut all = Vec::new();
    for executable in &build.executables {
        let mut command = executable.command(build);
        let ours = ["--list", "--format", "jsonl"].map(str::to_owned);
        // First, because a filter may follow a `--`.
        command.arg("--bench").args(ours).args(flags);
        match &file {
            Some(file) => command.env(config_file::VARIABLE, file),
            None => command.env(config_file::VARIABLE, config_file::NO_FILE),
        };
        let output = command
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output();
        let output = output.map_err(|error| {
            Stop::Environment(format!("{:?} cannot be started: {error}", executable.path))
        })?;
        if !output.status.success() {
            let (name, label) = (executable.name(), &build.label);
            let what = format!("{name} of {label} does not list its cases; its message is above");
            let code = output
                .status
                .code()
                .and_then(|code| u8::try_from(code).ok());
            return Err(Stop::Failed(code.unwrap_or(ENVIRONMENT), what));
        }
        all.push(cases(&String::from_utf8_lossy(&output.stdout)));
    }
    Ok(all)
}

/// The cases in a list; a program may print other lines.
fn cases(list: &str) -> Vec<Case> {
    let cases = list.lines().filter_map(|line| match Line::decode(line) {
        Ok(Line::Case(case)) => Some(case),
        _ => None,
    });
    cases.collect()
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Entry;

    use super::*;

    fn case(id: &str) -> Case {
        Case {
            id: id.to_owned(),
            ..Case::default()
        }
    }

    #[test]
    fn a_list_has_a_case_a_line() {
        let of = ["a/b::c", "a/b::d[x=\n]"].map(case);
        let lines = of.each_ref().map(|case| Entry::Case(case).encode());
        let list = format!("something else\n{}\n{{}}\n", lines.join("\n"));
        assert_eq!(cases(&list), of);
    }
}
