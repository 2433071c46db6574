//! The result of `doctor` as a document.

use tourbillon_present::number::{fixed, signed};
use tourbillon_present::{Audience, Block, Cell, Column, Document, Ink, Mark, Phrase, Row, Table};
use tourbillon_report::Style;

use super::finding::{Finding, Severity};
use super::reference_kernels::{KernelRow, Shown};

/// The findings, in the order of the checks.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) findings: Vec<Finding>,
    /// Reference kernels that were measured.
    pub(super) reference_kernels: Vec<KernelRow>,
}

impl Report {
    /// Findings of a severity; for `None`, those without an assessment.
    pub(super) fn of(&self, severity: Option<Severity>) -> impl Iterator<Item = &Finding> {
        let findings = self.findings.iter();
        findings.filter(move |finding| finding.severity() == severity)
    }

    /// Whether a finding matters.
    pub(super) fn matters(&self) -> bool {
        self.of(Some(Severity::Matters)).next().is_some()
    }
}

const LEGEND: &str = "! matters, - worth knowing, ? unknown, the rest is fine. The guide is \
                      docs/reference/doctor.md of tourbillon.";

/// The most severe findings first, each kind in the order of the checks.
pub(super) fn document(report: &Report, style: &Style) -> Document {
    Document {
        blocks: vec![
            Block::Table(findings(report)),
            Block::Table(kernels(&report.reference_kernels, style)),
            Block::text(LEGEND),
        ],
        answer: summary(report),
        ..Document::default()
    }
}

/// A row for each check: what was found, or why there is no assessment; then why it matters, and the remedy.
fn findings(report: &Report) -> Table {
    let mut table = Table::of([
        Column::left("check", "check"),
        Column::of_programs("severity"),
        Column::left("found", "found"),
        Column::left("advice", "advice").for_audience(Audience::People),
    ])
    .of_programs("why remedy absent guide")
    .named("findings");
    table.is_list = true;
    let kinds = [
        (Some(Severity::Matters), "!", Ink::Heading),
        (Some(Severity::Note), "-", Ink::Plain),
        (None, "?", Ink::Plain),
        (Some(Severity::Fine), " ", Ink::Plain),
    ];
    for (severity, symbol, ink) in kinds {
        let mark = Mark { symbol, ink };
        let of_kind = report.of(severity);
        let rows = of_kind.map(|finding| Row {
            mark: Some(mark),
            cells: cells(finding),
            ..Row::default()
        });
        table.rows.extend(rows);
    }
    table
}

fn cells(finding: &Finding) -> Vec<Cell> {
    let (section, why) = finding.section();
    let (severity, found, remedy, absent) = match &finding.outcome {
        Ok(outcome) => {
            let remedy = outcome.remedy.as_deref().unwrap_or_default();
            let severity = outcome.severity.name();
            (severity, Cell::text(&*outcome.found), remedy, "")
        }
        Err(absent) => ("", Cell::text(&**absent).for_people(), "", &**absent),
    };
    let advice = if remedy.is_empty() {
        String::new()
    } else {
        format!("{why}: {remedy}; see #{section}")
    };
    vec![
        Cell::text(finding.check),
        Cell::text(severity),
        found,
        Cell::text(advice),
        Cell::text(why),
        Cell::text(remedy),
        Cell::text(absent),
        Cell::text(format!("docs/reference/doctor.md#{section}")),
    ]
}

