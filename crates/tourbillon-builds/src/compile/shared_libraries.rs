//! Shared libraries that a build makes: cargo has its programs search for them where they were made.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::env::consts::DLL_PREFIX;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{Artifact, BuildScript};
use memchr::{memchr2, memmem};
use tourbillon_values::limits::EXECUTABLE_BYTES;
use tourbillon_values::regular_file;

/// The variable by which cargo has programs search in folders.
pub(crate) const LIBRARY_PATH: &str = if cfg!(windows) {
    "PATH"
} else if cfg!(target_os = "macos") {
    "DYLD_FALLBACK_LIBRARY_PATH"
} else {
    "LD_LIBRARY_PATH"
};

/// How a program or library names its folder to the loader.
const OWN_FOLDER: [&[u8]; 4] = [
    b"$ORIGIN",
    b"${ORIGIN}",
    b"@loader_path",
    b"@executable_path",
];

/// Bytes of the longest path that a loader reads (`PATH_MAX` of Linux).
const LONGEST_PATH: usize = 4096;

/// How a build script may say what is in a folder for the linker.
const KINDS: [&str; 5] = ["native=", "crate=", "dependency=", "framework=", "all="];

/// What a program calls that loads libraries by names which it may put together.
const LOADS: [&str; 2] = ["dlopen", "LoadLibraryEx"];

/// The variable with the search path of a program whose libraries are in these folders, before those that the variable
/// has already: among the `given` ones, else in this process. `None` without folders.
#[must_use]
pub fn library_path(
    folders: &[PathBuf],
    given: &[(OsString, OsString)],
) -> Option<(OsString, OsString)> {
    if folders.is_empty() {
        return None;
    }
    let given = given.iter().rev().find(|(name, _)| name == LIBRARY_PATH);
    let inherited = given.map(|(_, value)| value.clone());
    let inherited = inherited.or_else(|| env::var_os(LIBRARY_PATH));
    let inherited = inherited.filter(|value| !value.is_empty());
    let of_system = if cfg!(target_os = "macos") && inherited.is_none() {
        // Where it looks without the variable.
        let home = env::var_os("HOME").map(|home| PathBuf::from(home).join("lib"));
        let both = ["/usr/local/lib", "/usr/lib"].map(PathBuf::from);
        home.into_iter().chain(both).collect()
    } else {
        Vec::new()
    };
    let inherited = inherited.iter().flat_map(env::split_paths);
    let all = folders.iter().cloned().chain(inherited).chain(of_system);
    Some((LIBRARY_PATH.into(), env::join_paths(all).ok()?))
}

/// The shared libraries that a program finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchedLibraries {
    /// The folders in which cargo has it search.
    pub folders: Vec<PathBuf>,
    /// What it needs that is there, each with another name.
    pub(crate) needed: Vec<PathBuf>,
}

/// What cargo says of the libraries of a build.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct MadeLibraries {
    /// The folders that build scripts name to the linker, as they write them.
    folders: BTreeSet<PathBuf>,
    /// Those of Rust code, with other files.
    compiled: BTreeSet<PathBuf>,
}

impl MadeLibraries {
    pub(crate) fn add_script(&mut self, script: &BuildScript) {
        let folders = script.linked_paths.iter();
        self.folders.extend(folders.map(PathBuf::from));
    }

    pub(crate) fn add_artifact(&mut self, artifact: &Artifact) {
        let mut types = artifact.target.crate_types.iter();
        if types.any(|one| matches!(one.to_string().as_str(), "dylib" | "cdylib")) {
            let files = artifact.filenames.iter();
            self.compiled.extend(files.map(PathBuf::from));
        }
    }

