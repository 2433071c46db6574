//! Figures as cells of a table.

pub use tourbillon_present::number::{count, trimmed};
use tourbillon_report::{Figure, Style};

/// A time in nanoseconds with three digits; empty if unknown.
pub fn time(ns: Option<f64>, style: &Style) -> String {
    let shown = |value| {
        let half_width = None;
        Figure { value, half_width }.time(style)
    };
    match ns {
        // "0.00 ns" would claim three digits.
        Some(0.0) => "0 ns".to_owned(),
        Some(ns) => shown(ns),
        None => String::new(),
    }
}

/// A time in nanoseconds as cycles of a core, with tenths below a hundred.
pub fn cycles(ns: Option<f64>, core_hz: Option<f64>) -> String {
    let (Some(ns), Some(hz)) = (ns, core_hz) else {
        return String::new();
    };
    let cycles = ns * hz * 1e-9;
    let decimals = usize::from(cycles.abs() < 99.95);
    grouped(&format!("{cycles:.decimals$}"))
}

/// A share as a percentage, `0.02 %`, `3.1 %`, `61 %`; from ten on as a factor, `79 x`.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 999.0 {
        return format!("{share:.0} x");
    }
    if percent > 0.0 && percent < 0.005 {
        return "<0.01 %".to_owned();
    }
    let decimals = match percent.abs() {
        ..0.095 => 2,
        ..9.95 => 1,
        _ => 0,
    };
    format!("{percent:.decimals$} %")
}

/// A frequency: `2.600 GHz`, `24.00 MHz`, `250.0 Hz`.
pub fn frequency(hz: f64) -> String {
    let (value, unit) = match hz {
        1e9.. => (hz * 1e-9, "GHz"),
        1e6.. => (hz * 1e-6, "MHz"),
        1e3.. => (hz * 1e-3, "kHz"),
        _ => (hz, "Hz"),
    };
    let decimals = match value {
        100.0.. => 1,
        10.0.. => 2,
        _ => 3,
    };
    format!("{value:.decimals$} {unit}")
}

/// A deviation or bound in parts per million with two digits.
pub fn ppm(ppm: f64) -> String {
    let decimals = match ppm.abs() {
        ..0.0995 => 3,
        ..0.995 => 2,
        ..9.95 => 1,
        _ => 0,
    };
    format!("{ppm:.decimals$} ppm")
}

/// Adds commas between the thousands before the decimal point.
fn grouped(number: &str) -> String {
    let whole = number.find('.').unwrap_or(number.len());
    let mut grouped = String::new();
    for (at, digit) in number.chars().enumerate() {
        let left = whole.saturating_sub(at);
        let first = !grouped.ends_with(|before: char| before.is_ascii_digit());
        if left > 0 && left.is_multiple_of(3) && !first {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_the_digits_that_they_deserve() {
        let style = Style::default();
        assert_eq!(time(Some(8.361), &style), "8.36 ns");
        assert_eq!(time(Some(4e6), &style), "4.00 ms");
        assert_eq!(time(Some(0.0), &style), "0 ns");
        assert_eq!(time(None, &style), "");
        assert_eq!(cycles(Some(8.361), Some(4e9)), "33.4");
        assert_eq!(cycles(Some(21_400.0), Some(4e9)), "85,600");
        assert_eq!(cycles(Some(8.361), None), "");
        for (share, expected) in [
            (0.0002, "0.02 %"),
            (0.031, "3.1 %"),
            (0.61, "61 %"),
            (0.0, "0.00 %"),
            (79.1, "79 x"),
            (1e-6, "<0.01 %"),
        ] {
            assert_eq!(percent(share), expected);
        }
        for (hz, expected) in [
            (2.6e9, "2.600 GHz"),
            (24e6, "24.00 MHz"),
            (250.0, "250.0 Hz"),
            (14_318_180.0, "14.32 MHz"),
        ] {
            assert_eq!(frequency(hz), expected);
        }
        for (value, expected) in [(-0.012, "-0.012 ppm"), (0.4, "0.40 ppm"), (31.0, "31 ppm")] {
            assert_eq!(ppm(value), expected);
        }
        assert_eq!(grouped("-1234.5678"), "-1,234.5678");
        assert_eq!(grouped("-123"), "-123");
    }
}
