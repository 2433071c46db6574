use tourbillon_record::FaultKind;
use tourbillon_report::{Style, faults};

use crate::made::{case, fault, panicked};
use crate::same::same;

#[test]
fn none_failed() {
    assert_eq!(faults(&[], &Style::default()), "");
}

#[test]
fn a_panic_of_many_launches_is_told_once() {
    let broken = case("sort", "broken", &[("n", "1")]);
    let all = [
        panicked(&broken, 5),
        panicked(&broken, 0),
        panicked(&broken, 13),
    ];
    same(
        &faults(&all, &Style::default()),
        "
failed: panicked at benches/sort.rs:17
  in examples/it::sort::broken[n=1], launches 5, 0, 13
  index out of bounds: the len is 3 but the index is 3
  stderr: reading the table
  ! to see it alone, run the body once with --test --exact and the case
",
    );
}

#[test]
fn one_cause_in_many_cases_is_told_once() {
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
failed: worker could not be started
  in examples/it::sort::heap[n=0], launch 0
  in examples/it::sort::heap[n=1], launches 0, 1
  in examples/it::sort::heap[n=2], launch 0
  in examples/it::sort::heap[n=3], launches 0, 1
  and in 3 other cases
  Resource temporarily unavailable (os error 11)
  ! look at the limits on processes, memory and open files
",
    );
}

#[test]
fn another_message_is_another_story() {
    let broken = case("sort", "broken", &[]);
    let mut other = panicked(&broken, 1);
    other.message = "something else".to_owned();
    let text = faults(&[panicked(&broken, 0), other], &Style::default());
    assert_eq!(text.matches("failed: panicked").count(), 2, "{text}");
}

#[test]
fn cases_that_left_other_things_on_stderr_are_told_apart() {
    let aborted = |name: &str, launch, thread, reason: &str| {
        let mut fault = fault(&case("", name, &[]), launch, FaultKind::Signal(6));
        fault.stderr = format!("thread 'main' ({thread}) aborted\n{reason}\n");
        fault
    };
    let all = [
        aborted("a", 0, 71, "memory allocation failed"),
        aborted("b", 1, 72, "cannot unwind"),
        aborted("c", 0, 73, "memory allocation failed"),
        // Another launch of a case that is told: the first one stands for it.
        aborted("a", 3, 74, "memory allocation failed at another place"),
        aborted("d", 3, 75, "memory allocation failed at another place"),
    ];
    let style = Style {
        width: 100,
        ..Style::default()
    };
    same(
        &faults(&all, &style),
        "
failed: ended by signal 6 (SIGABRT)
  in examples/it::a, launches 0, 3
  in examples/it::c, launch 0
  stderr: thread 'main' (71) aborted
          memory allocation failed
  ! the process aborted: a panic while panicking, or one that must not unwind, does that
failed: ended by signal 6 (SIGABRT)
  in examples/it::b, launch 1
  stderr: thread 'main' (72) aborted
          cannot unwind
  ! the process aborted: a panic while panicking, or one that must not unwind, does that
failed: ended by signal 6 (SIGABRT)
  in examples/it::d, launch 3
  stderr: thread 'main' (75) aborted
          memory allocation failed at another place
  ! the process aborted: a panic while panicking, or one that must not unwind, does that
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
        FaultKind::Hang(30_000),
        FaultKind::UnknownCase,
        FaultKind::NoTerminal,
        FaultKind::Protocol,
    ];
    let only = case("", "f", &[]);
    let all: Vec<_> = kinds
        .iter()
        .map(|kind| fault(&only, 2, kind.clone()))
        .collect();
    let style = Style {
        width: 100,
        ..Style::default()
    };
    same(
        &faults(&all, &style),
        "
failed: returned an error
  in examples/it::f, launch 2
  ! to see it alone, run the body once with --test --exact and the case
failed: ended the process with exit code 7
  in examples/it::f, launch 2
  ! a benchmark must return; let it return an error instead of exiting
failed: ended by signal 9 (SIGKILL)
  in examples/it::f, launch 2
  ! something killed the process: the system does when memory runs out, so look at the benchmark's
    memory
failed: ended by signal 6 (SIGABRT)
  in examples/it::f, launch 2
  ! the process aborted: a panic while panicking, or one that must not unwind, does that
failed: ended by signal 11 (SIGSEGV)
  in examples/it::f, launch 2
  ! run it under a debugger with --test --exact and the case
failed: ended by signal 64
  in examples/it::f, launch 2
  ! run it under a debugger with --test --exact and the case
failed: no sign of life for 30 s
  in examples/it::f, launch 2
  ! if one call takes as long as that, raise --timeout; else it loops for ever or waits for
    something that never comes
failed: not known to the worker
  in examples/it::f, launch 2
  ! arguments are evaluated in every worker and must be the same there: not from the time, chance,
    or what earlier visits left behind
failed: called nothing on its Bencher
  in examples/it::f, launch 2
  ! end the benchmark with one of Bencher's terminals, such as iter
failed: worker was not understood
  in examples/it::f, launch 2
  ! a benchmark must not write to descriptors that it did not open, nor close them
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
  (8 lines more)
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
  ! to see it alone, run the body once with --test --exact and the case
",
    );
    long.message = "x".repeat(1_000_000);
    long.stderr = String::new();
    let text = faults(&[long], &Style::default());
    assert!(text.contains("x… (999,680 characters more)\n"), "{text}");
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
^[33m  ! to see it alone, run the body once with --test --exact and the case^[0m
",
    );
}
