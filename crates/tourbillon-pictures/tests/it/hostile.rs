//! Names that try to be something else than text.

use tourbillon_pictures::document;

use crate::samples;

/// 200 names: markup, quotes, entities, comments, directions, control characters, and long ones.
fn names() -> Vec<String> {
    let pieces = [
        "<script>alert(1)</script>",
        "</title><b>",
        "\" onload=\"alert(1)",
        "' onclick='x",
        "&lt;&amp;&#0;&#xffff;",
        "<!-- -->",
        "<![CDATA[ x ]]>",
        "]]>",
        "<?xml version=\"1.0\"?>",
        "<!DOCTYPE x [<!ENTITY a \"b\">]>",
        "\u{202e}gnp.exe",
        "\u{2066}\u{2069}\u{200f}",
        "\0\u{1}\u{8}\u{b}\u{c}\u{1f}\u{7f}\u{9f}",
        "\u{fffe}\u{ffff}\u{feff}",
        "\u{1b}[31m\r\n\t",
        "javascript:alert(1)",
        "{{7*7}}${x}`",
        "\\u{3c}\\",
        "排序 مرحبا \u{1f600}e\u{301}",
        "%s%n../../etc/passwd",
    ];
    let mut names: Vec<String> = Vec::new();
    for (at, one) in pieces.iter().enumerate() {
        for step in 0..9 {
            names.push(format!("{one}{}", pieces[(at + step * 7) % pieces.len()]));
        }
        names.push(one.repeat(10_000 / one.len()));
    }
    names
}

#[test]
fn hostile_names_are_text_in_every_file() {
    let names = names();
    assert_eq!(names.len(), 200);
    let plain = samples::launches("x").file();
    let elements = |file: &str| {
        let document = roxmltree::Document::parse(file).expect("well-formed");
        document
            .descendants()
            .filter(|node| node.is_element())
            .count()
    };
    for name in &names {
        let file = samples::launches(name).file();
        let document = roxmltree::Document::parse(&file).expect("well-formed");
        let title = document
            .root_element()
            .first_element_child()
            .expect("a title");
        assert!(title.text().is_some_and(|text| !text.is_empty()));
        assert_eq!(elements(&file), elements(&plain), "{name:?}");
    }
}

#[test]
fn hostile_names_are_text_in_the_page() {
    for name in names() {
        let body = maud::html! { p title=(name) { (name) } (samples::launches(&name).inline()) };
        let page = document(&name, &body, "{}");
        assert_eq!(page.matches("<script").count(), 2, "{name:?}");
        assert_eq!(page.matches("</script>").count(), 2, "{name:?}");
        assert_eq!(page.matches("<p title=").count(), 1, "{name:?}");
        let unsafe_characters = |c: char| {
            (c.is_control() && c != '\n')
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert!(!page.contains(unsafe_characters), "{name:?}");
    }
}