/// The costs of the kernels and their measurements, in cycles.
fn kernels(rows: &[KernelRow], style: &Style) -> Table {
    let people = |column: Column| column.for_audience(Audience::People).giving_way(0);
    let mut table = Table::of([
        Column::left("kernel", "kernel"),
        Column::right("true_cycles", "cycles").giving_way(0),
        Column::right("measured_cycles", "measured").giving_way(0),
        Column::of_programs("lower_cycles"),
        Column::of_programs("upper_cycles"),
        Column::right("error_cycles", "off by").giving_way(0),
        people(Column::right("share", "share")),
        people(Column::right("interval", style.half_width(0.99))),
        Column::of_programs("below_resolution"),
        Column::left("verdict", "verdict").giving_way(0),
    ])
    .named("reference_kernels");
    for row in rows {
        let (cycles, lower, upper) = cycles(row);
        let measured = match row.shown {
            Shown::Cycles { cycles, .. } => fixed(cycles, 3),
            Shown::BelowResolution => "below res".to_owned(),
            Shown::Nothing => "none".to_owned(),
        };
        let error = row.error();
        let share = error
            .filter(|_| row.truth > 0.0)
            .map(|error| signed(100.0 * error / row.truth, 3) + " %");
        let width = lower.zip(upper).map(|(lower, upper)| 0.5 * (upper - lower));
        let width = width.map_or_else(String::new, |width| fixed(width, 3));
        let decimals = if row.truth.fract() == 0.0 { 0 } else { 3 };
        let off_by = error.map_or_else(String::new, |error| signed(error, 3));
        table.push([
            Cell::text(&*row.name),
            Cell::number(fixed(row.truth, decimals), Some(row.truth)),
            Cell::number(measured, cycles),
            Cell::number("", lower),
            Cell::number("", upper),
            Cell::number(off_by, error),
            Cell::text(share.unwrap_or_default()),
            Cell::text(width),
            Cell::flag(row.shown == Shown::BelowResolution),
            Cell::text(row.nearness().name()),
        ]);
    }
    table
}

/// `2 things matter`, `3 are worth knowing`, `12 are fine`, `4 are unknown`.
fn summary(report: &Report) -> Vec<Phrase> {
    let count = |severity| report.of(severity).count();
    let matter = match count(Some(Severity::Matters)) {
        0 => "nothing matters".to_owned(),
        1 => "1 thing matters".to_owned(),
        many => format!("{many} things matter"),
    };
    let are = |count: usize, what: &str| {
        let verb = if count == 1 { "is" } else { "are" };
        format!("{count} {verb} {what}")
    };
    let parts = [
        matter,
        are(count(Some(Severity::Note)), "worth knowing"),
        are(count(Some(Severity::Fine)), "fine"),
        are(count(None), "unknown"),
    ];
    parts.map(Phrase::from).into()
}

