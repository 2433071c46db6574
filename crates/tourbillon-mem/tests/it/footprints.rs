//! Footprints: what is owned, left behind, brought in, and built once only.

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::{Rc, Weak};
use std::sync::{Arc, OnceLock};

use tourbillon_mem::{
    Confirmation, footprint, footprint_by, footprint_each, footprint_of, slack, slack_by_clone,
};

#[test]
fn parts_of_parts_are_owned() {
    let cost = footprint(|| vec![vec![1_u8; 10], vec![1_u8; 20], Vec::new()]);
    assert_eq!(cost.inline_bytes, size_of::<Vec<u8>>() as u64);
    assert_eq!(cost.owned.blocks, 3);
    let lists = 3 * size_of::<Vec<u8>>() as u64;
    assert_eq!(cost.owned.requested_bytes, lists + 30);
    assert_eq!(cost.total_bytes(), cost.inline_bytes + lists + 30);
    assert_eq!(cost.confirmation, Confirmation::Confirmed { after: 2 });
    assert_eq!(cost.first_only.map(|heap| heap.is_empty()), Some(true));
    assert_eq!(cost.building.allocs, 3);
    assert_eq!(cost.per_item_bytes(4), Some((lists + 30) as f64 / 4.0));
    assert_eq!(cost.per_item_bytes(0), None);
}

#[test]
fn what_building_used_for_a_while_is_not_owned() {
    let cost = footprint(|| {
        drop(black_box(vec![1_u8; 10_000]));
        Box::new(1_u64)
    });
    assert_eq!(cost.owned.requested_bytes, 8);
    assert_eq!(cost.building.peak_bytes, 10_000);
    assert_eq!(cost.building.freed_bytes, 10_000);
    assert_eq!(cost.transient_bytes(), 10_000 - 8);
    assert!(cost.to_string().contains("; 9.8 KiB more while building"));
    let straight = footprint(|| vec![1_u8; 100]);
    assert_eq!(straight.transient_bytes(), 0);
    assert!(!straight.to_string().contains("building"));
}

#[test]
fn a_leak_is_left_behind_by_every_build() {
    let cost = footprint(|| {
        let leaked: &'static mut [u8] = vec![1_u8; 100].leak();
        (black_box(leaked), Box::new(1_u32))
    });
    assert_eq!((cost.owned.blocks, cost.owned.requested_bytes), (1, 4));
    assert_eq!(
        (cost.left_behind.blocks, cost.left_behind.requested_bytes),
        (1, 100)
    );
    assert!(cost.is_confirmed() && cost.brought_in.is_empty());
    // What every build leaves is not the first one's.
    assert_eq!(cost.first_only.map(|heap| heap.is_empty()), Some(true));
    assert!(cost.to_string().contains("100 B in 1 block"), "{cost}");
    assert!(cost.to_string().contains("left behind"), "{cost}");
}

#[test]
fn a_cycle_is_left_behind() {
    #[derive(Default)]
    struct Node {
        next: RefCell<Option<Rc<Node>>>,
    }
    let cycle = footprint(|| {
        let node = Rc::new(Node::default());
        *node.next.borrow_mut() = Some(Rc::clone(&node));
        node
    });
    let node = (2 * size_of::<usize>() + size_of::<Node>()) as u64;
    assert!(cycle.owned.is_empty());
    assert_eq!(cycle.left_behind.requested_bytes, node);
    let chain = footprint(|| {
        let last = Rc::new(Node::default());
        let next = RefCell::new(Some(last));
        Rc::new(Node { next })
    });
    assert_eq!(chain.owned.requested_bytes, 2 * node);
    assert!(chain.left_behind.is_empty());
}

#[test]
fn shared_parts_are_not_owned_twice() {
    let outside = Arc::new([1_u8; 1000]);
    let cloned = footprint(|| Arc::clone(&outside));
    assert!(cloned.owned.is_empty() && cloned.left_behind.is_empty());
    let mut elsewhere: Option<Arc<[u8; 1000]>> = None;
    let kept = footprint(|| {
        let made = Arc::new([1_u8; 1000]);
        // The one that was kept before lives until here.
        elsewhere = Some(Arc::clone(&made));
        made
    });
    assert!(kept.owned.is_empty());
    // Each build frees what the one before had kept: net, only the first one leaves anything.
    let first = kept.first_only.map(|heap| heap.requested_bytes);
    assert_eq!(first, Some(1000 + 2 * size_of::<usize>() as u64));
    drop(elsewhere);
    // A weak pointer keeps the block, not the value.
    let mut weak: Vec<Weak<u64>> = Vec::with_capacity(10);
    let watched = footprint(|| {
        let made = Rc::new(1_u64);
        weak.push(Rc::downgrade(&made));
        made
    });
    assert_eq!(watched.left_behind.blocks, 1);
}

#[test]
fn what_is_moved_in_is_brought_in() {
    let mut pool: Vec<Vec<u8>> = (0..10).map(|_| vec![1; 50]).collect();
    let cost = footprint(|| (pool.pop(), Box::new(1_u16)));
    assert_eq!((cost.owned.blocks, cost.owned.requested_bytes), (2, 52));
    assert_eq!(
        (cost.brought_in.blocks, cost.brought_in.requested_bytes),
        (1, 50)
    );
    assert!(cost.to_string().contains("brought in"), "{cost}");
}

#[test]
fn what_is_initialised_once_is_the_first_builds() {
    static TABLE: OnceLock<Vec<u64>> = OnceLock::new();
    let cost = footprint(|| {
        let table = TABLE.get_or_init(|| vec![1; 500]);
        vec![table[0]; 3]
    });
    assert_eq!(cost.owned.requested_bytes, 24);
    assert!(cost.left_behind.is_empty());
    let first = cost.first_only.unwrap();
    assert_eq!((first.blocks, first.requested_bytes), (1, 4000));
    assert_eq!(cost.confirmation, Confirmation::Confirmed { after: 3 });
    assert!(
        cost.to_string().contains("by the first build only"),
        "{cost}"
    );
}

