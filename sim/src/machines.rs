use tourbillon_compare::merge::{Group, across_groups};
use tourbillon_stats::Confidence;

use crate::{Chance, Claim, Proportion, Repeats, Table};

/// Numbers of machines.
const COUNTS: [usize; 5] = [5, 6, 8, 12, 20];
/// The level of the intervals.
const LEVEL: f64 = 0.99;
/// The standard normal value that is exceeded on either side in 1 % of cases.
const NORMAL: f64 = 2.575_829_3;

/// How the effects of machines scatter around their mean.
#[derive(Clone, Copy, Debug)]
enum Effects {
    Normal,
    /// One machine in ten is five times as far away.
    Outliers,
    /// Exponential: most are near, on one side.
    Skewed,
}

/// Machines of a kind.
#[derive(Clone, Copy, Debug)]
struct Machines {
    name: &'static str,
    effects: Effects,
    /// Standard deviation between machines, in errors of one machine.
    between: f64,
    /// The errors of machines lie between 1 and this.
    largest_error: f64,
    /// What a machine takes its error for, in true errors.
    believed: f64,
}

const KIND: Machines = Machines {
    name: "all alike",
    effects: Effects::Normal,
    between: 0.0,
    largest_error: 1.0,
    believed: 1.0,
};

const KINDS: [Machines; 11] = [
    KIND,
    Machines {
        name: "differ by half an error",
        between: 0.5,
        ..KIND
    },
    Machines {
        name: "differ by an error",
        between: 1.0,
        ..KIND
    },
    Machines {
        name: "differ by 3 errors",
        between: 3.0,
        ..KIND
    },
    Machines {
        name: "differ by 10 errors",
        between: 10.0,
        ..KIND
    },
    Machines {
        name: "all alike, errors 1 to 4",
        largest_error: 4.0,
        ..KIND
    },
    Machines {
        name: "differ by an error, errors 1 to 4",
        between: 1.0,
        largest_error: 4.0,
        ..KIND
    },
    Machines {
        name: "differ by 3 errors, errors 1 to 4",
        between: 3.0,
        largest_error: 4.0,
        ..KIND
    },
    Machines {
        name: "differ by an error, taken for 1.5",
        between: 1.0,
        believed: 1.5,
        ..KIND
    },
    Machines {
        name: "differ by 3 errors, one in ten by 15",
        effects: Effects::Outliers,
        between: 3.0,
        ..KIND
    },
    Machines {
        name: "differ by 3 errors, exponentially",
        effects: Effects::Skewed,
        between: 3.0,
        ..KIND
    },
];

/// How often the interval for machines of a kind has the mean of the kind, and how often one does that ignores that
/// machines differ.
pub fn machines(repeats: Repeats) -> Table {
    let mut head = vec!["machines".to_owned()];
    head.extend(COUNTS.map(|count| format!("{count}")));
    head.push("5, differences ignored".to_owned());
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let title = "Intervals of 99 % for machines of a kind";
    let mut table = Table::new(title, &head);
    for (row, kind) in KINDS.iter().enumerate() {
        table.row(kind.name);
        for (column, count) in COUNTS.into_iter().enumerate() {
            let repeats = repeats.for_cell(900 + (row * COUNTS.len() + column) as u64);
            let covered = repeats.of(|seed| kind.groups(count, seed).is_covered());
            table.share(Proportion::count(covered), kind.claim());
        }
        let repeats = repeats.for_cell(900 + (row * COUNTS.len()) as u64);
        let covered = repeats.of(|seed| kind.groups(COUNTS[0], seed).is_covered_by_pooling());
        let claim = match kind.between >= kind.believed {
            true => Claim::FailsBelow(LEVEL),
            false => Claim::Shown { upper: false },
        };
        table.share(Proportion::count(covered), claim);
    }
    table
}

/// What machines found; the truth is 0.
struct Found(Vec<Group>);

impl Machines {
    /// The interval assumes normal effects.
    fn claim(&self) -> Claim {
        match self.effects {
            Effects::Normal | Effects::Outliers => Claim::AtLeast(LEVEL),
            Effects::Skewed => Claim::Shown { upper: false },
        }
    }

    fn groups(&self, count: usize, seed: u64) -> Found {
        let mut chance = Chance::new(seed);
        let group = |_| {
            let error = 1.0 + (self.largest_error - 1.0) * chance.uniform();
            let effect = match self.effects {
                Effects::Normal => chance.normal(),
                Effects::Outliers if chance.happens(0.1) => 5.0 * chance.normal(),
                Effects::Outliers => chance.normal(),
                Effects::Skewed => chance.exponential(1.0) - 1.0,
            };
            Group {
                value: self.between * effect + error * chance.normal(),
                error: error * self.believed,
            }
        };
        Found((0..count).map(group).collect())
    }
}

impl Found {
    fn is_covered(&self) -> bool {
        let level = Confidence::P99;
        across_groups(&self.0, level).is_ok_and(|across| across.interval.contains(0.0))
    }

    /// As if all had been measured on one machine.
    fn is_covered_by_pooling(&self) -> bool {
        let weight = |group: &Group| 1.0 / (group.error * group.error);
        let total: f64 = self.0.iter().map(weight).sum();
        let moment: f64 = self.0.iter().map(|group| weight(group) * group.value).sum();
        (moment / total).abs() <= NORMAL / total.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_cover_what_they_claim() {
        let repeats = Repeats {
            count: 4_000,
            threads: 1,
            seed: 1,
        };
        assert_eq!(machines(repeats).wrong(), [""; 0]);
    }
}
