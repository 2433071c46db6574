//! Switches that are forced, so that the truth is known.

#![cfg(target_os = "linux")]

use std::io::{Read, Write};

use tourbillon_timers::{Canary, Label, Switches};

/// The canary of this thread, which has a reason where it does not see everything, as where the
/// kernel or an emulator has no restartable sequences.
fn canary() -> Canary {
    let canary = Canary::of_this_thread();
    let label = canary.end(canary.begin());
    assert_eq!(canary.undetected().is_none(), label.switched.is_some());
    canary
}

/// The processors that this thread may run on.
fn allowed() -> Vec<usize> {
    // SAFETY: a set is made of integers, for which zero is a value.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the set may be written for the length of the call.
    let answer = unsafe { libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) };
    assert_eq!(answer, 0);
    // SAFETY: the numbers are below the size of the set.
    (0..libc::CPU_SETSIZE as usize)
        .filter(|&cpu| unsafe { libc::CPU_ISSET(cpu, &set) })
        .collect()
}

fn pin(cpu: usize) {
    // SAFETY: a set is made of integers, for which zero is a value.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the number is one of those that the kernel has named.
    unsafe { libc::CPU_SET(cpu, &mut set) };
    // SAFETY: the set is read for the length of the call.
    let answer = unsafe { libc::sched_setaffinity(0, size_of_val(&set), &raw const set) };
    assert_eq!(answer, 0);
}

/// Whether the kernel takes the canary out at every switch: all do up to 6.18, later ones leave it
/// where the thread gave the processor away inside a call.
fn kernel_takes_it_out_always() -> bool {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split('.').map(|part| part.parse::<u32>().ok());
    let version = (numbers.next().flatten(), numbers.next().flatten());
    matches!(version, (Some(major), Some(minor)) if (major, minor) < (6, 19))
}

/// Waits for another thread on the same processor, which can answer only while this one is off it.
///
/// A sleep would not do: where the hypervisor takes the processor away before the thread has gone
/// to bed, its time is over and there is no switch.
#[test]
fn every_wait_for_a_thread_on_the_same_processor_is_seen() {
    std::thread::spawn(|| {
        pin(allowed()[0]);
        let (mut question, mut asked) = std::io::pipe().unwrap();
        let (mut answer, mut answered) = std::io::pipe().unwrap();
        // It inherits the one processor.
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
            let expected = kernel_takes_it_out_always() || counted.voluntary == 0;
            assert!(label.switched != Some(false) || !expected, "{counted:?}");
            assert_ne!(label.migrated, Some(true));
        }
        drop(asked);
        other.join().unwrap();
    })
    .join()
    .unwrap();
}

/// The kernel counts the switch into a sleep, and the canary sees each that is counted.
///
/// Where a hypervisor takes the processor away before the thread has gone to bed, its time is over and
/// there is no switch: such a sleep proves nothing and is slept again.
#[test]
fn a_forced_sleep_is_seen() {
    let canary = canary();
    let mut slept = 0;
    // Not for ever: some emulators count no switches.
    for _ in 0..1_000 {
        let before = Switches::of_this_thread().unwrap();
        let begun = canary.begin();
        std::thread::sleep(std::time::Duration::from_micros(200));
        let label = canary.end(begun);
        if Switches::of_this_thread().unwrap().since(before).any() {
            slept += 1;
            let expected = kernel_takes_it_out_always();
            assert!(label.switched != Some(false) || !expected, "{label}");
        }
        if slept == 10 {
            break;
        }
    }
}

#[test]
fn a_quiet_window_is_found_quiet() {
    let canary = canary();
    // A machine may be busy, not all the time.
    let quiet = (0..10_000_000).any(|_| {
        let begun = canary.begin();
        let Label { switched, migrated } = canary.end(begun);
        switched != Some(true) && migrated != Some(true)
    });
    assert!(quiet);
}

#[test]
fn a_move_is_seen_as_a_move() {
    std::thread::spawn(|| {
        let canary = canary();
        let cpus = allowed();
        let [first, .., last] = cpus[..] else { return };
        for _ in 0..10 {
            pin(first);
            let begun = canary.begin();
            pin(last);
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
fn threads_have_canaries_of_their_own_and_again() {
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
