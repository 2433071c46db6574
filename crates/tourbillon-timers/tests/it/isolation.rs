//! Processor times of a thread and of the process.

#![cfg(target_os = "linux")]

use tourbillon_clock::Ticks;
use tourbillon_timers::counters::Counter;
use tourbillon_timers::{Path, Scope, Source, sources};

fn source(name: &str) -> Option<Box<dyn Source>> {
    let row = sources().into_iter().find(|listed| listed.name == name);
    row.and_then(|listed| listed.source.ok())
}

#[test]
fn another_threads_work_is_in_the_process_time_only() {
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
    // Logic, not timing: the process spent the time of both threads.
    assert!(of_process.0 >= 50_000_000 + of_thread.0, "{of_process:?}");
}
