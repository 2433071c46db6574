//! What a bundle has, and whether that can be unpacked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cache::build::{Build, FILE, LIBRARIES, OBJECTS};
use crate::cache::programs::DEPS;
use crate::placement::link_line::{LinkLine, Word};
use crate::placement::relink::LINE;

/// The version of the format.
pub(super) const SCHEMA: u32 = 1;

/// Most builds.
const BUILDS: usize = 64;
/// Most executables of all builds. Each is a file of its own, which takes a millisecond to reach the disk.
const EXECUTABLES: usize = 4_096;
/// Most files of all builds.
const FILES: usize = 100_000;
/// Most files with different contents, which take as long; the others are names of these.
const CONTENTS: usize = 20_000;
/// Most bytes of all files, each counted once for every build that has it.
const BYTES: u64 = 8 << 30;
/// Most bytes of a link line.
const LINE_BYTES: u64 = 4 << 20;
/// Most bytes of a text.
const TEXT: usize = 4096;
/// Most bytes of a name in a path.
const NAME: usize = 255;
/// Digits of a hash.
const DIGITS: usize = 64;

/// The contents of a bundle.
#[derive(Debug, Serialize, Deserialize)]
pub struct Bundle {
    pub(super) schema: u32,
    /// The version of tourbillon that made it.
    pub tourbillon: String,
    /// The processor architecture of its executables, as Rust names it.
    pub architecture: String,
    /// Their operating system.
    pub system: String,
    /// Its builds, the reference first.
    pub builds: Vec<BundledBuild>,
}

/// A build of a bundle.
#[derive(Debug, Serialize, Deserialize)]
pub struct BundledBuild {
    /// The build. Its paths are relative: of executables to its folder, of packages to the checkout.
    #[serde(flatten)]
    pub build: Build,
    pub(super) files: Vec<BundledFile>,
}

/// A file of a build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct BundledFile {
    /// Relative to the build's folder, with `/`.
    pub(super) path: String,
    /// BLAKE3 of its contents.
    pub(super) hash: String,
    pub(super) bytes: u64,
}

impl Bundle {
    /// Bytes of all files, equal ones counted once.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.contents().iter().map(|file| file.bytes).sum()
    }

    /// The files with different contents, in the order of the archive.
    pub(super) fn contents(&self) -> Vec<&BundledFile> {
        let mut known = BTreeSet::new();
        let files = self.builds.iter().flat_map(|build| &build.files);
        files.filter(|file| known.insert(&file.hash)).collect()
    }

    /// Checks everything but the contents of files: limits, paths, texts. The error completes "the manifest ..".
    pub(super) fn check(&self) -> Result<(), String> {
        if self.builds.is_empty() || self.builds.len() > BUILDS {
            return Err(format!("has {} builds", self.builds.len()));
        }
        let files: usize = self.builds.iter().map(|build| build.files.len()).sum();
        if files > FILES {
            return Err(format!("has {files} files, more than {FILES}"));
        }
        let executables = self
            .builds
            .iter()
            .map(|build| build.build.executables.len());
        let executables: usize = executables.sum();
        if executables > EXECUTABLES {
            return Err(format!(
                "has {executables} executables, more than {EXECUTABLES}"
            ));
        }
        let mut total = 0_u64;
        let mut lengths = BTreeMap::new();
        for file in self.builds.iter().flat_map(|build| &build.files) {
            total = total.saturating_add(file.bytes);
            if !is_hash(&file.hash) {
                return Err("has a hash that is none".to_owned());
            }
            if *lengths.entry(&file.hash).or_insert(file.bytes) != file.bytes {
                return Err("has two lengths for one hash".to_owned());
            }
        }
        if lengths.len() > CONTENTS {
            let count = lengths.len();
            return Err(format!("has {count} different files, more than {CONTENTS}"));
        }
        if total > BYTES {
            return Err(format!("has {total} bytes of files, more than {BYTES}"));
        }
        let texts = [&self.tourbillon, &self.architecture, &self.system];
        check_texts(texts)?;
        self.builds.iter().try_for_each(BundledBuild::check)
    }
}

