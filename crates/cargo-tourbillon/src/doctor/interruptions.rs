//! Interruptions of a program on this machine.

use tourbillon_clock::Clock;
use tourbillon_present::figure::known_time;
use tourbillon_present::number;
use tourbillon_report::Style;
use tourbillon_timers::characterise::{Collector, Effort, Interruptions};

use super::finding::{Assessment, Finding};

/// How long the clock is watched.
const WATCH_NS: u64 = 1_000_000_000;
/// The shortest gap that counts: no reading takes a microsecond.
const GAP_NS: u64 = 1_000;
/// Shares of the time that are noted, and that matter.
const SHARES: [f64; 2] = [0.01, 0.05];

/// Watches the clock for a second.
pub(super) fn finding(clock: &Clock) -> Finding {
    let collector = Collector::new(clock, Effort::default());
    let outcome = match collector.interruptions(WATCH_NS, GAP_NS) {
        Some(seen) => Ok(assess(&seen)),
        None => Err("the clock stood still while it was watched".to_owned()),
    };
    Finding {
        check: "interruptions",
        outcome,
    }
}

fn assess(seen: &Interruptions) -> Assessment {
    let style = Style::default();
    let [typical, worst] = [seen.typical_ns, seen.worst_ns].map(|ns| known_time(ns, &style));
    let (count, share) = (
        number::fixed(seen.per_second, 0),
        number::percent(seen.share),
    );
    let found = match seen.typical_ns {
        None => "none in a second".to_owned(),
        Some(_) => {
            format!("{count} a second, typically {typical}, at worst {worst}, {share} of the time")
        }
    };
    let remedy = if cfg!(target_os = "linux") {
        "see what else runs; interrupts can be kept off processors in /proc/irq"
    } else {
        "see what else runs, and end it"
    };
    Assessment::of(seen.share, SHARES, found, remedy)
}

#[cfg(test)]
mod tests {
    use tourbillon_clock::{Frequency, FrequencyFrom, Ticks};
    use tourbillon_timers::characterise::Gap;

    use super::*;
    use crate::doctor::finding::Severity;

    fn of(count: u64, length_ns: u64) -> Assessment {
        let frequency = Frequency::new(1_000_000_000, 1, FrequencyFrom::Script, None).unwrap();
        let gap = |number| Gap {
            at: Ticks(number * 1_000_000),
            length: Ticks(length_ns),
        };
        let gaps: Vec<Gap> = (0..count).map(gap).collect();
        let threshold = Ticks(GAP_NS);
        assess(&Interruptions::of(&gaps, Ticks(WATCH_NS), threshold, &frequency).unwrap())
    }

    #[test]
    fn what_they_take_decides() {
        assert_eq!(of(0, 0), Assessment::fine("none in a second"));
        let tick = of(250, 4_000);
        assert_eq!(tick.severity, Severity::Fine);
        assert_eq!(
            tick.found,
            "250 a second, typically 4.00 µs, at worst 4.00 µs, 0.1 % of the time"
        );
        assert_eq!(of(650, 23_000).severity, Severity::Note);
        assert_eq!(of(650, 90_000).severity, Severity::Matters);
    }

    #[test]
    fn a_scripted_machine_without_interruptions() {
        let script = tourbillon_clock::Script::new().now_cost(25);
        let finding = finding(&Clock::scripted(&script));
        assert_eq!(finding.outcome, Ok(Assessment::fine("none in a second")));
    }
}
