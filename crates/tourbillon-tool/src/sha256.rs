//! Hashes of records.

use sha2::{Digest, Sha256 as Hash};

/// The SHA-256 of bytes as 64 hexadecimal digits, as `sha256sum` prints it.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    let mut hash = Sha256::default();
    hash.add(bytes.as_ref());
    hash.digits()
}

/// A SHA-256 of bytes that come one after the other.
#[derive(Clone, Debug, Default)]
pub struct Sha256(Hash);

impl Sha256 {
    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash as 64 hexadecimal digits.
    pub fn digits(self) -> String {
        let digest = self.0.finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn digits_are_those_of_the_standard() {
        // FIPS 180-2, appendix B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256("abc"), expected);
    }
}
