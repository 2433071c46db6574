//! Bodies of some eighty instructions, which the compiler inlines into a loop or does not.

use tourbillon::{Bencher, BlockOn, hide, keep};

/// Each kernel has a number of its own, so that no two are the same code.
#[inline(always)]
fn steps<const NUMBER: u64>(mut x: u64) -> u64 {
    macro_rules! steps {
        ($($turn:literal)*) => {$(
            x = hide(x.rotate_left($turn).wrapping_mul(NUMBER * 100 + $turn) ^ (x >> $turn));
        )*};
    }
    steps!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20);
    x
}

/// `iter`.
pub fn k_iter(b: Bencher<'_>, v: u64) {
    b.iter(move || steps::<1>(v));
}

/// `chain`.
pub fn k_chain(b: Bencher<'_>, v: u64) {
    b.chain(v, |x| steps::<2>(hide(x)));
}

/// `iter_n`, with a loop in the body.
pub fn k_iter_n(b: Bencher<'_>, v: u64) {
    b.iter_n(move |count| {
        for _ in 0..count {
            keep(steps::<3>(v));
        }
    });
}

/// `with_inputs(..).iter_ref`.
pub fn k_inputs_ref(b: Bencher<'_>, v: u64) {
    b.with_inputs(move || v).iter_ref(|x| steps::<4>(*x));
}

/// `with_inputs(..).iter_owned`.
pub fn k_inputs_owned(b: Bencher<'_>, v: u64) {
    b.with_inputs(move || v).iter_owned(|x| steps::<5>(hide(x)));
}

/// `with_state(..).reset(..).iter_mut`.
pub fn k_state(b: Bencher<'_>, v: u64) {
    b.with_state(move || v)
        .reset(move |x| *x = v)
        .iter_mut(|x| steps::<6>(*x));
}

/// `with_stream(..).iter`.
pub fn k_stream(b: Bencher<'_>, items: &[u64]) {
    b.with_stream(items).iter(|x| steps::<7>(*x));
}

/// `iter_async`.
pub fn k_iter_async(b: Bencher<'_>, v: u64) {
    b.iter_async(BlockOn, async move || steps::<8>(v));
}

/// `iter_threads`.
pub fn k_iter_threads(b: Bencher<'_>, v: u64) {
    b.iter_threads(move |_| move || steps::<9>(v));
}
