//! What is built, and which part of it.

use std::path::PathBuf;

use super::variation::Variation;

/// The origin of a build.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A revision of the repository, by any name that git knows.
    Revision(String),
    /// The files as they are now.
    WorkingTree,
    /// The files as they are now, built in another way.
    With(Variation),
    /// An executable.
    File(PathBuf),
    /// A build that was saved under a name.
    Saved(String),
}

/// Which bench targets are built, with which flags of cargo; the same for all sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Specifications of packages.
    pub packages: Vec<String>,
    /// Names of bench targets.
    pub benches: Vec<String>,
    /// Flags of cargo about features and packages.
    pub flags: Vec<String>,
    /// A profile other than `bench`.
    pub profile: Option<String>,
}

impl Selection {
    /// For `cargo bench --no-run`.
    pub fn for_bench(&self, variation: &Variation) -> Vec<String> {
        let mut words = self.common(variation);
        for package in &self.packages {
            words.extend(["-p".to_owned(), package.clone()]);
        }
        if self.benches.is_empty() {
            // Without it cargo would build the tests of libraries and binaries, too.
            words.push("--benches".to_owned());
        }
        for bench in &self.benches {
            words.extend(["--bench".to_owned(), bench.clone()]);
        }
        words
    }

    /// For `cargo rustc` of one bench target.
    pub fn for_rustc(
        &self,
        variation: &Variation,
        specification: &str,
        bench: &str,
    ) -> Vec<String> {
        let mut words = self.common(variation);
        words.extend(["-p", specification, "--bench", bench].map(str::to_owned));
        words
    }

    fn common(&self, variation: &Variation) -> Vec<String> {
        let mut words = self.flags.clone();
        if let Some(features) = &variation.features {
            words.extend(["--features".to_owned(), features.clone()]);
        }
        let profile = variation.profile.as_ref().or(self.profile.as_ref());
        let profile = profile.map_or("bench", String::as_str);
        words.extend(["--profile", profile].map(str::to_owned));
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_builds_get_the_same_flags() {
        let selection = Selection {
            packages: vec!["a".to_owned()],
            benches: vec!["sort".to_owned()],
            flags: vec!["--offline".to_owned()],
            profile: Some("slow".to_owned()),
        };
        let plain = Variation::default();
        assert_eq!(
            selection.for_bench(&plain).join(" "),
            "--offline --profile slow -p a --bench sort"
        );
        let with = Variation::parse("features=x; profile=fast").expect("settings");
        assert_eq!(
            selection
                .for_rustc(&with, "path+file:///a#1.0.0", "sort")
                .join(" "),
            "--offline --features x --profile fast -p path+file:///a#1.0.0 --bench sort"
        );
        assert_eq!(
            Selection::default().for_bench(&plain).join(" "),
            "--profile bench --benches"
        );
    }
}
