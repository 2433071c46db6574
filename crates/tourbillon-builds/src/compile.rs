//! Runs cargo for one side of a comparison.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::cache::{create, refused};
use super::configuration;
use super::link_line::LinkLine;
use super::objects;
use super::subject::Selection;
use super::toolchain::Toolchain;
use super::variation::Variation;
use crate::Stop;
use crate::targets::{Built, Target, build, messages};

/// How cargo is called for one side.
#[derive(Debug)]
pub struct Compile<'a> {
    pub selection: &'a Selection,
    pub variation: &'a Variation,
    pub toolchain: &'a Toolchain,
    /// The folder that cargo is started in.
    pub folder: &'a Path,
    /// A target directory other than the user's.
    pub target: Option<PathBuf>,
    /// Whether the folder is in a clone.
    pub elsewhere: bool,
}

impl Compile<'_> {
    /// Builds the selected bench targets.
    pub fn targets(&self) -> Result<Built, Stop> {
        let mut words = self.selection.for_bench(self.variation);
        words.extend(self.target_directory());
        build(self.cargo(), &words)
    }

    /// Compiles a bench target again and keeps what it is linked from in `kept`. Its dependencies
    /// are built already.
    ///
    /// `false` when the compiler did not print how it links.
    pub fn objects(&self, target: &Target, kept: &Path) -> Result<bool, Stop> {
        let (specification, name) = (&target.specification, &target.name);
        let mut words = vec!["rustc".to_owned()];
        words.extend(
            self.selection
                .for_rustc(self.variation, specification, name),
        );
        words.extend(self.target_directory());
        create(kept)?;
        let shown = kept.join("shown");
        let rustc_args = [
            "-Csave-temps".to_owned(),
            format!("--print=link-args={}", shown.display()),
        ];
        let built = messages(self.cargo(), &words, &rustc_args)?;
        let text = fs::read_to_string(&shown).unwrap_or_default();
        let _ = fs::remove_file(&shown);
        let Some(again) = built.targets.iter().find(|built| built.name == *name) else {
            return Ok(false);
        };
        let Some(mut line) = LinkLine::parse(&text) else {
            return Ok(false);
        };
        let raw = line.clone();
        // target/release/deps/sort-123: the folder of the profile.
        let own = again.executable.ancestors().nth(2).unwrap_or(kept);
        let done = objects::keep(&mut line, own, kept);
        objects::tidy(&again.executable, &raw);
        done.map_err(|error| refused(kept, "written", &error))?;
        Ok(true)
    }

    fn cargo(&self) -> Command {
        let mut cargo = match self.elsewhere {
            true => self.toolchain.cargo_elsewhere(),
            false => self.toolchain.cargo(),
        };
        cargo
            .current_dir(self.folder)
            // Incremental compilation generates other code.
            .env("CARGO_INCREMENTAL", "0")
            .envs(
                self.variation
                    .environment
                    .iter()
                    .map(|(name, value)| (name, value)),
            );
        if let Some(target) = &self.target {
            // Overrides a build directory in the configuration.
            cargo.env("CARGO_BUILD_BUILD_DIR", target);
        }
        configuration::add(&mut cargo, &self.variation.rustflags, self.folder);
        cargo
    }

    fn target_directory(&self) -> Vec<String> {
        let folder = self.target.iter();
        folder
            .flat_map(|folder| ["--target-dir".to_owned(), folder.display().to_string()])
            .collect()
    }
}