#[test]
fn a_value_that_is_never_the_same_is_not_confirmed() {
    let mut bytes = 0;
    let cost = footprint(|| {
        bytes += 10;
        vec![1_u8; bytes]
    });
    let expected = Confirmation::Varies {
        lowest_bytes: 10,
        highest_bytes: 100,
        tries: 10,
    };
    assert_eq!(cost.confirmation, expected);
    assert_eq!(cost.first_only, None);
    assert_eq!(cost.owned.requested_bytes, 100);
    let text = cost.to_string();
    assert!(
        text.ends_with("not confirmed: 10 B to 100 B owned in 10 builds"),
        "{text}"
    );
}

#[test]
fn a_value_can_be_measured_by_dropping_it() {
    assert_eq!(footprint_of(vec![1_u64; 5]).requested_bytes, 40);
    assert!(footprint_of(5_u64).is_empty());
    let made = std::thread::spawn(|| vec!["a".repeat(7), "b".repeat(8)]);
    let heap = footprint_of(made.join().unwrap());
    assert_eq!(heap.blocks, 3);
}

#[test]
fn usable_bytes_cover_those_requested() {
    for bytes in [1, 24, 25, 1000, 100_000, 1_000_000] {
        let owned = footprint(|| vec![1_u8; bytes]).owned;
        assert_eq!(owned.requested_bytes, bytes as u64);
        if let Some(usable) = owned.usable_bytes {
            assert!(usable >= bytes as u64, "{owned}");
        }
        if let (Some(chunk), Some(usable)) = (owned.chunk_bytes, owned.usable_bytes) {
            assert!(chunk > usable, "{owned}");
            assert_eq!(owned.overhead_bytes(), Some(chunk - bytes as u64));
        }
    }
}

/// The smallest block of glibc's is 32 bytes, of which 24 are usable; from there on in steps of 16.
/// What would be left of a larger free block is given with it if it is too small for a block.
#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
#[test]
fn what_glibc_takes_is_known() {
    if std::env::var_os("LD_PRELOAD").is_some() {
        // Another allocator, such as a memory checker's, may be in glibc's place.
        return;
    }
    for (bytes, least) in [(1, 24), (24, 24), (25, 40), (100, 104), (1000, 1000)] {
        let owned = footprint(|| Box::<[u8]>::from(vec![1; bytes])).owned;
        let usable = owned.usable_bytes.unwrap();
        assert!(usable == least || usable == least + 16, "{bytes}: {owned}");
        assert_eq!(owned.chunk_bytes, Some(usable + 8), "{bytes}");
    }
}

#[test]
fn alone_and_in_an_array() {
    let each = footprint_each(16, || (1_u8, 1_u8, 1_u8));
    assert_eq!(each.packed_bytes(), Some(3.0));
    assert_eq!(each.array.owned.blocks, 1);
    assert_eq!(each.alone.owned.requested_bytes, 3);
    assert!(each.aligned_bytes() >= 3);
    let texts = footprint_each(16, || "a".repeat(16));
    let text = size_of::<String>() as f64 + 16.0;
    assert_eq!(texts.packed_bytes(), Some(text));
    assert_eq!(texts.array.owned.blocks, 17);
    assert_eq!(footprint_each(0, || 1_u8).packed_bytes(), None);
}

#[test]
fn slopes_are_marginal_and_bases_are_of_nothing() {
    let lists = footprint_by(&[0, 1, 16, 256], |n| vec![1_u64; n]);
    assert_eq!(lists.base_bytes(), Some(size_of::<Vec<u64>>() as u64));
    assert_eq!(lists.per_item_bytes(), Some(8.0));
    assert_eq!(lists.marginal_bytes(0), None);
    assert_eq!(lists.marginal_bytes(2), Some(8.0));
    assert_eq!(lists.marginal_bytes(4), None);
    let one = footprint_by(&[5], |n| vec![1_u64; n]);
    assert_eq!((one.base_bytes(), one.per_item_bytes()), (None, None));
    let same = footprint_by(&[5, 5], |n| vec![1_u64; n]);
    assert_eq!(same.per_item_bytes(), None);
    let down = footprint_by(&[20, 10], |n| vec![1_u64; n]);
    assert_eq!(
        (down.per_item_bytes(), down.marginal_bytes(1)),
        (Some(8.0), Some(8.0))
    );
}

#[test]
fn slack_is_what_shrinking_or_cloning_saves() {
    let mut list = Vec::with_capacity(64);
    list.extend([1_u32; 16]);
    let by_clone = slack_by_clone(list.clone());
    assert_eq!((by_clone.owned_bytes, by_clone.slack_bytes), (64, 0));
    let by_clone = slack_by_clone({
        let mut same = Vec::with_capacity(64);
        same.extend_from_slice(&list);
        same
    });
    assert_eq!((by_clone.owned_bytes, by_clone.slack_bytes), (256, 192));
    let by_shrinking = slack(list, Vec::shrink_to_fit);
    assert_eq!(by_shrinking, by_clone);
    assert_eq!(by_shrinking.share(), Some(0.75));
    assert_eq!(
        by_shrinking.to_string(),
        "192 B slack of 256 B owned (75 %)"
    );
    let nothing = slack(5_u8, |_| ());
    assert_eq!(nothing.share(), None);
    assert_eq!(nothing.to_string(), "0 B slack of 0 B owned");
}
