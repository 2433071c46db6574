//! What the standard library's containers allocate, to the byte.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use tourbillon_mem::{count, footprint};

/// Blocks and bytes that a value owns; the reading is confirmed and nothing is left over.
#[track_caller]
fn owned<T>(make: impl FnMut() -> T) -> (u64, usize) {
    let footprint = footprint(make);
    assert!(footprint.is_confirmed(), "{footprint}");
    assert!(footprint.left_behind.is_empty(), "{footprint}");
    assert!(footprint.brought_in.is_empty(), "{footprint}");
    assert_eq!(footprint.inline_bytes, size_of::<T>() as u64);
    (
        footprint.owned.blocks,
        footprint.owned.requested_bytes as usize,
    )
}

#[test]
fn lists_own_their_capacity_in_one_block() {
    for n in [0, 1, 2, 3, 7, 8, 100, 4096, 1_000_003] {
        let blocks = u64::from(n > 0);
        assert_eq!(owned(|| Vec::<u8>::with_capacity(n)), (blocks, n));
        assert_eq!(owned(|| Vec::<u64>::with_capacity(n)), (blocks, 8 * n));
        assert_eq!(owned(|| Vec::<[u16; 3]>::with_capacity(n)), (blocks, 6 * n));
        assert_eq!(owned(|| vec![1_u32; n]), (blocks, 4 * n));
        assert_eq!(owned(|| vec![0_u32; n]), (blocks, 4 * n));
        assert_eq!(owned(|| vec![1_u32; n].into_boxed_slice()), (blocks, 4 * n));
        assert_eq!(owned(|| String::with_capacity(n)), (blocks, n));
        assert_eq!(owned(|| VecDeque::<u64>::with_capacity(n)), (blocks, 8 * n));
        assert_eq!(
            owned(|| BinaryHeap::<u64>::with_capacity(n)),
            (blocks, 8 * n)
        );
    }
}

/// A list that is pushed to has room for 4 at first, then doubles; for 8 if its items are bytes.
#[test]
fn pushed_lists_own_powers_of_two() {
    let capacity = |n: usize, least: usize| match n {
        0 => 0,
        n => n.next_power_of_two().max(least),
    };
    for n in 0..200 {
        let blocks = u64::from(n > 0);
        let words = || {
            let mut list = Vec::new();
            (0..n as u64).for_each(|item| list.push(item));
            list
        };
        assert_eq!(owned(words), (blocks, 8 * capacity(n, 4)));
        let bytes = || {
            let mut list = Vec::new();
            (0..n as u8).for_each(|item| list.push(item));
            list
        };
        assert_eq!(owned(bytes), (blocks, capacity(n, 8)));
    }
}

/// Two counters before the value.
#[repr(C)]
struct Shared<T> {
    strong: usize,
    weak: usize,
    value: T,
}

#[repr(align(64))]
#[derive(Clone, Default)]
struct CacheLine {
    _byte: u8,
}

#[test]
fn pointers_own_their_value_and_their_counters() {
    assert_eq!(owned(|| Box::new(1_u8)), (1, 1));
    assert_eq!(owned(|| Box::new([1_u64; 9])), (1, 72));
    assert_eq!(
        owned(|| Box::new(Box::new(1_u16))),
        (2, 2 + size_of::<usize>())
    );
    assert_eq!(owned(|| Rc::new(1_u8)), (1, size_of::<Shared<u8>>()));
    assert_eq!(owned(|| Rc::new(1_u64)), (1, size_of::<Shared<u64>>()));
    assert_eq!(
        owned(|| Arc::new([1_u8; 17])),
        (1, size_of::<Shared<[u8; 17]>>())
    );
    assert_eq!(
        owned(|| Arc::new(CacheLine::default())),
        (1, size_of::<Shared<CacheLine>>())
    );
    let text = size_of::<Shared<[u8; 5]>>();
    assert_eq!(owned(|| Rc::<str>::from("hello")), (1, text));
}

#[test]
fn what_has_no_size_or_a_large_alignment_is_exact_too() {
    assert_eq!(owned(|| Box::new(())), (0, 0));
    assert_eq!(owned(|| vec![(); 1000]), (0, 0));
    assert_eq!(owned(|| Box::new(CacheLine::default())), (1, 64));
    assert_eq!(owned(|| vec![CacheLine::default(); 5]), (1, 320));
    #[repr(align(8192))]
    struct Pages {
        _byte: u8,
    }
    assert_eq!(owned(|| Box::new(Pages { _byte: 1 })), (1, 8192));
}

/// How the standard library's tree lays its nodes out: eleven pairs, and twelve children.
#[expect(dead_code, reason = "only its size is looked at")]
struct Leaf<K, V> {
    parent: usize,
    keys: [K; 11],
    values: [V; 11],
    index: u16,
    length: u16,
}

#[expect(dead_code, reason = "only its size is looked at")]
struct Inner<K, V> {
    pairs: Leaf<K, V>,
    children: [usize; 12],
}

