//! A report of this machine's time stamp counter.

use std::fmt;
use std::fs::read_to_string;
use std::path::Path;

use tourbillon_clock::{
    Absence, Anchor, Clock, CrossCheck, Frequency, FrequencyFrom, Stopwatch, counter_permission,
};

/// The folder of Linux's clock sources.
pub(crate) const CLOCK_SOURCES: &str = "/sys/devices/system/clocksource/clocksource0";

/// Everything that is known for and against the time stamp counter, as data.
///
/// # Examples
///
/// ```
/// use tourbillon_timers::TscReport;
///
/// let report = TscReport::examine(1_000_000);
/// println!("{:?}, {:?}", report.generation, report.frequency);
/// for rung in report.rungs {
///     println!("{:?}: {:?}", rung.from, rung.frequency);
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TscReport {
    /// Its generation, which determines how its rate behaves.
    pub generation: Generation,
    /// The flags of `/proc/cpuinfo` about it.
    pub flags: Vec<String>,
    /// The kernel's clock source, or why it is not known.
    pub clock_source: Result<String, String>,
    /// The other clock sources of the kernel.
    pub alternatives: Vec<String>,
    /// Its rate; `None` if the processor has no such counter or this process may not read it.
    pub frequency: Option<Frequency>,
    /// The rate by each source of frequencies, best first, and a short measurement at the end; empty without
    /// a counter.
    pub rungs: Vec<Rung>,
    /// The rate compared with the system's clock; `None` without a bound.
    pub cross_check: Option<CrossCheck>,
    /// Why it is not used to measure; `None` if it is.
    pub refused: Option<String>,
}

/// A source of frequencies, and its result; [`TscReport`] has an example.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// The source.
    pub from: FrequencyFrom,
    /// The rate by it, or why it has none.
    pub frequency: Result<Frequency, Absence>,
}

/// The generations of time stamp counters (Intel's Software Developer's Manual, volume 3B,
/// "Time-Stamp Counter"); [`TscReport`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Generation {
    /// The processor has no counter.
    Absent,
    /// It counts the core's cycles, at any frequency.
    Variant,
    /// Its rate is independent of the core's, but it stops while the core sleeps.
    Constant,
    /// Its rate is the same in all states of the processor.
    Invariant,
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Generation::Absent => "absent",
            Generation::Variant => "variant",
            Generation::Constant => "constant",
            Generation::Invariant => "invariant",
        })
    }
}

/// The kernel's flags about the counter.
const FLAGS: [&str; 9] = [
    "tsc",
    "rdtscp",
    "constant_tsc",
    "nonstop_tsc",
    "nonstop_tsc_s3",
    "tsc_reliable",
    "tsc_known_freq",
    "tsc_adjust",
    "tsc_deadline_timer",
];

impl TscReport {
    /// Examines this machine and compares the counter with the system's clock for `check_ns`.
    ///
    /// # Cost
    ///
    /// That of [`Clock::choose`] and [`Clock::frequency`], and the time of the check: with a
    /// millisecond its bound is some 30 ppm, with a second some 0.03.
    #[must_use]
    pub fn examine(check_ns: u64) -> TscReport {
        TscReport::examine_with_root(Path::new("/"), check_ns)
    }

    /// The same, with the kernel's files below another root; rate and refusal are still those of this
    /// machine.
    #[must_use]
    pub fn examine_with_root(root: &Path, check_ns: u64) -> TscReport {
        let flags = flags(&read_to_string(root.join("proc/cpuinfo")).unwrap_or_default());
        let clock_source = clock_sources(root, "current_clocksource");
        let clock_source = clock_source.map(|name| name.trim().to_owned());
        let clock = match counter_permission() {
            Ok(()) => Clock::by_name("tsc").ok(),
            Err(_) => None,
        };
        let frequency = clock.as_ref().map(Clock::frequency);
        let cross_check = match (&clock, &frequency) {
            (Some(clock), Some(frequency)) => check(clock, frequency, check_ns),
            _ => None,
        };
        TscReport {
            generation: generation(&flags),
            flags,
            alternatives: clock_sources(root, "available_clocksource")
                .unwrap_or_default()
                .split_whitespace()
                .filter(|&name| clock_source.as_deref() != Ok(name))
                .map(str::to_owned)
                .collect(),
            clock_source,
            frequency,
            rungs: clock.as_ref().map_or_else(Vec::new, rungs),
            cross_check,
            refused: refusal(),
        }
    }
}

/// A file of the kernel's clock sources.
fn clock_sources(root: &Path, file: &str) -> Result<String, String> {
    let path = root.join(CLOCK_SOURCES.trim_start_matches('/')).join(file);
    read_to_string(&path).map_err(|error| {
        let path = path.display();
        format!("the kernel's clock source is not known ({path}: {error})")
    })
}

/// The flags of the first processor about the counter.
fn flags(cpuinfo: &str) -> Vec<String> {
    let all = cpuinfo
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == "flags")
        .map_or("", |(_, value)| value);
    all.split_whitespace()
        .filter(|flag| FLAGS.contains(flag))
        .map(str::to_owned)
        .collect()
}

