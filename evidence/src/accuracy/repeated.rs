use std::fmt;

use examples::landmarks::Truth;

use super::{Accuracy, Measured};

/// Share of the intervals that has to contain the truth: their confidence.
const CONFIDENCE: f64 = 0.99;

/// Runs of the `landmarks` benchmark on one machine, one after the other.
#[derive(Clone, Debug)]
pub struct Repeated {
    runs: Vec<Accuracy>,
}

/// What became of one kernel, or of all, in all runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    intervals: u32,
    inside: u32,
    /// Estimates that are as near to the truth as it is aimed at, and those that are not.
    near: u32,
    off: u32,
    /// Results below the resolution, which is right of nothing and wrong of anything else.
    unseen: u32,
    /// The estimate that was farthest off, less the truth, in cycles, and as a fraction of it.
    worst: f64,
    worst_share: f64,
}

impl Tally {
    fn add(&mut self, measured: &Measured) {
        if let Some(inside) = measured.inside() {
            self.intervals += 1;
            self.inside += u32::from(inside);
        }
        if let Some(near) = measured.on_aim() {
            self.near += u32::from(near);
            self.off += u32::from(!near);
        }
        let Some(cycles) = &measured.cycles else {
            return;
        };
        self.unseen += u32::from(cycles.estimate == Err("below resolution".to_owned()));
        if let (Some(error), Truth::Cycles(truth)) = (measured.error(), measured.truth)
            && error.abs() > self.worst.abs()
        {
            self.worst = error;
            self.worst_share = error / truth;
        }
    }
}

impl Repeated {
    /// Takes runs together.
    #[must_use]
    pub fn new(runs: Vec<Accuracy>) -> Repeated {
        Repeated { runs }
    }

    fn kernels(&self) -> &[Measured] {
        self.runs.first().map_or(&[], |run| &run.kernels)
    }

    fn tally(&self, is_of: impl Fn(&Measured) -> bool) -> Tally {
        let mut tally = Tally::default();
        for measured in self.runs.iter().flat_map(|run| &run.kernels) {
            if is_of(measured) {
                tally.add(measured);
            }
        }
        tally
    }

    /// What is not as it shall be, a sentence each.
    #[must_use]
    pub fn wrong(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let all = self.tally(|_| true);
        if f64::from(all.inside) < CONFIDENCE * f64::from(all.intervals) {
            wrong.push("fewer than 99 of 100 intervals contain the truth".to_owned());
        }
        if all.off > 0 {
            wrong.push(format!("{} estimates are farther off", all.off));
        }
        let unseen = self
            .tally(|measured| matches!(measured.truth, Truth::Cycles(_)))
            .unseen;
        if unseen > 0 {
            wrong.push(format!("something was called nothing {unseen} times"));
        }
        let empty = self.tally(|measured| measured.truth == Truth::Nothing);
        if empty.unseen < empty.intervals {
            let times = empty.intervals - empty.unseen;
            wrong.push(format!("nothing was called something {times} times"));
        }
        wrong
    }
}

/// In Markdown: what ran where, and a row for each kernel whose cost is known.
impl fmt::Display for Repeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = self.runs.first().map_or(&[][..], |run| &run.about);
        writeln!(f, "{} · {} runs\n", about.join(" · "), self.runs.len())?;
        writeln!(
            f,
            "| kernel | truth | intervals with the truth | estimates within 0.1 % or 0.02 cycles | below resolution | farthest off |"
        )?;
        writeln!(f, "|---|--:|--:|--:|--:|--:|")?;
        for kernel in self.kernels() {
            if matches!(kernel.truth, Truth::Open(_)) {
                continue;
            }
            let name = kernel.name();
            let tally = self.tally(|measured| measured.name() == name);
            write!(f, "| {name} | {} |", kernel.truth_text())?;
            write!(f, " {} of {} |", tally.inside, tally.intervals)?;
            match tally.near + tally.off {
                0 => write!(f, " |")?,
                all => write!(f, " {} of {all} |", tally.near)?,
            }
            write!(f, " {} |", tally.unseen)?;
            match kernel.truth {
                Truth::Cycles(_) => writeln!(
                    f,
                    " {:+.4} cycles, {:+.3} % |",
                    tally.worst,
                    100.0 * tally.worst_share
                )?,
                _ => writeln!(f, " |")?,
            }
        }
        let all = self.tally(|_| true);
        writeln!(
            f,
            "\n{} of {} intervals contain the truth; {} of {} estimates are within 0.1 % or 0.02 cycles of it.",
            all.inside,
            all.intervals,
            all.near,
            all.near + all.off
        )?;
        for sentence in self.wrong() {
            writeln!(f, "Not as it shall be: {sentence}.")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::tests::{HEADER, result};

    fn run(results: &[String]) -> Accuracy {
        Accuracy::read(&format!("{HEADER}\n{}\n", results.join("\n"))).expect("a run")
    }

    const EMPTY: &str = r#"{"type":"result","case":"examples/landmarks::empty","metric":"cycles","estimate":null,"absent":"below_resolution","lower":null,"upper":0.13}"#;

    fn add(figures: [f64; 3]) -> String {
        result("add[k=10]", "cycles", figures)
    }

    #[test]
    fn runs_are_counted_kernel_by_kernel() {
        let near = run(&[EMPTY.to_owned(), add([10.01, 9.9, 10.1])]);
        let nearer = run(&[EMPTY.to_owned(), add([9.995, 9.9, 10.1])]);
        let repeated = Repeated::new(vec![near, nearer]);
        assert_eq!(repeated.wrong(), Vec::<String>::new());
        let text = repeated.to_string();
        for line in [
            "2026-01-02 · 2 runs\n",
            "\n| empty | 0 | 2 of 2 | | 2 | |\n",
            "\n| add_10 | 10 | 2 of 2 | 2 of 2 | 0 | +0.0100 cycles, +0.100 % |\n",
            "\n4 of 4 intervals contain the truth; 2 of 2 estimates are within 0.1 % or 0.02 cycles of it.\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let off = run(&[
            EMPTY
                .replace(
                    "null,\"absent\":\"below_resolution\",\"lower\":null",
                    "0.2,\"absent\":null,\"lower\":0.1",
                )
                .replace("0.13", "0.3"),
            add([10.5, 10.4, 10.6]),
            EMPTY.replace("::empty", "::add[k=1]"),
        ]);
        let wrong = Repeated::new(vec![off]).wrong();
        assert_eq!(
            wrong,
            [
                "fewer than 99 of 100 intervals contain the truth",
                "1 estimates are farther off",
                "something was called nothing 1 times",
                "nothing was called something 1 times"
            ]
        );
    }
}
