//! Whether two executables are one program, which cannot take another time, or have cases that are.

mod constructors;
mod doubt;
mod elf;
mod image;
mod libraries;
mod loaded_code;
mod macho;
mod names;
mod panic_files;
mod pe;
mod programs;
mod reach;
mod variables;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io, thread};

use tempfile::TempDir;
use tourbillon_values::limits::EXECUTABLE_BYTES;
use tourbillon_values::regular_file;

use self::constructors::have_same_order;
pub use self::doubt::Doubt;
use self::image::Image;
use self::libraries::changeable_library;
use self::loaded_code::{loaded, loaded_libraries};
use self::names::Names;
use self::programs::{differing_programs, starts_what_names_built};
use self::reach::reached;
use self::variables::differing_variable;
use crate::cache::build::{Build, Executable, OBJECTS, PLACED};
use crate::placement::relink::{NotRelinkable, Relink};

/// Most files of documentation that are looked for in programs, each in some milliseconds.
const MOST_DOCUMENTS: usize = 1_000;

/// What is known of two executables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Equality {
    /// What is loaded of them is the same, and so is all that they can read besides.
    Equal,
    /// What is loaded of them differs.
    #[default]
    Different,
    /// What is loaded of them is the same, and this is what may differ.
    Unproven(Doubt),
    /// They differ, and this is why nothing is known of single cases.
    Undivided(Doubt),
    /// They differ; for each case, what it reaches that does: nothing where it is the same code and data, its placement
    /// aside.
    OfCases(BTreeMap<String, Option<String>>),
}

/// Compares an executable of each of two builds, or their cases of these identities, if there are any. Files that
/// `is_documentation` selects are not read when programs run, unless these name them; of others that differ and are
/// there in the newer build, `reads_none` says whether its program reads none, nor lists their folders.
#[must_use]
pub fn equality(
    [old, new]: [(&Build, &Executable); 2],
    cases: &[&str],
    is_documentation: impl Fn(&Path) -> bool,
    reads_none: impl Fn(&[&Path]) -> bool,
) -> Equality {
    let sides =
        [old, new].map(|(_, executable)| regular_file::read(&executable.path, EXECUTABLE_BYTES));
    let [Ok(one), Ok(other)] = &sides else {
        return Equality::Different;
    };
    let files = [one.as_slice(), other.as_slice()];
    let libraries = [old, new].map(|(_, executable)| loaded_libraries(executable));
    let [Ok(of_one), Ok(of_other)] = &libraries else {
        return Equality::Different;
    };
    let has_same_libraries = of_one == of_other;
    let [Some(mut one), Some(mut other)] = [one, other].map(|file| loaded(file)) else {
        return if one == other && has_same_libraries {
            Equality::Unproven("the form of the executable is not known".into())
        } else {
            Equality::Different
        };
    };
    one.add_image(of_one);
    other.add_image(of_other);
    let is_same = one == other;
    let objects = [old, new].map(|(_, executable)| executable.path.with_file_name(OBJECTS));
    let is_divided = !cases.is_empty() && objects.iter().all(|folder| folder.is_dir());
    if !is_same && !is_divided {
        return Equality::Different;
    }
    if !has_same_libraries {
        let why = "a shared library differs that was built with it";
        return Equality::Undivided(why.into());
    }
    let doubt = doubt([old, new], [&one, &other], is_documentation, reads_none);
    match (doubt, is_same) {
        (None, true) => Equality::Equal,
        (Some(why), true) => Equality::Unproven(why),
        (Some(why), false) => Equality::Undivided(why),
        (None, false) if !have_same_order(files) => {
            Equality::Undivided("constructors are called in another order".into())
        }
        (None, false) => match of_cases(&objects, cases) {
            Ok(cases) => Equality::OfCases(cases),
            Err(why) => Equality::Undivided(why.into()),
        },
    }
}

/// Whether an executable or one of its libraries may start or read what was built in one of the target directories.
pub(crate) fn names_built(executable: &Executable, targets: &[PathBuf]) -> bool {
    let file = regular_file::read(&executable.path, EXECUTABLE_BYTES).ok();
    let libraries = loaded_libraries(executable).ok();
    let image = file.and_then(|file| loaded(&file)).zip(libraries);
    let image = image.map(|(mut image, libraries)| {
        image.add_image(&libraries);
        image
    });
    let names = |image: &Image| {
        let mut targets = targets.iter();
        let takes_built = |target: &PathBuf| taken_from(executable, image, target).is_some();
        targets.any(|target| {
            let folder = target.to_string_lossy();
            image.names_built(&folder)
                || takes_built(target)
                || starts_what_names_built(executable, image, &folder)
        })
    };
    image.as_ref().is_some_and(names)
}

