//! A function that an instruction belongs to, and where it is in the sources.

use std::path::{Path, PathBuf};

/// A function, inlined or not, at an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Its name as debug information has it, else that of the symbol.
    pub(crate) function: String,
    /// The name of the code, which a function that is inlined there has not.
    pub(crate) symbol: Option<String>,
    /// The source file as the compiler names it.
    pub(crate) path: Option<PathBuf>,
    /// The same for people.
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    /// The file in which the function begins; that of the line for one that is inlined.
    pub(crate) home: Option<String>,
}

/// The frame that instructions count for: the innermost one, and in place of an inlined function of the standard library
/// the one that it is inlined into. `next`, `eq` and `wrapping_mul` tell no reader what a loop does.
pub(crate) fn counted(frames: &[Frame]) -> Option<&Frame> {
    frames.iter().find(|frame| frame.counts()).or(frames.last())
}

impl Frame {
    pub(crate) fn is_inlined(&self) -> bool {
        self.symbol.is_none()
    }

    /// Whether it is of the standard library, or of a library in that.
    pub(crate) fn is_of_std(&self) -> bool {
        let path = self.path.as_deref().and_then(Path::to_str);
        path.is_some_and(|path| within_std(path).is_some() || path.starts_with(DEPENDENCIES))
    }

    /// Whether it is no inlined function of the standard library.
    pub(crate) fn counts(&self) -> bool {
        !(self.is_inlined() && self.is_of_std())
    }

    /// The name that it has inlined and not. Line tables name functions without their modules: the file stands for these.
    pub(crate) fn key(&self) -> String {
        let before_types = self.function.split('<').next().unwrap_or_default();
        let has_modules = before_types.is_empty() || before_types.contains("::");
        match &self.home {
            Some(file) if !has_modules => format!("{} ({file})", self.function),
            _ => self.function.clone(),
        }
    }

    /// The name for people.
    pub(crate) fn title(&self) -> String {
        self.symbol.clone().unwrap_or_else(|| self.key())
    }

    /// `src/lib.rs:7`; `None` where it is not known.
    pub(crate) fn place(&self) -> Option<String> {
        let (file, line) = (self.file.as_ref()?, self.line?);
        // The compiler's own code has line 0.
        (line > 0).then(|| format!("{file}:{line}"))
    }
}

/// The folder of the libraries that the standard library was built with.
const DEPENDENCIES: &str = "/rust/deps/";

/// The path within the standard library: `/rustc/HASH/library/core/src/..`, `lib/rustlib/src/rust/library/core/src/..`.
fn within_std(path: &str) -> Option<&str> {
    let (before, within) = path.split_once("/library/")?;
    let is_of_std = before.starts_with("/rustc/") || before.ends_with("/rustlib/src/rust");
    is_of_std.then_some(within)
}

/// A path for people: from the root of the checkout, of the package, or of the standard library.
pub(crate) fn short_path(path: &str, root: Option<&Path>) -> String {
    if let Some(within) = root.and_then(|root| Path::new(path).strip_prefix(root).ok()) {
        return within.to_string_lossy().into_owned();
    }
    if let Some(within) = within_std(path).or_else(|| path.strip_prefix(DEPENDENCIES)) {
        return within.to_owned();
    }
    // `~/.cargo/registry/src/REGISTRY/PACKAGE/src/..`, `~/.cargo/git/checkouts/PACKAGE/COMMIT/src/..`
    for (folder, skipped) in [("/registry/src/", 1), ("/git/checkouts/", 0)] {
        if let Some((_, within)) = path.split_once(folder) {
            let parts = within.splitn(skipped + 1, '/').nth(skipped);
            return parts.unwrap_or(within).to_owned();
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_short() {
        let root = Some(Path::new("/w/a/shop"));
        for (path, expected) in [
            ("/w/a/shop/src/lib.rs", "src/lib.rs"),
            ("/rustc/0a1b/library/core/src/mem.rs", "core/src/mem.rs"),
            (
                "/t/lib/rustlib/src/rust/library/alloc/src/vec/mod.rs",
                "alloc/src/vec/mod.rs",
            ),
            (
                "/w/a/.cargo/registry/src/index-0a/memchr-2.7.4/src/lib.rs",
                "memchr-2.7.4/src/lib.rs",
            ),
            (
                "/w/a/.cargo/git/checkouts/x-0a/1b/src/lib.rs",
                "x-0a/1b/src/lib.rs",
            ),
            (
                "/rust/deps/hashbrown-0.15.2/src/map.rs",
                "hashbrown-0.15.2/src/map.rs",
            ),
            ("/w/a/library/x.rs", "/w/a/library/x.rs"),
            ("src/lib.rs", "src/lib.rs"),
        ] {
            assert_eq!(short_path(path, root), expected);
        }
    }

    #[test]
    fn a_function_without_modules_has_its_file() {
        let frame = |function: &str, symbol: Option<&str>| Frame {
            function: function.to_owned(),
            symbol: symbol.map(str::to_owned),
            file: Some("core/src/mem.rs".to_owned()),
            home: Some("core/src/mem.rs".to_owned()),
            line: Some(7),
            path: None,
        };
        let inlined = frame("swap<a::B>", None);
        assert_eq!(inlined.key(), "swap<a::B> (core/src/mem.rs)");
        assert_eq!(inlined.title(), inlined.key());
        assert_eq!(inlined.place().as_deref(), Some("core/src/mem.rs:7"));
        // The same function with code of its own.
        let own = frame("swap<a::B>", Some("core::mem::swap"));
        assert_eq!(own.key(), inlined.key());
        assert_eq!(own.title(), "core::mem::swap");
        for whole in ["core::mem::swap", "<a::B as c::D>::e"] {
            assert_eq!(frame(whole, None).key(), whole);
        }
        let of_compiler = Frame {
            line: Some(0),
            ..inlined
        };
        assert_eq!(of_compiler.place(), None);
    }

    #[test]
    fn inlined_functions_of_the_standard_library_count_for_their_callers() {
        let frame = |path: &str, symbol: Option<&str>| Frame {
            path: Some(PathBuf::from(path)),
            symbol: symbol.map(str::to_owned),
            ..Frame::default()
        };
        let next = frame("/rustc/0a/library/core/src/slice/iter.rs", None);
        let mixed = frame("/w/src/lib.rs", None);
        let body = frame("/w/src/lib.rs", Some("body"));
        let found = [next.clone(), mixed.clone(), body.clone()];
        assert_eq!(counted(&found), Some(&mixed));
        let found = [next.clone(), body.clone()];
        assert_eq!(counted(&found), Some(&body));
        // One that has code of its own is listed.
        let sort = frame("/rustc/0a/library/core/src/slice/sort.rs", Some("sort"));
        let found = [next, sort.clone()];
        assert_eq!(counted(&found), Some(&sort));
        assert_eq!(counted(&[]), None);
    }
}
