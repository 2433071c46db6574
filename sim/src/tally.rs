//! What came of comparisons that were really made: `scripts/tries.sh`.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::Proportion;

/// Probability with which a bound that is shown may be wrong.
const ERROR: f64 = 0.05;

/// One line of the log.
#[derive(Clone, Debug, PartialEq)]
struct Tried {
    finding: String,
    seconds: f64,
}

/// Comparisons by condition, change and workload.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    tries: BTreeMap<(String, String, String), Vec<Tried>>,
    /// Lines that could not be read: a log may end in the middle of one.
    pub unread: usize,
}

impl Tally {
    /// Reads a log.
    pub fn read(text: &str) -> Tally {
        let mut tally = Tally::default();
        for line in text.lines() {
            let values: Vec<&str> = line.split('\t').collect();
            let [
                condition,
                workload,
                change,
                finding,
                _ratio,
                _pairs,
                seconds,
            ] = values.as_slice()
            else {
                tally.unread += 1;
                continue;
            };
            let Ok(seconds) = seconds.parse() else {
                tally.unread += 1;
                continue;
            };
            let key = [change, *condition, workload].map(str::to_owned);
            let [change, condition, workload] = key;
            tally
                .tries
                .entry((change, condition, workload))
                .or_default()
                .push(Tried {
                    finding: (*finding).to_owned(),
                    seconds,
                });
        }
        tally
    }

    /// The table in Markdown: a row for each workload, and one for each condition as a whole.
    pub fn table(&self) -> String {
        let mut text =
            "| change | condition | workload | tries | faster | same | slower | undecided | \
                        wrong | wrong at most (95 %) | decided | median | within 0.5 s |\n\
                        |---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
                .to_owned();
        let mut whole: BTreeMap<(&str, &str), Vec<&Tried>> = BTreeMap::new();
        for ((change, condition, workload), tries) in &self.tries {
            let all: Vec<&Tried> = tries.iter().collect();
            text.push_str(&row(change, condition, workload, &all));
            whole.entry((change, condition)).or_default().extend(all);
        }
        for ((change, condition), tries) in &whole {
            text.push_str(&row(change, condition, "all", tries));
        }
        text
    }
}

/// What would be right to say of a change.
fn right(change: &str) -> &'static [&'static str] {
    match change {
        "none" => &["same"],
        // The typical call is the same; the mean is not.
        "tail" => &["same", "slower"],
        _ => &["slower"],
    }
}

fn row(change: &str, condition: &str, workload: &str, tries: &[&Tried]) -> String {
    let of =
        |counts: &dyn Fn(&Tried) -> bool| Proportion::count(tries.iter().map(|one| counts(one)));
    let is_right = |one: &Tried| right(change).contains(&one.finding.as_str());
    let kinds = ["faster", "same", "slower", "undecided"];
    let kinds = kinds.map(|kind| of(&|one| one.finding == kind).times.to_string());
    let decided = of(&|one| one.finding != "undecided");
    let wrong = of(&|one| one.finding != "undecided" && !is_right(one));
    let quick = of(&|one| one.seconds <= 0.5);
    let mut seconds: Vec<f64> = tries.iter().map(|one| one.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let median = seconds.get(seconds.len() / 2).copied().unwrap_or(0.0);
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "| {change} | {condition} | {workload} | {} | {} | {} | {:.3} % | {:.1} % | {:.0} ms | {:.1} % |",
        tries.len(),
        kinds.join(" | "),
        wrong.times,
        100.0 * wrong.at_most(ERROR),
        100.0 * decided.share(),
        1e3 * median,
        100.0 * quick.share()
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_counted_by_what_was_changed() {
        let log = "idle\tsort\tnone\tsame\t1.0\t64\t0.02\n\
                   idle\tsort\tnone\tslower\t1.1\t64\t0.04\n\
                   idle\tsort\tnone\tundecided\t-\t64\t2.0\n\
                   busy\tsort\t1 %\tslower\t1.01\t64\t0.1\n\
                   busy\tsort\t1 %\tfaster\t0.9\t64\t0.1\n\
                   idle\tso";
        let tally = Tally::read(log);
        assert_eq!(tally.unread, 1);
        let table = tally.table();
        assert!(
            table.contains("| none | idle | sort | 3 | 0 | 1 | 1 | 1 | 1 | 86.465 % | 66.7 % |"),
            "{table}"
        );
        assert!(table.contains("| 40 ms | 66.7 % |"), "{table}");
        assert!(
            table.contains("| 1 % | busy | sort | 2 | 1 | 0 | 1 | 0 | 1 |"),
            "{table}"
        );
        assert!(table.contains("| 1 % | busy | all | 2 |"), "{table}");
    }
}
