//! The hash of source files, for code that records which version of itself ran.

use std::path::{Path, PathBuf};

use proc_macro::{Literal, Span, TokenStream, TokenTree};

use crate::tokens::{Angles, Error, at_commas, tokens};
use crate::value::{only, text};

/// The hash of the listed files, as a string literal of sixteen hexadecimal digits; a mistake in the list,
/// as an error at its place.
pub(crate) fn expand(list: TokenStream) -> TokenStream {
    match of_files(list) {
        Ok(hash) => TokenTree::from(Literal::string(&hash)).into(),
        Err(error) => error.into_tokens(),
    }
}

fn of_files(list: TokenStream) -> Result<String, Error> {
    let Some(package) = std::env::var_os("CARGO_MANIFEST_DIR") else {
        let message = "cargo sets the folder of the files: build with cargo";
        return Err(Error::at(Span::call_site(), message));
    };
    let package = PathBuf::from(package);
    let list = tokens(list);
    let mut hash = START;
    for part in at_commas(&list, Angles::Expressions) {
        hash = absorb(hash, &content(&package, part)?);
    }
    Ok(format!("{hash:016x}"))
}

fn content(package: &Path, part: &[TokenTree]) -> Result<Vec<u8>, Error> {
    let Some(name) = only(part).and_then(|literal| text(&literal)) else {
        let message = "takes paths of files relative to the package: write \"src/lib.rs\"";
        return Err(Error::over(part, Span::call_site(), message));
    };
    std::fs::read(package.join(&name)).map_err(|error| {
        let message = format!("{name} cannot be read: {error}");
        Error::over(part, Span::call_site(), message)
    })
}

/// The hash of no files.
const START: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of what came before and of this file (FNV-1a, of 64 bits). For every byte it is a permutation of
/// the hash, so that a change of one byte always changes it.
fn absorb(hash: u64, file: &[u8]) -> u64 {
    // With the length, a file and the next one have another hash when they are divided elsewhere.
    let length = file.len().to_le_bytes();
    file.iter().chain(&length).fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{START, absorb};

    #[test]
    fn any_change_of_a_file_is_another_hash() {
        let file: Vec<u8> = (0..61).collect();
        let original = absorb(START, &file);
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut changed = file.clone();
                changed[at] ^= 1 << bit;
                assert_ne!(absorb(START, &changed), original, "bit {bit} of byte {at}");
            }
            assert_ne!(absorb(START, &file[..at]), original, "cut at {at}");
        }
        assert_ne!(absorb(START + 1, &file), original, "another file before it");
    }

    #[test]
    fn files_divided_elsewhere_have_another_hash() {
        let file: Vec<u8> = (0..61).collect();
        let divided = |at: usize| absorb(absorb(START, &file[..at]), &file[at..]);
        for at in 1..file.len() {
            assert_ne!(divided(at), divided(at - 1), "{at}");
        }
        assert_ne!(absorb(START, &[]), START, "an empty file");
        assert_ne!(
            absorb(START, &[1]),
            absorb(START, &[1, 0]),
            "a zero at the end"
        );
    }
}
