//! A histogram of the differences with logarithmic axes.

use tourbillon_report::{Style, display_width};

use super::SourceDeltas;

use crate::clocks::cells;

/// Classes per decade.
const PER_DECADE: f64 = 4.0;

/// Differences of about one size.
struct Class {
    label: String,
    count: u64,
}

/// One line for each class from the smallest to the largest size, empty ones included.
pub(super) fn render(apart: &SourceDeltas, style: &Style) -> String {
    let classes = classes(apart, style);
    let labels = classes.iter().map(|class| display_width(&class.label));
    let label = labels.max().unwrap_or(0);
    let counts = classes.iter().map(|class| cells::count(class.count).len());
    let count = counts.max().unwrap_or(0);
    let room = style
        .width
        .max(Style::NARROWEST)
        .saturating_sub(label + count + 4);
    let most = classes
        .iter()
        .map(|class| height(class.count))
        .fold(0.0, f64::max);
    let mut picture = String::new();
    for class in &classes {
        let blank = label - display_width(&class.label);
        let number = match class.count {
            0 => String::new(),
            some => cells::count(some),
        };
        let bar = bar(height(class.count) / most, room, style.unicode);
        let line = format!("{:blank$}{}  {number:>count$}  {bar}", "", class.label);
        picture.push_str(line.trim_end());
        picture.push('\n');
    }
    picture
}

fn classes(apart: &SourceDeltas, style: &Style) -> Vec<Class> {
    let deltas = &apart.reads;
    let mut classes = Vec::new();
    let negative = deltas.negatives().count;
    if negative > 0 {
        classes.push(Class {
            label: "below 0".to_owned(),
            count: negative,
        });
    }
    if deltas.zeros() > 0 {
        classes.push(Class {
            label: "0".to_owned(),
            count: deltas.zeros(),
        });
    }
    // Class n holds the sizes from 10^(n / 4) to the next.
    let mut sizes: Vec<(i32, u64)> = Vec::new();
    for (ticks, count) in deltas.rows().filter(|&(ticks, _)| ticks > 0) {
        let class = (apart.size(ticks).log10() * PER_DECADE + 1e-9).floor() as i32;
        match sizes.last_mut() {
            Some((last, total)) if *last == class => *total += count,
            _ => sizes.push((class, count)),
        }
    }
    let Some(&(first, _)) = sizes.first() else {
        return classes;
    };
    let last = sizes.last().map_or(first, |&(class, _)| class);
    let from = if style.unicode { "≥ " } else { ">= " };
    for class in first..=last {
        let lower = 10_f64.powf(f64::from(class) / PER_DECADE);
        let found = sizes.iter().find(|(of, _)| *of == class);
        classes.push(Class {
            label: format!("{from}{}", apart.shown(lower, style)),
            count: found.map_or(0, |&(_, count)| count),
        });
    }
    classes
}

/// 1 for a count of one, and 1 more for each factor of ten.
fn height(count: u64) -> f64 {
    match count {
        0 => 0.0,
        count => 1.0 + (count as f64).log10(),
    }
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
mod tests {
    use tourbillon_timers::characterise::Deltas;

    use super::super::scripted;
    use super::*;

    fn picture(counts: &[(i128, u64)], style: &Style) -> String {
        let apart = SourceDeltas {
            reads: Deltas::of_counts(counts),
            ..scripted::apart()
        };
        render(&apart, style)
    }

    #[test]
    fn sizes_and_counts_are_on_logarithmic_scales() {
        let counts = [(-1, 1), (0, 1_000), (1, 100), (17, 1), (100, 10)];
        let style = Style {
            width: 30,
            ..Style::default()
        };
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
}
