//! Keys of builds.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The name of a build in the cache: a hash of everything that its executables depend on, or of the
/// executables themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A hash in the making: 128-bit FNV-1a (Fowler, Noll, Vo; draft-eastlake-fnv). Collisions of two
/// builds of one user are practically impossible; it does not protect from attackers, who could
/// write into the cache anyway.
#[derive(Clone, Debug)]
pub struct Digest {
    hash: u128,
}

impl Digest {
    pub fn new() -> Digest {
        Digest {
            hash: 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d,
        }
    }

    /// Adds a part; where one part ends and the next begins counts, too.
    #[must_use]
    pub fn part(mut self, part: impl AsRef<[u8]>) -> Digest {
        let part = part.as_ref();
        self.absorb(part);
        self.absorb(&part.len().to_le_bytes());
        self
    }

    /// Adds several parts, and how many there are.
    #[must_use]
    pub fn parts<T: AsRef<[u8]>>(mut self, parts: &[T]) -> Digest {
        for part in parts {
            self = self.part(part);
        }
        self.part(parts.len().to_le_bytes())
    }

    /// Adds what is in a file.
    pub fn file(mut self, path: &Path) -> io::Result<Digest> {
        let mut file = File::open(path)?;
        let mut chunk = vec![0; 1 << 16];
        let mut length = 0;
        loop {
            let count = file.read(&mut chunk)?;
            if count == 0 {
                break;
            }
            self.absorb(&chunk[..count]);
            length += count;
        }
        self.absorb(&length.to_le_bytes());
        Ok(self)
    }

    pub fn key(self) -> Key {
        Key(format!("{:032x}", self.hash))
    }

    fn absorb(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.hash = (self.hash ^ u128::from(byte))
                .wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_the_published_vectors() {
        let of = |text: &str| {
            let mut digest = Digest::new();
            digest.absorb(text.as_bytes());
            digest.key().0
        };
        assert_eq!(of(""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(of("a"), "d228cb696f1a8caf78912b704e4a8964");
    }

    #[test]
    fn where_a_part_ends_counts() {
        let key = |parts: &[&str]| Digest::new().parts(parts).key();
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_ne!(key(&["ab"]), key(&["ab", ""]));
        assert_ne!(key(&[]), key(&[""]));
    }

    #[test]
    fn a_file_is_what_is_in_it() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let bytes = std::fs::read(&path).expect("a file");
        let file = Digest::new().file(&path).expect("a file").key();
        assert_eq!(file, Digest::new().part(bytes).key());
        assert!(Digest::new().file(Path::new("no such file")).is_err());
    }
}
