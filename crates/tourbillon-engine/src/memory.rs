//! One memory visit: what the timed regions of one case ask of the allocator, in this process.
//!
//! ```text
//! the first call
//! 4 times: one iteration
//! 16 iterations, one after the other, each by itself
//! n iterations, then 2n        # so many that all of it fits into the budget, at most 1024
//! ```
//!
//! The clock is read where it always is, and tells the ledger: so what is prepared before the clock
//! starts is not counted, and what is dropped inside the timed region is.

use std::ops::ControlFlow;

use tourbillon_clock::{Clock, Ticks, wall};
use tourbillon_record::{BatchShape, Case, Counted, Fault, FaultKind, Frame, Memory, Plan};
use tourbillon_stats::Rng;

use crate::randomize_layout::redrawn;
use crate::{About, Arm, CaseOptions, Drive, Ledger, Stretch, Suite, Tallied, Visitor};

/// Single iterations behind the first call.
const SINGLES: u64 = 4;
/// Iterations of the row from which it is known how long they take, with all that is around them.
const PROBE: u64 = 16;
/// Iterations of the shorter long row at most, and the step from one number of them to the next: in
/// small steps the same body would now get this number, now that one.
const LONGEST: u64 = 1024;
const STEP: u64 = 4;

/// Makes the memory visit that `plan` asks for and tells `send` what came of it: a sign of life, then
/// what was counted or a fault.
///
/// `plan` gives the case, the seed, the budget, and the length of the visit before, with which this
/// one is to be compared. A panic of the benchmark goes through to the caller.
pub fn count(suite: &dyn Suite, plan: &Plan, ledger: &dyn Ledger, send: &mut dyn FnMut(Frame)) {
    let mut rng = Rng::new(plan.seed);
    let mut found = Found {
        plan,
        ledger,
        send,
        outcome: Err((FaultKind::UnknownCase, String::new())),
    };
    redrawn(&mut rng, &mut || suite.visit(&mut found));
    let frame = match found.outcome {
        Ok(memory) => Frame::Memory(memory),
        Err((kind, message)) => Frame::Fault(Fault {
            case: plan.case.clone(),
            launch: plan.launch,
            kind,
            message,
            place: None,
            stderr: String::new(),
            unknown: String::new(),
        }),
    };
    (found.send)(frame);
}

/// Looks for the case of the plan and counts the arm that it hands over.
struct Found<'v> {
    plan: &'v Plan,
    ledger: &'v dyn Ledger,
    send: &'v mut dyn FnMut(Frame),
    outcome: Result<Box<Memory>, (FaultKind, String)>,
}

impl Visitor for Found<'_> {
    fn case(
        &mut self,
        case: &Case,
        _options: &CaseOptions,
        body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()> {
        if case.id != self.plan.case {
            return ControlFlow::Continue(());
        }
        self.outcome = Err((FaultKind::NoTerminal, String::new()));
        if let Err(error) = body(self) {
            self.outcome = Err((FaultKind::Error, error));
        }
        ControlFlow::Break(())
    }
}

impl Drive for Found<'_> {
    fn drive(&mut self, arm: &mut dyn Arm, about: About) {
        let counted = Counting::new(arm, self.ledger).visit(about, self.plan, self.send);
        self.outcome = counted
            .map(Box::new)
            .map_err(|error| (FaultKind::Error, error));
    }
}

/// An arm being counted.
struct Counting<'v> {
    arm: &'v mut dyn Arm,
    ledger: &'v dyn Ledger,
    clock: Clock,
    /// Iterations of each row, and what was counted in it.
    rows: Vec<(u64, Tallied)>,
}

impl<'v> Counting<'v> {
    fn new(arm: &'v mut dyn Arm, ledger: &'v dyn Ledger) -> Self {
        Self {
            arm,
            ledger,
            clock: ledger.clock(),
            rows: Vec::new(),
        }
    }

