//! Which files two programs may name.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;

use super::image::Image;

/// What two programs name.
#[derive(Debug)]
pub(super) struct Names<'i> {
    /// One where both are the same.
    images: Vec<&'i Image>,
    /// Whether each names a folder of documentation, by the folder; `None` where the names of its files decide.
    folders: RefCell<HashMap<String, Vec<Option<bool>>>>,
}

impl<'i> Names<'i> {
    pub(super) fn of([one, other]: [&'i Image; 2]) -> Names<'i> {
        let images = if one == other {
            vec![one]
        } else {
            vec![one, other]
        };
        Names {
            images,
            folders: RefCell::default(),
        }
    }

    /// Whether a program may have the name of a file of documentation.
    pub(super) fn have_file(&self, file: &Path) -> bool {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        self.images.iter().any(|image| image.may_name(&name))
    }

    /// Whether a program may have the name of the folder in the root that a file of documentation is below, or, of one in
    /// the root or in the folder of a package, where programs are started, its own. The folder of a package is in programs
    /// for other reasons.
    pub(super) fn have_place(&self, file: &Path) -> bool {
        let folder = file.parent().unwrap_or(Path::new("")).to_string_lossy();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let mut folders = self.folders.borrow_mut();
        let named = folders.entry(folder.to_string()).or_insert_with(|| {
            let images = self.images.iter();
            images.map(|image| has_folder(image, &folder)).collect()
        });
        let mut each = self.images.iter().zip(named);
        each.any(|(image, of_folder)| of_folder.unwrap_or_else(|| image.may_name(&name)))
    }
}

/// Whether a program may have the name of a folder; `None` where it is of a package, or there is none.
fn has_folder(image: &Image, folder: &str) -> Option<bool> {
    let is_of_package = ["src", "benches"]
        .iter()
        .any(|part| image.names(&format!("{folder}/{part}/")));
    let top = folder.split(['/', '\\']).next().unwrap_or_default();
    (!top.is_empty() && !is_of_package).then(|| image.may_name_folder(top))
}
