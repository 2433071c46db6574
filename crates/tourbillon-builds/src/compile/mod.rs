//! Runs cargo for one side of a comparison.

pub(crate) mod aside;
pub(crate) mod build_error;
pub(crate) mod cargo;
pub(crate) mod cargo_runner;
pub(crate) mod configuration;
pub(crate) mod configured_paths;
pub(crate) mod manifests;
pub(crate) mod manifests_elsewhere;
pub(crate) mod named_files;
pub(crate) mod program_variables;
pub(crate) mod rustc_wrapper;
pub(crate) mod shared_libraries;
pub(crate) mod sources;
pub(crate) mod surroundings;
pub(crate) mod target_directory;
pub(crate) mod targets;
pub(crate) mod terminal;
pub(crate) mod toolchain_file;
pub(crate) mod units;
pub(crate) mod way_of_others;
pub(crate) mod whole_path;

use std::io;
use std::path::{Path, PathBuf};

use crate::cache::build::OBJECTS;
use crate::cache::lock::UsersLock;
use crate::compile::aside::Aside;
use crate::compile::cargo::{Toolchain, add_rustflags};
use crate::compile::rustc_wrapper::LinkLines;
use crate::compile::targets::{Built, Target, build_noting, build_silently};
use crate::error::{Result, refused};
use crate::invocation::{Flag, Invocation};
use crate::placement::kept_inputs::keep_objects;
use crate::placement::shared_folders::SharedFolders;
use crate::source::subject::{Selection, Variation};

/// How cargo is called for one side.
#[derive(Debug)]
pub(crate) struct Compile<'a> {
    pub(crate) selection: &'a Selection,
    pub(crate) variation: &'a Variation,
    pub(crate) toolchain: &'a Toolchain,
    /// The folder that cargo is started in.
    pub(crate) folder: &'a Path,
    /// The folder of its workspace.
    pub(crate) root: &'a Path,
    /// The checkout that the workspace is in.
    pub(crate) checkout: &'a Path,
    /// A target directory other than the user's.
    pub(crate) target: Option<PathBuf>,
    /// Whether the folder is in a clone.
    pub(crate) elsewhere: bool,
    /// What holds the `Cargo.lock` of the user's checkout.
    pub(crate) users_lock: Option<&'a UsersLock>,
}

impl Compile<'_> {
    /// Builds the selected bench targets.
    pub(crate) fn targets(&self) -> Result<Built> {
        let lock = self.users_lock.map(UsersLock::note_of_cargo);
        let (_, flags) = self.call();
        build_noting(&|| self.call().0, &flags, &|| self.sysroot(), move || {
            lock.into_iter().for_each(|note| note())
        })
    }

    /// The same once more, and cargo says nothing; `None` where they do not build now.
    pub(crate) fn targets_again(&self) -> Option<Built> {
        let (_, flags) = self.call();
        build_silently(&|| self.call().0, &flags, &|| self.sysroot())
    }

    fn sysroot(&self) -> Option<PathBuf> {
        Some(self.toolchain.sysroot().to_owned())
    }

    /// Compiles bench targets again and keeps what each is linked from, in the folder that has a copy of it. They were
    /// built, in these target directories, by the same call: cargo compiles what is missing, with the same features.
    ///
    /// Keeps nothing when the compiler does not print how it links.
    pub(crate) fn objects(
        &self,
        targets: &[(&Target, PathBuf)],
        built_in: &[PathBuf],
    ) -> Result<()> {
        let Some(kept) = targets.first().and_then(|(_, own)| own.parent()) else {
            return Ok(());
        };
        let not_kept = |error: io::Error| refused(kept, "written", &error);
        let executables = || {
            targets
                .iter()
                .map(|(target, _)| target.executable.as_path())
        };
        let lines = LinkLines::of(executables(), kept).map_err(not_kept)?;
        let (mut cargo, mut flags) = self.call();
        lines.wrap(&mut cargo, &mut flags, self.folder)?;
        let _asides: Vec<Aside> = executables().map(Aside::put).collect();
        targets::compile(cargo, &flags, || ())?;
        for (target, own) in targets {
            let Some(line) = lines.read(&target.executable) else {
                continue;
            };
            // target/release/deps/sort-123: the folder of the profile.
            let profile = target.executable.ancestors().nth(2);
            let folders = built_in.iter().map(PathBuf::as_path).chain(profile);
            let shared = SharedFolders::new(
                folders.chain([self.checkout]),
                self.toolchain.sysroot(),
                self.root,
            );
            keep_objects(line, &shared, &own.join(OBJECTS)).map_err(not_kept)?;
        }
        Ok(())
    }

    /// Cargo, and the flags of `cargo bench --no-run`.
    fn call(&self) -> (Invocation, Vec<Flag>) {
        let mut cargo = if self.elsewhere {
            self.toolchain.cargo_elsewhere()
        } else {
            self.toolchain.cargo()
        };
        cargo
            .process()
            .current_dir(self.folder)
            // Incremental compilation generates other code.
            .env("CARGO_INCREMENTAL", "0")
            .envs(self.variation.environment.iter().cloned());
        let mut flags = self.selection.for_bench(self.variation);
        if let Some(target) = &self.target {
            // Overrides a build directory in the configuration.
            cargo.process().env("CARGO_BUILD_BUILD_DIR", target);
            flags.push(Flag::new("--target-dir=", target));
        }
        flags.extend(add_rustflags(
            &mut cargo,
            &self.variation.rustflags,
            self.folder,
        ));
        (cargo, flags)
    }
}
