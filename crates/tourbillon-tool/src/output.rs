//! Files that commands write: completely or not at all, and never in place of a file that they read.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};

use tempfile::{Builder, NamedTempFile};
use tourbillon_builds::{Unwinding, tracked_link};
use tourbillon_os::Signals;
use tourbillon_record::store::Draft;
use tourbillon_values::inputs;

use crate::exit::Stop;

/// Writes a file in place of one of that name. Until it is complete it has another name beside it. A pipe or a device
/// is written as it is, and what a descriptor of this process leads to is extended.
///
/// # Errors
///
/// That this process has read it, or that it cannot be written.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Stop> {
    write_parts(path, &[contents.as_ref()])
}

/// As [`write()`], of parts that are not in memory a second time.
///
/// # Errors
///
/// As for [`write()`].
pub fn write_parts(path: &Path, parts: &[&[u8]]) -> Result<(), Stop> {
    refuse_inputs(path, [])?;
    refuse_tracked_link(path, None)?;
    put(path, parts).map_err(|error| not_written(path, &error))
}

/// As [`write()`], for a file that this process has read to change it.
///
/// # Errors
///
/// That it cannot be written, or [a link](refuse_tracked_link) of the repository leads to it.
pub fn edit(path: &Path, contents: &str) -> Result<(), Stop> {
    refuse_tracked_link(path, None)?;
    put(path, &[contents.as_bytes()]).map_err(|error| not_written(path, &error))
}

/// As [`write()`], for a file that is new.
///
/// # Errors
///
/// That it exists, or cannot be written.
pub fn write_new(path: &Path, contents: &[u8]) -> Result<(), Stop> {
    refuse_tracked_link(around(path), None)?;
    // A signal that ends this process leaves no file behind under another name.
    let unwinding = Unwinding::begin();
    let written = draft(path, &[contents], usual_permissions(), &unwinding);
    written
        .and_then(|file| Ok(file.persist_noclobber(path).map(drop)?))
        .map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                let what = format!("{path:?} exists; name another file or remove it");
                Stop::Usage(what)
            }
            _ => not_written(path, &error),
        })
}

/// As [`write()`], for a file whose name is ours, in a folder that a branch may have filled: a link of that name is
/// replaced and not followed.
///
/// # Errors
///
/// As for [`write()`].
pub fn write_own(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Stop> {
    refuse_inputs(path, [])?;
    refuse_tracked_link(around(path), None)?;
    Draft::write(path, contents).map_err(|error| not_written(path, &error))
}

/// Makes a folder for files, where there is none, and gives its path from the root. `flag` names another one.
///
/// # Errors
///
/// When [a link](refuse_tracked_link) of the repository leads there, or it cannot be made.
pub fn make_folder(folder: &Path, flag: &str) -> Result<PathBuf, Stop> {
    let failed = |error| Stop::Environment(format!("{folder:?} cannot be created: {error}"));
    let whole = absolute(folder).map_err(failed)?;
    refuse_tracked_link(&whole, Some(flag))?;
    fs::create_dir_all(&whole).map_err(failed)?;
    Ok(whole)
}

/// Fails if a link on the way to an output is a file of the repository: a commit must not decide which files are
/// replaced. `flag` names another place, if a flag does.
///
/// # Errors
///
/// That there is such a link.
pub fn refuse_tracked_link(output: &Path, flag: Option<&str>) -> Result<(), Stop> {
    let Some(link) = tracked_link(output) else {
        return Ok(());
    };
    let remedy = match flag {
        Some(flag) => format!("a place with {flag}"),
        None => "another place".to_owned(),
    };
    Err(Stop::Environment(format!(
        "{link:?} is a link in the repository, or in one that git does not use (see `git status`), and no files are written \
         where it leads; name {remedy}"
    )))
}

/// That a file cannot be written.
pub fn not_written(path: &Path, error: &io::Error) -> Stop {
    Stop::Environment(format!("{path:?} cannot be written: {error}"))
}

/// Fails if a file that is to be written is one that this process has read or will read, by whatever path.
pub fn refuse_inputs<'p>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'p PathBuf>,
) -> Result<(), Stop> {
    let is_same = |input: &&PathBuf| inputs::is_same(input, output);
    let read = inputs.into_iter().find(is_same).cloned();
    match read.or_else(|| inputs::read_as(output)) {
        None => Ok(()),
        Some(input) => Err(Stop::Usage(format!(
            "the output {output:?} is the file that is read as {input:?}; name another"
        ))),
    }
}

