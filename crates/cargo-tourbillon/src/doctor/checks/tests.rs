//! Every check on machines that were written down, both ways.

use crate::doctor::finding::{Finding, Severity};
use crate::doctor::machines::{ARM, CONTAINER, GUEST, LAPTOP, Machine, NOTHING, SERVER};

use Severity::{Fine, Matters, Note};

/// That a check found something of a severity in these words.
#[track_caller]
fn found(finding: Finding, severity: Severity, words: &str) {
    assert_eq!(finding.severity(), Some(severity), "{finding:?}");
    let said = finding.outcome.unwrap();
    assert!(said.found.contains(words), "{:?}", said.found);
    assert_eq!(said.remedy.is_none(), severity == Fine, "{said:?}");
}

/// That a check could find out nothing, for this reason.
#[track_caller]
fn absent(finding: Finding, words: &str) {
    let why = finding.outcome.unwrap_err();
    assert!(why.contains(words), "{why}");
}

fn says(machine: &str, check: &str) -> Finding {
    Machine::new(machine).says(check, &[])
}

const CPU: &str = "/sys/devices/system/cpu";

#[test]
fn governors() {
    found(
        says(LAPTOP, "governor"),
        Matters,
        "powersave, driver intel_cpufreq: cores stay",
    );
    found(
        says(SERVER, "governor"),
        Fine,
        "performance, driver acpi-cpufreq",
    );
    found(
        says(ARM, "governor"),
        Note,
        "ondemand on 1, performance on 1 of 2 processors",
    );
    absent(says(GUEST, "governor"), "as in most virtual machines");
    // The same word of a driver that lets the processor choose.
    let driver = format!("{CPU}/cpu0/cpufreq/scaling_driver");
    let machine = Machine::new(LAPTOP).with(&driver, "intel_pstate");
    found(machine.says("governor", &[]), Note, "follows the load");
}

#[test]
fn boosts_of_two_drivers() {
    found(says(LAPTOP, "turbo"), Note, "on: the frequency depends");
    found(says(SERVER, "turbo"), Fine, "off");
    absent(says(CONTAINER, "turbo"), "cpufreq/boost");
    let machine = Machine::new(LAPTOP).with(&format!("{CPU}/intel_pstate/no_turbo"), "1");
    found(machine.says("turbo", &[]), Fine, "off");
    let on = Machine::new(SERVER).with(&format!("{CPU}/cpufreq/boost"), "1");
    let on = on.says("turbo", &[]);
    assert!(on.outcome.unwrap().remedy.unwrap().contains("write 0 into"));
}

#[test]
fn power_profiles() {
    found(says(LAPTOP, "power profile"), Matters, "low-power");
    found(
        says(SERVER, "power profile"),
        Fine,
        "preference performance",
    );
    absent(says(ARM, "power profile"), "platform_profile");
    let path = format!("{CPU}/cpu0/cpufreq/energy_performance_preference");
    let saving = Machine::new(SERVER).with(&path, "power");
    found(
        saving.says("power profile", &[]),
        Matters,
        "preference power",
    );
}

#[test]
fn batteries() {
    found(says(LAPTOP, "battery"), Matters, "its battery, 71 % left");
    found(says(SERVER, "battery"), Fine, "none");
    absent(says(ARM, "battery"), "power_supply");
    let plugged = Machine::new(LAPTOP).with("/sys/class/power_supply/AC/online", "1");
    found(plugged.says("battery", &[]), Fine, "on mains");
    // What is left is the battery of a mouse.
    let desk = Machine::new(LAPTOP).without("/sys/class/power_supply/BAT0");
    found(desk.says("battery", &[]), Fine, "none");
}

#[test]
fn heat_is_counted_while_it_looks() {
    let count = format!("{CPU}/cpu0/thermal_throttle/core_throttle_count");
    found(
        says(LAPTOP, "heat"),
        Note,
        "7 times since the start, not now",
    );
    found(says(SERVER, "heat"), Fine, "never");
    absent(says(GUEST, "heat"), "counts no thermal throttling");
    let hot = Machine::new(LAPTOP).says("heat", &[(&count, "5")]);
    found(hot, Matters, "2 times while this ran");
}

