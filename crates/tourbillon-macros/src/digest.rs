//! The hash of source files, for code that has to say which version of itself it is.

use std::path::{Path, PathBuf};

use proc_macro::{Literal, Span, TokenStream, TokenTree};

use crate::error::Error;
use crate::literal::{only, text};
use crate::split::{Angles, at_commas, tokens};

/// The hash of the files that are listed, as a string literal of sixteen hexadecimal digits; what is wrong
/// with the list, as an error at its place.
pub(crate) fn expand(list: TokenStream) -> TokenStream {
    match of_files(list) {
        Ok(hash) => TokenTree::from(Literal::string(&hash)).into(),
        Err(error) => error.into_tokens(),
    }
}

fn of_files(list: TokenStream) -> Result<String, Error> {
    let Some(package) = std::env::var_os("CARGO_MANIFEST_DIR") else {
        let message = "only cargo says where the files are";
        return Err(Error::at(Span::call_site(), message));
    };
    let package = PathBuf::from(package);
    let list = tokens(list);
    let mut hash = 0;
    for part in at_commas(&list, Angles::Expressions) {
        hash = absorb(hash, &content(&package, part)?);
    }
    Ok(hexadecimal(hash))
}

fn content(package: &Path, part: &[TokenTree]) -> Result<Vec<u8>, Error> {
    let Some(name) = only(part).and_then(|literal| text(&literal)) else {
        let message = "takes paths of files, as seen from the package: write \"src/lib.rs\"";
        return Err(Error::over(part, Span::call_site(), message));
    };
    match std::fs::read(package.join(&name)) {
        Ok(content) => Ok(content),
        Err(error) => {
            let message = format!("{name} cannot be read: {error}");
            Err(Error::over(part, Span::call_site(), message))
        }
    }
}

/// The hash of what came before and of this file.
///
/// A step takes eight bytes into one half of a Feistel network, whose function is a multiplication, the
/// high half of the product folded onto the low one: for every word another permutation of the hash, and
/// for every hash another one of the word, so that a change of one word cannot be lost in it. The
/// multiplier is 2^64 divided by the golden section.
fn absorb(hash: u128, file: &[u8]) -> u128 {
    let mut hash = hash;
    for word in file.chunks(8) {
        let mut padded = [0; 8];
        padded[..word.len()].copy_from_slice(word);
        hash = step(hash, u64::from_le_bytes(padded));
    }
    // Where the file ends: without it a file and the next one could be divided elsewhere. One more, for
    // nothing taken into nothing is nothing, and an empty file is something.
    step(hash, file.len() as u64 + 1)
}

fn step(hash: u128, word: u64) -> u128 {
    const MULTIPLIER: u128 = 0x9e37_79b9_7f4a_7c15;
    let (left, right) = ((hash >> 64) as u64 ^ word, hash as u64);
    let product = u128::from(left) * MULTIPLIER;
    let folded = (product >> 64) as u64 ^ product as u64;
    // The halves change places.
    u128::from(right ^ folded) << 64 | u128::from(left)
}

/// Sixteen digits, of which both halves of the hash are a part.
fn hexadecimal(hash: u128) -> String {
    // The last words have been in one half alone.
    let mixed = step(step(hash, 0), 0);
    format!("{:016x}", (mixed >> 64) as u64 ^ mixed as u64)
}

#[cfg(test)]
mod tests {
    use super::{absorb, hexadecimal};

    #[test]
    fn any_change_of_a_file_is_another_hash() {
        let file: Vec<u8> = (0..61).collect();
        let original = absorb(7, &file);
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut changed = file.clone();
                changed[at] ^= 1 << bit;
                assert_ne!(absorb(7, &changed), original, "bit {bit} of byte {at}");
                assert_ne!(hexadecimal(absorb(7, &changed)), hexadecimal(original));
            }
            assert_ne!(absorb(7, &file[..at]), original, "cut at {at}");
        }
        assert_ne!(absorb(8, &file), original, "another file before it");
    }

    #[test]
    fn files_divided_elsewhere_have_another_hash() {
        let file: Vec<u8> = (0..61).collect();
        let divided = |at: usize| absorb(absorb(0, &file[..at]), &file[at..]);
        for at in 1..file.len() {
            assert_ne!(divided(at), divided(at - 1), "{at}");
        }
        assert_ne!(absorb(0, &[]), absorb(absorb(0, &[]), &[]), "an empty file");
    }

    #[test]
    fn a_zero_at_the_end_is_not_nothing() {
        assert_ne!(absorb(0, &[1]), absorb(0, &[1, 0]));
    }

    #[test]
    fn the_text_has_sixteen_digits() {
        for hash in [0, 1, u128::MAX, 1 << 64] {
            let text = hexadecimal(hash);
            assert_eq!(text.len(), 16, "{text}");
            assert!(
                text.bytes().all(|digit| digit.is_ascii_hexdigit()),
                "{text}"
            );
        }
    }
}
