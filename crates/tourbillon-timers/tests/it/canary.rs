//! Windows with forced switches.

#![cfg(target_os = "linux")]

use std::io::{Read, Write};

use tourbillon_os::{affinity, set_affinity};
use tourbillon_timers::{Canary, Label, Switches};

/// The canary of this thread; with a reason if it does not detect everything, because the kernel or an
/// emulator has no restartable sequences.
fn canary() -> Canary {
    let canary = Canary::of_this_thread();
    let label = canary.end(canary.begin());
    assert_eq!(canary.undetected().is_none(), label.switched.is_some());
    canary
}

/// Whether the kernel removes the canary at every switch: all do up to 6.18, later ones leave it if the
/// thread gave the processor away inside a call.
fn kernel_always_removes_it() -> bool {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split('.').map(|part| part.parse::<u32>().ok());
    let version = (numbers.next().flatten(), numbers.next().flatten());
    matches!(version, (Some(major), Some(minor)) if (major, minor) < (6, 19))
}

/// Waits for another thread on the same processor, which can answer only while this one is off it.
///
/// A sleep does not suffice: if the hypervisor takes the processor away before the thread sleeps, the time is
/// over and there is no switch.
#[test]
fn every_wait_for_a_thread_on_the_same_processor_is_detected() {
    std::thread::spawn(|| {
        set_affinity(&affinity().unwrap()[..1]).unwrap();
        let (mut question, mut asked) = std::io::pipe().unwrap();
        let (mut answer, mut answered) = std::io::pipe().unwrap();
        // Inherits the processor.
        let other = std::thread::spawn(move || {
            let mut word = [0];
            while question.read_exact(&mut word).is_ok() {
                answered.write_all(&word).unwrap();
            }
        });
        let canary = canary();
        for _ in 0..50 {
            let before = Switches::of_this_thread().unwrap();
            let begun = canary.begin();
            asked.write_all(&[1]).unwrap();
            answer.read_exact(&mut [0]).unwrap();
            let label = canary.end(begun);
            let counted = Switches::of_this_thread().unwrap().since(before);
            assert!(counted.any(), "{counted:?}");
            let expected = kernel_always_removes_it() || counted.voluntary == 0;
            assert!(label.switched != Some(false) || !expected, "{counted:?}");
            assert_ne!(label.migrated, Some(true));
        }
        drop(asked);
        other.join().unwrap();
    })
    .join()
    .unwrap();
}

/// The kernel counts the switch into a sleep, and the canary detects each that is counted.
///
/// A sleep without a switch, see above, is repeated.
#[test]
fn a_forced_sleep_is_detected() {
    let canary = canary();
    let mut slept = 0;
    // Bounded: some emulators count no switches.
    for _ in 0..1_000 {
        let before = Switches::of_this_thread().unwrap();
        let begun = canary.begin();
        std::thread::sleep(std::time::Duration::from_micros(200));
        let label = canary.end(begun);
        if Switches::of_this_thread().unwrap().since(before).any() {
            slept += 1;
            let expected = kernel_always_removes_it();
            assert!(label.switched != Some(false) || !expected, "{label}");
        }
        if slept == 10 {
            break;
        }
    }
}

#[test]
fn a_quiet_window_has_no_label() {
    let canary = canary();
    // A machine may be busy, but not always.
    let quiet = (0..10_000_000).any(|_| {
        let begun = canary.begin();
        let Label { switched, migrated } = canary.end(begun);
        switched != Some(true) && migrated != Some(true)
    });
    assert!(quiet);
}

#[test]
fn a_move_is_detected() {
    std::thread::spawn(|| {
        let canary = canary();
        let [first, .., last] = affinity().unwrap()[..] else {
            return;
        };
        for _ in 0..10 {
            set_affinity(&[first]).unwrap();
            let begun = canary.begin();
            set_affinity(&[last]).unwrap();
            let label = canary.end(begun);
            assert_ne!(label.migrated, Some(false));
            assert_eq!(label.any(), label.migrated.is_some());
            let begun = canary.begin();
            assert_ne!(canary.end(begun).migrated, Some(true));
        }
    })
    .join()
    .unwrap();
}

#[test]
fn every_thread_has_canaries_again_and_again() {
    let threads: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(|| {
                for _ in 0..3 {
                    let canary = canary();
                    let begun = canary.begin();
                    std::thread::yield_now();
                    let _ = canary.end(begun);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}