/// Fails if a file that is to be written is one of the others that are, by whatever path.
pub fn refuse_same<'p>(
    output: &Path,
    others: impl IntoIterator<Item = &'p &'p Path>,
) -> Result<(), Stop> {
    let is_same =
        |other: &&&Path| inputs::is_same(other, output) || inputs::is_same_place(other, output);
    // What is no file takes one text after the other.
    let is_special =
        is_descriptor(output) || fs::metadata(output).is_ok_and(|about| !about.is_file());
    match others.into_iter().find(is_same) {
        Some(other) if !is_special => Err(Stop::Usage(format!(
            "the output {output:?} is the file that is written as {other:?}; name another"
        ))),
        _ => Ok(()),
    }
}

/// Fails if a file that is put in place of another one would take that of a pipe, a device or a folder.
pub fn refuse_special(output: &Path) -> Result<(), Stop> {
    match fs::metadata(output) {
        Ok(about) if !about.is_file() => Err(Stop::Usage(format!(
            "the output {output:?} is not a regular file; name another"
        ))),
        _ => Ok(()),
    }
}

/// Fails if a file cannot be written where it is to be, before the work that it is for.
///
/// # Errors
///
/// That it is a folder, or that no file can be made beside it.
pub fn refuse_unwritable(output: &Path) -> Result<(), Stop> {
    let about = fs::metadata(output);
    let is_plain = about.as_ref().map_or(true, fs::Metadata::is_file);
    let made = match about {
        Ok(about) if about.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        // A pipe or a device is written as it is.
        _ if !is_plain || is_descriptor(output) => Ok(()),
        _ => {
            let target = fs::canonicalize(output).unwrap_or_else(|_| output.to_owned());
            // Without a name wherever the system has such files.
            tempfile::tempfile_in(around(&target)).map(drop)
        }
    };
    made.map_err(|error| not_written(output, &error))
}

/// Fails if a file that is to be written is in a folder whose files are read.
pub fn refuse_folder(output: &Path, folder: &Path) -> Result<(), Stop> {
    let whole = |path: &Path| fs::canonicalize(path).ok();
    // Through a link that is there, the file that it leads to is replaced.
    let place = whole(output).or_else(|| whole(around(output)));
    match place.zip(whole(folder)) {
        Some((place, read)) if place.starts_with(&read) => Err(Stop::Usage(format!(
            "the output {output:?} is in {folder:?}, which is read; name another"
        ))),
        _ => Ok(()),
    }
}

