//! Files that no benchmark reads.

use std::ffi::OsStr;
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

/// Of one name, in which no separator is.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: false,
    require_literal_leading_dot: false,
};

/// A pattern of files, as in `.gitignore`: with a slash, of their paths from the root of the checkout; else of their
/// names. `*` is within a name, `**` any number of folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePattern {
    parts: Vec<Part>,
    is_of_path: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// Any number of folders; as the last part, all that is below one.
    Folders,
    Name(Pattern),
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPattern(String);

impl FromStr for FilePattern {
    type Err = NoPattern;

    fn from_str(text: &str) -> Result<FilePattern, NoPattern> {
        let of =
            |pattern: &str| Pattern::new(pattern).map_err(|error| NoPattern(error.to_string()));
        let path = text.strip_prefix('/').unwrap_or(text);
        // `**` beside something else is a mistake.
        of(path)?;
        let part = |part: &str| match part {
            "**" => Ok(Part::Folders),
            name => of(name).map(Part::Name),
        };
        Ok(FilePattern {
            parts: path.split('/').map(part).collect::<Result<_, _>>()?,
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
        let names: Option<Vec<&str>> = name.unwrap_or(file).iter().map(OsStr::to_str).collect();
        names.is_some_and(|names| self.matches(&names))
    }

    /// Part by part, with all numbers of names that those before can have: one after the other would take a time that
    /// grows with the power of the number of `*`.
    fn matches(&self, names: &[&str]) -> bool {
        let mut ends = vec![false; names.len() + 1];
        ends[0] = true;
        for (at, part) in self.parts.iter().enumerate() {
            let mut next = vec![false; ends.len()];
            match part {
                Part::Folders => {
                    let is_last = at + 1 == self.parts.len();
                    let first = ends.iter().position(|is_end| *is_end);
                    let from = first.map_or(ends.len(), |first| first + usize::from(is_last));
                    next.iter_mut().skip(from).for_each(|is_end| *is_end = true);
                }
                Part::Name(pattern) => {
                    for (at, name) in names.iter().enumerate() {
                        next[at + 1] = ends[at] && pattern.matches_with(name, OPTIONS);
                    }
                }
            }
            ends = next;
        }
        ends[names.len()]
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
    fn folders_are_any_number_and_stars_are_within_a_name() {
        for (pattern, file, expected) in [
            ("docs/**", "docs/a", true),
            ("docs/**", "docs", false),
            ("/docs/*", "docs/a/b", false),
            ("**/a/*.txt", "a/b.txt", true),
            ("**/a/*.txt", "x/y/a/b.txt", true),
            ("x/**/**/b", "x/b", true),
            ("x/**/**/b", "x/y/z/b", true),
            ("x/**/b/**", "x/b", false),
            ("a?[bc]/d", "a/b/d", false),
            ("**", "a/b", true),
            ("/a", "b/a", false),
            ("a/", "a", false),
        ] {
            let parsed: FilePattern = pattern.parse().expect("a pattern");
            assert_eq!(
                parsed.selects(Path::new(file)),
                expected,
                "{pattern} {file}"
            );
        }
    }

    #[test]
    fn many_stars_take_no_longer() {
        let stars = "*a".repeat(60);
        let name = "a".repeat(200);
        for (pattern, file, expected) in [
            (format!("{stars}b/x"), format!("{name}/x"), false),
            (format!("{stars}/x"), format!("{name}/x"), true),
            (format!("{stars}b"), name.clone(), false),
            (
                format!("{}b", "**/a/".repeat(60)),
                "a/".repeat(200) + "c",
                false,
            ),
        ] {
            let pattern: FilePattern = pattern.parse().expect("a pattern");
            assert_eq!(pattern.selects(Path::new(&file)), expected, "{file}");
        }
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
