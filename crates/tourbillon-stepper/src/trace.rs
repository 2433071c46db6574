//! Every instruction of one op, with its stack.

use std::path::PathBuf;

/// The instructions of one op of a case, and what else an op does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The program.
    pub executable: PathBuf,
    /// What of which files is at which addresses.
    pub mappings: Vec<Mapping>,
    /// Instructions of the op, without those of the timed loop.
    pub op: u64,
    /// Those of the loop around an empty body, which are among the steps.
    pub of_loop: u64,
    /// System calls of the op, and how many there are of each.
    pub system_calls: Vec<(String, u64)>,
    /// Pages that an op touches for the first time: its page faults without a read from a disk.
    pub pages: u64,
    /// The first one is that of the op itself.
    pub stacks: Vec<Stack>,
    /// Each instruction of each stack once.
    pub steps: Vec<Step>,
}

/// A part of a file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The first address.
    pub start: u64,
    /// The address after the last one.
    pub end: u64,
    /// Where the part begins in the file.
    pub offset: u64,
    /// The file, or a name in brackets for what the system adds.
    pub path: PathBuf,
}

impl Mapping {
    /// Whether an address is in it.
    pub fn has(&self, address: u64) -> bool {
        (self.start..self.end).contains(&address)
    }
}

/// A function that was called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// The number of the stack that called it; `None` for the op itself.
    pub parent: Option<usize>,
    /// The address of the instruction that called it.
    pub call_site: u64,
    /// The address that was called.
    pub entry: u64,
}

/// How often an instruction was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of its stack.
    pub stack: usize,
    /// Where it is.
    pub address: u64,
    /// How often.
    pub count: u64,
}

impl Trace {
    /// Instructions of all steps, with those of the loop.
    pub fn total(&self) -> u64 {
        let counts = self.steps.iter().map(|step| step.count);
        counts.fold(0, u64::saturating_add)
    }
}
