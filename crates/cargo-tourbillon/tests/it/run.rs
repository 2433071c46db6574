//! `run`, on a package of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::facade_build::{PROFILE, lend};
use crate::folder::{Folder, run};
use crate::program::Ran;
use crate::report::figures;

/// A package with a bench target of ours, one of another harness, and a library with tests.
///
/// Each test has its own patch version: in one target directory cargo identifies packages by name
/// and version, and one test would run what another one built.
pub(crate) fn package(folder: &Path, patch: u32) {
    let facade = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tourbillon");
    fs::create_dir_all(folder.join("benches")).expect("a folder");
    fs::create_dir_all(folder.join("src/deep")).expect("a folder");
    fs::write(folder.join("src/lib.rs"), "").expect("a file");
    let manifest = format!(
        r#"[package]
name = "shop"
version = "0.0.{patch}"
edition = "2024"
[workspace]
{PROFILE}incremental = false
[[bench]]
name = "ours"
harness = false
[[bench]]
name = "other"
harness = false
[dev-dependencies]
tourbillon = {{ path = {facade:?} }}
"#
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    fs::write(
        folder.join("benches/ours.rs"),
        "#[tourbillon::bench]\nfn fine() -> u64 { tourbillon::hide(1) }\n\
         #[tourbillon::bench]\nfn fails() -> Result<(), String> { Err(\"by design\".to_owned()) }\n\
         fn main() -> std::process::ExitCode { tourbillon::main() }\n",
    )
    .expect("a bench");
    fs::write(folder.join("benches/other.rs"), "fn main() {}\n").expect("a bench");
}

/// The target directory of such packages, with the facade built.
pub(crate) fn target_directory() -> PathBuf {
    static LENT: OnceLock<PathBuf> = OnceLock::new();
    let lent = LENT.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runs");
        // Of an earlier run, perhaps with another compiler.
        let _ = fs::remove_dir_all(&target);
        lend("", &target);
        // As cargo marks a target directory that it creates: results are stored in it.
        fs::write(target.join("CACHEDIR.TAG"), "").expect("a file");
        target
    });
    lent.clone()
}

/// A brief run that stores nothing.
fn brief(folder: &Path, arguments: &[&str]) -> Ran {
    stored(folder, &[&["--no-store"], arguments].concat())
}

/// A brief run in the store of the target directory.
pub(crate) fn stored(folder: &Path, arguments: &[&str]) -> Ran {
    let directory = target_directory();
    let target = directory.to_str().expect("a path of text");
    let own = [
        "run",
        "--offline",
        "--profile",
        "dev",
        "--target-dir",
        target,
        "--launches",
        "1",
        "--max-time",
        "5ms",
    ];
    run(folder, &[&own, arguments].concat())
}

