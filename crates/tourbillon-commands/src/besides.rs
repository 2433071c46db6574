//! What differs between commands besides their time: peak memory, counters, exit codes.

use tourbillon_present::Change;
use tourbillon_record::{ComparedNumber, Processes, Rounds, Run, Verdict};
use tourbillon_report::Style;
use tourbillon_stats::{Confidence, Sample, hodges_lehmann, median, signed_rank_interval};

use crate::answer::name;

/// Confidence of an interval of a ratio, as that of a verdict.
const CONFIDENCE: f64 = 0.999;

/// A smaller difference is none, unless it is exact.
const MARGIN: f64 = 0.01;

/// A smaller difference of peak memory is nothing to act on: pages of the program loader make up as much.
const LEAST_SHARE: f64 = 0.1;
const LEAST_BYTES: f64 = (1 << 20) as f64;

/// `b: peak memory 2.1x more (2.0 .. 2.2), exit code 1 in place of 0`, for each command that differs in such a thing from
/// the first.
pub(crate) fn lines(run: &Run, style: &Style) -> Vec<String> {
    let Some(rounds) = run.rounds.first() else {
        return Vec::new();
    };
    let Some(processes) = rounds.processes.as_deref() else {
        return Vec::new();
    };
    let others = rounds.cases.iter().enumerate().skip(1);
    let line = |(arm, case): (usize, &String)| {
        let memory = Difference::of(rounds, &processes.peak_bytes, arm);
        let memory = memory.filter(|one| one.is_of_much_memory());
        let memory = memory.map(|one| ("peak memory".to_owned(), one));
        let counters = processes.counters.iter().flatten();
        let counters = counters.filter_map(|one| {
            let difference = Difference::of(rounds, &one.counts, arm)?;
            Some((one.name.replace('_', " "), difference))
        });
        let ratios = memory.into_iter().chain(counters);
        let ratios = ratios.filter_map(|(name, one)| Some(format!("{name} {}", one.text(style)?)));
        let all: Vec<String> = ratios.chain(exit_codes(rounds, processes, arm)).collect();
        (!all.is_empty()).then(|| format!("{}: {}", name(case, style), all.join(", ")))
    };
    others.filter_map(line).collect()
}

/// The values of a command, in the order of its rounds.
fn own<T: Copy>(rounds: &Rounds, column: &[T], arm: usize) -> Vec<T> {
    let own = rounds.arm.iter().zip(column);
    let own = own.filter(|(of, _)| usize::from(**of) == arm);
    own.map(|(_, value)| *value).collect()
}

/// By how much the values of a command differ from those of the first.
struct Difference {
    /// What the first has.
    first: f64,
    ratio: f64,
    /// Its interval; `None` where it is exact.
    ends: Option<(f64, f64)>,
}

impl Difference {
    /// Exactly, if both have the same value in every process, else from the pairs of the rounds. `None` where they do not
    /// differ.
    fn of(rounds: &Rounds, column: &[u64], arm: usize) -> Option<Difference> {
        let (first, second) = (own(rounds, column, 0), own(rounds, column, arm));
        let exact = |all: &[u64]| {
            let first = *all.first()?;
            all.iter().all(|one| *one == first).then_some(first)
        };
        if let (Some(one), Some(other)) = (exact(&first), exact(&second)) {
            return (one != other).then(|| Difference {
                first: one as f64,
                ratio: other as f64 / one as f64,
                ends: None,
            });
        }
        let logs = first
            .iter()
            .zip(&second)
            .map(|(one, other)| (*other as f64 / *one as f64).ln());
        let logs = Sample::new(logs.collect()).ok()?;
        let interval = signed_rank_interval(&logs, Confidence::new(CONFIDENCE).ok()?).ok()?;
        let (lower, upper) = (interval.lower.exp(), interval.upper.exp());
        let differs = lower > 1.0 + MARGIN || upper < 1.0 / (1.0 + MARGIN);
        let first = Sample::new(first.iter().map(|one| *one as f64).collect()).ok()?;
        differs.then(|| Difference {
            first: median(&first),
            ratio: hodges_lehmann(&logs).exp(),
            ends: Some((lower, upper)),
        })
    }

    /// Whether at least a tenth and a MiB are certain.
    fn is_of_much_memory(&self) -> bool {
        let (lower, upper) = self.ends.unwrap_or((self.ratio, self.ratio));
        let least = (lower - 1.0).max(1.0 - upper);
        least >= LEAST_SHARE && least * self.first >= LEAST_BYTES
    }

    /// `2.1x more (2.0 .. 2.2)`
    fn text(&self, style: &Style) -> Option<String> {
        let verdict = Verdict {
            ratio: Some(self.ratio),
            lower: self.ends.map(|(lower, _)| lower),
            upper: self.ends.map(|(_, upper)| upper),
            number: Some(ComparedNumber::default()),
            ..Verdict::default()
        };
        let change = Change::of(&verdict, style)?;
        Some(match self.ends {
            Some(_) => format!("{} ({})", change.text, change.interval),
            None => format!("{}, exactly", change.text),
        })
    }
}

