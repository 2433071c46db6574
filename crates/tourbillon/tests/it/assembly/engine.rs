//! The loops of the engine: no instruction that was not asked for, none that was
//! asked for hoisted out or folded.

use super::timed_loops::{Example, ends_in, mnemonics};

const KERNELS: Example = Example {
    package: "tourbillon-engine",
    name: "kernels",
};

/// The instructions of a kernel's timed loops: of the shortest and the longest one.
pub(super) fn ends(kernel: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    ends_in(KERNELS, 1, kernel)
}

/// Asserts that one copy of the body is `expected`, and that eight copies are that eight times.
#[track_caller]
fn assert_body(kernel: &str, expected: &[&str]) {
    let (single, unrolled) = ends(kernel);
    assert_eq!(mnemonics(&single), expected, "{kernel}: {single:#?}");
    assert_eq!(
        mnemonics(&unrolled),
        expected.repeat(8),
        "{kernel}: {unrolled:#?}"
    );
}

#[test]
fn an_empty_body_leaves_an_empty_loop() {
    assert_body("k_empty", &[]);
}

#[test]
fn a_captured_value_is_loaded_once_per_op() {
    assert_body("k_captured", &["movq"]);
}

#[test]
fn a_pure_body_is_neither_hoisted_nor_folded() {
    assert_body("k_pure", &["movq", "imulq"]);
}

#[test]
fn what_a_capture_points_to_is_read_again() {
    assert_body("k_borrowed", &["movq", "movq", "addq"]);
}

#[test]
fn a_float_stays_in_a_vector_register() {
    assert_body("k_float", &["movsd", "mulsd"]);
}

#[test]
fn two_words_stay_in_registers() {
    assert_body("k_option", &["movq", "xorl", "incq", "setne"]);
}

#[test]
fn a_chain_is_its_body_and_nothing_else() {
    assert_body("k_chain", &["imulq"]);
    assert_body("k_chain_float", &["mulsd"]);
}

#[test]
fn a_large_output_is_written_whole() {
    let (single, _) = ends("k_large");
    let stored: usize = single
        .iter()
        .filter(|line| line.ends_with("(%rsp)"))
        .map(|line| {
            if line.starts_with("movdqu") || line.starts_with("movups") {
                16
            } else {
                8
            }
        })
        .sum();
    assert_eq!(stored, 40, "{single:#?}");
}

#[test]
fn a_text_is_read_for_each_op() {
    assert_body("k_text", &["movq", "movq"]);
}

#[test]
fn an_owned_output_is_kept_and_not_freed_inside() {
    let (single, _) = ends("k_owned");
    let loads = single
        .iter()
        .filter(|line| line.starts_with("movq (%"))
        .count();
    assert_eq!(loads, 1, "the capture is loaded directly: {single:#?}");
    assert!(
        single.iter().any(|line| line.starts_with("callq")),
        "{single:#?}"
    );
    assert!(
        !single.iter().any(|line| line.contains("dealloc")),
        "{single:#?}"
    );
}

#[test]
fn a_prepared_input_costs_its_load() {
    let (single, _) = ends("k_inputs");
    assert_eq!(mnemonics(&single), ["movq", "leaq"], "{single:#?}");
}
