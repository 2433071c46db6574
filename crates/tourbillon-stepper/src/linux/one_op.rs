//! One op among the batches that a worker has executed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use tourbillon_record::Steps;

use super::batch::Batch;
use super::stepper::Stepper;
use crate::step_results::steady;
use crate::trace::{Mapping, Stack, Step, Trace};

/// One op of a worker that has stopped after the last batch: of steady ops the second of two in one batch, otherwise
/// one in the middle. Without time for a third batch, it is not known whether they are steady: as if they were.
pub(super) fn trace(counts: &Steps, batches: &[Batch], stepper: &Stepper<'_>) -> Trace {
    let (empty, mut ops): (Vec<&Batch>, Vec<&Batch>) =
        batches.iter().partition(|batch| !batch.is_op);
    let around: BTreeSet<u64> = empty
        .iter()
        .flat_map(|batch| batch.executed.keys().map(|key| key.1))
        .collect();
    let steady = steady(counts);
    let mut executed: BTreeMap<(usize, u64), u64> = BTreeMap::new();
    let is_pair = counts.iterations.get(1) == Some(&2);
    let (one, two) = (counts.empty.first(), counts.empty.get(1));
    let of_loop = one
        .zip(two)
        .map_or(0, |(one, two)| two.saturating_sub(*one));
    let (pages, instructions);
    if is_pair && (steady.is_some() || ops.len() == 2) {
        pages = ops[1].pages.saturating_sub(ops[0].pages);
        executed.clone_from(&ops[1].executed);
        for (step, count) in &ops[0].executed {
            let both = executed.entry(*step).or_default();
            *both = both.saturating_sub(*count);
        }
        let second = ops[1].instructions.saturating_sub(ops[0].instructions);
        instructions = second.saturating_sub(of_loop);
    } else {
        if is_pair {
            ops.remove(1);
        }
        ops.sort_by_key(|batch| batch.instructions);
        let middle = ops[ops.len() / 2];
        pages = middle.pages;
        instructions = middle
            .instructions
            .saturating_sub(one.copied().unwrap_or(0));
        executed.clone_from(&middle.executed);
    }
    executed.retain(|(_, address), count| *count > 0 && !around.contains(address));
    let proc = |file: &str| format!("/proc/{}/{file}", stepper.pid);
    let maps = fs::read_to_string(proc("maps")).unwrap_or_default();
    let calls = counts.system_calls.iter().cloned();
    let root = Stack {
        parent: None,
        call_site: 0,
        entry: 0,
    };
    let called = stepper.tree.calls.iter().map(|call| Stack {
        parent: Some(call.parent),
        call_site: call.site,
        entry: call.entry,
    });
    Trace {
        executable: fs::read_link(proc("exe")).unwrap_or_default(),
        mappings: maps.lines().filter_map(mapping).collect(),
        op: steady.unwrap_or(instructions),
        of_loop,
        system_calls: calls
            .zip(counts.system_call_counts.iter().copied())
            .collect(),
        pages,
        stacks: [root].into_iter().chain(called).collect(),
        steps: executed
            .into_iter()
            .map(|((stack, address), count)| Step {
                stack,
                address,
                count,
            })
            .collect(),
    }
}

/// The executable mapping of a file in a line `START-END FLAGS OFFSET DEVICE INODE PATH`.
fn mapping(line: &str) -> Option<Mapping> {
    let mut words = line.split_ascii_whitespace();
    let (range, flags, offset) = (words.next()?, words.next()?, words.next()?);
    // After the inode, with blanks before it.
    let path = line.splitn(6, ' ').nth(5)?.trim_start();
    if !flags.contains('x') || !(path.starts_with('/') || path == "[vdso]") {
        return None;
    }
    let (start, end) = range.split_once('-')?;
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    Some(Mapping {
        start: number(start)?,
        end: number(end)?,
        offset: number(offset)?,
        path: PathBuf::from(path),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executable_mappings_of_files_are_kept() {
        let of = |line: &str| mapping(line).map(|one| (one.start, one.end, one.offset, one.path));
        let path = |text: &str| PathBuf::from(text);
        let code = "555555564000-55555559f000 r-xp 00010000 08:01 1234                       /srv/a b/bench";
        assert_eq!(
            of(code),
            Some((
                0x5555_5556_4000,
                0x5555_5559_F000,
                0x1_0000,
                path("/srv/a b/bench")
            ))
        );
        let vdso =
            "7ffff7fc5000-7ffff7fc7000 r-xp 00000000 00:00 0                          [vdso]";
        let expected = (0x7FFF_F7FC_5000, 0x7FFF_F7FC_7000, 0, path("[vdso]"));
        assert_eq!(of(vdso), Some(expected));
        for other in [
            "555555554000-555555564000 r--p 00000000 08:01 1234                       /srv/bench",
            "7ffff7c00000-7ffff7c01000 r-xp 00000000 00:00 0 ",
            "x-y r-xp 00000000 00:00 0                          [vdso]",
            "",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
