//! The packages under criterion's name, which one entry of `[patch.crates-io]` puts in its place.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::suite::{Folder, with};

/// The lines of criterion that suites name.
const VERSIONS: [&str; 6] = ["0.3", "0.4", "0.5", "0.6", "0.7", "0.8"];
/// Its forks, and the lines of their manifests that the others do not have.
const FORKS: [(&str, &[&str]); 2] = [
    (
        "criterion2",
        &[
            "name = \"criterion2\"",
            "name = \"criterion\"",
            "codspeed = []",
        ],
    ),
    (
        "codspeed-criterion-compat",
        &["name = \"codspeed-criterion-compat\""],
    ),
];

fn facade() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn manifest(folder: &Path) -> String {
    let path = folder.join("Cargo.toml");
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// The names of the features of a manifest.
fn features(manifest: &str) -> BTreeSet<&str> {
    let (_, features) = manifest.split_once("\n[features]\n").expect("features");
    let lines = features.lines().take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| Some(line.split_once(" = ")?.0))
        .collect()
}

#[test]
fn the_packages_differ_in_their_versions() {
    let plain = |version: &str| {
        let manifest = manifest(&facade().join("patch").join(version));
        let is_own = |line: &&str| line.starts_with("version = ") || line.contains("throughput-");
        let own: Vec<&str> = manifest.lines().filter(is_own).collect();
        assert!(
            own[0].starts_with(&format!("version = \"{version}.")),
            "{own:?}"
        );
        assert_eq!(own.len(), 2);
        let others: Vec<&str> = manifest.lines().filter(|line| !is_own(line)).collect();
        others.join("\n")
    };
    let first = plain(VERSIONS[0]);
    for version in VERSIONS {
        assert_eq!(plain(version), first, "{version}");
    }
    let without = |text: &str, own: &[&str]| {
        let rest = text.lines().skip(1).filter(|line| {
            !own.contains(line) && !line.starts_with("version = ") && !line.contains("throughput-")
        });
        rest.map(str::to_owned).collect::<Vec<_>>()
    };
    let criterions = manifest(&facade().join("patch/0.5"));
    let criterions = without(&criterions, &["name = \"criterion\""]);
    for (fork, own) in FORKS {
        let forks = manifest(&facade().join("patch").join(fork));
        // Both begin with a comment, of one line and of two.
        assert_eq!(without(&forks, own), criterions[1..], "{fork}");
    }
    let facade = manifest(&facade());
    let is_own = |name: &&str| {
        let own = ["throughput-", "traits-", "_traits", "pprof", "codspeed"];
        own.iter().any(|own| name.starts_with(own))
    };
    let of_facade: BTreeSet<&str> = features(&facade)
        .into_iter()
        .filter(|name| !is_own(name))
        .collect();
    assert_eq!(features(&first), of_facade);
}

/// A workspace in which the packages of this folder stand for criterion, with what the lock file of ours has.
struct Patched {
    folder: Folder,
}

impl Patched {
    fn new(members: &[(&str, &str, &str)]) -> Patched {
        let folder = Folder::new();
        let names = members.iter().map(|(name, _, _)| format!("{name:?}"));
        let names: Vec<String> = names.collect();
        let patch = facade().join("patch");
        let entries = VERSIONS.map(|version| {
            let path = patch.join(version);
            let path = path.to_str().expect("text").replace('\\', "/");
            format!("criterion-{version} = {{ package = \"criterion\", path = \"{path}\" }}\n")
                .replacen('.', "-", 1)
        });
        let root = format!(
            "[workspace]\nresolver = \"2\"\nmembers = [{}]\n\n[profile.dev]\npanic = \"abort\"\ndebug = false\n\n[patch.crates-io]\n{}",
            names.join(", "),
            entries.concat()
        );
        fs::write(folder.0.join("Cargo.toml"), root).expect("a manifest");
        let lock = facade().join("../../Cargo.lock");
        fs::copy(lock, folder.0.join("Cargo.lock")).expect("a lock file");
        for (name, dependencies, source) in members {
            let member = folder.0.join(name);
            fs::create_dir_all(member.join("src")).expect("a folder");
            let manifest = format!(
                "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2018\"\n\n[dependencies]\n{dependencies}\n"
            );
            fs::write(member.join("Cargo.toml"), manifest).expect("a manifest");
            let file = if source.contains("criterion_main!") {
                "main.rs"
            } else {
                "lib.rs"
            };
            fs::write(member.join("src").join(file), source).expect("a source");
        }
        Patched { folder }
    }