/// The variable by which cargo tells an executable with this image of a file in a folder.
fn taken_from<'e>(executable: &'e Executable, image: &Image, folder: &Path) -> Option<&'e str> {
    let folder = folder.to_string_lossy();
    let mut variables = executable.environment.iter();
    let (name, _) =
        variables.find(|(name, value)| value.contains(folder.as_ref()) && image.may_take(name))?;
    Some(name)
}

/// Compares what cases reach in programs that are linked from the objects in these folders.
fn of_cases(
    objects: &[PathBuf; 2],
    cases: &[&str],
) -> Result<BTreeMap<String, Option<String>>, String> {
    let [old, new] = objects;
    let (old, new) = thread::scope(|scope| {
        let other = scope.spawn(|| linked_apart(new));
        (linked_apart(old), other.join())
    });
    let new = new.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let of_linker = |error: NotRelinkable| error.to_string();
    reached([&old.map_err(of_linker)?, &new.map_err(of_linker)?], cases)
}

/// A program whose parts are known, linked from the objects in a folder.
fn linked_apart(objects: &Path) -> Result<Vec<u8>, NotRelinkable> {
    let failed = |error: io::Error| NotRelinkable::Failed(error.to_string());
    let relink = Relink::open(objects)?;
    // What is beside the objects is a part of the build.
    let placed = objects.with_file_name(PLACED);
    fs::create_dir_all(&placed).map_err(failed)?;
    let own = TempDir::new_in(&placed).map_err(failed)?;
    let path = own.path().join("apart");
    relink.link_apart(&path)?;
    regular_file::read(&path, EXECUTABLE_BYTES).map_err(failed)
}

