//! The linker: it signs the executable, if it is so minded.

use tourbillon_report::Pieces;

use super::fact::{Facts, Known};
use crate::text::owned;

pub(super) fn add(facts: &mut Facts, signatures: &[String]) {
    facts.text("linker", linker(signatures));
}

/// The linker among those who signed.
fn linker(signatures: &[String]) -> Known<String> {
    for entry in signatures {
        let name = match entry.strip_prefix("Linker: ") {
            Some(name) => name,
            None if entry.starts_with("mold ") => entry,
            None => continue,
        };
        // What follows the version says where the linker was built.
        let version = Pieces::divided(name, b'(').next().unwrap_or_default();
        return Ok(owned(version.trim_ascii_end()));
    }
    Err(if signatures.is_empty() {
        owned("no comment section names it")
    } else {
        owned("it left no name, as GNU ld never does")
    })
}

#[cfg(test)]
mod tests {
    use super::linker;

    #[test]
    fn linkers_that_sign() {
        for (signatures, expected) in [
            (
                &[
                    "rustc version 1.95.0",
                    "Linker: LLD 22.1.2 (/x/y 1cb4)",
                    "GCC: 12",
                ][..],
                Ok("LLD 22.1.2"),
            ),
            (
                &[
                    "GCC: (Debian) 12.2.0",
                    "mold 2.30.0 (compatible with GNU ld)",
                ],
                Ok("mold 2.30.0"),
            ),
            (
                &["GCC: (Debian) 12.2.0"],
                Err("it left no name, as GNU ld never does"),
            ),
            (&[], Err("no comment section names it")),
        ] {
            let mut signed = Vec::new();
            for signature in signatures {
                signed.push((*signature).to_owned());
            }
            let expected = expected.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(linker(&signed), expected, "{signatures:?}");
        }
    }
}
