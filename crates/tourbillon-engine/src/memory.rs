//! One memory launch: what the timed regions of one case ask of the allocator, in this process.
//!
//! ```text
//! the first call
//! 4 times: one iteration
//! 16 iterations, one after the other, each by itself
//! n iterations, then 2n        # so many that all of it fits into the budget, at most 1024
//! ```
//!
//! The clock is read where it always is, and calls the ledger: so what is prepared before the clock
//! starts is not counted, and what is dropped inside the timed region is.

use tourbillon_clock::{Clock, Ticks, wall};
use tourbillon_record::{BatchShape, Counted, Frame, Memory, Plan, Resident};

use crate::arm::{About, Arm, Suite};
use crate::find::find;

/// Single iterations after the first call.
const SINGLES: u64 = 4;
/// Iterations of the row that shows how long they take, with all that is around them.
const PROBE: u64 = 16;
/// Most iterations of the shorter long row, and the step from one number of them to the next: with small
/// steps the same body would get different numbers.
const LONGEST: u64 = 1024;
const STEP: u64 = 4;

/// Counts what happens in the timed regions of a clock.
///
/// This crate knows no allocator: the caller brings the ledger.
pub trait Ledger: Sync {
    /// The clock whose timed regions are counted; see [`Clock::watched`].
    fn clock(&self) -> Clock;

    /// Why allocations are not counted; `None` where they are.
    fn not_counted(&self) -> Option<String>;

    /// Whether page faults are to be read from now on, at both ends of every region: that takes a
    /// while. Returns whether the system counts them.
    fn read_faults(&self, wanted: bool) -> bool;

    /// What happened in the regions since the last call, taken together: bytes live at the end of one are
    /// live at the beginning of the next.
    fn take(&self) -> Tallied;

    /// Makes [`Ledger::resident`] begin here, as far as the system allows it.
    fn forget_resident(&self);

    /// The most memory that was resident, without any page faults.
    ///
    /// # Errors
    ///
    /// Why it is unknown.
    fn resident(&self) -> Result<Resident, String>;
}

/// What was counted in one or several regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tallied {
    /// Blocks allocated.
    pub allocs: u64,
    /// Blocks freed.
    pub frees: u64,
    /// Reallocations that left the block where it was.
    pub reallocs_in_place: u64,
    /// Reallocations that moved the block.
    pub reallocs_moved: u64,
    /// Bytes allocated, growth of blocks included.
    pub allocated_bytes: u64,
    /// Bytes freed, shrinking of blocks included.
    pub freed_bytes: u64,
    /// Bytes copied with moved blocks.
    pub copied_bytes: u64,
    /// The most bytes live at once, above those live at the beginning.
    pub peak_bytes: u64,
    /// Requests for memory on other threads; `None` where that is unknown.
    pub requests_elsewhere: Option<u64>,
    /// Page faults served from memory, where they were read.
    pub faults_minor: u64,
    /// Page faults served from a disk, where they were read.
    pub faults_major: u64,
}

impl Tallied {
    /// Adds another iteration. The peak is the higher one of the two: each began anew.
    fn add(&mut self, other: &Tallied) {
        self.allocs += other.allocs;
        self.frees += other.frees;
        self.reallocs_in_place += other.reallocs_in_place;
        self.reallocs_moved += other.reallocs_moved;
        self.allocated_bytes += other.allocated_bytes;
        self.freed_bytes += other.freed_bytes;
        self.copied_bytes += other.copied_bytes;
        self.peak_bytes = self.peak_bytes.max(other.peak_bytes);
        let elsewhere = self.requests_elsewhere.zip(other.requests_elsewhere);
        self.requests_elsewhere = elsewhere.map(|(one, other)| one + other);
        self.faults_minor += other.faults_minor;
        self.faults_major += other.faults_major;
    }
}

/// Makes the memory launch that `plan` asks for, and sends a sign of life, then the counts or a fault.
///
/// The `length` of `plan` is that of the launch before, with which this one is to be compared. A panic of the
/// benchmark goes through to the caller.
pub fn count(
    suite: &dyn Suite,
    plan: &Plan,
    ledger: &dyn Ledger,
    send: &mut (dyn FnMut(Frame) + Send),
) {
    let mut measure = |arm: &mut dyn Arm, about: About, _, send: &mut dyn FnMut(Frame)| {
        let counting = Counting {
            arm,
            ledger,
            clock: ledger.clock(),
            rows: Vec::new(),
        };
        let memory = counting.launch(&about, plan, send)?;
        Ok(Frame::Memory(Box::new(memory)))
    };
    find(suite, plan, &ledger.clock(), &mut measure, send);
}

/// An arm being counted.
struct Counting<'v> {
    arm: &'v mut dyn Arm,
    ledger: &'v dyn Ledger,
    clock: Clock,
    /// Iterations of each row, and what was counted in it.
    rows: Vec<(u64, Tallied)>,
}

