//! Builds and their executables.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use super::lock::Lock;
use super::not_relinkable::NotRelinkable;
use super::placement::Placements;
use super::record::fingerprint;

/// The executables of one side of a comparison.
#[derive(Clone, Debug)]
pub struct Build {
    /// The name that is shown: `main (1a2b3c4)`, `working tree`, `features=simd`.
    pub label: String,
    /// The commit that was built, or that the working tree is based on.
    pub commit: Option<String>,
    /// Whether the files differ from the commit.
    pub dirty: bool,
    /// How it differs from the plain build; empty if it does not.
    pub flags: String,
    /// The compiler; empty if unknown.
    pub toolchain: String,
    /// Variables that its programs are started with.
    pub environment: Vec<(String, String)>,
    /// When it was built, in nanoseconds since the Unix epoch.
    pub built_unix_ns: u64,
    pub executables: Vec<Executable>,
    /// The folder that it is stored in.
    pub folder: PathBuf,
    /// While this is held, the build is not pruned.
    pub hold: Option<Arc<Lock>>,
}

impl Build {
    /// The first executable that changed since it was stored, or whose objects did: after a full
    /// disk, a power loss, or a write by another program.
    pub fn damaged(&self) -> Option<&Path> {
        let damaged = self.executables.iter().find(|executable| {
            let now = executable.path.parent().map(fingerprint);
            !matches!(now, Some(Ok(now)) if now == executable.fingerprint)
        });
        damaged.map(|executable| executable.path.as_path())
    }

    /// The same build in another folder, under another name.
    pub fn moved(&self, folder: &Path, label: &str) -> Build {
        let mut moved = self.clone();
        for executable in &mut moved.executables {
            if let Ok(within) = executable.path.strip_prefix(&self.folder) {
                executable.path = folder.join(within);
            }
        }
        moved.label = label.to_owned();
        moved.folder = folder.to_owned();
        moved
    }
}

/// A bench target that was built.
#[derive(Clone, Debug)]
pub struct Executable {
    /// The name of its package; empty for a file.
    pub package: String,
    /// The name of the target, or of the file.
    pub target: String,
    /// A copy that no later build changes.
    pub path: PathBuf,
    /// Hash of its folder when it was stored, see [`fingerprint`].
    pub fingerprint: String,
    /// The folder of its package, in which cargo would run it; `None` for a file.
    pub home: Option<PathBuf>,
    /// The identity of its measuring engine.
    pub engine: String,
    /// The version of its worker protocol.
    pub protocol: u32,
    /// Its placements, or why it has none.
    pub placements: Result<Placements, NotRelinkable>,
}

impl Executable {
    /// The name that is shown.
    pub fn name(&self) -> String {
        if self.package.is_empty() {
            self.target.clone()
        } else {
            format!("{}/{}", self.package, self.target)
        }
    }

    /// The program as cargo would start it: in the folder of its package, with cargo's variables.
    pub fn command(&self, build: &Build) -> Command {
        let mut command = Command::new(&self.path);
        command.envs(build.environment.iter().map(|(name, value)| (name, value)));
        // The clone may hold another revision by now, without this folder.
        if let Some(home) = self.home.as_ref().filter(|home| home.is_dir()) {
            command.current_dir(home).env("CARGO_MANIFEST_DIR", home);
        }
        command
    }
}
