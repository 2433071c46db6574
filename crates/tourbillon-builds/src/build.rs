//! What was built.

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
    /// What people call it: `main (1a2b3c4)`, `working tree`, `features=simd`.
    pub label: String,
    /// The commit that was built, or that the working tree stands on.
    pub commit: Option<String>,
    /// Whether the files differ from the commit.
    pub dirty: bool,
    /// How it differs from the plain build; empty where it does not.
    pub flags: String,
    /// The compiler; empty where nobody knows it.
    pub toolchain: String,
    /// Variables that its programs are to be started with.
    pub environment: Vec<(String, String)>,
    /// When it was built, in nanoseconds since the Unix epoch.
    pub built_unix_ns: u64,
    pub executables: Vec<Executable>,
    /// Where it is kept.
    pub folder: PathBuf,
    /// As long as somebody holds this, nobody clears it away.
    pub hold: Option<Arc<Lock>>,
}

impl Build {
    /// The first executable that is not as it was kept, or what it is linked from: a disk was full, a
    /// machine lost its power, another program wrote into the cache.
    pub fn damaged(&self) -> Option<&Path> {
        let damaged = self.executables.iter().find(|executable| {
            let now = executable.path.parent().map(fingerprint);
            !matches!(now, Some(Ok(now)) if now == executable.fingerprint)
        });
        damaged.map(|executable| executable.path.as_path())
    }

    /// The same in another folder, under another name.
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
    /// What was in its folder when it was kept, see [`fingerprint`].
    pub fingerprint: String,
    /// Where cargo would run it: the folder of its package; `None` for a file.
    pub home: Option<PathBuf>,
    /// The identity of its measuring engine.
    pub engine: String,
    /// The version of the protocol that it speaks as a worker.
    pub protocol: u32,
    /// The same code in other places, or why there is none.
    pub placements: Result<Placements, NotRelinkable>,
}

impl Executable {
    /// What people call it.
    pub fn name(&self) -> String {
        if self.package.is_empty() {
            self.target.clone()
        } else {
            format!("{}/{}", self.package, self.target)
        }
    }

    /// The program as cargo would start it: in the folder of its package, with what cargo says in
    /// the environment.
    pub fn command(&self, build: &Build) -> Command {
        let mut command = Command::new(&self.path);
        command.envs(build.environment.iter().map(|(name, value)| (name, value)));
        // The clone may hold another revision by now, which has no such folder.
        if let Some(home) = self.home.as_ref().filter(|home| home.is_dir()) {
            command.current_dir(home).env("CARGO_MANIFEST_DIR", home);
        }
        command
    }
}
