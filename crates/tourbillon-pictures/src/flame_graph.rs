//! Stacks as nested boxes: the wider a box, the more was counted in its function and those that it called.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::path::at;
use crate::picture::Picture;
use crate::text::{printable, shorten, width};

/// Width of the picture, in pixels.
const WIDTH: f64 = 1200.0;
/// Height of a row.
const ROW: f64 = 17.0;
/// Size of letters.
const FONT: f64 = 11.0;
/// Narrower boxes are not drawn: a picture has 1200 pixels, and an op may have more stacks.
const NARROWEST: f64 = 0.5;
/// Most rows: a function that calls itself may be thousands deep.
const DEEPEST: usize = 200;
/// Most characters of the name in the description of a box.
const NAME: usize = 300;

/// Counts of stacks.
#[derive(Clone, Debug)]
pub struct FlameGraph<'s> {
    /// What it shows.
    pub title: String,
    /// What is counted, in the plural.
    pub unit: &'static str,
    /// The functions of each stack, the outermost one first, and what was counted in the innermost one.
    pub stacks: &'s BTreeMap<Vec<String>, u64>,
}

/// A function within those below it.
#[derive(Debug, Default)]
struct Node {
    total: u64,
    within: BTreeMap<String, Node>,
}

/// A box: its name, its count, its row from below, where it begins and how wide it is.
struct Frame<'n> {
    name: &'n str,
    total: u64,
    row: usize,
    x: f64,
    width: f64,
}

impl FlameGraph<'_> {
    /// The picture, the outermost functions at its bottom.
    pub fn picture(&self) -> Picture {
        let mut root = Node::default();
        for (names, count) in self.stacks {
            root.total += count;
            let mut node = &mut root;
            for name in names.iter().take(DEEPEST) {
                node = node.within.entry(name.clone()).or_default();
                node.total += count;
            }
        }
        let mut frames = Vec::new();
        let scale = WIDTH / root.total.max(1) as f64;
        add(&root, 0, 0.0, scale, &mut frames);
        let rows = frames.iter().map(|frame| frame.row + 1).max().unwrap_or(0);
        let height = rows as f64 * ROW;
        let most = frames
            .iter()
            .filter(|frame| frame.row == 0)
            .map(|frame| frame.name);
        let body = frames
            .iter()
            .map(|frame| self.frame(frame, height, root.total));
        Picture {
            title: self.title.clone(),
            figures: format!(
                "{} {}, in {}",
                root.total,
                self.unit,
                Vec::from_iter(most.take(3)).join(", ")
            ),
            width: WIDTH,
            height,
            body: body.map(|frame| frame.0).collect(),
        }
    }

    fn frame(&self, frame: &Frame<'_>, height: f64, all: u64) -> Markup {
        let y = height - (frame.row + 1) as f64 * ROW;
        let share = 100.0 * frame.total as f64 / all.max(1) as f64;
        let name = printable(frame.name);
        // Rows next to each other differ.
        let class = if frame.row.is_multiple_of(2) {
            "h"
        } else {
            "h j"
        };
        html! {
            g {
                title { (shorten(&name, NAME)) ": " (frame.total) " " (self.unit) ", " (format!("{share:.1} %")) }
                rect class=(class) x=(at(frame.x)) y=(at(y)) width=(at((frame.width - 0.5).max(0.3))) height=(at(ROW - 1.0)) {}
                @if let Some(text) = fitting(&name, frame.width - 6.0) {
                    text class="m" x=(at(frame.x + 3.0)) y=(at(y + 12.0)) { (text) }
                }
            }
        }
    }
}

/// Adds the boxes within a node, from left to right.
fn add<'n>(node: &'n Node, row: usize, x: f64, scale: f64, frames: &mut Vec<Frame<'n>>) {
    let mut x = x;
    for (name, inner) in &node.within {
        let width = inner.total as f64 * scale;
        if width >= NARROWEST {
            frames.push(Frame {
                name,
                total: inner.total,
                row,
                x,
                width,
            });
            add(inner, row + 1, x, scale, frames);
        }
        x += width;
    }
}

/// As much of a name as there is room for; `None` without room for three characters.
fn fitting(name: &str, room: f64) -> Option<String> {
    if width(name, FONT) <= room {
        return Some(name.to_owned());
    }
    let count = name.chars().count();
    let fits = (3..count)
        .rev()
        .find(|most| width(&shorten(name, *most), FONT) <= room)?;
    Some(shorten(name, fits).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(stacks: &[(&str, u64)]) -> String {
        let stacks = stacks.iter().map(|(names, count)| {
            let names = names.split(';').map(str::to_owned);
            (names.collect(), *count)
        });
        let graph = FlameGraph {
            title: "c".to_owned(),
            unit: "instructions",
            stacks: &stacks.collect(),
        };
        graph.picture().file()
    }

    #[test]
    fn a_box_is_as_wide_as_its_share() {
        let file = picture(&[("a", 25), ("a;b", 50), ("c", 25), ("a;<d>", 0)]);
        for expected in [
            "viewBox=\"0 0 1200 34\"",
            "<desc>100 instructions, in a, c</desc>",
            "<title>a: 75 instructions, 75.0 %</title><rect class=\"h\" x=\"0\" y=\"17\" width=\"899.5\" height=\"16\">",
            "<title>b: 50 instructions, 50.0 %</title><rect class=\"h j\" x=\"0\" y=\"0\" width=\"599.5\"",
            "<title>c: 25 instructions, 25.0 %</title><rect class=\"h\" x=\"900\" y=\"17\" width=\"299.5\"",
        ] {
            assert!(file.contains(expected), "{expected}: {file}");
        }
        assert!(!file.contains("d&gt;"), "nothing was counted there");
    }

    #[test]
    fn names_are_cut_and_harmless() {
        let name = format!("<script>{}", "x".repeat(1_000));
        let file = picture(&[(&name, 1)]);
        assert!(!file.contains("<script"), "{file}");
        assert!(file.contains("&lt;script") && file.len() < 5_000, "{file}");
        let deep = vec!["a"; 10_000].join(";");
        assert!(picture(&[(&deep, 1)]).contains("viewBox=\"0 0 1200 3400\""));
        assert!(picture(&[]).contains("viewBox=\"0 0 1200 0\""));
    }

    #[test]
    fn a_name_has_the_room_of_its_box() {
        assert_eq!(fitting("abc", 100.0).as_deref(), Some("abc"));
        assert_eq!(fitting("abcdefghij", 5.0), None);
        let cut = fitting("abcdefghijklmnop", 40.0).expect("room");
        assert!(cut.contains('…') && width(&cut, FONT) <= 40.0, "{cut}");
    }
}
