//! Bench targets: builds and recognises them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, io};

use cargo_metadata::{Artifact, Message, Metadata, TargetKind as CargoKind};
use memchr::memmem;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tourbillon_os::Signals;
use tourbillon_record::WORKER_ARGUMENT;
use tourbillon_values::limits::EXECUTABLE_BYTES;
use tourbillon_values::regular_file;

use crate::compile::cargo::{cargo, own_sysroot};
use crate::compile::cargo_runner::cargo_runner;
use crate::compile::program_variables::{Description, GivenVariables, configured};
use crate::compile::shared_libraries::{MadeLibraries, SearchedLibraries};
use crate::compile::terminal::draw_for_terminal;
use crate::compile::units::Units;
use crate::compile::whole_path::whole;
use crate::error::{Error, Result};
use crate::invocation::{Flag, Invocation};

/// Exit code when cargo cannot build.
const CARGO_FAILED: u8 = 101;
/// Exit code of cargo for a mistake on its command line.
const CARGO_USAGE: u8 = 1;

/// Has cargo print what it builds.
const MESSAGES: &str = "--message-format=json-render-diagnostics";

/// What the attribute adds to a target of the built-in harness: the end of a test's name.
const BUILT_IN_HARNESS: &str = "_needs_harness_false";

/// What cargo built.
#[derive(Debug, Default, PartialEq)]
pub struct Built {
    /// The bench targets, in cargo's order.
    pub targets: Vec<Target>,
    /// Folders of local packages, which come from no registry and no repository.
    pub local: Vec<PathBuf>,
    /// What of local packages was compiled for the bench targets, and these.
    pub(crate) compiled: Vec<Compiled>,
    /// What build scripts of local packages printed.
    pub(crate) scripts: Vec<Compiled>,
    /// Whether nothing had to be compiled.
    pub(crate) is_fresh: bool,
    /// All that was compiled, and the build scripts that were run.
    pub(crate) units: Units,
    libraries: MadeLibraries,
    variables: GivenVariables,
}

/// A library, a build script or a bench target that was compiled.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Compiled {
    /// The folder of its package.
    pub(crate) folder: PathBuf,
    /// Its files.
    pub(crate) files: Vec<PathBuf>,
}

/// An executable and its package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    /// The name of the bench target.
    pub name: String,
    /// The name of its package.
    pub package: String,
    /// The package as cargo specifies it.
    pub specification: String,
    /// Its file.
    pub executable: PathBuf,
    /// The folder of its package, in which cargo would run it.
    pub folder: PathBuf,
    /// The programs of its package, which it may start.
    pub programs: Vec<PathBuf>,
    /// The shared libraries that its build made.
    pub libraries: SearchedLibraries,
    /// Variables that cargo has for it.
    pub environment: Vec<(String, String)>,
    /// Those of them that its build script set.
    pub scripted: BTreeSet<String>,
    /// The words of the program through which cargo starts it; mostly none.
    pub runner: Vec<String>,
}

/// How a target uses tourbillon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// It can run as a worker.
    Tourbillon,
    /// It has our benchmarks but uses the built-in harness, which would measure nothing.
    BuiltInHarness,
    /// It does not use tourbillon.
    Other,
}

/// Builds what `cargo bench` would run. Cargo's messages go to stderr.
///
/// `cargo` gives one with its folder and environment set; `flags` are those of `cargo bench`.
///
/// # Errors
///
/// When cargo cannot be started or fails.
pub fn build(cargo: &dyn Fn() -> Invocation, flags: &[Flag]) -> Result<Built> {
    build_noting(cargo, flags, &own_sysroot, || ())
}

/// The same; `resolved` is called when cargo has chosen all versions, and `sysroot` asks for the folder of the compiler.
pub(crate) fn build_noting(
    cargo: &dyn Fn() -> Invocation,
    flags: &[Flag],
    sysroot: &dyn Fn() -> Option<PathBuf>,
    resolved: impl FnOnce() + Send + 'static,
) -> Result<Built> {
    let mut built = compile(cargo(), flags, resolved)?;
    built.note_conditions(cargo, flags, sysroot);
    Ok(built)
}

