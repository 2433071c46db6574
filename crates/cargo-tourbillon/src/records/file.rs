use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use tourbillon_record::LONGEST_LINE;

/// The contents of a file that the user named. Pipes, devices and endless lines are refused.
pub(crate) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let invalid = |what| io::Error::new(io::ErrorKind::InvalidInput, what);
    let about = fs::metadata(path)?;
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !about.is_file() {
        return Err(invalid(
            "it is a pipe, a socket or a device; copy its contents to a file",
        ));
    }
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut bytes = Vec::new();
    loop {
        let mut line = file.by_ref().take(LONGEST_LINE as u64 + 1);
        match line.read_until(b'\n', &mut bytes)? {
            0 => return Ok(bytes),
            count if count > LONGEST_LINE => {
                return Err(invalid("a line of it is too long for a record"));
            }
            _ => {}
        }
    }
}

/// The contents of such a file as text.
pub(crate) fn text(path: &Path) -> io::Result<String> {
    String::from_utf8(bytes(path)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused() {
        for device in ["/dev/zero", "/dev/urandom", "/dev/null"] {
            let error = bytes(Path::new(device)).expect_err(device).to_string();
            assert!(error.contains("a device"), "{error}");
        }
        let folder = std::env::temp_dir().join(format!("tourbillon-file-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        assert!(bytes(&folder).is_err());
        // A sparse file with one line of a terabyte.
        let sparse = folder.join("sparse");
        let file = File::create(&sparse).expect("a file");
        if file.set_len(1 << 40).is_ok() {
            let error = bytes(&sparse).expect_err("no line feed").to_string();
            assert!(error.contains("too long"), "{error}");
        }
        fs::write(&sparse, "a\nb").expect("a file");
        assert_eq!(text(&sparse).expect("text"), "a\nb");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
