//! The instructions of one op in a file, for the subcommand.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use tourbillon_analysis::steady;
use tourbillon_record::{Plan, Steps};

use super::stepper::{Batch, Stepper};

/// The text of the file.
pub(super) struct StepsFile(String);

impl StepsFile {
    /// Of the batches that a worker has executed, which has stopped after the last one.
    ///
    /// Of steady ops it is the second of two in one batch, otherwise one in the middle.
    pub(super) fn of(
        plan: &Plan,
        counts: &Steps,
        batches: &[Batch],
        stepper: &Stepper<'_>,
    ) -> StepsFile {
        let (empty, mut ops): (Vec<&Batch>, Vec<&Batch>) =
            batches.iter().partition(|batch| !batch.is_op);
        let around: BTreeSet<u64> = empty
            .iter()
            .flat_map(|batch| batch.executed.keys().map(|key| key.1))
            .collect();
        let steady = steady(counts);
        let mut executed: BTreeMap<(usize, u64), u64> = BTreeMap::new();
        let is_pair = counts.iterations.get(1) == Some(&2);
        if steady.is_some() && is_pair {
            executed.clone_from(&ops[1].executed);
            for (step, count) in &ops[0].executed {
                let both = executed.entry(*step).or_default();
                *both = both.saturating_sub(*count);
            }
        } else {
            if is_pair {
                ops.remove(1);
            }
            ops.sort_by_key(|batch| batch.instructions);
            executed.clone_from(&ops[ops.len() / 2].executed);
        }
        executed.retain(|(_, address), count| *count > 0 && !around.contains(address));
        let (one, two) = (counts.empty.first(), counts.empty.get(1));
        let of_loop = one
            .zip(two)
            .map_or(0, |(one, two)| two.saturating_sub(*one));
        let op = steady.unwrap_or_else(|| executed.values().sum());

        let mut text = format!("tourbillon-steps 1\ncase {}\n", plan.case);
        let proc = |file: &str| format!("/proc/{}/{file}", stepper.pid);
        let executable = fs::read_link(proc("exe")).unwrap_or_default();
        // Texts are written to in memory, without fail.
        let _ = writeln!(text, "executable {}", executable.display());
        for line in fs::read_to_string(proc("maps")).unwrap_or_default().lines() {
            text += &mapping(line).unwrap_or_default();
        }
        let _ = writeln!(text, "op {op}\nloop {of_loop}");
        for (name, count) in counts.system_calls.iter().zip(&counts.system_call_counts) {
            let _ = writeln!(text, "syscall {name} {count}");
        }
        let _ = writeln!(text, "stack 0 - 0 0");
        for (number, call) in (1..).zip(&stepper.tree.calls) {
            let _ = writeln!(
                text,
                "stack {number} {} {:x} {:x}",
                call.parent, call.site, call.entry
            );
        }
        for ((place, address), count) in executed {
            let _ = writeln!(text, "step {place} {address:x} {count}");
        }
        StepsFile(text)
    }

    /// Writes a new file.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(self.0.as_bytes())
    }
}

/// The line of an executable mapping: `START-END FLAGS OFFSET DEVICE INODE PATH`.
fn mapping(line: &str) -> Option<String> {
    let mut words = line.split_ascii_whitespace();
    let (range, flags, offset) = (words.next()?, words.next()?, words.next()?);
    // After the inode, with blanks before it.
    let path = line.splitn(6, ' ').nth(5)?.trim_start();
    let is_wanted = flags.contains('x') && (path.starts_with('/') || path == "[vdso]");
    is_wanted.then(|| format!("map {range} {offset} {path}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executable_mappings_of_files_are_written() {
        let of = |line: &str| mapping(line).unwrap_or_default();
        let code = "555555564000-55555559f000 r-xp 00010000 08:01 1234                       /srv/a b/bench";
        assert_eq!(
            of(code),
            "map 555555564000-55555559f000 00010000 /srv/a b/bench\n"
        );
        let vdso =
            "7ffff7fc5000-7ffff7fc7000 r-xp 00000000 00:00 0                          [vdso]";
        assert_eq!(of(vdso), "map 7ffff7fc5000-7ffff7fc7000 00000000 [vdso]\n");
        for other in [
            "555555554000-555555564000 r--p 00000000 08:01 1234                       /srv/bench",
            "7ffff7c00000-7ffff7c01000 r-xp 00000000 00:00 0 ",
            "",
        ] {
            assert_eq!(of(other), "");
        }
    }
}
