use tourbillon_record::{Fault, FaultKind};
use tourbillon_report::{Names, Style};

use crate::same::same;
use crate::samples::{case, fault, panicked};

/// The text of faults of cases that are called by their ids.
fn faults(faults: &[Fault], style: &Style) -> String {
    tourbillon_report::faults(faults, &Names::default(), style)
}

#[test]
fn none_failed() {
    assert_eq!(faults(&[], &Style::default()), "");
}

#[test]
fn a_panic_of_many_launches_is_shown_once() {
    let broken = case("sort", "broken", &[("n", "1")]);
    let all = [
        panicked(&broken, 5),
        panicked(&broken, 0),
        panicked(&broken, 13),
    ];
    same(
        &tourbillon_report::faults(&all, &Names::of([&broken]), &Style::default()),
        "
failed: panicked at benches/sort.rs:17
  in sort/broken/1, launches 5, 0, 13
  index out of bounds: the len is 3 but the index is 3
  stderr: reading the table
  ! to run it once, without measuring:
    cargo bench -- --test --exact sort/broken/1
",
    );
}

#[test]
fn a_name_is_quoted_for_the_shell() {
    let of = |value: &str| {
        let case = case("", "f", &[("text", value)]);
        let fault = fault(&case, 0, FaultKind::Error);
        tourbillon_report::faults(&[fault], &Names::of([&case]), &Style::default())
    };
    for (value, quoted) in [
        ("a-1", "f/a-1"),
        ("a b", "'f/a b'"),
        ("it's;", r"'f/it'\''s;'"),
    ] {
        let (text, command) = (of(value), format!("--test --exact {quoted}\n"));
        assert!(text.ends_with(&command), "{text}");
    }
}

#[test]
fn one_cause_in_many_cases_is_shown_once() {
    let mut all = Vec::new();
    for n in 0..7 {
        let case = case("sort", "heap", &[("n", &n.to_string())]);
        for launch in 0..=n % 2 {
            let mut fault = fault(&case, launch, FaultKind::Spawn);
            fault.message = "Resource temporarily unavailable (os error 11)".to_owned();
            all.push(fault);
        }
    }
    same(
        &faults(&all, &Style::default()),
        "
failed: the worker could not be started
  in examples/it::sort::heap[n=0], launch 0
  in examples/it::sort::heap[n=1], launches 0, 1
  in examples/it::sort::heap[n=2], launch 0
  in examples/it::sort::heap[n=3], launches 0, 1
  and in 3 other cases
  Resource temporarily unavailable (os error 11)
  ! check the limits on processes, memory and open files
",
    );
}

#[test]
fn another_message_is_shown_apart() {
    let broken = case("sort", "broken", &[]);
    let mut other = panicked(&broken, 1);
    other.message = "something else".to_owned();
    let text = faults(&[panicked(&broken, 0), other], &Style::default());
    assert_eq!(text.matches("failed: panicked").count(), 2, "{text}");
}

#[test]
fn cases_with_other_lines_on_stderr_are_shown_apart() {
    let aborted = |name: &str, launch, thread, reason: &str| {
        let mut fault = fault(&case("", name, &[]), launch, FaultKind::Signal(6));
        fault.stderr = format!("thread 'main' ({thread}) aborted\n{reason}\n");
        fault
    };
    let all = [
        aborted("a", 0, 71, "memory allocation failed"),
        aborted("b", 1, 72, "cannot unwind"),
        aborted("c", 0, 73, "memory allocation failed"),
        // Another launch of a case that is shown: the first one represents it.
        aborted("a", 3, 74, "memory allocation failed at another place"),
        aborted("d", 3, 75, "memory allocation failed at another place"),
    ];
    let style = Style::of_width(100);
    same(
        &faults(&all, &style),
        "
failed: killed by signal 6 (SIGABRT)
  in examples/it::a, launches 0, 3
  in examples/it::c, launch 0
  stderr: thread 'main' (71) aborted
          memory allocation failed
  ! the process aborted: a panic while panicking, or in code that must not unwind, does that
failed: killed by signal 6 (SIGABRT)
  in examples/it::b, launch 1
  stderr: thread 'main' (72) aborted
          cannot unwind
  ! the process aborted: a panic while panicking, or in code that must not unwind, does that
failed: killed by signal 6 (SIGABRT)
  in examples/it::d, launch 3
  stderr: thread 'main' (75) aborted
          memory allocation failed at another place
  ! the process aborted: a panic while panicking, or in code that must not unwind, does that
",
    );
}

#[test]
fn memory_that_is_refused_is_named_in_bytes() {
    let of = |kind, bytes| {
        let mut fault = fault(&case("", "f", &[]), 0, kind);
        fault.stderr = format!("one\nmemory allocation of {bytes} bytes failed\n  shop::fill\n");
        fault
    };
    let all = [
        of(FaultKind::Signal(6), "70368744177664"),
        of(FaultKind::Exit(0xC000_0409_u32.cast_signed()), "24"),
        of(FaultKind::Signal(11), "24"),
    ];
    same(
        &faults(&all, &Style::default()),
        "
failed: could not allocate 70,368,744,177,664 bytes (64.0 TiB)
  in examples/it::f, launch 0
  stderr: one
            shop::fill
  ! the system has no memory for that: use smaller inputs, or raise the limit of
    memory
failed: could not allocate 24 bytes
  in examples/it::f, launch 0
  stderr: one
            shop::fill
  ! the system has no memory for that: use smaller inputs, or raise the limit of
    memory
failed: killed by signal 11 (SIGSEGV)
  in examples/it::f, launch 0
  stderr: one
          memory allocation of 24 bytes failed
            shop::fill
  ! run it under a debugger with --test --exact examples/it::f
",
    );
}

