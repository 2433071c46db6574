//! Every check on recorded machines, with each outcome.

use Severity::{Fine, Matters, Note};

use crate::doctor::finding::{Finding, Severity};
use crate::doctor::machines::{ARM, CONTAINER, GUEST, LAPTOP, Machine, NOTHING, SERVER};

/// Asserts the severity and part of the text of a finding.
#[track_caller]
fn found(finding: Finding, severity: Severity, words: &str) {
    assert_eq!(finding.severity(), Some(severity), "{finding:?}");
    let outcome = finding.outcome.unwrap();
    assert!(outcome.found.contains(words), "{:?}", outcome.found);
    assert_eq!(outcome.remedy.is_none(), severity == Fine, "{outcome:?}");
}

/// Asserts that a check could not assess anything, and why.
#[track_caller]
fn absent(finding: Finding, words: &str) {
    let why = finding.outcome.unwrap_err();
    assert!(why.contains(words), "{why}");
}

fn check(machine: &str, check: &str) -> Finding {
    Machine::new(machine).check(check, &[])
}

const CPU: &str = "/sys/devices/system/cpu";

#[test]
fn governors() {
    found(
        check(LAPTOP, "governor"),
        Matters,
        "powersave, driver intel_cpufreq: cores stay",
    );
    found(
        check(SERVER, "governor"),
        Fine,
        "performance, driver acpi-cpufreq",
    );
    found(
        check(ARM, "governor"),
        Note,
        "ondemand on 1, performance on 1 of 2 processors",
    );
    absent(check(GUEST, "governor"), "as in most virtual machines");
    // The same word of a driver that lets the processor choose.
    let driver = format!("{CPU}/cpu0/cpufreq/scaling_driver");
    let machine = Machine::new(LAPTOP).with(&driver, "intel_pstate");
    found(machine.check("governor", &[]), Note, "follows the load");
}

#[test]
fn boosts_of_two_drivers() {
    found(check(LAPTOP, "turbo"), Note, "on: the frequency depends");
    found(check(SERVER, "turbo"), Fine, "off");
    absent(check(CONTAINER, "turbo"), "cpufreq/boost");
    let machine = Machine::new(LAPTOP).with(&format!("{CPU}/intel_pstate/no_turbo"), "1");
    found(machine.check("turbo", &[]), Fine, "off");
    let on = Machine::new(SERVER)
        .with(&format!("{CPU}/cpufreq/boost"), "1")
        .check("turbo", &[]);
    assert!(on.outcome.unwrap().remedy.unwrap().contains("write 0 to"));
}

#[test]
fn power_profiles() {
    found(check(LAPTOP, "power profile"), Matters, "low-power");
    found(
        check(SERVER, "power profile"),
        Fine,
        "preference performance",
    );
    absent(check(ARM, "power profile"), "platform_profile");
    let path = format!("{CPU}/cpu0/cpufreq/energy_performance_preference");
    let saving = Machine::new(SERVER).with(&path, "power");
    found(
        saving.check("power profile", &[]),
        Matters,
        "preference power",
    );
}

#[test]
fn batteries() {
    found(check(LAPTOP, "battery"), Matters, "its battery, 71 % left");
    found(check(SERVER, "battery"), Fine, "none");
    absent(check(ARM, "battery"), "power_supply");
    let plugged = Machine::new(LAPTOP).with("/sys/class/power_supply/AC/online", "1");
    found(plugged.check("battery", &[]), Fine, "on mains");
    // What is left is the battery of a mouse.
    let desk = Machine::new(LAPTOP).without("/sys/class/power_supply/BAT0");
    found(desk.check("battery", &[]), Fine, "none");
}

#[test]
fn heat_is_counted_while_it_looks() {
    let count = format!("{CPU}/cpu0/thermal_throttle/core_throttle_count");
    found(
        check(LAPTOP, "heat"),
        Note,
        "7 times since the start, not now",
    );
    found(check(SERVER, "heat"), Fine, "never");
    absent(check(GUEST, "heat"), "counts no thermal throttling");
    let hot = Machine::new(LAPTOP).check("heat", &[(&count, "5")]);
    found(hot, Matters, "2 times while this ran");
}

