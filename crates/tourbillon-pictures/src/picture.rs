//! An SVG picture: its marks, its title, its text for screen readers.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};

use crate::path::at;
use crate::text::printable;

/// Colours of light, dark and forced modes, and of paper.
pub(crate) const THEME: &str = include_str!("theme.css");
/// How marks look.
pub(crate) const MARKS: &str = include_str!("marks.css");

/// A picture in SVG.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What it shows.
    pub title: String,
    /// Its figures in words, for those who do not see it.
    pub figures: String,
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Marks, as SVG.
    pub(crate) body: String,
}

impl Picture {
    /// The picture inside of a page made by [`document`](crate::document), which has the style.
    pub fn inline(&self) -> Markup {
        self.svg(None, &Markup::default())
    }

    /// The picture as a file of its own: SVG with its style.
    pub fn file(&self) -> String {
        let style = html! {
            style { (PreEscaped(THEME)) (PreEscaped(MARKS)) }
            rect class="paper" width="100%" height="100%" {}
        };
        let svg = self.svg(Some("http://www.w3.org/2000/svg"), &style).0;
        let mut file = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        // Writing to a string does not fail.
        let _ = writeln!(file, "{}", printable(&svg));
        file
    }

    fn svg(&self, namespace: Option<&str>, before: &Markup) -> Markup {
        let view = format!("0 0 {} {}", at(self.width), at(self.height));
        html! {
            svg xmlns=[namespace] viewBox=(view) role="img" {
                title { (self.title) }
                desc { (self.figures) }
                (before)
                (PreEscaped(&self.body))
            }
        }
    }
}