#[test]
fn targets_are_built_and_run_with_their_own_exit_codes() {
    let folder = Folder::new("run");
    package(&folder, 1);
    // From any folder of the package.
    let ran = brief(&folder.join("src/deep"), &["fine"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("fine "), "{}", ran.stdout);
    assert!(
        ran.stderr
            .contains("skipping other: it does not use tourbillon"),
        "{}",
        ran.stderr
    );

    let ran = brief(&folder, &[]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("by design"), "{}", ran.stdout);

    let ran = brief(&folder, &["zzz"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""), "{ran:?}");
    assert!(ran.stderr.contains("nothing is selected"), "{}", ran.stderr);
    let ran = brief(&folder, &["fien"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    let stderr = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(stderr.contains("; did you mean fine?"), "{}", ran.stderr);

    let ran = brief(&folder, &["--luanches", "5"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("did you mean --launches?"),
        "{}",
        ran.stderr
    );

    let ran = brief(&folder, &["--list", "--format", "terse"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.stdout,
        "shop/ours::fine: benchmark\nshop/ours::fails: benchmark\n"
    );

    fs::write(folder.join("benches/ours.rs"), "fn main() { nothing }\n").expect("a bench");
    let ran = brief(&folder, &[]);
    assert_eq!(ran.code, Some(101), "{ran:?}");
    assert!(
        ran.stderr.contains("cannot find value `nothing`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_run_writes_its_report() {
    let folder = Folder::new("run-report");
    package(&folder, 6);
    let directory = target_directory();
    let target = directory.to_str().expect("a path of text");
    let run_with = |more: &[&str]| {
        let own = [
            "run",
            "--offline",
            "--profile",
            "dev",
            "--target-dir",
            target,
        ];
        let brief = ["--store", "store", "--launches", "8", "--max-time", "40ms"];
        run(&folder, &[&own, &brief, more].concat())
    };
    let ran = run_with(&["fine", "--report=fine.html"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("report: fine.html\n"), "{}", ran.stderr);
    let page = fs::read_to_string(folder.join("fine.html")).expect("a page");
    let json = figures(&page);
    let cases = json["runs"][0]["cases"].as_array().expect("cases");
    assert_eq!(
        (json["runs"].as_array().map(Vec::len), cases.len()),
        (Some(1), 1)
    );
    assert_eq!(cases[0]["id"], "shop/ours::fine");
    // Contended launches are repeated, so that there may be more than were requested.
    let launches = cases[0]["launches"].as_array().expect("launches");
    assert!(!launches.is_empty());
    assert!(page.contains("fine: launches</title>"), "{page}");

    // The code is that of the target, and the page shows why; it has this run, not the one before.
    let ran = run_with(&["fails", "--report"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let path = folder.join("target/tourbillon/report.html");
    assert!(
        ran.stderr.contains(&format!("report: {}", path.display())),
        "{ran:?}"
    );
    let page = fs::read_to_string(path).expect("a page");
    assert!(page.contains("by design"), "{page}");
    assert_eq!(figures(&page)["runs"].as_array().map(Vec::len), Some(1));
    assert!(!page.contains("fine: launches"), "{page}");

    let ran = run_with(&["fine", "--report=no/such/folder.html"]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(
        ran.stderr.contains("folder.html\" cannot be written"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_forgotten_harness_is_reported_before_anything_runs() {
    let folder = Folder::new("run-forgotten");
    package(&folder, 2);
    let manifest = fs::read_to_string(folder.join("Cargo.toml"))
        .expect("a manifest")
        .replacen("harness = false\n", "", 1);
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    let ran = brief(&folder, &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
    let message =
        "error: the bench target ours would measure nothing; write `harness = false` in its";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
}

#[test]
fn benchmarks_may_stand_in_modules_and_in_the_library_behind_a_feature() {
    let folder = Folder::new("run-places");
    package(&folder, 3);
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    let (first, dependency) = manifest
        .split_once("[dev-dependencies]\n")
        .expect("a dependency");
    let optional = dependency.replace(" }", ", optional = true }");
    let manifest =
        format!("{first}[features]\nbench = [\"dep:tourbillon\"]\n[dependencies]\n{optional}")
            .replace(
                "name = \"ours\"\n",
                "name = \"ours\"\nrequired-features = [\"bench\"]\n",
            );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    let library = "#[cfg(feature = \"bench\")]\npub mod deep {\n    mod inner {\n        \
                   #[tourbillon::bench]\n        fn private() -> u64 { 1 }\n    }\n}\n";
    fs::write(folder.join("src/lib.rs"), library).expect("a library");
    let bench = "use shop as _;\nmod near { #[tourbillon::bench(args = [1, 2])] fn one(n: u64) -> u64 { n } }\n\
                 fn main() -> std::process::ExitCode { tourbillon::main() }\n";
    fs::write(folder.join("benches/ours.rs"), bench).expect("a bench");
    let ran = brief(
        &folder,
        &["--features", "bench", "--list", "--format", "terse"],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut listed: Vec<&str> = ran.stdout.lines().collect();
    listed.sort_unstable();
    assert_eq!(
        listed,
        [
            "shop/ours::near::one[n=1]: benchmark",
            "shop/ours::near::one[n=2]: benchmark",
            "shop/shop::deep::inner::private: benchmark",
        ]
    );
}

#[test]
fn a_case_is_compared_with_any_other() {
    let folder = Folder::new("run-against");
    package(&folder, 4);
    let bench = "#[tourbillon::bench] fn one() -> u64 { tourbillon::hide(1) }\n\
                 #[tourbillon::bench] fn other() -> u64 { (0..tourbillon::hide(500)).sum() }\n\
                 fn main() -> std::process::ExitCode { tourbillon::main() }\n";
    fs::write(folder.join("benches/ours.rs"), bench).expect("a bench");
    let against = ["--bench", "ours", "--against", "one"];
    let ran = brief(&folder, &against);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("slower"), "{}", ran.stdout);
}

#[cfg(unix)]
#[test]
fn a_target_that_dies_is_named_and_the_others_are_measured() {
    let folder = Folder::new("run-dying");
    package(&folder, 5);
    let manifest = folder.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)
        .expect("a manifest")
        .replace("name = \"other\"", "name = \"dying\"");
    fs::write(manifest, text).expect("a manifest");
    let bench = "#[tourbillon::bench] fn late() -> u64 { 1 }\n\
                 fn main() -> std::process::ExitCode {\n\
                 let fate = std::fs::read_to_string(\"fate\").unwrap_or_default();\n\
                 let (when, how) = fate.split_once(' ').unwrap_or_default();\n\
                 let lists = std::env::args().any(|word| word == \"--list\");\n\
                 match how {\n\
                 _ if (when == \"lists\") != lists => {}\n\
                 \"abort\" => std::process::abort(),\n\
                 code => std::process::exit(code.parse().unwrap()),\n\
                 }\n\
                 tourbillon::main()\n\
                 }\n";
    fs::write(folder.join("benches/dying.rs"), bench).expect("a bench");
    for (fate, code, how) in [
        (
            "lists 7",
            5,
            "dying exited with code 7 while it listed its benchmarks; run ",
        ),
        (
            "lists 101",
            101,
            "dying exited with code 101 while it listed",
        ),
        ("lists abort", 5, "dying ended by signal 6 while it listed"),
        (
            "runs abort",
            5,
            "dying ended by signal 6 while it ran; run ",
        ),
        // The gate is this subcommand's, and it was not interrupted; 7 is no code of a bench program.
        ("lists 2", 5, "dying exited with code 2 while it listed"),
        ("runs 4", 5, "dying exited with code 4 while it ran"),
        ("runs 130", 5, "dying exited with code 130 while it ran"),
    ] {
        fs::write(folder.join("fate"), fate).expect("a file");
        let ran = brief(&folder, &[]);
        assert_eq!(ran.code, Some(code), "{fate}: {ran:?}");
        assert!(ran.stderr.contains(how), "{fate}: {}", ran.stderr);
        assert!(ran.stdout.contains("fine "), "{fate}: {}", ran.stdout);
    }
}

#[cfg(unix)]
#[test]
fn a_signal_to_the_subcommand_alone_ends_the_target() {
    use crate::process::{ended, signal, until};
    use crate::program::command;
    let folder = Folder::new("run-signal");
    package(&folder, 41);
    let bench = "#[tourbillon::bench] fn late() -> u64 { 1 }\n\
                 fn main() -> std::process::ExitCode {\n\
                 if !std::env::args().any(|word| word == \"--list\") {\n\
                 std::fs::write(\"process\", format!(\"{}\\n\", std::process::id())).unwrap();\n\
                 std::thread::sleep(std::time::Duration::from_secs(300));\n\
                 }\n\
                 tourbillon::main()\n\
                 }\n";
    fs::write(folder.join("benches/ours.rs"), bench).expect("a bench");
    let target = target_directory();
    for format in [&[][..], &["--format", "md"]] {
        let _ = fs::remove_file(folder.join("process"));
        let mut command = command(&[
            "tourbillon",
            "run",
            "--offline",
            "--profile",
            "dev",
            "--target-dir",
        ]);
        command.arg(&target).args(["--no-store"]).args(format);
        let child = command
            .current_dir(&*folder)
            .spawn()
            .expect("the program starts");
        let process = || fs::read_to_string(folder.join("process")).unwrap_or_default();
        until("it runs", || process().ends_with('\n'));
        assert!(signal("TERM", &child.id().to_string()));
        assert_eq!(ended(child).code, Some(130), "{format:?}");
        assert!(!signal("KILL", process().trim()), "{format:?}: it went on");
    }
}