#[test]
fn trees_own_their_nodes() {
    let (leaf, inner) = (size_of::<Leaf<u64, u64>>(), size_of::<Inner<u64, u64>>());
    let table = [
        (0, (0, 0)),
        (1, (1, leaf)),
        (11, (1, leaf)),
        (12, (3, 2 * leaf + inner)),
        // Ascending keys leave six in a leaf and move one up: the 19th splits the second leaf.
        (18, (3, 2 * leaf + inner)),
        (19, (4, 3 * leaf + inner)),
    ];
    for (n, expected) in table {
        let tree = || {
            let mut tree = BTreeMap::new();
            (0..n).for_each(|key: u64| {
                tree.insert(key, key);
            });
            tree
        };
        assert_eq!(owned(tree), expected, "{n} items");
    }
    let set = || {
        (0..5_u8).fold(BTreeSet::new(), |mut set, key| {
            set.insert(key);
            set
        })
    };
    assert_eq!(owned(set), (1, size_of::<Leaf<u8, ()>>()));
}

/// How many nodes of a level hold so many keys that came in ascending order: a full node of eleven is
/// split when the twelfth comes, keeps six, and hands the one above them to the level above.
fn nodes(keys: usize) -> usize {
    match keys {
        0 => 0,
        1..=11 => 1,
        _ => 2 + (keys - 12) / 7,
    }
}

#[test]
fn deep_trees_own_their_nodes_level_by_level() {
    let (leaf, inner) = (size_of::<Leaf<u32, u16>>(), size_of::<Inner<u32, u16>>());
    for n in [29_usize, 89, 100, 256, 1000, 4096, 10_000, 100_000] {
        let leaves = nodes(n);
        let (mut inners, mut keys) = (0, leaves - 1);
        while keys > 0 {
            let level = nodes(keys);
            inners += level;
            keys = level - 1;
        }
        let expected = ((leaves + inners) as u64, leaves * leaf + inners * inner);
        let tree = || {
            let mut tree = BTreeMap::new();
            (0..n as u32).for_each(|key| {
                tree.insert(key, key as u16);
            });
            tree
        };
        assert_eq!(owned(tree), expected, "{n} items");
    }
}

#[test]
fn rings_that_are_pushed_to_own_powers_of_two() {
    for n in 0..100_usize {
        let ring = || {
            let mut ring = VecDeque::new();
            (0..n as u64).for_each(|item| ring.push_front(item));
            ring
        };
        let room = if n == 0 {
            0
        } else {
            n.next_power_of_two().max(4)
        };
        assert_eq!(owned(ring), (u64::from(n > 0), 8 * room), "{n} items");
    }
}

/// Buckets that the standard library's table has for so many items: full to seven eighths at most.
fn buckets(items: usize) -> usize {
    match items {
        0 => 0,
        1..=3 => 4,
        4..=7 => 8,
        _ => (items * 8 / 7).next_power_of_two(),
    }
}

/// One byte of control for each bucket and a group of them more, after the buckets.
fn table_bytes(items: usize, item_bytes: usize) -> usize {
    let group = if cfg!(target_feature = "sse2") { 16 } else { 8 };
    match buckets(items) {
        0 => 0,
        buckets => (buckets * item_bytes).next_multiple_of(group) + buckets + group,
    }
}

#[test]
fn tables_own_their_buckets() {
    let sizes = [0, 1, 3, 4, 7, 8, 14, 15, 28, 29, 56, 57, 1000, 10_000];
    for n in sizes {
        let blocks = u64::from(n > 0);
        let reserved = || HashMap::<u64, u64>::with_capacity(n);
        assert_eq!(
            owned(reserved),
            (blocks, table_bytes(n, 16)),
            "{n} reserved"
        );
        let filled = || {
            let mut table = HashMap::new();
            (0..n as u64).for_each(|key| {
                table.insert(key, key);
            });
            table
        };
        assert_eq!(owned(filled), (blocks, table_bytes(n, 16)), "{n} items");
        let set = || (0..n as u64).collect::<HashSet<u64>>();
        assert_eq!(owned(set), (blocks, table_bytes(n, 8)), "{n} in a set");
    }
}

#[test]
fn linked_lists_own_a_block_for_each_item() {
    let list = || (0..10_u64).collect::<LinkedList<u64>>();
    assert_eq!(owned(list), (10, 10 * (8 + 2 * size_of::<usize>())));
}

#[test]
fn growing_is_told_apart_from_allocating() {
    let (list, used) = count(|| {
        let mut list = Vec::new();
        (0..100_u64).for_each(|item| list.push(item));
        list
    });
    // 4, then 8, 16, 32, 64 and 128 items.
    assert_eq!(used.allocs, 1);
    assert_eq!(used.reallocs_in_place + used.reallocs_moved, 5);
    assert_eq!(used.allocated_bytes, 128 * 8);
    assert_eq!((used.frees, used.freed_bytes), (0, 0));
    assert_eq!((used.peak_bytes, used.peak_blocks), (1024, 1));
    assert_eq!(used.sizes.first(), [32, 64, 128, 256, 512, 1024]);
    assert_eq!(list.capacity(), 128);
}