/// The measured cycles and their interval, if any.
fn cycles(row: &KernelRow) -> (Option<f64>, Option<f64>, Option<f64>) {
    match row.shown {
        Shown::Cycles {
            cycles,
            lower,
            upper,
        } => (Some(cycles), lower, upper),
        Shown::BelowResolution | Shown::Nothing => (None, None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::machines::{LAPTOP, Machine, NOTHING, SERVER};
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    use crate::doctor::reference_kernels::measured;
    use serde_json::{Value, json};
    use tourbillon_present::kind::DOCTOR;

    fn of(machine: &str) -> Report {
        Report {
            findings: Machine::new(machine).findings(&[]),
            reference_kernels: Vec::new(),
        }
    }

    fn render(report: &Report, style: &Style) -> String {
        document(report, style).text(style)
    }

    fn encode(report: &Report) -> String {
        let style = Style::default();
        let document = document(report, &style);
        document.json(&DOCTOR)
    }

    #[test]
    fn the_page_of_a_laptop() {
        let text = render(&of(LAPTOP), &Style::default());
        assert_eq!(text, include_str!("snapshots/laptop-80.txt"));
    }

    #[test]
    fn a_narrow_terminal() {
        let style = Style::of_width(44);
        let text = render(&of(LAPTOP), &style);
        assert_eq!(text, include_str!("snapshots/laptop-44.txt"));
    }

    #[test]
    fn colour_changes_nothing_else() {
        let style = Style {
            color: true,
            ..Style::default()
        };
        let text = render(&of(LAPTOP), &style);
        assert!(text.starts_with("\x1b[1m! governor\x1b[0m: "), "{text}");
        let plain = text.replace("\x1b[1m", "").replace("\x1b[0m", "");
        assert_eq!(plain, render(&of(LAPTOP), &Style::default()));
    }

    #[test]
    fn reference_kernels_follow_the_findings() {
        let cycles = |cycles, half| Shown::Cycles {
            cycles,
            lower: Some(cycles - half),
            upper: Some(cycles + half),
        };
        let row = |name: &str, truth, shown| KernelRow {
            name: name.to_owned(),
            truth,
            shown,
        };
        let report = Report {
            findings: Vec::new(),
            reference_kernels: vec![
                row("empty", 0.0, Shown::BelowResolution),
                row("thr_2", 2.0 / 3.0, cycles(0.668, 0.01)),
                row("add_1", 1.0, cycles(1.0004, 0.01)),
                row("add_100", 100.0, cycles(100.25, 0.5)),
                row("lat_100", 300.0, cycles(330.0, 1.0)),
                row("thr_33", 33.0, Shown::Nothing),
            ],
        };
        let text = render(&report, &Style::default());
        let table = text.split("\n\n").next().unwrap_or_default();
        assert_eq!(
            format!("{}\n", table.trim_matches('\n')),
            include_str!("snapshots/reference-kernels.txt")
        );
    }

    #[test]
    fn kinds_without_findings_are_counted() {
        let text = render(&of(SERVER), &Style::default());
        assert!(text.contains("\nnothing matters · "), "{text}");
        let text = render(&of(NOTHING), &Style::default());
        assert!(
            text.contains("\nnothing matters · 0 are worth knowing · 1 is fine · "),
            "{text}"
        );
    }

    #[test]
    fn findings_have_a_severity_or_a_reason() {
        let findings = Machine::new(LAPTOP).without("/proc/loadavg").findings(&[]);
        let text = encode(&Report {
            findings,
            reference_kernels: vec![KernelRow {
                name: "add_1".to_owned(),
                truth: 1.0,
                shown: Shown::BelowResolution,
            }],
        });
        let value: Value = serde_json::from_str(&text).unwrap();
        let finding = |check: &str| {
            let findings = value["findings"].as_array().unwrap();
            findings
                .iter()
                .find(|finding| finding["check"] == check)
                .unwrap()
        };
        assert_eq!(
            *finding("battery"),
            json!({
                "check": "battery",
                "severity": "matters",
                "found": "the machine runs on its battery, 71 % left, and saves power",
                "why": "power saving and heat slow cores down during a run",
                "remedy": "plug it in, because saving power changes the frequency",
                "absent": null,
                "guide": "docs/reference/doctor.md#battery-and-heat",
            })
        );
        let absent = finding("load");
        assert_eq!(absent["absent"], "this system has no /proc/loadavg");
        assert!(absent["severity"].is_null() && absent["found"].is_null());
        assert!(finding("ASLR")["remedy"].is_null());
        let kernel = &value["reference_kernels"][0];
        assert_eq!(kernel["true_cycles"], 1.0);
        assert_eq!(kernel["below_resolution"], true);
        assert_eq!(kernel["verdict"], "wrong");
        assert!(kernel["measured_cycles"].is_null() && kernel["error_cycles"].is_null());
    }

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn each_kernel_that_is_measured_is_a_row() {
        // Without optimisation the figures are of no use, but they are figures.
        let clock = tourbillon_clock::Clock::choose().clock;
        let text = encode(&Report {
            findings: Vec::new(),
            reference_kernels: measured(&clock, "").0,
        });
        let value: Value = serde_json::from_str(&text).unwrap();
        let rows = value["reference_kernels"].as_array().unwrap();
        let truths = [("empty", 0.0), ("add_1", 1.0), ("add_10", 10.0)]
            .iter()
            .chain(&[("add_100", 100.0), ("add_1000", 1_000.0)]);
        assert_eq!(rows.len(), truths.clone().count());
        for (row, (kernel, truth)) in rows.iter().zip(truths) {
            assert_eq!(row["kernel"], *kernel);
            assert_eq!(row["true_cycles"], *truth);
            // On a busy machine there may be no figure.
            if row["below_resolution"] == true || row["measured_cycles"].is_null() {
                assert!(row["lower_cycles"].is_null(), "{row}");
            }
            assert!(["right", "near", "wrong"].contains(&row["verdict"].as_str().unwrap()));
        }
    }
}
