//! A registered function.

use tourbillon_report::Pieces;

use super::cases::{Cases, Flow};
use super::list::{self, Link};
use super::problem::Place;
use super::settings::Settings;
use crate::text::text;

/// A function with the attribute: what it is, and the code that offers its cases.
#[derive(Debug)]
pub struct Entry {
    pub(super) origin: Origin,
    pub(super) settings: Settings,
    pub(super) axes: &'static [&'static str],
    pub(super) cases: fn(&mut Cases<'_>) -> Flow,
    pub(super) link: Link,
}

/// Where a function stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Package, where a package manager said which.
    pub package: Option<&'static str>,
    /// Module path; its first segment is the crate, which is the bench target.
    pub module: &'static str,
    /// Name of the function.
    pub function: &'static str,
    /// Source file.
    pub file: &'static str,
    /// Line of the function's name, from 1.
    pub line: u32,
    /// Column of the function's name, from 1.
    pub column: u32,
    /// The compiler's flags that make a difference to the code, divided by unit separators; empty
    /// where they were not seen.
    pub compiler: &'static str,
}

impl Entry {
    /// An entry that is not registered yet.
    pub const fn new(
        origin: Origin,
        settings: Settings,
        axes: &'static [&'static str],
        cases: fn(&mut Cases<'_>) -> Flow,
    ) -> Self {
        Self {
            origin,
            settings,
            axes,
            cases,
            link: Link::new(),
        }
    }

    /// Puts the entry into the list; to be called once.
    pub fn register(&'static self) {
        list::push(self);
    }

    /// `package/target::module::function`, with the name from the attribute if it gave one.
    pub(super) fn path(&self) -> String {
        let name = self.settings.name.unwrap_or(self.origin.function);
        text!("{}/{}::{name}", self.origin.package(), self.origin.module)
    }

    pub(super) fn place(&self) -> Place {
        Place {
            file: self.origin.file,
            line: self.origin.line,
        }
    }
}

impl Origin {
    /// The package; the target where no package manager built it.
    pub(crate) fn package(&self) -> &'static str {
        self.package.unwrap_or(self.target())
    }

    /// The target: the crate's name, with `_` for `-`.
    pub(crate) fn target(&self) -> &'static str {
        self.split().0
    }

    /// The module path below the target; empty at its root.
    pub(super) fn inner_module(&self) -> &'static str {
        self.split().1
    }

    fn split(&self) -> (&'static str, &'static str) {
        let mut segments = Pieces::divided(self.module, b':');
        let target = segments.next().unwrap_or_default();
        // The second colon.
        segments.next();
        (target, segments.rest().unwrap_or_default())
    }
}