    fn visit(
        mut self,
        about: About,
        plan: &Plan,
        send: &mut dyn FnMut(Frame),
    ) -> Result<Memory, String> {
        let (opened, started_unix_ns) = (self.clock.now(), wall::unix_ns());
        self.ledger.forget_resident();
        self.ledger.read_faults(true);
        // Whatever the set-up did with the clock is not the body's.
        self.ledger.take();
        let first = self.arm.first(&self.clock)?;
        self.rows.push((1, self.ledger.take()));
        let first_call_ns = first.ticks.0;
        send(Frame::Progress {
            first_call_ns,
            timeout_ns: None,
        });
        if !about.isolated {
            match plan.length {
                Some(length) => self.as_before(length),
                None => self.as_affordable(plan.budget_ns),
            }
        }
        let counts = match self.ledger.not_counted() {
            Some(why) => Err(why),
            None => Ok(columns(&self.rows)),
        };
        let resident = self.ledger.resident().map(|mut resident| {
            for (iterations, row) in &self.rows {
                if *iterations == 1 {
                    resident.faults_minor.push(row.faults_minor);
                    resident.faults_major.push(row.faults_major);
                }
            }
            resident
        });
        let mut iterations = Vec::with_capacity(self.rows.len());
        for (row, _) in &self.rows {
            iterations.push(*row);
        }
        Ok(Memory {
            case: plan.case.clone(),
            launch: plan.launch,
            seed: plan.seed,
            pid: std::process::id(),
            started_unix_ns,
            arm: None,
            terminal: if about.isolated {
                "isolated.".to_owned() + about.terminal
            } else {
                about.terminal.to_owned()
            },
            drop_inside: about.drop_inside,
            ops_per_iteration: about.ops_per_iteration,
            iterations,
            counts,
            resident,
            visit_ns: self.since(opened),
            unknown: String::new(),
        })
    }

    /// As many rows as the visit before had: `windows` single iterations, then what `items` says.
    fn as_before(&mut self, length: BatchShape) {
        self.singles(length.windows);
        if length.items > 1 {
            self.longer(length.items);
        }
    }

    /// As many rows as fit into the budget; a body that takes longer than that by itself gets one
    /// iteration behind the first call, or there would be no steady state to speak of.
    fn as_affordable(&mut self, budget_ns: u64) {
        // The first call does not count: it says little of the others.
        let began = self.clock.now();
        // The shortest: one that was interrupted says little, too.
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

    fn longer(&mut self, items: u64) {
        self.probe();
        if items > PROBE {
            self.long(items);
        }
    }

    fn singles(&mut self, count: u64) {
        for _ in 0..count {
            self.arm.batch(&self.clock, ONE);
            self.rows.push((1, self.ledger.take()));
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
                // Not together: that many outputs at once may be more than there is memory.
                self.one_by_one(iterations);
            } else {
                let stretch = Stretch {
                    items: iterations,
                    ..ONE
                };
                self.arm.batch(&self.clock, stretch);
                self.rows.push((iterations, self.ledger.take()));
            }
        }
    }

    fn one_by_one(&mut self, iterations: u64) {
        let mut row = Tallied {
            requests_elsewhere: Some(0),
            ..Tallied::default()
        };
        for _ in 0..iterations {
            self.arm.batch(&self.clock, ONE);
            row.and(&self.ledger.take());
        }
        self.rows.push((iterations, row));
    }

    fn since(&self, earlier: Ticks) -> u64 {
        self.clock.now().0.saturating_sub(earlier.0)
    }
}

/// One iteration.
const ONE: Stretch = Stretch {
    windows: 1,
    items: 1,
    unroll: 1,
};

fn columns(rows: &[(u64, Tallied)]) -> Counted {
    let mut columns = Counted::default();
    for (_, row) in rows {
        columns.allocs.push(row.allocs);
        columns.frees.push(row.frees);
        columns.reallocs_in_place.push(row.reallocs_in_place);
        columns.reallocs_moved.push(row.reallocs_moved);
        columns.allocated_bytes.push(row.allocated_bytes);
        columns.freed_bytes.push(row.freed_bytes);
        columns.copied_bytes.push(row.copied_bytes);
        columns.peak_bytes.push(row.peak_bytes);
        columns.requests_elsewhere.extend(row.requests_elsewhere);
    }
    // A column has a value for every row or none.
    if columns.requests_elsewhere.len() < rows.len() {
        columns.requests_elsewhere.clear();
    }
    columns
}
