//! Processor times are those of their owner.

#![cfg(target_os = "linux")]

use tourbillon_clock::Ticks;
use tourbillon_timers::counters::Counter;
use tourbillon_timers::{Path, Scope, Source, sources};

fn source(name: &str) -> Option<Box<dyn Source>> {
    let row = sources().into_iter().find(|listed| listed.name == name);
    row.and_then(|listed| listed.source.ok())
}

/// The time of a thread is its own: what another one works does not move it.
#[test]
fn thread_time_is_not_touched_by_another_thread_and_process_time_is() {
    let thread = Counter::new(source("thread-cputime").unwrap());
    let process = source("process-cputime").unwrap();
    assert_eq!(thread.source().scope(), Scope::Thread);
    assert_eq!(thread.source().behind().path, Path::SystemCall);
    let before_process = process.read();
    let running = thread.start();
    std::thread::spawn(|| {
        let own = source("thread-cputime").unwrap();
        let began = own.read();
        while own.read().since(began) < Some(Ticks(50_000_000)) {}
    })
    .join()
    .unwrap();
    let of_process = process.read().since(before_process).unwrap();
    let of_thread = running.stop().unwrap().ticks();
    // Logic, not timing: the process spent all that the other thread spent, on top of ours.
    assert!(of_process.0 >= 50_000_000 + of_thread.0, "{of_process:?}");
}
