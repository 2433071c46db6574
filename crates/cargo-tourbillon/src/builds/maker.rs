//! Making builds.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use tourbillon_clock::wall::unix_ns;

use super::build::{Build, Executable};
use super::cache::{Cache, create, lock_of};
use super::clone::Clone;
use super::compile::Compile;
use super::configuration;
use super::git::Repository;
use super::greet::greet;
use super::key::{Digest, Key};
use super::lock::Lock;
use super::placement::Fixed;
use super::record::{self, OBJECTS, UNFINISHED, USED};
use super::subject::{Selection, Subject};
use super::toolchain::Toolchain;
use super::variation::Variation;
use crate::exit::{Stop, say};
use crate::targets::{Kind, Target, kind};

/// Digits of a commit that people are shown.
const SHORT: usize = 7;

/// Makes builds of the package or workspace around the current folder.
#[derive(Debug)]
pub(crate) struct Maker {
    cache: Cache,
    selection: Selection,
    /// Whether executables will be put elsewhere in memory.
    place: bool,
    folder: PathBuf,
    repository: Option<Repository>,
}

/// What is known of a build before it is made.
#[derive(Clone, Debug, Default)]
struct About {
    label: String,
    commit: Option<String>,
    dirty: bool,
    flags: String,
    toolchain: String,
    environment: Vec<(String, String)>,
}

impl Maker {
    /// With `place`, what executables are linked from is kept, too, so that they can be linked again.
    pub(crate) fn new(cache: Cache, selection: Selection, place: bool) -> Result<Maker, Stop> {
        let folder = env::current_dir().map_err(|error| {
            Stop::Environment(format!("the current folder is not known: {error}"))
        })?;
        Ok(Maker {
            cache,
            selection,
            place,
            repository: Repository::around(&folder),
            folder,
        })
    }

    /// Builds what is asked for, or finds it in the cache.
    pub(crate) fn make(&self, subject: &Subject) -> Result<Build, Stop> {
        match subject {
            Subject::Revision(name) => self.revision(name),
            Subject::WorkingTree => self.tree(&Variation::default()),
            Subject::With(variation) => self.tree(variation),
            Subject::File(path) => self.file(path),
            Subject::Saved(name) => self.saved(name),
        }
    }

    /// The commit that a name stands for, where there is a repository and the name stands for one.
    pub(crate) fn commit(&self, name: &str) -> Option<String> {
        self.repository.as_ref()?.commit(name)
    }

    fn revision(&self, name: &str) -> Result<Build, Stop> {
        let Some(repository) = &self.repository else {
            let what = format!(
                "{name} cannot be built: {:?} is in no git repository",
                self.folder
            );
            return Err(Stop::Usage(format!(
                "{what}; executables are compared with --bin OLD NEW"
            )));
        };
        let Some(commit) = repository.commit(name) else {
            return Err(Stop::Usage(format!(
                "git knows no revision {name:?}; `git fetch` gets those of others, and `git log \
                 --oneline --all` lists what there is"
            )));
        };
        let plain = Variation::default();
        let toolchain = Toolchain::of(&plain, &self.folder)?;
        let short = commit.get(..SHORT).unwrap_or(&commit);
        let about = About {
            label: match commit.starts_with(name) {
                true => short.to_owned(),
                false => format!("{name} ({short})"),
            },
            commit: Some(commit.clone()),
            toolchain: toolchain.short().to_owned(),
            ..About::default()
        };
        let place = self.cache.repository(&repository.git);
        let _alone = Lock::wait(&lock_of(&place), "this repository")?;
        // Also where it was built before: programs may read files that lie beside them.
        let clone = Clone::at(&place, repository, &commit)?;
        let folder = clone.path().join(&repository.within);
        if !folder.is_dir() {
            let within = repository.within.display();
            return Err(Stop::Usage(format!(
                "{} has no folder {within}; start from the root of the repository",
                about.label
            )));
        }
        let locked = self.lend_lock(repository, clone.path())?;
        let key = self
            .digest(&plain, &toolchain)
            .part(repository.git.to_string_lossy().as_bytes())
            .part(repository.within.to_string_lossy().as_bytes())
            .part(&commit)
            .part(&locked);
        let base = key.clone().key();
        if let Some(build) = self.kept(&base, &about)? {
            return Ok(build);
        }
        say(&format!("building {}\n", about.label));
        let compile = Compile {
            selection: &self.selection,
            variation: &plain,
            toolchain: &toolchain,
            folder: &folder,
            target: Some(place.join("target")),
            elsewhere: true,
        };
        let built = compile
            .targets()
            .map_err(|stop| does_not_build(stop, &about.label))?;
        let targets = ours(built.targets, &about.label)?;
        // What lies outside of the revision may change without it: then the executables tell.
        let outside = built
            .local
            .iter()
            .any(|local| !local.starts_with(clone.path()));
        let key = match outside {
            true => contents(key, &targets)?,
            false => base,
        };
        self.keep(&key, about, &targets, Some(&compile))
    }

