//! Why an executable cannot be relinked.

use std::fmt;

/// Why an executable has one placement only: that of its build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRelinkable {
    /// Only one placement was requested.
    NotAsked,
    /// It was built elsewhere; there are no objects to link.
    NoObjects,
    /// The compiler did not print how it links.
    NotShown,
    /// The linker cannot reorder sections: its name.
    Linker(String),
    /// Linking it again failed: the linker's message.
    Failed(String),
}

impl fmt::Display for NotRelinkable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRelinkable::NotAsked => f.write_str("only one placement was requested"),
            NotRelinkable::NoObjects => f.write_str(
                "it was built elsewhere, so its objects are missing; name the revision instead of \
                 the file",
            ),
            NotRelinkable::NotShown => f.write_str("the compiler did not print how it links"),
            NotRelinkable::Linker(name) => write!(
                f,
                "{name} cannot reorder functions; link with LLD or mold \
                 (rustflags: -Clink-arg=-fuse-ld=lld)"
            ),
            NotRelinkable::Failed(message) => write!(f, "linking it again failed: {message}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_say_what_to_do() {
        let linker = NotRelinkable::Linker("GNU ld 2.40".to_owned()).to_string();
        assert!(linker.starts_with("GNU ld 2.40 cannot"), "{linker}");
        assert!(linker.contains("link with LLD"), "{linker}");
        assert!(
            NotRelinkable::NoObjects
                .to_string()
                .contains("name the revision")
        );
    }
}
