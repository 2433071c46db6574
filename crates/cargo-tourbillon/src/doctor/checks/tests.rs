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

/// What checks find on the machines as they were recorded: check, machine, severity, and words of the text.
const RECORDED: &str = "\
governor | laptop | matters | powersave, driver intel_cpufreq: cores stay
governor | server | fine | performance, driver acpi-cpufreq
governor | arm | note | ondemand on 1, performance on 1 of 2 processors
governor | guest | unknown | as in most virtual machines
turbo | laptop | note | on: the frequency depends
turbo | server | fine | off
turbo | container | unknown | cpufreq/boost
power profile | laptop | matters | low-power
power profile | server | fine | preference performance
power profile | arm | unknown | platform_profile
battery | laptop | matters | its battery, 71 % left
battery | server | fine | none
battery | arm | unknown | power_supply
heat | laptop | note | 7 times since the start, not now
heat | server | fine | never
heat | guest | unknown | counts no thermal throttling
SMT | laptop | note | cpu1 shares its core with cpu3, which is idle
SMT | server | fine | off: cpu2 has its core to itself
SMT | arm | fine | none: cpu
SMT | container | unknown | thread_siblings_list
hypervisor | guest | note | a virtual machine of KVM
hypervisor | laptop | fine | a real machine
hypervisor | arm | unknown | does not report
translation | arm | fine | made for this processor
steal | guest | matters | took 0 % of the time while this ran, 1.0 % since
steal | laptop | fine | a real machine has no hypervisor
steal | arm | fine | 0 %
steal | nothing | unknown | this system has no /proc/stat
load | guest | matters | 1.5 tasks in the last minute, 1.2 in five, for 2 processors
load | server | fine | 0 tasks
CPU quota | container | matters | 0.50 processors: even a single thread
CPU quota | guest | note | 1.50 processors of 2
CPU quota | server | fine | no limit
CPU quota | arm | unknown | /proc/self/cgroup
CPU set | container | note | 1 of 2 processors: 0
CPU set | server | fine | all 4
CPU set | arm | unknown | /proc/self/status
isolated CPUs | server | note | the system keeps 2-3 free, without timer ticks: 2-3
isolated CPUs | laptop | fine | none
isolated CPUs | arm | unknown | cpu/isolated
swap | guest | note | 512 MiB are swapped out
swap | server | fine | none
swap | container | unknown | /proc/vmstat
memory pressure | guest | matters | 4.2 % of the last 10 s
memory pressure | laptop | fine | no task waited
memory pressure | arm | unknown | /proc/pressure/memory
huge pages | laptop | note | always
huge pages | server | fine | madvise
huge pages | arm | unknown | transparent_hugepage
allocator | laptop | fine | not changed by the environment
allocator | arm | unknown | /proc/self/environ
debugger | guest | matters | gdb (400) is attached
debugger | laptop | fine | none
debugger | nothing | unknown | /proc/self/status
ASLR | guest | matters | off for programs started here
ASLR | laptop | fine | on
ASLR | container | fine | on
ASLR | arm | unknown | randomize_va_space
clock source | guest | note | kvm-clock
clock source | laptop | fine | tsc
clock source | arm | fine | arch_sys_counter
clock source | container | unknown | current_clocksource
counters | server | note | perf_event_paranoid is 4
counters | laptop | fine | cpu, and a program may
counters | arm | fine | armv8_cortex_a76
counters | guest | fine | no performance monitoring unit
counters | container | unknown | event_source
processes | guest | unknown | no time passed
processes | nothing | unknown | /proc/self/stat
";

#[test]
fn recorded_machines() {
    let machines = [
        ("laptop", LAPTOP),
        ("server", SERVER),
        ("container", CONTAINER),
        ("guest", GUEST),
        ("arm", ARM),
        ("nothing", NOTHING),
    ];
    for row in RECORDED.lines() {
        let [check, machine, severity, words] = Vec::from_iter(row.split(" | "))[..] else {
            panic!("{row}");
        };
        let (_, files) = machines
            .iter()
            .find(|(name, _)| *name == machine)
            .expect(row);
        let finding = Machine::new(files).check(check, &[]);
        let mut severities = [Fine, Note, Matters].into_iter();
        match severities.find(|one| one.name() == severity) {
            Some(severity) => found(finding, severity, words),
            None => absent(finding, words),
        }
    }
}

