use std::fmt;

use crate::Proportion;

/// The error of the bounds that are printed: each holds in 97.5 % of cases.
const SHOWN: f64 = 0.025;
/// The error at which a figure is held against what it shall be: of a thousand figures that are
/// just right, one is called wrong.
const HELD: f64 = 0.001;

/// What a share shall be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// So much or more: coverage, power.
    AtLeast(f64),
    /// So much or less: errors.
    AtMost(f64),
    /// A negative control: clearly less than it claims, or the bench would have no teeth.
    FailsBelow(f64),
    /// A negative control: clearly more.
    FailsAbove(f64),
    /// Only shown, and which way its bound points: up for errors.
    Shown {
        /// Whether it is the upper bound that matters.
        upper: bool,
    },
}

impl Claim {
    /// Whether a share that was counted agrees with it.
    pub fn holds(self, counted: Proportion) -> bool {
        match self {
            Claim::AtLeast(level) => counted.at_most(HELD) >= level,
            Claim::AtMost(level) => counted.at_least(HELD) <= level,
            Claim::FailsBelow(level) => counted.at_most(HELD) < level,
            Claim::FailsAbove(level) => counted.at_least(HELD) > level,
            Claim::Shown { .. } => true,
        }
    }

    fn bound(self, counted: Proportion) -> String {
        match self {
            Claim::AtMost(_) | Claim::FailsBelow(_) | Claim::Shown { upper: true } => {
                format!("≤ {}", percent(counted.at_most(SHOWN)))
            }
            _ => format!("≥ {}", percent(counted.at_least(SHOWN))),
        }
    }
}

/// A table of counted shares, as Markdown. Knows which of them are not what they shall be.
#[derive(Clone, Debug, Default)]
pub struct Table {
    title: String,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    /// The largest number of tries.
    tries: u64,
    wrong: Vec<String>,
}

impl Table {
    /// A table with these columns, the first of them naming the rows.
    pub fn new(title: &str, head: &[&str]) -> Table {
        Table {
            title: title.to_owned(),
            head: head.iter().map(|name| (*name).to_owned()).collect(),
            ..Table::default()
        }
    }

    /// Begins a row.
    pub fn row(&mut self, name: &str) {
        self.rows.push(vec![name.to_owned()]);
    }

    /// Adds a text to the last row.
    pub fn text(&mut self, text: impl Into<String>) {
        if let Some(row) = self.rows.last_mut() {
            row.push(text.into());
        }
    }

    /// Adds a share to the last row, with its bound, and holds it against what it shall be.
    pub fn share(&mut self, counted: Proportion, claim: Claim) {
        self.tries = self.tries.max(counted.of);
        let mut text = format!("{} ({})", percent(counted.share()), claim.bound(counted));
        if !claim.holds(counted) {
            text.push_str(" **!**");
            let row = self.rows.last().cloned().unwrap_or_default();
            let column = self.head.get(row.len()).cloned().unwrap_or_default();
            self.wrong.push(format!(
                "{}, {}, {column}: {} of {}, and not {claim:?}",
                self.title,
                row.first().map_or("", String::as_str),
                counted.times,
                counted.of,
            ));
        }
        self.text(text);
    }

    /// What is not as it shall be, a line each.
    pub fn wrong(&self) -> &[String] {
        &self.wrong
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "**{}**\n", self.title)?;
        writeln!(f, "| {} |", self.head.join(" | "))?;
        writeln!(
            f,
            "|---|{}",
            "--:|".repeat(self.head.len().saturating_sub(1))
        )?;
        for row in &self.rows {
            writeln!(f, "| {} |", row.join(" | "))?;
        }
        if self.tries > 0 {
            writeln!(f, "\n{} repeats a cell at most.", self.tries)?;
        }
        Ok(())
    }
}

/// A share in percent, with as many digits as it takes to tell it from all or nothing.
fn percent(share: f64) -> String {
    let rest = share.min(1.0 - share);
    if rest > 0.0 && rest < 0.005 {
        format!("{:.3} %", share * 100.0)
    } else if rest < 0.05 {
        format!("{:.2} %", share * 100.0)
    } else {
        format!("{:.1} %", share * 100.0)
    }
}

/// The value below which this share of the others lies; 0 of nothing.
pub fn quantile(values: impl IntoIterator<Item = f64>, share: f64) -> f64 {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    let at = (share * sorted.len() as f64) as usize;
    sorted
        .get(at.min(sorted.len().saturating_sub(1)))
        .copied()
        .unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_as_it_shall_be_is_marked() {
        let mut table = Table::new("Errors", &["cell", "error"]);
        table.row("good");
        table.share(
            Proportion {
                times: 10,
                of: 1_000,
            },
            Claim::AtMost(0.01),
        );
        table.row("bad");
        table.share(
            Proportion {
                times: 40,
                of: 1_000,
            },
            Claim::AtMost(0.01),
        );
        let text = table.to_string();
        assert!(text.contains("| good | 1.00 % (≤ 1.83 %) |"), "{text}");
        assert!(text.contains("| bad | 4.00 % (≤ 5.4 %) **!** |"), "{text}");
        assert_eq!(table.wrong().len(), 1);
    }

    #[test]
    fn a_control_that_does_not_fail_is_wrong() {
        let fails = Claim::FailsBelow(0.99);
        assert!(fails.holds(Proportion {
            times: 900,
            of: 1_000
        }));
        assert!(!fails.holds(Proportion {
            times: 990,
            of: 1_000
        }));
        assert!(!Claim::FailsAbove(0.01).holds(Proportion {
            times: 10,
            of: 1_000
        }));
    }

    #[test]
    fn quantiles_of_nothing_are_nothing() {
        assert_eq!(quantile([], 0.5), 0.0);
        assert_eq!(quantile([3.0, 1.0, 2.0], 0.5), 2.0);
        assert_eq!(quantile([3.0, 1.0, 2.0], 1.0), 3.0);
    }
}
