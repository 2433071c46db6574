//! What was built.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use super::fixed::Fixed;
use super::lock::Lock;
use super::placement::Placements;
use super::record::fingerprint;

/// The executables of one side of a comparison.
#[derive(Clone, Debug)]
pub(crate) struct Build {
    /// What people call it: `main (1a2b3c4)`, `working tree`, `features=simd`.
    pub(crate) label: String,
    /// The commit that was built, or that the working tree stands on.
    pub(crate) commit: Option<String>,
    /// Whether the files differ from the commit.
    pub(crate) dirty: bool,
    /// How it differs from the plain build; empty where it does not.
    pub(crate) flags: String,
    /// The compiler; empty where nobody knows it.
    pub(crate) toolchain: String,
    /// Variables that its programs are to be started with.
    pub(crate) environment: Vec<(String, String)>,
    /// When it was built, in nanoseconds since the Unix epoch.
    pub(crate) built_unix_ns: u64,
    pub(crate) executables: Vec<Executable>,
    /// Where it is kept.
    pub(crate) folder: PathBuf,
    /// As long as somebody holds this, nobody clears it away.
    pub(crate) hold: Option<Arc<Lock>>,
}

impl Build {
    /// The first executable that is not as it was kept, or what it is linked from: a disk was full, a
    /// machine lost its power, another program wrote into the cache.
    pub(crate) fn damaged(&self) -> Option<&Path> {
        let damaged = self.executables.iter().find(|executable| {
            let now = executable.path.parent().map(fingerprint);
            !matches!(now, Some(Ok(now)) if now == executable.fingerprint)
        });
        damaged.map(|executable| executable.path.as_path())
    }

    /// The same in another folder, under another name.
    pub(crate) fn moved(&self, folder: &Path, label: &str) -> Build {
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
pub(crate) struct Executable {
    /// The name of its package; empty for a file.
    pub(crate) package: String,
    /// The name of the target, or of the file.
    pub(crate) target: String,
    /// A copy that no later build changes.
    pub(crate) path: PathBuf,
    /// What was in its folder when it was kept, see [`fingerprint`].
    pub(crate) fingerprint: String,
    /// Where cargo would run it: the folder of its package; `None` for a file.
    pub(crate) home: Option<PathBuf>,
    /// The identity of its measuring engine.
    pub(crate) engine: String,
    /// The version of the protocol that it speaks as a worker.
    pub(crate) protocol: u32,
    /// The same code in other places, or why there is none.
    pub(crate) placements: Result<Placements, Fixed>,
}

impl Executable {
    /// What people call it.
    pub(crate) fn name(&self) -> String {
        if self.package.is_empty() {
            self.target.clone()
        } else {
            format!("{}/{}", self.package, self.target)
        }
    }

    /// The program as cargo would start it: in the folder of its package, with what cargo says in
    /// the environment.
    pub(crate) fn command(&self, build: &Build) -> Command {
        let mut command = Command::new(&self.path);
        command.envs(build.environment.iter().map(|(name, value)| (name, value)));
        // The clone may hold another revision by now, which has no such folder.
        if let Some(home) = self.home.as_ref().filter(|home| home.is_dir()) {
            command.current_dir(home).env("CARGO_MANIFEST_DIR", home);
        }
        command
    }
}
