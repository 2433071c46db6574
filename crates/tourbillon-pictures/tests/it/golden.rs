//! Pictures byte by byte, and what each of them must have as a file of its own.

use std::env;
use std::fs;
use std::path::Path;

use crate::{outcomes, samples};

/// `TOURBILLON_ACCEPT=1 cargo test -p tourbillon-pictures` accepts what is drawn now: look at it first.
#[test]
fn pictures_are_drawn_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let pictures = samples::all().into_iter();
    let files = pictures.map(|(name, picture)| (format!("{name}.svg"), picture.file()));
    for (name, drawn) in files.chain([("outcomes.html".to_owned(), outcomes::page())]) {
        let path = folder.join(&name);
        if env::var_os("TOURBILLON_ACCEPT").is_some() {
            fs::write(&path, &drawn).expect("a golden file");
        }
        let expected = fs::read_to_string(&path).expect("a golden file");
        assert_eq!(drawn, expected, "{name}");
    }
}

#[test]
fn a_file_stands_alone() {
    for (name, picture) in samples::all() {
        let file = picture.file();
        let document = roxmltree::Document::parse(&file).expect(name);
        let root = document.root_element();
        assert_eq!(
            root.tag_name().namespace(),
            Some("http://www.w3.org/2000/svg")
        );
        assert_eq!(root.attribute("role"), Some("img"), "{name}");
        let view = root.attribute("viewBox").expect("a view box");
        let view: Vec<f64> = view
            .split(' ')
            .map(|side| side.parse().expect("a number"))
            .collect();
        assert_eq!(view[..3], [0.0, 0.0, 340.0], "{name}");
        for told in ["title", "desc", "style"] {
            let element = root.children().find(|child| child.has_tag_name(told));
            let text = element.and_then(|element| element.text());
            assert!(text.is_some_and(|text| !text.is_empty()), "{name}: {told}");
        }
        assert!(file.len() <= 20_000, "{name}: {}", file.len());
        assert!(
            !file.contains("href") && !file.contains("url("),
            "{name} requests something"
        );
    }
}
