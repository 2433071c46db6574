//! Random programs of allocations, against a ledger that is kept by hand.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};
use std::hint::black_box;

use tourbillon_mem::{Counts, tally, tally_process};

use crate::random::Random;

/// Mostly small, now and then larger than what allocators keep in their small bins.
fn size(random: &mut Random) -> usize {
    let limit = [16, 200, 5000, 300_000][random.below(4)];
    1 + random.below(limit)
}

/// A block, its layout, and the byte that it is filled with.
struct Block {
    address: *mut u8,
    layout: Layout,
    fill: u8,
}

/// What ought to be counted, by the plainest means.
#[derive(Default)]
struct Ledger {
    counts: Counts,
    live: i64,
    live_blocks: i64,
}

impl Ledger {
    fn live(&mut self, bytes: i64, blocks: i64) {
        self.live += bytes;
        self.live_blocks += blocks;
        self.counts.peak_bytes = self.counts.peak_bytes.max(self.live.max(0) as u64);
        self.counts.peak_blocks = self.counts.peak_blocks.max(self.live_blocks.max(0) as u64);
    }

    /// Adds what happened after all that is here.
    fn append(&mut self, later: &Self) {
        let (mine, theirs) = (&mut self.counts, &later.counts);
        mine.allocs += theirs.allocs;
        mine.frees += theirs.frees;
        mine.reallocs_in_place += theirs.reallocs_in_place;
        mine.reallocs_moved += theirs.reallocs_moved;
        mine.allocated_bytes += theirs.allocated_bytes;
        mine.freed_bytes += theirs.freed_bytes;
        mine.copied_bytes += theirs.copied_bytes;
        let (live, live_blocks) = (self.live, self.live_blocks);
        self.live(theirs.peak_bytes as i64, theirs.peak_blocks as i64);
        (self.live, self.live_blocks) = (live, live_blocks);
        self.live(later.live, later.live_blocks);
    }
}

/// Runs so many random steps, whose bookkeeping must not allocate: blocks are kept in `held`.
fn run(random: &mut Random, steps: usize, held: &mut Vec<Block>, ledger: &mut Ledger) {
    for _ in 0..steps {
        let full = held.len() == held.capacity();
        match random.below(4) {
            0 | 1 if !full => {
                let align = 1 << random.below(13);
                let layout =
                    Layout::from_size_align(size(random), align).expect("a size that exists");
                let zeroed = random.below(4) == 0;
                // SAFETY: the size of the layout is not zero.
                let address = unsafe {
                    if zeroed {
                        alloc_zeroed(layout)
                    } else {
                        alloc(layout)
                    }
                };
                let address = black_box(address);
                assert!(!address.is_null() && address.addr() % align == 0);
                if zeroed {
                    // SAFETY: the block has so many bytes, all of them zero.
                    assert_eq!(unsafe { address.add(layout.size() - 1).read() }, 0);
                }
                let fill = random.next() as u8;
                // SAFETY: the block has so many bytes.
                unsafe { address.write_bytes(fill, layout.size()) };
                held.push(Block {
                    address,
                    layout,
                    fill,
                });
                ledger.counts.allocs += 1;
                ledger.counts.allocated_bytes += layout.size() as u64;
                ledger.live(layout.size() as i64, 1);
            }
            2 if !held.is_empty() => {
                let index = random.below(held.len());
                let block = held.swap_remove(index);
                check(&block);
                // SAFETY: allocated above with this layout, and not freed since.
                unsafe { dealloc(block.address, block.layout) };
                ledger.counts.frees += 1;
                ledger.counts.freed_bytes += block.layout.size() as u64;
                ledger.live(-(block.layout.size() as i64), -1);
            }
            3 if !held.is_empty() => {
                let index = random.below(held.len());
                resize(random, &mut held[index], ledger);
            }
            _ => {}
        }
    }
}

