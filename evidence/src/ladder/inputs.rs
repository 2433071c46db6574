//! A rung that measures one input.

use examples::search::{Draw, FETCHED, item, odd, search};

use super::{Rung, right};

/// Items in the array.
const ITEMS: u32 = 25_600;

pub(super) fn same_input() -> Rung {
    let array = odd(ITEMS);
    let same = item(ITEMS / 3);
    let wrong = right(|| search(&array, tourbillon::hide(same)));
    let mut draw = Draw::new(1);
    let items: Vec<u32> = (0..FETCHED).map(|_| item(draw.below(ITEMS))).collect();
    let mut at = 0;
    let stream = right(move || {
        let item = items[at % FETCHED];
        at += 1;
        search(&array, item)
    });
    Rung::new(
        "9 always the same input",
        wrong,
        stream,
        "A binary search for the same item again and again: the branch predictor knows the way by \
         heart. With items in random order, prepared before, it does not.",
    )
}