#[test]
fn idle_and_busy_siblings() {
    found(
        check(LAPTOP, "SMT"),
        Note,
        "cpu1 shares its core with cpu3, which is idle",
    );
    found(
        check(SERVER, "SMT"),
        Fine,
        "off: cpu2 has its core to itself",
    );
    found(check(ARM, "SMT"), Fine, "none: cpu");
    // What no file of a guest names may be another guest's.
    let list = "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list";
    let alone = Machine::new(GUEST).with(list, "0");
    found(
        alone.check("SMT", &[]),
        Fine,
        "none that this virtual machine sees",
    );
    absent(check(CONTAINER, "SMT"), "thread_siblings_list");
    let stat = "cpu  1100 0 500 18300 100 0 0 0 0 0\n\
                cpu0 250 0 125 4600 25 0 0 0 0 0\ncpu1 250 0 125 4600 25 0 0 0 0 0\n\
                cpu2 250 0 125 4600 25 0 0 0 0 0\ncpu3 350 0 125 4500 25 0 0 0 0 0\n";
    let busy = Machine::new(LAPTOP).check("SMT", &[("/proc/stat", stat)]);
    found(busy, Matters, "cpu3, which was busy 100 % of the time");
}

#[test]
fn virtual_machines() {
    found(check(GUEST, "hypervisor"), Note, "a virtual machine of KVM");
    found(check(LAPTOP, "hypervisor"), Fine, "a real machine");
    absent(check(ARM, "hypervisor"), "does not report");
    let xen = Machine::new(ARM).with("/sys/hypervisor/type", "xen");
    found(xen.check("hypervisor", &[]), Note, "Xen");
}

#[test]
fn emulated_processors() {
    let emulated = Machine::new(ARM).emulated_by("qemu-aarch64");
    found(
        emulated.check("translation", &[]),
        Matters,
        "an emulator (qemu-aarch64) translates",
    );
    found(check(ARM, "translation"), Fine, "made for this processor");
}

#[test]
fn stolen_time() {
    found(
        check(GUEST, "steal"),
        Matters,
        "took 0 % of the time while this ran, 1.0 % since",
    );
    found(
        check(LAPTOP, "steal"),
        Fine,
        "a real machine has no hypervisor",
    );
    found(check(ARM, "steal"), Fine, "0 %");
    absent(check(NOTHING, "steal"), "this system has no /proc/stat");
    let little = "cpu  6000 0 2000 992000 0 0 0 100 0 0\ncpu0 6000 0 2000 992000 0 0 0 100 0 0\n";
    let machine = Machine::new(GUEST).with("/proc/stat", little);
    found(machine.check("steal", &[]), Fine, "0.01 % since the start");
    let now = "cpu  6100 0 2000 992097 0 0 0 103 0 0\ncpu0 6100 0 2000 992097 0 0 0 103 0 0\n";
    let machine = Machine::new(GUEST).with("/proc/stat", little);
    found(
        machine.check("steal", &[("/proc/stat", now)]),
        Matters,
        "1.5 % of the time while",
    );
    let machine = Machine::new(GUEST).with("/proc/stat", "cpu  1 2 3");
    absent(machine.check("steal", &[]), "that is understood");
}

#[test]
fn loads() {
    found(
        check(GUEST, "load"),
        Matters,
        "1.5 tasks in the last minute, 1.2 in five, for 2 processors",
    );
    found(check(SERVER, "load"), Fine, "0 tasks");
    let busy = Machine::new(SERVER).with("/proc/loadavg", "0.50 0.2 0.1 1/2 3");
    found(busy.check("load", &[]), Note, "0.5 tasks");
    let strange = Machine::new(SERVER).with("/proc/loadavg", "x");
    absent(strange.check("load", &[]), "not understood");
}

/// A process that has had so many ticks.
fn process(name: &str, pid: u32, ticks: u64) -> String {
    format!("{pid} ({name}) R 1 1 1 0 -1 4194304 98 0 0 0 {ticks} 0 0 0 20 0 1 0 1000")
}

