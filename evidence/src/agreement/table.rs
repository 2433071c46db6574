use std::fmt;

use super::{Agreement, Figures, Measured};

/// How many cases are named of each executable and condition.
const WORST: usize = 10;

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for metric in self.metrics() {
            self.summary(metric, f)?;
        }
        for metric in self.metrics() {
            for measured in &self.measured {
                self.worst(metric, measured, f)?;
            }
        }
        let waiting = self.waiting();
        let marked: Vec<&str> = waiting
            .into_iter()
            .filter(|case| !case.starts_with("memory::"))
            .collect();
        if !marked.is_empty() {
            writeln!(
                f,
                "Outside of `memory`, runs mark as waiting for memory: {}.",
                marked.join(", ")
            )?;
        }
        Ok(())
    }
}

impl Agreement {
    /// A row for each executable, condition and kind of case.
    fn summary(&self, metric: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waiting = self.waiting();
        writeln!(f, "**Runs of one executable, {metric}**\n")?;
        writeln!(
            f,
            "| executable | condition | cases | runs | pairs | exclude each other | half-width (median) | spread (median) | rows without an interval |"
        )?;
        writeln!(f, "|---|---|--:|--:|--:|--:|--:|--:|--:|")?;
        for measured in &self.measured {
            for waits in [false, true] {
                let figures = Figures::of(measured, metric, |case| waiting.contains(case) == waits);
                if figures.cases.is_empty() {
                    continue;
                }
                let kind = if waits { ", waiting for memory" } else { "" };
                writeln!(
                    f,
                    "| {} | {} | {}{kind} | {} | {} | {} | {} | {} | {} |",
                    measured.name,
                    measured.condition,
                    figures.cases.len(),
                    measured.runs.len(),
                    figures.pairs(),
                    share(figures.apart(), figures.pairs()),
                    percent(figures.half_width()),
                    percent(figures.spread()),
                    share(figures.without(), figures.rows()),
                )?;
            }
        }
        writeln!(f)
    }

    /// The cases about which the runs agree least, of those that do not wait for memory.
    fn worst(&self, metric: &str, measured: &Measured, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waiting = self.waiting();
        let figures = Figures::of(measured, metric, |case| !waiting.contains(case));
        if figures.cases.is_empty() {
            return Ok(());
        }
        let Measured {
            name, condition, ..
        } = measured;
        let unit = if metric == "time" { "ns" } else { metric };
        writeln!(f, "**{name}, {condition}: where the runs agree least**\n")?;
        writeln!(
            f,
            "| case | pairs | exclude each other | least, {unit} | largest | ratio | rows without an interval |"
        )?;
        writeln!(f, "|---|--:|--:|--:|--:|--:|--:|")?;
        for case in figures.worst(WORST) {
            write!(f, "| {} | {} | {} |", case.name, case.pairs(), case.apart())?;
            match case.ends() {
                Some((least, most)) => {
                    write!(f, " {least:.3} | {most:.3} | {:.4} |", most / least)?;
                }
                None => write!(f, " | | |")?,
            }
            writeln!(f, " {} |", case.without())?;
        }
        writeln!(f)
    }
}

/// A count and the share that it is.
fn share(count: usize, of: usize) -> String {
    match of {
        0 => String::new(),
        _ => format!("{count} ({:.2} %)", 100.0 * count as f64 / of as f64),
    }
}

fn percent(fraction: Option<f64>) -> String {
    fraction.map_or_else(String::new, |fraction| format!("{:.3} %", 100.0 * fraction))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{measured, row};
    use super::super::{Agreement, Measured, Run};

    #[test]
    fn a_table_of_two_conditions() {
        let run = |gcd: f64, chase: f64| {
            row("branchy::gcd", [gcd, gcd - 0.5, gcd + 0.5])
                + &row("memory::chase", [chase, chase - 1.0, chase + 1.0])
        };
        let agreement = Agreement {
            measured: vec![
                measured("quiet", &[run(10.0, 50.0), run(10.5, 60.0)]),
                measured("busy", &[run(10.0, 50.0), run(12.0, 50.0)]),
            ],
        };
        let expected = "\
**Runs of one executable, cycles**

| executable | condition | cases | runs | pairs | exclude each other | half-width (median) | spread (median) | rows without an interval |
|---|---|--:|--:|--:|--:|--:|--:|--:|
| new | quiet | 1 | 2 | 1 | 0 (0.00 %) | 4.881 % | 5.000 % | 0 (0.00 %) |
| new | quiet | 1, waiting for memory | 2 | 1 | 1 (100.00 %) | 1.833 % | 20.000 % | 0 (0.00 %) |
| new | busy | 1 | 2 | 1 | 1 (100.00 %) | 4.583 % | 20.000 % | 0 (0.00 %) |
| new | busy | 1, waiting for memory | 2 | 1 | 0 (0.00 %) | 2.000 % | 0.000 % | 0 (0.00 %) |

**new, quiet: where the runs agree least**

| case | pairs | exclude each other | least, cycles | largest | ratio | rows without an interval |
|---|--:|--:|--:|--:|--:|--:|
| branchy::gcd | 1 | 0 | 10.000 | 10.500 | 1.0500 | 0 |

**new, busy: where the runs agree least**

| case | pairs | exclude each other | least, cycles | largest | ratio | rows without an interval |
|---|--:|--:|--:|--:|--:|--:|
| branchy::gcd | 1 | 1 | 10.000 | 12.000 | 1.2000 | 0 |

";
        assert_eq!(agreement.to_string(), expected);
    }

    #[test]
    fn cases_that_runs_mark_are_named() {
        let marked = row("sorting::large", [9.0, 8.0, 10.0]).replace(
            "\"notes\":[]",
            "\"notes\":[{\"note\":\"waits_for_memory\"}]",
        );
        let agreement = Agreement {
            measured: vec![measured("quiet", &[marked])],
        };
        let printed = agreement.to_string();
        assert!(
            printed.ends_with("runs mark as waiting for memory: sorting::large.\n"),
            "{printed}"
        );
    }

    #[test]
    fn a_harness_without_intervals_has_a_spread() {
        let lines = [10.0, 11.0].map(|median| {
            format!(
                "{{\"type\":\"result\",\"case\":\"gcd\",\"metric\":\"time\",\"estimate\":{median}}}"
            )
        });
        let runs = lines.map(|line| Run::read(&line).expect("a run")).to_vec();
        let agreement = Agreement {
            measured: vec![Measured {
                name: "divan".to_owned(),
                condition: "quiet".to_owned(),
                runs,
            }],
        };
        let row = "| divan | quiet | 1 | 2 | 0 |  |  | 10.000 % | 2 (100.00 %) |";
        let printed = agreement.to_string();
        assert!(printed.contains(row), "{printed}");
    }
}
