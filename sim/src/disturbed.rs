use tourbillon_analysis::Criteria;

use crate::verdicts::Tally;
use crate::{Change, Claim, Comparison, Machine, Order, Repeats, Table, Turns};

/// Rounds after which a comparison ends undecided: half a second.
const MOST_ROUNDS: u64 = 2_048;

/// Functions that take the same time, of which the second is slower after the first than after itself.
pub fn disturbed_functions(repeats: Repeats) -> Table {
    let repeats = repeats.quarter();
    let mut table = Table::new(
        "Functions that take the same time alone, the second slower after the first by so much",
        &[
            "machine and disturbance",
            "turns stay short: called different",
            "and noted",
            "longer turns: called different",
            "turns made longer",
            "noted to the end",
            "half decided in",
        ],
    );
    let terms = Criteria::FUNCTIONS;
    let mut number = 0;
    // What is not seen at the first looks is taken for the code: more of it where noise hides it.
    for (name, noise, missed) in [("noise 0.2 %", 0.002, 0.01), ("noise 1 %", 0.01, 0.15)] {
        for disturbed in [0.0, 0.01, 0.03] {
            let machine = Machine {
                noise,
                disturbed,
                ..Machine::default()
            };
            let own = repeats.for_cell(300 + number);
            number += 1;
            let tally = |turns| {
                let comparison = Comparison {
                    machine: &machine,
                    change: Change::Times(1.0),
                    order: Order::Coin,
                    turns,
                };
                Tally::of(own, |seed| comparison.functions(terms, MOST_ROUNDS, seed).1)
            };
            let (short, longer) = (tally(Turns::Short), tally(Turns::Longer));
            table.row(&format!("{name}: {:.0} %", 100.0 * disturbed));
            // The negative control: where the disturbance is large, it is taken for the code.
            let expected = if disturbed > 0.02 {
                Claim::FailsAbove(0.5)
            } else {
                Claim::Shown { upper: true }
            };
            table.share(short.different(), expected);
            table.share(short.disturbed(), Claim::Shown { upper: false });
            table.share(longer.different(), Claim::AtMost(missed));
            table.share(longer.lengthened(), Claim::Shown { upper: false });
            table.share(longer.disturbed(), Claim::Shown { upper: true });
            table.text(longer.seconds(0.5));
        }
    }
    table
}
