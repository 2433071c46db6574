//! What holds for every text: widths, and characters that never come through.

use tourbillon_record::{
    Absence, Case, ClockCheck, End, Fact, FactValue, Fault, FaultKind, MachineEvents, Note,
    SourceLocation,
};
use tourbillon_record::{Metric, Throughput, ThroughputUnit};
use tourbillon_report::{
    Before, Names, Progress, Ratio, Stored, Style, Summary, Table, Timing, display_width, faults,
    full_header, header, list_pretty,
};

use crate::samples::{self, HOSTILE};

/// Removes the sequences that this crate makes itself; any other stays and is found.
fn uncoloured(text: &str) -> String {
    [
        "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m",
    ]
    .iter()
    .fold(text.to_owned(), |text, code| text.replace(code, ""))
}

fn check(what: &str, text: &str, style: &Style) {
    let plain = if style.color {
        uncoloured(text)
    } else {
        text.to_owned()
    };
    for line in plain.split('\n') {
        let columns = style.width.max(Style::NARROWEST);
        // A word that is wider than what is left after the lead is not broken.
        let width = display_width(line);
        let word = display_width(line.rsplit(' ').next().unwrap_or(line));
        assert!(
            width <= columns || width - word <= columns / 2,
            "{what} {style:?}: {width} columns in {line:?}\n{plain}"
        );
        assert!(
            !line.ends_with(' '),
            "{what} {style:?}: spaces at the end of {line:?}"
        );
        for c in line.chars() {
            let harmful = c.is_control()
                || matches!(
                    c,
                    '\u{ad}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{feff}'
                )
                || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
                || matches!(c, '\u{e0000}'..='\u{e0fff}');
            assert!(!harmful, "{what} {style:?}: {c:?} in {line:?}");
            assert!(
                style.unicode || c.is_ascii(),
                "{what} {style:?}: {c:?} in {line:?}"
            );
        }
    }
}

fn styles() -> Vec<Style> {
    let mut styles = Vec::new();
    for width in [0, 24, 25, 33, 40, 41, 60, 79, 80, 120, 400] {
        for (unicode, color) in [(true, false), (false, false), (true, true)] {
            styles.push(Style {
                width,
                unicode,
                color,
                wide_tables: false,
            });
        }
    }
    styles
}

fn hostile_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (i, name) in HOSTILE.iter().enumerate() {
        let mut case = samples::case(
            HOSTILE[i / 3],
            name,
            &[("x", HOSTILE[HOSTILE.len() - 1 - i])],
        );
        case.tags = vec![(*name).to_owned()];
        if i % 4 == 0 {
            case.ignored = Some((*name).to_owned());
        }
        cases.push(case);
    }
    cases
}

fn hostile_faults(cases: &[Case]) -> Vec<Fault> {
    let kinds = [
        FaultKind::Panic,
        FaultKind::Error,
        FaultKind::Exit(-7),
        FaultKind::Signal(9),
        FaultKind::Signal(77),
        FaultKind::Hang(u64::MAX),
        FaultKind::UnknownCase,
        FaultKind::NoTerminal,
        FaultKind::EmptyBody,
        FaultKind::Spawn,
        FaultKind::Protocol,
    ];
    let mut faults = Vec::new();
    for (i, case) in cases.iter().enumerate() {
        let mut fault = samples::fault(case, i as u32, kinds[i % kinds.len()].clone());
        fault.message = format!("{0}\n{0}\t{0}", HOSTILE[i]);
        fault.location = Some(SourceLocation {
            file: HOSTILE[i].to_owned(),
            line: 1,
        });
        fault.stderr = HOSTILE.join("\n").repeat(3);
        faults.push(fault);
    }
    faults
}

#[test]
fn names_and_units_of_any_length_are_drawn() {
    // More than the widths of `format!` can be.
    let long = "x".repeat(70_000);
    let cases = [
        samples::case(&long, &long, &[]),
        samples::case(&long, "short", &[]),
    ];
    let results = [
        samples::own(&cases[0], &long, &long, 1.0, 0.1),
        samples::own(&cases[1], "own", "unit", 1.0, 0.1),
    ];
    let table = Table {
        baseline: Some(&long),
        ..samples::table(&cases, &results)
    };
    for width in [80, 100_000, 300_000] {
        let style = Style::of_width(width);
        assert!(
            table.document(&style).text(&style).contains("short"),
            "{width}"
        );
    }
}

#[test]
fn tables_fit_and_do_no_harm() {
    let cases = hostile_cases();
    let faults = hostile_faults(&cases[12..]);
    let mut results = Vec::new();
    for (i, case) in cases.iter().take(12).enumerate() {
        let ns = 10_f64.powi(i as i32 * 2 - 3);
        let notes = [
            Note::SlowLaunches {
                count: 2,
                excess: 1.5,
            },
            Note::Other(HOSTILE[i].to_owned()),
            Note::Skewed,
        ];
        results.push(samples::noted(samples::time(case, ns, 0.02), &notes));
        results.push(samples::cycles(case, ns * 3.6, 0.01));
    }
    results[0] = samples::absent(&cases[0], Absence::BelowResolution, Some(0.0481));
    results[2].scope = tourbillon_record::Scope::Process;
    results[4].confidence = Some(0.9);
    for result in &mut results {
        result.throughput = Some(Throughput {
            unit: ThroughputUnit::Items,
            per_op: 12_345,
        });
    }
    let last = |id: &str| {
        let metric = if id.len().is_multiple_of(2) {
            Metric::Time
        } else {
            Metric::Cycles
        };
        Some(Before::Change(Ratio {
            metric,
            estimate: 123.4,
            lower: 120.01,
            upper: 125.99,
        }))
    };
    let table = Table {
        faults: &faults,
        last: &last,
        ..samples::table(&cases, &results)
    };
    for style in styles() {
        check("table", &table.document(&style).text(&style), &style);
    }
}

