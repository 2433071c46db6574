//! The steps of the action, with cargo and rustc replaced.

use std::fs;
use std::process::{Command, Output};

use super::programs;
use super::workflows::{action, text};

/// Writes its arguments and the folder of the cache, and exits with the code in a variable.
const CARGO: &str = "#!/bin/sh\nprintf '<%s>' \"$@\" >>\"$CALLS\"\n\
    echo \" $TOURBILLON_CACHE\" >>\"$CALLS\"\nexit \"${CARGO_EXITS:-0}\"\n";

/// Runs a step of the action.
fn step(id: &str, command: &mut Command) -> Output {
    let action = action();
    let mut steps = action["runs"]["steps"].as_vec().expect("steps").iter();
    let step = steps
        .find(|step| step["id"].as_str() == Some(id))
        .expect(id);
    // As GitHub runs `shell: bash`.
    command.args([
        "--noprofile",
        "--norc",
        "-eo",
        "pipefail",
        "-c",
        text(&step["run"]),
    ]);
    command.output().expect("bash starts")
}

#[test]
fn the_comparison_gets_its_flags_and_its_code_is_kept() {
    let (folder, path) = programs("ci-action-compare", &[("cargo", CARGO)]);
    let (calls, outputs) = (folder.join("calls"), folder.join("outputs"));
    let cache = folder.join(".cache/tourbillon");
    let build = cache.join("builds/key/0");
    for folder in ["placed", "objects"] {
        fs::create_dir_all(build.join(folder)).expect("a folder");
    }
    for (base, flags, exits) in [
        ("", "", "0"),
        ("origin/main; rm -rf x", "--gate 2%  -- sort/$(x)", "2"),
    ] {
        let output = step(
            "compare",
            Command::new("bash")
                .env("PATH", &path)
                .env("HOME", &*folder)
                .env("RUNNER_TEMP", &*folder)
                .env("GITHUB_OUTPUT", &outputs)
                .env("CALLS", &calls)
                .env("CARGO_EXITS", exits)
                .env("BASE", base)
                .env("FLAGS", flags),
        );
        assert!(output.status.success(), "{output:?}");
    }
    let ci = folder.join("tourbillon-ci");
    let (ci, cache) = (ci.display(), cache.display());
    let expected = format!(
        "<tourbillon><ci><--output><{ci}> {cache}\n\
         <tourbillon><ci><--output><{ci}><--base><origin/main; rm -rf x><--gate><2%><--><sort/$(x)> {cache}\n"
    );
    assert_eq!(fs::read_to_string(&calls).expect("calls"), expected);
    // Hundreds of copies of an executable are not cached.
    assert!(build.join("objects").exists() && !build.join("placed").exists());
    let expected = format!("exit-code=0\nfolder={ci}\nexit-code=2\nfolder={ci}\n");
    assert_eq!(fs::read_to_string(&outputs).expect("outputs"), expected);
}

#[test]
fn the_job_ends_with_the_code_of_the_comparison() {
    for code in [0, 2, 101] {
        let output = step("end", Command::new("bash").env("CODE", code.to_string()));
        assert_eq!(output.status.code(), Some(code));
    }
}

#[test]
fn the_subcommand_is_built_unless_it_is_cached() {
    let (folder, path) = programs("ci-action-install", &[("cargo", CARGO)]);
    let (calls, paths) = (folder.join("calls"), folder.join("paths"));
    let install = || {
        let output = step(
            "install",
            Command::new("bash")
                .env("PATH", &path)
                .env("HOME", &*folder)
                .env("RUNNER_TEMP", "/runner")
                .env("GITHUB_ACTION_PATH", "/action")
                .env("GITHUB_PATH", &paths)
                .env("CALLS", &calls)
                .env_remove("TOURBILLON_CACHE"),
        );
        assert!(output.status.success(), "{output:?}");
    };
    install();
    let text = fs::read_to_string(&calls).expect("a call");
    assert!(
        text.starts_with("<install>") && text.contains("<--path></action/crates/cargo-tourbillon>"),
        "{text}"
    );
    let bin = folder.join(".cache/cargo-tourbillon/bin");
    fs::create_dir_all(&bin).expect("a folder");
    crate::folder::script(&bin.join("cargo-tourbillon"), "#!/bin/sh\n");
    install();
    assert_eq!(fs::read_to_string(&calls).expect("a call"), text);
    let line = format!("{}\n", bin.display());
    assert_eq!(fs::read_to_string(&paths).expect("paths"), line.repeat(2));
}

#[test]
fn keys_change_with_the_compiler_and_the_sources() {
    let rustc = "#!/bin/sh\necho \"rustc $VERSION\"\n";
    let (folder, path) = programs("ci-action-keys", &[("rustc", rustc)]);
    fs::create_dir_all(folder.join("action/crates")).expect("a folder");
    for file in ["Cargo.toml", "Cargo.lock", "crates/a b.rs"] {
        fs::write(folder.join("action").join(file), file).expect("a file");
    }
    let key = |version: &str| {
        let outputs = folder.join("outputs");
        let _ = fs::remove_file(&outputs);
        let output = step(
            "keys",
            Command::new("bash")
                .env("PATH", &path)
                .env("VERSION", version)
                .env("GITHUB_ACTION_PATH", folder.join("action"))
                .env("GITHUB_OUTPUT", &outputs)
                .env("RUNNER_OS", "Linux")
                .env("RUNNER_ARCH", "X64"),
        );
        assert!(output.status.success(), "{output:?}");
        fs::read_to_string(&outputs).expect("a key")
    };
    let first = key("1.90");
    assert!(
        first.starts_with("prefix=tourbillon-Linux-X64-") && first.ends_with("-\n"),
        "{first}"
    );
    assert_eq!(key("1.90"), first);
    assert_ne!(key("1.91"), first);
    fs::write(folder.join("action/crates/a b.rs"), "changed").expect("a file");
    assert_ne!(key("1.90"), first);
}
