use tourbillon_record::{Fact, FactValue};
use tourbillon_report::{Style, full_header, header};

use crate::same::same;
use crate::samples::{self, absent_fact, text};

fn fact(name: &str, value: FactValue) -> Fact {
    Fact {
        name: name.to_owned(),
        value,
    }
}

/// What a guest on a server knows of itself.
fn facts() -> Vec<Fact> {
    vec![
        text("os", "Debian GNU/Linux 12"),
        text("kernel", "Linux 6.1.0"),
        text("arch", "x86_64"),
        fact("aslr", FactValue::Flag(true)),
        text("cpu_vendor", "AuthenticAMD"),
        text("cpu_model", "AMD EPYC"),
        text("cpu_family", "26"),
        text("cpu_model_number", "2"),
        text("cpu_stepping", "1"),
        fact("cores_logical", FactValue::Integer(2)),
        fact("cores_physical", FactValue::Integer(2)),
        fact("cores_allowed", FactValue::Integer(1)),
        fact(
            "caches",
            FactValue::List(vec!["L1 data 48 KiB".to_owned(), "L2 1 MiB".to_owned()]),
        ),
        fact("memory_bytes", FactValue::Integer(25_000_000_000)),
        text("hypervisor", "KVM"),
        text("load", "0.09 (1 min), 0.03 (5 min), 0.01 (15 min)"),
        absent_fact("governor", "hidden, as usual in a virtual machine"),
        absent_fact("boost", "hidden, as usual in a virtual machine"),
        fact("battery", FactValue::Flag(false)),
        fact("debugger", FactValue::Flag(false)),
        text("rustc", "rustc 1.95.0 (59807616e 2026-04-14)"),
        text("target_cpu", "native"),
        fact(
            "target_features",
            FactValue::List(vec!["sse2".to_owned(), "avx2".to_owned()]),
        ),
        text("profile", "release"),
        text("opt_level", "3"),
        fact("debug_assertions", FactValue::Flag(false)),
        fact("rustflags", FactValue::List(Vec::new())),
        absent_fact("lto", "cargo does not tell"),
        text("panic", "unwind"),
        text("brand_new", "42"),
        absent_fact("linker", ""),
    ]
}

#[test]
fn one_line_when_nothing_is_wrong() {
    let mut facts = facts();
    facts.push(text("revision", "1f0a9c2d71b6"));
    same(
        &header(&samples::header(facts.clone()), &Style::default()),
        "
examples/sort · 38 cases · AMD EPYC, 2 cores, KVM · HEAD 1f0a9c2
",
    );
    // Long names are cut, so that it stays one line.
    facts[5] = text(
        "cpu_model",
        "Intel(R) Xeon(R) Platinum 8370C CPU with a long name @ 2.80GHz",
    );
    let mut header_of_run = samples::header(facts);
    header_of_run.package = "a-package-with-a-long-name".to_owned();
    same(
        &header(&header_of_run, &Style::default()),
        "
a-package-…-name/sort · 38 cases · Intel Xeon Plat…, 2 cores, KVM · HEAD 1f0a9c2
",
    );
}

#[test]
fn everything_at_80_columns() {
    same(
        &full_header(&samples::header(facts()), &Style::default()),
        "
tourbillon examples/sort · 38 benchmarks × 20 launches · seed 9f3c21
began 2026-09-21T16:13:20+02:00 · tourbillon 0.1.0 · with --bench quick sort
clock tsc 2.600 GHz ±0.4 ppm (invariant, and the kernel trusts it)
      frequency from cpuid leaf 15h · cycles from reference chain
cpu AuthenticAMD · AMD EPYC · family 26 · model 2 · stepping 1 · 2 logical cores
    2 physical · 1 allowed · L1 data 48 KiB, L2 1 MiB · 23.3 GiB memory
    hypervisor KVM
os Debian GNU/Linux 12 · kernel Linux 6.1.0 · x86_64 · aslr
   load 0.09 (1 min), 0.03 (5 min), 0.01 (15 min)
build rustc 1.95.0 (59807616e 2026-04-14) · target-cpu native
      cpu features sse2, avx2 · profile release · opt-level 3 · flags none
      panic=unwind
also brand new 42
not known: governor, boost (hidden, as usual in a virtual machine)
           lto (cargo does not tell) · linker
! virtual machine (KVM): the host may take the core unseen at any time; trust
  the intervals, compare builds in one run, and use a dedicated machine for
  absolute figures
",
    );
}

