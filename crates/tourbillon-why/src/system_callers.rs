//! Which functions call the system.

use std::collections::BTreeMap;

use tourbillon_stepper::Trace;

use crate::frame::Frame;
use crate::images::{Images, Place};

/// The machine code of a call of the system.
const CALL: [u8; 2] = [0x0F, 0x05];

/// System calls of an op by the innermost functions of the program, outside of the standard library, that make them.
pub(crate) fn system_callers(steps: &Trace, images: &Images<'_>) -> BTreeMap<String, u64> {
    let mut callers = BTreeMap::new();
    for step in &steps.steps {
        let Some(place) = images.place(step.address) else {
            continue;
        };
        if images.code(place).starts_with(&CALL)
            && let Some(who) = caller(step.stack, place, steps, images)
        {
            *callers.entry(who).or_default() += step.count;
        }
    }
    callers
}

/// The innermost function around an instruction of a stack that is the user's, with its line.
fn caller(stack: usize, place: Place, steps: &Trace, images: &Images<'_>) -> Option<String> {
    let (mut at, mut site) = (stack, place);
    loop {
        let entry = images.place(steps.stacks[at].entry);
        let frames = images.frames(site, entry);
        let is_own = |frame: &&Frame| !frame.is_of_std();
        if images.is_of(site, &steps.executable)
            && let Some(frame) = frames.iter().find(is_own)
        {
            let title = frame.title();
            return Some(match frame.place() {
                Some(place) if !title.ends_with(')') => format!("{title} ({place})"),
                _ => title,
            });
        }
        site = images.place(steps.stacks[at].call_site)?;
        at = steps.stacks[at].parent?;
    }
}
