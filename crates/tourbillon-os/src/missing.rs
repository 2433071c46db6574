use std::io;

/// Whether an error says that there is no such file or folder.
#[inline(never)]
pub fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_told_from_what_cannot_be_read() {
        let here = env!("CARGO_MANIFEST_DIR");
        let missing = std::fs::read(format!("{here}/no such file")).unwrap_err();
        assert!(is_missing(&missing));
        assert!(!is_missing(&std::fs::read(here).unwrap_err()));
    }
}
