//! The variables that cargo gives programs when it runs them.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cargo_metadata::{Artifact, BuildScript, TargetKind};
use serde::Deserialize;
use toml::Value;

use crate::compile::configuration::Settings;
use crate::compile::shared_libraries::LIBRARY_PATH;
use crate::invocation::{Flag, Invocation};

/// The prefix of the variables with the programs of a package.
pub(crate) const OF_PROGRAMS: &str = "CARGO_BIN_EXE_";

/// The variables of a program whose package is in this folder, besides its `own` ones.
pub fn variables_of_program(
    own: &[(String, String)],
    folder: Option<&Path>,
) -> impl Iterator<Item = (OsString, OsString)> {
    let own = own.iter();
    let own = own.map(|(name, value)| (name.into(), value.into()));
    let places = folder.into_iter().flat_map(|folder| {
        let manifest = folder.join("Cargo.toml");
        [
            ("CARGO_MANIFEST_DIR".into(), folder.into()),
            ("CARGO_MANIFEST_PATH".into(), manifest.into()),
        ]
    });
    own.chain(places)
}

/// A package, as `cargo metadata` describes it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Description {
    /// As cargo specifies it.
    pub(crate) id: String,
    name: String,
    version: String,
    authors: Vec<String>,
    description: Option<String>,
    homepage: Option<String>,
    repository: Option<String>,
    license: Option<String>,
    license_file: Option<String>,
    rust_version: Option<String>,
    readme: Option<String>,
}

impl Description {
    fn variables(&self) -> impl Iterator<Item = (String, String)> {
        // Build metadata has no variable of its own.
        let (rest, _) = self.version.split_once('+').unwrap_or((&self.version, ""));
        let (numbers, pre) = rest.split_once('-').unwrap_or((rest, ""));
        let mut numbers = numbers.split('.');
        let mut number = || numbers.next().unwrap_or_default().to_owned();
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let all = [
            ("NAME", self.name.clone()),
            ("VERSION", self.version.clone()),
            ("VERSION_MAJOR", number()),
            ("VERSION_MINOR", number()),
            ("VERSION_PATCH", number()),
            ("VERSION_PRE", pre.to_owned()),
            ("AUTHORS", self.authors.join(":")),
            ("DESCRIPTION", text(&self.description)),
            ("HOMEPAGE", text(&self.homepage)),
            ("REPOSITORY", text(&self.repository)),
            ("LICENSE", text(&self.license)),
            ("LICENSE_FILE", text(&self.license_file)),
            ("RUST_VERSION", text(&self.rust_version)),
            ("README", text(&self.readme)),
        ];
        let named = all.into_iter();
        named.map(|(name, value)| (format!("CARGO_PKG_{name}"), value))
    }
}

/// What cargo says of a build that its programs are given.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct GivenVariables {
    scripts: Vec<Script>,
    /// The packages of programs, their names and their files.
    programs: Vec<(String, String, String)>,
}

/// What the build script of a package left.
#[derive(Debug, PartialEq)]
struct Script {
    package: String,
    folder: PathBuf,
    variables: Vec<(String, String)>,
}

impl GivenVariables {
    pub(crate) fn add_script(&mut self, script: &BuildScript) {
        self.scripts.push(Script {
            package: script.package_id.repr.clone(),
            folder: script.out_dir.clone().into_std_path_buf(),
            variables: script.env.clone(),
        });
    }

    pub(crate) fn add_artifact(&mut self, artifact: &Artifact) {
        let is_program = artifact.target.kind.contains(&TargetKind::Bin) && !artifact.profile.test;
        if let Some(file) = artifact.executable.as_ref().filter(|_| is_program) {
            let package = artifact.package_id.repr.clone();
            let name = artifact.target.name.clone();
            self.programs.push((package, name, file.to_string()));
        }
    }

    /// The files of the programs of a package.
    pub(crate) fn programs(&self, package: &str) -> Vec<PathBuf> {
        let own = self.programs.iter().filter(|(of, ..)| of == package);
        own.map(|(.., file)| PathBuf::from(file)).collect()
    }

    /// The build script of the package of an executable: of two, not that for the machine that compiles.
    fn script(&self, (package, executable): (&str, &Path)) -> Option<&Script> {
        // target/release
        let profile = executable.ancestors().nth(2);
        let is_of_target =
            |script: &&Script| profile.is_some_and(|profile| script.folder.starts_with(profile));
        let scripts = self.scripts.iter();
        let scripts = scripts.filter(|script| script.package == package);
        scripts.max_by_key(is_of_target)
    }

    /// The names of the variables that this script set.
    pub(crate) fn scripted(&self, program: (&str, &Path)) -> BTreeSet<String> {
        let script = self.script(program).into_iter();
        let variables = script.flat_map(|script| &script.variables);
        variables.map(|(name, _)| name.clone()).collect()
    }

    /// The variables of an executable of a package, each once: what a build script writes has precedence over the
    /// configuration, and what cargo sets itself over both.
    pub(crate) fn of(
        &self,
        (package, executable): (&str, &Path),
        described: Option<&Description>,
        configured: &[(String, String)],
    ) -> Vec<(String, String)> {
        let mut all = configured.to_vec();
        if let Some(script) = self.script((package, executable)) {
            let folder = script.folder.to_string_lossy().into_owned();
            all.push(("OUT_DIR".to_owned(), folder));
            all.extend(script.variables.iter().cloned());
        }
        all.extend(described.iter().flat_map(|one| one.variables()));
        let programs = self.programs.iter().filter(|(of, ..)| of == package);
        all.extend(programs.map(|(_, name, file)| (format!("{OF_PROGRAMS}{name}"), file.clone())));
        let mut once: Vec<(String, String)> = Vec::new();
        for (name, value) in all.into_iter().rev() {
            if once.iter().all(|(other, _)| *other != name) {
                once.push((name, value));
            }
        }
        once.sort();
        once
    }
}

/// What `[env]` of cargo's configuration sets, and is not set already unless it says so, where cargo is started.
pub(crate) fn configured(cargo: &mut Invocation, flags: &[Flag]) -> Vec<(String, String)> {
    let process = cargo.process();
    let own = process.get_current_dir().map(Path::to_owned);
    let folder = own.or_else(|| env::current_dir().ok()).unwrap_or_default();
    let is_set = |name: &str| {
        let mut given = process.get_envs();
        let given = given.find(|(given, _)| *given == name);
        given.map_or_else(|| env::var_os(name).is_some(), |(_, value)| value.is_some())
    };
    let settings = Settings::of(&folder, flags).all();
    let all = settings.get("env").and_then(Value::as_table);
    let variables = all.into_iter().flatten().filter_map(|(name, value)| {
        let is_forced = value.get("force").and_then(Value::as_bool) == Some(true);
        let text = value.get("value").unwrap_or(value).as_str()?;
        // Cargo makes the search path of libraries itself.
        let is_taken = name != LIBRARY_PATH && (is_forced || !is_set(name));
        is_taken.then(|| (name.clone(), text.to_owned()))
    });
    variables.collect()
}
