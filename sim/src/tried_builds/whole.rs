use std::collections::BTreeMap;

use super::Row;
use crate::quantile;

/// A comparison of several cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Whole {
    cases: f64,
    wall_ns: f64,
    /// Inside of pairs of workers, warming up included.
    launches_ns: f64,
    /// Inside of batches.
    batches_ns: f64,
    /// Linking placements meanwhile; none where that was not noted.
    linking_ns: Option<f64>,
    /// Placements that were linked, those included that were linked before.
    links: f64,
    /// The median of them, and the longest; none where nothing was linked.
    link_ns: Option<(f64, f64)>,
}

impl Whole {
    /// Reads numbers with tabs between them.
    pub(super) fn read(text: &str) -> Option<Whole> {
        let mut values = text.split('\t');
        let mut number = || values.next()?.parse::<f64>().ok();
        let [cases, wall_ns, launches_ns, batches_ns] =
            [number()?, number()?, number()?, number()?];
        let linking_ns = number();
        let links = number().unwrap_or(0.0);
        let link_ns = number().zip(number());
        Some(Whole {
            cases,
            wall_ns,
            launches_ns,
            batches_ns,
            linking_ns,
            links,
            link_ns,
        })
    }
}

/// How long comparisons took, and with what.
pub(super) fn table(rows: &BTreeMap<Row, Vec<Whole>>) -> String {
    let mut text = format!(
        "| compared | condition | comparisons | cases | wall time | a case | inside pairs of processes | \
         inside batches | linking | links | a link | the longest |\n|---|---|{}\n",
        "---:|".repeat(10)
    );
    for ((what, change, condition), whole) in rows {
        let name = match change.as_str() {
            "none" => what.clone(),
            change => format!("{what}, {change}"),
        };
        text.push_str(&format!("| {name} | {condition} | {} ", whole.len()));
        text.push_str(&row(whole));
    }
    text
}

fn row(whole: &[Whole]) -> String {
    let of = |value: fn(&Whole) -> f64| quantile(whole.iter().map(value), 0.5);
    let links = whole.iter().filter_map(|one| one.link_ns);
    let linking: Vec<f64> = whole
        .iter()
        .filter(|one| one.link_ns.is_some())
        .filter_map(|one| Some(one.linking_ns? / one.wall_ns))
        .collect();
    let (linking, each, most) = match linking.is_empty() {
        true => ["–"; 3].map(str::to_owned).into(),
        false => (
            format!("{:.1} %", 100.0 * quantile(linking, 0.5)),
            format!(
                "{:.3} s",
                quantile(links.clone().map(|(each, _)| each), 0.5) / 1e9
            ),
            format!(
                "{:.3} s",
                links.map(|(_, most)| most).fold(0.0, f64::max) / 1e9
            ),
        ),
    };
    format!(
        "| {:.0} | {:.1} s | {:.2} s | {:.1} % | {:.1} % | {linking} | {:.0} | {each} | {most} |\n",
        of(|one| one.cases),
        of(|one| one.wall_ns) / 1e9,
        of(|one| one.wall_ns / one.cases) / 1e9,
        100.0 * of(|one| one.launches_ns / one.wall_ns),
        100.0 * of(|one| one.batches_ns / one.wall_ns),
        whole.iter().map(|one| one.links).sum::<f64>(),
    )
}
