//! The instructions of a case, from its stepped launches.

use tourbillon_analysis::stepped;
use tourbillon_present::Table;
use tourbillon_record::{Note, Run, Stepped};
use tourbillon_report::{counted_figure, is_exact};

use crate::screen::Page;

/// Adds the stepped launches of a case, of both builds of a comparison; nothing without any.
pub(super) fn push(page: &mut Page<'_>, run: &Run, id: &str) {
    let of_case = run.stepped.iter().filter(|launch| launch.case == id);
    let all: Vec<&Stepped> = of_case.collect();
    if all.is_empty() {
        return;
    }
    page.line("\nInstructions");
    let mut sheet = Table::new("batch").right(["build", "launch", "iterations", "instructions"]);
    for launch in &all {
        let build = match launch.arm {
            None => "",
            Some(0) => "reference",
            Some(_) => "candidate",
        };
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