    /// Where a program finds libraries, and which of them it needs: those of build scripts, which what it starts may search
    /// for, and those whose names it has, one of these `programs` that it may start, or one of the libraries. What loads
    /// libraries needs all of Rust code.
    /// `local` are the folders of local packages, where a build script may put libraries that programs find by absolute paths;
    /// `sysroot` asks for the folder of the compiler.
    pub(crate) fn of(
        &self,
        executable: &Path,
        programs: &[&Path],
        local: &[PathBuf],
        sysroot: &dyn Fn() -> Option<PathBuf>,
    ) -> SearchedLibraries {
        let deps = executable.parent().unwrap_or(executable);
        // target/release: what is elsewhere is for the linker alone.
        let profile = deps.parent().unwrap_or(deps);
        let named = self.folders.iter().map(|folder| without_kind(folder));
        let mut folders: Vec<&Path> = named.filter(|one| one.starts_with(profile)).collect();
        let mut there = Vec::new();
        folders
            .iter()
            .for_each(|folder| there.extend(libraries_in(folder)));
        let of_scripts = there.len();
        // Cargo names the one in target/release, which its next build replaces.
        let compiled = self.compiled.iter();
        let compiled = compiled.filter(|file| file.starts_with(profile));
        let in_deps = compiled.map(|file| deps.join(file.file_name().unwrap_or_default()));
        let in_deps = Vec::from_iter(in_deps.filter(|file| is_library(file)));
        there.extend(in_deps.iter().cloned());
        folders.extend([profile, deps]);
        let is_local = |folder: &&Path| local.iter().any(|one| folder.starts_with(one));
        let beside = self.folders.iter().map(|folder| without_kind(folder));
        there.extend(beside.filter(is_local).flat_map(libraries_in));
        // A build script may have put others there.
        there.extend([profile, deps].into_iter().flat_map(libraries_in));
        let mut folders: Vec<PathBuf> = folders.into_iter().map(Path::to_owned).collect();
        let programs = [&[executable], programs].concat();
        let needed = needed(&programs, there, of_scripts, &in_deps, sysroot);
        let around = needed.values().filter_map(|library| library.parent());
        for folder in around {
            if !folders.iter().any(|own| own == folder) {
                folders.push(folder.to_owned());
            }
        }
        SearchedLibraries {
            folders,
            needed: needed.into_values().collect(),
        }
    }
}

impl SearchedLibraries {
    /// Those of a program that was built elsewhere: what it finds beside itself, where its copy does not.
    pub(crate) fn beside(executable: &Path) -> SearchedLibraries {
        // Windows looks there first.
        let own = executable.parent().filter(|_| cfg!(windows));
        let there = own.map_or_else(Vec::new, libraries_in);
        SearchedLibraries {
            folders: Vec::new(),
            needed: needed(&[executable], there, 0, &[], &|| None)
                .into_values()
                .collect(),
        }
    }
}

/// Which libraries programs need, of those that are `there`, or are where they or one of them says: the first ones, which
/// are those of build scripts, and for what loads libraries those `of_rust`.
fn needed(
    programs: &[&Path],
    mut there: Vec<PathBuf>,
    of_scripts: usize,
    of_rust: &[PathBuf],
    sysroot: &dyn Fn() -> Option<PathBuf>,
) -> BTreeMap<OsString, PathBuf> {
    let standard = format!("{DLL_PREFIX}std-");
    let mut sysroot = Some(sysroot);
    let mut needed: BTreeMap<OsString, PathBuf> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut unread: Vec<PathBuf> = programs.iter().map(|&path| path.to_owned()).collect();
    for library in &there[..of_scripts] {
        let name = library.file_name().unwrap_or_default();
        if !needed.contains_key(name) {
            needed.insert(name.to_owned(), library.clone());
            unread.push(library.clone());
        }
    }
    while let Some(file) = unread.pop() {
        let bytes = regular_file::read(&file, EXECUTABLE_BYTES).unwrap_or_default();
        let has = |name: &str| memmem::find(&bytes, name.as_bytes()).is_some();
        let loads = LOADS.into_iter().any(has);
        for folder in relative_folders(&bytes, &file) {
            // A hostile program names one folder in many ways.
            if folder.canonicalize().is_ok_and(|real| seen.insert(real)) {
                there.extend(libraries_in(&folder));
            }
        }
        if has(&standard)
            && let Some(root) = sysroot.take().and_then(|ask| ask())
        {
            let of_targets = entries(&root.join("lib/rustlib"));
            there.extend(of_targets.flat_map(|one| libraries_in(&one.join("lib"))));
        }
        for library in &there {
            let name = library.file_name().unwrap_or_default();
            let is_named = name.to_str().is_some_and(has);
            if (is_named || loads && of_rust.contains(library)) && !needed.contains_key(name) {
                needed.insert(name.to_owned(), library.clone());
                unread.push(library.clone());
            }
        }
    }
    needed
}

