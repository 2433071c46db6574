//! The findings as text.

use tourbillon_report::Style;

use super::finding::{Finding, Severity};
use super::landmarks::{Row, Shown};
use super::report::Report;
use super::section::Section;
use crate::paragraph;
use crate::table::{Align, Sheet};

const LEGEND: &str = "! matters, - worth knowing, ? cannot be found out, the rest is fine. \
                      The guide is docs/reference/doctor.md of tourbillon.";

/// The gravest first; those of one kind in the order of the checks.
pub(super) fn render(report: &Report, style: &Style) -> String {
    let mut page = String::new();
    paragraph::push(&mut page, "", &summary(report), style);
    let kinds = [
        (Some(Severity::Matters), "! "),
        (Some(Severity::Note), "- "),
        (None, "? "),
        (Some(Severity::Fine), "  "),
    ];
    for (severity, lead) in kinds {
        let mut findings = report.of(severity).peekable();
        if findings.peek().is_some() {
            page.push('\n');
        }
        for finding in findings {
            push(&mut page, lead, finding, style);
        }
    }
    page.push('\n');
    if !report.landmarks.is_empty() {
        page.push_str(&landmarks(&report.landmarks, style).render(style));
        page.push('\n');
    }
    paragraph::push(&mut page, "", LEGEND, style);
    page
}

/// What the kernels cost, and what they measured as, in cycles.
fn landmarks(rows: &[Row], style: &Style) -> Sheet {
    let interval = if style.unicode { "±99 %" } else { "+-99 %" };
    let mut sheet = Sheet::new("landmark")
        .column("cycles", Align::Right)
        .column("measured", Align::Right)
        .column("off by", Align::Right)
        .column("share", Align::Right)
        .column(interval, Align::Right)
        .column("verdict", Align::Left);
    for row in rows {
        let measured = match row.shown {
            Shown::Cycles { cycles, .. } => format!("{cycles:.3}"),
            Shown::BelowResolution => "unseen".to_owned(),
            Shown::Nothing => "none".to_owned(),
        };
        let share = row.error().filter(|_| row.truth > 0.0);
        let width = match row.shown {
            Shown::Cycles {
                lower: Some(lower),
                upper: Some(upper),
                ..
            } => format!("{:.3}", 0.5 * (upper - lower)),
            _ => String::new(),
        };
        sheet.row(vec![
            row.name.clone(),
            match row.truth.fract() == 0.0 {
                true => format!("{}", row.truth),
                false => format!("{:.3}", row.truth),
            },
            measured,
            row.error()
                .map_or(String::new(), |error| format!("{error:+.3}")),
            share.map_or(String::new(), |error| {
                format!("{:+.3} %", 100.0 * error / row.truth)
            }),
            width,
            row.verdict().name().to_owned(),
        ]);
    }
    sheet
}

/// `2 things matter, 3 are worth knowing, 12 are fine, 4 cannot be found out`.
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
        "{matter}, {}, {}, {} cannot be found out",
        are(count(Some(Severity::Note)), "worth knowing"),
        are(count(Some(Severity::Fine)), "fine"),
        count(None)
    )
}

/// The check and what it found; below it why that matters, what to do, and where the guide explains it.
fn push(page: &mut String, lead: &str, finding: &Finding, style: &Style) {
    let (found, remedy) = match &finding.outcome {
        Ok(said) => (&said.found, said.remedy.as_deref()),
        Err(why) => (why, None),
    };
    let begin = page.len();
    paragraph::push(page, lead, &format!("{}: {found}", finding.check), style);
    if style.color && finding.severity() == Some(Severity::Matters) {
        let end = begin + lead.len() + finding.check.len();
        page.insert_str(end, "\x1b[0m");
        page.insert_str(begin, "\x1b[1m");
    }
    if let Some(remedy) = remedy {
        let Section { anchor, why } = finding.guide;
        let text = format!("{why}: {remedy}; see #{anchor}");
        paragraph::push(page, "    ", &text, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::machines::{LAPTOP, Machine, NOTHING, SERVER};

    fn of(machine: &str) -> Report {
        Report {
            findings: Machine::new(machine).seen(&[]),
            landmarks: Vec::new(),
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
    fn landmarks_stand_below_the_findings() {
        let cycles = |cycles, half| Shown::Cycles {
            cycles,
            lower: Some(cycles - half),
            upper: Some(cycles + half),
        };
        let row = |name: &str, truth, shown| Row {
            name: name.to_owned(),
            truth,
            shown,
        };
        let report = Report {
            findings: Vec::new(),
            landmarks: vec![
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
            include_str!("snapshots/landmarks.txt")
        );
    }

    #[test]
    fn nothing_of_a_kind_is_said_so() {
        let text = render(&of(SERVER), &Style::default());
        assert!(text.starts_with("nothing matters, "), "{text}");
        let text = render(&of(NOTHING), &Style::default());
        assert!(
            text.starts_with("nothing matters, 0 are worth knowing, 0 are fine, "),
            "{text}"
        );
    }
}
