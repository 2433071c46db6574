//! The rows of the table: common differences alone, rare ones grouped.

use tourbillon_timers::characterise::Deltas;

/// Number of the most frequent differences that have a row of their own, as both ends have.
const OWN_ROWS: usize = 16;

/// Differences from `first` to `last` ticks, and their count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) first: i128,
    pub(super) last: i128,
    pub(super) count: u64,
}

/// All differences in ascending order: the most frequent ones and both ends in rows of their own,
/// the rest between two of those in one row.
pub(super) fn rows(deltas: &Deltas) -> Vec<Row> {
    let all: Vec<(i128, u64)> = deltas.rows().collect();
    let mut by_count: Vec<usize> = (0..all.len()).collect();
    by_count.sort_by_key(|&at| std::cmp::Reverse(all[at].1));
    let mut own = vec![false; all.len()];
    let ends = [Some(0), all.len().checked_sub(1)];
    for at in by_count
        .into_iter()
        .take(OWN_ROWS)
        .chain(ends.into_iter().flatten())
    {
        if let Some(own) = own.get_mut(at) {
            *own = true;
        }
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut joins = false;
    for (&(ticks, count), own) in all.iter().zip(own) {
        match rows.last_mut() {
            Some(row) if joins && !own => {
                row.last = ticks;
                row.count += count;
            }
            _ => rows.push(Row {
                first: ticks,
                last: ticks,
                count,
            }),
        }
        joins = !own;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let row = |first, last, count| Row { first, last, count };
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
