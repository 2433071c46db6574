//! Machines that forbid and lack things: reasons, no panics.

#![cfg(target_os = "linux")]

use std::ffi::{CStr, c_ulong};
use std::{fs, ptr, thread};

use tourbillon_clock::{Choice, Clock};
use tourbillon_os::{affinity, set_affinity};
use tourbillon_timers::{TscReport, cores, sources};

/// Calls `look` on a thread with other files, mounted by `change`; not without the privilege for it.
fn with_other_files(change: impl FnOnce() -> bool + Send, look: impl FnOnce() + Send) {
    thread::scope(|scope| {
        scope.spawn(|| {
            // SAFETY: from here on this thread, which ends, has its own file system.
            let apart = unsafe { libc::unshare(libc::CLONE_NEWNS) } == 0;
            let private = libc::MS_REC | libc::MS_PRIVATE;
            if apart && mount(c"none", c"/", None, private) && change() {
                look();
            }
        });
    });
}

fn mount(what: &CStr, place: &CStr, kind: Option<&CStr>, flags: c_ulong) -> bool {
    let kind = kind.map_or(ptr::null(), CStr::as_ptr);
    // SAFETY: all texts end in a zero byte and live for the call.
    unsafe { libc::mount(what.as_ptr(), place.as_ptr(), kind, flags, ptr::null()) == 0 }
}

/// Mounts empty file systems over both of the kernel's.
fn hide_files() -> bool {
    [c"/proc", c"/sys"]
        .into_iter()
        .all(|place| mount(c"none", place, Some(c"tmpfs"), 0))
}

/// Calls `look` with another clock source of the kernel.
#[cfg(target_arch = "x86_64")]
fn with_clock_source(current: &str, available: &str, look: impl FnOnce() + Send) {
    use std::ffi::CString;

    const FOLDER: &str = "/sys/devices/system/clocksource/clocksource0";
    let folder =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("source-{current}"));
    fs::create_dir_all(&folder).expect("a folder of the tests");
    let put = |name: &str, text: &str| {
        let file = folder.join(name);
        fs::write(&file, text).expect("a file in it");
        let file = CString::new(file.into_os_string().into_encoded_bytes()).expect("a path");
        let place = CString::new(format!("{FOLDER}/{name}")).expect("a path");
        mount(&file, &place, None, libc::MS_BIND)
    };
    let change = || put("current_clocksource", current) && put("available_clocksource", available);
    with_other_files(change, look);
}

/// All sources are listed and those that are present can be read.
fn read_all() {
    for listed in sources() {
        match listed.source {
            Ok(source) => {
                let _ = source.read();
                assert!(!source.behind().to_string().is_empty());
            }
            Err(absence) => assert!(!absence.to_string().is_empty()),
        }
    }
}

#[test]
fn without_the_kernels_files_there_is_a_clock_with_a_reason() {
    with_other_files(hide_files, || {
        assert!(fs::read("/proc/cpuinfo").is_err());
        read_all();
        let agreement = cores::compare("monotonic");
        assert!(agreement.is_ok_and(|agreement| agreement.holds()));

        let unknown = "current_clocksource: No such file or directory";
        let report = TscReport::examine(1_000_000);
        let why = report.clock_source.unwrap_err();
        assert!(
            why.contains("/sys") && why.contains("No such file"),
            "{why}"
        );
        assert!(report.flags.is_empty() && report.alternatives.is_empty());

        let Choice { clock, why, .. } = Clock::choose();
        let start = clock.start();
        assert!(clock.stop().since(start).is_some());
        if cfg!(target_arch = "x86_64") {
            assert_eq!(clock.name(), "monotonic");
            assert!(why.contains(unknown), "{why}");
            assert!(
                report
                    .refused
                    .is_some_and(|reason| reason.contains(unknown))
            );
            // Its rate is known without them: stated by the processor, or measured.
            let frequency = report.frequency.unwrap();
            assert!(frequency.hz() > 1e6, "{frequency:?}");
        }
    });
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_counter_that_the_kernel_does_not_list_is_refused() {
    with_clock_source("hpet", "hpet acpi_pm \n", || {
        let choice = Clock::choose();
        assert_eq!(choice.clock.name(), "monotonic");
        let expected = "the kernel does not trust it (it has: hpet acpi_pm)";
        assert_eq!(choice.refused[0].reason, expected);
        let report = TscReport::examine(0);
        assert_eq!(report.clock_source.as_deref(), Ok("hpet"));
        assert_eq!(report.alternatives, ["acpi_pm"]);
        assert_eq!(report.refused.as_deref(), Some(expected));
        for listed in sources() {
            if listed.name == "monotonic" {
                let behind = listed.source.unwrap().behind().to_string();
                assert!(behind.contains("hpet"), "{behind}");
            }
        }
    });
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_counter_that_the_kernel_lists_and_does_not_use_is_chosen() {
    with_clock_source("kvm-clock", "kvm-clock tsc acpi_pm \n", || {
        let choice = Clock::choose();
        // This machine may have another reason against it.
        if choice.clock.name() == "tsc" {
            let expected = "one of the kernel's clock sources (it uses kvm-clock)";
            assert!(choice.why.contains(expected), "{}", choice.why);
        } else {
            assert!(!choice.why.contains("trust"), "{}", choice.why);
        }
    });
}

#[test]
fn forbidden_processors_are_not_used() {
    let all = affinity().unwrap();
    // All but the first, which is the last where there are two.
    let ours = &all[all.len().min(2) - 1..];
    thread::scope(|scope| {
        scope.spawn(|| {
            set_affinity(ours).unwrap();
            let choice = Clock::choose();
            if choice.clock.name() == "tsc" {
                let expected = format!("of {} processors", ours.len());
                assert!(choice.why.contains(&expected), "{}", choice.why);
            }
            match cores::compare("monotonic") {
                Ok(agreement) => {
                    let seen = agreement.warp.processors;
                    assert!(
                        seen.iter().all(|&cpu| ours.contains(&(cpu as u32))),
                        "{seen:?}"
                    );
                }
                Err(reason) => assert!(ours.len() == 1 && reason.contains("one processor only")),
            }
            assert_eq!(
                affinity().unwrap(),
                ours,
                "the thread's affinity is restored"
            );
        });
    });
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_forbidden_counter_is_absent_and_not_read() {
    use tourbillon_clock::Absence;

    // Forbidden to one thread, which ends.
    thread::spawn(|| {
        // SAFETY: the thread reads no counter from here on; that is tested.
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
        // The system's clock, which the C library would read from the counter too.
        let start = choice.clock.start();
        assert!(choice.clock.stop().since(start).is_some());
        let report = TscReport::examine(0);
        assert_eq!((report.frequency, report.cross_check), (None, None));
        assert!(report.rungs.is_empty(), "a measurement reads the counter");
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
    thread::spawn(|| {
        set_affinity(&affinity().unwrap()[..1]).unwrap();
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