const CPU: &str = "/sys/devices/system/cpu";

#[test]
fn governors() {
    // The same word of a driver that lets the processor choose.
    let driver = format!("{CPU}/cpu0/cpufreq/scaling_driver");
    let machine = Machine::new(LAPTOP).with(&driver, "intel_pstate");
    found(machine.check("governor", &[]), Note, "follows the load");
}

#[test]
fn boosts_of_two_drivers() {
    let machine = Machine::new(LAPTOP).with(&format!("{CPU}/intel_pstate/no_turbo"), "1");
    found(machine.check("turbo", &[]), Fine, "off");
    let on = Machine::new(SERVER)
        .with(&format!("{CPU}/cpufreq/boost"), "1")
        .check("turbo", &[]);
    assert!(on.outcome.unwrap().remedy.unwrap().contains("write 0 to"));
}

#[test]
fn power_profiles() {
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
    let plugged = Machine::new(LAPTOP).with("/sys/class/power_supply/AC/online", "1");
    found(plugged.check("battery", &[]), Fine, "on mains");
    // What is left is the battery of a mouse.
    let desk = Machine::new(LAPTOP).without("/sys/class/power_supply/BAT0");
    found(desk.check("battery", &[]), Fine, "none");
}

#[test]
fn heat_is_counted_while_it_looks() {
    let count = format!("{CPU}/cpu0/thermal_throttle/core_throttle_count");
    let hot = Machine::new(LAPTOP).check("heat", &[(&count, "5")]);
    found(hot, Matters, "2 times while this ran");
}

#[test]
fn idle_and_busy_siblings() {
    // What no file of a guest names may be another guest's.
    let list = "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list";
    let alone = Machine::new(GUEST).with(list, "0");
    found(
        alone.check("SMT", &[]),
        Fine,
        "none that this virtual machine sees",
    );
    let stat = "cpu  1100 0 500 18300 100 0 0 0 0 0\n\
                cpu0 250 0 125 4600 25 0 0 0 0 0\ncpu1 250 0 125 4600 25 0 0 0 0 0\n\
                cpu2 250 0 125 4600 25 0 0 0 0 0\ncpu3 350 0 125 4500 25 0 0 0 0 0\n";
    let busy = Machine::new(LAPTOP).check("SMT", &[("/proc/stat", stat)]);
    found(busy, Matters, "cpu3, which was busy 100 % of the time");
}

#[test]
fn virtual_machines() {
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
}

#[test]
fn stolen_time() {
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
    let ticking = Machine::new(SERVER).with(&format!("{CPU}/nohz_full"), "(null)");
    found(ticking.check("isolated CPUs", &[]), Note, "no nohz_full");
}

#[test]
fn memory_that_is_short() {
    let quiet = Machine::new(GUEST).with("/proc/meminfo", "SwapTotal: 9 kB\nSwapFree: 9 kB");
    found(quiet.check("swap", &[]), Fine, "hardly anything");
    let later = [("/proc/vmstat", "pswpin 12\npswpout 25")];
    found(
        Machine::new(GUEST).check("swap", &later),
        Matters,
        "7 pages were swapped",
    );
    let some = "some avg10=0.20 avg60=0 avg300=0 total=1";
    let some = Machine::new(LAPTOP).with("/proc/pressure/memory", some);
    found(some.check("memory pressure", &[]), Note, "0.2 %");
}

#[test]
fn pages_and_allocators() {
    let environment = "PATH=/bin\0LD_PRELOAD=/lib/x.so\0MALLOC_ARENA_MAX=2\0MALLOCX=1";
    let machine = Machine::new(SERVER).with("/proc/self/environ", environment);
    let finding = machine.check("allocator", &[]);
    found(finding, Note, "it: LD_PRELOAD=/lib/x.so MALLOC_ARENA_MAX=2");
}

#[test]
fn debuggers() {
    let unnamed = Machine::new(GUEST).without("/proc/400");
    found(unnamed.check("debugger", &[]), Matters, "a process (400)");
}

#[test]
fn addresses() {
    let off = Machine::new(LAPTOP).with("/proc/sys/kernel/randomize_va_space", "0");
    found(off.check("ASLR", &[]), Matters, "off: every launch");
}

#[test]
fn clocks() {
    let folder = "/sys/devices/system/clocksource/clocksource0";
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
