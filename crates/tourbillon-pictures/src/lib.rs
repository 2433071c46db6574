//! Pictures of measurements.
//!
//! * [`Chart`] draws marks (dot, interval, band, step line, bar, rule) between two [`Axis`] on a [`Scale`]:
//!   linear, logarithmic, or by index.
//! * [`FlameGraph`] draws stacks as nested boxes.
//! * [`Picture`] is what they make: SVG, inside a page or as a file of its own, with a title and with its
//!   figures as a description.
//! * [`results`] draws a document of results as a part of a page, [`Sheet`] a table that can be sorted.
//! * [`document`] is the page: one file of HTML that requests nothing.
//!
//! The crate knows nothing of benchmarks: the caller gives numbers, and the texts that stand beside them.
//! Every text is escaped: markup by `maud`, and by [`printable`] the characters that no XML may hold or that
//! turn the direction of writing.

#![forbid(unsafe_code)]

mod changes;
mod chart;
mod flame_graph;
mod glyphs;
mod ink;
mod labels;
mod mark;
mod page;
mod path;
mod picture;
mod results;
mod scale;
mod sheet;
mod text;

pub use changes::{change_scale, tick_label};
pub use chart::{Axis, Chart};
pub use flame_graph::FlameGraph;
pub use glyphs::{axis_glyph, glyph, line_glyph, pair_glyph};
pub use mark::{Ink, Shape};
pub use page::document;
pub use picture::Picture;
pub use results::{legend, results, results_page};
pub use scale::{Scale, Tick};
pub use sheet::Sheet;
pub use text::{printable, prose, shorten};
