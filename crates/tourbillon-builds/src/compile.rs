//! Having cargo build one side.

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
    /// Where cargo is started.
    pub folder: &'a Path,
    /// A target directory that is not the user's.
    pub target: Option<PathBuf>,
    /// Whether the folder is in a clone.
    pub elsewhere: bool,
}

impl Compile<'_> {
    /// Builds the bench targets that are selected.
    pub fn targets(&self) -> Result<Built, Stop> {
        let mut words = self.selection.for_bench(self.variation);
        words.extend(self.target_directory());
        build(self.cargo(), &words)
    }

    /// Compiles a bench target once more, in a way that keeps what it is linked from, and keeps that
    /// in `kept`. Everything it depends on is there already.
    ///
    /// `false` when the compiler did not show how it links.
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
        let behind = [
            "-Csave-temps".to_owned(),
            format!("--print=link-args={}", shown.display()),
        ];
        let built = messages(self.cargo(), &words, &behind)?;
        let text = fs::read_to_string(&shown).unwrap_or_default();
        let _ = fs::remove_file(&shown);
        let Some(again) = built.targets.iter().find(|built| built.name == *name) else {
            return Ok(false);
        };
        let Some(mut line) = LinkLine::parse(&text) else {
            return Ok(false);
        };
        let raw = line.clone();
        // target/release/deps/sort-123: what is built for one profile.
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
            // Code that is compiled in parts to be patched is other code.
            .env("CARGO_INCREMENTAL", "0")
            .envs(
                self.variation
                    .environment
                    .iter()
                    .map(|(name, value)| (name, value)),
            );
        if let Some(target) = &self.target {
            // Wherever the configuration puts what lies between: it is for this directory alone.
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
