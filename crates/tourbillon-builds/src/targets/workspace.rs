//! The workspace around a folder.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

/// A workspace and its build folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// The folder of its manifest.
    pub root: PathBuf,
    /// The target directory, with the executables.
    pub target: PathBuf,
    /// The build directory, by which cargo knows what is up to date.
    build: PathBuf,
}

impl Workspace {
    /// Asks cargo, which has its folder set. The error is cargo's message.
    pub fn of(mut cargo: Command) -> Result<Workspace, String> {
        let output = cargo
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .output()
            .map_err(|error| format!("cargo cannot be started: {error}"))?;
        Workspace::read(&output.stdout).ok_or_else(|| {
            let stderr = String::from_utf8_lossy(&output.stderr);
            stderr.trim().trim_start_matches("error: ").to_owned()
        })
    }

    fn read(metadata: &[u8]) -> Option<Workspace> {
        let metadata: Value = serde_json::from_slice(metadata).ok()?;
        let folder = |name: &str| metadata[name].as_str().map(PathBuf::from);
        let target = folder("target_directory")?;
        Some(Workspace {
            root: folder("workspace_root")?,
            // Cargo before 1.91 has one directory for both.
            build: folder("build_directory").unwrap_or_else(|| target.clone()),
            target,
        })
    }

    /// Whether another workspace may be built in the same directory.
    ///
    /// Cargo identifies packages by name and relative path. If the files of one are older than what
    /// was built of the other, cargo runs the other.
    pub fn shares_its_builds(&self) -> bool {
        !self.build.starts_with(&self.root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_outside_of_the_workspace_may_be_shared() {
        for (metadata, expected) in [
            (r#""target_directory":"/w/target""#, false),
            (r#""target_directory":"/t""#, true),
            (
                r#""target_directory":"/t","build_directory":"/w/build""#,
                false,
            ),
            (r#""target_directory":"/w/t","build_directory":"/b""#, true),
        ] {
            let text = format!("{{\"workspace_root\":\"/w\",{metadata}}}");
            let workspace = Workspace::read(text.as_bytes()).expect(metadata);
            assert_eq!(workspace.shares_its_builds(), expected, "{metadata}");
        }
        assert_eq!(Workspace::read(b"no metadata"), None);
    }
}
