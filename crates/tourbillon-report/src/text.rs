//! Text that grows by words and numbers.

use std::fmt::{self, Write};

use crate::Style;
use crate::escape::push_safe;
use crate::number::{SLACK, rounded};

/// Appends formatted text; one function for all callers instead of the same code in each.
#[inline(never)]
pub(crate) fn append(text: &mut String, arguments: fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = text.write_fmt(arguments);
}

/// Whether two texts are the same, for the same reason.
#[inline(never)]
pub(crate) fn same(a: &str, b: &str) -> bool {
    a == b
}

/// A text without the ASCII white space at its end, for the same reason.
#[inline(never)]
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_ascii_end()
}

/// Appends a text, for the same reason.
#[inline(never)]
pub(crate) fn push(text: &mut String, other: &str) {
    text.push_str(other);
}

/// The items of a line, divided by line feeds: no escaped text has one.
///
/// Written by one call for each word or number, not by format strings: this crate is compiled into
/// every bench binary, and a format string costs the compiler several times as much. Not inlined for
/// the same reason.
#[derive(Default)]
pub(crate) struct Text {
    pub(crate) string: String,
    /// Whether characters beyond ASCII may be used.
    unicode: bool,
}

impl Text {
    pub(crate) fn new(style: &Style) -> Text {
        Text {
            string: String::new(),
            unicode: style.unicode,
        }
    }

    /// Begins the next item.
    #[inline(never)]
    pub(crate) fn item(&mut self) -> &mut Text {
        if self.string.is_empty() {
            self
        } else {
            self.say("\n")
        }
    }

    /// Words of this crate.
    #[inline(never)]
    pub(crate) fn say(&mut self, words: &str) -> &mut Text {
        self.string.push_str(words);
        self
    }

    /// Words of others, escaped.
    #[inline(never)]
    pub(crate) fn safe(&mut self, words: &str) -> &mut Text {
        push_safe(&mut self.string, words, self.unicode);
        self
    }

    #[inline(never)]
    pub(crate) fn number(&mut self, n: u64) -> &mut Text {
        append(&mut self.string, format_args!("{n}"));
        self
    }

    pub(crate) fn signed(&mut self, n: i64) -> &mut Text {
        append(&mut self.string, format_args!("{n}"));
        self
    }

    pub(crate) fn hexadecimal(&mut self, n: u64) -> &mut Text {
        append(&mut self.string, format_args!("{n:x}"));
        self
    }

    /// Two digits at least.
    fn two_digits(&mut self, n: u64) -> &mut Text {
        append(&mut self.string, format_args!("{n:02}"));
        self
    }

    /// A number with so many decimals.
    #[inline(never)]
    pub(crate) fn decimal(&mut self, value: f64, decimals: usize) -> &mut Text {
        append(&mut self.string, format_args!("{value:.decimals$}"));
        self
    }

    /// A count with commas between the thousands: `1,638,400`.
    #[inline(never)]
    pub(crate) fn count(&mut self, n: u64) -> &mut Text {
        if n < 1000 {
            return self.number(n);
        }
        self.count(n / 1000);
        append(&mut self.string, format_args!(",{:03}", n % 1000));
        self
    }

    /// A count with its noun, given in the singular: `1 launch`, `20 launches`.
    #[inline(never)]
    pub(crate) fn counted(&mut self, n: u64, noun: &str) -> &mut Text {
        let ending = match n {
            1 => "",
            _ if matches!(noun.as_bytes(), [.., b'c', b'h'] | [.., b's', b's']) => "es",
            _ => "s",
        };
        self.count(n).say(" ").say(noun).say(ending)
    }

    /// A stretch of wall time, given in nanoseconds, as people say it: `340 ms`, `7.4 s`, `83 s`,
    /// `2 min 05 s`, `1 h 02 min`. Rounded; for what a run takes, not for what is measured.
    #[inline(never)]
    pub(crate) fn duration(&mut self, ns: u64) -> &mut Text {
        let rounded_to = |unit: u64| ns / unit + u64::from(ns % unit >= unit / 2);
        let seconds = rounded_to(1_000_000_000);
        if rounded_to(1_000_000) < 1000 {
            self.number(rounded_to(1_000_000)).say(" ms")
        } else if rounded_to(100_000_000) < 100 {
            self.decimal(rounded_to(100_000_000) as f64 / 10.0, 1)
                .say(" s")
        } else if seconds < 100 {
            self.number(seconds).say(" s")
        } else if seconds < 3600 {
            self.number(seconds / 60).say(" min ");
            self.two_digits(seconds % 60).say(" s")
        } else {
            let minutes = rounded_to(60_000_000_000);
            self.number(minutes / 60).say(" h ");
            self.two_digits(minutes % 60).say(" min")
        }
    }

