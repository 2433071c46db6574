//! A memory launch: counts of the allocator, and resident memory.

use crate::Error;
use crate::codec::{Field, Json, object, same_length, value};
use crate::json::Writer;
use crate::members::Members;

/// What one memory launch counted: one case in one process, not timed.
///
/// A row for each batch, in the order in which they ran: first the first call of the body, then single iterations, then
/// longer batches. A row holds what happened in the timed regions, on all threads of the process: neither what is
/// prepared before the clock starts nor what is dropped after it has stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Identity of the case.
    pub case: String,
    /// Number of the memory launch of this case, from 0.
    pub launch: u32,
    /// Seed of all random choices in this launch.
    pub seed: u64,
    /// Process id of the worker.
    pub pid: u32,
    /// When the launch started, in nanoseconds since the Unix epoch.
    pub started_unix_ns: u64,
    /// In a comparison of two builds, which of them was counted: 0 the reference, 1 the other.
    pub arm: Option<u8>,
    /// Method of `Bencher` that the benchmark called.
    pub terminal: String,
    /// Whether the drop of outputs is inside the timed region, and so is counted.
    pub drop_inside: bool,
    /// Ops in one iteration.
    pub ops_per_iteration: u64,
    /// Iterations of each row; those of one iteration come first, and the very first is the first
    /// call.
    pub iterations: Vec<u64>,
    /// What was counted, or why nothing was.
    ///
    /// * `counts`, object?: what was counted: columns with the rows of `iterations`.
    /// * `not_counted`, text?: why nothing was.
    pub counts: Result<Counted, String>,
    /// Page faults and the peak of resident memory, or why they are not known.
    ///
    /// * `resident`, object?: what the kernel reports of the memory in use.
    /// * `not_resident`, text?: why it is not known.
    pub resident: Result<Resident, String>,
    /// From the start of the worker's launch to its end, in nanoseconds.
    pub launch_ns: u64,
    /// Unknown members of a newer version: members of a JSON object with commas between them.
    pub unknown: String,
}

object! {
    Memory {
        case, launch, seed, pid, started_unix_ns, terminal, drop_inside, ops_per_iteration, iterations,
        counts, resident, launch_ns, arm,
    } check columns
}

impl Memory {
    fn columns(&mut self, from: &Members<'_>) -> Result<(), Error> {
        let Ok(counts) = &self.counts else {
            return Ok(());
        };
        let mut columns = vec![
            ("iterations", self.iterations.len()),
            ("allocs", counts.allocs.len()),
            ("frees", counts.frees.len()),
            ("reallocs_in_place", counts.reallocs_in_place.len()),
            ("reallocs_moved", counts.reallocs_moved.len()),
            ("allocated_bytes", counts.allocated_bytes.len()),
            ("freed_bytes", counts.freed_bytes.len()),
            ("copied_bytes", counts.copied_bytes.len()),
            ("peak_bytes", counts.peak_bytes.len()),
        ];
        // Empty where it is not known.
        if !counts.requests_elsewhere.is_empty() {
            columns.push(("requests_elsewhere", counts.requests_elsewhere.len()));
        }
        same_length(from, &columns)
    }
}

impl Default for Memory {
    fn default() -> Memory {
        Memory {
            case: String::new(),
            launch: 0,
            seed: 0,
            pid: 0,
            started_unix_ns: 0,
            arm: None,
            terminal: String::new(),
            drop_inside: false,
            ops_per_iteration: 0,
            iterations: Vec::new(),
            counts: Err(String::new()),
            resident: Err(String::new()),
            launch_ns: 0,
            unknown: String::new(),
        }
    }
}

/// Figures, or the reason in a member of its own: `not_counted` for `counts`, `not_resident` for
/// `resident`.
impl<T: Json + Default> Field for Result<T, String> {
    fn write_field(&self, name: &str, out: &mut Writer) {
        match self {
            Ok(figures) => figures.write_field(name, out),
            Err(why) => why.write_field(reason(name), out),
        }
    }

    fn read_field(&mut self, name: &str, from: &mut Members<'_>) -> Result<(), Error> {
        let reason = reason(name);
        *self = match (from.take(name), from.take(reason)) {
            (Some(_), Some(why)) => return Err(why.not(reason, "nothing beside figures")),
            (Some(figures), None) => Ok(value(name, figures)?),
            (None, Some(why)) => Err(value(reason, why)?),
            (None, None) => return Err(from.missing(reason)),
        };
        Ok(())
    }
}

fn reason(name: &str) -> &'static str {
    match name {
        "counts" => "not_counted",
        _ => "not_resident",
    }
}

/// Blocks and bytes requested from the allocator by all threads of the process, a row for each batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    /// Blocks allocated.
    pub allocs: Vec<u64>,
    /// Blocks freed.
    pub frees: Vec<u64>,
    /// Reallocations that left the block where it was.
    pub reallocs_in_place: Vec<u64>,
    /// Reallocations that moved the block.
    pub reallocs_moved: Vec<u64>,
    /// Bytes requested by allocations and by the growth of blocks.
    pub allocated_bytes: Vec<u64>,
    /// Bytes given back by frees and by the shrinking of blocks.
    pub freed_bytes: Vec<u64>,
    /// Bytes copied with moved blocks.
    pub copied_bytes: Vec<u64>,
    /// The most bytes live at once, above those live at the beginning of the iteration; of the batch, if the body
    /// loops.
    pub peak_bytes: Vec<u64>,
    /// Of the allocations and reallocations, those on other threads than the measuring one; empty
    /// where that is not known.
    pub requests_elsewhere: Vec<u64>,
}

object! {
    Counted {
        allocs, frees, reallocs_in_place, reallocs_moved, allocated_bytes, freed_bytes, copied_bytes,
        peak_bytes, requests_elsewhere,
    }
}

impl Counted {
    /// Requests for memory in a row: allocations and reallocations.
    #[inline]
    pub fn requests(&self, row: usize) -> u64 {
        self.allocs[row] + self.reallocs_in_place[row] + self.reallocs_moved[row]
    }

    /// Bytes allocated and not freed in a row; negative where more was freed.
    #[inline]
    pub fn kept_bytes(&self, row: usize) -> i64 {
        self.allocated_bytes[row].wrapping_sub(self.freed_bytes[row]) as i64
    }
}

/// What the kernel reports of the memory in use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resident {
    /// The peak of the process's resident memory, in bytes.
    pub peak_bytes: u64,
    /// Whether that is since the first call of the body; else since the process began, preparation
    /// included.
    pub since_first_call: bool,
    /// Page faults served from memory, for each row of one iteration; empty where they are not counted.
    pub faults_minor: Vec<u64>,
    /// Page faults served from a disk, likewise.
    pub faults_major: Vec<u64>,
}

object! {
    Resident {
        peak_bytes, since_first_call, faults_minor, faults_major,
    } columns [faults_minor, faults_major]
}
