//! The pictures of a page, and as files of their own.

use std::path::Path;

use maud::{Markup, html};
use tourbillon_pictures::Picture;

use crate::exit::Stop;
use crate::output;

/// Takes pictures as they are put into a page.
#[derive(Default)]
pub(crate) struct Gallery {
    /// Whether they are wanted as files.
    keeps: bool,
    /// Their files: name and content.
    files: Vec<(String, String)>,
}

impl Gallery {
    /// A gallery; one that `keeps` has a file for each picture.
    pub(crate) fn new(keeps: bool) -> Gallery {
        Gallery {
            keeps,
            files: Vec::new(),
        }
    }

    /// A figure of the page; nothing for a picture that there is no data for.
    pub(super) fn show(&mut self, kind: &str, picture: Option<Picture>) -> Markup {
        let Some(picture) = picture else {
            return Markup::default();
        };
        if self.keeps {
            let name = file_name(self.files.len() + 1, &picture.title, kind);
            self.files.push((name, picture.file()));
        }
        // What stands in the section of a case needs no name.
        let caption = match (kind, picture.title.rsplit_once(": ")) {
            ("launches" | "calls" | "quantiles" | "lengths" | "batches", Some((_, what))) => what,
            _ => &picture.title,
        };
        html! {
            figure {
                figcaption { (tourbillon_pictures::shorten(caption, 160)) }
                (picture.inline())
            }
        }
    }

    /// Writes the files into a folder, which is made where there is none; how many there are.
    pub(super) fn write(&self, folder: &Path) -> Result<usize, Stop> {
        let folder = output::make_folder(folder, "--svg DIR")?;
        for (name, content) in &self.files {
            output::write_own(&folder.join(name), content)?;
        }
        Ok(self.files.len())
    }
}

/// `007-sort-heap-launches.svg`: the number tells names apart that look alike.
fn file_name(number: usize, title: &str, kind: &str) -> String {
    let mut words = String::new();
    for c in title.chars().take_while(|c| *c != ':').take(60) {
        match c {
            c if c.is_ascii_alphanumeric() => words.push(c.to_ascii_lowercase()),
            _ if words.ends_with('-') => {}
            _ => words.push('-'),
        }
    }
    format!("{number:03}-{}-{kind}.svg", words.trim_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain() {
        for (title, expected) in [
            ("sort/heap/1000: launches", "007-sort-heap-1000-kind.svg"),
            ("../../etc/passwd\0", "007-etc-passwd-kind.svg"),
            ("排序", "007--kind.svg"),
        ] {
            assert_eq!(file_name(7, title, "kind"), expected);
        }
    }
}
