//! Cargo's configuration. What a commit contains is its own; the rest is that of the working tree on both sides.

use std::io::{self, ErrorKind, Write};
use std::path::{Component, Path, PathBuf};
use std::{env, fs};

use toml::{Table, Value};
use tourbillon_values::regular_file;

use crate::compile::configured_paths::{included, replace};
use crate::compile::whole_path::whole;
use crate::error::{Error, Result, refused};
use crate::invocation::Flag;
use crate::source::commits::{tracked_file, tracked_link};
use crate::source::git::Repository;
use crate::source::lend::write_into;

/// The variable that names the folder of cargo's own files.
pub(crate) const CARGO_HOME: &str = "CARGO_HOME";

/// The folder with the configuration of the folder around it.
const FOLDER: &str = ".cargo";

/// The names of the file; of two, cargo reads the first.
const NAMES: [&str; 2] = ["config", "config.toml"];

/// Lists of which cargo takes the nearest and does not join them.
const WHOLE: [&str; 4] = [
    "runner",
    "credential-provider",
    "credential-alias",
    "browser",
];

/// Most files that are followed: they may include each other, and several at once.
const MOST_INCLUDED: usize = 100;

/// Most bytes of a file that is read; a larger one has its size and date in keys.
const CONFIGURATION_BYTES: u64 = 1 << 20;

/// Cargo's home folder.
#[must_use]
pub fn cargo_home() -> Option<PathBuf> {
    match env::var_os(CARGO_HOME).filter(|home| !home.is_empty()) {
        Some(home) => Some(PathBuf::from(home)),
        None => Some(env::home_dir()?.join(".cargo")),
    }
}

/// The possible files for a folder, the nearest first.
pub(crate) fn files_for(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let around = folder.ancestors().map(|around| around.join(FOLDER));
    let folders: Vec<PathBuf> = around.chain(cargo_home()).collect();
    let names = |folder: PathBuf| NAMES.map(|name| folder.join(name));
    folders.into_iter().flat_map(names)
}

/// The contents of all files for a folder, and of those that they include.
pub(crate) fn texts_for(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let (mut texts, mut left) = (Vec::new(), MOST_INCLUDED);
    for file in files_for(folder) {
        read_with_included(&file, &mut left, &mut texts);
    }
    texts
}

/// The contents of the files that `--config` on cargo's command line names: one, or those that a setting includes,
/// `include = ["FILE"]`.
pub(crate) fn texts_of(typed: &str, folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let files = match typed.parse() {
        Ok(setting) => included(&setting),
        Err(_) => vec![typed.to_owned()],
    };
    let mut texts = Vec::new();
    for path in files {
        read_with_included(&folder.join(path), &mut { MOST_INCLUDED }, &mut texts);
    }
    texts
}

/// What cargo has for a folder and these flags, with absolute paths. Variables have precedence over its files, and its flags
/// over both.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) of_files: Table,
    pub(crate) of_flags: Table,
}

impl Settings {
    pub(crate) fn of(folder: &Path, flags: &[Flag]) -> Settings {
        let files: Vec<PathBuf> = files_for(folder).collect();
        let read = files.chunks(NAMES.len()).rev();
        let read = read.filter_map(|both| both.iter().find(|file| file.is_file()));
        let typed = flags.iter().filter(|flag| flag.name() == "--config");
        let typed =
            typed.filter_map(|flag| typed_settings(&flag.value().to_string_lossy(), folder));
        Settings {
            of_files: joined(read.filter_map(|file| settings_of(file))),
            of_flags: joined(typed),
        }
    }

    /// All but what variables have.
    pub(crate) fn all(&self) -> Table {
        joined([&self.of_files, &self.of_flags].into_iter().cloned())
    }
}

/// Settings of which the last have precedence.
fn joined(all: impl Iterator<Item = Table>) -> Table {
    let joined = all.reduce(|mut far, near| {
        merge(&mut far, near);
        far
    });
    joined.unwrap_or_default()
}

