//! Random values, from a seed.

use nojson::Json;

/// A splitmix64 generator: every seed gives another, reproducible sequence.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.bits() & 1 == 1
    }

    /// Of every magnitude: with uniform bits small numbers would never come.
    pub(crate) fn whole(&mut self) -> u64 {
        let shift = self.below(64);
        if self.below(20) == 0 {
            u64::MAX
        } else {
            self.bits() >> shift
        }
    }

    pub(crate) fn whole32(&mut self) -> u32 {
        (self.whole() & u64::from(u32::MAX)) as u32
    }

    /// Any finite bit pattern: subnormal, negative zero, the largest.
    pub(crate) fn number(&mut self) -> f64 {
        loop {
            let value = f64::from_bits(self.bits());
            if value.is_finite() {
                return value;
            }
        }
    }

    /// A number that is not below 0.
    pub(crate) fn amount(&mut self) -> f64 {
        self.number().abs()
    }

    /// A number from 0 to 1.
    pub(crate) fn share(&mut self) -> f64 {
        self.below(1001) as f64 / 1000.0
    }

    /// An estimate and the ends of its interval, each there or not.
    pub(crate) fn interval(&mut self) -> [Option<f64>; 3] {
        let mut numbers = [self.amount(), self.amount(), self.amount()];
        numbers.sort_by(f64::total_cmp);
        let [lower, estimate, upper] = numbers;
        [estimate, lower, upper].map(|number| self.option(|_| number))
    }

    pub(crate) fn date(&mut self) -> String {
        let second = self.below(60);
        let zone = ["Z", "+05:30", ""][self.below(3)];
        [String::new(), format!("2026-11-26T01:02:{second:02}{zone}")][self.below(2)].clone()
    }

    pub(crate) fn text(&mut self) -> String {
        const PIECES: [&str; 20] = [
            "a",
            "Z",
            " ",
            "/",
            "..",
            "\"",
            "\\",
            "\\u",
            "\\ud800",
            "\n",
            "\r",
            "\t",
            "\0",
            "\u{1b}[31m",
            "\u{7f}",
            "\u{2028}",
            "\u{202e}",
            "é",
            "🦀",
            "\u{10ffff}",
        ];
        (0..self.below(12))
            .map(|_| PIECES[self.below(PIECES.len())])
            .collect()
    }

    pub(crate) fn texts(&mut self) -> Vec<String> {
        (0..self.below(4)).map(|_| self.text()).collect()
    }

    pub(crate) fn wholes(&mut self, count: usize) -> Vec<u64> {
        (0..count).map(|_| self.whole()).collect()
    }

    pub(crate) fn option<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.flag() { Some(make(self)) } else { None }
    }

    /// Fields of a newer writer; the names cannot be those of this version.
    pub(crate) fn unknown(&mut self) -> String {
        const VALUES: [&str; 6] = [
            "null",
            "18446744073709551616",
            "1.50",
            r#""\u00e9 \n""#,
            "[ 1, {} ]",
            r#"{"a" : [[]]}"#,
        ];
        let members: Vec<String> = (0..self.below(3))
            .map(|_| {
                let name = format!("x{}", self.text());
                format!("{}:{}", Json(&name), VALUES[self.below(VALUES.len())])
            })
            .collect();
        members.join(",")
    }
}