    /// The working tree, with the user's own target directory where that does not build everything
    /// anew.
    fn tree(&self, variation: &Variation) -> Result<Build, Stop> {
        let toolchain = Toolchain::of(variation, &self.folder)?;
        let repository = self.repository.as_ref();
        let about = About {
            label: match variation.text.as_str() {
                "" => "working tree".to_owned(),
                text => text.to_owned(),
            },
            commit: repository.and_then(|repository| repository.commit("HEAD")),
            dirty: repository.is_some_and(Repository::dirty),
            flags: variation.text.clone(),
            toolchain: toolchain.short().to_owned(),
            environment: variation.environment.clone(),
        };
        let place = self
            .cache
            .repository(repository.map_or(&self.folder, |repository| &repository.git));
        // Executables of two builds may have one place in the target directory.
        let _alone = Lock::wait(&lock_of(&place), "this repository")?;
        let apart = variation.rebuilds_all();
        say(&format!("building {}\n", about.label));
        let compile = Compile {
            selection: &self.selection,
            variation,
            toolchain: &toolchain,
            folder: &self.folder,
            target: apart.then(|| place.join("variations")),
            elsewhere: false,
        };
        let built = compile
            .targets()
            .map_err(|stop| does_not_build(stop, &about.label))?;
        let targets = ours(built.targets, &about.label)?;
        let key = contents(self.digest(variation, &toolchain), &targets)?;
        self.keep(&key, about, &targets, Some(&compile))
    }

    fn file(&self, path: &Path) -> Result<Build, Stop> {
        let shown = path.display();
        if !path.is_file() {
            return Err(Stop::Usage(format!(
                "{shown} is no file; --bin takes two executables"
            )));
        }
        if kind(path) != Kind::Ours {
            return Err(Stop::Usage(format!(
                "{shown} is no bench target with tourbillon; `cargo bench --no-run` says where \
                 those are"
            )));
        }
        let name = path.file_name().unwrap_or_default();
        let target = Target {
            name: name.to_string_lossy().into_owned(),
            executable: path.to_owned(),
            ..Target::default()
        };
        let about = About {
            label: shown.to_string(),
            ..About::default()
        };
        let targets = [target];
        let key = contents(Digest::new().part("file"), &targets)?;
        self.keep(&key, about, &targets, None)
    }

    fn saved(&self, name: &str) -> Result<Build, Stop> {
        let build = record::read(&self.cache.saved(name), self.place)?;
        build.ok_or_else(|| {
            Stop::Usage(format!(
                "nothing was saved as {name:?}; `cargo tourbillon save --list` shows what was"
            ))
        })
    }

