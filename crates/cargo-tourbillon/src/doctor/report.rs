//! The result of `doctor` as text and JSON.

use serde_json::{Value, json};
use tourbillon_report::Style;

use super::finding::{Finding, Severity};
use super::reference_kernels::{KernelRow, Shown};
use crate::screen::Page;
use tourbillon_present::Table;

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
pub(super) fn render(report: &Report, style: &Style) -> String {
    let mut page = Page::new(style);
    page.say("", &summary(report));
    let kinds = [
        (Some(Severity::Matters), "! "),
        (Some(Severity::Note), "- "),
        (None, "? "),
        (Some(Severity::Fine), "  "),
    ];
    for (severity, lead) in kinds {
        let mut findings = report.of(severity).peekable();
        if findings.peek().is_some() {
            page.line("");
        }
        for finding in findings {
            push(&mut page, lead, finding);
        }
    }
    page.line("");
    if !report.reference_kernels.is_empty() {
        page.table(&kernels(&report.reference_kernels, style));
        page.line("");
    }
    page.say("", LEGEND);
    page.text
}

/// The costs of the kernels and their measurements, in cycles.
fn kernels(rows: &[KernelRow], style: &Style) -> Table {
    let interval = if style.unicode {
        "99 % CI ±"
    } else {
        "99 % CI +-"
    };
    let mut sheet = Table::new("kernel")
        .right(["cycles", "measured", "off by", "share", interval])
        .left(["verdict"]);
    for row in rows {
        let measured = match row.shown {
            Shown::Cycles { cycles, .. } => format!("{cycles:.3}"),
            Shown::BelowResolution => "below res".to_owned(),
            Shown::Nothing => "none".to_owned(),
        };
        let error = row.error();
        let share = error
            .filter(|_| row.truth > 0.0)
            .map(|error| 100.0 * error / row.truth);
        let (_, lower, upper) = cycles(row);
        let width = lower.zip(upper).map(|(lower, upper)| 0.5 * (upper - lower));
        let decimals = if row.truth.fract() == 0.0 { 0 } else { 3 };
        sheet.push([
            row.name.clone(),
            format!("{:.decimals$}", row.truth),
            measured,
            error.map_or_else(String::new, |error| format!("{error:+.3}")),
            share.map_or_else(String::new, |share| format!("{share:+.3} %")),
            width.map_or_else(String::new, |width| format!("{width:.3}")),
            row.nearness().name().to_owned(),
        ]);
    }
    sheet
}

/// `2 things matter, 3 are worth knowing, 12 are fine, 4 are unknown`.
fn summary(report: &Report) -> String {
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
    format!(
        "{matter}, {}, {}, {}",
        are(count(Some(Severity::Note)), "worth knowing"),
        are(count(Some(Severity::Fine)), "fine"),
        are(count(None), "unknown")
    )
}

/// The check and its assessment; then why it matters, the remedy, and the section of the guide.
fn push(page: &mut Page<'_>, lead: &str, finding: &Finding) {
    let (found, remedy) = match &finding.outcome {
        Ok(outcome) => (&outcome.found, outcome.remedy.as_deref()),
        Err(why) => (why, None),
    };
    let begin = page.text.len();
    page.say(lead, &format!("{}: {found}", finding.check));
    if page.style.color && finding.severity() == Some(Severity::Matters) {
        let end = begin + lead.len() + finding.check.len();
        page.text.insert_str(end, "\x1b[0m");
        page.text.insert_str(begin, "\x1b[1m");
    }
    if let Some(remedy) = remedy {
        let (why, section) = (finding.why(), finding.section);
        page.say("    ", &format!("{why}: {remedy}; see #{section}"));
    }
}

/// One object. A check without an assessment has no severity, and the reason under `absent`.
pub(super) fn encode(report: &Report) -> String {
    let findings: Vec<Value> = report.findings.iter().map(finding_json).collect();
    let kernels: Vec<Value> = report.reference_kernels.iter().map(kernel_json).collect();
    let report = json!({ "findings": findings, "reference_kernels": kernels });
    format!("{report:#}\n")
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

/// In cycles.
fn kernel_json(row: &KernelRow) -> Value {
    let (measured, lower, upper) = cycles(row);
    json!({
        "kernel": row.name,
        "true_cycles": row.truth,
        "measured_cycles": measured,
        "lower_cycles": lower,
        "upper_cycles": upper,
        "error_cycles": row.error(),
        "below_resolution": row.shown == Shown::BelowResolution,
        "verdict": row.nearness().name(),
    })
}

fn finding_json(finding: &Finding) -> Value {
    let outcome = finding.outcome.as_ref().ok();
    json!({
        "check": finding.check,
        "severity": finding.severity(),
        "found": outcome.map(|outcome| &outcome.found),
        "why": finding.why(),
        "remedy": outcome.and_then(|outcome| outcome.remedy.as_ref()),
        "absent": finding.outcome.as_ref().err(),
        "guide": finding.link(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::machines::{LAPTOP, Machine, NOTHING, SERVER};
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    use crate::doctor::reference_kernels::measured;

    fn of(machine: &str) -> Report {
        Report {
            findings: Machine::new(machine).findings(&[]),
            reference_kernels: Vec::new(),
        }
    }

    #[test]
    fn the_page_of_a_laptop() {
        let text = render(&of(LAPTOP), &Style::default());
        assert_eq!(text, include_str!("snapshots/laptop-80.txt"));
    }

    #[test]
    fn a_narrow_terminal() {
        let style = Style {
            width: 44,
            ..Style::default()
        };
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
        assert!(text.contains("\x1b[1m! governor\x1b[0m: "), "{text}");
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
        let table = text.split("\n\n").nth(1).unwrap_or_default();
        assert_eq!(
            format!("{}\n", table.trim_matches('\n')),
            include_str!("snapshots/reference-kernels.txt")
        );
    }

    #[test]
    fn kinds_without_findings_are_counted() {
        let text = render(&of(SERVER), &Style::default());
        assert!(text.starts_with("nothing matters, "), "{text}");
        let text = render(&of(NOTHING), &Style::default());
        assert!(
            text.starts_with("nothing matters, 0 are worth knowing, 1 is fine, "),
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
                "remedy": "plug it in",
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
