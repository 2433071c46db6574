//! Every terminal as benchmarks call it, with a body that hands on a captured or given value. Compiled
//! with optimisation by the assembly tests.

pub mod large;

use tourbillon::{Bencher, BlockOn, Metric, hide, keep};

const METRIC: Metric = Metric::count("things");

/// `iter`.
pub fn k_iter(b: Bencher<'_>, v: u64) {
    b.iter(move || v);
}

/// `chain`.
pub fn k_chain(b: Bencher<'_>, v: u64) {
    b.chain(v, |x| x);
}

/// `function`, in both modes.
pub fn k_function(b: Bencher<'_>, v: u64) {
    b.function(v, |x| x);
}

/// `iter_n`, with a loop in the body.
pub fn k_iter_n(b: Bencher<'_>, v: u64) {
    b.iter_n(move |count| {
        for _ in 0..count {
            keep(v);
        }
    });
}

/// `iter_fixed`.
pub fn k_iter_fixed(b: Bencher<'_>, v: u64) {
    b.iter_fixed(3, move |_| v);
}

/// `iter_controlled`, with a loop in the body and without a pause.
pub fn k_iter_controlled(b: Bencher<'_>, v: u64) {
    b.iter_controlled(move |count, _| {
        for _ in 0..count {
            keep(v);
        }
    });
}

/// `iter_controlled_fixed`, without a pause.
pub fn k_iter_controlled_fixed(b: Bencher<'_>, v: u64) {
    b.iter_controlled_fixed(3, move |_, _| v);
}

/// `with_inputs(..).iter_ref`.
pub fn k_inputs_ref(b: Bencher<'_>, v: u64) {
    b.with_inputs(move || v).iter_ref(|x| *x);
}

/// `with_inputs(..).iter_mut`.
pub fn k_inputs_mut(b: Bencher<'_>, v: u64) {
    b.with_inputs(move || v).iter_mut(|x| *x);
}

/// `with_inputs(..).iter_owned`.
pub fn k_inputs_owned(b: Bencher<'_>, v: u64) {
    b.with_inputs(move || v).iter_owned(|x| x);
}

/// `with_state(..).reset(..).iter_mut`.
pub fn k_state(b: Bencher<'_>, v: u64) {
    b.with_state(move || v)
        .reset(move |x| *x = v)
        .iter_mut(|x| *x);
}

/// `iter_async`.
pub fn k_iter_async(b: Bencher<'_>, v: u64) {
    b.iter_async(BlockOn, async move || v);
}

/// `iter_threads`.
pub fn k_iter_threads(b: Bencher<'_>, v: u64) {
    b.iter_threads(move |_| move || v);
}

/// `with_stream(..).iter`.
pub fn k_stream(b: Bencher<'_>, items: &[u64]) {
    b.with_stream(items).iter(|x| *x);
}

/// `with_stream(..).fetch`. By the type of its items the loop is found, as no body is written here.
pub fn k_stream_fetch(b: Bencher<'_>, items: &[u64]) {
    #[derive(Clone, Copy)]
    struct Item(#[expect(dead_code, reason = "fetched, not looked at")] u64);
    let items: Vec<Item> = items.iter().map(|&item| Item(item)).collect();
    b.with_stream(&items).fetch();
}

/// `measure`.
pub fn k_measure(b: Bencher<'_>, v: f64) {
    b.measure(METRIC, move || v);
}

/// `measure_n`, with a loop in the body.
pub fn k_measure_n(b: Bencher<'_>, v: f64) {
    b.measure_n(METRIC, move |count| {
        for _ in 0..count {
            keep(v);
        }
        hide(v)
    });
}

/// `with_inputs(..).measure_ref`.
pub fn k_measure_ref(b: Bencher<'_>, v: f64) {
    b.with_inputs(move || v).measure_ref(METRIC, |x| *x);
}

/// `with_inputs(..).measure_mut`.
pub fn k_measure_mut(b: Bencher<'_>, v: f64) {
    b.with_inputs(move || v).measure_mut(METRIC, |x| *x);
}

/// `with_inputs(..).measure_owned`.
pub fn k_measure_owned(b: Bencher<'_>, v: f64) {
    b.with_inputs(move || v).measure_owned(METRIC, |x| x);
}

/// `with_state(..).reset(..).measure_mut`.
pub fn k_measure_state(b: Bencher<'_>, v: f64) {
    b.with_state(move || v)
        .reset(move |x| *x = v)
        .measure_mut(METRIC, |x| *x);
}

/// `with_stream(..).measure`.
pub fn k_measure_stream(b: Bencher<'_>, items: &[f64]) {
    b.with_stream(items).measure(METRIC, |x| *x);
}
