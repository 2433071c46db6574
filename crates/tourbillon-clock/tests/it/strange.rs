//! Machines that forbid and lack things: words, no panics.

#![cfg(target_os = "linux")]

use tourbillon_clock::{Clock, cores};

#[cfg(target_arch = "x86_64")]
#[test]
fn a_forbidden_counter_is_absent_and_not_read() {
    use tourbillon_clock::{Absence, TscReport, sources};

    // The ban is that of one thread, which ends.
    std::thread::spawn(|| {
        // SAFETY: the thread reads no counter from here on, which is what is tested.
        let answer = unsafe { libc::prctl(libc::PR_SET_TSC, libc::PR_TSC_SIGSEGV, 0, 0, 0) };
        if answer != 0 {
            return;
        }
        let choice = Clock::choose();
        assert_eq!(choice.clock.name(), "monotonic");
        assert!(choice.why.contains("forbidden"), "{}", choice.why);
        assert_eq!(choice.refused[0].source, "tsc");
        for listed in sources()
            .into_iter()
            .filter(|row| row.name.contains("rdtsc"))
        {
            assert!(
                matches!(listed.source, Err(Absence::Forbidden(_))),
                "{listed:?}"
            );
        }
        // The system's clock, which the C library would read by the counter as well.
        let start = choice.clock.start();
        assert!(choice.clock.stop().since(start).is_some());
        let report = TscReport::examine(0);
        assert_eq!((report.frequency, report.cross_check), (None, None));
        assert!(
            report
                .refused
                .is_some_and(|reason| reason.contains("forbidden"))
        );
    })
    .join()
    .unwrap();
}

#[test]
fn one_processor_is_enough_to_choose_and_too_few_to_compare() {
    std::thread::spawn(|| {
        // SAFETY: a set is made of integers, for which zero is a value.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: the number is that of the processor this runs on; the set is read for the length
        // of the call.
        let answer = unsafe {
            libc::CPU_SET(libc::sched_getcpu() as usize, &mut set);
            libc::sched_setaffinity(0, size_of_val(&set), &raw const set)
        };
        assert_eq!(answer, 0);
        let choice = Clock::choose();
        if choice.clock.name() == "tsc" {
            assert!(choice.why.contains("1 of 1 processors"), "{}", choice.why);
        }
        let found = cores::compare("monotonic").unwrap_err();
        assert!(found.contains("one processor only"), "{found}");
    })
    .join()
    .unwrap();
}