#[test]
fn the_kind_of_core_is_named_and_several_are_warned_of() {
    let slow = Fact {
        name: "cores_efficiency".to_owned(),
        value: FactValue::Integer(8),
    };
    let of = |cpus: &[u32], kinds: &[&str]| {
        let mut run = samples::header(vec![slow.clone()]);
        run.settings.cpus = cpus.to_vec();
        run.settings.core_kinds = Some(kinds.iter().map(|&kind| kind.to_owned()).collect());
        header(&run, &Style::default())
    };
    let usual = of(&[0, 1, 2, 3], &["performance"]);
    assert!(usual.contains("on performance cores"), "{usual}");
    assert!(!usual.contains('!'), "{usual}");
    let one = of(&[17], &["efficiency"]);
    assert!(one.contains("pinned to cpu 17 (efficiency cores)"), "{one}");
    let mixed = of(&[1, 17], &["performance", "efficiency"]);
    assert!(
        mixed.contains("! cores of two kinds, 8 of them slower"),
        "{mixed}"
    );
}

#[test]
fn launches_that_differ_are_a_range() {
    let mut header_of_run = samples::header(Vec::new());
    header_of_run.settings.fewest_launches = Some(5);
    let text = full_header(&header_of_run, &Style::default());
    assert!(text.contains(" 5 to 20 launches"), "{text}");
}

#[test]
fn narrow_and_ascii() {
    let style = Style {
        width: 40,
        unicode: false,
        color: false,
        wide_tables: false,
    };
    let mut header_of_run = samples::header(facts().split_off(14));
    header_of_run.settings.precision = Some(0.005);
    header_of_run.settings.cpus = vec![0, 2];
    same(
        &header(&header_of_run, &style),
        "
examples/sort | 38 cases | KVM
until +-0.5 % | pinned to cpu 0, 2
",
    );
    same(
        &full_header(&header_of_run, &style),
        "
tourbillon examples/sort
           38 benchmarks x 20 launches
           until +-0.5 %
           pinned to cpu 0, 2
           seed 9f3c21
began 2026-09-21T16:13:20+02:00
      tourbillon 0.1.0
      with --bench quick sort
clock tsc 2.600 GHz +-0.4 ppm
      (invariant, and the kernel trusts
      it)
      frequency from cpuid leaf 15h
      cycles from reference chain
cpu hypervisor KVM
os load 0.09 (1 min), 0.03 (5 min), 0.01
   (15 min)
build rustc 1.95.0 (59807616e
      2026-04-14) | target-cpu native
      cpu features sse2, avx2
      profile release | opt-level 3
      flags none | panic=unwind
also brand new 42
not known: governor, boost (hidden, as
           usual in a virtual machine)
           lto (cargo does not tell)
           linker
! virtual machine (KVM): the host may
  take the core unseen at any time;
  trust the intervals, compare builds in
  one run, and use a dedicated machine
  for absolute figures
",
    );
}

#[test]
fn what_is_not_known_is_not_made_up() {
    let mut header_of_run = samples::header(Vec::new());
    header_of_run.cases = 1;
    header_of_run.command = Vec::new();
    header_of_run.settings.launches = 1;
    header_of_run.clock.source = "monotonic".to_owned();
    header_of_run.clock.why = String::new();
    header_of_run.clock.hz_numerator = 0;
    header_of_run.clock.frequency_from = String::new();
    header_of_run.clock.frequency_error_ppm = None;
    header_of_run.clock.cycles_from = None;
    same(
        &header(&header_of_run, &Style::default()),
        "
examples/sort · 1 case
",
    );
    same(
        &full_header(&header_of_run, &Style::default()),
        "
tourbillon examples/sort · 1 benchmark × 1 launch · seed 9f3c21
began 2026-09-21T16:13:20+02:00 · tourbillon 0.1.0
clock monotonic · its error not known · no cycles
",
    );
    header_of_run.clock.no_cycles = Some("the clock did not advance".to_owned());
    let text = full_header(&header_of_run, &Style::default());
    assert!(
        text.contains(" · no cycles: the clock did not advance\n"),
        "{text}"
    );
}

