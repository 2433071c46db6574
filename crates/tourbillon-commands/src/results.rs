//! The result of a measurement of commands as text and as Markdown.

use tourbillon_present::{Block, Cell, Column, Document, Judged, Note, Table, tally};
use tourbillon_record::{ByCase, CaseResult, FactValue, Fault, FaultKind, Metric, Run};
use tourbillon_report::{
    CaseResults, Figure, Names, Style, bytes, compared, comparisons, counted, escape,
};
use tourbillon_tool::cells::percent;

use crate::options::RowOrder;

/// A record of commands as text, in the order of the command line.
pub fn page(run: &Run, style: &Style) -> String {
    text(run, RowOrder::Command, style)
}

/// A record of commands as text.
pub fn text(run: &Run, order: RowOrder, style: &Style) -> String {
    document(run, order, style).text(style)
}

/// A record of commands as Markdown.
pub fn markdown(run: &Run, order: RowOrder) -> String {
    document(run, order, &Style::default()).markdown()
}

/// One table: what each command takes, and how much that differs from the reference.
fn document(run: &Run, order: RowOrder, style: &Style) -> Document {
    let names = Names::of(&run.cases);
    let labels = ["reference", "command"].map(str::to_owned);
    let mut notes = notes(run);
    for block in comparisons(&run.verdicts, &names, &labels, style).blocks {
        if let Block::Notes(of_verdicts) = block {
            notes.extend(of_verdicts);
        }
    }
    let pairs: Vec<String> = run
        .verdicts
        .iter()
        .map(|verdict| compared(verdict, &names))
        .collect();
    let judged = pairs
        .iter()
        .zip(&run.verdicts)
        .map(|(pair, verdict)| Judged::new(pair, verdict));
    let mut answer = tally(judged);
    answer.extend(summary(run, style).into_iter().map(Into::into));
    Document {
        blocks: vec![Block::Table(table(run, order, style)), Block::Notes(notes)],
        answer,
        ..Document::default()
    }
}

fn table(run: &Run, order: RowOrder, style: &Style) -> Table {
    let interval = format!("{} 99 %", style.glyphs().plus_minus);
    let mut columns = vec![
        Column::left("command", "command"),
        Column::right("time", "time"),
        Column::right("interval", interval).giving_way(5),
    ];
    for (title, order) in [
        ("user", 3),
        ("kernel", 3),
        ("peak", 4),
        ("runs", 2),
        ("faults", 1),
        ("switches", 0),
    ] {
        columns.push(Column::right(title, title).giving_way(order));
    }
    columns.push(Column::left("change", "change"));
    let mut table = Table {
        columns,
        ..Table::default()
    };
    let results = CaseResults::of(&run.results);
    let verdicts = ByCase::of(run.verdicts.iter().map(|one| (&*one.case, one)));
    for id in ordered(run, &results, order) {
        let of = |metric| results.result(id, metric);
        let figure = |metric| of(metric).and_then(measured_figure);
        let processor = |metric| match figure(metric) {
            Some(figure) if figure.value <= 0.0 => "0".to_owned(),
            Some(figure) => Figure::new(figure.value, None, None).time(style),
            None => String::new(),
        };
        let number = |metric, text: &dyn Fn(f64) -> String| {
            let value = figure(metric).map(|figure| figure.value);
            Cell::number(value.map_or_else(String::new, text), value)
        };
        let shown = figure(Metric::Time);
        let share = shown.and_then(|figure| figure.relative());
        let runs = of(Metric::Time).map(|time| f64::from(time.launches));
        let verdict = verdicts.case(id).first().copied();
        let change = verdict.map(|verdict| Judged::new(id, verdict).details());
        let is_reference = run.verdicts.iter().any(|verdict| verdict.reference == *id);
        let whole = |value: f64| format!("{value:.0}");
        table.push([
            Cell::text(id),
            number(Metric::Time, &|_| {
                shown.map_or_else(String::new, |figure| figure.time(style))
            }),
            Cell::number(share.map_or_else(String::new, percent), share),
            Cell::text(processor(Metric::UserTime)),
            Cell::text(processor(Metric::KernelTime)),
            number(Metric::PeakMemory, &bytes),
            Cell::number(runs.map_or_else(String::new, whole), runs),
            number(Metric::PageFaults, &whole),
            number(Metric::Switches, &whole),
            Cell::text(match change {
                Some(change) => change,
                None if is_reference => "reference".to_owned(),
                None => String::new(),
            }),
        ]);
    }
    table
}

fn measured_figure(result: &CaseResult) -> Option<Figure> {
    let estimate = result.estimate.ok()?;
    Some(Figure::new(estimate, result.lower, result.upper))
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
fn notes(run: &Run) -> Vec<Note> {
    let mut texts: Vec<String> = run.faults.iter().map(failure).collect();
    let processes = run
        .rounds
        .first()
        .and_then(|rounds| rounds.processes.as_deref());
    if let Some(processes) = processes {
        let is_failed = |code: &&i32| **code != 0;
        let failed = processes.exit_codes.iter().filter(is_failed).count();
        if failed > 0 {
            texts.push(format!(
                "{failed} runs ended with another exit code than 0, and count"
            ));
        }
    }
    if run.end.as_ref().is_some_and(|end| end.interrupted) {
        texts.push("interrupted: the figures are of what was measured before".to_owned());
    }
    let notes = texts.into_iter().map(|text| Note::new("! ", text));
    notes.collect()
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
fn summary(run: &Run, style: &Style) -> Vec<String> {
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
    parts
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
