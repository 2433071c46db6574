//! Every terminal with every kind of output: the loop fetches the value and does nothing else.

use crate::compiled::{ends, mnemonics};

/// Outputs that sit in registers, and what fetches one from memory.
const IN_REGISTERS: &[(&str, &[&str])] = &[
    ("unit", &[]),
    ("byte", &["movzbl"]),
    ("truth", &["movzbl"]),
    ("half", &["movl"]),
    ("word", &["movq"]),
    ("signed", &["movq"]),
    ("wide", &["movq", "movq"]),
    ("float", &["movss"]),
    ("double", &["movsd"]),
    ("option_half", &["movq"]),
    ("option_word", &["movq", "movq"]),
    ("option_double", &["movq", "movq"]),
    ("text", &["movq", "movq"]),
];

/// Terminals whose loop is ours and that take an output from somewhere.
const TERMINALS: &[&str] = &[
    "k_iter",
    "k_iter_fixed",
    "k_function",
    "k_awaited",
    "k_threads",
    "k_controlled",
    "k_inputs_borrowed",
    "k_inputs_consumed",
    "k_state",
    "k_stream",
];

/// Terminals whose body makes a `String`, and those that drop an owned output inside.
const MAKING: &[&str] = &["k_iter", "k_inputs_borrowed", "k_state"];
const DROPPING: &[&str] = &["k_iter_dropped", "k_iter_n", "k_controlled"];

/// Asserts that one copy of the body is `expected`; what differs is told for all kernels together.
fn compare(kernel: &str, expected: &[&str], wrong: &mut Vec<String>) {
    let (single, _) = ends(kernel);
    if mnemonics(&single) != expected {
        wrong.push(format!("{kernel}: {single:?} in place of {expected:?}"));
    }
}

#[test]
fn a_value_in_registers_is_fetched_and_nothing_else_happens() {
    let mut wrong = Vec::new();
    for (output, fetch) in IN_REGISTERS {
        for terminal in TERMINALS {
            let kernel = format!("{output}::{terminal}");
            // A bool that came out of a hide is made one bit again: the compiler must not assume that
            // it is one.
            if kernel == "truth::k_function" {
                compare(&kernel, &["movzbl", "andb"], &mut wrong);
            } else {
                compare(&kernel, fetch, &mut wrong);
            }
        }
        compare(&format!("{output}::k_iter_n"), &[], &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_chain_adds_nothing_between_two_calls() {
    let mut wrong = Vec::new();
    for (output, _) in IN_REGISTERS {
        let kernel = format!("{output}::k_chain");
        match *output {
            "truth" => compare(&kernel, &["andb"], &mut wrong),
            // Two halves that the compiler keeps in two registers are one word to a hide.
            "option_half" => compare(
                &kernel,
                &["shlq", "movl", "orq", "movq", "shrq"],
                &mut wrong,
            ),
            _ => {
                compare(&kernel, &[], &mut wrong);
                let (_, unrolled) = ends(&kernel);
                if !unrolled.is_empty() {
                    wrong.push(format!("{kernel}, unrolled: {unrolled:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Bytes that a loop writes to the stack.
fn stored(loop_: &[&str]) -> usize {
    let stores = loop_.iter().filter(|line| line.ends_with("(%rsp)"));
    stores
        .map(|line| if line.contains("%xmm") { 16 } else { 8 })
        .sum()
}

#[test]
fn a_large_output_is_written_whole_and_once() {
    for terminal in TERMINALS {
        let (single, _) = ends(&format!("large::{terminal}"));
        // `function` hides its argument where it lies, and hands it on.
        let copies = if *terminal == "k_function" { 2 } else { 1 };
        assert_eq!(stored(&single), 40 * copies, "{terminal}: {single:#?}");
        assert!(
            !single.iter().any(|line| line.starts_with("call")),
            "{terminal}: {single:#?}"
        );
    }
}

#[test]
fn an_owned_output_is_made_once_per_op_and_dropped_where_the_terminal_says() {
    let calls = |kernel: &str| {
        let (single, _) = ends(kernel);
        let calls = single.iter().filter(|line| line.starts_with("call"));
        calls.copied().collect::<Vec<_>>()
    };
    for terminal in MAKING {
        let calls = calls(&format!("owned::{terminal}"));
        assert_eq!(calls.len(), 1, "{terminal}: {calls:?}");
        assert!(calls[0].contains("made"), "{terminal}: {calls:?}");
    }
    for terminal in DROPPING {
        let calls = calls(&format!("owned::{terminal}"));
        assert_eq!(calls.len(), 2, "{terminal}: {calls:?}");
        assert!(calls[0].contains("boxed"), "{terminal}: {calls:?}");
    }
    for terminal in ["k_inputs_consumed", "k_chain"] {
        let (single, _) = ends(&format!("owned::{terminal}"));
        assert!(single.len() <= 6, "moved: {terminal}: {single:#?}");
        assert!(calls(&format!("owned::{terminal}")).is_empty());
    }
}