    /// What the executables depend on, whatever they are made of.
    fn digest(&self, variation: &Variation, toolchain: &Toolchain) -> Digest {
        let mut variables: Vec<String> = env::vars_os()
            .map(|(name, value)| (name.to_string_lossy().into_owned(), value))
            .filter(|(name, _)| builds_otherwise(name))
            .map(|(name, value)| format!("{name}={}", value.to_string_lossy()))
            .collect();
        variables.sort();
        let home = configuration::home().map(|home| home.join("config.toml"));
        let configured = home.and_then(|file| fs::read(file).ok());
        Digest::new()
            .part(env!("CARGO_PKG_VERSION"))
            .part([u8::from(self.place)])
            .parts(&variation.parts())
            .parts(&self.selection.for_bench(variation))
            .part(&toolchain.version)
            .parts(&variables)
            .part(configured.unwrap_or_default())
    }

    /// Gives a revision without a Cargo.lock that of the working tree, so that both sides are built
    /// with the same versions of what they depend on. What was given.
    fn lend_lock(&self, repository: &Repository, clone: &Path) -> Result<Vec<u8>, Stop> {
        let around = Path::new(&repository.within).ancestors();
        let file = around
            .map(|folder| folder.join("Cargo.lock"))
            .find(|file| repository.root.join(file).is_file());
        let Some(file) = file.filter(|file| !clone.join(file).exists()) else {
            return Ok(Vec::new());
        };
        let copied = fs::read(repository.root.join(&file)).and_then(|bytes| {
            fs::write(clone.join(&file), &bytes)?;
            Ok(bytes)
        });
        copied.map_err(|error| Stop::Environment(format!("{file:?} cannot be copied: {error}")))
    }

    /// What was kept under a key, as what it is called now.
    fn kept(&self, key: &Key, about: &About) -> Result<Option<Build>, Stop> {
        let build = record::read(&self.cache.build(key), self.place)?;
        Ok(build.map(|build| Build {
            label: about.label.clone(),
            commit: about.commit.clone(),
            dirty: about.dirty,
            flags: about.flags.clone(),
            ..build
        }))
    }

    /// Keeps executables under a key, unless they are kept already.
    fn keep(
        &self,
        key: &Key,
        about: About,
        targets: &[Target],
        compile: Option<&Compile<'_>>,
    ) -> Result<Build, Stop> {
        if let Some(build) = self.kept(key, &about)? {
            return Ok(build);
        }
        let name = format!("{UNFINISHED}{}-{}", std::process::id(), key.as_str());
        let unfinished = self.cache.builds().join(name);
        // Held for as long as it is being made, so that it is told from what was left behind.
        let mut hold = Lock::share(&unfinished.join(USED))?;
        let kept = self.fill(&unfinished, about.clone(), targets, compile);
        if cfg!(windows) {
            // There, a folder with open files stays where it is.
            hold = None;
        }
        let moved = kept.and_then(|()| {
            let folder = self.cache.build(key);
            // One that this program does not understand, or that is damaged.
            let _ = fs::remove_dir_all(&folder);
            fs::rename(&unfinished, &folder).map_err(|error| {
                Stop::Environment(format!("{folder:?} cannot be written: {error}"))
            })
        });
        if moved.is_err() {
            let _ = fs::remove_dir_all(&unfinished);
        }
        moved?;
        drop(hold);
        self.kept(key, &about)?.ok_or_else(|| {
            let what = format!("{:?} went away", self.cache.build(key));
            Stop::Environment(format!("{what}; try again"))
        })
    }

    fn fill(
        &self,
        folder: &Path,
        about: About,
        targets: &[Target],
        compile: Option<&Compile<'_>>,
    ) -> Result<(), Stop> {
        let mut executables = Vec::new();
        for (number, target) in targets.iter().enumerate() {
            let own = folder.join(number.to_string());
            create(&own)?;
            let path = own.join(&target.name);
            fs::copy(&target.executable, &path).map_err(|error| {
                Stop::Environment(format!("{:?} cannot be copied: {error}", target.executable))
            })?;
            let Some(hello) = greet(&path, &about.environment) else {
                let name = &target.name;
                let what = format!("{name} of {} does not start as a worker", about.label);
                return Err(Stop::Environment(format!(
                    "{what}; its main has to begin with tourbillon::main()"
                )));
            };
            if let Some(compile) = compile.filter(|_| self.place) {
                compile.objects(target, &own.join(OBJECTS))?;
            }
            executables.push(Executable {
                package: target.package.clone(),
                target: target.name.clone(),
                path,
                home: (!target.package.is_empty()).then(|| target.folder.clone()),
                engine: hello.engine,
                protocol: hello.protocol,
                placements: Err(Fixed::NotAsked),
            });
        }
        record::write(&Build {
            label: about.label,
            commit: about.commit,
            dirty: about.dirty,
            flags: about.flags,
            toolchain: about.toolchain,
            environment: about.environment,
            built_unix_ns: unix_ns(),
            executables,
            folder: folder.to_owned(),
            hold: None,
        })
    }
}

