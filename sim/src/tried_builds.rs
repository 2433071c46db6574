//! What came of comparisons of builds that were really made: `scripts/builds-tries.sh`.

use std::collections::BTreeMap;

use tourbillon_record::{Finding, Line, Verdict};

use crate::{Proportion, quantile};

/// Probability with which a bound that is shown may be wrong.
const ERROR: f64 = 0.05;

/// What was compared, on what machine: the columns that name a row.
type Row = (String, String, String);

/// Comparisons by what was compared, change, and condition.
#[derive(Clone, Debug, Default)]
pub struct TriedBuilds {
    verdicts: BTreeMap<Row, Vec<Verdict>>,
    whole: BTreeMap<Row, Vec<Whole>>,
    /// Lines that could not be read: a log may end in the middle of one.
    pub unread: usize,
}

/// A comparison of several cases.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Whole {
    cases: f64,
    wall_ns: f64,
    /// Inside of pairs of workers, warming up included.
    visits_ns: f64,
    /// Inside of batches.
    batches_ns: f64,
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
            let numbers: Vec<f64> = numbers
                .split('\t')
                .map(str::parse)
                .collect::<Result<_, _>>()
                .ok()?;
            let [cases, wall_ns, visits_ns, batches_ns] = numbers.try_into().ok()?;
            self.whole.entry(row).or_default().push(Whole {
                cases,
                wall_ns,
                visits_ns,
                batches_ns,
            });
        } else {
            let Line::Verdict(verdict) = Line::decode(rest).ok()? else {
                return None;
            };
            self.verdicts.entry(row).or_default().push(verdict);
        }
        Some(())
    }

    /// The tables in Markdown: verdicts, those about changes by case, and whole comparisons.
    pub fn tables(&self) -> String {
        let head = "| tries | right | undecided | wrong | wrong at most (95 %) | half decided in \
                    | 95 % in | pairs of processes |\n";
        let mut text = format!("| compared | change | condition {head}|---|---|---|{COLUMNS}\n");
        for ((what, change, condition), verdicts) in &self.verdicts {
            let all: Vec<&Verdict> = verdicts.iter().collect();
            text.push_str(&format!("| {what} | {change} | {condition} "));
            text.push_str(&row(change, &all));
        }
        text.push_str(&format!(
            "\n| case | compared | change {head}|---|---|---|{COLUMNS}\n"
        ));
        for ((case, what, change), verdicts) in &self.by_case() {
            text.push_str(&format!("| {case} | {what} | {change} "));
            text.push_str(&row(change, verdicts));
        }
        text.push_str(
            "\n| compared | condition | comparisons | cases | wall time | a case | inside pairs of \
             processes | inside batches |\n|---|---|---:|---:|---:|---:|---:|---:|\n",
        );
        for ((what, change, condition), whole) in &self.whole {
            let name = match change.as_str() {
                "none" => what.clone(),
                change => format!("{what}, {change}"),
            };
            text.push_str(&format!("| {name} | {condition} | {} ", whole.len()));
            text.push_str(&of_whole(whole));
        }
        text
    }

    /// The verdicts of all conditions, by case.
    fn by_case(&self) -> BTreeMap<Row, Vec<&Verdict>> {
        let mut by_case: BTreeMap<Row, Vec<&Verdict>> = BTreeMap::new();
        for ((what, change, _), verdicts) in &self.verdicts {
            if what == "suite" {
                continue;
            }
            for verdict in verdicts {
                let case = verdict.case.rsplit("::").next().unwrap_or(&verdict.case);
                let row = (case.to_owned(), what.clone(), change.clone());
                by_case.entry(row).or_default().push(verdict);
            }
        }
        by_case
    }
}

const COLUMNS: &str = "---:|---:|---:|---:|---:|---:|---:|---:|";

