use std::collections::BTreeMap;

use tourbillon_record::{Finding, Verdict};

use super::{ERROR, Row};
use crate::{Proportion, quantile};

/// How many verdicts of each kind there are, and how long they took.
pub(super) fn table(names: [&str; 3], rows: &BTreeMap<Row, Vec<Verdict>>) -> String {
    let [one, two, three] = names;
    let mut text = format!(
        "| {one} | {two} | {three} | tries | faster | same | slower | undecided | wrong | wrong at most \
         (95 %) | decided | half decided in | 95 % in | pairs of processes |\n\
         |---|---|---|{}\n",
        "---:|".repeat(11)
    );
    let of_change = names.iter().position(|name| *name == "change");
    for (names, verdicts) in rows {
        let (one, two, three) = names;
        let change = of_change.map_or("", |at| [one, two, three][at]);
        text.push_str(&format!("| {one} | {two} | {three} "));
        text.push_str(&row(change, verdicts));
    }
    text
}

/// Whether a verdict is wrong of a change. Of a tail, the typical call is the same and the mean is not:
/// either is right.
fn is_wrong(change: &str, finding: Finding) -> bool {
    let right: &[Finding] = match change {
        "none" => &[Finding::Same],
        "tail" => &[Finding::Same, Finding::Slower],
        _ => &[Finding::Slower],
    };
    finding != Finding::Undecided && !right.contains(&finding)
}

fn row(change: &str, verdicts: &[Verdict]) -> String {
    let count = |of: &dyn Fn(Finding) -> bool| {
        Proportion::count(verdicts.iter().map(|one| of(one.finding)))
    };
    let wrong = count(&|finding| is_wrong(change, finding));
    let decided = count(&|finding| finding != Finding::Undecided);
    let kinds = [
        Finding::Faster,
        Finding::Same,
        Finding::Slower,
        Finding::Undecided,
    ];
    let kinds = kinds.map(|kind| count(&|finding| finding == kind).times.to_string());
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
        "| {} | {} | {} | {:.2} % | {:.1} % | {} | {} | {:.0} |\n",
        verdicts.len(),
        kinds.join(" | "),
        wrong.times,
        100.0 * wrong.at_most(ERROR),
        100.0 * decided.share(),
        seconds(0.5),
        seconds(0.95),
        quantile(verdicts.iter().map(|one| one.launches.into()), 0.5),
    )
}
