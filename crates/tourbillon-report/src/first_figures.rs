//! Figures of a run that is not over.

use tourbillon_present::{Figure, Style, display_width, padded, shortened};

/// Columns of a mark, a time and the spaces before them.
const TIME: usize = 14;

/// A line without a line feed, which never wraps, for each case and what one op takes in nanoseconds, as far as is known.
pub fn first_figures(rows: &[(&str, f64)], style: &Style) -> Vec<String> {
    let room = style.columns_drawn_over().saturating_sub(TIME);
    let name = |name: &str| shortened(&style.safe(name), room, style.glyphs().ellipsis);
    let names: Vec<String> = rows.iter().map(|(own, _)| name(own)).collect();
    let width = names.iter().map(|name| display_width(name)).max();
    let line = |(name, (_, ns)): (&String, &(&str, f64))| {
        let time = Figure::new(*ns, None, None).time(style);
        format!("{}  ~ {time:>9}", padded(name, width.unwrap_or(0)))
    };
    names.iter().zip(rows).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_fit_into_the_terminal() {
        let rows = [
            ("a", 1.0),
            ("sort/100", 1_234.5),
            ("a_name_of_thirty_columns/100000", 0.5),
        ];
        let style = Style::of_width;
        assert_eq!(
            first_figures(&rows[..2], &style(80)),
            ["a         ~   1.00 ns", "sort/100  ~   1.23 µs"]
        );
        let narrow = first_figures(&rows[1..], &style(30));
        assert_eq!(narrow.len(), 2);
        assert!(
            narrow.iter().all(|line| display_width(line) <= 27),
            "{narrow:?}"
        );
        assert!(narrow[1].contains('…'), "{narrow:?}");
        assert_eq!(first_figures(&[], &style(80)), [""; 0]);
    }
}