#[test]
fn siblings_that_rest_and_that_work() {
    found(
        says(LAPTOP, "SMT"),
        Note,
        "cpu1 shares its core with cpu3, which rests",
    );
    found(
        says(SERVER, "SMT"),
        Fine,
        "off: cpu2 has its core to itself",
    );
    found(says(ARM, "SMT"), Fine, "none");
    absent(says(CONTAINER, "SMT"), "thread_siblings_list");
    let stat = "cpu  1100 0 500 18300 100 0 0 0 0 0\n\
                cpu0 250 0 125 4600 25 0 0 0 0 0\ncpu1 250 0 125 4600 25 0 0 0 0 0\n\
                cpu2 250 0 125 4600 25 0 0 0 0 0\ncpu3 350 0 125 4500 25 0 0 0 0 0\n";
    let beside = Machine::new(LAPTOP).says("SMT", &[("/proc/stat", stat)]);
    found(beside, Matters, "cpu3, which was at work 100 % of the time");
}

#[test]
fn virtual_machines() {
    found(says(GUEST, "hypervisor"), Note, "a virtual machine of KVM");
    found(says(LAPTOP, "hypervisor"), Fine, "a real machine");
    absent(says(ARM, "hypervisor"), "does not say");
    let xen = Machine::new(ARM).with("/sys/hypervisor/type", "xen");
    found(xen.says("hypervisor", &[]), Note, "Xen");
}

#[test]
fn stolen_time() {
    found(
        says(GUEST, "steal"),
        Matters,
        "took 0.00 % of the time while this ran, 1.0 % since",
    );
    found(says(LAPTOP, "steal"), Fine, "no hypervisor that takes time");
    found(says(ARM, "steal"), Fine, "0.00 %");
    absent(says(NOTHING, "steal"), "this system has no /proc/stat");
    let little = "cpu  6000 0 2000 992000 0 0 0 100 0 0\ncpu0 6000 0 2000 992000 0 0 0 100 0 0\n";
    let machine = Machine::new(GUEST).with("/proc/stat", little);
    found(machine.says("steal", &[]), Fine, "0.01 % since the start");
    let now = "cpu  6100 0 2000 992097 0 0 0 103 0 0\ncpu0 6100 0 2000 992097 0 0 0 103 0 0\n";
    let machine = Machine::new(GUEST).with("/proc/stat", little);
    found(
        machine.says("steal", &[("/proc/stat", now)]),
        Matters,
        "1.5 % of the time while",
    );
    let machine = Machine::new(GUEST).with("/proc/stat", "cpu  1 2 3");
    absent(machine.says("steal", &[]), "that is understood");
}

#[test]
fn loads() {
    found(
        says(GUEST, "load"),
        Matters,
        "1.5 tasks in the last minute, 1.2 in five, for 2 processors",
    );
    found(says(SERVER, "load"), Fine, "0 tasks");
    let busy = Machine::new(SERVER).with("/proc/loadavg", "0.50 0.2 0.1 1/2 3");
    found(busy.says("load", &[]), Note, "0.5 tasks");
    let strange = Machine::new(SERVER).with("/proc/loadavg", "x");
    absent(strange.says("load", &[]), "not understood");
}

/// A process that has had so many ticks.
fn process(name: &str, pid: u32, ticks: u64) -> String {
    format!("{pid} ({name}) R 1 1 1 0 -1 4194304 98 0 0 0 {ticks} 0 0 0 20 0 1 0 1000")
}

