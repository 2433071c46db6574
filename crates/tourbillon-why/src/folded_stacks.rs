//! Stacks on one line each, as programs that draw flame graphs read them: `a;b;c 12`.

use std::collections::BTreeMap;
use std::rc::Rc;

use tourbillon_present::escape;
use tourbillon_stepper::{Stack, Trace};

use crate::images::Images;

/// Most functions of a stack. What is called below these counts as the last one: a recursion has as many stacks as calls,
/// and their names together would grow with its square.
const DEEPEST: usize = 256;
/// The last function of such a stack.
const DEEPER: &str = "(deeper)";

/// After the name of a function that is inlined, as `perf script` writers have it.
const INLINED: &str = "_[i]";

/// Stacks by their functions, the outermost one first, with their instructions.
pub(crate) fn stacks(steps: &Trace, images: &Images<'_>) -> BTreeMap<Vec<String>, u64> {
    // Stacks that are too deep share the names of those above.
    let mut above: Vec<Rc<Vec<String>>> = Vec::new();
    for stack in &steps.stacks {
        let own = match stack.parent {
            Some(parent) if above[parent].len() > DEEPEST => Rc::clone(&above[parent]),
            Some(parent) => {
                let caller = &steps.stacks[parent];
                let at_call = functions(stack.call_site, caller, images);
                Rc::new(joined(&above[parent], at_call))
            }
            None => Rc::default(),
        };
        above.push(own);
    }
    let mut folded = BTreeMap::new();
    for step in &steps.steps {
        let stack = &above[step.stack];
        let whole = if stack.len() > DEEPEST {
            stack.to_vec()
        } else {
            let own = functions(step.address, &steps.stacks[step.stack], images);
            joined(stack, own)
        };
        *folded.entry(whole).or_default() += step.count;
    }
    folded
}

/// The functions of a stack with those below.
fn joined(stack: &[String], below: Vec<String>) -> Vec<String> {
    let mut names = [stack.to_vec(), below].concat();
    if names.len() > DEEPEST {
        names.truncate(DEEPEST);
        names.push(DEEPER.to_owned());
    }
    names
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
        in_file(&frame.title()) + end
    });
    names.collect()
}

/// A name without what has a meaning in the file, or to a terminal.
fn in_file(name: &str) -> String {
    escape(&name.replace([';', '\n'], ","), true)
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
    fn a_stack_that_is_too_deep_ends() {
        let names = |count: usize| vec!["f".to_owned(); count];
        assert_eq!(joined(&names(DEEPEST - 1), names(1)), names(DEEPEST));
        let deep = joined(&names(DEEPEST - 1), names(2));
        assert_eq!(deep.len(), DEEPEST + 1);
        assert_eq!(deep.last().map(String::as_str), Some(DEEPER));
    }

    #[test]
    fn a_name_controls_neither_the_file_nor_a_terminal() {
        let name = in_file("a;b\nc\u{1b}]0;d\u{7}\u{202e}e");
        assert!(
            !name.contains([';', '\n', '\u{1b}', '\u{7}', '\u{202e}']),
            "{name}"
        );
        assert!(name.starts_with("a,b,c"), "{name}");
    }

    #[test]
    fn a_line_has_a_stack_and_its_count() {
        let stacks = BTreeMap::from([
            (vec!["a".to_owned(), "b c".to_owned()], 12),
            (vec!["a".to_owned()], 3),
        ]);
        assert_eq!(text(&stacks), "a 3\na;b c 12\n");
    }
}
