//! What is known about the time stamp counter of this machine.

use std::fmt;
use std::path::Path;

use tourbillon_clock::parts::Rung;
use tourbillon_clock::{Clock, CrossCheck, Frequency};

/// Everything that speaks for and against the time stamp counter.
///
/// Data only: whoever prints it chooses the words.
#[derive(Clone, Debug, PartialEq)]
pub struct TscReport {
    /// How its rate behaves.
    pub generation: Generation,
    /// The flags of `/proc/cpuinfo` that are about it, as far as they are there.
    pub flags: Vec<String>,
    /// What the kernel makes its own time out of; the reason where it does not say.
    pub clock_source: Result<String, String>,
    /// What it could make it out of, without the present one; empty where it does not say.
    pub alternatives: Vec<String>,
    /// Its rate, and who says so; `None` where the processor has no such counter or this process
    /// may not read it.
    pub frequency: Option<Frequency>,
    /// What each rung of the ladder says by which the rate is looked up, in the order in which they are
    /// asked, and a short measurement at the end; empty where there is nothing to ask about.
    pub rungs: Vec<Rung>,
    /// The rate held against the system's clock; `None` where that made no bound.
    pub cross_check: Option<CrossCheck>,
    /// Why it is not measured with; `None` where it is.
    pub refused: Option<String>,
}

/// The generations of time stamp counters (Intel's Software Developer's Manual, volume 3B,
/// "Time-Stamp Counter").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Generation {
    /// This processor has none.
    Absent,
    /// It counts the core's cycles, whatever they last.
    Variant,
    /// Its rate stays when the core's changes, but it stands still while the core sleeps.
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

/// The kernel's flags that say something about the counter.
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
    /// Examines this machine, holding the counter against the system's clock for so long.
    ///
    /// # Cost
    ///
    /// That of [`Clock::choose`] and [`Clock::frequency`], and the time of the check: with a
    /// millisecond its bound is some 30 ppm, with a second some 0.03.
    #[must_use]
    pub fn examine(check_ns: u64) -> TscReport {
        TscReport::examine_with_root(Path::new("/"), check_ns)
    }

    /// The same, with the kernel's files below another root; for tests of what happens without them.
    /// Only the files are looked for there: rate and refusal are those of this machine.
    #[must_use]
    pub fn examine_with_root(root: &Path, check_ns: u64) -> TscReport {
        let files = Files::read(root);
        let refused = refusal();
        let clock = readable_counter();
        let frequency = clock.as_ref().map(Clock::frequency);
        let cross_check = match (&clock, &frequency) {
            (Some(clock), Some(frequency)) => check(clock, frequency, check_ns),
            _ => None,
        };
        TscReport {
            generation: generation(&files.flags),
            frequency,
            rungs: clock.as_ref().map_or_else(Vec::new, rungs),
            cross_check,
            refused,
            flags: files.flags,
            clock_source: files.clock_source,
            alternatives: files.alternatives,
        }
    }
}

/// What the kernel's files say.
struct Files {
    flags: Vec<String>,
    clock_source: Result<String, String>,
    alternatives: Vec<String>,
}

impl Files {
    fn read(root: &Path) -> Files {
        let folder = root.join("sys/devices/system/clocksource/clocksource0");
        let text = |path: &Path| {
            std::fs::read_to_string(path).map_err(|error| {
                format!(
                    "the kernel does not say what its clock is made of ({}: {error})",
                    path.display()
                )
            })
        };
        let clock_source =
            text(&folder.join("current_clocksource")).map(|name| name.trim().to_owned());
        let alternatives = text(&folder.join("available_clocksource"))
            .unwrap_or_default()
            .split_whitespace()
            .filter(|&name| clock_source.as_deref() != Ok(name))
            .map(str::to_owned)
            .collect();
        Files {
            flags: flags(&text(&root.join("proc/cpuinfo")).unwrap_or_default()),
            clock_source,
            alternatives,
        }
    }
}

/// The flags of the first processor that are about the counter.
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

/// The processor's own word, where it gives one; the kernel's flags know the generation between.
#[cfg(target_arch = "x86_64")]
fn generation(flags: &[String]) -> Generation {
    use tourbillon_clock::parts::cpuid;
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

/// Invariant is constant and never stops, which is what the kernel's two flags say.
#[cfg(any(target_arch = "x86_64", test))]
fn of_facts(invariant: bool, flags: &[String]) -> Generation {
    let has = |name: &str| flags.iter().any(|flag| flag == name);
    match (invariant, has("constant_tsc"), has("nonstop_tsc")) {
        (true, _, _) | (_, true, true) => Generation::Invariant,
        (false, true, false) => Generation::Constant,
        (false, false, _) => Generation::Variant,
    }
}

#[cfg(target_arch = "x86_64")]
fn rungs(clock: &Clock) -> Vec<Rung> {
    tourbillon_clock::parts::rungs(clock)
}

#[cfg(not(target_arch = "x86_64"))]
fn rungs(_clock: &Clock) -> Vec<Rung> {
    Vec::new()
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

/// The counter, where reading it does not end the process.
fn readable_counter() -> Option<Clock> {
    #[cfg(all(
        target_arch = "x86_64",
        any(target_os = "linux", target_os = "android")
    ))]
    tourbillon_clock::parts::permission::check().ok()?;
    Clock::by_name("tsc").ok()
}

fn check(clock: &Clock, frequency: &Frequency, check_ns: u64) -> Option<CrossCheck> {
    let first = tourbillon_clock::Anchor::take(clock);
    let watch = tourbillon_clock::Stopwatch::start();
    while watch.elapsed_ns() < check_ns {
        std::hint::spin_loop();
    }
    CrossCheck::between(&first, &tourbillon_clock::Anchor::take(clock), frequency)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn the_generations_are_told_apart() {
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
    fn a_machine_without_files_gives_words() {
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
            // The first that states one is the one that is taken; the measurement contradicts none.
            let stated: Vec<&Frequency> = report
                .rungs
                .iter()
                .filter_map(|rung| rung.frequency.as_ref().ok())
                .collect();
            let measured = stated[stated.len() - 1];
            assert_eq!(measured.from, tourbillon_clock::FrequencyFrom::Measured);
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