#[test]
fn every_kind_says_what_to_do() {
    let kinds = [
        FaultKind::Error,
        FaultKind::Exit(7),
        FaultKind::Signal(9),
        FaultKind::Signal(6),
        FaultKind::Signal(11),
        FaultKind::Signal(64),
        FaultKind::Exit(0xC000_0005_u32.cast_signed()),
        FaultKind::Exit(0xC000_00FD_u32.cast_signed()),
        FaultKind::Exit(0xC000_0409_u32.cast_signed()),
        FaultKind::Exit(0xE06D_7363_u32.cast_signed()),
        FaultKind::Hang(30_000),
        FaultKind::UnknownCase,
        FaultKind::NoTerminal,
        FaultKind::EmptyBody,
        FaultKind::Protocol,
    ];
    let only = case("", "f", &[]);
    let all: Vec<_> = kinds
        .iter()
        .map(|kind| fault(&only, 2, kind.clone()))
        .collect();
    let style = Style::of_width(100);
    same(
        &faults(&all, &style),
        "
failed: returned an error
  in examples/it::f, launch 2
  ! to run it once, without measuring:
    cargo bench -- --test --exact examples/it::f
failed: exited with code 7
  in examples/it::f, launch 2
  ! a benchmark must return; return an error instead of exiting
failed: killed by signal 9 (SIGKILL)
  in examples/it::f, launch 2
  ! the system kills processes when memory runs out: check the benchmark's memory
failed: killed by signal 6 (SIGABRT)
  in examples/it::f, launch 2
  ! the process aborted: a panic while panicking, or in code that must not unwind, does that
failed: killed by signal 11 (SIGSEGV)
  in examples/it::f, launch 2
  ! run it under a debugger with --test --exact examples/it::f
failed: killed by signal 64
  in examples/it::f, launch 2
  ! run it under a debugger with --test --exact examples/it::f
failed: killed by exception 0xC0000005 (access violation)
  in examples/it::f, launch 2
  ! run it under a debugger with --test --exact examples/it::f
failed: overflowed its stack
  in examples/it::f, launch 2
  ! the recursion may not end; put large values on the heap
failed: killed by exception 0xC0000409 (aborted)
  in examples/it::f, launch 2
  ! the process aborted: a panic while panicking, or in code that must not unwind, does that
failed: killed by exception 0xE06D7363
  in examples/it::f, launch 2
  ! run it under a debugger with --test --exact examples/it::f
failed: no response for 30 s
  in examples/it::f, launch 2
  ! if one call takes that long, raise --timeout; otherwise the body loops forever or waits for
    something that never comes
failed: unknown to the worker
  in examples/it::f, launch 2
  ! arguments are computed in every worker and must be the same there: they must not depend on time,
    chance or what earlier launches left behind
failed: called no terminal of its Bencher
  in examples/it::f, launch 2
  ! end the benchmark with a terminal of its Bencher, such as iter
failed: takes as long as an empty loop
  in examples/it::f, launch 2
  ! nothing is left of the body: return its result, and hide inputs that are constants
failed: the worker sent an invalid message
  in examples/it::f, launch 2
  ! a benchmark must neither write to descriptors that it did not open nor close them
",
    );
}

#[test]
fn long_output_is_bounded() {
    let only = case("", "f", &[]);
    let mut long = fault(&only, 0, FaultKind::Error);
    long.message = (1..=20).map(|n| format!("message {n}\n")).collect();
    long.stderr = (1..=5_000).map(|n| format!("\tline {n}\r\n")).collect();
    same(
        &faults(
            &[long.clone()],
            &Style {
                unicode: false,
                ..Style::default()
            },
        ),
        "
failed: returned an error
  in examples/it::f, launch 0
  message 1
  message 2
  message 3
  message 4
  message 5
  message 6
  message 7
  message 8
  message 9
  message 10
  message 11
  message 12
  (8 more lines)
  stderr:     line 4991
              line 4992
              line 4993
              line 4994
              line 4995
              line 4996
              line 4997
              line 4998
              line 4999
              line 5000
  ! to run it once, without measuring:
    cargo bench -- --test --exact examples/it::f
",
    );
    long.message = "x".repeat(1_000_000);
    long.stderr = String::new();
    let text = faults(&[long], &Style::default());
    assert!(text.contains("x…\n  (999,680 more characters)\n"), "{text}");
    assert!(text.lines().count() < 10, "{text}");
}

#[test]
fn colours() {
    let style = Style {
        color: true,
        ..Style::default()
    };
    let text = faults(&[panicked(&case("", "f", &[]), 0)], &style).replace('\x1b', "^");
    same(
        &text,
        "
^[31mfailed: panicked at benches/sort.rs:17^[0m
  in examples/it::f, launch 0
  index out of bounds: the len is 3 but the index is 3
  stderr: reading the table
^[33m  ! to run it once, without measuring:^[0m
^[33m    cargo bench -- --test --exact examples/it::f^[0m
",
    );
}