/// The same as [`build_noting`], and nothing is shown; `None` where it does not build.
pub(crate) fn build_silently(
    cargo: &dyn Fn() -> Invocation,
    flags: &[Flag],
    sysroot: &dyn Fn() -> Option<PathBuf>,
) -> Option<Built> {
    let mut build = cargo();
    add_words(&mut build, flags);
    let output = build.output().ok()?;
    let mut built = output.status.success().then(|| read(&output.stdout))?;
    built.note_conditions(cargo, flags, sysroot);
    Some(built)
}

/// Builds, without asking what programs are started with.
pub(crate) fn compile(
    mut cargo: Invocation,
    flags: &[Flag],
    resolved: impl FnOnce() + Send + 'static,
) -> Result<Built> {
    add_words(&mut cargo, flags);
    if Signals::first().is_some() {
        // It came between two programs.
        return Err(Error::Cargo(CARGO_FAILED, String::new()));
    }
    draw_for_terminal(&mut cargo);
    // The first message is about something compiled.
    let output = cargo
        .stdout(resolved)
        .map_err(|error| not_started(&error))?;
    if !output.status.success() {
        if output.status.code().is_none() || names_signal(&output.stderr) {
            return Err(Error::Ended(String::new()));
        }
        // Cargo has printed the reason.
        let is_usage = output.status.code() == Some(CARGO_USAGE.into());
        let code = if is_usage { CARGO_USAGE } else { CARGO_FAILED };
        return Err(Error::Cargo(code, String::new()));
    }
    Ok(read(&output.stdout))
}

/// What cargo is asked for.
fn add_words(cargo: &mut Invocation, flags: &[Flag]) {
    cargo
        .words(&["bench", "--no-run"])
        .flags(flags)
        .words(&[MESSAGES]);
}

/// Whether cargo, the compiler or a linker says that a signal ended what it had started, and one that says nothing about
/// code: HUP, INT, KILL, TERM.
fn names_signal(said: &[u8]) -> bool {
    memmem::find_iter(said, b"signal").any(|at| {
        let after = &said[at + b"signal".len()..];
        let is_gap = |byte: &&u8| matches!(byte, b':' | b' ');
        let rest = &after[after.iter().take_while(is_gap).count()..];
        let (number, rest) =
            rest.split_at(rest.iter().take_while(|byte| byte.is_ascii_digit()).count());
        // Its name follows, or what the C library has for it: a line of code that is quoted has neither.
        let is_named = [&b", SIG"[..], b" (SIG", b" ["]
            .iter()
            .any(|name| rest.starts_with(name));
        is_named && [&b"1"[..], b"2", b"9", b"15"].contains(&number)
    })
}

fn not_started(error: &io::Error) -> Error {
    Error::Environment(format!("cargo cannot be started: {error}"))
}

/// Reads cargo's messages.
fn read(messages: &[u8]) -> Built {
    let mut built = Built {
        is_fresh: true,
        ..Built::default()
    };
    let mut folders: BTreeMap<_, PathBuf> = BTreeMap::new();
    for message in Message::parse_stream(messages) {
        let artifact = match message {
            Ok(Message::CompilerArtifact(artifact)) => artifact,
            Ok(Message::BuildScriptExecuted(script)) => {
                built.units.add(script.out_dir.as_std_path());
                built.libraries.add_script(&script);
                built.variables.add_script(&script);
                // It was compiled before.
                if let Some(folder) = folders.get(&script.package_id) {
                    let printed = script.out_dir.with_file_name("output");
                    built.scripts.push(Compiled {
                        folder: folder.clone(),
                        files: vec![printed.into_std_path_buf()],
                    });
                }
                continue;
            }
            _ => continue,
        };
        for file in &artifact.filenames {
            built.units.add(file.as_std_path());
        }
        built.is_fresh &= artifact.fresh;
        built.libraries.add_artifact(&artifact);
        built.variables.add_artifact(&artifact);
        let manifest = artifact.manifest_path.as_std_path();
        let folder = manifest.parent().unwrap_or(Path::new("")).to_owned();
        if artifact.package_id.repr.starts_with("path+") {
            if !built.local.contains(&folder) {
                built.local.push(folder.clone());
            }
            folders.insert(artifact.package_id.clone(), folder.clone());
        }
        built.compiled.extend(compiled(&artifact, &folder));
        built.targets.extend(target(&artifact, folder));
    }
    built
}