/// Whether cargo or the compiler may build something else with another value of a variable.
fn builds_otherwise(name: &str) -> bool {
    let prefixes = [
        "CARGO_PROFILE_",
        "CARGO_BUILD_",
        "CARGO_TARGET_",
        "CARGO_ENCODED_",
    ];
    let target_directory = [
        "CARGO_TARGET_DIR",
        "CARGO_BUILD_TARGET_DIR",
        "CARGO_TARGET_TMPDIR",
    ];
    let alone = ["RUSTFLAGS", "RUSTC", "RUSTC_WRAPPER", "RUSTC_BOOTSTRAP"];
    alone.contains(&name)
        || prefixes.iter().any(|prefix| name.starts_with(prefix))
            && !target_directory.contains(&name)
}

/// Adds what is in the executables.
fn contents(mut digest: Digest, targets: &[Target]) -> Result<Key, Stop> {
    for target in targets {
        let path = &target.executable;
        digest = digest
            .part(&target.package)
            .part(&target.name)
            .file(path)
            .map_err(|error| Stop::Environment(format!("{path:?} cannot be read: {error}")))?;
    }
    Ok(digest.key())
}

/// Says which side cargo's errors are about.
fn does_not_build(stop: Stop, label: &str) -> Stop {
    if matches!(stop, Stop::Code(_)) {
        say(&format!(
            "error: {label} does not build; what is above is cargo's word on it\n"
        ));
    }
    stop
}

/// The bench targets that can be measured; there is at least one.
fn ours(targets: Vec<Target>, label: &str) -> Result<Vec<Target>, Stop> {
    let mut found = Vec::new();
    let mut foreign = Vec::new();
    for target in targets {
        match kind(&target.executable) {
            Kind::Ours => found.push(target),
            Kind::Forgotten => {
                return Err(Stop::Usage(format!("{label}: {}", target.forgotten())));
            }
            Kind::Foreign => foreign.push(target.name),
        }
    }
    if found.is_empty() {
        return Err(Stop::Usage(nothing_of_ours(label, &foreign)));
    }
    Ok(found)
}

fn nothing_of_ours(label: &str, foreign: &[String]) -> String {
    let without = match foreign {
        [] => "has no bench target".to_owned(),
        [one] => format!("has a bench target {one}, which does not use tourbillon"),
        several => format!(
            "has bench targets {}, which do not use tourbillon",
            several.join(", ")
        ),
    };
    format!(
        "{label} {without}; compare with a revision that has benchmarks, or bring them onto it with \
         `git worktree add` and `git checkout REV -- FILES`"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_change_the_build_are_in_the_key() {
        for (name, expected) in [
            ("RUSTFLAGS", true),
            ("CARGO_PROFILE_BENCH_LTO", true),
            ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER", true),
            ("CARGO_TARGET_DIR", false),
            ("CARGO_BUILD_TARGET_DIR", false),
            ("HOME", false),
            ("CARGO", false),
        ] {
            assert_eq!(builds_otherwise(name), expected, "{name}");
        }
    }

    #[test]
    fn a_revision_without_benchmarks_is_told() {
        let text = nothing_of_ours("v1 (1a2b3c4)", &["old".to_owned()]);
        assert!(text.starts_with("v1 (1a2b3c4) has a bench target old, which does not use"));
        assert!(nothing_of_ours("v1", &[]).contains("has no bench target;"));
    }
}
