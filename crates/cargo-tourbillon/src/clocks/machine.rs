//! The machine and its counter.

use std::{fs, thread};

use tourbillon_clock::{Choice, CrossCheck};
use tourbillon_present::figure::known_time;
use tourbillon_present::number;
use tourbillon_report::{Figure, Style};
use tourbillon_timers::{Generation, TscReport};
use tourbillon_tool::machine_facts::field;

use super::report::{Machine, Report, Rung, Tsc};
use crate::screen::Page;

/// What the system reports. The kernel's clock source and the core's frequency are added elsewhere.
pub(super) fn this() -> Machine {
    let cpuinfo = read("/proc/cpuinfo").unwrap_or_default();
    let kernel = read("/proc/sys/kernel/osrelease");
    Machine {
        processor: processor(&cpuinfo).unwrap_or_else(|| "processor without a name".to_owned()),
        processors: thread::available_parallelism().map_or(1, |count| count.get() as u64),
        os: match kernel {
            Some(release) => format!("{} {release}", std::env::consts::OS),
            None => std::env::consts::OS.to_owned(),
        },
        arch: std::env::consts::ARCH.to_owned(),
        guest: guest(&cpuinfo),
        ..Machine::default()
    }
}

/// The trimmed text of a small system file; `None` if it is missing or empty.
fn read(path: &str) -> Option<String> {
    let file = fs::read_to_string(path).ok()?;
    let text = file.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn processor(cpuinfo: &str) -> Option<String> {
    let name = field(cpuinfo, "model name").or_else(|| field(cpuinfo, "Hardware"))?;
    (!name.is_empty()).then(|| name.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Whether the processor reports a hypervisor; `None` without flags.
fn guest(cpuinfo: &str) -> Option<bool> {
    let flags = field(cpuinfo, "flags")?;
    Some(flags.split(' ').any(|flag| flag == "hypervisor"))
}

/// Appends the counter, its frequency, and the source that benchmarks use here.
pub(super) fn counter_text(page: &mut Page<'_>, report: &Report) {
    let tsc = &report.tsc;
    page.say("counter  ", &what(tsc));
    if let Some(frequency) = frequency(tsc, page.style) {
        page.say("rate     ", &frequency);
    }
    if let Some(others) = other_rates(tsc, page.style) {
        page.say("others   ", &others);
    }
    if let Some(current) = &report.machine.kernel_source {
        let alternatives = match report.machine.kernel_alternatives.as_slice() {
            [] => "no alternatives".to_owned(),
            others => format!("alternatives: {}", others.join(", ")),
        };
        page.say("kernel   ", &format!("{current}; {alternatives}"));
    }
    if !tsc.chosen.is_empty() {
        let mut chosen = format!("{}: {}", tsc.chosen, tsc.why);
        // The choice may contain the reason already.
        if let Some(refused) = tsc.refused.as_ref().filter(|why| !tsc.why.contains(*why)) {
            chosen += &format!("; the counter is refused: {refused}");
        }
        page.say("chosen   ", &chosen);
    }
}

fn what(tsc: &Tsc) -> String {
    match &tsc.generation {
        None => "none known".to_owned(),
        Some(generation) if tsc.flags.is_empty() => generation.clone(),
        Some(generation) => format!("{generation} ({})", tsc.flags.join(", ")),
    }
}

fn frequency(tsc: &Tsc, style: &Style) -> Option<String> {
    let mut text = Figure::exact(tsc.hz?).frequency();
    let plus_minus = if style.unicode { "±" } else { "+-" };
    if let Some(from) = &tsc.frequency_from {
        let by = if from == "measured" { "" } else { "from " };
        text += &format!(" {by}{from}");
    }
    if let Some(ppm) = tsc.error_ppm {
        text += &format!(", exact to {}", number::deviation(ppm));
    }
    if let (Some(deviation), Some(bound)) = (tsc.deviation_ppm, tsc.bound_ppm) {
        let [off, bound] = [deviation, bound].map(number::deviation);
        text += &format!("; off by {off} {plus_minus}{bound} against the system's clock");
        if let Some(ns) = tsc.baseline_ns {
            text += &format!(" over {}", known_time(Some(ns as f64), style));
        }
    }
    Some(text)
}

/// The other sources of the frequency: how far they deviate, or that they state none.
fn other_rates(tsc: &Tsc, style: &Style) -> Option<String> {
    let taken = tsc.hz?;
    let plus_minus = if style.unicode { "±" } else { "+-" };
    let (mut parts, mut without) = (Vec::new(), Vec::new());
    for rung in &tsc.rungs {
        if Some(&rung.from) == tsc.frequency_from.as_ref() {
            continue;
        }
        let Some(hz) = rung.hz else {
            without.push(rung.from.as_str());
            continue;
        };
        let mut part = format!(
            "{} differs by {}",
            rung.from,
            number::deviation((hz / taken - 1.0) * 1e6)
        );
        if let Some(ppm) = rung.error_ppm {
            part += &format!(" {plus_minus}{}", number::deviation(ppm));
        }
        parts.push(part);
    }
    if !without.is_empty() {
        parts.push(format!("no rate from {}", without.join(", ")));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The counter, from its examination, the choice of a clock, and the comparison with the system's
/// clock while the table was made.
pub(super) fn counter(examined: &TscReport, choice: &Choice, later: Option<CrossCheck>) -> Tsc {
    let checked = later.or(examined.cross_check);
    let frequency = examined.frequency;
    let rungs = examined.rungs.iter().map(|rung| {
        let rate = rung.frequency.as_ref().ok();
        Rung {
            from: rung.from.to_string(),
            hz: rate.map(|rate| rate.hz()),
            error_ppm: rate.and_then(|rate| rate.error_ppm),
            reason: rung.frequency.as_ref().err().map(ToString::to_string),
        }
    });
    Tsc {
        generation: match examined.generation {
            Generation::Absent => None,
            generation => Some(generation.to_string()),
        },
        flags: examined.flags.clone(),
        hz: frequency.map(|frequency| frequency.hz()),
        frequency_from: frequency.map(|frequency| frequency.from.to_string()),
        error_ppm: frequency.and_then(|frequency| frequency.error_ppm),
        rungs: rungs.collect(),
        deviation_ppm: checked.map(|checked| checked.deviation_ppm),
        bound_ppm: checked.map(|checked| checked.bound_ppm),
        baseline_ns: checked.map(|checked| checked.baseline_ns),
        chosen: choice.clock.name().to_owned(),
        why: choice.why.clone(),
        refused: examined.refused.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clocks::fictitious;

    const CPUINFO: &str = "processor\t: 0\nmodel name\t: Example(R)   CPU @ 3.00GHz\n\
        flags\t\t: fpu tsc hypervisor\n\nprocessor\t: 1\nmodel name\t: Other\n";

    #[test]
    fn the_first_processor_counts() {
        assert_eq!(
            processor(CPUINFO).as_deref(),
            Some("Example(R) CPU @ 3.00GHz")
        );
        assert_eq!(guest(CPUINFO), Some(true));
        assert_eq!(guest("flags : fpu hypervisor_not\n"), Some(false));
    }

    #[test]
    fn a_system_without_such_files_is_a_machine() {
        assert_eq!(processor(""), None);
        assert_eq!(guest(""), None);
        assert_eq!(read("/there/is/no/such/file"), None);
        assert!(this().processors > 0);
    }

    fn shown(report: &Report, unicode: bool) -> String {
        let style = Style {
            unicode,
            ..Style::default()
        };
        let mut page = Page::new(&style);
        counter_text(&mut page, report);
        page.document().text(&style)
    }

    #[test]
    fn a_counter_that_is_trusted() {
        assert_eq!(
            shown(&fictitious::report(), true),
            "\
counter  invariant (constant_tsc, nonstop_tsc)
rate     2.600 GHz from /proc/cpuinfo, exact to 0.40 ppm; off by -0.012 ppm
         ±0.020 ppm against the system's clock over 2.30 s
others   measured differs by 3.8 ppm ±31 ppm; no rate from cpuid leaf 15h
kernel   tsc; alternatives: kvm-clock
chosen   tsc: invariant, the kernel's own clock source
"
        );
    }

    #[test]
    fn a_counter_that_is_refused() {
        let mut report = fictitious::report();
        report.tsc = Tsc {
            generation: Some("variant".to_owned()),
            chosen: "monotonic".to_owned(),
            why: "it is always there".to_owned(),
            refused: Some("its rate follows the core's".to_owned()),
            ..Tsc::default()
        };
        report.machine.kernel_alternatives.clear();
        assert_eq!(
            shown(&report, false),
            "\
counter  variant
kernel   tsc; no alternatives
chosen   monotonic: it is always there; the counter is refused: its rate follows
         the core's
"
        );
        assert_eq!(shown(&Report::default(), false), "counter  none known\n");
    }
}