#[test]
fn processes_that_are_at_work() {
    // 100 ticks of each processor pass.
    let stat = "cpu  6100 0 2000 90100 1000 0 0 1000 0 0\n\
                cpu0 3000 0 1000 45100 500 0 0 500 0 0\ncpu1 3100 0 1000 45000 500 0 0 500 0 0\n";
    let after = |ticks: u64| {
        let file = process("indexer", 321, ticks);
        Machine::new(GUEST).says(
            "processes",
            &[("/proc/stat", stat), ("/proc/321/stat", &file)],
        )
    };
    found(after(120), Fine, "no other process");
    found(
        after(125),
        Note,
        "others took 5 % of a processor: indexer (321) 5 %",
    );
    found(
        after(210),
        Matters,
        "others took 90 % of a processor: indexer (321) 90 %",
    );
    // One that was not there before, and the own process, which does not count.
    let own = process("cargo-tourbillo", 500, 900);
    let new = process("rustc", 77, 30);
    let files = [
        ("/proc/stat", stat),
        ("/proc/77/stat", &new),
        ("/proc/500/stat", &own),
    ];
    let finding = Machine::new(GUEST).says("processes", &files);
    found(finding, Matters, "of a processor: rustc (77) 30 %");
    absent(says(GUEST, "processes"), "no time passed");
    absent(says(NOTHING, "processes"), "/proc/self/stat");
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
    let finding = Machine::new(GUEST).says("processes", &later);
    found(
        finding,
        Matters,
        "make (5) 25 %, make (4) 20 %, make (3) 15 % and 2 more",
    );
}

#[test]
fn quotas_of_both_versions() {
    found(
        says(CONTAINER, "CPU quota"),
        Matters,
        "0.50 processors: a single thread",
    );
    // Of version 1, and that of the group above is the smaller one.
    found(says(GUEST, "CPU quota"), Note, "1.50 processors of 2");
    found(says(SERVER, "CPU quota"), Fine, "no limit");
    absent(says(ARM, "CPU quota"), "/proc/self/cgroup");
    let enough = Machine::new(CONTAINER).with("/sys/fs/cgroup/cpu.max", "200000 100000");
    found(enough.says("CPU quota", &[]), Fine, "2.00 processors of 1");
    let none = Machine::new(CONTAINER).with("/sys/fs/cgroup/cpu.max", "max 100000");
    found(none.says("CPU quota", &[]), Fine, "no limit");
    let stopped = [("/sys/fs/cgroup/cpu.stat", "nr_throttled 43")];
    let machine = Machine::new(CONTAINER).with("/sys/fs/cgroup/cpu.max", "200000 100000");
    found(
        machine.says("CPU quota", &stopped),
        Matters,
        "stopped 3 times while this ran",
    );
    let strange = Machine::new(CONTAINER).with("/proc/self/cgroup", "nonsense");
    absent(strange.says("CPU quota", &[]), "in no control group");
}

#[test]
fn sets_of_processors() {
    found(says(CONTAINER, "CPU set"), Note, "1 of 2 processors: 0");
    found(says(SERVER, "CPU set"), Fine, "all 4");
    absent(says(ARM, "CPU set"), "/proc/self/status");
    found(
        says(SERVER, "isolated CPUs"),
        Note,
        "2-3 are kept free by the system, without ticks: 2-3",
    );
    found(says(LAPTOP, "isolated CPUs"), Fine, "none");
    absent(says(ARM, "isolated CPUs"), "cpu/isolated");
    let ticking = Machine::new(SERVER).with(&format!("{CPU}/nohz_full"), "(null)");
    found(ticking.says("isolated CPUs", &[]), Note, "no nohz_full");
}

#[test]
fn memory_that_is_short() {
    found(says(GUEST, "swap"), Note, "512 MiB are out");
    found(says(SERVER, "swap"), Fine, "none");
    absent(says(CONTAINER, "swap"), "/proc/vmstat");
    let quiet = Machine::new(GUEST).with("/proc/meminfo", "SwapTotal: 9 kB\nSwapFree: 9 kB");
    found(quiet.says("swap", &[]), Fine, "next to nothing");
    let later = [("/proc/vmstat", "pswpin 12\npswpout 25")];
    found(
        Machine::new(GUEST).says("swap", &later),
        Matters,
        "7 pages were swapped",
    );
    found(
        says(GUEST, "memory pressure"),
        Matters,
        "4.2 % of the last 10 s",
    );
    found(says(LAPTOP, "memory pressure"), Fine, "no task waited");
    absent(says(ARM, "memory pressure"), "/proc/pressure/memory");
    let some = "some avg10=0.20 avg60=0 avg300=0 total=1";
    let some = Machine::new(LAPTOP).with("/proc/pressure/memory", some);
    found(some.says("memory pressure", &[]), Note, "0.2 %");
}