/// Of a local package, what bench targets consist of: other programs and tests are none of that.
fn compiled(artifact: &Artifact, folder: &Path) -> Option<Compiled> {
    let others = [CargoKind::Bin, CargoKind::Example, CargoKind::Test];
    let is_other = artifact
        .target
        .kind
        .iter()
        .any(|kind| others.contains(kind));
    let is_local = artifact.package_id.repr.starts_with("path+");
    let files = artifact.filenames.iter();
    (is_local && !is_other).then(|| Compiled {
        folder: folder.to_owned(),
        files: files.map(|file| file.clone().into_std_path_buf()).collect(),
    })
}

fn target(artifact: &Artifact, folder: PathBuf) -> Option<Target> {
    let executable = artifact.executable.as_ref()?;
    let is_bench = artifact.target.kind.contains(&CargoKind::Bench);
    is_bench.then(|| Target {
        name: artifact.target.name.clone(),
        package: package(&artifact.package_id.repr).to_owned(),
        specification: artifact.package_id.repr.clone(),
        executable: executable.clone().into_std_path_buf(),
        folder,
        ..Target::default()
    })
}

/// The name of a package in its specification, such as `path+file:///w/shop#0.1.0` or `..#shop@0.1.0`.
fn package(specification: &str) -> &str {
    let (url, fragment) = specification
        .rsplit_once('#')
        .unwrap_or((specification, ""));
    match fragment.split_once('@') {
        Some((name, _)) => name,
        None => url.rsplit('/').next().unwrap_or(url),
    }
}

/// The kind of an executable, by strings in its file: starting it could do anything.
#[must_use]
pub fn kind(executable: &Path) -> TargetKind {
    let bytes = regular_file::read(executable, EXECUTABLE_BYTES).unwrap_or_default();
    let has = |text: &str| memmem::find(&bytes, text.as_bytes()).is_some();
    if has(WORKER_ARGUMENT) {
        TargetKind::Tourbillon
    } else if has(BUILT_IN_HARNESS) {
        TargetKind::BuiltInHarness
    } else {
        TargetKind::Other
    }
}

impl Built {
    /// What cargo starts its programs with.
    fn note_conditions(
        &mut self,
        cargo: &dyn Fn() -> Invocation,
        flags: &[Flag],
        sysroot: &dyn Fn() -> Option<PathBuf>,
    ) {
        let configured = configured(&mut cargo(), flags);
        let folder = cargo().process().get_current_dir().map(Path::to_owned);
        let folder = folder.or_else(|| env::current_dir().ok());
        let runner = cargo_runner(&folder.unwrap_or_default(), flags);
        let mut packages = BTreeMap::new();
        for target in &mut self.targets {
            let package = target.specification.as_str();
            target.programs = self.variables.programs(package);
            let programs = Vec::from_iter(target.programs.iter().map(PathBuf::as_path));
            let libraries = &self.libraries;
            target.libraries = libraries.of(&target.executable, &programs, &self.local, sysroot);
            if !packages.contains_key(package) {
                let all = descriptions(cargo(), &target.folder).into_iter();
                packages.extend(all.map(|one| (one.id.clone(), one)));
            }
            let program = (package, target.executable.as_path());
            let described = packages.get(package);
            target.environment = self.variables.of(program, described, &configured);
            target.scripted = self.variables.scripted(program);
            target.runner.clone_from(&runner);
        }
    }

    /// The folders of local packages that are not in this one. Cargo names them without links.
    pub(crate) fn outside(&self, folder: &Path) -> Vec<PathBuf> {
        let (whole, mut outside) = (whole(folder), self.local.clone());
        outside.retain(|local| ![folder, &whole].iter().any(|own| local.starts_with(own)));
        outside
    }
}

impl Target {
    /// Message about a target of the built-in harness.
    #[must_use]
    pub fn measures_nothing(&self) -> String {
        format!(
            "the bench target {} would measure nothing; write `harness = false` in its [[bench]] \
             section of {:?}, and call tourbillon::main() in its main",
            self.name,
            self.folder.join("Cargo.toml")
        )
    }
}

