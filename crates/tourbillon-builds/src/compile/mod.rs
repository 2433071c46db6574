//! Runs cargo for one side of a comparison.

pub(crate) mod build_error;
pub(crate) mod cargo;
pub(crate) mod configuration;
pub(crate) mod configured_paths;
pub(crate) mod manifests;
pub(crate) mod manifests_elsewhere;
pub(crate) mod named_files;
pub(crate) mod program_variables;
pub(crate) mod shared_libraries;
pub(crate) mod sources;
pub(crate) mod surroundings;
pub(crate) mod target_directory;
pub(crate) mod targets;
pub(crate) mod terminal;
pub(crate) mod toolchain_file;
pub(crate) mod units;
pub(crate) mod whole_path;

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};

use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use crate::cache::lock::UsersLock;
use crate::compile::cargo::{Toolchain, add_rustflags};
use crate::compile::targets::{
    Built, Target, build_noting, build_silently, dependencies, messages,
};
use crate::compile::units::Units;
use crate::error::{Result, refused};
use crate::invocation::{Flag, Invocation};
use crate::placement::kept_inputs::keep_objects;
use crate::placement::link_line::{LinkLine, Unfit};
use crate::placement::relink::remove_leftovers;
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
    /// What the bench targets consist of, once they are built.
    pub(crate) units: OnceCell<Units>,
}

impl Compile<'_> {
    /// Builds the selected bench targets.
    pub(crate) fn targets(&self) -> Result<Built> {
        let flags = self.for_targets();
        let lock = self.users_lock.map(UsersLock::note_of_cargo);
        let sysroot = || Some(self.toolchain.sysroot().to_owned());
        let built = build_noting(&|| self.cargo(), &flags, &sysroot, move || {
            lock.into_iter().for_each(|note| note())
        })?;
        self.units.get_or_init(|| built.units.clone());
        Ok(built)
    }

    /// The same once more, and cargo says nothing; `None` where they do not build now.
    pub(crate) fn targets_again(&self) -> Option<Built> {
        let sysroot = || Some(self.toolchain.sysroot().to_owned());
        build_silently(&|| self.cargo(), &self.for_targets(), &sysroot)
    }

    fn for_targets(&self) -> Vec<Flag> {
        let flags = self.selection.for_bench(self.variation).into_iter();
        flags.chain(self.target_directory()).collect()
    }

    /// Compiles a bench target again and keeps what it is linked from in `kept`. Its dependencies
    /// are built already, in these target directories.
    ///
    /// Keeps nothing when the compiler does not print how it links.
    pub(crate) fn objects(&self, target: &Target, built_in: &[PathBuf], kept: &Path) -> Result<()> {
        let names = [target.specification.as_str(), &target.name];
        let dependencies = dependencies(self.cargo(), &target.specification)?;
        let has_feature = |feature: &str| target.has_feature(feature, &dependencies);
        let flags = self.selection.for_rustc(self.variation, names, has_feature);
        let mut cargo = self.cargo();
        cargo
            .words(&["rustc"])
            .flags(&flags)
            .flags(&self.target_directory());
        fs::create_dir_all(kept).map_err(|error| refused(kept, "created", &error))?;
        let shown = kept.join("shown");
        let of_rustc = [
            Flag::switch("-Csave-temps"),
            Flag::new("--print=link-args=", &shown),
        ];
        let built = messages(cargo, &of_rustc, || ())?;
        let text = regular_file::read_text(&shown, DESCRIPTION_BYTES).unwrap_or_default();
        let _ = fs::remove_file(&shown);
        let again = built.targets.iter().find(|built| built.name == target.name);
        let (Some(again), Some(line)) = (again, LinkLine::parse(&text)) else {
            return Ok(());
        };
        // Of one package alone cargo may select other features than of all. The words for rustc change the executable's name.
        let units = self.units.get();
        let are_same = units.is_some_and(|units| built.units.are_in(units, &again.executable));
        let is_same = are_same && again.features == target.features;
        // target/release/deps/sort-123: the folder of the profile.
        let profile = again.executable.ancestors().nth(2);
        let targets = built_in.iter().map(PathBuf::as_path).chain(profile);
        let shared = SharedFolders::new(
            targets.chain([self.checkout]),
            self.toolchain.sysroot(),
            self.root,
        );
        let kept_line = if is_same {
            line.clone()
        } else {
            LinkLine {
                unfit: Some(Unfit::OtherFeatures),
                ..LinkLine::default()
            }
        };
        let done = keep_objects(kept_line, &shared, kept);
        remove_leftovers(&again.executable, &line);
        done.map_err(|error| refused(kept, "written", &error))
    }

    fn cargo(&self) -> Invocation {
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
        if let Some(target) = &self.target {
            // Overrides a build directory in the configuration.
            cargo.process().env("CARGO_BUILD_BUILD_DIR", target);
        }
        add_rustflags(&mut cargo, &self.variation.rustflags, self.folder);
        cargo
    }

    fn target_directory(&self) -> Option<Flag> {
        let folder = self.target.as_ref();
        folder.map(|folder| Flag::new("--target-dir=", folder))
    }
}