fn resize(random: &mut Random, block: &mut Block, ledger: &mut Ledger) {
    let (old, new) = (block.layout.size(), size(random));
    let before = block.address.addr();
    // SAFETY: allocated above with this layout, and not freed since; the new size is not zero.
    let address = black_box(unsafe { realloc(block.address, block.layout, new) });
    assert!(!address.is_null());
    block.address = address;
    block.layout =
        Layout::from_size_align(old.min(new), block.layout.align()).expect("a size that exists");
    check(block);
    block.layout = Layout::from_size_align(new, block.layout.align()).expect("a size that exists");
    // SAFETY: the block has so many bytes now.
    unsafe { address.write_bytes(block.fill, new) };
    if address.addr() == before {
        ledger.counts.reallocs_in_place += 1;
    } else {
        ledger.counts.reallocs_moved += 1;
        ledger.counts.copied_bytes += old.min(new) as u64;
    }
    ledger.counts.allocated_bytes += new.saturating_sub(old) as u64;
    ledger.counts.freed_bytes += old.saturating_sub(new) as u64;
    ledger.live(new as i64 - old as i64, 0);
}

/// The block still holds what was written to it.
fn check(block: &Block) {
    for index in [0, block.layout.size() - 1] {
        // SAFETY: the block has so many bytes.
        let byte = unsafe { block.address.add(index).read() };
        assert_eq!(byte, block.fill);
    }
}

fn free_all(held: &mut Vec<Block>) {
    for block in held.drain(..) {
        // SAFETY: allocated with this layout, and not freed since.
        unsafe { dealloc(block.address, block.layout) };
    }
}

#[test]
fn random_programs_are_counted_as_the_ledger_has_it() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut held = Vec::with_capacity(40);
        // Blocks from before are in the hands of the program when counting begins.
        run(&mut random, 60, &mut held, &mut Ledger::default());
        let mut ledger = Ledger::default();
        let steps = 1 + random.below(600);
        let ((), counts) = tally(|| run(&mut random, steps, &mut held, &mut ledger)).unwrap();
        assert_eq!(counts, ledger.counts, "seed {seed}");
        assert_eq!(counts.live_bytes(), ledger.live, "seed {seed}");
        assert_eq!(counts.live_blocks(), ledger.live_blocks, "seed {seed}");
        free_all(&mut held);
    }
}

#[test]
fn regions_nested_at_random_each_agree_with_a_ledger() {
    fn nest(random: &mut Random, held: &mut Vec<Block>, depth: usize, outer: &mut Ledger) {
        let mut own = Ledger::default();
        let ((), counts) = tally(|| {
            run(random, 30, held, &mut own);
            for _ in 0..depth {
                nest(random, held, depth - 1, &mut own);
                run(random, 10, held, &mut own);
            }
        })
        .unwrap();
        assert_eq!(counts, own.counts);
        outer.append(&own);
    }
    for seed in 100..110 {
        let mut held = Vec::with_capacity(40);
        let mut all = Ledger::default();
        nest(&mut Random(seed), &mut held, 4, &mut all);
        assert_eq!(all.live_blocks, held.len() as i64, "seed {seed}");
        free_all(&mut held);
    }
}

#[test]
fn random_programs_on_several_threads_are_counted_each_on_its_own_and_together() {
    let worker = |seed| {
        let mut held = Vec::with_capacity(40);
        let mut ledger = Ledger::default();
        let body = || run(&mut Random(seed), 2000, &mut held, &mut ledger);
        let ((), counts) = tally(body).unwrap();
        assert_eq!(counts, ledger.counts, "seed {seed}");
        free_all(&mut held);
        counts
    };
    let (counts, used) = tally_process(|| {
        std::thread::scope(|scope| {
            let workers = [1, 2, 3, 4].map(|seed| scope.spawn(move || worker(seed)));
            workers.map(|worker| worker.join().unwrap())
        })
    })
    .unwrap();
    // Other tests run meanwhile, so these are lower bounds; tests/scripted.rs is exact.
    let allocs: u64 = counts.iter().map(|counts| counts.allocs).sum();
    let bytes: u64 = counts.iter().map(|counts| counts.allocated_bytes).sum();
    assert!(used.process.allocs >= allocs);
    assert!(used.process.allocated_bytes >= bytes);
    assert!(used.requests_elsewhere() >= allocs);
}
