//! The differences of a source, grouped: rows of a table, and a histogram.

use std::collections::BTreeMap;

use tourbillon_clock::{Frequency, Ticks};
use tourbillon_report::{Style, display_width};
use tourbillon_timers::characterise::{Deltas, Interruptions};

use tourbillon_present::figure::known_time;
use tourbillon_present::number;

/// The result of `--deltas` for one source.
pub(in crate::clocks) struct SourceDeltas {
    pub(in crate::clocks) source: String,
    /// `None` if a tick has no fixed length.
    pub(in crate::clocks) frequency: Option<Frequency>,
    /// Differences of consecutive readings.
    pub(in crate::clocks) reads: Deltas,
    /// Lengths of empty pairs.
    pub(in crate::clocks) pairs: Deltas,
    /// The clock that watched interruptions, and the result.
    pub(in crate::clocks) watched_with: String,
    pub(in crate::clocks) interruptions: Option<Interruptions>,
}

impl SourceDeltas {
    /// The size of a difference in nanoseconds, or in ticks without a fixed length; with sign.
    pub(super) fn size(&self, ticks: i128) -> f64 {
        let Some(frequency) = self.frequency else {
            return ticks as f64;
        };
        // A difference of two 64-bit readings has 64 bits and a sign.
        let size = u64::try_from(ticks.unsigned_abs()).unwrap_or(u64::MAX);
        let ns = frequency.nanos(Ticks(size));
        if ticks < 0 { -ns } else { ns }
    }

    /// Such a size as text.
    pub(super) fn shown(&self, size: f64, style: &Style) -> String {
        match self.frequency {
            Some(_) => known_time(Some(size), style),
            None => number::fixed(size, 0) + " ticks",
        }
    }
}

/// Number of the most frequent differences that have a row of their own, as both ends have.
const OWN_ROWS: usize = 16;

/// Differences from `first` to `last` ticks, and their count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DeltaRow {
    pub(super) first: i128,
    pub(super) last: i128,
    pub(super) count: u64,
}

/// All differences in ascending order: the most frequent ones and both ends in rows of their own,
/// the rest between two of those in one row.
pub(super) fn rows(deltas: &Deltas) -> Vec<DeltaRow> {
    let all: Vec<(i128, u64)> = deltas.rows().collect();
    let mut by_count: Vec<usize> = (0..all.len()).collect();
    by_count.sort_by_key(|&at| std::cmp::Reverse(all[at].1));
    by_count.truncate(OWN_ROWS);
    let mut rows: Vec<DeltaRow> = Vec::new();
    let mut joins = false;
    for (at, &(ticks, count)) in all.iter().enumerate() {
        let own = at == 0 || at + 1 == all.len() || by_count.contains(&at);
        match rows.last_mut() {
            Some(row) if joins && !own => {
                row.last = ticks;
                row.count += count;
            }
            _ => rows.push(DeltaRow {
                first: ticks,
                last: ticks,
                count,
            }),
        }
        joins = !own;
    }
    rows
}

/// Classes per decade.
const PER_DECADE: f64 = 4.0;

/// One line for each class from the smallest to the largest size, empty ones included.
pub(super) fn render(measured: &SourceDeltas, style: &Style) -> String {
    let mut bars = Vec::new();
    let (mut label, mut count, mut most) = (0, 0, 0.0);
    for (text, deltas) in classes(measured, style) {
        // A count of one is 1 high, and each factor of ten adds 1.
        let (number, height) = match deltas {
            0 => (String::new(), 0.0),
            some => (number::count(some), 1.0 + (some as f64).log10()),
        };
        label = display_width(&text).max(label);
        count = number.len().max(count);
        most = f64::max(most, height);
        bars.push((text, number, height));
    }
    let width = style.width.max(Style::NARROWEST);
    let room = width.saturating_sub(label + count + 4);
    let mut picture = String::new();
    for (text, number, height) in &bars {
        let blank = label - display_width(text);
        let bar = bar(height / most, room, style.unicode);
        let line = format!("{:blank$}{text}  {number:>count$}  {bar}", "");
        picture.push_str(line.trim_end());
        picture.push('\n');
    }
    picture
}

/// Differences of about one size: a label, and their count.
fn classes(measured: &SourceDeltas, style: &Style) -> Vec<(String, u64)> {
    let deltas = &measured.reads;
    let special = [
        ("below 0".to_owned(), deltas.negatives().count),
        ("0".to_owned(), deltas.zeros()),
    ];
    let mut classes: Vec<(String, u64)> = special.into_iter().filter(|of| of.1 > 0).collect();
    // Class n holds the sizes from 10^(n / 4) to the next.
    let mut sizes: BTreeMap<i32, u64> = BTreeMap::new();
    for (ticks, count) in deltas.rows().filter(|&(ticks, _)| ticks > 0) {
        let class = (measured.size(ticks).log10() * PER_DECADE + 1e-9).floor() as i32;
        *sizes.entry(class).or_default() += count;
    }
    let (Some((&first, _)), Some((&last, _))) = (sizes.first_key_value(), sizes.last_key_value())
    else {
        return classes;
    };
    let from = if style.unicode { "≥ " } else { ">= " };
    for class in first..=last {
        let lower = 10_f64.powf(f64::from(class) / PER_DECADE);
        let label = format!("{from}{}", measured.shown(lower, style));
        classes.push((label, sizes.get(&class).copied().unwrap_or(0)));
    }
    classes
}