/// Whether a verdict is what is to be said of a change, and whether it is wrong. Of a tail, the
/// typical call is the same and the mean is not: either may be said.
fn judged(change: &str, finding: Finding) -> (bool, bool) {
    let right: &[Finding] = match change {
        "none" => &[Finding::Same],
        "tail" => &[Finding::Same, Finding::Slower],
        _ => &[Finding::Slower],
    };
    let is_right = right.contains(&finding);
    (is_right, !is_right && finding != Finding::Undecided)
}

fn row(change: &str, verdicts: &[&Verdict]) -> String {
    let share =
        |of: &dyn Fn(&Verdict) -> bool| Proportion::count(verdicts.iter().map(|one| of(one)));
    let right = share(&|one| judged(change, one.finding).0);
    let wrong = share(&|one| judged(change, one.finding).1);
    let undecided = share(&|one| one.finding == Finding::Undecided);
    // What is undecided takes longer than any time.
    let seconds = |part: f64| {
        let each = verdicts.iter().map(|one| match one.finding {
            Finding::Undecided => f64::INFINITY,
            _ => one.seconds,
        });
        match quantile(each, part) {
            seconds if seconds.is_finite() => format!("{seconds:.2} s"),
            _ => "–".to_owned(),
        }
    };
    format!(
        "| {} | {:.1} % | {:.1} % | {} | {:.2} % | {} | {} | {:.0} |\n",
        right.of,
        100.0 * right.share(),
        100.0 * undecided.share(),
        wrong.times,
        100.0 * wrong.at_most(ERROR),
        seconds(0.5),
        seconds(0.95),
        quantile(verdicts.iter().map(|one| one.launches.into()), 0.5),
    )
}

fn of_whole(whole: &[Whole]) -> String {
    let of = |value: fn(&Whole) -> f64| quantile(whole.iter().map(value), 0.5);
    format!(
        "| {:.0} | {:.1} s | {:.2} s | {:.1} % | {:.1} % |\n",
        of(|one| one.cases),
        of(|one| one.wall_ns) / 1e9,
        of(|one| one.wall_ns / one.cases) / 1e9,
        100.0 * of(|one| one.visits_ns / one.wall_ns),
        100.0 * of(|one| one.batches_ns / one.wall_ns),
    )
}

#[cfg(test)]
mod tests {
    use tourbillon_coordinate::{Terms, judge_builds};
    use tourbillon_record::Undecided;

    use super::*;
    use crate::visits::frequency;

    fn line(change: &str, finding: Finding, seconds: f64) -> String {
        let verdict = Verdict {
            case: "shop/cases::sort".to_owned(),
            finding,
            why: (finding == Finding::Undecided).then_some(Undecided::Time),
            seconds,
            launches: 16,
            ..judge_builds("", "", &[], Terms::BUILDS, &frequency())
        };
        format!(
            "idle\tsame\t{change}\t{}\n",
            Line::Verdict(verdict).encode()
        )
    }

    #[test]
    fn verdicts_are_counted_by_what_was_changed() {
        let mut log = line("none", Finding::Same, 0.5);
        log += &line("none", Finding::Slower, 0.5);
        log += &line("none", Finding::Undecided, 10.0);
        log += &line("2 %", Finding::Slower, 0.4);
        log += &line("2 %", Finding::Same, 0.4);
        log += &line("tail", Finding::Same, 0.4);
        log += "idle\tsame\tnone\twhole\t6\t6000000000\t5400000000\t3000000000\n";
        log += "idle\tsame\tno";
        let tried = TriedBuilds::read(&log);
        assert_eq!(tried.unread, 1);
        let tables = tried.tables();
        for row in [
            "| same | none | idle | 3 | 33.3 % | 33.3 % | 1 | 86.46 % | 0.50 s | – | 16 |",
            "| same | 2 % | idle | 2 | 50.0 % | 0.0 % | 1 |",
            "| same | tail | idle | 1 | 100.0 % | 0.0 % | 0 | 95.00 % |",
            "| sort | same | none | 3 | 33.3 % |",
            "| same | idle | 1 | 6 | 6.0 s | 1.00 s | 90.0 % | 50.0 % |",
        ] {
            assert!(tables.contains(row), "{row}\n{tables}");
        }
    }
}