#[test]
fn busy_processes() {
    // 100 ticks of each processor pass.
    let stat = "cpu  6100 0 2000 90100 1000 0 0 1000 0 0\n\
                cpu0 3000 0 1000 45100 500 0 0 500 0 0\ncpu1 3100 0 1000 45000 500 0 0 500 0 0\n";
    let after = |ticks: u64| {
        let file = process("indexer", 321, ticks);
        Machine::new(GUEST).check(
            "processes",
            &[("/proc/stat", stat), ("/proc/321/stat", &file)],
        )
    };
    found(after(120), Fine, "other processes took hardly any");
    found(
        after(125),
        Note,
        "other processes took 5.0 % of a processor: indexer (321) 5.0 %",
    );
    found(
        after(210),
        Matters,
        "other processes took 90 % of a processor: indexer (321) 90 %",
    );
    // One that was not there before, and the own process, which does not count.
    let own = process("cargo-tourbillo", 500, 900);
    let new = process("rustc", 77, 30);
    let files = [
        ("/proc/stat", stat),
        ("/proc/77/stat", &new),
        ("/proc/500/stat", &own),
    ];
    let finding = Machine::new(GUEST).check("processes", &files);
    found(finding, Matters, "of a processor: rustc (77) 30 %");
    absent(check(GUEST, "processes"), "no time passed");
    absent(check(NOTHING, "processes"), "/proc/self/stat");
}

#[test]
fn many_processes_are_counted() {
    let stat =
        "cpu  6100 0 2000 90100 1000 0 0 1000 0 0\ncpu0 6100 0 2000 90100 1000 0 0 1000 0 0\n";
    let files: Vec<(String, String)> = (1..=5)
        .map(|pid| {
            (
                format!("/proc/{pid}/stat"),
                process("make", pid, 10 * u64::from(pid)),
            )
        })
        .collect();
    let mut later = vec![("/proc/stat", stat)];
    later.extend(
        files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str())),
    );
    let finding = Machine::new(GUEST).check("processes", &later);
    found(
        finding,
        Matters,
        "make (5) 25 %, make (4) 20 %, make (3) 15 % and 2 more",
    );
}

#[test]
fn quotas_of_both_versions() {
    found(
        check(CONTAINER, "CPU quota"),
        Matters,
        "0.50 processors: even a single thread",
    );
    // Of version 1, and that of the group above is the smaller one.
    found(check(GUEST, "CPU quota"), Note, "1.50 processors of 2");
    found(check(SERVER, "CPU quota"), Fine, "no limit");
    absent(check(ARM, "CPU quota"), "/proc/self/cgroup");
    let enough = Machine::new(CONTAINER).with("/sys/fs/cgroup/cpu.max", "200000 100000");
    found(enough.check("CPU quota", &[]), Fine, "2.00 processors of 1");
    let none = Machine::new(CONTAINER).with("/sys/fs/cgroup/cpu.max", "max 100000");
    found(none.check("CPU quota", &[]), Fine, "no limit");
    let stopped = [("/sys/fs/cgroup/cpu.stat", "nr_throttled 43")];
    let machine = Machine::new(CONTAINER).with("/sys/fs/cgroup/cpu.max", "200000 100000");
    found(
        machine.check("CPU quota", &stopped),
        Matters,
        "throttled 3 times while this ran",
    );
    let strange = Machine::new(CONTAINER).with("/proc/self/cgroup", "nonsense");
    absent(strange.check("CPU quota", &[]), "in no control group");
}

#[test]
fn sets_of_processors() {
    found(check(CONTAINER, "CPU set"), Note, "1 of 2 processors: 0");
    found(check(SERVER, "CPU set"), Fine, "all 4");
    absent(check(ARM, "CPU set"), "/proc/self/status");
    found(
        check(SERVER, "isolated CPUs"),
        Note,
        "the system keeps 2-3 free, without timer ticks: 2-3",
    );
    found(check(LAPTOP, "isolated CPUs"), Fine, "none");
    absent(check(ARM, "isolated CPUs"), "cpu/isolated");
    let ticking = Machine::new(SERVER).with(&format!("{CPU}/nohz_full"), "(null)");
    found(ticking.check("isolated CPUs", &[]), Note, "no nohz_full");
}

#[test]
fn memory_that_is_short() {
    found(check(GUEST, "swap"), Note, "512 MiB are swapped out");
    found(check(SERVER, "swap"), Fine, "none");
    absent(check(CONTAINER, "swap"), "/proc/vmstat");
    let quiet = Machine::new(GUEST).with("/proc/meminfo", "SwapTotal: 9 kB\nSwapFree: 9 kB");
    found(quiet.check("swap", &[]), Fine, "hardly anything");
    let later = [("/proc/vmstat", "pswpin 12\npswpout 25")];
    found(
        Machine::new(GUEST).check("swap", &later),
        Matters,
        "7 pages were swapped",
    );
    found(
        check(GUEST, "memory pressure"),
        Matters,
        "4.2 % of the last 10 s",
    );
    found(check(LAPTOP, "memory pressure"), Fine, "no task waited");
    absent(check(ARM, "memory pressure"), "/proc/pressure/memory");
    let some = "some avg10=0.20 avg60=0 avg300=0 total=1";
    let some = Machine::new(LAPTOP).with("/proc/pressure/memory", some);
    found(some.check("memory pressure", &[]), Note, "0.2 %");
}

