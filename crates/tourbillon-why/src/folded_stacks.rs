//! Stacks on one line each, as programs that draw flame graphs read them: `a;b;c 12`.

use std::collections::BTreeMap;

use tourbillon_stepper::{Stack, Trace};

use crate::images::Images;

/// After the name of a function that is inlined, as `perf script` writers have it.
const INLINED: &str = "_[i]";

/// Stacks by their functions, the outermost one first, with their instructions.
pub(crate) fn stacks(steps: &Trace, images: &Images<'_>) -> BTreeMap<Vec<String>, u64> {
    let mut above: Vec<Vec<String>> = Vec::new();
    for stack in &steps.stacks {
        let own = match stack.parent {
            Some(parent) => {
                let caller = &steps.stacks[parent];
                let at_call = functions(stack.call_site, caller, images);
                [above[parent].clone(), at_call].concat()
            }
            None => Vec::new(),
        };
        above.push(own);
    }
    let mut folded = BTreeMap::new();
    for step in &steps.steps {
        let own = functions(step.address, &steps.stacks[step.stack], images);
        let whole = [above[step.stack].clone(), own].concat();
        *folded.entry(whole).or_default() += step.count;
    }
    folded
}

/// The functions at an address of a stack, the outermost one first.
fn functions(address: u64, stack: &Stack, images: &Images<'_>) -> Vec<String> {
    let Some(place) = images.place(address) else {
        return vec!["code without a file".to_owned()];
    };
    let frames = images.frames(place, images.place(stack.entry));
    // Ten of them stand around each step of an iterator.
    let counted = frames.iter().filter(|frame| frame.counts());
    let names = counted.rev().map(|frame| {
        let end = if frame.is_inlined() { INLINED } else { "" };
        // These have a meaning in the file.
        frame.title().replace([';', '\n'], ",") + end
    });
    names.collect()
}

/// The file.
pub(crate) fn text(stacks: &BTreeMap<Vec<String>, u64>) -> String {
    let lines = stacks
        .iter()
        .map(|(names, count)| format!("{} {count}\n", names.join(";")));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_stack_and_its_count() {
        let stacks = BTreeMap::from([
            (vec!["a".to_owned(), "b c".to_owned()], 12),
            (vec!["a".to_owned()], 3),
        ]);
        assert_eq!(text(&stacks), "a 3\na;b c 12\n");
    }
}
