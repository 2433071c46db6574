//! The result of a measurement of commands as text and as Markdown.

use tourbillon_record::{
    ByCase, CaseResult, FactValue, Fault, FaultKind, Metric, Run, Undecided, Verdict,
};
use tourbillon_report::{
    CaseResults, Figure, Names, Outcome, Reason, Style, bytes, counted, escape, needs_time,
    ratio_and_finding,
};

use crate::options::RowOrder;
use tourbillon_present::Table;
use tourbillon_tool::cells::{percent, trimmed};
use tourbillon_tool::screen::Page;

/// A record of commands as a page of text, in the order of the command line.
pub fn page(run: &Run, style: &Style) -> String {
    text(run, RowOrder::Command, style)
}

/// A record of commands as a page of text.
pub fn text(run: &Run, order: RowOrder, style: &Style) -> String {
    let mut page = Page::new(style);
    page.table(&table(run, order, style));
    if !run.verdicts.is_empty() {
        page.line("");
        page.text += &tourbillon_report::verdicts(&run.verdicts, &Names::of(&run.cases), style);
    }
    page.line("");
    for note in notes(run) {
        page.quote("! ", &note);
    }
    page.quote("", &summary(run, style));
    page.text
}

fn table(run: &Run, order: RowOrder, style: &Style) -> Table {
    let sign = if style.unicode { "±" } else { "+-" };
    let mut sheet = Table::new("command").right([
        "time",
        &format!("{sign} 99 %"),
        "user",
        "kernel",
        "peak",
        "runs",
        "faults",
        "switches",
    ]);
    let results = CaseResults::of(&run.results);
    for id in ordered(run, &results, order) {
        let of = |metric| results.result(id, metric);
        let time = of(Metric::Time);
        let figure = |result: &CaseResult| {
            Some(Figure::new(
                result.estimate.ok()?,
                result.lower,
                result.upper,
            ))
        };
        let shown = time.and_then(figure);
        let interval = match shown.and_then(|figure| figure.relative()) {
            Some(share) => percent(share),
            None => String::new(),
        };
        let processor = |metric| {
            let figure = of(metric).and_then(figure);
            match figure {
                Some(figure) if figure.value <= 0.0 => "0".to_owned(),
                Some(figure) => Figure::new(figure.value, None, None).time(style),
                None => String::new(),
            }
        };
        let estimate = |metric| of(metric).and_then(|result| result.estimate.ok());
        let count = |metric| estimate(metric).map_or_else(String::new, |n: f64| trimmed(n.round()));
        sheet.push([
            id.to_owned(),
            shown.map_or_else(String::new, |figure| figure.time(style)),
            interval,
            processor(Metric::UserTime),
            processor(Metric::KernelTime),
            estimate(Metric::PeakMemory).map_or_else(String::new, bytes),
            time.map_or_else(String::new, |time| time.launches.to_string()),
            count(Metric::PageFaults),
            count(Metric::Switches),
        ]);
    }
    sheet
}

/// The commands in the order of the rows.
fn ordered<'r>(run: &'r Run, results: &CaseResults<'_>, order: RowOrder) -> Vec<&'r str> {
    let mut ids: Vec<&str> = run.cases.iter().map(|case| case.id.as_str()).collect();
    if order == RowOrder::Time {
        let time = |id: &str| {
            let time = results.result(id, Metric::Time);
            time.and_then(|time| time.estimate.ok())
                .unwrap_or(f64::INFINITY)
        };
        ids.sort_by(|one, other| time(one).total_cmp(&time(other)));
    }
    ids
}

/// What a reader has to know.
fn notes(run: &Run) -> Vec<String> {
    let mut notes: Vec<String> = run.faults.iter().map(failure).collect();
    notes.extend(advice(run));
    if let Some(processes) = run
        .rounds
        .first()
        .and_then(|rounds| rounds.processes.as_deref())
    {
        let failed = processes
            .exit_codes
            .iter()
            .filter(|code| **code != 0)
            .count();
        if failed > 0 {
            notes.push(format!(
                "{failed} runs ended with another exit code than 0, and count"
            ));
        }
    }
    if run.end.as_ref().is_some_and(|end| end.interrupted) {
        notes.push("interrupted: the figures are of what was measured before".to_owned());
    }
    notes
}

/// What to do about verdicts that are undecided.
fn advice(run: &Run) -> Vec<String> {
    let time = |verdict: &&Verdict| verdict.why == Some(Undecided::Time);
    let needed = run.verdicts.iter().filter(time);
    let needed = needed.filter_map(|verdict| verdict.seconds_needed);
    let longest = needed.reduce(f64::max).map(|seconds| {
        let needs = needs_time("all verdicts need about", seconds.ceil());
        format!("{needs}; raise --time")
    });
    let mut advice = Vec::from_iter(longest);
    for verdict in &run.verdicts {
        let is_of_time = time(&verdict) && verdict.seconds_needed.is_some();
        let reason = Reason::of(verdict).filter(|_| !is_of_time);
        let text = reason.map(|reason| reason.text());
        advice.extend(text.filter(|text| !advice.contains(text)));
    }
    advice
}

