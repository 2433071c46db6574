//! The machine and its counter.

use std::{fs, thread};

use tourbillon_clock::{Choice, CrossCheck};
use tourbillon_report::Style;
use tourbillon_timers::{Generation, TscReport};

use super::report::{Machine, Report, Rung, Tsc};
use crate::cells;
use crate::doctor::field;
use crate::screen::paragraph;

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
        core_hz: None,
        kernel_source: None,
        kernel_alternatives: Vec::new(),
    }
}

/// The trimmed text of a small system file; `None` if it is missing or empty.
fn read(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim();
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
pub(super) fn counter_text(page: &mut String, report: &Report, style: &Style) {
    let tsc = &report.tsc;
    paragraph(page, "counter  ", &what(tsc), style);
    if let Some(frequency) = frequency(tsc, style) {
        paragraph(page, "rate     ", &frequency, style);
    }
    if let Some(others) = other_rates(tsc, style) {
        paragraph(page, "others   ", &others, style);
    }
    if let Some(kernel) = kernel(report) {
        paragraph(page, "kernel   ", &kernel, style);
    }
    if !tsc.chosen.is_empty() {
        let mut chosen = format!("{}: {}", tsc.chosen, tsc.why);
        // The choice may contain the reason already.
        if let Some(refused) = tsc.refused.as_ref().filter(|why| !tsc.why.contains(*why)) {
            chosen = format!("{chosen}; the counter is refused: {refused}");
        }
        paragraph(page, "chosen   ", &chosen, style);
    }
}

fn what(tsc: &Tsc) -> String {
    let Some(generation) = &tsc.generation else {
        return "none known".to_owned();
    };
    if tsc.flags.is_empty() {
        generation.clone()
    } else {
        format!("{generation} ({})", tsc.flags.join(", "))
    }
}

fn frequency(tsc: &Tsc, style: &Style) -> Option<String> {
    let mut text = cells::frequency(tsc.hz?);
    let plus_minus = if style.unicode { "±" } else { "+-" };
    if let Some(from) = &tsc.frequency_from {
        let by = if from == "measured" { "" } else { "from " };
        text = format!("{text} {by}{from}");
    }
    if let Some(ppm) = tsc.error_ppm {
        text = format!("{text}, exact to {}", cells::ppm(ppm));
    }
    if let (Some(deviation), Some(bound)) = (tsc.deviation_ppm, tsc.bound_ppm) {
        text = format!(
            "{text}; off by {} {plus_minus}{} against the system's clock",
            cells::ppm(deviation),
            cells::ppm(bound)
        );
        if let Some(ns) = tsc.baseline_ns {
            text = format!("{text} over {}", cells::time(Some(ns as f64), style));
        }
    }
    Some(text)
}

/// The other sources of the frequency: how far they deviate, or that they state none.
fn other_rates(tsc: &Tsc, style: &Style) -> Option<String> {
    let taken = tsc.hz?;
    let plus_minus = if style.unicode { "±" } else { "+-" };
    let others = |rung: &&Rung| Some(&rung.from) != tsc.frequency_from.as_ref();
    let (stating, without): (Vec<&Rung>, Vec<&Rung>) = tsc
        .rungs
        .iter()
        .filter(others)
        .partition(|rung| rung.hz.is_some());
    let mut parts = Vec::new();
    for rung in stating {
        let off = cells::ppm((rung.hz? / taken - 1.0) * 1e6);
        let bound = rung.error_ppm.map_or_else(String::new, |ppm| {
            format!(" {plus_minus}{}", cells::ppm(ppm))
        });
        parts.push(format!("{} differs by {off}{bound}", rung.from));
    }
    if !without.is_empty() {
        let names: Vec<&str> = without.iter().map(|rung| rung.from.as_str()).collect();
        parts.push(format!("no rate from {}", names.join(", ")));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn kernel(report: &Report) -> Option<String> {
    let current = report.machine.kernel_source.as_ref()?;
    Some(match report.machine.kernel_alternatives.as_slice() {
        [] => format!("{current}; no alternatives"),
        others => format!("{current}; alternatives: {}", others.join(", ")),
    })
}

/// The counter, from its examination, the choice of a clock, and the comparison with the system's
/// clock while the table was made.
pub(super) fn counter(examined: &TscReport, choice: &Choice, checked: Option<CrossCheck>) -> Tsc {
    let checked = checked.or(examined.cross_check);
    let frequency = examined.frequency;
    Tsc {
        generation: match examined.generation {
            Generation::Absent => None,
            generation => Some(generation.to_string()),
        },
        flags: examined.flags.clone(),
        hz: frequency.map(|frequency| frequency.hz()),
        frequency_from: frequency.map(|frequency| frequency.from.to_string()),
        error_ppm: frequency.and_then(|frequency| frequency.error_ppm),
        rungs: examined
            .rungs
            .iter()
            .map(|rung| Rung {
                from: rung.from.to_string(),
                hz: rung.frequency.as_ref().ok().map(|rate| rate.hz()),
                error_ppm: rung.frequency.as_ref().ok().and_then(|rate| rate.error_ppm),
                reason: rung.frequency.as_ref().err().map(ToString::to_string),
            })
            .collect(),
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
    use crate::clocks::scripted;

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
        let mut page = String::new();
        counter_text(&mut page, report, &style);
        page
    }

    #[test]
    fn a_counter_that_is_trusted() {
        assert_eq!(
            shown(&scripted::report(), true),
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
        let mut report = scripted::report();
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
