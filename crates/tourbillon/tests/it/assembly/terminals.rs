//! Every terminal of a `Bencher` as benchmarks call it: nothing is added between a body and the loop of
//! the engine.

use super::timed_loops::{Example, ends_in, mnemonics};

const KERNELS: Example = Example {
    package: "tourbillon",
    name: "terminals",
};

const ATTRIBUTE: Example = Example {
    name: "attribute",
    ..KERNELS
};

/// Codegen units of a crate: one, and as many as the bench profile has.
const UNITS: [u32; 2] = [1, 16];

/// The terminals, what is in a loop of one copy of the body, and how many copies small bodies run in.
const TIMED: &[(&str, &[&str], usize)] = &[
    ("k_iter", &["movq"], 8),
    ("k_iter_fixed", &["movq"], 8),
    ("k_iter_controlled_fixed", &["movq"], 1),
    ("k_inputs_ref", &["movq"], 1),
    ("k_inputs_mut", &["movq"], 1),
    ("k_inputs_owned", &["movq"], 1),
    ("k_state", &["movq"], 1),
    ("k_iter_async", &["movq"], 1),
    ("k_iter_threads", &["movq"], 1),
    ("k_stream", &["movq"], 1),
    ("k_stream_fetch", &["movq"], 1),
    ("k_chain", &[], 8),
    // The value stays in a register, and the loop is the body's own.
    ("k_iter_n", &[], 1),
    ("k_iter_controlled", &[], 1),
    ("k_measure_n", &[], 1),
];

/// Terminals whose number is added to the sum of the batch.
const SUMMED: &[(&str, usize)] = &[
    ("k_measure", 8),
    ("k_measure_ref", 1),
    ("k_measure_mut", 1),
    ("k_measure_owned", 1),
    ("k_measure_state", 1),
    ("k_measure_stream", 1),
];

/// Terminals with a large body.
const LARGE: [&str; 9] = [
    "k_iter",
    "k_chain",
    "k_iter_n",
    "k_inputs_ref",
    "k_inputs_owned",
    "k_state",
    "k_stream",
    "k_iter_async",
    "k_iter_threads",
];

#[test]
fn a_value_is_fetched_and_nothing_else_happens() {
    let mut wrong = Vec::new();
    for units in UNITS {
        for &(kernel, expected, copies) in TIMED {
            let (single, longest) = ends_in(KERNELS, units, kernel);
            if mnemonics(&single) != expected {
                wrong.push(format!("{kernel}: {single:?} in place of {expected:?}"));
            }
            if copies > 1 && mnemonics(&longest) != expected.repeat(copies) {
                wrong.push(format!("{kernel}, unrolled: {longest:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Calls in the shortest and in the longest loop.
fn calls(example: Example, units: u32, kernel: &str) -> [usize; 2] {
    let (single, longest) = ends_in(example, units, kernel);
    [single, longest].map(|found| found.iter().filter(|line| line.starts_with("call")).count())
}

/// A function that the attribute stands on is in the loop, in whichever codegen unit it is compiled.
#[test]
fn a_function_with_the_attribute_is_not_called_but_inlined() {
    let kernels = ["plain", "kept", "args", "types", "both", "result"];
    for units in UNITS {
        for kernel in kernels {
            let calls = calls(ATTRIBUTE, units, &format!("k_{kernel}"));
            assert_eq!(calls, [0, 0], "{kernel}, {units} codegen units");
        }
        for kernel in ["k_never", "k_conditionally_never"] {
            assert_eq!(calls(ATTRIBUTE, units, kernel), [1, 8], "{kernel}, {units}");
        }
    }
}

#[test]
fn a_function_is_a_chain_in_one_mode_and_iterated_in_the_other() {
    for units in UNITS {
        let (chain, iterated) = ends_in(KERNELS, units, "k_function");
        assert!(chain.is_empty(), "{chain:?}");
        assert_eq!(mnemonics(&iterated), ["movq"; 8]);
    }
}

#[test]
fn a_number_is_added_once_per_op_and_nothing_is_called() {
    let in_units = |units| {
        SUMMED
            .iter()
            .map(move |&(kernel, copies)| (units, kernel, copies))
    };
    for (units, kernel, copies) in UNITS.into_iter().flat_map(in_units) {
        let (single, longest) = ends_in(KERNELS, units, kernel);
        let forms = [(single, 1), (longest, copies)];
        for (found, copies) in forms.into_iter().take(copies.min(2)) {
            let of = |what: &str| found.iter().filter(|line| line.starts_with(what)).count();
            assert_eq!(
                (of("addsd"), of("call")),
                (copies, 0),
                "{kernel}: {found:#?}"
            );
            assert!(found.len() <= 5 * copies, "{kernel}: {found:#?}");
        }
    }
}

/// A body that is too large to be inlined everywhere is inlined into a timed loop, or called by it, in
/// whichever codegen units the loops of it are compiled.
#[test]
fn whether_a_large_body_is_inlined_does_not_hang_on_codegen_units() {
    let mut wrong = Vec::new();
    for kernel in LARGE {
        let kernel = format!("large::{kernel}");
        let found = UNITS.map(|units| calls(KERNELS, units, &kernel)[0]);
        if found[0] != found[1] {
            wrong.push(format!(
                "{kernel}: {found:?} calls with {UNITS:?} codegen units"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