/// The folders that a program names for its libraries, relative to its own.
fn relative_folders(bytes: &[u8], file: &Path) -> impl Iterator<Item = PathBuf> {
    let own = file.parent().unwrap_or(file);
    OWN_FOLDER.iter().flat_map(move |name| {
        memmem::find_iter(bytes, name).filter_map(move |at| {
            let rest = &bytes[at + name.len()..];
            let rest = &rest[..rest.len().min(LONGEST_PATH)];
            let end = memchr2(0, b':', rest)?;
            let rest = str::from_utf8(&rest[..end]).ok()?;
            let named = own.join(rest.trim_start_matches('/'));
            let folder = named.parent().filter(|_| is_library(&named));
            Some(folder.map_or_else(|| named.clone(), Path::to_owned))
        })
    })
}

fn without_kind(folder: &Path) -> &Path {
    let text = folder.to_str();
    let mut rests = KINDS.iter().filter_map(|kind| text?.strip_prefix(kind));
    rests.next().map_or(folder, Path::new)
}

/// The shared libraries in a folder, sorted.
fn libraries_in(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::from_iter(entries(folder).filter(|file| is_library(file)));
    files.sort();
    files
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

/// Whether a file has a name such as `libz.so`, `libz.so.1`, `libz.dylib`, `z.dll`.
fn is_library(file: &Path) -> bool {
    let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let ends = [".so", ".dylib", ".dll"];
    let is_named = ends.iter().any(|end| name.ends_with(end)) || name.contains(".so.");
    is_named && file.is_file()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn path(folders: &[&str], given: &[(&str, &str)]) -> Option<OsString> {
        let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
        let given: Vec<(OsString, OsString)> = given
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        Some(library_path(&folders, &given)?.1)
    }

    #[test]
    fn folders_of_a_build_come_before_others() {
        let given = [("A", "/a"), (LIBRARY_PATH, "/b:/c")];
        assert_eq!(path(&[], &given), None);
        let found = path(&["/t", "/u"], &given).expect("a variable");
        assert_eq!(found, "/t:/u:/b:/c");
        assert_eq!(path(&["/t:u"], &given), None);
    }

    #[test]
    fn a_program_from_elsewhere_has_what_is_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |path: &str| folder.path().join(path);
        for (path, text) in [
            (
                "one/bin/speed",
                "libz.so.1 libunknown.so\0/$ORIGIN/../lib:$ORIGIN\0",
            ),
            ("one/lib/libz.so.1", "libinner.so\0${ORIGIN}/inner\0"),
            ("one/lib/inner/libinner.so", ""),
            ("one/bin/libunread.so", ""),
            ("two/speed", "@loader_path/libz.dylib\0"),
            ("two/libz.dylib", ""),
            ("three/speed", "libz.so"),
            ("three/libz.so", ""),
        ] {
            let path = at(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let found = |program: &str| -> Vec<PathBuf> {
            let needed = SearchedLibraries::beside(&at(program)).needed;
            let real = |path: PathBuf| path.canonicalize().expect("a file");
            needed.into_iter().map(real).collect()
        };
        let inner = at("one/lib/inner/libinner.so");
        assert_eq!(found("one/bin/speed"), [inner, at("one/lib/libz.so.1")]);
        assert_eq!(found("two/speed"), [at("two/libz.dylib")]);
        assert!(
            found("three/speed").is_empty(),
            "a system does not look there"
        );
    }

    /// In a debug build, twenty thousand with their ends looked for to the end of the file would take a minute.
    #[test]
    fn a_folder_is_read_once_however_often_a_program_names_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("speed");
        let named = "$ORIGIN/\0".repeat(3_000) + "libz.so\0" + &"$ORIGIN/".repeat(20_000);
        fs::write(&program, named).expect("a file");
        fs::write(folder.path().join("libz.so"), "").expect("a file");
        let bytes = fs::read(&program).expect("a file");
        assert_eq!(relative_folders(&bytes, &program).count(), 3_000);
        let needed = SearchedLibraries::beside(&program).needed;
        assert_eq!(needed, [folder.path().join("libz.so")]);
    }

    #[test]
    fn a_program_needs_the_libraries_that_it_names_and_those_that_they_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |path: &str| folder.path().join(path);
        for (path, text) in [
            (
                "t/release/deps/speed-1",
                "\0libz.so.1\0libwork.so\0libput.so\0libstd-2.so\0libbeside.so",
            ),
            (
                "t/release/deps/libwork.so",
                "libc.so.6 libinner.so libstd-2.so",
            ),
            ("t/release/deps/libmacros-3.so", "libunread.so"),
            ("t/release/deps/libput.so", ""),
            ("t/release/tool", "\0libof-tool.so\0"),
            ("t/release/deps/libof-tool.so", ""),
            ("t/release/build/a-1/out/libz.so.1", ""),
            ("t/release/build/b-1/out/libz.so.1", "libother.so"),
            ("t/release/build/b-1/out/libinner.so", "libwork.so"),
            ("t/release/build/b-1/out/libother.so", ""),
            ("usr/libc.so.6", ""),
            ("shop/lib/libbeside.so", ""),
            ("shop/lib/libunnamed.so", ""),
            ("rust/lib/rustlib/arm/lib/libstd-2.so", "libstd-2.so"),
            ("rust/lib/rustlib/arm/lib/libtest-2.so", ""),
        ] {
            let path = at(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let out = |name: &str| at(&format!("t/release/build/{name}/out"));
        let native = |folder: PathBuf| PathBuf::from(format!("native={}", folder.display()));
        let made = MadeLibraries {
            folders: [
                native(out("a-1")),
                out("b-1"),
                native(at("usr")),
                native(at("shop/lib")),
            ]
            .into(),
            compiled: [at("t/release/deps/libwork.so"), at("t/release/libwork.so")].into(),
        };
        let program = at("t/release/deps/speed-1");
        let tool = at("t/release/tool");
        let searched = made.of(&program, &[&tool], &[at("shop")], &|| Some(at("rust")));
        let standard = at("rust/lib/rustlib/arm/lib");
        let deps = at("t/release/deps");
        let expected = [
            at("shop/lib/libbeside.so"),
            out("b-1").join("libinner.so"),
            deps.join("libof-tool.so"),
            // What a program starts may search for it.
            out("b-1").join("libother.so"),
            deps.join("libput.so"),
            standard.join("libstd-2.so"),
            deps.join("libwork.so"),
            // Cargo sorts what build scripts wrote, and the first one is found.
            out("b-1").join("libz.so.1"),
        ];
        assert_eq!(searched.needed, expected);
        let folders = [
            out("b-1"),
            out("a-1"),
            at("t/release"),
            deps.clone(),
            at("shop/lib"),
            standard,
        ];
        assert_eq!(searched.folders, folders);
        fs::write(&program, "dlopen lib work .so").expect("a file");
        let searched = made.of(&program, &[&tool], &[], &|| None);
        assert!(searched.needed.contains(&deps.join("libwork.so")));
    }
}
