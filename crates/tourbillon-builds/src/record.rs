//! The description of a stored build.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::build::{Build, Executable};
use super::cache::refused;
use super::key::Digest;
use super::lock::Lock;
use super::not_relinkable::NotRelinkable;
use super::placement::Placements;
use crate::Stop;

/// The file's name.
pub(super) const FILE: &str = "build.json";

/// The version of the file; builds of other versions are made again.
const SCHEMA: u64 = 2;

/// The file that is locked while a build is used.
pub const USED: &str = "used";

/// The folder of an executable's objects.
pub const OBJECTS: &str = "objects";

/// The folder of its placements.
pub const PLACED: &str = "placed";

/// Writes the description of a build into its folder.
pub fn write(build: &Build) -> Result<(), Stop> {
    let executables = build.executables.iter().map(|executable| {
        let path = executable.path.strip_prefix(&build.folder);
        json!({
            "package": executable.package,
            "target": executable.target,
            "file": path.unwrap_or(&executable.path),
            "fingerprint": executable.fingerprint,
            "home": executable.home,
            "engine": executable.engine,
            "protocol": executable.protocol,
        })
    });
    let value = json!({
        "type": "build",
        "schema": SCHEMA,
        "label": build.label,
        "commit": build.commit,
        "dirty": build.dirty,
        "flags": build.flags,
        "toolchain": build.toolchain,
        "environment": build.environment,
        "built_unix_ns": build.built_unix_ns,
        "executables": executables.collect::<Vec<Value>>(),
    });
    let file = build.folder.join(FILE);
    fs::write(&file, format!("{value}\n")).map_err(|error| refused(&file, "written", &error))
}

/// A hash of the names and contents of the files in the folder of an executable: the executable and
/// what it is linked from. Placements have their own.
pub fn fingerprint(folder: &Path) -> io::Result<String> {
    let digest = add_folder(Digest::new(), folder)?;
    Ok(digest.key().as_str().to_owned())
}

fn add_folder(mut digest: Digest, folder: &Path) -> io::Result<Digest> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default();
        if name == PLACED {
            continue;
        }
        digest = digest.part(name.as_encoded_bytes());
        digest = match path.is_dir() {
            true => add_folder(digest, &path)?,
            false => digest.file(&path)?,
        };
    }
    Ok(digest)
}

/// The build in a folder, locked while it lives; `None` if there is none of this version, or if it
/// is being removed.
///
/// With `place`, checks that its executables can be relinked.
pub fn read(folder: &Path, place: bool) -> Result<Option<Build>, Stop> {
    // Checked before the lock is taken, because that creates the folder.
    if !folder.join(FILE).is_file() {
        return Ok(None);
    }
    let Some(hold) = Lock::share(&folder.join(USED))? else {
        return Ok(None);
    };
    // A program that removes the build begins with this file.
    let Ok(text) = fs::read_to_string(folder.join(FILE)) else {
        return Ok(None);
    };
    let value = serde_json::from_str::<Value>(&text).ok();
    let mut build = value.as_ref().and_then(|value| build(value, folder, place));
    // The date of the file records the last use.
    let _ = fs::write(folder.join(USED), "");
    if let Some(build) = &mut build {
        build.hold = Some(Arc::new(hold));
    }
    Ok(build)
}

fn build(value: &Value, folder: &Path, place: bool) -> Option<Build> {
    if value["schema"] != SCHEMA {
        return None;
    }
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let environment = value["environment"].as_array()?.iter();
    let executables = value["executables"].as_array()?.iter();
    Some(Build {
        label: text(&value["label"])?,
        commit: text(&value["commit"]),
        dirty: value["dirty"].as_bool()?,
        flags: text(&value["flags"])?,
        toolchain: text(&value["toolchain"])?,
        environment: environment
            .map(|pair| Some((text(&pair[0])?, text(&pair[1])?)))
            .collect::<Option<_>>()?,
        built_unix_ns: value["built_unix_ns"].as_u64()?,
        executables: executables
            .map(|value| executable(value, folder, place))
            .collect::<Option<_>>()?,
        folder: folder.to_owned(),
        hold: None,
    })
}

fn executable(value: &Value, folder: &Path, place: bool) -> Option<Executable> {
    let path = folder.join(value["file"].as_str()?);
    if !path.is_file() {
        return None;
    }
    let target = value["target"].as_str()?;
    let around = path.parent()?;
    let placements = match place {
        true => Placements::open(&around.join(OBJECTS), &around.join(PLACED), target),
        false => Err(NotRelinkable::NotAsked),
    };
    Some(Executable {
        package: value["package"].as_str()?.to_owned(),
        target: target.to_owned(),
        home: value["home"].as_str().map(PathBuf::from),
        engine: value["engine"].as_str()?.to_owned(),
        protocol: u32::try_from(value["protocol"].as_u64()?).ok()?,
        placements,
        fingerprint: value["fingerprint"].as_str()?.to_owned(),
        path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_is_read_back_from_where_it_was_moved() {
        let root = std::env::temp_dir().join(format!("tourbillon-record-{}", std::process::id()));
        let (first, then) = (root.join("first"), root.join("then"));
        fs::create_dir_all(first.join("0")).expect("a folder");
        fs::write(first.join("0/sort"), "").expect("a file");
        let build = Build {
            label: "main (1a2b3c4)".to_owned(),
            commit: Some("1a2b3c4".to_owned()),
            dirty: true,
            flags: "env=A=b".to_owned(),
            toolchain: "rustc 1".to_owned(),
            environment: vec![("A".to_owned(), "b".to_owned())],
            built_unix_ns: 1 << 60,
            executables: vec![Executable {
                package: "shop".to_owned(),
                target: "sort".to_owned(),
                path: first.join("0/sort"),
                home: Some(PathBuf::from("/w/shop")),
                fingerprint: fingerprint(&first.join("0")).expect("a folder"),
                engine: "e".to_owned(),
                protocol: 1,
                placements: Err(NotRelinkable::NotAsked),
            }],
            folder: first.clone(),
            hold: None,
        };
        write(&build).expect("written");
        fs::rename(&first, &then).expect("moved");
        assert!(read(&first, true).expect("no error").is_none());
        let again = read(&then, false).expect("read").expect("a build");
        assert_eq!(again.executables[0].path, then.join("0/sort"));
        assert!(Lock::alone(&then.join(USED)).is_none(), "it is in use");
        let plain = |build: &Build| {
            let mut build = build.clone();
            build.hold = None;
            build.folder = PathBuf::new();
            build.executables[0].path = PathBuf::new();
            format!("{build:?}")
        };
        assert_eq!(plain(&again), plain(&build));
        assert_eq!(again.damaged(), None);
        fs::create_dir_all(then.join("0").join(PLACED)).expect("a folder");
        assert_eq!(again.damaged(), None);
        for damage in ["a", "b"] {
            fs::write(then.join("0/sort"), damage).expect("a file");
            assert_eq!(again.damaged(), Some(then.join("0/sort").as_path()));
        }
        let placed = read(&then, true).expect("read").expect("a build");
        let reason = placed.executables[0].placements.as_ref().expect_err("none");
        assert_eq!(*reason, NotRelinkable::NoObjects);
        fs::remove_file(then.join("0/sort")).expect("removed");
        assert!(read(&then, true).expect("no error").is_none());
        let _ = fs::remove_dir_all(&root);
    }
}