impl BundledBuild {
    fn check(&self) -> Result<(), String> {
        let build = &self.build;
        check_texts([&build.label, &build.flags, &build.toolchain])?;
        check_texts(build.commit.iter())?;
        let of_programs = build.executables.iter().map(|one| &one.environment);
        for (name, value) in of_programs.chain([&build.environment]).flatten() {
            if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
                return Err("sets a variable that cannot be set".to_owned());
            }
        }
        let mut paths = BTreeSet::new();
        for file in &self.files {
            let within = contained(&file.path)?;
            let is_below = |folder: &[&str]| matches!(folder, [_] | [OBJECTS | LIBRARIES, _]);
            let is_known = match &within[..] {
                [_, DEPS, first, rest @ ..] => is_below(&[&[*first], rest].concat()),
                [_, inner @ ..] => is_below(inner),
                [] => false,
            };
            if !is_known {
                return Err(format!("has the path {:?}", file.path));
            }
            if file.is_line() && file.bytes > LINE_BYTES {
                return Err(format!("has a link line of {} bytes", file.bytes));
            }
            // File systems that ignore case have one file of such a name.
            if !paths.insert(file.path.to_lowercase()) {
                return Err(format!("has the path {:?} twice", file.path));
            }
        }
        let (paths, mut folders) = (self.paths(), BTreeSet::new());
        for executable in &build.executables {
            check_texts([&executable.package, &executable.target, &executable.engine])?;
            let path = text(&executable.path)?;
            let (folder, name) = match contained(path)?[..] {
                // One name would be that of the folder above, too.
                [folder, name] if folder != DEPS && executable.programs.is_empty() => {
                    (folder, name)
                }
                [folder, DEPS, name] if folder != DEPS => (folder, name),
                _ => return Err(format!("has the executable {path:?}")),
            };
            for program in &executable.programs {
                let within = format!("{folder}/{program}");
                if contained(&within)?.len() != 2 || !paths.contains(&*within) {
                    return Err(format!("lacks the program {within:?}"));
                }
            }
            if name != executable.target || !paths.contains(path) || !folders.insert(folder) {
                return Err(format!("has the executable {path:?}"));
            }
            // The root of the checkout has no name in it.
            if let Some(home) = executable
                .home
                .as_deref()
                .filter(|home| *home != Path::new(""))
            {
                contained(text(home)?)?;
            }
        }
        if build.executables.is_empty() {
            return Err("has a build without executables".to_owned());
        }
        let folder =
            |file: &BundledFile| file.path.split('/').next().unwrap_or_default().to_owned();
        match self
            .files
            .iter()
            .find(|file| !folders.contains(&*folder(file)))
        {
            Some(stray) => Err(format!("has the path {:?}, of no executable", stray.path)),
            None => Ok(()),
        }
    }

    fn paths(&self) -> BTreeSet<&str> {
        self.files.iter().map(|file| file.path.as_str()).collect()
    }

    /// Checks that a link line reads files of its own folder only. The error completes "the manifest ..".
    pub(super) fn check_line(&self, file: &BundledFile, line: &LinkLine) -> Result<(), String> {
        let folder = file.path.len().saturating_sub(LINE.len());
        let folder = file.path.get(..folder).unwrap_or_default();
        let paths = self.paths();
        let missing = line.words.iter().find_map(|word| match word {
            Word::Input(name) if !paths.contains(&*format!("{folder}{name}")) => Some(name),
            _ => None,
        });
        match missing {
            Some(name) => Err(format!("lacks {name:?}, which {:?} needs", file.path)),
            None => Ok(()),
        }
    }
}

impl BundledFile {
    /// Whether it is the link line of an executable.
    pub(super) fn is_line(&self) -> bool {
        // Where case is ignored, another name would be read as this one.
        let path = self.path.to_lowercase();
        path.ends_with(&format!("/{OBJECTS}/{LINE}"))
    }
}

/// The names of a relative path that stays in its folder on every system.
fn contained(path: &str) -> Result<Vec<&str>, String> {
    let names: Vec<&str> = path.split('/').collect();
    let is_contained = |name: &&str| {
        let is_plain =
            |character: char| !character.is_control() && !r#"\:*?"<>|"#.contains(character);
        // Windows drops dots and spaces at the end; this excludes `.` and `..`, too.
        !name.is_empty()
            && name.len() <= NAME
            && !name.ends_with(['.', ' '])
            && name.chars().all(is_plain)
            && *name != FILE
    };
    if path.len() <= TEXT && names.iter().all(is_contained) {
        Ok(names)
    } else {
        Err(format!("has the path {path:?}"))
    }
}

fn text(path: &Path) -> Result<&str, String> {
    path.to_str()
        .ok_or_else(|| format!("has the path {path:?}"))
}

/// Texts are printed.
fn check_texts<'t>(texts: impl IntoIterator<Item = &'t String>) -> Result<(), String> {
    let is_text = |text: &&String| text.len() <= TEXT && !text.chars().any(char::is_control);
    match texts.into_iter().find(|text| !is_text(text)) {
        Some(text) => {
            let start: String = text.chars().take(40).collect();
            Err(format!("has the text {start:?}"))
        }
        None => Ok(()),
    }
}

fn is_hash(text: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == DIGITS && text.bytes().all(is_digit)
}
