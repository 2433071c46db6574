//! The page of a case.

use tourbillon_analysis::Rules;
use tourbillon_commands::record;
use tourbillon_compare::{MEASURED_WHY, case_measured_why};
use tourbillon_present::{Document, Table, advice};
use tourbillon_record::{CaseResult, LaunchSamples, Run};
use tourbillon_report::{Names, Style};

use super::{comparison, instructions, launches, memory, processes, steps};
use crate::screen::Page;

/// Everything in the record about a case.
pub(super) fn render(run: &Run, id: &str, style: &Style) -> Document {
    let mut page = Page::new(style);
    heading(&mut page, run, id);
    if record::is_of_commands(run) {
        processes::push(&mut page, run, id);
        faults(&mut page, run, id);
        comparison::push(&mut page, run, id);
        return page.document();
    }
    let samples = steps::launches(run, id);
    match Rules::of(&run.header) {
        Some(rules) if !samples.is_empty() => {
            pilot(&mut page, &samples, &rules);
            let again = steps::recomputed(run, id, &rules);
            launches::push(&mut page, run, &samples, &again, &rules);
            steps::push_chain(&mut page, &samples);
            steps::push_threads(&mut page, &samples, &rules);
            figures(&mut page, run, id, &again);
            memory::push(&mut page, run, id);
            instructions::push(&mut page, run, id);
        }
        Some(_) => page.say("", "There are no samples in this record."),
        None => {
            let text = "The header names no clock, so the samples cannot be read.";
            page.say("", text);
        }
    }
    faults(&mut page, run, id);
    comparison::push(&mut page, run, id);
    page.document()
}

/// A comparison of builds of a case.
pub(super) fn compared(run: &Run, id: &str, style: &Style) -> Document {
    let build = |name| run.header.fact_text(name).unwrap_or_default();
    let [old, new] = ["reference", "candidate"].map(build);
    let (started, seed) = (&run.header.started, run.header.seed);
    let mut page = Page::new(style);
    page.say(
        "",
        &format!(
            "{}: {new} against {old}, {started}, seed {seed:x}",
            Names::of(&run.cases).name(id)
        ),
    );
    page.say("  ", &identity(run, id));
    if let Some(why) = run.header.fact_text(MEASURED_WHY) {
        page.say("  ", why);
    }
    if let Some(why) = case_measured_why(run, id) {
        page.say("  ", &format!("It is measured: {why}."));
    }
    faults(&mut page, run, id);
    comparison::push(&mut page, run, id);
    memory::push_both(&mut page, run, id, [old, new]);
    instructions::push(&mut page, run, id);
    page.document()
}

fn heading(page: &mut Page<'_>, run: &Run, id: &str) {
    page.line(&page.escaped(Names::of(&run.cases).name(id)));
    let (started, seed) = (&run.header.started, run.header.seed);
    page.say("  ", &identity(run, id));
    page.say("  ", &format!("in the run of {started}, seed {seed:x}"));
    page.line("");
}

/// Where a case is in the source, and its id, by which records name it.
fn identity(run: &Run, id: &str) -> String {
    let mut cases = run.cases.iter();
    match cases.find(|case| case.id == id && !case.file.is_empty()) {
        Some(case) => format!("{}:{}, {id}", case.file, case.line),
        None => id.to_owned(),
    }
}

/// How the pilot launch found the batch length.
fn pilot(page: &mut Page<'_>, launches: &[LaunchSamples], rules: &Rules) {
    let Some(pilot) = launches
        .iter()
        .find(|launch| launch.pilot_launch)
        .or(launches.first())
    else {
        return;
    };
    let steps = &pilot.pilot;
    let mut sheet = Table::new("step").right(["windows", "iterations", "copies", "took"]);
    for (at, ticks) in steps.ticks.iter().enumerate() {
        let of = |column: &[u64]| column.get(at).map_or_else(String::new, u64::to_string);
        let copies = steps.unroll.get(at);
        sheet.push([
            (at + 1).to_string(),
            of(&steps.windows),
            of(&steps.items),
            copies.map_or_else(String::new, u32::to_string),
            page.time(rules.frequency.nanos(*ticks) as f64),
        ]);
    }
    page.line("Pilot");
    page.table(sheet);
    let length = pilot.batch_shape;
    let shape = if length.slope {
        "batches of this length and of twice the length, in random order"
    } else {
        "one length only: the body is not much shorter than a batch, or its count is fixed"
    };
    let text = format!(
        "{} x {} iterations, {} in the inner loop; {shape}. The benchmark called {}.",
        length.windows, length.items, length.unroll, pilot.terminal
    );
    page.say("chosen: ", &text);
    if let Some(measured) = &pilot.measured {
        page.say("measured: ", &steps::measure(measured));
    }
    page.line("");
}

/// The stored figures, and whether the samples still give them.
fn figures(page: &mut Page<'_>, run: &Run, id: &str, again: &[CaseResult]) {
    page.line("Figures");
    let stored = run
        .results
        .iter()
        .filter(|result| result.case == id)
        .filter(|result| !result.metric.is_counted() && !result.metric.is_event());
    for result in stored {
        let waits = if result.waits_for_memory() {
            ", of code that waits for memory"
        } else {
            ""
        };
        let mut text = interval(page, result) + waits;
        let requested = run.header.settings.launches;
        let beside = |note| advice::beside(result, note, requested, page.style);
        for note in result.notes.iter().filter_map(beside) {
            text += &format!("; {note}");
        }
        steps::push_figure(page, result, again, &text);
    }
}

fn interval(page: &Page<'_>, result: &CaseResult) -> String {
    let shown = |value: f64| steps::shown(page, result, value);
    let mut text = match result.estimate {
        Ok(estimate) => shown(estimate),
        Err(absence) => absence.name().replace('_', " "),
    };
    text += &steps::bounds(page, result);
    let (launches, samples) = (result.launches, result.samples);
    let systematic = shown(result.systematic);
    let unit = if result.metric.is_of_calls() {
        "calls"
    } else {
        "batches"
    };
    text + &format!(
        ", of {launches} launches and {samples} {unit}; of the half-width of the interval, {systematic} is \
         systematic"
    )
}

fn faults(page: &mut Page<'_>, run: &Run, id: &str) {
    let faults: Vec<_> = run
        .faults
        .iter()
        .filter(|fault| fault.case == id)
        .cloned()
        .collect();
    if !faults.is_empty() {
        page.line("");
        page.lines(&tourbillon_report::faults(
            &faults,
            &Names::of(&run.cases),
            page.style,
        ));
    }
}