/// A bar over a share of the room, in eighths of a character with Unicode.
fn bar(share: f64, room: usize, unicode: bool) -> String {
    const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let eighths = (share * room as f64 * 8.0).round() as usize;
    if !unicode {
        return "#".repeat((eighths + 4) / 8);
    }
    let mut bar = "█".repeat(eighths / 8);
    if let Some(last) = (eighths % 8).checked_sub(1) {
        bar.push(EIGHTHS[last]);
    }
    bar
}

#[cfg(test)]
pub(super) mod scripted {
    use tourbillon_clock::FrequencyFrom;
    use tourbillon_timers::characterise::Gap;

    use super::*;

    /// A source of 100 MHz with some jitter, one step back, and interruptions.
    pub(in crate::clocks::deltas) fn source_deltas() -> SourceDeltas {
        let frequency =
            Frequency::new(100_000_000, 1, FrequencyFrom::Script, None).expect("it is not zero");
        let mut reads = Deltas::of_counts(&[(-3, 1), (0, 931_768), (1, 66_462), (2_412, 1)]);
        for ticks in 2..30 {
            reads.add(ticks, 1_155 / ticks.unsigned_abs() as u64);
        }
        let gaps: Vec<Gap> = (0..500)
            .map(|beat| Gap {
                at: Ticks(beat * 400_000),
                length: Ticks(2_300),
            })
            .collect();
        SourceDeltas {
            source: "scripted".to_owned(),
            frequency: Some(frequency),
            reads,
            pairs: Deltas::of_counts(&[(2, 9_999_000), (3, 990), (80, 9), (70_000, 1)]),
            watched_with: "tsc".to_owned(),
            interruptions: Interruptions::of(&gaps, Ticks(200_000_000), Ticks(100), &frequency),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(counts: &[(i128, u64)], style: &Style) -> String {
        let measured = SourceDeltas {
            reads: Deltas::of_counts(counts),
            ..scripted::source_deltas()
        };
        render(&measured, style)
    }

    #[test]
    fn sizes_and_counts_are_on_logarithmic_scales() {
        let counts = [(-1, 1), (0, 1_000), (1, 100), (17, 1), (100, 10)];
        let style = Style::of_width(30);
        assert_eq!(
            picture(&counts, &style),
            "  below 0      1  ███
        0  1,000  ████████████
≥ 10.0 ns    100  █████████
≥ 17.8 ns
≥ 31.6 ns
≥ 56.2 ns
 ≥ 100 ns      1  ███
 ≥ 178 ns
 ≥ 316 ns
 ≥ 562 ns
≥ 1.00 µs     10  ██████
"
        );
    }

    #[test]
    fn without_unicode_there_are_whole_characters() {
        let style = Style {
            width: 24,
            unicode: false,
            color: false,
            wide_tables: false,
        };
        let picture = picture(&[(0, 1_000_000), (1, 1)], &style);
        assert_eq!(picture, "         0  1,000,000  #\n>= 10.0 ns          1\n");
        assert_eq!(bar(0.5, 10, false), "#####");
        assert_eq!(bar(0.53, 10, true), "█████▎");
    }

    #[test]
    fn nothing_has_an_empty_picture() {
        assert_eq!(picture(&[], &Style::default()), "");
    }

    #[test]
    fn rare_differences_share_a_row_and_none_is_lost() {
        // 16 common ones, and rare ones before, between and after.
        let mut deltas = Deltas::of_counts(&[(-2, 1), (3, 1), (4, 2), (9_000, 1), (9_001, 1)]);
        for ticks in 10..26 {
            deltas.add(ticks, 1_000);
        }
        deltas.add(18, 1);
        deltas.add(27, 3);
        let rows = rows(&deltas);
        let total: u64 = rows.iter().map(|row| row.count).sum();
        assert_eq!(total, deltas.total());
        let row = |first, last, count| DeltaRow { first, last, count };
        assert_eq!(
            rows[..3],
            [row(-2, -2, 1), row(3, 4, 3), row(10, 10, 1_000)]
        );
        assert_eq!(
            rows[rows.len() - 2..],
            [row(27, 9_000, 4), row(9_001, 9_001, 1)]
        );
    }

    #[test]
    fn few_differences_have_a_row_each() {
        let deltas = Deltas::of_counts(&[(0, 5), (1, 1)]);
        assert_eq!(rows(&deltas).len(), 2);
        assert!(rows(&Deltas::default()).is_empty());
    }
}