    /// A fraction as a percentage to the nearest: `0.2 %`, `1.9 %`, `61 %`.
    #[inline(never)]
    pub(crate) fn percent(&mut self, fraction: f64) -> &mut Text {
        let percent = fraction * 100.0;
        self.decimal(percent, usize::from(percent.abs() < 9.95))
            .say(" %")
    }

    /// A fraction as a percentage that is never smaller than it: `0.04 %`, `0.2 %`, `1.9 %`, `12 %`.
    /// The finest that is claimed is 0.01 %.
    pub(crate) fn percent_at_most(&mut self, fraction: f64) -> &mut Text {
        self.bound((fraction * 100.0).max(0.01)).say(" %")
    }

    /// Parts per million, rounded up like a percentage: `±0.4 ppm` bounds an error.
    pub(crate) fn ppm(&mut self, ppm: f64) -> &mut Text {
        self.bound(ppm.abs()).say(" ppm")
    }

    /// A small positive number rounded up: hundredths below a tenth, tenths below ten, else whole.
    #[inline(never)]
    fn bound(&mut self, value: f64) -> &mut Text {
        let decimals = if value <= 0.09 + SLACK {
            2
        } else {
            usize::from(value <= 9.9 + SLACK)
        };
        self.decimal(rounded(value, decimals, true), decimals)
    }

    /// A confidence as a percentage that is never larger than it: `99 %`, `99.74 %`.
    pub(crate) fn confidence(&mut self, held: f64) -> &mut Text {
        // The shortest form of a number with two decimals has two at most.
        let percent = rounded(held * 100.0, 2, false);
        append(&mut self.string, format_args!("{percent} %"));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(say: impl Fn(&mut Text) -> &mut Text) -> String {
        let mut text = Text::default();
        say(&mut text);
        text.string
    }

    #[test]
    fn thousands_are_separated() {
        for (n, expected) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_638_400, "1,638,400"),
            (5_000_007, "5,000,007"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(said(|text| text.count(n)), expected);
        }
    }

    #[test]
    fn nouns_follow_their_number() {
        for (n, noun, expected) in [
            (1, "launch", "1 launch"),
            (2_000, "launch", "2,000 launches"),
            (0, "case", "0 cases"),
        ] {
            assert_eq!(said(|text| text.counted(n, noun)), expected);
        }
    }

    #[test]
    fn durations_round_into_the_next_unit() {
        for (ns, expected) in [
            (0, "0 ms"),
            (340_000_000, "340 ms"),
            (999_499_999, "999 ms"),
            (999_500_000, "1.0 s"),
            (7_449_999_999, "7.4 s"),
            (9_950_000_000, "10 s"),
            (99_499_999_999, "99 s"),
            (99_500_000_000, "1 min 40 s"),
            (125_000_000_000, "2 min 05 s"),
            (3_599_499_999_999, "59 min 59 s"),
            (3_599_500_000_000, "1 h 00 min"),
            (3_720_000_000_000, "1 h 02 min"),
            (u64::MAX, "5124095 h 35 min"),
        ] {
            assert_eq!(said(|text| text.duration(ns)), expected, "{ns}");
        }
    }

    #[test]
    fn percentages_are_rounded() {
        for (fraction, nearest, at_most) in [
            (0.0, "0.0 %", "0.01 %"),
            (0.000_41, "0.0 %", "0.05 %"),
            (0.0009, "0.1 %", "0.09 %"),
            (0.002, "0.2 %", "0.2 %"),
            (0.002_01, "0.2 %", "0.3 %"),
            (0.019, "1.9 %", "1.9 %"),
            (0.099, "9.9 %", "9.9 %"),
            (0.0996, "10 %", "10 %"),
            (0.61, "61 %", "61 %"),
            (1.385, "138 %", "139 %"),
        ] {
            assert_eq!(said(|text| text.percent(fraction)), nearest, "{fraction}");
            let bound = said(|text| text.percent_at_most(fraction));
            assert_eq!(bound, at_most, "{fraction}");
        }
    }

    #[test]
    fn a_confidence_is_not_exaggerated() {
        for (held, expected) in [
            (0.99, "99 %"),
            (0.999, "99.9 %"),
            (0.997_42, "99.74 %"),
            (0.992_187_5, "99.21 %"),
            (0.999_999, "99.99 %"),
            (1.0, "100 %"),
        ] {
            assert_eq!(said(|text| text.confidence(held)), expected);
        }
    }

    #[test]
    fn items_are_divided() {
        let two = said(|text| text.item().say("one").item().safe("t\nwo"));
        assert_eq!(two, "one\nt\\nwo");
    }
}