#[test]
fn every_warning_says_what_to_do() {
    let facts = vec![
        fact("debug_assertions", FactValue::Flag(true)),
        text("debugger", "gdb"),
        text("load", "3.25 (1 min), 0.03 (5 min), 0.01 (15 min)"),
        fact("cores_logical", FactValue::Integer(2)),
        text("cpu_quota", "0.50 processors"),
        fact("aslr", FactValue::Flag(false)),
        text("governor", "powersave"),
        fact("battery", FactValue::Flag(true)),
        text("power_profile", "low-power"),
        text("clock_source", "hpet"),
        text("hypervisor", "KVM"),
    ];
    let style = Style {
        color: true,
        ..Style::default()
    };
    // A virtual machine calls for no action; a line below the table reports what a load did.
    same(
        &header(&samples::header(facts), &style).replace('\x1b', "^"),
        "
examples/sort · 38 cases · 2 cores, KVM
^[33m! debug build, not a measure of a release build: run `cargo bench`, and leave^[0m
^[33m  debug-assertions off in [profile.bench]^[0m
^[33m! debugger attached (gdb): detach it, because it slows down what it traces^[0m
^[33m! addresses are not random: all launches share one memory layout, and the^[0m
^[33m  intervals are too narrow; start it without `setarch -R` or a debugger^[0m
^[33m! processor time limited to 0.50 processors: the process is stopped for^[0m
^[33m  milliseconds whenever it has used that up; give the container whole processors^[0m
^[33m  instead^[0m
^[33m! frequency governor powersave: compare cycles rather than times, or `cpupower^[0m
^[33m  frequency-set -g performance` as root, until the next start^[0m
^[33m! power profile low-power: choose another one, with `powerprofilesctl set^[0m
^[33m  performance` or in the system's settings^[0m
^[33m! the system's clock is hpet: the kernel's log explains why it does not trust^[0m
^[33m  the processor's counter^[0m
^[33m! running on battery: plug it in, because saving power changes the frequency^[0m
",
    );
}

#[test]
fn remedies_are_those_of_the_system_that_measured() {
    for (kernel, addresses, cores) in [
        ("Linux 6.1.0", "`setarch -R`", "--cpus"),
        ("NT 10.0", "Exploit protection", "--cpus"),
        ("Darwin 24.1.0", "debugger", "end other programs"),
    ] {
        let facts = vec![
            text("kernel", kernel),
            fact("aslr", FactValue::Flag(false)),
            fact("cores_efficiency", FactValue::Integer(4)),
        ];
        let printed = header(&samples::header(facts), &Style::default());
        // Wrapped lines.
        let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(printed.contains(addresses), "{printed}");
        assert!(printed.contains(cores), "{printed}");
    }
    let low = fact("low_power_mode", FactValue::Flag(true));
    let printed = header(&samples::header(vec![low]), &Style::default());
    assert!(printed.contains("! low-power mode: "), "{printed}");
}

#[test]
fn builds_that_are_no_release() {
    for (name, value, expected) in [
        ("profile", "debug", "! debug build"),
        ("profile", "release", ""),
        ("opt_level", "0", "! optimisation level 0: "),
        ("opt_level", "1", "! optimisation level 1: "),
        ("opt_level", "s", ""),
        ("governor", "performance", ""),
        ("load", "9", ""),
        ("hypervisor", "", ""),
        ("cpu_quota", "", ""),
        ("power_plan", "balanced", ""),
        ("power_plan", "power saver", "! power plan power saver: "),
    ] {
        let text = header(&samples::header(vec![text(name, value)]), &Style::default());
        let warning = text.lines().find(|line| line.starts_with('!'));
        let warning = warning.unwrap_or_default();
        assert!(
            warning.starts_with(expected) && warning.is_empty() == expected.is_empty(),
            "{name} {value}: {text}"
        );
    }
    let warned = |facts: &[Fact]| {
        let text = header(&samples::header(facts.to_vec()), &Style::default());
        text.contains("! ")
    };
    assert!(warned(&[fact("debugger", FactValue::Flag(true))]));
    assert!(warned(&[fact("cores_efficiency", FactValue::Integer(8))]));
}
