//! Short forms of what `scripts/sim.sh` shows: the same functions, fewer repeats.

mod intervals;
mod percentiles;
mod sweeps;
mod verdicts;

use sim::{Repeats, Table};

/// So many repeats, always the same.
fn repeats(count: u32) -> Repeats {
    Repeats {
        count,
        threads: 2,
        seed: 1,
    }
}

/// Everything is as it shall be, and the negative controls fail.
fn assert_right(tables: impl IntoIterator<Item = Table>) {
    for table in tables {
        assert!(table.wrong().is_empty(), "{table}\n{:#?}", table.wrong());
    }
}
