//! No text of a picture lies on another one.

use maud::html;
use tourbillon_pictures::{Axis, Chart, Scale, Tick, axis_glyph};

use crate::samples;

/// Fails where two texts of a picture overlap, or one leaves it at a side.
fn check(name: &str, file: &str) {
    let document = roxmltree::Document::parse(file).expect(name);
    let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 {
        node.attribute(name)
            .and_then(|text| text.parse().ok())
            .unwrap_or(0.0)
    };
    let view = document.root_element().attribute("viewBox");
    let room: f64 = view
        .and_then(|view| view.split(' ').nth(2)?.parse().ok())
        .expect("a width");
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    let boxes: Vec<(f64, f64, f64, &str)> = texts
        .map(|node| {
            let text = node.text().unwrap_or_default();
            // Narrower than the estimate by which they are placed, wider than most fonts are.
            let width = 5.6 * text.chars().count() as f64;
            let classes = node.ancestors().filter_map(|node| node.attribute("class"));
            let anchor = classes
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
        assert!(one.0 > -1.0 && one.1 < room + 1.0, "{name}: {one:?}");
        for other in &boxes[..at] {
            let apart = one.1 <= other.0 || other.1 <= one.0 || (one.2 - other.2).abs() >= 10.0;
            assert!(apart, "{name}: {one:?} {other:?}");
        }
    }
}

#[test]
fn texts_do_not_overlap() {
    for (name, picture) in samples::all() {
        check(name, &picture.file());
    }
}

/// Ranges from a thousandth of a value to twelve decades, with labels of one to thirty characters.
#[test]
fn labels_of_axes_do_not_overlap_whatever_the_range() {
    for step in 0..400 {
        let low = 1.37_f64.powi(step % 23);
        let high = low * (1.0 + 0.001 * 1.09_f64.powi(step));
        let unit = "operations of a unit"
            .get(..step as usize % 20)
            .unwrap_or_default();
        let label = |tick: Tick| format!("{} {unit}", tick.value as f32);
        for scale in [Scale::log, Scale::linear, Scale::from_zero].map(|of| of([low, high])) {
            let name = format!("{low} to {high} in {unit:?}");
            let strip = html! { (axis_glyph(&scale, label)) }.into_string();
            if !strip.is_empty() {
                check(&name, &strip);
            }
            let axis = || Axis::new(scale, "axis", 8, label);
            let mut chart = Chart::new(axis(), axis(), 160.0, &[]);
            // Marks side by side, from the left end on.
            for (number, share) in [0.0, 0.01, 0.02, 0.3, 0.31, 1.0].into_iter().enumerate() {
                chart.mark(low + share * (high - low), &format!("▲{number}"));
            }
            check(&name, &chart.picture(name.clone(), name.clone()).file());
        }
    }
}