/// What happened to a command, with the end of its stderr, and what to do.
pub fn failure(fault: &Fault) -> String {
    let (what, advice) = match fault.kind {
        FaultKind::Exit(code) => (
            format!("exited with code {code}"),
            "correct it, or measure it nevertheless with --ignore-failure",
        ),
        FaultKind::Signal(signal) => (
            format!("was ended by signal {signal}"),
            "correct it, or measure it nevertheless with --ignore-failure",
        ),
        FaultKind::Hang(ms) => (
            format!("ran for {ms} ms and was ended"),
            "raise --timeout, or measure less work",
        ),
        _ => (String::new(), ""),
    };
    let case = escape(&fault.case, true);
    let name = match fault.message.as_str() {
        flag if flag.starts_with("in --") => format!("{case}, {}", escape(flag, true)),
        _ => case,
    };
    if what.is_empty() {
        return format!("{name}: {}", escape(&fault.message, true));
    }
    let lines: Vec<&str> = fault.stderr.lines().collect();
    let last = escape(&lines[lines.len().saturating_sub(5)..].join(" | "), true);
    let stderr = if last.is_empty() {
        "it wrote nothing to stderr".to_owned()
    } else {
        format!("its stderr ends with: {last}")
    };
    format!("{name} {what}; {stderr}; {advice}")
}

/// The number of rounds, what an empty program takes, and the seed.
fn summary(run: &Run, style: &Style) -> String {
    let rounds = run.rounds.first();
    let count = rounds.map_or(0, |rounds| rounds.round.last().map_or(0, |last| last + 1));
    let mut parts = vec![match run.cases.len() {
        1 => counted(count, "run") + ", each a fresh process",
        _ => counted(count, "round") + " of fresh processes in random order",
    }];
    if let Some(cost) = start_cost(run, style) {
        parts.push(cost);
    }
    let wall = run.end.as_ref().map_or(0.0, |end| end.wall_ns as f64 / 1e9);
    parts.push(format!("{wall:.1} s"));
    parts.push(format!("seed {:x}", run.header.seed));
    parts.join(" · ")
}

/// `an empty program (true) takes 0.55 ms and 1.2 MiB, which every figure contains`
fn start_cost(run: &Run, style: &Style) -> Option<String> {
    let number = |name: &str| match run.header.fact(name)? {
        FactValue::Integer(number) => Some(*number as f64),
        _ => None,
    };
    let program = run.header.fact_text("empty_program")?;
    let figure = Figure {
        value: number("empty_program_time")?,
        half_width: None,
    };
    let mut text = format!("an empty program ({program}) takes {}", figure.time(style));
    if let Some(peak) = number("empty_program_peak_memory") {
        text += &format!(" and {}", bytes(peak));
    }
    Some(text + "; nothing is subtracted")
}

/// A record of commands as a table in Markdown.
pub fn markdown(run: &Run, order: RowOrder) -> String {
    let style = Style {
        width: usize::MAX,
        ..Style::default()
    };
    let mut page = "| Command | Time | 99 % CI | User | Kernel | Peak memory | Ratio |\n\
                    |:---|---:|:---|---:|---:|---:|:---|\n"
        .to_owned();
    let results = CaseResults::of(&run.results);
    let verdicts = run.verdicts.iter();
    let verdicts = ByCase::of(verdicts.map(|verdict| (&*verdict.case, verdict)));
    for id in ordered(run, &results, order) {
        let figure = |metric| {
            let result = results.result(id, metric)?;
            Some(Figure::new(
                result.estimate.ok()?,
                result.lower,
                result.upper,
            ))
        };
        let shown = |metric| figure(metric).map_or_else(String::new, |one| one.time(&style));
        let ends = results
            .result(id, Metric::Time)
            .and_then(|time| time.lower.zip(time.upper));
        let interval = ends.map_or_else(String::new, |(lower, upper)| {
            let end = |value| Figure::exact(value).time(&style);
            format!("{} to {}", end(lower), end(upper))
        });
        let peak = figure(Metric::PeakMemory).map_or_else(String::new, |one| bytes(one.value));
        let ratio = match verdicts.case(id).first().copied() {
            Some(verdict) if Outcome::of(verdict) == Outcome::Slower => {
                format!("**{}**", cell(&ratio_and_finding(verdict)))
            }
            Some(verdict) => cell(&ratio_and_finding(verdict)),
            None => "reference".to_owned(),
        };
        let (user, kernel) = (shown(Metric::UserTime), shown(Metric::KernelTime));
        let time = shown(Metric::Time);
        let name = cell(id);
        page +=
            &format!("| {name} | {time} | {interval} | {user} | {kernel} | {peak} | {ratio} |\n");
    }
    page
}

/// Escapes text for Markdown.
fn cell(text: &str) -> String {
    let mut safe = String::new();
    for letter in escape(text, true).chars() {
        if matches!(
            letter,
            '|' | '*' | '_' | '<' | '>' | '`' | '[' | ']' | '\\' | '@' | '#'
        ) {
            safe.push('\\');
        }
        safe.push(letter);
    }
    safe
}
