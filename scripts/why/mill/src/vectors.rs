//! Brighter points.

pub fn brighter(points: &mut [u8], by: u8) {
    for point in points {
        *point = point.saturating_add(by);
    }
}
