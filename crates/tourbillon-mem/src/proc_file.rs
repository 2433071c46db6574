//! Small files of the kernel, read without allocating.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};

use crate::unavailable::Unavailable;

/// The beginning of the file, as far as it fits; what is looked for stands there. Bytes, as the name
/// of a thread need not be a text.
#[inline]
pub(crate) fn read<'a>(
    what: &'static str,
    path: &'static str,
    buffer: &'a mut [u8; 4096],
) -> Result<&'a [u8], Unavailable> {
    let mut file = File::open(path).map_err(|error| Unavailable::file(what, path, error))?;
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(Unavailable::file(what, path, error)),
        }
    }
    Ok(&buffer[..filled])
}

#[inline]
pub(crate) fn write(
    what: &'static str,
    path: &'static str,
    text: &[u8],
) -> Result<(), Unavailable> {
    File::options()
        .write(true)
        .open(path)
        .and_then(|mut file| file.write_all(text))
        .map_err(|error| Unavailable::file(what, path, error))
}

/// The number that a text begins with, after blanks.
#[inline]
pub(crate) fn number(text: &[u8]) -> Option<u64> {
    let text = text.trim_ascii_start();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&text[..digits]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn a_number_ends_at_what_is_no_digit() {
        assert_eq!(number(b"\t  2192 kB\n"), Some(2192));
        assert_eq!(number(b"0"), Some(0));
        assert_eq!(number(b" kB"), None);
        assert_eq!(number(b"99999999999999999999999"), None);
    }
}
