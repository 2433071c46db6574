//! What holds for whatever is measured: of random values, and of random fields.

use std::collections::VecDeque;
use std::rc::Rc;

use tourbillon_mem::{
    FieldLayout, StructLayout, TypeLayout, count, footprint, footprint_by, footprint_of,
    slack_by_clone,
};

use crate::random::Random;

/// A value made of values.
#[expect(dead_code, reason = "values are there to own memory")]
enum Value {
    Nothing,
    Text(String),
    Boxed(Box<Value>),
    Shared(Rc<Value>),
    List(Vec<Value>),
    Ring(VecDeque<Value>),
}

/// A random value, and the blocks and bytes that it owns by what each part is made of.
fn value(random: &mut Random, depth: usize) -> (Value, u64, u64) {
    let word = size_of::<usize>() as u64;
    let one = size_of::<Value>() as u64;
    let kinds = if depth == 0 { 2 } else { 6 };
    let below = depth.saturating_sub(1);
    match random.below(kinds) {
        0 => (Value::Nothing, 0, 0),
        1 => {
            let room = random.below(300);
            let text = String::with_capacity(room);
            (Value::Text(text), u64::from(room > 0), room as u64)
        }
        2 => {
            let (inner, blocks, bytes) = value(random, below);
            (Value::Boxed(Box::new(inner)), blocks + 1, bytes + one)
        }
        3 => {
            let (inner, blocks, bytes) = value(random, below);
            let counters = 2 * word;
            let shared = Value::Shared(Rc::new(inner));
            (shared, blocks + 1, bytes + one + counters)
        }
        kind => {
            let items = random.below(4);
            let room = items + random.below(3);
            let mut blocks = u64::from(room > 0);
            let mut bytes = room as u64 * one;
            let mut list = Vec::with_capacity(room);
            for _ in 0..items {
                let (item, item_blocks, item_bytes) = value(random, below);
                list.push(item);
                blocks += item_blocks;
                bytes += item_bytes;
            }
            let list = if kind == 4 {
                Value::List(list)
            } else {
                Value::Ring(VecDeque::from(list))
            };
            (list, blocks, bytes)
        }
    }
}

#[test]
fn a_value_owns_the_sum_of_what_its_parts_own() {
    for seed in 0..300 {
        let (made, blocks, bytes) = value(&mut Random(seed), 4);
        drop(made);
        let cost = footprint(|| value(&mut Random(seed), 4).0);
        assert!(cost.is_confirmed(), "seed {seed}: {cost}");
        let owned = (cost.owned.blocks, cost.owned.requested_bytes);
        assert_eq!(owned, (blocks, bytes), "seed {seed}");
        assert!(cost.left_behind.is_empty() && cost.brought_in.is_empty());
        if let Some(usable) = cost.owned.usable_bytes {
            assert!(usable >= bytes, "seed {seed}");
        }
        // However it is asked.
        let dropped = footprint_of(value(&mut Random(seed), 4).0);
        assert_eq!((dropped.blocks, dropped.requested_bytes), (blocks, bytes));
        let (made, built) = count(|| value(&mut Random(seed), 4).0);
        assert_eq!(built.live_blocks(), blocks as i64, "seed {seed}");
        assert_eq!(built.live_bytes(), bytes as i64, "seed {seed}");
        drop(made);
    }
}

#[test]
fn values_side_by_side_own_what_each_does() {
    for seed in 0..100 {
        let of = |seed| {
            footprint(|| value(&mut Random(seed), 3).0)
                .owned
                .requested_bytes
        };
        let both = footprint(|| {
            let first = value(&mut Random(seed), 3).0;
            (first, value(&mut Random(seed + 1000), 3).0)
        });
        assert_eq!(both.owned.requested_bytes, of(seed) + of(seed + 1000));
    }
}

#[test]
fn slopes_and_slack_are_what_was_put_in() {
    let mut random = Random(7);
    for _ in 0..50 {
        let (base, each) = (random.below(100), 1 + random.below(100));
        let sizes = [0, 1 + random.below(50), 100 + random.below(1000)];
        let grown = footprint_by(&sizes, |n| {
            (vec![1_u8; base], Vec::<u8>::with_capacity(n * each))
        });
        assert_eq!(grown.per_item_bytes(), Some(each as f64));
        let inline = 2 * size_of::<Vec<u8>>();
        assert_eq!(grown.base_bytes(), Some((inline + base) as u64));

        let (used, unused) = (random.below(1000), random.below(1000));
        let mut list = Vec::<u16>::with_capacity(used + unused);
        list.resize(used, 1);
        let slack = slack_by_clone(list);
        assert_eq!(slack.slack_bytes, 2 * unused as u64);
    }
}

/// Where `repr(C)` would end fields in this order.
fn end_in_order(fields: &[FieldLayout], align_bytes: usize) -> usize {
    let end = fields.iter().fold(0_usize, |end, field| {
        end.next_multiple_of(field.align_bytes) + field.size_bytes
    });
    end.next_multiple_of(align_bytes)
}

/// The smallest of all orders.
fn smallest(fields: &mut [FieldLayout], fixed: usize, align_bytes: usize) -> usize {
    if fixed + 1 >= fields.len() {
        return end_in_order(fields, align_bytes);
    }
    let mut least = usize::MAX;
    for next in fixed..fields.len() {
        fields.swap(fixed, next);
        least = least.min(smallest(fields, fixed + 1, align_bytes));
        fields.swap(fixed, next);
    }
    least
}

#[test]
fn no_order_of_fields_is_smaller_than_the_best_one() {
    let mut random = Random(11);
    for _ in 0..300 {
        let mut fields: Vec<FieldLayout> = (0..random.below(7))
            .map(|_| {
                let align_bytes = 1 << random.below(5);
                FieldLayout {
                    name: "field",
                    type_name: "any",
                    offset_bytes: 0,
                    size_bytes: align_bytes * random.below(4),
                    align_bytes,
                }
            })
            .collect();
        let align_bytes = fields.iter().map(|field| field.align_bytes).max();
        let align_bytes = align_bytes.unwrap_or(1);
        let layout = StructLayout {
            whole: TypeLayout {
                name: "S",
                size_bytes: end_in_order(&fields, align_bytes),
                align_bytes,
                has_niche: false,
            },
            fields: fields.clone(),
        };
        let least = smallest(&mut fields, 0, align_bytes);
        assert_eq!(layout.best_bytes(), least, "{layout:?}");
        let ordered = layout.best_order();
        assert_eq!(end_in_order(&ordered, align_bytes), least, "{layout:?}");
    }
}