/// A workspace and its build folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// The folder of its manifest.
    pub root: PathBuf,
    /// The target directory.
    pub target: PathBuf,
    /// The name of the package around the folder; the names of all packages if the folder is in none.
    pub packages: Vec<String>,
    /// The folders of all its packages.
    pub folders: Vec<PathBuf>,
    /// All packages with the names of their targets.
    pub targets: Vec<(String, String)>,
    /// The build directory, with the bench executables; the target directory unless `build.build-dir` names another.
    pub build: PathBuf,
}

impl Workspace {
    /// Asks cargo, which has its folder set.
    ///
    /// # Errors
    ///
    /// Cargo's message.
    pub fn of(mut cargo: Invocation) -> Result<Workspace, String> {
        let metadata: Metadata = metadata(&mut cargo, &[])?;
        let folder = match cargo.process().get_current_dir() {
            Some(folder) => folder.to_owned(),
            None => env::current_dir().unwrap_or_default(),
        };
        Ok(Workspace::new(metadata, &folder))
    }

    fn new(metadata: Metadata, folder: &Path) -> Workspace {
        // Cargo before 1.91 has one directory for both.
        let build = match &metadata.build_directory {
            Some(build) => build.clone(),
            None => metadata.target_directory.clone(),
        };
        let mut folders = Vec::new();
        for package in &metadata.packages {
            let folder = package.manifest_path.with_file_name("");
            folders.push(folder.into_std_path_buf());
        }
        let targets = metadata.packages.iter().flat_map(|package| {
            let own = package.targets.iter();
            own.map(|target| (package.name.to_string(), target.name.clone()))
        });
        let targets = targets.collect();
        let around = metadata
            .packages
            .iter()
            .filter(|package| folder.starts_with(package.manifest_path.with_file_name("")))
            .max_by_key(|package| package.manifest_path.as_str().len());
        let names = match around {
            Some(package) => vec![package.name.to_string()],
            None => {
                let packages = metadata.packages.iter();
                packages.map(|package| package.name.to_string()).collect()
            }
        };
        Workspace {
            root: metadata.workspace_root.into_std_path_buf(),
            target: metadata.target_directory.into_std_path_buf(),
            packages: names,
            folders,
            targets,
            build: build.into_std_path_buf(),
        }
    }

    /// Whether another workspace may be built in the same directory.
    ///
    /// Cargo identifies packages by name and relative path. If the files of one are older than what was
    /// built of the other, cargo runs the other.
    pub(crate) fn shares_its_builds(&self) -> bool {
        !self.build.starts_with(&self.root)
    }
}

/// The packages of the workspace of the one in a folder; none where cargo does not say.
fn descriptions(mut cargo: Invocation, folder: &Path) -> Vec<Description> {
    #[derive(Deserialize)]
    struct Described {
        packages: Vec<Description>,
    }
    // With the configuration of the folder that cargo builds in.
    let manifest = Flag::new("--manifest-path=", folder.join("Cargo.toml"));
    let described = metadata::<Described>(&mut cargo, &[manifest]);
    described.map_or(Vec::new(), |all| all.packages)
}

/// What cargo says about the workspace around its folder, or its message.
fn metadata<M: DeserializeOwned>(cargo: &mut Invocation, flags: &[Flag]) -> Result<M, String> {
    let output = cargo
        .words(&["metadata", "--no-deps", "--format-version=1"])
        .flags(flags)
        .output()
        .map_err(|error| not_started(&error).to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let stderr = String::from_utf8_lossy(&output.stderr);
        stderr.trim().trim_start_matches("error: ").to_owned()
    })
}