impl Counting<'_> {
    fn launch(
        mut self,
        about: &About,
        plan: &Plan,
        send: &mut dyn FnMut(Frame),
    ) -> Result<Memory, String> {
        let (opened, started_unix_ns) = (self.clock.now(), wall::unix_ns());
        self.ledger.forget_resident();
        let counts_faults = self.ledger.read_faults(true);
        // What the set-up did with the clock does not belong to the body.
        self.ledger.take();
        let first = self.arm.first(&self.clock)?;
        self.rows.push((1, self.ledger.take()));
        send(Frame::Progress {
            first_call_ns: first.ticks.0,
            timeout_ns: None,
        });
        if !about.isolated {
            match plan.batch_shape {
                Some(length) => self.as_before(length),
                None => self.as_affordable(plan.budget_ns),
            }
        }
        let counts = match self.ledger.not_counted() {
            Some(why) => Err(why),
            None => Ok(columns(&self.rows)),
        };
        let resident = self.ledger.resident().map(|mut resident| {
            let single = |(iterations, _): &&(u64, Tallied)| *iterations == 1 && counts_faults;
            for (_, row) in self.rows.iter().filter(single) {
                resident.faults_minor.push(row.faults_minor);
                resident.faults_major.push(row.faults_major);
            }
            resident
        });
        Ok(Memory {
            case: plan.case.clone(),
            launch: plan.launch,
            seed: plan.seed,
            pid: crate::process_id(),
            started_unix_ns,
            arm: None,
            terminal: about.recorded_terminal(),
            drop_inside: about.drop_inside,
            ops_per_iteration: about.ops_per_iteration,
            iterations: self
                .rows
                .iter()
                .map(|(iterations, _)| *iterations)
                .collect(),
            counts,
            resident,
            launch_ns: self.since(opened),
            unknown: String::new(),
        })
    }

    /// As many rows as the launch before had: `windows` single iterations, then those of `items`.
    fn as_before(&mut self, length: BatchShape) {
        self.singles(length.windows);
        if length.items > 1 {
            self.probe();
        }
        if length.items > PROBE {
            self.long(length.items);
        }
    }

    /// As many rows as fit into the budget. A body that takes longer by itself gets one iteration after the first
    /// call, or there would be no steady state.
    fn as_affordable(&mut self, budget_ns: u64) {
        // The first call does not count: the others may take another time.
        let began = self.clock.now();
        // The shortest, as any of them may have been interrupted.
        let mut shortest = u64::MAX;
        for single in 0..SINGLES {
            if single > 0 && self.since(began) >= budget_ns {
                return;
            }
            let began = self.clock.now();
            self.singles(1);
            shortest = shortest.min(self.since(began));
        }
        if shortest.saturating_mul(PROBE) >= budget_ns {
            return;
        }
        let began = self.clock.now();
        self.probe();
        let one = (self.since(began) / PROBE).max(1);
        let mut items = LONGEST;
        while items > PROBE && items * 3 * one > budget_ns {
            items /= STEP;
        }
        if items > PROBE {
            self.long(items);
        }
    }

    fn singles(&mut self, count: u64) {
        for _ in 0..count {
            self.one_row(1);
        }
    }

    fn probe(&mut self) {
        // Reading page faults takes longer than most bodies.
        self.ledger.read_faults(false);
        self.one_by_one(PROBE);
    }

    fn long(&mut self, items: u64) {
        for iterations in [items, 2 * items] {
            if self.arm.limits().window_bytes_per_item.is_some() {
                // Not together: that many outputs at once may need more memory than there is.
                self.one_by_one(iterations);
            } else {
                self.one_row(iterations);
            }
        }
    }

    fn one_row(&mut self, iterations: u64) {
        self.arm
            .batch(&self.clock, BatchShape::of_items(iterations));
        self.rows.push((iterations, self.ledger.take()));
    }

    fn one_by_one(&mut self, iterations: u64) {
        let mut row = Tallied {
            requests_elsewhere: Some(0),
            ..Tallied::default()
        };
        for _ in 0..iterations {
            self.arm.batch(&self.clock, BatchShape::of_items(1));
            row.add(&self.ledger.take());
        }
        self.rows.push((iterations, row));
    }

    fn since(&self, earlier: Ticks) -> u64 {
        self.clock.now().0.saturating_sub(earlier.0)
    }
}

fn columns(rows: &[(u64, Tallied)]) -> Counted {
    let column = |of: fn(&Tallied) -> u64| rows.iter().map(|(_, row)| of(row)).collect();
    let elsewhere: Option<Vec<u64>> = rows.iter().map(|(_, row)| row.requests_elsewhere).collect();
    Counted {
        allocs: column(|row| row.allocs),
        frees: column(|row| row.frees),
        reallocs_in_place: column(|row| row.reallocs_in_place),
        reallocs_moved: column(|row| row.reallocs_moved),
        allocated_bytes: column(|row| row.allocated_bytes),
        freed_bytes: column(|row| row.freed_bytes),
        copied_bytes: column(|row| row.copied_bytes),
        peak_bytes: column(|row| row.peak_bytes),
        // A column has a value for every row or none.
        requests_elsewhere: elsewhere.unwrap_or_default(),
    }
}