#[test]
fn pages_and_allocators() {
    found(says(LAPTOP, "huge pages"), Note, "always");
    found(says(SERVER, "huge pages"), Fine, "madvise");
    absent(says(ARM, "huge pages"), "transparent_hugepage");
    let environment = "PATH=/bin\0LD_PRELOAD=/lib/x.so\0MALLOC_ARENA_MAX=2\0MALLOCX=1";
    let machine = Machine::new(SERVER).with("/proc/self/environ", environment);
    let finding = machine.says("allocator", &[]);
    found(finding, Note, "it: LD_PRELOAD=/lib/x.so MALLOC_ARENA_MAX=2");
    found(
        says(LAPTOP, "allocator"),
        Fine,
        "nothing in the environment",
    );
    absent(says(ARM, "allocator"), "/proc/self/environ");
}

#[test]
fn who_looks_over_the_shoulder() {
    found(says(GUEST, "debugger"), Matters, "gdb (400) is attached");
    found(says(LAPTOP, "debugger"), Fine, "none");
    absent(says(NOTHING, "debugger"), "/proc/self/status");
    let unnamed = Machine::new(GUEST).without("/proc/400");
    found(unnamed.says("debugger", &[]), Matters, "a process (400)");
}

#[test]
fn addresses() {
    found(says(GUEST, "ASLR"), Matters, "off for what is started here");
    found(says(LAPTOP, "ASLR"), Fine, "on");
    // Without a personality the setting alone says it.
    found(says(CONTAINER, "ASLR"), Fine, "on");
    absent(says(ARM, "ASLR"), "randomize_va_space");
    let off = Machine::new(LAPTOP).with("/proc/sys/kernel/randomize_va_space", "0");
    found(off.says("ASLR", &[]), Matters, "off for all");
}

#[test]
fn clocks() {
    let folder = "/sys/devices/system/clocksource/clocksource0";
    found(says(GUEST, "clock source"), Note, "kvm-clock");
    found(says(LAPTOP, "clock source"), Fine, "tsc");
    found(says(ARM, "clock source"), Fine, "arch_sys_counter");
    absent(says(CONTAINER, "clock source"), "current_clocksource");
    let slow = Machine::new(LAPTOP).with(&format!("{folder}/current_clocksource"), "hpet");
    let slow = slow.says("clock source", &[]);
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
        .says("clock source", &[])
        .outcome
        .unwrap()
        .remedy
        .unwrap();
    assert!(remedy.contains("kernel's log"), "{remedy}");
}

#[test]
fn hardware_counters() {
    found(says(SERVER, "counters"), Note, "perf_event_paranoid is 4");
    found(says(LAPTOP, "counters"), Fine, "cpu, and a program may");
    found(says(ARM, "counters"), Fine, "armv8_cortex_a76");
    found(
        says(GUEST, "counters"),
        Note,
        "no performance monitoring unit",
    );
    absent(says(CONTAINER, "counters"), "event_source");
    let strange = Machine::new(LAPTOP).without("/proc/sys/kernel/perf_event_paranoid");
    absent(strange.says("counters", &[]), "perf_event_paranoid");
}

#[test]
fn a_system_that_shows_nothing_has_a_reason_for_everything() {
    for finding in Machine::new(NOTHING).seen(&[]) {
        let why = finding.outcome.expect_err(finding.check);
        assert!(!why.is_empty(), "{}", finding.check);
    }
}