    fn cargo(&self, arguments: &str) -> String {
        let output = Command::new(env!("CARGO"))
            .args(arguments.split_whitespace())
            .arg("--offline")
            .current_dir(&self.folder.0)
            .env("CARGO_TARGET_DIR", target())
            .output()
            .expect("cargo starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    }
}

/// Where the suites are built; kept from run to run.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("patched")
}

#[test]
fn an_entry_replaces_every_requirement() {
    let requirements = VERSIONS.map(|version| format!("criterion = {version:?}"));
    let mut members: Vec<(String, &str)> = VERSIONS
        .iter()
        .zip(&requirements)
        .map(|(version, line)| {
            (
                format!("suite-{}", version.replace('.', "-")),
                line.as_str(),
            )
        })
        .collect();
    members.push(("suite-range".to_owned(), "criterion = \">=0.4, <0.9\""));
    let plain = "criterion = { version = \"0.5\", default-features = false, features = [\"stable\", \"async\"] }";
    members.push(("suite-features".to_owned(), plain));
    let members = members
        .iter()
        .map(|(name, line)| (name.as_str(), *line, ""));
    let patched = Patched::new(&members.collect::<Vec<_>>());
    let tree = patched.cargo("tree --workspace --edges normal --depth 1 --prefix none");
    let lines = tree.lines().filter(|line| line.starts_with("criterion v"));
    let (ours, others): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.contains("/patch/"));
    assert_eq!((ours.len(), others.len()), (8, 0), "{tree}");
}

/// A crate with a measurement for criterion 0.5, as criterion-cycles-per-byte, and a profiler, as pprof.
const FOREIGN: &str = r#"
use std::path::Path;

use criterion::Throughput;
use criterion::measurement::{Measurement, ValueFormatter};
use criterion::profiler::Profiler;

pub struct Sheep;

impl Measurement for Sheep {
    type Intermediate = ();
    type Value = u64;
    fn start(&self) {}
    fn end(&self, (): ()) -> u64 { 5 }
    fn add(&self, a: &u64, b: &u64) -> u64 { a + b }
    fn zero(&self) -> u64 { 0 }
    fn to_f64(&self, value: &u64) -> f64 { *value as f64 }
    fn formatter(&self) -> &dyn ValueFormatter { self }
}

impl ValueFormatter for Sheep {
    fn scale_values(&self, _: f64, _: &mut [f64]) -> &'static str { "sheep" }
    fn scale_throughputs(&self, _: f64, throughput: &Throughput, _: &mut [f64]) -> &'static str {
        match throughput {
            Throughput::Bytes(_) => "sheep/byte",
            Throughput::BytesDecimal(_) => "sheep/byte (decimal)",
            Throughput::Elements(_) => "sheep/element",
        }
    }
    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str { "sheep" }
}

pub struct Shepherd;

impl Profiler for Shepherd {
    fn start_profiling(&mut self, id: &str, _: &Path) { eprintln!("the shepherd watches {}", id) }
    fn stop_profiling(&mut self, _: &str, _: &Path) {}
}
"#;

/// Of another version, whose throughput has more variants.
fn foreign_of_any_version() -> String {
    let (before, after) = FOREIGN
        .split_once("            Throughput::BytesDecimal")
        .expect("variants");
    let (_, after) = after
        .split_once("sheep/element\",\n")
        .expect("the last variant");
    format!("{before}            _ => \"sheep\",\n{after}")
}

const SUITE: &str = r#"
#[macro_use]
extern crate criterion;

use criterion::Criterion;
use foreign::{Sheep, Shepherd};

fn counted(c: &mut Criterion<Sheep>) {
    c.bench_function("counted", |b| b.iter_custom(|iters| 5 * iters));
}

fn timed(c: &mut Criterion) {
    c.bench_function("timed", |b| b.iter(|| criterion::black_box(1) + 1));
}

criterion_group! {
    name = own;
    config = Criterion::default().with_measurement(Sheep).with_profiler(Shepherd);
    targets = counted
}
criterion::criterion_group!(plain, timed);
criterion_main!(own, plain);
"#;

