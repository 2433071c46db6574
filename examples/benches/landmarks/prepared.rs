//! Ten moves of `mov` once more, in bodies that get something prepared or stop the clock: what that leaves in the
//! figure. And one sort whose input is prepared in three ways.

use examples::shuffle::Shuffler;
use tourbillon::{Bencher, bench, hide, keep};

use crate::kernels::to_vector;

/// An input of so many words.
fn words<const N: usize>() -> [u64; N] {
    hide([7; N])
}

/// An output that has to be dropped, which takes some time.
struct Dropped(f64);

impl Drop for Dropped {
    fn drop(&mut self) {
        keep(&self.0);
        for turn in 0..100 {
            keep(&hide(turn));
        }
    }
}

#[bench(group = "prepared")]
fn input_8_ref(b: Bencher<'_>) {
    b.with_inputs(words::<1>)
        .iter_ref(|input| to_vector::<10>(input[0]));
}

#[bench(group = "prepared")]
fn input_8_owned(b: Bencher<'_>) {
    b.with_inputs(words::<1>)
        .iter_owned(|input| to_vector::<10>(input[0]));
}

#[bench(group = "prepared")]
fn input_1024_ref(b: Bencher<'_>) {
    b.with_inputs(words::<128>)
        .iter_ref(|input| to_vector::<10>(input[0]));
}

/// The input is a kilobyte on the heap, which the body hands on: it is dropped when the clock has
/// stopped.
#[bench(group = "prepared")]
fn input_1024_returned(b: Bencher<'_>) {
    b.with_inputs(|| Box::new(words::<128>()))
        .iter_owned(|input| {
            keep(&to_vector::<10>(input[0]));
            input
        });
}

#[bench(group = "prepared")]
fn output_dropped(b: Bencher<'_>) {
    b.with_inputs(words::<1>)
        .iter_owned(|input| Dropped(to_vector::<10>(input[0])));
}

#[bench(group = "prepared")]
fn paused(b: Bencher<'_>) {
    b.iter_controlled(|count, clock| {
        for _ in 0..count {
            clock.pause();
            let input = words::<1>();
            clock.resume();
            keep(&to_vector::<10>(input[0]));
        }
    });
}

/// Numbers that are sorted, in some two microseconds: long enough for a window of one call.
const NUMBERS: u32 = 150;

/// Numbers in another order each time.
fn orders() -> impl FnMut(&mut Vec<u32>) {
    let mut shuffler = Shuffler::new(1);
    move |numbers| {
        assert!(numbers.is_sorted(), "the numbers are not sorted");
        shuffler.shuffle(numbers);
    }
}

fn numbers() -> Vec<u32> {
    (0..NUMBERS).collect()
}

#[bench(group = "prepared")]
fn sort_with_inputs(b: Bencher<'_>) {
    let mut shuffle = orders();
    b.with_inputs(|| {
        let mut numbers = numbers();
        shuffle(&mut numbers);
        numbers
    })
    .iter_mut(|numbers| numbers.sort_unstable());
}

#[bench(group = "prepared")]
fn sort_with_state(b: Bencher<'_>) {
    b.with_state(numbers)
        .reset(orders())
        .iter_mut(|numbers| numbers.sort_unstable());
}

#[bench(group = "prepared")]
fn sort_controlled(b: Bencher<'_>) {
    let (mut shuffle, mut numbers) = (orders(), numbers());
    b.iter_controlled(|count, clock| {
        for _ in 0..count {
            clock.pause();
            shuffle(&mut numbers);
            clock.resume();
            hide(&mut numbers).sort_unstable();
        }
    });
}
