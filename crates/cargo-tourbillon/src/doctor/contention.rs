//! Contention of this core: another guest or program on its other thread, which no counter of the
//! system shows.

use tourbillon_clock::{Clock, ReferenceChain};
use tourbillon_present::number::percent;

use super::finding::{Assessment, Finding};

/// How long the core is watched.
const WATCH_NS: u64 = 200_000_000;
/// Cycles of the short and the long chain.
const CYCLES: (u64, u64) = (1_800, 18_000);
/// Readings that are judged together, a tenth of a millisecond: steps of the clock average out.
const TOGETHER: usize = 9;
/// Least excess of additions under contention; without contention, three in a hundred groups exceed
/// it.
const BUSY: f64 = 0.01;
/// Shares of contended time that are noted, and that matter.
const SHARES: [f64; 2] = [0.06, 0.2];

/// Compares a chain of additions, which contention delays on some processors, with one of
/// multiplications, which it hardly delays. On other processors the empty loop shows it, which was
/// measured with the reference kernels: `by_loop` is the contended share of their launches.
pub(super) fn finding(clock: &Clock, by_loop: Option<f64>) -> Finding {
    let chain = clock
        .reference_chain()
        .map_err(|absence| absence.to_string());
    Finding {
        check: "contention",
        outcome: chain.and_then(|chain| {
            let excess = excess(clock, chain);
            assess(&excess, by_loop)
                .ok_or_else(|| "the clock stood still while it was watched".to_owned())
        }),
    }
}

/// By what fraction additions took longer than multiplications, for groups of readings.
fn excess(clock: &Clock, chain: ReferenceChain) -> Vec<f64> {
    let read = |chain: ReferenceChain| {
        let turns = |cycles: u64| (cycles / chain.cycles_per_turn()).max(1);
        let short = chain.time(clock, turns(CYCLES.0))?;
        let long = chain.time(clock, turns(CYCLES.1))?;
        Some(long.since(short)?.0 as f64)
    };
    let (start, most) = (clock.now(), clock.frequency().ticks_in(WATCH_NS));
    let mut excess = Vec::new();
    let (mut multiplied, mut added) = (Vec::new(), Vec::new());
    while clock.now().since(start).is_some_and(|past| past < most) {
        // A short chain that took longer than the long one was interrupted.
        if let (Some(one), Some(other)) = (read(chain), read(chain.additions())) {
            multiplied.push(one);
            added.push(other);
        }
        if multiplied.len() == TOGETHER {
            excess.push(inner_sum(&mut added) / inner_sum(&mut multiplied) - 1.0);
        }
    }
    excess
}

/// The sum of all values except the least and the largest, which may be an interruption. Clears
/// them.
fn inner_sum(values: &mut Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let sum = values[1..values.len() - 1].iter().sum();
    values.clear();
    sum
}

fn assess(excess: &[f64], by_loop: Option<f64>) -> Option<Assessment> {
    if excess.is_empty() {
        return None;
    }
    let busy = excess.iter().filter(|&&excess| excess > BUSY).count();
    let share = f64::max(busy as f64 / excess.len() as f64, by_loop.unwrap_or(0.0));
    let found = match share {
        _ if share < SHARES[0] => "none on this core".to_owned(),
        _ => {
            let busy = percent(share);
            // On a virtual machine, no fact says whether the core has another thread.
            format!("other work used the units of this core {busy} of the time")
        }
    };
    let remedy = "measure on a machine with dedicated cores, or when its host is quiet; runs discard \
                  contended launches and repeat them";
    Some(Assessment::of(share, SHARES, found, remedy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::Severity;

    fn of(busy: usize) -> Assessment {
        let mut excess = vec![0.002; 100];
        excess[..busy].fill(0.026);
        assess(&excess, None).unwrap()
    }

    #[test]
    fn the_contended_time_decides() {
        assert_eq!(of(0).severity, Severity::Fine);
        assert_eq!(of(5).severity, Severity::Fine);
        assert_eq!(of(6).severity, Severity::Note);
        assert_eq!(of(19).severity, Severity::Note);
        let much = of(38);
        assert_eq!(much.severity, Severity::Matters);
        assert_eq!(
            much.found,
            "other work used the units of this core 38 % of the time"
        );
        assert_eq!(assess(&[], Some(0.5)), None);
    }

    #[test]
    fn the_larger_share_counts() {
        let of = |busy, by_loop| {
            let mut excess = vec![0.002; 100];
            excess[..busy].fill(0.026);
            assess(&excess, Some(by_loop)).unwrap().severity
        };
        assert_eq!(of(0, 0.02), Severity::Fine);
        assert_eq!(of(0, 0.1), Severity::Note);
        assert_eq!(of(10, 0.0), Severity::Note);
        assert_eq!(of(10, 0.4), Severity::Matters);
    }

    #[test]
    fn an_interruption_is_not_contention() {
        let mut values = vec![10.0; TOGETHER];
        values[3] = 900.0;
        assert_eq!(inner_sum(&mut values), 70.0);
        assert!(values.is_empty());
    }

    #[test]
    fn a_scripted_core_has_no_contention() {
        let script = tourbillon_clock::Script::new()
            .now_cost(25)
            .read_cost(3, 4)
            .core_cycle(0.5);
        let finding = finding(&Clock::scripted(&script), None);
        assert_eq!(finding.severity(), Some(Severity::Fine));
    }
}
