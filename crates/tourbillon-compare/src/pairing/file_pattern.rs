//! Files that no benchmark reads.

use std::path::Path;
use std::str::FromStr;

use glob::{MatchOptions, Pattern};

/// What is documentation, or for tools, unless the command line or `tourbillon.toml` names something else. Markdown in
/// other folders may be what a benchmark reads.
const USUAL: [&str; 24] = [
    "README*",
    "CHANGELOG*",
    "LICENSE*",
    "COPYING*",
    "NOTICE*",
    "AUTHORS*",
    "CODEOWNERS",
    "/*.md",
    "/doc/**",
    "/docs/**",
    "/.github/**",
    "/.gitlab/**",
    "/.gitlab-ci.yml",
    "/.circleci/**",
    "/.vscode/**",
    "/.devcontainer/**",
    "/tests/*.rs",
    "/examples/*.rs",
    "/renovate.json",
    ".gitignore",
    ".editorconfig",
    "rustfmt.toml",
    "clippy.toml",
    "deny.toml",
];

/// `*` is within a name, `**` any number of folders.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// A pattern of files, as in `.gitignore`: with a slash, of their paths from the root of the checkout; else of their
/// names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePattern {
    pattern: Pattern,
    is_of_path: bool,
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPattern(String);

impl FromStr for FilePattern {
    type Err = NoPattern;

    fn from_str(text: &str) -> Result<FilePattern, NoPattern> {
        let path = text.strip_prefix('/').unwrap_or(text);
        let pattern = Pattern::new(path).map_err(|error| NoPattern(error.to_string()))?;
        Ok(FilePattern {
            pattern,
            is_of_path: text.contains('/'),
        })
    }
}

impl std::fmt::Display for NoPattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoPattern {}

impl FilePattern {
    fn selects(&self, file: &Path) -> bool {
        let name = file.file_name().map(Path::new).filter(|_| !self.is_of_path);
        self.pattern
            .matches_path_with(name.unwrap_or(file), OPTIONS)
    }
}

/// Whether no benchmark reads a file, by these patterns or, without any, by the usual ones.
pub(crate) fn is_documentation(file: &Path, patterns: &[FilePattern]) -> bool {
    if patterns.is_empty() {
        let mut usual = USUAL
            .iter()
            .filter_map(|text| text.parse::<FilePattern>().ok());
        return usual.any(|pattern| pattern.selects(file));
    }
    patterns.iter().any(|pattern| pattern.selects(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_is_no_data() {
        for (file, expected) in [
            ("README.md", true),
            ("crates/a/README.md", true),
            ("CONTRIBUTING.md", true),
            ("docs/a/b.png", true),
            (".github/workflows/ci.yml", true),
            ("crates/a/.gitignore", true),
            ("benches/data/input.md", false),
            ("crates/a/docs/b.png", false),
            ("data.txt", false),
            ("src/lib.rs", false),
        ] {
            assert_eq!(is_documentation(Path::new(file), &[]), expected, "{file}");
        }
    }

    #[test]
    fn own_patterns_take_the_place_of_the_usual_ones() {
        let own: Vec<FilePattern> = ["notes/**", "*.txt"]
            .iter()
            .map(|text| text.parse().expect("a pattern"))
            .collect();
        for (file, expected) in [("notes/a/b", true), ("a/b.txt", true), ("README.md", false)] {
            assert_eq!(is_documentation(Path::new(file), &own), expected, "{file}");
        }
        assert!("a/**b".parse::<FilePattern>().is_err());
    }

    #[test]
    fn the_page_has_the_usual_ones() {
        let page = include_str!("../../../../docs/reference/settings.md");
        for pattern in USUAL {
            assert!(pattern.parse::<FilePattern>().is_ok(), "{pattern}");
            assert!(page.contains(&format!("`{pattern}`")), "{pattern}");
        }
    }
}