/// The folder of a file.
fn around(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// Whether a path names a descriptor of this process: that it may lead to a file says nothing about the file's name.
fn is_descriptor(path: &Path) -> bool {
    let folder = path
        .parent()
        .and_then(|folder| fs::canonicalize(folder).ok())
        .unwrap_or_default();
    let streams = ["/dev/stdin", "/dev/stdout", "/dev/stderr"].map(Path::new);
    ["/proc", "/dev/fd"].iter().any(|of| folder.starts_with(of))
        || path
            .file_name()
            .is_some_and(|name| streams.contains(&&*folder.join(name)))
}

fn put(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let about = fs::metadata(path).ok();
    let is_plain = about.as_ref().is_none_or(fs::Metadata::is_file);
    if !is_plain || is_descriptor(path) {
        // A pipe waits for its reader.
        Signals::end_at_once();
        let mut options = File::options();
        let mut file = options.append(true).open(path)?;
        return parts.iter().try_for_each(|part| file.write_all(part));
    }
    // The file that a link leads to, and not the link, is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let permissions = about.map(|about| about.permissions());
    let usual = permissions.clone().or_else(usual_permissions);
    // As above.
    let unwinding = Unwinding::begin();
    let file = draft(&target, parts, usual, &unwinding)?;
    if let Some(permissions) = permissions {
        // Also what the mask of the process hides.
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(&target)?;
    Ok(())
}

/// A file beside another one, under another name.
fn draft(
    target: &Path,
    parts: &[&[u8]],
    permissions: Option<Permissions>,
    unwinding: &Unwinding,
) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    let mut file = builder.tempfile_in(around(target))?;
    for part in parts {
        file.write_all(part)?;
    }
    unwinding.check();
    Ok(file)
}

/// Those of a new file, less what the mask of the process hides.
#[cfg(unix)]
fn usual_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual_permissions() -> Option<Permissions> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_where_nothing_can_be_written_is_known_before() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["new", "./new"] {
            assert!(refuse_unwritable(&at(name)).is_ok(), "{name}");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
        let nowhere = at("none/new");
        match refuse_unwritable(&nowhere) {
            Err(Stop::Environment(text)) => {
                assert!(text.starts_with(&format!("{nowhere:?} cannot be written: ")));
            }
            other => panic!("{other:?}"),
        }
        assert!(refuse_unwritable(folder.path()).is_err());
    }

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for text in ["one", "other"] {
            write(&at("file"), text).expect("written");
            assert_eq!(fs::read_to_string(at("file")).expect("a file"), text);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        let missing = write(&at("no/such"), "x").expect_err("no folder");
        assert!(matches!(missing, Stop::Environment(_)));
        assert!(write(folder.path(), "x").is_err());
    }

    #[test]
    fn two_outputs_are_two_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("a")).expect("a folder");
        let same = |one: &str, other: &str| refuse_same(&at(one), [&*at(other)].iter()).is_err();
        for _ in 0..2 {
            assert!(same("j", "j") && same("a/../j", "j") && same("j", "./j"));
            assert!(!same("j", "k") && !same("a/j", "j"));
            // Also where it is there already.
            fs::write(at("j"), "").expect("a file");
        }
        let devices = ["/dev/null", "/dev/stdout"].map(Path::new);
        for device in devices.iter().filter(|device| device.exists()) {
            refuse_same(device, &devices).expect("no file is replaced");
        }
    }

    #[cfg(unix)]
    #[test]
    fn no_way_leads_to_an_input() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        use tourbillon_values::regular_file;
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let input = at("input");
        fs::write(&input, "kept").expect("a file");
        regular_file::read(&input, 4).expect("a file");
        symlink("input", at("link")).expect("a link");
        fs::hard_link(&input, at("hard")).expect("a link");
        for path in [
            input.clone(),
            at("link"),
            at("hard"),
            at("./input"),
            at("../x"),
        ] {
            let written = write(&path, "lost");
            let is_other = path.ends_with("../x");
            assert!(
                is_other || matches!(written, Err(Stop::Usage(_))),
                "{path:?}"
            );
            assert_eq!(fs::read_to_string(&input).expect("a file"), "kept");
        }
        // A link that is no input stays one, and its target keeps its permissions.
        fs::remove_file(&input).expect("removed");
        let input = at("other");
        fs::write(&input, "kept").expect("a file");
        fs::remove_file(at("link")).expect("removed");
        symlink("other", at("link")).expect("a link");
        fs::set_permissions(&input, Permissions::from_mode(0o640)).expect("changed");
        write(&at("link"), "new").expect("written");
        assert_eq!(fs::read_to_string(&input).expect("a file"), "new");
        assert!(
            fs::symlink_metadata(at("link"))
                .expect("a link")
                .is_symlink()
        );
        let mode = fs::metadata(&input).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        write(Path::new("/dev/null"), "x").expect("a device");
    }
}