/// `exit code 1 in place of 0`; `None` where the codes are the same ones, or one command has none.
fn exit_codes(rounds: &Rounds, processes: &Processes, arm: usize) -> Option<String> {
    let codes = |arm| {
        let mut codes = own(rounds, &processes.exit_codes, arm);
        codes.sort_unstable();
        codes.dedup();
        codes
    };
    let text = |codes: &[i32]| {
        let codes: Vec<String> = codes.iter().map(i32::to_string).collect();
        codes.join(" or ")
    };
    let (first, second) = (codes(0), codes(arm));
    // A command that always ended by a signal has none.
    let are_known = !first.is_empty() && !second.is_empty();
    (are_known && first != second)
        .then(|| format!("exit code {} in place of {}", text(&second), text(&first)))
}

#[cfg(test)]
mod tests {
    use tourbillon_record::ProcessCounter;

    use super::*;

    /// Twenty rounds of two commands, with what one process of each has.
    fn run(of: impl Fn(u64) -> [(u64, i32, u64); 2]) -> Run {
        let mut rounds = Rounds {
            cases: vec!["a".into(), "b".into()],
            ..Rounds::default()
        };
        let mut processes = Processes::default();
        let mut counter = ProcessCounter {
            name: "cache_misses".into(),
            ..ProcessCounter::default()
        };
        for round in 0..20 {
            for (arm, (peak, code, count)) in of(round).into_iter().enumerate() {
                // In another order in every other round.
                let is_last = (round + arm as u64).is_multiple_of(2);
                let at = processes.peak_bytes.len() - usize::from(arm == 1 && is_last);
                rounds.arm.insert(at, arm as u8);
                processes.peak_bytes.insert(at, peak);
                processes.exit_codes.insert(at, code);
                counter.counts.insert(at, count);
            }
        }
        processes.counters = Some(vec![counter]);
        rounds.processes = Some(Box::new(processes));
        Run {
            rounds: vec![rounds],
            ..Run::default()
        }
    }

    fn line(of: impl Fn(u64) -> [(u64, i32, u64); 2]) -> String {
        let style = Style {
            unicode: false,
            ..Style::default()
        };
        lines(&run(of), &style).join("|")
    }

    #[test]
    fn what_is_the_same_in_every_process_differs_exactly() {
        assert_eq!(line(|_| [(1 << 20, 0, 1_000), (1 << 20, 0, 1_000)]), "");
        assert_eq!(
            line(|_| [(2 << 20, 0, 1_000), (3 << 20, 1, 1_001)]),
            "b: peak memory +50.0 %, exactly, cache misses +0.1 %, exactly, exit code 1 in place of 0"
        );
    }

    #[test]
    fn little_memory_is_nothing_to_act_on() {
        let of = |first: u64, second: u64| line(|_| [(first, 0, 0), (second, 0, 0)]);
        // A tenth and a MiB, more or less.
        assert_eq!(of(2_000 << 10, 2_100 << 10), "");
        assert_eq!(of(100 << 20, 109 << 20), "");
        assert_eq!(of(1 << 20, 2_047 << 10), "");
        assert_eq!(of(10 << 20, 11 << 20), "b: peak memory +10.0 %, exactly");
        assert_eq!(of(11 << 20, 9 << 20), "b: peak memory -18.2 %, exactly");
        // What scatters has to be certain of them.
        let noisy = |more: u64| {
            line(|round| {
                let noise = round % 5 * (1 << 19);
                [(20 << 20, 0, 0), ((20 << 20) + noise + more, 0, 0)]
            })
        };
        assert_eq!(noisy(1 << 20), "");
        assert!(
            noisy(4 << 20).starts_with("b: peak memory +25"),
            "{}",
            noisy(4 << 20)
        );
    }

    #[test]
    fn what_scatters_differs_by_pairs_of_rounds() {
        let text = line(|round| {
            let noise = round * 7_919 % 101;
            let codes = [0, (round % 2) as i32];
            let counts = [100_000 + noise, 100_100 + noise * 3 % 101];
            [
                ((1 << 20) + noise, codes[0], counts[0]),
                ((1 << 22) + 4 * noise, codes[1], counts[1]),
            ]
        });
        assert!(text.starts_with("b: peak memory 4.0"), "{text}");
        assert!(
            text.contains("x more (") && !text.contains("exactly"),
            "{text}"
        );
        // Less than the margin is not one.
        assert!(!text.contains("cache misses"), "{text}");
        assert!(text.ends_with("exit code 0 or 1 in place of 0"), "{text}");
        assert_eq!(line(|_| [(0, 0, 0), (1 << 20, 0, 0)]), "");
    }
}
