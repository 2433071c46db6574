//! The settings of a comparison of a branch: those of its base.
//!
//! What a head changes of them would change how it is judged. It is named, and applies once it is merged.

use std::fs;
use std::path::{Component, Path, PathBuf};

use tourbillon_builds::{Error, Maker};
use tourbillon_coordinator::values::{SettingScope, SettingsFile};
use tourbillon_tool::config_file::{ConfigPath, NO_FILE};
use tourbillon_tool::exit::Stop;
use tourbillon_tool::output;

use super::base::Revisions;
use super::files::SETTINGS;

/// Files by which rustup chooses the compiler.
const TOOLCHAIN: [&str; 2] = ["rust-toolchain.toml", "rust-toolchain"];
/// Tables that `ci` and the bench programs read.
const TABLES: [&str; 3] = ["gate", "ci", "bench"];

/// The settings that hold.
#[derive(Debug, Default)]
pub(super) struct Settings {
    pub(super) file: Option<SettingsFile>,
    /// What the head changes, in sentences.
    pub(super) changes: Vec<String>,
}

impl Settings {
    /// Those of the base, of the file that is named or else of the nearest one. A file that is named and lies outside
    /// the checkout is read as it is.
    ///
    /// # Errors
    ///
    /// When that file cannot be read, and the first mistake in it.
    pub(super) fn find(
        maker: &Maker,
        revisions: &Revisions,
        flag: &ConfigPath,
    ) -> Result<Settings, Stop> {
        let named = flag.named();
        if named.as_deref() == Some(Path::new(NO_FILE)) {
            return Ok(Settings::default());
        }
        let Some((root, within)) = maker.checkout() else {
            return Ok(Settings::default());
        };
        let fixed = match &named {
            Some(path) => match in_checkout(path, root, within) {
                Some(path) => Some(path),
                None => {
                    let file = flag.file()?;
                    return Ok(Settings {
                        file,
                        changes: Vec::new(),
                    });
                }
            },
            None => None,
        };
        let read = |commit: &str| -> Result<Option<SettingsFile>, Stop> {
            let exists = |path: &Path| maker.has_file(commit, path);
            let nearest = || SettingsFile::nearest(within, exists);
            let Some(path) = fixed.clone().or_else(nearest) else {
                return Ok(None);
            };
            let Some(text) = maker.text(commit, &path, SettingsFile::LONGEST)? else {
                return Ok(None);
            };
            let path = root.join(shown(&path, commit));
            SettingsFile::parse(&path, &text)
                .map(Some)
                .map_err(Stop::Usage)
        };
        let file = read(&revisions.base)?;
        if let (None, Some(named)) = (&file, &named) {
            return Err(Stop::Usage(format!(
                "the base has no {named:?}, and settings are those of the base; merge the file first, or give flags"
            )));
        }
        let changes = changes(file.as_ref(), read(&revisions.head));
        Ok(Settings { file, changes })
    }

    /// Writes the copy that bench programs read; `None` without settings.
    pub(super) fn copy_to(&self, folder: &Path) -> Result<Option<PathBuf>, Stop> {
        let path = folder.join(SETTINGS);
        let Some(file) = &self.file else {
            // One of an earlier job.
            let _ = fs::remove_file(&path);
            return Ok(None);
        };
        output::write_own(&path, &file.text)?;
        Ok(Some(path))
    }
}

/// A path of a file in the checkout, as from its root; `None` for one outside of it.
fn in_checkout(path: &Path, root: &Path, within: &Path) -> Option<PathBuf> {
    let relative = if path.is_relative() {
        within.join(path)
    } else if let Ok(inner) = path.strip_prefix(root) {
        inner.to_owned()
    } else {
        // By another way, such as a link to the checkout.
        let folder = fs::canonicalize(path.parent()?).ok()?;
        folder.strip_prefix(root).ok()?.join(path.file_name()?)
    };
    let mut plain = PathBuf::new();
    for part in relative.components() {
        match part {
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    Some(plain)
}

/// A file of a commit, as git names it: its folder is that of the file.
fn shown(path: &Path, commit: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let short = commit.get(..7).unwrap_or(commit);
    path.with_file_name(format!("{short}:{name}"))
}

/// What the head changes.
fn changes(base: Option<&SettingsFile>, head: Result<Option<SettingsFile>, Stop>) -> Vec<String> {
    let head = match head {
        Ok(head) => head,
        Err(Stop::Usage(why)) => {
            return vec![format!("the settings of the head are refused: {why}")];
        }
        Err(_) => return vec!["the settings of the head cannot be read".to_owned()],
    };
    let changed = TABLES
        .into_iter()
        .filter(|table| {
            let of = |file: Option<&SettingsFile>| values(file, table);
            of(base) != of(head.as_ref())
        })
        .map(|table| format!("[{table}]"));
    match changed.collect::<Vec<String>>().join(", ") {
        none if none.is_empty() => Vec::new(),
        tables => vec![format!(
            "the head changes {tables} of its settings, which applies once merged"
        )],
    }
}

/// What the head changes of the choice of the compiler, which is that of its side.
pub(super) fn toolchain_change(maker: &Maker, revisions: &Revisions) -> Vec<String> {
    let Some((_, within)) = maker.checkout() else {
        return Vec::new();
    };
    let change = |path: PathBuf| {
        let of = |commit| maker.text(commit, &path, SettingsFile::LONGEST);
        toolchain_sentence(&path, of(&revisions.base), of(&revisions.head))
    };
    let folders = within.ancestors();
    let files = folders.flat_map(|folder| TOOLCHAIN.map(|name| folder.join(name)));
    files.filter_map(change).collect()
}

/// A link may lead to a file that differs, and so may a file that cannot be read.
fn toolchain_sentence(
    path: &Path,
    base: Result<Option<String>, Error>,
    head: Result<Option<String>, Error>,
) -> Option<String> {
    let path = path.display();
    match (base, head) {
        (Ok(base), Ok(head)) => (base != head)
            .then(|| format!("the head changes {path}, which chooses the compiler of its side")),
        (Err(why), _) | (_, Err(why)) => Some(format!(
            "whether the head changes {path}, which chooses the compiler of a side, is unknown: {why}"
        )),
    }
}

/// The values in a table, each with its key and what it is for.
fn values(file: Option<&SettingsFile>, table: &str) -> Vec<String> {
    let of_table = |scope: &SettingScope| match scope {
        SettingScope::Command(name) => name == table,
        _ => table == "bench",
    };
    let mut values: Vec<String> = file
        .into_iter()
        .flat_map(|file| &file.settings)
        .filter(|setting| of_table(&setting.scope))
        .map(|one| format!("{} {} {:?}", one.scope.table(), one.key, one.value))
        .collect();
    values.sort();
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_toolchain_that_cannot_be_read_is_no_same_one() {
        let sentence = |base, head| toolchain_sentence(Path::new("rust-toolchain"), base, head);
        let text = |text: &str| Ok(Some(text.to_owned()));
        let link = || Err(Error::Usage("it is no regular file".to_owned()));
        assert_eq!(sentence(text("1.90"), text("1.90")), None);
        assert_eq!(sentence(Ok(None), Ok(None)), None);
        let changed = "the head changes rust-toolchain, which chooses the compiler of its side";
        assert_eq!(sentence(Ok(None), text("1.90")).as_deref(), Some(changed));
        for (base, head) in [(link(), link()), (link(), Ok(None)), (text("1.90"), link())] {
            let unknown = sentence(base, head).expect("a sentence");
            assert!(
                unknown.starts_with("whether the head changes rust-toolchain, which"),
                "{unknown}"
            );
        }
    }
}
