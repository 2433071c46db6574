//! Labels along an axis.

use std::borrow::Cow;

use crate::text::{fit, width};

/// Size of letters.
pub(crate) const TEXT: f64 = 11.0;
/// Room between two labels.
pub(crate) const GAP: f64 = 5.0;

/// The labels that have room on a lying axis from 0 to `room`, from left to right: each around its place as far as it
/// stays inside, the middle of which is given; none that would touch the one before it.
pub(crate) fn placed<'l>(
    ticks: impl IntoIterator<Item = (f64, &'l str)>,
    room: f64,
) -> Vec<(f64, Cow<'l, str>)> {
    let mut taken = -GAP;
    let mut placed = Vec::new();
    for (x, label) in ticks {
        let label = fit(label, TEXT, room);
        let half = width(&label, TEXT) / 2.0;
        let middle = x.clamp(half, (room - half).max(half));
        if middle - half >= taken + GAP {
            taken = middle + half;
            placed.push((middle, label));
        }
    }
    placed
}