/// What `--config` has: a setting or a file.
fn typed_settings(typed: &str, folder: &Path) -> Option<Table> {
    let Ok(mut table) = typed.parse::<Table>() else {
        return settings_of(&folder.join(typed));
    };
    replace_in(&mut table, folder, folder);
    let files = included(&table).into_iter();
    let files = files.filter_map(|file| settings_of(Path::new(&file)));
    Some(joined(files.chain([table])))
}

fn read_with_included(file: &Path, left: &mut usize, texts: &mut Vec<(PathBuf, Vec<u8>)>) {
    let bytes = regular_file::read(file, CONFIGURATION_BYTES).unwrap_or_else(|_| dated(file));
    let table: Table = String::from_utf8_lossy(&bytes).parse().unwrap_or_default();
    texts.push((file.to_owned(), bytes));
    for path in included(&table) {
        if take(left) {
            read_with_included(&file.with_file_name(path), left, texts);
        }
    }
}

/// What stands for a file that is not read: its size and date; nothing where there is none.
pub(crate) fn dated(file: &Path) -> Vec<u8> {
    let about = file.metadata();
    let dated = about.map(|about| format!("# {} {:?}", about.len(), about.modified()));
    dated.unwrap_or_default().into_bytes()
}

/// Gives a revision the files of the working tree that no commit contains: those of the checkout at their places, where
/// the commit has none, and those of the folders above it in one file above the clone.
pub(crate) fn lend(repository: &Repository, cached: &Path, clone: &Path) -> Result<()> {
    for folder in repository.within.ancestors() {
        for name in NAMES {
            let file = folder.join(FOLDER).join(name);
            lend_file(&repository.root, clone, &file)
                .and_then(|()| {
                    lend_included(&repository.root, clone, &file, &mut { MOST_INCLUDED })
                })
                .map_err(|error| refused(&clone.join(&file), "written", &error))?;
        }
    }
    let (root, cached) = (whole(&repository.root), whole(cached));
    refuse_above_clones(&root, &cached)?;
    let tables = above(&root, &cached)?;
    let merged = (!tables.is_empty()).then(|| joined(tables.into_iter().rev()));
    let own = cached.join(FOLDER);
    let written = match fs::remove_dir_all(&own) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => merged.map_or(Ok(()), |table| {
            fs::create_dir(&own)?;
            fs::File::create_new(own.join(NAMES[1]))?.write_all(table.to_string().as_bytes())
        }),
    };
    written.map_err(|error| refused(&own, "written", &error))
}

/// Lends one file, unless the commit has it or another commit does.
fn lend_file(root: &Path, clone: &Path, file: &Path) -> io::Result<()> {
    let (own, lent) = (root.join(file), clone.join(file));
    if !own.is_file() || lent.symlink_metadata().is_ok() || is_of_a_commit(&own)? {
        return Ok(());
    }
    let text = regular_file::read_text(&own, CONFIGURATION_BYTES)?;
    let folder = file.parent().unwrap_or(file);
    let around = folder.parent().unwrap_or(folder);
    // What the revision has is its own; what no commit has is that of the working tree.
    let of_tree = |folder: &Path, path: &str| {
        let there = root.join(folder).join(path);
        let is_lent = !clone.join(folder).join(path).exists()
            && there.exists()
            && !is_of_a_commit(&there).unwrap_or(true);
        is_lent.then(|| there.to_string_lossy().into_owned())
    };
    let resolved = match text.parse::<Table>() {
        Ok(mut table) => {
            let before = table.clone();
            replace(
                &mut table,
                |path| of_tree(around, path),
                |path| of_tree(folder, path),
            );
            (table != before).then(|| table.to_string())
        }
        // Cargo says what is wrong with it, on both sides.
        Err(_) => None,
    };
    write_into(clone, file, resolved.unwrap_or(text).as_bytes())
}

