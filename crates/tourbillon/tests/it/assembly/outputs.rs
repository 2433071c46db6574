//! Every terminal of the engine with every kind of output: the loop fetches the value and does nothing else.

use super::engine::ends;
use super::timed_loops::mnemonics;

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

/// Terminals whose loop is ours and that take an output from somewhere, and the copies of a small body
/// in the loop that it runs in. Where that is one, the longest loop is of outputs that need dropping.
const TERMINALS: &[(&str, usize)] = &[
    ("k_iter", 8),
    ("k_iter_fixed", 8),
    ("k_function", 8),
    ("k_awaited", 1),
    ("k_threads", 1),
    ("k_controlled", 1),
    ("k_inputs_borrowed", 1),
    ("k_inputs_consumed", 1),
    ("k_state", 1),
    ("k_stream", 1),
];

/// Terminals whose body makes a `String` that is kept while the clock runs. `function` is not among
/// them, nor among the next ones: its values are copied.
const MAKING: &[&str] = &[
    "k_iter",
    "k_awaited",
    "k_threads",
    "k_inputs_borrowed",
    "k_state",
    "k_stream",
];

/// Terminals that drop an owned output inside, and the copies of the body in their longest loop.
const DROPPING: &[(&str, usize)] = &[
    ("k_iter_dropped", 8),
    ("k_iter_fixed", 8),
    ("k_iter_n", 1),
    ("k_awaited_dropped", 1),
    ("k_threads_dropped", 1),
    ("k_controlled", 1),
    ("k_inputs_dropped", 1),
    ("k_state_dropped", 1),
    ("k_stream_dropped", 1),
];

/// Compares one copy of the body with `expected`, and so many copies with that so many times; adds what
/// differs to `wrong`.
fn compare(kernel: &str, expected: &[&str], copies: usize, wrong: &mut Vec<String>) {
    let (single, longest) = ends(kernel);
    if mnemonics(&single) != expected {
        wrong.push(format!("{kernel}: {single:?} in place of {expected:?}"));
    }
    if copies > 1 && mnemonics(&longest) != expected.repeat(copies) {
        wrong.push(format!(
            "{kernel}, unrolled: {longest:?} in place of {copies} times {expected:?}"
        ));
    }
}

#[test]
fn a_value_in_registers_is_fetched_and_nothing_else_happens() {
    let mut wrong = Vec::new();
    for (output, fetch) in IN_REGISTERS {
        for &(terminal, copies) in TERMINALS {
            let kernel = format!("{output}::{terminal}");
            // A bool that came out of a hide is made one bit again: the compiler must not assume that
            // it is one.
            if kernel == "truth::k_function" {
                compare(&kernel, &["movzbl", "andb"], copies, &mut wrong);
            } else {
                compare(&kernel, fetch, copies, &mut wrong);
            }
        }
        compare(&format!("{output}::k_iter_n"), &[], 1, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_chain_adds_nothing_between_two_calls() {
    let mut wrong = Vec::new();
    for (output, _) in IN_REGISTERS {
        let kernel = format!("{output}::k_chain");
        match *output {
            "truth" => compare(&kernel, &["andb"], 8, &mut wrong),
            // Two halves that the compiler keeps in two registers are one word to a hide. From one call
            // of this body to the next they stay together: it is once a loop, however many copies.
            "option_half" => {
                let halves = ["shlq", "movl", "orq", "movq", "shrq"];
                let (single, unrolled) = ends(&kernel);
                if [single, unrolled]
                    .iter()
                    .any(|one| mnemonics(one) != halves)
                {
                    wrong.push(format!("{kernel}: {:?}", ends(&kernel)));
                }
            }
            _ => compare(&kernel, &[], 8, &mut wrong),
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
    for &(terminal, copies) in TERMINALS {
        let (single, longest) = ends(&format!("large::{terminal}"));
        // `function` hides its argument where it lies, and hands it on.
        let written = if terminal == "k_function" { 80 } else { 40 };
        let forms = [(single, 1), (longest, copies)];
        for (found, copies) in forms.into_iter().take(copies.min(2)) {
            assert_eq!(stored(&found), written * copies, "{terminal}: {found:#?}");
            assert!(
                !found.iter().any(|line| line.starts_with("call")),
                "{terminal}: {found:#?}"
            );
        }
    }
}

/// The calls in a loop.
fn calls<'a>(loop_: &[&'a str]) -> Vec<&'a str> {
    let calls = loop_.iter().filter(|line| line.starts_with("call"));
    calls.copied().collect()
}

/// To await is to ask whether the output is there: of a `String` that shows in its capacity, after which
/// the output is moved once more.
#[test]
fn an_awaited_text_is_looked_at_once_and_moved_once_more() {
    let (single, _) = ends("owned::k_awaited");
    let compared = single.iter().filter(|line| line.starts_with("cmp"));
    assert_eq!(compared.count(), 1, "{single:#?}");
    assert_eq!(stored(&single), 32, "{single:#?}");
}

#[test]
fn an_owned_output_is_made_once_per_op_and_dropped_where_the_terminal_drops_it() {
    for terminal in MAKING {
        let (single, _) = ends(&format!("owned::{terminal}"));
        let calls = calls(&single);
        assert_eq!(calls.len(), 1, "{terminal}: {calls:?}");
        assert!(calls[0].contains("made"), "{terminal}: {calls:?}");
    }
    for &(terminal, copies) in DROPPING {
        // Where outputs can be kept as well, that loop is compiled, too, and is the shorter one.
        let (single, longest) = ends(&format!("owned::{terminal}"));
        let forms = [(longest, copies), (single, 1)];
        for (found, copies) in forms.into_iter().take(copies.min(2)) {
            let calls = calls(&found);
            assert_eq!(calls.len(), 2 * copies, "{terminal}: {calls:?}");
            for pair in calls.chunks(2) {
                assert!(pair[0].contains("boxed"), "{terminal}: {calls:?}");
                assert!(!pair[1].contains("boxed"), "{terminal}: {calls:?}");
            }
        }
    }
    for terminal in ["k_inputs_consumed", "k_chain"] {
        let (single, _) = ends(&format!("owned::{terminal}"));
        assert!(single.len() <= 6, "moved: {terminal}: {single:#?}");
        assert!(calls(&single).is_empty());
    }
}
