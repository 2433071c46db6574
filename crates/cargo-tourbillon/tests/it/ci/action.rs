//! The steps of the action, with cargo, rustc and the subcommand replaced.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::programs;
use super::workflows::{action, text};
use crate::folder::{Folder, script};

/// Writes its arguments and its folder, and installs a program.
const CARGO: &str = r#"#!/bin/sh
printf '<%s>' "$@" >>"$CALLS"
echo " $PWD" >>"$CALLS"
while [ $# -gt 0 ]; do [ "$1" = --root ] && root=$2; shift; done
mkdir -p "$root/bin" "$root/target"
: >"$root/bin/cargo-tourbillon"
"#;
/// In place of a program that the pull request has put into the search path, and of cargo with an alias.
const FOREIGN: &str = "#!/bin/sh\necho foreign >>\"$CALLS\"\n";
/// Writes its arguments and the folder of the cache, runs what a build script would, and exits with the code in a variable.
const PROGRAM: &str = r#"#!/bin/sh
printf '<%s>' "$@" >>"$CALLS"
echo " $TOURBILLON_CACHE" >>"$CALLS"
[ -z "$OUTCOMES" ] || echo "$OUTCOMES" >"$3/outcomes.json"
echo 'the result' >"$3/summary.md"
eval "$BUILD_SCRIPT"
exit "$EXITS"
"#;

/// A runner.
struct Runner {
    folder: Folder,
    path: OsString,
}

impl Runner {
    fn new(name: &str, scripts: &[(&str, &str)]) -> Runner {
        let (folder, path) = programs(name, scripts);
        Runner { folder, path }
    }

    /// Runs a step as GitHub runs `shell: bash`.
    fn step(&self, id: &str, variables: &[(&str, &str)]) -> Output {
        let action = action();
        let mut steps = action["runs"]["steps"].as_vec().expect("steps").iter();
        let step = steps
            .find(|step| step["id"].as_str() == Some(id))
            .expect(id);
        let mut command = Command::new("bash");
        command
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c"])
            .arg(text(&step["run"]))
            .current_dir(&*self.folder)
            .env("PATH", &self.path)
            .env("HOME", &*self.folder)
            .env("RUNNER_TEMP", &*self.folder)
            .env("GITHUB_OUTPUT", self.folder.join("outputs"))
            .env("GITHUB_PATH", self.folder.join("paths"))
            .env("GITHUB_STEP_SUMMARY", self.folder.join("summary"))
            .env("CALLS", self.folder.join("calls"))
            .env_remove("TOURBILLON_CACHE")
            .envs(variables.iter().copied());
        command.output().expect("bash starts")
    }

    /// The outputs of the steps so far.
    fn output(&self, name: &str) -> String {
        let outputs = self.read("outputs");
        let mut values = outputs.lines().filter_map(|line| line.split_once('='));
        let value = values.rfind(|(known, _)| *known == name);
        value.expect(name).1.to_owned()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap_or_default()
    }

    /// Runs the comparison; gives its exit code.
    fn compare(&self, variables: &[(&str, &str)]) -> Option<i32> {
        let program = self.folder.join("installed/bin/cargo-tourbillon");
        fs::create_dir_all(program.parent().expect("a folder")).expect("a folder");
        script(&program, PROGRAM);
        let usual = [
            ("PROGRAM", program.to_str().expect("a path")),
            ("BASE", ""),
            ("FLAGS", ""),
            ("EXITS", "0"),
            ("OUTCOMES", "{}"),
            ("BUILD_SCRIPT", ""),
        ];
        self.step("compare", &[&usual[..], variables].concat())
            .status
            .code()
    }
}

#[test]
fn the_comparison_gets_its_flags_and_its_code_is_that_of_the_step() {
    let runner = Runner::new("ci-action-compare", &[("cargo", FOREIGN)]);
    let cache = runner.folder.join(".cache/tourbillon");
    let flags = "--gate '2 %'\n--missing fail\n-- sort/$(x)\n";
    for (base, flags, exits, code) in [
        ("", "", "0", Some(0)),
        ("a b; rm -rf x", flags, "2", Some(2)),
    ] {
        let variables = [("BASE", base), ("FLAGS", flags), ("EXITS", exits)];
        assert_eq!(runner.compare(&variables), code);
        let folder = runner.output("folder");
        let base = match base {
            "" => String::new(),
            base => format!("<--base={base}>"),
        };
        let expected = format!(
            "<ci><--output><{folder}>{base}<--flags={flags}> {}\n",
            cache.display()
        );
        assert!(
            runner.read("calls").ends_with(&expected),
            "{}",
            runner.read("calls")
        );
        assert_eq!(runner.output("exit-code"), exits);
    }
    // Not cargo, which may have an alias `tourbillon`.
    assert!(!runner.read("calls").contains("foreign"));
}

#[test]
fn without_outcomes_the_comparison_fails() {
    let runner = Runner::new("ci-action-outcomes", &[]);
    for flags in ["--help", ""] {
        let variables = [("FLAGS", flags), ("OUTCOMES", "")];
        assert_eq!(runner.compare(&variables), Some(3));
        assert_eq!(runner.output("exit-code"), "3");
    }
    // What one comparison wrote is not there for the next.
    assert_eq!(runner.compare(&[]), Some(0));
    let first = runner.output("folder");
    assert_eq!(runner.compare(&[("OUTCOMES", "")]), Some(3));
    assert_ne!(runner.output("folder"), first);
    // The code of a failure is its own.
    assert_eq!(
        runner.compare(&[("OUTCOMES", ""), ("EXITS", "101")]),
        Some(101)
    );
}

#[test]
fn a_build_script_changes_neither_outputs_nor_the_search_path_nor_the_code() {
    let runner = Runner::new("ci-action-hostile", &[]);
    let hostile = "mkdir -p \"$HOME/.cache/cargo-tourbillon/bin\" \"$HOME/.cargo/bin\"
        for name in bash rm test exit cargo; do
          printf '#!/bin/sh\\nexit 0\\n' >\"$HOME/.cargo/bin/$name\"; chmod +x \"$HOME/.cargo/bin/$name\"
        done
        for file in \"$GITHUB_PATH\" \"$GITHUB_ENV\" \"$GITHUB_OUTPUT\" \"$GITHUB_STEP_SUMMARY\"; do
          [ -z \"$file\" ] || echo \"exit-code=0\" >>\"$file\"
        done";
    let cargo = runner.folder.join(".cargo/bin");
    let mut path = cargo.into_os_string();
    path.push(":");
    path.push(&runner.path);
    let runner = Runner { path, ..runner };
    let code = runner.compare(&[("EXITS", "2"), ("BUILD_SCRIPT", hostile)]);
    assert_eq!(code, Some(2));
    assert_eq!(runner.read("paths"), "");
    assert_eq!(runner.read("summary"), "the result\n");
    assert_eq!(runner.read("outputs").matches("exit-code").count(), 1);
    // No step after it decides.
    let action = action();
    let steps = action["runs"]["steps"].as_vec().expect("steps");
    let after = steps
        .iter()
        .skip_while(|step| step["id"].as_str() != Some("compare"))
        .skip(1);
    for step in after {
        assert!(text(&step["if"]).starts_with("always() && "), "{step:?}");
    }
}

#[test]
fn the_subcommand_is_built_in_every_job_before_anything_else() {
    let runner = Runner::new("ci-action-install", &[("cargo", CARGO)]);
    let sources = runner.folder.join("action");
    fs::create_dir_all(&sources).expect("a folder");
    // As a build script of another job would have left it.
    let forged = runner
        .folder
        .join(".cache/cargo-tourbillon/bin/cargo-tourbillon");
    fs::create_dir_all(forged.parent().expect("a folder")).expect("a folder");
    script(&forged, FOREIGN);
    let mut programs = Vec::new();
    for _ in 0..2 {
        let path = sources.to_str().expect("a path");
        let output = runner.step("install", &[("GITHUB_ACTION_PATH", path)]);
        assert!(output.status.success(), "{output:?}");
        programs.push(runner.output("program"));
    }
    assert_ne!(programs[0], programs[1]);
    for program in &programs {
        assert!(Path::new(program).starts_with(&*runner.folder), "{program}");
        assert!(!program.contains(".cache"), "{program}");
        assert_eq!(fs::read_to_string(program).expect("a program"), "");
    }
    let calls = runner.read("calls");
    assert_eq!(calls.lines().count(), 2);
    for call in calls.lines() {
        assert!(
            call.starts_with("<install>") && call.contains("<--locked>"),
            "{call}"
        );
        let folder = format!(
            " {}",
            fs::canonicalize(&sources).expect("a folder").display()
        );
        assert!(
            call.ends_with(&folder),
            "{call}: in the folder of the action"
        );
    }
    assert_eq!(runner.read("paths"), "");
    let action = action();
    assert_eq!(text(&action["runs"]["steps"][0]["id"]), "install");
}

#[test]
fn keys_change_with_the_compiler_and_the_sources() {
    let rustc = "#!/bin/sh\necho \"rustc $VERSION\"\n";
    let runner = Runner::new("ci-action-keys", &[("rustc", rustc)]);
    let sources = runner.folder.join("action");
    fs::create_dir_all(sources.join("crates")).expect("a folder");
    for file in ["Cargo.toml", "Cargo.lock", "crates/a b.rs"] {
        fs::write(sources.join(file), file).expect("a file");
    }
    let key = |version: &str| {
        let variables = [
            ("VERSION", version),
            ("GITHUB_ACTION_PATH", sources.to_str().expect("a path")),
            ("RUNNER_OS", "Linux"),
            ("RUNNER_ARCH", "X64"),
        ];
        let output = runner.step("keys", &variables);
        assert!(output.status.success(), "{output:?}");
        runner.output("prefix")
    };
    let first = key("1.90");
    assert!(
        first.starts_with("tourbillon-Linux-X64-") && first.ends_with('-'),
        "{first}"
    );
    assert_eq!(key("1.90"), first);
    assert_ne!(key("1.91"), first);
    fs::write(sources.join("crates/a b.rs"), "changed").expect("a file");
    assert_ne!(key("1.90"), first);
}