/// By the processor's own flag; the kernel's flags distinguish the other generations.
#[cfg(target_arch = "x86_64")]
fn generation(flags: &[String]) -> Generation {
    use tourbillon_clock::cpuid;
    if cpuid::has_tsc() {
        of_facts(cpuid::has_invariant_tsc(), flags)
    } else {
        Generation::Absent
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn generation(_flags: &[String]) -> Generation {
    Generation::Absent
}

/// An invariant counter is constant and never stops; the kernel has a flag for each.
#[cfg(any(target_arch = "x86_64", test))]
fn of_facts(invariant: bool, flags: &[String]) -> Generation {
    let has = |name: &str| flags.iter().any(|flag| flag == name);
    match (invariant, has("constant_tsc"), has("nonstop_tsc")) {
        (true, _, _) | (_, true, true) => Generation::Invariant,
        (false, true, false) => Generation::Constant,
        (false, false, _) => Generation::Variant,
    }
}

/// The rate by each source of frequencies.
fn rungs(clock: &Clock) -> Vec<Rung> {
    let rung = |(from, frequency): (FrequencyFrom, Option<Frequency>)| Rung {
        from,
        frequency: frequency.ok_or_else(|| {
            let reason = match from {
                FrequencyFrom::CpuidLeaf15 => "the processor does not state its crystal",
                FrequencyFrom::HypervisorLeaf => "there is no hypervisor with this leaf",
                FrequencyFrom::CpuInfo => {
                    "the kernel does not know the rate, or has that of the core there"
                }
                FrequencyFrom::Sysfs => {
                    "this kernel has no such file in /sys/devices/system/cpu/cpu0"
                }
                FrequencyFrom::PerfPage => {
                    "the kernel puts no conversion there, as in most guests, or forbids it \
                     (kernel.perf_event_paranoid)"
                }
                _ => "it does not advance, or jumps",
            };
            Absence::Refused(reason.to_owned())
        }),
    };
    clock.frequency_sources().into_iter().map(rung).collect()
}

fn refusal() -> Option<String> {
    if !cfg!(target_arch = "x86_64") {
        return Some("this processor has no time stamp counter".to_owned());
    }
    Clock::choose()
        .refused
        .into_iter()
        .find(|refusal| refusal.source == "tsc")
        .map(|refusal| refusal.reason)
}

/// Compares for `check_ns` of the system's clock, or of the counter where that clock stands still or steps back.
fn check(clock: &Clock, frequency: &Frequency, check_ns: u64) -> Option<CrossCheck> {
    let first = Anchor::take(clock);
    let (watch, start) = (Stopwatch::start(), clock.now());
    let most = frequency.ticks_in(check_ns.saturating_mul(2));
    while watch.elapsed_ns() < check_ns && clock.now().0.wrapping_sub(start.0) < most.0 {
        std::hint::spin_loop();
    }
    CrossCheck::between(&first, &Anchor::take(clock), frequency)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn the_generations_are_distinguished() {
        for (invariant, flags, generation) in [
            (false, &["tsc"][..], Generation::Variant),
            (false, &["tsc", "nonstop_tsc"], Generation::Variant),
            (false, &["tsc", "constant_tsc"], Generation::Constant),
            (
                false,
                &["constant_tsc", "nonstop_tsc"],
                Generation::Invariant,
            ),
            (true, &[], Generation::Invariant),
        ] {
            assert_eq!(of_facts(invariant, &texts(flags)), generation, "{flags:?}");
        }
    }

    #[test]
    fn only_whole_flags_of_the_first_processor_count() {
        let text = "processor\t: 0\nflags\t\t: fpu tsc not_tsc constant_tsc sse\n\n\
                    processor\t: 1\nflags\t\t: rdtscp\n";
        assert_eq!(flags(text), texts(&["tsc", "constant_tsc"]));
        assert!(flags("").is_empty());
    }

    #[test]
    fn a_machine_without_files_has_reasons() {
        let report = TscReport::examine_with_root(Path::new("/nonexistent"), 0);
        assert!(report.flags.is_empty() && report.alternatives.is_empty());
        let reason = report.clock_source.unwrap_err();
        assert!(reason.contains("current_clocksource"), "{reason}");
    }

    #[test]
    fn a_kernel_on_another_clock_source_is_reported() {
        let root = std::env::temp_dir().join(format!("tourbillon-tsc-{}", std::process::id()));
        let folder = root.join("sys/devices/system/clocksource/clocksource0");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("current_clocksource"), "hpet\n").unwrap();
        std::fs::write(folder.join("available_clocksource"), "hpet acpi_pm \n").unwrap();
        let report = TscReport::examine_with_root(&root, 0);
        std::fs::remove_dir_all(&root).unwrap();
        assert_eq!(report.clock_source.as_deref(), Ok("hpet"));
        assert_eq!(report.alternatives, texts(&["acpi_pm"]));
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn this_machine_has_a_report() {
        let report = TscReport::examine(1_000_000);
        assert!(report.generation > Generation::Absent);
        assert_eq!(
            report.refused.is_none(),
            Clock::choose().clock.name() == "tsc"
        );
        if let Some(frequency) = report.frequency {
            // The first that states a rate is used; the measurement contradicts none.
            let stated: Vec<&Frequency> = report
                .rungs
                .iter()
                .filter_map(|rung| rung.frequency.as_ref().ok())
                .collect();
            let measured = stated[stated.len() - 1];
            assert_eq!(measured.from, FrequencyFrom::Measured);
            if stated.len() > 1 {
                assert_eq!(stated[0], &frequency);
            }
            for rate in &stated {
                let off_ppm = (rate.hz() / measured.hz() - 1.0).abs() * 1e6;
                let bound_ppm = measured.error_ppm.unwrap() + rate.error_ppm.unwrap_or(500.0);
                assert!(off_ppm <= bound_ppm, "{rate:?} and {measured:?}");
            }
            assert!(
                report
                    .cross_check
                    .is_some_and(|check| check.bound_ppm > 0.0)
            );
        }
    }
}
