//! The instructions of a case, from its stepped launches, and its events.

use tourbillon_present::Table;
use tourbillon_present::number::trimmed;
use tourbillon_record::{Note, Run, Stepped};
use tourbillon_report::{counted_figure, is_exact};
use tourbillon_stepper::{event_results, stepped};

use crate::screen::Page;

/// Adds the stepped launches of a case, of both builds of a comparison; nothing without any.
pub(super) fn push(page: &mut Page<'_>, run: &Run, id: &str) {
    let of_case = run.stepped.iter().filter(|launch| launch.case == id);
    let (counted, all): (Vec<&Stepped>, Vec<&Stepped>) =
        of_case.partition(|launch| launch.events.is_some());
    push_events(page, id, &counted);
    if all.is_empty() {
        return;
    }
    page.line("\nInstructions");
    let mut sheet = Table::new("batch").right(["build", "launch", "iterations", "instructions"]);
    for launch in &all {
        let build = build(launch);
        let mut push = |batch: &str, iterations: String, instructions: u64| {
            let (build, launch) = (build.to_owned(), launch.launch.to_string());
            sheet.push([
                batch.to_owned(),
                build,
                launch,
                iterations,
                instructions.to_string(),
            ]);
        };
        match &launch.counts {
            Err(why) => page.say("", &format!("not counted: {why}")),
            Ok(steps) => {
                for (iterations, instructions) in (1..).zip(&steps.empty) {
                    push("empty body", iterations.to_string(), *instructions);
                }
                for (iterations, instructions) in steps.iterations.iter().zip(&steps.instructions) {
                    push("ops", iterations.to_string(), *instructions);
                }
            }
        }
    }
    page.table(sheet);
    for arm in [None, Some(0), Some(1)] {
        let of_arm = all.iter().filter(|launch| launch.arm == arm);
        let launches: Vec<Stepped> = of_arm.map(|launch| Stepped::clone(launch)).collect();
        let Some(result) = stepped(id, &launches) else {
            continue;
        };
        let certainty = if is_exact(&result) {
            "(exact)"
        } else {
            "(varies)"
        };
        let mut text = format!("{}/op {certainty}", counted_figure(&result));
        for note in &result.notes {
            if let Note::SystemCalls { calls } = note {
                text += &format!("; system calls per op: {calls}");
            }
        }
        page.say("stepped  ", &text);
    }
}

/// The side of a comparison that a launch is of.
fn build(launch: &Stepped) -> &'static str {
    match launch.arm {
        None => "",
        Some(0) => "reference",
        Some(_) => "candidate",
    }
}

/// How often events came in an op, and in how many batches they were counted.
fn push_events(page: &mut Page<'_>, id: &str, launches: &[&Stepped]) {
    if launches.is_empty() {
        return;
    }
    page.line("\nCounters");
    let columns = ["build", "launches", "batches", "per op", "least", "most"];
    let mut sheet = Table::new("event").right(columns);
    for launch in launches {
        if let Err(why) = &launch.counts {
            page.say("", &format!("not counted: {why}"));
        }
        for result in event_results(id, launch) {
            let end = |end: Option<f64>| end.map_or_else(String::new, trimmed);
            sheet.push([
                result.metric.name().to_owned(),
                build(launch).to_owned(),
                result.launches.to_string(),
                result.samples.to_string(),
                end(result.estimate.ok()),
                end(result.lower),
                end(result.upper),
            ]);
        }
    }
    page.table(sheet);
}
