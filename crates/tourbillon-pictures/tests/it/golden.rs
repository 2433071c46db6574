//! Pictures byte by byte, and what each of them must have as a file of its own.

use std::env;
use std::fs;
use std::path::Path;

use crate::samples;

/// `TOURBILLON_ACCEPT=1 cargo test -p tourbillon-pictures` accepts what is drawn now: look at it first.
#[test]
fn pictures_are_drawn_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for (name, picture) in samples::all() {
        let path = folder.join(format!("{name}.svg"));
        let drawn = picture.file();
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

#[test]
fn texts_do_not_overlap() {
    for (name, picture) in samples::all() {
        let file = picture.file();
        let document = roxmltree::Document::parse(&file).expect(name);
        let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 {
            node.attribute(name)
                .and_then(|text| text.parse().ok())
                .unwrap_or(0.0)
        };
        let texts = document
            .descendants()
            .filter(|node| node.has_tag_name("text"));
        let boxes: Vec<(f64, f64, f64, &str)> = texts
            .map(|node| {
                let text = node.text().unwrap_or_default();
                // Narrower than the estimate by which they are placed, wider than most fonts are.
                let width = 5.6 * text.chars().count() as f64;
                let classes = node.ancestors().filter_map(|node| node.attribute("class"));
                let anchor =
                    classes
                        .flat_map(|class| class.split(' '))
                        .find_map(|class| match class {
                            "e" => Some(1.0),
                            "t" => Some(0.5),
                            _ => None,
                        });
                let start = number(node, "x") - anchor.unwrap_or(0.0) * width;
                (start, start + width, number(node, "y"), text)
            })
            .collect();
        for (at, one) in boxes.iter().enumerate() {
            for other in &boxes[..at] {
                let apart = one.1 <= other.0 || other.1 <= one.0 || (one.2 - other.2).abs() >= 10.0;
                assert!(apart, "{name}: {one:?} {other:?}");
            }
        }
    }
}
