use std::num::NonZeroU64;

use tourbillon_record::Plan;
use tourbillon_stats::Rng;

use crate::schedule::Turn;
use crate::{Draw, Settings};

/// Bytes that the environment of a worker may be padded with: a page of the stack.
const PADDING: NonZeroU64 = NonZeroU64::new(4096).expect("not zero");

/// Labels of the random sequences that are derived from the seed of the run or of a visit.
#[derive(Clone, Copy)]
enum Chance {
    Order = 1,
    Environment = 2,
}

/// Seed of the order of the visits.
pub(crate) fn order(seed: u64) -> u64 {
    Rng::new(seed).derive(Chance::Order as u64)
}

/// What a visit is asked to do; it is not to end before its time.
pub(crate) fn plan(settings: &Settings, case: &str, turn: Turn, budget_ns: u64) -> Plan {
    let of_case = Rng::new(settings.seed).derive(fnv1a(case));
    let own = settings.of(case);
    Plan {
        case: case.to_owned(),
        launch: turn.launch,
        seed: Rng::new(of_case).derive(u64::from(turn.launch)),
        clock: settings.clock.clone(),
        tick_hz: settings.frequency.hz(),
        budget_ns,
        batch_ns: own.batch_ns,
        min_iterations: own.min_iterations,
        window_items: settings.window_items,
        window_bytes: settings.window_bytes,
        length: turn.length,
        against: None,
        turns: None,
        memory: false,
        metric: own.metric,
        contended_from: None,
    }
}

/// What is drawn for the visit of a plan outside of its worker.
pub(crate) fn draw(plan: &Plan) -> Draw {
    let mut environment = Rng::new(Rng::new(plan.seed).derive(Chance::Environment as u64));
    Draw {
        environment_bytes: environment.below(PADDING) as u32,
    }
}

/// A number for a name, so that a case has the same seeds whichever cases are run beside it:
/// FNV-1a (Fowler, Noll and Vo; draft-eastlake-fnv).
fn fnv1a(name: &str) -> u64 {
    let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
    for byte in name.as_bytes() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    #[test]
    fn names_become_the_published_numbers() {
        // Exact: test vectors of the draft, appendix C.
        assert_eq!(fnv1a(""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv1a("a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(fnv1a("foobar"), 0x8594_4171_F739_67E8);
    }
}
