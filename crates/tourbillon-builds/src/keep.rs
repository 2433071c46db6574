//! Stores executables in the cache.

use std::fs;
use std::path::Path;

use tourbillon_clock::wall::unix_ns;

use super::build::{Build, Executable};
use super::cache::{Cache, create, refused};
use super::compile::Compile;
use super::handshake::handshake;
use super::key::Key;
use super::not_relinkable::NotRelinkable;
use super::record::{self, FILE, OBJECTS, fingerprint};
use super::unfinished::Unfinished;
use crate::targets::Target;
use crate::{Stop, say};

/// What is known of a build before it is made.
#[derive(Clone, Debug, Default)]
pub struct About {
    pub label: String,
    pub commit: Option<String>,
    pub dirty: bool,
    pub flags: String,
    pub toolchain: String,
    pub environment: Vec<(String, String)>,
}

/// Where executables are stored, and how.
#[derive(Clone, Debug)]
pub struct Keeper {
    pub cache: Cache,
    /// Whether what executables are linked from is kept, too.
    pub place: bool,
}

impl Keeper {
    /// The build that is stored under a key, with its current label.
    pub fn kept(&self, key: &Key, about: &About) -> Result<Option<Build>, Stop> {
        let folder = self.cache.build(key);
        let mut build = record::read(&folder, self.place)?;
        if let Some(path) = build.as_ref().and_then(Build::damaged) {
            let label = &about.label;
            say(&format!(
                "{path:?} is damaged in the cache; {label} is built again\n"
            ));
            // Without this file the folder is not a build.
            let _ = fs::remove_file(folder.join(FILE));
            build = None;
        }
        Ok(build.map(|build| Build {
            label: about.label.clone(),
            commit: about.commit.clone(),
            dirty: about.dirty,
            flags: about.flags.clone(),
            ..build
        }))
    }

    /// Stores executables under a key, unless they are stored already.
    pub fn keep(
        &self,
        key: &Key,
        about: About,
        targets: &[Target],
        compile: Option<&Compile<'_>>,
    ) -> Result<Build, Stop> {
        if let Some(build) = self.kept(key, &about)? {
            return Ok(build);
        }
        let unfinished = Unfinished::new(&self.cache, key.as_str())?;
        self.fill(unfinished.path(), about.clone(), targets, compile)?;
        // Another program may have stored the same in the meantime.
        if let Some(build) = self.kept(key, &about)? {
            return Ok(build);
        }
        let folder = self.cache.build(key);
        // One of another version, or a damaged one.
        let _ = fs::remove_dir_all(&folder);
        unfinished.finish(&folder)?;
        self.kept(key, &about)?.ok_or_else(|| {
            let folder = self.cache.build(key);
            Stop::Environment(format!("{folder:?} was removed meanwhile; try again"))
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
            fs::copy(&target.executable, &path)
                .map_err(|error| refused(&path, "written", &error))?;
            let Some(hello) = handshake(&path, &about.environment) else {
                let name = &target.name;
                let what = format!("{name} of {} does not start as a worker", about.label);
                return Err(Stop::Environment(format!(
                    "{what}; its main must begin with tourbillon::main()"
                )));
            };
            if let Some(compile) = compile.filter(|_| self.place) {
                compile.objects(target, &own.join(OBJECTS))?;
            }
            let of_folder = fingerprint(&own).map_err(|error| refused(&own, "read", &error))?;
            executables.push(Executable {
                fingerprint: of_folder,
                package: target.package.clone(),
                target: target.name.clone(),
                path,
                home: (!target.package.is_empty()).then(|| target.folder.clone()),
                engine: hello.engine,
                protocol: hello.protocol,
                placements: Err(NotRelinkable::NotAsked),
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