/// Why programs of one code may still differ; `None` if they cannot.
fn doubt(
    [(old, one), (new, other)]: [(&Build, &Executable); 2],
    images: [&Image; 2],
    is_documentation: impl Fn(&Path) -> bool,
    reads_none: impl Fn(&[&Path]) -> bool,
) -> Option<Doubt> {
    if old.environment != new.environment {
        return Some("they are started with other variables".into());
    }
    if one.runner != other.runner {
        return Some("cargo starts them through different programs".into());
    }
    if let Some(name) = differing_variable([one, other], images) {
        return Some(format!("cargo gives it another {name}").into());
    }
    let programs = differing_programs([one, other], images);
    let files: Vec<&Path> = programs.iter().map(|(_, file)| file.as_path()).collect();
    if let Some((name, _)) = programs.first().filter(|_| !reads_none(&files)) {
        let why = format!("the program {name} of its package differs, which it may start");
        return Some(why.into());
    }
    if images.iter().any(|image| image.has_relative_libraries()) {
        return Some("its libraries are searched relative to its folder".into());
    }
    if old.origin != new.origin {
        return Some("they are copies of files in two folders, where they may read others".into());
    }
    if one.home.is_none() && other.home.is_none() {
        // Files that the user names: both read what is there now.
        return None;
    }
    let folders: Vec<&PathBuf> = old
        .target_folders
        .iter()
        .chain(&new.target_folders)
        .collect();
    if old.target_folders.is_empty() || new.target_folders.is_empty() {
        return Some("it is not known where it was built".into());
    }
    if let Some(folder) = folders.iter().find(|folder| {
        let folder = folder.to_string_lossy();
        images.iter().any(|image| image.names(&folder))
    }) {
        let why = format!("it names {folder:?}, where both sides were built");
        return Some(why.into());
    }
    if let Some(name) = [one, other].into_iter().find_map(|side| {
        let mut both = folders
            .iter()
            .flat_map(|folder| images.map(|image| (*folder, image)));
        both.find_map(|(folder, image)| taken_from(side, image, folder))
    }) {
        let why = format!("{name} names a folder where both sides were built");
        return Some(why.into());
    }
    if let Some(variable) = changeable_library(&folders) {
        let why = format!("{variable} has a folder whose libraries a build may change");
        return Some(why.into());
    }
    let (Some(olds), Some(news)) = (&old.data, &new.data) else {
        return Some("it is not known which files differ that are no sources".into());
    };
    let all: BTreeSet<&PathBuf> = olds.keys().chain(news.keys()).collect();
    let differing = all
        .into_iter()
        .filter(|file| olds.get(*file) != news.get(*file));
    let (documents, others): (Vec<&PathBuf>, Vec<&PathBuf>) =
        differing.partition(|file| is_documentation(file));
    if documents.len() > MOST_DOCUMENTS {
        let count = documents.len();
        let why = format!("{count} files differ that are no sources, more than are looked for");
        return Some(why.into());
    }
    let names = Names::of(images);
    let read = documents
        .into_iter()
        .filter(|file| names.have_file(file) || names.have_place(file))
        .chain(others);
    let read: BTreeSet<&Path> = read.map(PathBuf::as_path).collect();
    let read = Vec::from_iter(read);
    let first = read.first()?;
    // That a file is looked for and is not there is not known: of new ones those count that no program looks for. Many
    // have a part of a name; what finds a file without the name of its folder lists the folders around it, or starts in one.
    let is_source = |file: &Path| file.extension().is_some_and(|extension| extension == "rs");
    let is_around_home = |file: &Path| {
        let homes = [one, other].into_iter().flat_map(|side| &side.home);
        let mut folders = homes.flat_map(|home| home.iter());
        folders.any(|folder| file.starts_with(folder))
    };
    let is_looked_for = |file: &Path| {
        let is_found = || names.have_place(file) || is_around_home(file);
        !is_source(file) && (!is_documentation(file) || is_found())
    };
    let are_there = read
        .iter()
        .all(|file| news.contains_key(*file) && (olds.contains_key(*file) || !is_looked_for(file)));
    let is_read = !are_there || !reads_none(&read);
    is_read.then(|| Doubt::Files {
        first: first.to_path_buf(),
        is_new: !olds.contains_key(*first),
        others: read.len() - 1,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::compile::targets::Target;

    fn build(folder: &str, data: &[(&str, &str)]) -> Build {
        let entry = |(file, hash): &(&str, &str)| (PathBuf::from(*file), (*hash).to_owned());
        Build {
            target_folders: vec![PathBuf::from(folder)],
            data: Some(data.iter().map(entry).collect()),
            ..Build::default()
        }
    }

    fn executable(home: Option<&str>) -> Executable {
        Executable {
            home: home.map(PathBuf::from),
            ..Executable::new(&Target::default(), PathBuf::new())
        }
    }

    /// Why programs with this text in them may differ.
    fn found(builds: [&Build; 2], text: &str) -> Option<String> {
        let one = executable(Some("/w/shop"));
        let image = Image::from_text(text);
        let is_documentation = |file: &Path| file.extension().is_some_and(|end| end == "md");
        doubt(
            builds.map(|build| (build, &one)),
            [&image; 2],
            is_documentation,
            |files| {
                files
                    .iter()
                    .all(|file| file.file_stem().is_some_and(|stem| stem == "unread"))
            },
        )
        .map(|doubt| doubt.to_string())
    }

    #[test]
    fn a_file_that_may_be_read_is_a_doubt() {
        let old = build("/t", &[("a.txt", "1"), ("README.md", "1")]);
        assert_eq!(found([&old, &old], ""), None);
        let readme = build("/t", &[("a.txt", "1"), ("README.md", "2")]);
        assert_eq!(found([&old, &readme], ""), None);
        let named = found([&old, &readme], "open README.md");
        assert_eq!(named.as_deref(), Some("README.md differs and may be read"));
        for data in [
            &[("a.txt", "2"), ("README.md", "1")][..],
            &[("README.md", "1")],
        ] {
            let why = found([&old, &build("/t", data)], "");
            assert_eq!(why.as_deref(), Some("a.txt differs and may be read"));
        }
        let unknown = Build {
            data: None,
            ..old.clone()
        };
        assert!(found([&unknown, &unknown], "").is_some());
    }

    #[test]
    fn a_file_that_is_there_and_not_read_is_no_doubt() {
        let of = |data: &[(&str, &str)]| build("/t", data);
        let old = of(&[("a.txt", "1"), ("b/unread.rs", "1")]);
        for new in [
            of(&[("a.txt", "1"), ("b/unread.rs", "2")]),
            of(&[("a.txt", "1"), ("b/unread.rs", "1"), ("c/unread.rs", "1")]),
        ] {
            assert_eq!(found([&old, &new], ""), None, "{:?}", new.data);
        }
        for new in [
            of(&[("a.txt", "2"), ("b/unread.rs", "2")]),
            of(&[("a.txt", "1")]),
            of(&[("a.txt", "1"), ("b/unread.rs", "1"), ("c.txt", "1")]),
        ] {
            assert!(found([&old, &new], "").is_some(), "{:?}", new.data);
        }
    }

    #[test]
    fn a_new_file_for_tools_is_looked_for_by_the_name_of_its_folder() {
        let old = build("/t", &[]);
        for (file, text, is_doubt) in [
            (".tools/unread.md", "", false),
            // A word that programs have for other reasons.
            (".tools/unread.md", "what is unread.md", false),
            (".tools/unread.md", ".tools/unread.md", true),
            (".tools/unread.md", "list .tools", true),
            (".tools/read.md", "what is read.md", true),
            ("unread.md", "what is unread.md", true),
            ("crates/a/unread.md", "crates/a/src/lib.rs unread.md", true),
            // The folder that the program is started in is below it.
            ("shop/unread.md", "what is unread.md", true),
        ] {
            let why = found([&old, &build("/t", &[(file, "1")])], text);
            assert_eq!(why.is_some(), is_doubt, "{file} {text:?}: {why:?}");
        }
    }

    #[test]
    fn documentation_is_read_where_the_program_has_its_name_or_its_folder() {
        let of = |file: &str, text: &str| {
            let (image, file) = (Image::from_text(text), Path::new(file));
            let names = Names::of([&image, &image]);
            names.have_file(file) || names.have_place(file)
        };
        assert!(!of("README.md", "read me"));
        assert!(of("README.md", "open readme.md"));
        assert!(of("docs/guide.md", "walk docs now"));
        assert!(!of("docs/guide.md", "walk doc now"));
        assert!(of("benches/corpus/README", "benches/suite.rs"));
        assert!(!of("crates/a/NOTES.md", "crates/a/src/lib.rs"));
        assert!(of("crates/a/NOTES.md", "crates/a/src/lib.rs NOTES.md"));
    }

    #[test]
    fn so_many_documents_are_not_looked_for() {
        let of = |count: usize| {
            let files = (0..count).map(|at| (PathBuf::from(format!("docs/{at}.md")), "1".into()));
            Build {
                data: Some(files.collect()),
                ..build("/t", &[])
            }
        };
        let none = of(0);
        assert_eq!(found([&none, &of(MOST_DOCUMENTS)], ""), None);
        let why = found([&none, &of(MOST_DOCUMENTS + 1)], "");
        assert!(why.is_some_and(|why| why.starts_with("1001 files differ")));
    }

    #[test]
    fn what_is_read_where_it_was_built_is_a_doubt() {
        let [old, new] = ["/t/old", "/t/new"].map(|folder| build(folder, &[]));
        assert_eq!(found([&old, &new], "/t/other/release"), None);
        for text in ["/t/old/release/build/out/data", "/t/new"] {
            assert!(found([&old, &new], text).is_some(), "{text}");
        }
        let unknown = Build {
            target_folders: Vec::new(),
            ..old.clone()
        };
        assert!(found([&old, &unknown], "").is_some());
    }

    #[test]
    fn variables_are_a_doubt_and_files_of_the_user_are_none() {
        let plain = Build::default();
        let one = executable(None);
        let image = Image::from_text("");
        let none = |_: &Path| false;
        let of = |other: &Build| {
            doubt([(&plain, &one), (other, &one)], [&image; 2], none, |_| {
                false
            })
        };
        assert_eq!(of(&plain), None);
        let varied = Build {
            environment: vec![("A".to_owned(), "1".to_owned())],
            ..Build::default()
        };
        assert!(of(&varied).is_some());
        let known = Build {
            data: Some(BTreeMap::new()),
            ..Build::default()
        };
        assert_eq!(of(&known), None);
    }

    #[test]
    fn what_may_be_beside_files_of_the_user_is_a_doubt() {
        let one = executable(None);
        let image = Image::from_text("");
        let of = |folder: &str| Build {
            origin: Some(PathBuf::from(folder)),
            ..Build::default()
        };
        let found = |old: &Build, new: &Build| {
            doubt([(old, &one), (new, &one)], [&image; 2], |_| false, |_| true)
        };
        assert_eq!(found(&of("/a"), &of("/a")), None);
        assert!(found(&of("/a"), &of("/b")).is_some());
        assert!(found(&of("/a"), &Build::default()).is_some());
    }
}