#[test]
fn a_suite_runs_with_crates_that_implement_the_traits_of_criterion() {
    let dependencies = "criterion = { version = \"0.5\", features = [\"html_reports\"] }\nforeign = { path = \"../foreign\" }";
    let patched = Patched::new(&[
        ("foreign", "criterion = \"0.5.1\"", FOREIGN),
        ("suite", dependencies, SUITE),
    ]);
    patched.cargo("build -p suite");
    let program = target()
        .join("debug")
        .join(format!("suite{}", std::env::consts::EXE_SUFFIX));
    let program = program.to_str().expect("text");
    let list = with(program, ["--list"], &[]);
    assert_eq!(
        list.stdout, "counted: benchmark\ntimed: benchmark\n",
        "{list:?}"
    );
    let settings = "--bench --no-store --launches 2 --max-time 10ms";
    let ended = with(program, settings.split(' '), &[]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let counted = ended.stdout.lines().next().expect("a line");
    assert!(counted.contains("5.0000 sheep"), "{ended:?}");
    let ended = with(
        program,
        ["--bench", "--profile-time", "0.01", "counted"],
        &[],
    );
    assert!(
        ended.stderr.contains("the shepherd watches counted"),
        "{ended:?}"
    );
}

#[test]
fn traits_of_all_versions_are_the_same() {
    let foreign = foreign_of_any_version();
    let suite = SUITE.replace(
        "use foreign::{Sheep, Shepherd};",
        "use measures::Sheep;\nuse profiles::Shepherd;",
    );
    let dependencies = "criterion = \"0.5\"\nmeasures = { path = \"../measures\" }\nprofiles = { path = \"../profiles\" }";
    let patched = Patched::new(&[
        ("measures", "criterion = \"0.8\"", &foreign),
        ("profiles", "criterion = \"0.4\"", &foreign),
        ("suite", dependencies, &suite),
    ]);
    patched.cargo("check -p suite");
}

/// A suite of a fork, and what a suite may name of it that criterion does not have.
fn of_fork(library: &str, terminal: &str) -> String {
    format!(
        "use {library}::*;\n\nfn sums(c: &mut Criterion) {{\n    let mut group = c.benchmark_group(\"sums\");\n    \
         group.throughput(Throughput::Elements(1));\n    group.bench_function(\"own\", |b| {{\n        \
         b.{terminal}\n    }});\n    group.finish();\n}}\n\ncriterion_group!(benches, sums);\ncriterion_main!(benches);\n"
    )
}

#[test]
fn suites_of_forks_take_one_line() {
    let path = |fork: &str| {
        let path = facade().join("patch").join(fork);
        path.to_str().expect("text").replace('\\', "/")
    };
    // Beside criterion, as in suites that use one or the other by a feature of theirs.
    let codspeed = format!(
        "criterion = \"0.5\"\ncodspeed-criterion-compat = {{ path = \"{}\" }}",
        path(FORKS[1].0)
    );
    let criterion2 = format!(
        "criterion2 = {{ path = \"{}\", default-features = false }}\n\n[features]\ncodspeed = [\"criterion2/codspeed\"]",
        path(FORKS[0].0)
    );
    let manual = "iter_manual_unstable(IterManualOptions::new().rounds(3).iters(5).warmup(1), || black_box(1_u64) + 1)";
    let wrapper = "iter_with_setup_wrapper(|runner| { runner.run(|| black_box(1_u64) + 1); })";
    let patched = Patched::new(&[
        (
            "of-codspeed",
            &codspeed,
            &of_fork("codspeed_criterion_compat", manual),
        ),
        ("of-criterion2", &criterion2, &of_fork("criterion", wrapper)),
    ]);
    patched.cargo("build --workspace");
    for name in ["of-codspeed", "of-criterion2"] {
        let program = target().join("debug").join(name);
        let program = program.with_extension(std::env::consts::EXE_EXTENSION);
        let settings = "--bench --no-store --launches 2 --max-time 10ms";
        let ended = with(
            program.to_str().expect("text"),
            settings.split(' '),
            &[("CODSPEED_ENV", "1".as_ref())],
        );
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert!(ended.stdout.starts_with("sums/own"), "{ended:?}");
        let note = "note: CODSPEED_ENV has no effect: CodSpeed's runner shows these lines";
        assert!(ended.stderr.contains(note), "{ended:?}");
    }
}