#[test]
fn numbers_that_no_record_should_hold_do_not_break_the_table() {
    let case = samples::case("g", "f", &[]);
    for value in [
        f64::NAN,
        f64::INFINITY,
        -f64::INFINITY,
        f64::MAX,
        f64::MIN_POSITIVE,
        -0.0,
        -3.25,
    ] {
        let mut results = [
            samples::time(&case, value, 0.01),
            samples::cycles(&case, value, 0.01),
        ];
        results[0].throughput = Some(Throughput {
            unit: ThroughputUnit::Bytes,
            per_op: u64::MAX,
        });
        let last = |_: &str| {
            Some(Before::Change(Ratio {
                metric: Metric::Time,
                estimate: value,
                lower: value,
                upper: value,
            }))
        };
        for confidence in [Some(value), None] {
            results[0].confidence = confidence;
            let table = Table {
                last: &last,
                ..samples::table(std::slice::from_ref(&case), &results)
            };
            for style in styles().iter().filter(|style| style.width >= 80) {
                table.document(style).text(style);
            }
            results[1].estimate = Err(Absence::BelowResolution);
        }
    }
}

#[test]
fn failures_fit_and_do_no_harm() {
    let cases = hostile_cases();
    let all = hostile_faults(&cases);
    for style in styles() {
        check("faults", &faults(&all, &Names::of(&cases), &style), &style);
    }
}

#[test]
fn headers_fit_and_do_no_harm() {
    let names = [
        "hypervisor",
        "governor",
        "debugger",
        "profile",
        "load",
        "caches",
        "new_fact",
    ];
    let mut facts = Vec::new();
    for (i, text) in HOSTILE.iter().enumerate() {
        let name = names.get(i).copied().unwrap_or(text).to_owned();
        facts.push(Fact {
            name: name.clone(),
            value: FactValue::Text((*text).to_owned()),
        });
        let list = FactValue::List(vec![(*text).to_owned(); 3]);
        facts.push(Fact {
            name: format!("{text}_list"),
            value: list,
        });
        facts.push(samples::absent_fact(text, HOSTILE[(i + 1) % HOSTILE.len()]));
    }
    for text in HOSTILE {
        let mut header_of_run = samples::header(facts.clone());
        header_of_run.tourbillon = (*text).to_owned();
        header_of_run.package = (*text).to_owned();
        header_of_run.clock.why = (*text).to_owned();
        header_of_run.clock.source = (*text).to_owned();
        header_of_run.started = (*text).to_owned();
        header_of_run.command = vec![(*text).to_owned(); 3];
        header_of_run.settings.cpus = (0..70).collect();
        for style in styles() {
            check("header", &header(&header_of_run, &style), &style);
            check("facts", &full_header(&header_of_run, &style), &style);
        }
    }
}

#[test]
fn the_rest_fits_and_does_no_harm() {
    let cases = hostile_cases();
    let end = End {
        wall_ns: u64::MAX,
        launches_ns: u64::MAX,
        batches_ns: 1,
        launches: u64::MAX,
        faults: 3,
        interrupted: true,
        clock_check: Some(ClockCheck {
            deviation_ppm: -1e9,
            bound_ppm: 1e9,
            baseline_ns: 1,
        }),
        machine_events: Some(MachineEvents {
            busy_ticks: u64::MAX,
            stolen_ticks: u64::MAX / 2,
            own_ticks: 0,
            swapped_pages: u64::MAX,
            throttled: u64::MAX,
        }),
        exit_code: 3,
        lines: Some(u64::MAX),
        unknown: String::new(),
    };
    for style in styles() {
        check("list", &list_pretty(&cases, &style), &style);
        for text in HOSTILE {
            for stored in [Stored::In(text), Stored::Not(text), Stored::NotRequested] {
                let summary = Summary {
                    end: &end,
                    measured: 1,
                    failed: 2,
                    ignored: 3,
                    not_reached: 4,
                    rough: 0,
                    without_figure: 0,
                    answer: vec![(*text).to_owned()],
                    stored,
                    verbose: style.unicode,
                };
                check("summary", &summary.render(&style), &style);
            }
            for (done, total) in [(0, 0), (0, 760), (281, 760), (u64::MAX, u64::MAX)] {
                let progress = Progress {
                    done,
                    total,
                    case: text,
                    elapsed_ns: u64::MAX,
                    kept: None,
                };
                let line = progress.render(&style);
                let columns = style.width.max(Style::NARROWEST);
                assert!(
                    display_width(&line) < columns,
                    "{line:?} would wrap at {columns}"
                );
                check("progress", line.trim_end(), &style);
            }
            let timing = Timing {
                name: text,
                ops: u64::MAX,
                iterations: 7,
                elapsed_ns: 1e12,
                estimate_ns: Some(3.25),
                unreliable: true,
                debug_build: true,
                debugger: true,
                ..Timing::default()
            };
            assert!(timing.to_string().chars().all(|c| !c.is_control()));
        }
    }
}
