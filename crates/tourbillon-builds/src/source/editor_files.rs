//! Files that editors keep beside those that are edited.

use std::path::Path;

/// Whether a file has a name that vim, Emacs and others give to files beside one that is edited. These come, change and
/// go with every save, and no program reads them.
#[must_use]
pub fn is_of_editor(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    let is_swap = name.starts_with('.') && end.len() == 3 && end.starts_with("sw");
    is_swap
        || name.ends_with('~')
        || name.starts_with(".#")
        || name.starts_with('#') && name.ends_with('#')
        // Vim makes it to see whether it may.
        || name == "4913"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beside_others_are_those_of_editors() {
        for (file, expected) in [
            ("src/.lib.rs.swp", true),
            (".lib.rs.swx", true),
            ("lib.rs~", true),
            (".#lib.rs", true),
            ("a/#lib.rs#", true),
            ("4913", true),
            ("lib.rs", false),
            (".gitignore", false),
            ("a.swp", false),
            ("#1", false),
            (".sw/x", false),
            ("", false),
        ] {
            assert_eq!(is_of_editor(Path::new(file)), expected, "{file}");
        }
    }
}