#[test]
fn pages_and_allocators() {
    found(check(LAPTOP, "huge pages"), Note, "always");
    found(check(SERVER, "huge pages"), Fine, "madvise");
    absent(check(ARM, "huge pages"), "transparent_hugepage");
    let environment = "PATH=/bin\0LD_PRELOAD=/lib/x.so\0MALLOC_ARENA_MAX=2\0MALLOCX=1";
    let machine = Machine::new(SERVER).with("/proc/self/environ", environment);
    let finding = machine.check("allocator", &[]);
    found(finding, Note, "it: LD_PRELOAD=/lib/x.so MALLOC_ARENA_MAX=2");
    found(
        check(LAPTOP, "allocator"),
        Fine,
        "not changed by the environment",
    );
    absent(check(ARM, "allocator"), "/proc/self/environ");
}

#[test]
fn debuggers() {
    found(check(GUEST, "debugger"), Matters, "gdb (400) is attached");
    found(check(LAPTOP, "debugger"), Fine, "none");
    absent(check(NOTHING, "debugger"), "/proc/self/status");
    let unnamed = Machine::new(GUEST).without("/proc/400");
    found(unnamed.check("debugger", &[]), Matters, "a process (400)");
}

#[test]
fn addresses() {
    found(
        check(GUEST, "ASLR"),
        Matters,
        "off for programs started here",
    );
    found(check(LAPTOP, "ASLR"), Fine, "on");
    // Without a personality the setting alone decides.
    found(check(CONTAINER, "ASLR"), Fine, "on");
    absent(check(ARM, "ASLR"), "randomize_va_space");
    let off = Machine::new(LAPTOP).with("/proc/sys/kernel/randomize_va_space", "0");
    found(off.check("ASLR", &[]), Matters, "off: every launch");
}

#[test]
fn clocks() {
    let folder = "/sys/devices/system/clocksource/clocksource0";
    found(check(GUEST, "clock source"), Note, "kvm-clock");
    found(check(LAPTOP, "clock source"), Fine, "tsc");
    found(check(ARM, "clock source"), Fine, "arch_sys_counter");
    absent(check(CONTAINER, "clock source"), "current_clocksource");
    let slow = Machine::new(LAPTOP)
        .with(&format!("{folder}/current_clocksource"), "hpet")
        .check("clock source", &[]);
    assert!(
        slow.outcome
            .clone()
            .unwrap()
            .remedy
            .unwrap()
            .starts_with("`echo tsc > ")
    );
    found(slow, Matters, "hpet");
    let distrusted = Machine::new(LAPTOP)
        .with(&format!("{folder}/current_clocksource"), "acpi_pm")
        .with(&format!("{folder}/available_clocksource"), "acpi_pm");
    let remedy = distrusted
        .check("clock source", &[])
        .outcome
        .unwrap()
        .remedy
        .unwrap();
    assert!(remedy.contains("kernel's log"), "{remedy}");
}

#[test]
fn hardware_counters() {
    found(check(SERVER, "counters"), Note, "perf_event_paranoid is 4");
    found(check(LAPTOP, "counters"), Fine, "cpu, and a program may");
    found(check(ARM, "counters"), Fine, "armv8_cortex_a76");
    found(
        check(GUEST, "counters"),
        Note,
        "no performance monitoring unit",
    );
    absent(check(CONTAINER, "counters"), "event_source");
    let strange = Machine::new(LAPTOP).without("/proc/sys/kernel/perf_event_paranoid");
    absent(strange.check("counters", &[]), "perf_event_paranoid");
}

#[test]
fn an_empty_system_has_a_reason_for_every_check() {
    let mut findings = Machine::new(NOTHING).findings(&[]);
    // Not read from files.
    findings.retain(|finding| finding.check != "translation");
    for finding in findings {
        let why = finding.outcome.expect_err(finding.check);
        assert!(!why.is_empty(), "{}", finding.check);
    }
}
