//! `sides LOG`: what came of the comparisons of `scripts/sides.sh`, and what would have come of them with
//! other orders and names of the sides.

use std::process::ExitCode;

use sim::{Repeats, print_tables, recorded, redrawn, tried};

fn main() -> ExitCode {
    print_tables("sides", |log| {
        let all = recorded(log);
        let repeats = Repeats {
            count: 100,
            threads: 2,
            seed: 1,
        };
        Ok(vec![tried(&all), redrawn(&all, repeats)])
    })
}
