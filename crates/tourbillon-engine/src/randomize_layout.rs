//! Layout randomisation: where the stack and the heap of a process begin.

use std::hint::black_box;
use std::num::NonZeroU64;

use tourbillon_stats::Rng;

/// Most frames by which the stack is shifted; with a frame of about a hundred bytes, a page or more.
const MOST_FRAMES: NonZeroU64 = NonZeroU64::new(64).expect("not zero");
/// Most bytes of the first heap block.
const MOST_BYTES: NonZeroU64 = NonZeroU64::new(4096).expect("not zero");

/// Calls `then` with a stack and a heap that begin at addresses drawn from `rng`.
pub(crate) fn redrawn(rng: &mut Rng, then: &mut dyn FnMut()) {
    let block = vec![0u8; rng.below(MOST_BYTES) as usize];
    black_box(block.as_ptr());
    deeper(rng.below(MOST_FRAMES), then);
    drop(block);
}

/// Calls `then` below `frames` stack frames.
#[inline(never)]
fn deeper(frames: u64, then: &mut dyn FnMut()) {
    let padding = [0u8; 80];
    black_box(&padding);
    if frames == 0 {
        then();
    } else {
        deeper(frames - 1, then);
    }
    // Used after the call, so that the frame stays.
    black_box(&padding);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_seed_moves_the_stack() {
        let address = |seed| {
            let mut at = 0;
            redrawn(&mut Rng::new(seed), &mut || {
                let here = 0u8;
                black_box(&here);
                at = core::ptr::from_ref(&here).addr();
            });
            at
        };
        let addresses: std::collections::BTreeSet<usize> = (0..32).map(address).collect();
        assert!(addresses.len() > 8, "{addresses:?}");
    }
}
