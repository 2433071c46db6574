//! What the benchmarks are there to show, as ratios that can be checked.

use serde_json::Value;

/// The time of each case, in nanoseconds per op.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<(String, f64)>);

impl Times {
    /// Reads the lines of `--format jsonl`; lines of another kind are skipped.
    pub fn read(lines: &str) -> Times {
        let mut times = Times::default();
        for line in lines.lines() {
            let Ok(line) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            if line["type"] == "result"
                && line["metric"] == "time"
                && let (Some(case), Some(time)) = (line["case"].as_str(), line["estimate"].as_f64())
            {
                times.0.push((case.to_owned(), time));
            }
        }
        times
    }

    fn of(&self, case: &str) -> Option<f64> {
        let ending = |known: &str| known.strip_prefix("examples/") == Some(case);
        self.0
            .iter()
            .find(|(known, _)| ending(known))
            .map(|(_, time)| *time)
    }
}

/// One case is so many times as slow as another.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    /// What it shows.
    pub says: &'static str,
    /// Case above the line, without the package.
    pub slow: &'static str,
    /// Case below it.
    pub fast: &'static str,
    /// What one op of the case below the line stands for: its time is divided by this.
    pub ops: f64,
    /// The ratio, at least and at most.
    pub between: (f64, f64),
}

/// All of them. The bounds are wide: they are about kinds, not about a machine.
pub const FINDINGS: [Finding; 10] = [
    finding(
        "the same item again and again is far too fast",
        "search::hits[n=25600]",
        "search::same[n=25600]",
        2.0,
        50.0,
    ),
    finding(
        "in order is too predictable",
        "search::hits[n=25600]",
        "search::in_order[n=25600]",
        1.2,
        50.0,
    ),
    finding(
        "a thousand random items are learned by heart",
        "search::hits[n=1600]",
        "search::learned[n=1600]",
        1.5,
        50.0,
    ),
    finding(
        "drawing an item costs more than fetching one",
        "search::draw",
        "search::fetch",
        1.5,
        100.0,
    ),
    finding(
        "hits and misses cost about the same",
        "search::mixed[n=25600]",
        "search::hits[n=25600]",
        0.7,
        1.5,
    ),
    finding(
        "more items take longer",
        "search::hits[n=6553600]",
        "search::hits[n=100]",
        3.0,
        1_000.0,
    ),
    finding(
        "memory is slower than the first cache",
        "memory_levels::chase[bytes=268435456]",
        "memory_levels::chase[bytes=4096]",
        8.0,
        1_000.0,
    ),
    finding(
        "memory that was never touched is the system's",
        "memory_levels::first_reads",
        "memory_levels::later_reads",
        5.0,
        10_000.0,
    ),
    Finding {
        ops: 1_000.0,
        ..finding(
            "a pause and a prepared map agree",
            "strings_and_maps::remove_paused[M=HashMap<u64, u64>]",
            "strings_and_maps::remove_prepared[M=HashMap<u64, u64>]",
            0.7,
            1.4,
        )
    },
    finding(
        "a prepared and a restored map agree",
        "strings_and_maps::remove_prepared[M=BTreeMap<u64, u64>]",
        "strings_and_maps::remove_restored[M=BTreeMap<u64, u64>]",
        0.7,
        1.4,
    ),
];

const fn finding(
    says: &'static str,
    slow: &'static str,
    fast: &'static str,
    least: f64,
    most: f64,
) -> Finding {
    Finding {
        says,
        slow,
        fast,
        ops: 1.0,
        between: (least, most),
    }
}

impl Finding {
    /// A line about it, and whether it holds.
    pub fn held_against(&self, times: &Times) -> (String, bool) {
        let (least, most) = self.between;
        let (Some(slow), Some(fast)) = (times.of(self.slow), times.of(self.fast)) else {
            let (slow, fast) = (self.slow, self.fast);
            return (
                format!("?  {}: {slow} and {fast} are not both there", self.says),
                false,
            );
        };
        let ratio = slow / (fast / self.ops);
        let holds = least <= ratio && ratio <= most;
        let mark = if holds { "ok" } else { "NO" };
        let line = format!("{mark} {}: {ratio:.2} times ({least} to {most})", self.says);
        (line, holds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(case: &str, metric: &str, estimate: &str) -> String {
        format!(
            "{{\"type\":\"result\",\"case\":\"examples/{case}\",\"metric\":\"{metric}\",\"estimate\":{estimate}}}\n"
        )
    }

    #[test]
    fn a_finding_holds_between_its_bounds() {
        let finding = finding("more is more", "s::a", "s::b", 2.0, 4.0);
        for (a, b, holds) in [
            ("3.0", "1.0", true),
            ("1.0", "1.0", false),
            ("5.0", "1.0", false),
        ] {
            let lines = line("s::a", "time", a) + &line("s::b", "time", b);
            assert_eq!(
                finding.held_against(&Times::read(&lines)).1,
                holds,
                "{a} {b}"
            );
        }
    }

    #[test]
    fn a_case_without_a_time_is_no_finding() {
        let finding = finding("more is more", "s::a", "s::b", 0.0, 4.0);
        for other in [
            String::new(),
            line("s::b", "cycles", "1.0"),
            line("s::b", "time", "null"),
            line("s::bb", "time", "1.0"),
            "no json\n".to_owned(),
        ] {
            let lines = line("s::a", "time", "1.0") + &other;
            let (text, holds) = finding.held_against(&Times::read(&lines));
            assert!(!holds && text.starts_with('?'), "{text}");
        }
    }
}
