//! What came of comparisons of builds that were really made: `scripts/builds-tries.sh`.

mod power;
mod verdicts;
mod whole;

use std::collections::BTreeMap;

use tourbillon_record::{Line, Verdict};

use self::whole::Whole;

/// Probability with which a bound that is shown may be wrong.
const ERROR: f64 = 0.05;

/// What was compared, its change, and on what machine: what names a row.
type Row = (String, String, String);

/// Comparisons by what was compared, change, and condition.
#[derive(Clone, Debug, Default)]
pub struct TriedBuilds {
    verdicts: BTreeMap<Row, Vec<Verdict>>,
    whole: BTreeMap<Row, Vec<Whole>>,
    /// Lines that could not be read: a log may end in the middle of one.
    pub unread: usize,
}

impl TriedBuilds {
    /// Reads a log.
    pub fn read(text: &str) -> TriedBuilds {
        let mut tried = TriedBuilds::default();
        for line in text.lines() {
            if tried.add(line).is_none() {
                tried.unread += 1;
            }
        }
        tried
    }

    fn add(&mut self, line: &str) -> Option<()> {
        let mut values = line.splitn(4, '\t');
        let (condition, what, change) = (values.next()?, values.next()?, values.next()?);
        let row = (what.to_owned(), change.to_owned(), condition.to_owned());
        let rest = values.next()?;
        if let Some(numbers) = rest.strip_prefix("whole\t") {
            let whole = Whole::read(numbers)?;
            self.whole.entry(row).or_default().push(whole);
        } else {
            let Line::Verdict(verdict) = Line::decode(rest).ok()? else {
                return None;
            };
            self.verdicts.entry(row).or_default().push(verdict);
        }
        Some(())
    }

    /// The tables in Markdown: verdicts, the same by case, which changes were found, and whole
    /// comparisons.
    pub fn tables(&self) -> String {
        let mut text = verdicts::table(["compared", "change", "condition"], &self.verdicts);
        text.push('\n');
        text.push_str(&verdicts::table(
            ["case", "compared", "change"],
            &self.by_case(),
        ));
        text.push('\n');
        text.push_str(&power::table(&self.verdicts));
        text.push('\n');
        text.push_str(&whole::table(&self.whole));
        text
    }

    /// The verdicts of all conditions, by case.
    fn by_case(&self) -> BTreeMap<Row, Vec<Verdict>> {
        let mut by_case: BTreeMap<Row, Vec<Verdict>> = BTreeMap::new();
        for ((what, change, _), verdicts) in &self.verdicts {
            if what == "suite" {
                continue;
            }
            for verdict in verdicts {
                let row = (name(verdict), what.clone(), change.clone());
                by_case.entry(row).or_default().push(verdict.clone());
            }
        }
        by_case
    }
}

/// The name of a case without the target it is of.
fn name(verdict: &Verdict) -> String {
    let case = verdict.case.rsplit("::").next();
    case.unwrap_or(&verdict.case).to_owned()
}

#[cfg(test)]
mod tests {
    use tourbillon_analysis::{Criteria, Design, judge};
    use tourbillon_record::{Finding, Undecided};

    use super::*;
    use crate::launches::frequency;

    fn line(change: &str, finding: Finding, seconds: f64) -> String {
        let verdict = Verdict {
            case: "shop/cases::sort".to_owned(),
            finding,
            why: (finding == Finding::Undecided).then_some(Undecided::Time),
            ratio: Some(1.02),
            seconds,
            launches: 16,
            ..judge(Design::Builds, &[], 0, 1, Criteria::BUILDS, &frequency())
        };
        format!(
            "idle\tsame\t{change}\t{}\n",
            Line::Verdict(verdict).encode()
        )
    }

    fn has(tables: &str, rows: &[&str]) {
        for row in rows {
            assert!(tables.contains(row), "{row}\n{tables}");
        }
    }

    #[test]
    fn verdicts_are_counted_by_what_was_changed() {
        let mut log = line("none", Finding::Same, 0.5);
        log += &line("none", Finding::Slower, 0.5);
        log += &line("none", Finding::Undecided, 10.0);
        log += &line("2 %", Finding::Slower, 0.4);
        log += &line("2 %", Finding::Same, 0.4);
        log += "idle\tsame\tno";
        let tried = TriedBuilds::read(&log);
        assert_eq!(tried.unread, 1);
        has(
            &tried.tables(),
            &[
                "| same | none | idle | 3 | 0 | 1 | 1 | 1 | 1 | 86.46 % | 66.7 % | 0.50 s | – | 16 |",
                "| same | 2 % | idle | 2 | 0 | 1 | 1 | 0 | 1 | 97.47 % | 100.0 % | 0.40 s |",
                "| sort | same | none | 3 | 0 | 1 | 1 | 1 | 1 |",
            ],
        );
    }

    #[test]
    fn of_a_tail_both_answers_are_counted_and_neither_is_wrong() {
        let mut log = line("tail", Finding::Same, 0.4);
        log += &line("tail", Finding::Slower, 0.4);
        log += &line("tail", Finding::Slower, 0.4);
        log += &line("tail", Finding::Faster, 0.4);
        has(
            &TriedBuilds::read(&log).tables(),
            &[
                "| same | tail | idle | 4 | 1 | 1 | 2 | 0 | 1 |",
                "| tail | idle | sort | 4 | 50.0 % |",
            ],
        );
    }

    #[test]
    fn a_change_is_found_in_time_or_not() {
        let mut log = line("2 %", Finding::Slower, 0.4);
        log += &line("2 %", Finding::Slower, 5.0);
        log += &line("2 %", Finding::Undecided, 10.0);
        log += &line("2 %", Finding::Same, 0.4);
        log += &line("none", Finding::Slower, 0.4);
        let tables = TriedBuilds::read(&log).tables();
        has(
            &tables,
            &[
                "| 2 % | idle | sort | 4 | 25.0 % | ≥ 1.3 % | 50.0 % | ≥ 9.8 % | 1.0200 |",
                "| 2 % | idle | all | 4 | 25.0 % |",
            ],
        );
        assert!(!tables.contains("| none | idle | sort |"), "{tables}");
    }

    #[test]
    fn whole_comparisons_show_what_linking_took() {
        let mut log = "idle\tsame\tnone\twhole\t6\t6000000000\t5400000000\t3000000000\n".to_owned();
        let linked = "1200000000\t32\t40000000\t90000000";
        log += &format!("idle\tnew\t2 %\twhole\t6\t6000000000\t4800000000\t3000000000\t{linked}\n");
        // There is no row for what was linked before.
        log +=
            &"idle\tnew\t2 %\twhole\t6\t6000000000\t4800000000\t3000000000\t0\t0\t\t\n".repeat(2);
        has(
            &TriedBuilds::read(&log).tables(),
            &[
                "| same | idle | 1 | 6 | 6.0 s | 1.00 s | 90.0 % | 50.0 % | – | 0 | – | – |",
                "| new, 2 % | idle | 3 | 6 | 6.0 s | 1.00 s | 80.0 % | 50.0 % | 20.0 % | 32 | 0.040 s | 0.090 s |",
            ],
        );
    }
}
