//! Why an executable stays where it was built.

use std::fmt;

/// Why an executable has one placement only: that of its build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRelinkable {
    /// Nobody asked for another.
    NotAsked,
    /// It was built elsewhere; nothing is there to link.
    NoObjects,
    /// Cargo did not build it in the way that shows how it is linked.
    NotShown,
    /// The linker cannot put functions elsewhere: its name, as it gives it.
    Linker(String),
    /// Linking it again failed: what the linker said.
    Failed(String),
}

impl fmt::Display for NotRelinkable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRelinkable::NotAsked => f.write_str("one placement was asked for"),
            NotRelinkable::NoObjects => f.write_str(
                "it was built elsewhere, so there is nothing to link again; name the revision \
                 instead of the file",
            ),
            NotRelinkable::NotShown => f.write_str("the compiler did not show how it is linked"),
            NotRelinkable::Linker(name) => write!(
                f,
                "{name} cannot put functions into another order; link with LLD or mold \
                 (rustflags: -Clink-arg=-fuse-ld=lld)"
            ),
            NotRelinkable::Failed(said) => write!(f, "linking it again failed: {said}"),
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
