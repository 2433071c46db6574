use tourbillon_record::{Fact, FactValue};
use tourbillon_report::{Style, Warning, header};

use crate::made::{self, absent_fact, text};
use crate::same::same;

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
fn at_80_columns() {
    same(
        &header(&made::header(facts()), &Style::default()),
        "
tourbillon 0.1.0 · examples/sort · 38 cases · 20 launches · seed 9f3c21
began 2026-09-21T16:13:20+02:00 · with --bench quick sort
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
! virtual machine (KVM): trust the intervals, for the host may take the core
  unseen at any time
",
    );
}

#[test]
fn narrow_and_ascii() {
    let style = Style {
        width: 40,
        unicode: false,
        color: false,
    };
    let mut header_of_run = made::header(facts().split_off(14));
    header_of_run.settings.precision = Some(0.005);
    header_of_run.settings.cpus = vec![0, 2];
    same(
        &header(&header_of_run, &style),
        "
tourbillon 0.1.0 | examples/sort
           38 cases | 20 launches
           until +-0.5 %
           pinned to cpu 0, 2
           seed 9f3c21
began 2026-09-21T16:13:20+02:00
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
! virtual machine (KVM): trust the
  intervals, for the host may take the
  core unseen at any time
",
    );
}

#[test]
fn what_is_not_known_is_not_made_up() {
    let mut header_of_run = made::header(Vec::new());
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
tourbillon 0.1.0 · examples/sort · 1 case · 1 launch · seed 9f3c21
began 2026-09-21T16:13:20+02:00
clock monotonic · its error not known · no cycles
",
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
    let header_of_run = made::header(facts);
    same(
        &header(
            &header_of_run,
            &Style {
                color: true,
                ..Style::default()
            },
        )
        .replace('\x1b', "^"),
        "
tourbillon 0.1.0 · examples/sort · 38 cases · 20 launches · seed 9f3c21
began 2026-09-21T16:13:20+02:00 · with --bench quick sort
clock tsc 2.600 GHz ±0.4 ppm (invariant, and the kernel trusts it)
      frequency from cpuid leaf 15h · cycles from reference chain
cpu 2 logical cores · quota 0.50 processors · governor powersave
    power profile low-power · hypervisor KVM
os load 3.25 (1 min), 0.03 (5 min), 0.01 (15 min) · no aslr · its clock hpet
^[33m! debug build, no measure of a release build: run `cargo bench`, and leave^[0m
^[33m  debug-assertions off in [profile.bench]^[0m
^[33m! debugger attached (gdb): detach it, for what it stops or traces takes longer^[0m
^[33m! load 3.2 on 2 cores: close other programs, or wait until the build has settled^[0m
^[33m! addresses are not random: all launches have the same luck and the intervals^[0m
^[33m  are too narrow; start it without `setarch -R` or a debugger^[0m
^[33m! processor time limited to 0.50 processors: whoever has used it up is stopped^[0m
^[33m  for some milliseconds; give the container whole processors instead^[0m
^[33m! frequency governor powersave: compare cycles rather than times, or choose the^[0m
^[33m  governor `performance`^[0m
^[33m! running on battery: plug it in, for saving power changes the cores' frequency^[0m
^[33m! power profile low-power: choose another one, `powerprofilesctl set^[0m
^[33m  performance` or the system's settings^[0m
^[33m! the system's clock is hpet: the kernel's log says why it does not trust the^[0m
^[33m  processor's counter^[0m
^[33m! virtual machine (KVM): trust the intervals, for the host may take the core^[0m
^[33m  unseen at any time^[0m
",
    );
    assert_eq!(Warning::all(&header_of_run).len(), 10);
}

#[test]
fn builds_that_are_no_release() {
    for (name, value, expected) in [
        ("profile", "debug", Some(Warning::DebugBuild)),
        ("profile", "release", None),
        ("opt_level", "0", Some(Warning::Unoptimised("0"))),
        ("opt_level", "1", Some(Warning::Unoptimised("1"))),
        ("opt_level", "s", None),
        ("governor", "performance", None),
        ("load", "9", None),
        ("hypervisor", "", None),
        ("cpu_quota", "", None),
    ] {
        let header = made::header(vec![text(name, value)]);
        let found = Warning::all(&header);
        assert_eq!(found, Vec::from_iter(expected), "{name} {value}");
    }
    let debugger = fact("debugger", FactValue::Flag(true));
    assert_eq!(
        Warning::all(&made::header(vec![debugger])),
        [Warning::Debugger(None)]
    );
    let load = [
        text("load", "2.00"),
        fact("cores_logical", FactValue::Integer(2)),
    ];
    assert_eq!(Warning::all(&made::header(load.to_vec())), []);
}