/// The manifest of the workspace around the current folder; `None` outside of a workspace, and without cargo.
///
/// # Errors
///
/// When cargo is there and cannot be started.
pub fn workspace_manifest() -> Result<Option<PathBuf>> {
    let output = cargo()
        .words(&["locate-project", "--workspace", "--message-format=plain"])
        .output();
    let output = match output {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        output => output.map_err(|error| not_started(&error))?,
    };
    let path = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok((!path.is_empty()).then(|| PathBuf::from(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_that_says_nothing_about_code_is_recognised() {
        for (said, expected) in [
            (
                "process didn't exit successfully: `rustc` (signal: 9, SIGKILL: kill)",
                true,
            ),
            (
                "process didn't exit successfully: `rustc` (signal: 15, SIGTERM: termination signal)",
                true,
            ),
            ("error: linking with `cc` failed: signal: 9 (SIGKILL)", true),
            (
                "collect2: fatal error: ld terminated with signal 9 [Killed]",
                true,
            ),
            ("(signal: 11, SIGSEGV: invalid memory reference)", false),
            ("(signal: 6, SIGABRT: process abort signal)", false),
            ("3 |     signal: 9, code: 1", false),
            ("error: cannot find value `signal`, signal: 99 (SIG", false),
            ("", false),
        ] {
            assert_eq!(names_signal(said.as_bytes()), expected, "{said}");
        }
    }

    /// A message about an artifact of the package `a`.
    fn artifact(package: &str, kind: &str, name: &str, executable: Option<&str>) -> String {
        serde_json::json!({
            "reason": "compiler-artifact",
            "package_id": package,
            "manifest_path": if package.starts_with("path+") { "/w/a/Cargo.toml" } else { "/r/b/Cargo.toml" },
            "target": {
                "kind": [kind], "crate_types": [kind], "name": name, "src_path": "/w/a/x.rs",
                "edition": "2024", "doc": false, "doctest": false, "test": false,
            },
            "profile": {
                "opt_level": "3", "debuginfo": 0, "debug_assertions": false,
                "overflow_checks": false, "test": false,
            },
            "features": ["fast"],
            "filenames": [],
            "executable": executable,
            "fresh": true,
        })
        .to_string()
    }

    #[test]
    fn bench_targets_are_found_among_the_messages() {
        let own = "path+file:///w/a#0.1.0";
        let messages = [
            artifact("registry+https://r#b@1.0.0", "lib", "b", None),
            artifact(own, "lib", "a", None),
            artifact(own, "lib", "a", Some("/w/t/a-1")),
            artifact(own, "bench", "sort", Some("/w/t/sort-1")),
            "{\"reason\":\"build-finished\",\"success\":true}".to_owned(),
            "no message".to_owned(),
        ];
        let target = Target {
            name: "sort".to_owned(),
            package: "a".to_owned(),
            specification: own.to_owned(),
            executable: PathBuf::from("/w/t/sort-1"),
            folder: PathBuf::from("/w/a"),
            ..Target::default()
        };
        let built = read(messages.join("\n").as_bytes());
        assert_eq!(built.targets, [target]);
        assert_eq!(built.local, [Path::new("/w/a")]);
        assert_eq!(built.outside(Path::new("/w")), [] as [PathBuf; 0]);
        assert_eq!(built.outside(Path::new("/w/b")), [Path::new("/w/a")]);
    }

    #[test]
    fn a_specification_names_its_package() {
        for (specification, name) in [
            ("path+file:///w/shop#0.1.0", "shop"),
            ("path+file:///w/other#shop@0.1.0", "shop"),
            ("git+https://h/x?rev=1#shop@0.1.0", "shop"),
            ("shop", "shop"),
        ] {
            assert_eq!(package(specification), name, "{specification}");
        }
    }

    #[test]
    fn a_build_directory_outside_the_workspace_may_be_shared() {
        for (target, build, expected) in [
            ("/w/target", None, false),
            ("/t", None, true),
            ("/t", Some("/w/build"), false),
            ("/w/t", Some("/b"), true),
        ] {
            let metadata = serde_json::json!({
                "packages": [], "workspace_members": [], "resolve": null, "metadata": null,
                "version": 1, "workspace_root": "/w", "target_directory": target,
                "build_directory": build,
            });
            let metadata: Metadata = serde_json::from_value(metadata).expect("metadata");
            let workspace = Workspace::new(metadata, Path::new("/w"));
            assert_eq!(
                workspace.shares_its_builds(),
                expected,
                "{target} {build:?}"
            );
        }
    }
}
