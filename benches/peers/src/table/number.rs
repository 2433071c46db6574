/// The value in the middle, or the mean of the two; nothing of nothing.
pub(super) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.len().checked_sub(1)? / 2, values.len() / 2);
    Some((values[low] + values[high]) / 2.0)
}

/// A percentage with two digits or so.
pub(super) fn percent(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    match percent {
        ..0.095 => format!("{percent:.2}"),
        0.095..9.95 => format!("{percent:.1}"),
        _ => format!("{percent:.0}"),
    }
}

/// Cycles with four digits or so.
pub(super) fn cycles(cycles: f64) -> String {
    match cycles.abs() {
        ..9.9995 => format!("{cycles:.3}"),
        9.9995..99.995 => format!("{cycles:.2}"),
        _ => format!("{cycles:.1}"),
    }
}

/// A known number of cycles.
pub(super) fn truth(cycles: f64) -> String {
    let rounded = format!("{cycles:.2}");
    rounded
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// Seconds in a unit that fits.
pub(super) fn time(seconds: f64) -> String {
    match seconds {
        ..0.00995 => format!("{:.1} ms", 1e3 * seconds),
        0.00995..0.9995 => format!("{:.0} ms", 1e3 * seconds),
        _ => format!("{seconds:.1} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_an_even_number_is_between_two() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0]), Some(2.5));
    }

    #[test]
    fn digits_follow_the_size() {
        assert_eq!(percent(0.0004), "0.04");
        assert_eq!(percent(0.0123), "1.2");
        assert_eq!(percent(0.5), "50");
        assert_eq!(cycles(-0.25), "-0.250");
        assert_eq!(cycles(33.375), "33.38");
        assert_eq!(cycles(333.38), "333.4");
        assert_eq!(truth(1.0 / 3.0), "0.33");
        assert_eq!(truth(100.0), "100");
        assert_eq!(time(0.0012), "1.2 ms");
        assert_eq!(time(0.19), "190 ms");
        assert_eq!(time(8.25), "8.2 s");
    }
}