/// Lends the files of the checkout that a file of a clone includes.
fn lend_included(root: &Path, clone: &Path, file: &Path, left: &mut usize) -> io::Result<()> {
    let text = regular_file::read_text(&clone.join(file), CONFIGURATION_BYTES).unwrap_or_default();
    for path in included(&text.parse().unwrap_or_default()) {
        let below = below(file.parent().unwrap_or(file), Path::new(&path));
        if let Some(file) = below.filter(|_| take(left)) {
            lend_file(root, clone, &file)?;
            lend_included(root, clone, &file, left)?;
        }
    }
    Ok(())
}

/// A path from a folder of the checkout, from its root; `None` where it leads out of it.
fn below(folder: &Path, path: &Path) -> Option<PathBuf> {
    let mut below = folder.to_owned();
    for part in path.components() {
        match part {
            Component::Normal(name) => below.push(name),
            Component::CurDir => {}
            Component::ParentDir => below.pop().then_some(())?,
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(below)
}

/// Whether a commit decides what is at a path: it has the file, a file in the folder, or a link on the way.
fn is_of_a_commit(path: &Path) -> io::Result<bool> {
    if tracked_link(path).is_some() {
        return Ok(true);
    }
    let tracked = tracked_file(&path.canonicalize()?).map_err(io::Error::other)?;
    Ok(tracked.is_some())
}

/// The folder of the configuration in a folder, if it has one and is not cargo's home, which is read on both sides.
fn configured(folder: &Path) -> Option<PathBuf> {
    let own = folder.join(FOLDER);
    let home = cargo_home().and_then(|home| home.canonicalize().ok());
    let is_home = || own.canonicalize().ok() == home;
    let mut files = NAMES.iter().map(|name| own.join(name));
    files.find(|file| file.is_file() && !is_home())
}

/// The files in the folders that are above the checkout and not above the clone, the nearest first, with absolute
/// paths.
fn above(root: &Path, cached: &Path) -> Result<Vec<Table>> {
    let mut tables = Vec::new();
    for around in root.ancestors().skip(1) {
        if cached.starts_with(around) {
            continue;
        }
        let Some(file) = configured(around) else {
            continue;
        };
        let into_checkout = file.canonicalize().is_ok_and(|file| file.starts_with(root));
        if into_checkout && is_of_a_commit(&file).unwrap_or(true) {
            continue;
        }
        tables.push(with_included(&file, &mut { MOST_INCLUDED })?);
    }
    Ok(tables)
}

/// Whether one file more is followed.
fn take(left: &mut usize) -> bool {
    *left = left.saturating_sub(1);
    *left > 0
}

/// The settings of a file, with absolute paths; `None` where there are none.
pub(crate) fn settings_of(file: &Path) -> Option<Table> {
    with_included(file, &mut { MOST_INCLUDED }).ok()
}

/// The settings of a file with absolute paths, and below them those of the files that it includes.
fn with_included(file: &Path, left: &mut usize) -> Result<Table> {
    let unusable = |why: String| {
        let what = format!("cargo's configuration {file:?} cannot be used for revisions");
        Error::Environment(format!("{what}: {why}"))
    };
    let text = regular_file::read_text(file, CONFIGURATION_BYTES)
        .map_err(|error| unusable(error.to_string()))?;
    let mut table: Table = text.parse().map_err(|error| unusable(format!("{error}")))?;
    let folder = file.parent().unwrap_or(file);
    let around = folder.parent().unwrap_or(folder);
    replace_in(&mut table, around, folder);
    let files = included(&table);
    table.remove("include");
    let mut all = Table::new();
    // Cargo says what is not there, for the working tree.
    for path in files.iter().map(Path::new).filter(|path| path.is_file()) {
        if take(left) {
            merge(&mut all, with_included(path, left)?);
        }
    }
    merge(&mut all, table);
    Ok(all)
}

/// Makes the paths of a file in `folder`, which is in `around`, absolute.
fn replace_in(table: &mut Table, around: &Path, folder: &Path) {
    let at = |folder: &Path, path: &str| Some(folder.join(path).to_string_lossy().into_owned());
    replace(table, |path| at(around, path), |path| at(folder, path));
}

/// Fails if cargo would find a file for revisions that it does not find for the working tree.
fn refuse_above_clones(root: &Path, cached: &Path) -> Result<()> {
    let around = cached.ancestors().skip(1);
    let mut others = around.filter(|around| !root.starts_with(around));
    match others.find_map(configured) {
        None => Ok(()),
        Some(file) => Err(Error::Environment(format!(
            "cargo would use {file:?} for revisions and not for the working tree; name another folder for the cache with \
             the variable TOURBILLON_CACHE"
        ))),
    }
}

/// Joins a nearer file to one that is further away, as cargo does.
fn merge(far: &mut Table, near: Table) {
    for (key, value) in near {
        match (far.get_mut(&key), value) {
            (Some(Value::Table(far)), Value::Table(near)) => merge(far, near),
            (Some(Value::Array(far)), Value::Array(near)) if !WHOLE.contains(&key.as_str()) => {
                far.extend(near);
            }
            (_, value) => {
                far.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_the_precedence_that_cargo_gives_them() {
        let root = tempfile::tempdir().expect("a folder");
        let own = root.path().join(FOLDER);
        fs::create_dir_all(&own).expect("a folder");
        for (name, text) in [
            (
                "config",
                "env.A = 'first'\ninclude = ['a.toml', 'b.toml']\n",
            ),
            ("config.toml", "env.ONLY = 'second'\n"),
            ("a.toml", "env.B = 'a'\nenv.C = 'a'\n"),
            ("b.toml", "env.A = 'b'\nenv.B = 'b'\n"),
        ] {
            fs::write(own.join(name), text).expect("a file");
        }
        fs::write(root.path().join("typed.toml"), "env.C = 'typed'\n").expect("a file");
        let value = |name: &str, flags: &[Flag]| {
            let all = Settings::of(root.path(), flags).all();
            Some(all.get("env")?.get(name)?.as_str()?.to_owned())
        };
        let named = |text: &str| Some(text.to_owned());
        let typed = ["env.B = 'old'", "env.B = 'new'", "typed.toml"];
        let typed = typed.map(|value| Flag::new("--config=", value));
        assert_eq!(value("A", &[]), named("first"));
        assert_eq!(value("B", &[]), named("b"));
        assert_eq!(value("C", &[]), named("a"));
        assert_eq!(value("ONLY", &[]), None);
        assert_eq!(value("B", &typed), named("new"));
        assert_eq!(value("C", &typed), named("typed"));
    }

    #[test]
    fn the_configuration_is_searched_upwards() {
        let files: Vec<PathBuf> = files_for(Path::new("/a/b")).collect();
        assert_eq!(files[1], Path::new("/a/b/.cargo/config.toml"));
        assert!(files.contains(&PathBuf::from("/.cargo/config")));
    }

    #[test]
    fn what_a_file_includes_is_below_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |file: &str, text: &str| {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(&path, text).expect("a file");
            path
        };
        write(
            ".cargo/x.toml",
            "a = 1\nb = 1\n[build]\nrustc = 'bin/rustc'",
        );
        write(".cargo/y.toml", "b = 2\nc = 2");
        let text = "include = ['x.toml', 'y.toml', { path = 'none.toml', optional = true }]\nc = 3";
        let own = write(".cargo/config.toml", text);
        let rustc = folder.path().join("bin/rustc");
        let expected = format!("a = 1\nb = 2\nc = 3\n[build]\nrustc = {rustc:?}");
        let expected: Table = expected.parse().expect("TOML");
        assert_eq!(
            with_included(&own, &mut { MOST_INCLUDED }).expect("settings"),
            expected
        );
    }

    #[test]
    fn files_that_include_each_other_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let own = folder.path().join("x.toml");
        let many = vec!["'x.toml'"; 100].join(", ");
        fs::write(&own, format!("include = [{many}]\na = 1")).expect("a file");
        let texts = texts_of("include = ['x.toml']", folder.path());
        assert_eq!(texts.len(), MOST_INCLUDED);
        let table = with_included(&own, &mut { MOST_INCLUDED }).expect("settings");
        assert_eq!(table, "a = 1".parse().expect("TOML"));
        let lent = lend_included(folder.path(), folder.path(), Path::new("x.toml"), &mut {
            9
        });
        assert!(lent.is_ok());
    }

    #[test]
    fn what_is_included_is_in_the_checkout() {
        let of = |path: &str| below(Path::new("a/.cargo"), Path::new(path));
        assert_eq!(of("x.toml"), Some(PathBuf::from("a/.cargo/x.toml")));
        assert_eq!(of("./../x/y.toml"), Some(PathBuf::from("a/x/y.toml")));
        assert_eq!([of("../../../x.toml"), of("/x.toml")], [None, None]);
    }

    #[test]
    fn what_a_setting_includes_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let own = folder.path().join("x.toml");
        fs::write(&own, "a = 1").expect("a file");
        let whole = format!("include = [{own:?}]");
        for setting in [whole.as_str(), "include = ['x.toml']"] {
            assert_eq!(
                texts_of(setting, folder.path()),
                [(own.clone(), b"a = 1".to_vec())]
            );
        }
        assert!(texts_of("build.jobs = 1", folder.path()).is_empty());
    }

    #[test]
    fn nearer_files_decide_and_lists_are_joined() {
        let table = |text: &str| -> Table { text.parse().expect("TOML") };
        let mut far = table(
            "build = { rustflags = ['-g'], jobs = 1 }\nenv.A = 'far'\ntarget.x.runner = ['a', 'b']",
        );
        merge(
            &mut far,
            table("build = { rustflags = ['-O'] }\nenv.A = 'near'\ntarget.x.runner = ['c']"),
        );
        let expected = table(
            "build = { rustflags = ['-g', '-O'], jobs = 1 }\nenv.A = 'near'\ntarget.x.runner = ['c']",
        );
        assert_eq!(far, expected);
    }

    #[test]
    fn included_files_are_part_of_a_key() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join(FOLDER)).expect("a folder");
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(FOLDER).join(name), text).expect("a file");
        };
        write("config.toml", "include = ['more.toml']");
        write("more.toml", "include = ['config.toml']\nenv.A = '1'");
        let before = texts_for(folder.path());
        write("more.toml", "include = ['config.toml']\nenv.A = '2'");
        assert_ne!(texts_for(folder.path()), before);
        let keys = [0, 1].map(|more| {
            write(
                "more.toml",
                &" ".repeat((CONFIGURATION_BYTES + 1 + more) as usize),
            );
            texts_for(folder.path())
        });
        assert_ne!(keys[0], keys[1]);
        assert!(keys.concat().iter().all(|(_, text)| text.len() < 100));
    }

    #[test]
    fn configuration_above_the_cache_alone_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |path: &str| folder.path().join(path);
        for path in ["src/app", "all/cache", "all/.cargo"] {
            fs::create_dir_all(at(path)).expect("a folder");
        }
        let checked = || refuse_above_clones(&at("src/app"), &at("all/cache"));
        assert!(checked().is_ok());
        fs::write(at("all/.cargo/config.toml"), "").expect("a file");
        let text = checked().expect_err("it is only above the cache");
        assert!(text.to_string().contains("TOURBILLON_CACHE"), "{text}");
        // What is above both is found for both.
        assert!(refuse_above_clones(&at("all/app"), &at("all/cache")).is_ok());
    }
}
