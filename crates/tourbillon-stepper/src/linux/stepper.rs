//! Executes the ops of a worker instruction by instruction.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::time::Duration;
use std::{fs, io, thread};

use tourbillon_os::{Mark, Registers, SIGTRAP, Stop, Tracee};

use super::batch::{Batch, VDSO, counts};
use super::call_tree::CallTree;
use super::failure::Failure;
use super::opcode::{Opcode, opcode};
use super::system_calls::system_call_name;
use crate::step_results::steady;

/// Between two looks at a process that runs by itself.
const LOOK: Duration = Duration::from_micros(100);
/// Steps between two looks at the time: a step takes about 10 us.
const STEPS: u64 = 256;
/// What the system's library puts before the code that follows on an interrupted sequence (rseq(2)).
const SEQUENCE_MARK: u32 = 0x5305_3053;
/// The numbers of `clone`, `fork`, `vfork`, `execve` and `clone3`.
const STARTS: [u64; 5] = [56, 57, 58, 59, 435];

/// Follows a worker.
pub(super) struct Stepper<'a> {
    tracee: Tracee,
    pub(super) pid: u32,
    pub(super) ops_per_iteration: u64,
    /// Batches of ops that are enough even if they are not steady.
    most: usize,
    /// Fails when there is no time left for stepping, or for waiting for a mark.
    pub(super) time_left: &'a dyn Fn(bool) -> Result<(), Failure>,
    code: HashMap<u64, Opcode>,
    vdso: Range<u64>,
    pub(super) tree: CallTree,
    executed: u64,
    most_instructions: u64,
}

impl<'a> Stepper<'a> {
    pub(super) fn new(
        tracee: Tracee,
        pid: u32,
        most: usize,
        most_instructions: u64,
        time_left: &'a dyn Fn(bool) -> Result<(), Failure>,
    ) -> Stepper<'a> {
        Stepper {
            tracee,
            pid,
            ops_per_iteration: 1,
            most,
            time_left,
            code: HashMap::new(),
            vdso: 0..0,
            tree: CallTree::default(),
            executed: 0,
            most_instructions,
        }
    }

    /// Instructions that were executed so far.
    pub(super) fn executed(&self) -> u64 {
        self.executed
    }

    /// Executes batches until they are enough. Those that are complete stay where it fails.
    pub(super) fn step_batches(&mut self, batches: &mut Vec<Batch>) -> Result<(), Failure> {
        let mut open: Option<Batch> = None;
        self.run(0)?;
        loop {
            let registers = self.trapped()?;
            match (registers.marked(), &mut open) {
                (None, _) => return Err(Failure::breakpoints()),
                (Some((Mark::Begin, _)), Some(batch)) => {
                    batch.regions += 1;
                    self.step_through(registers, batch)?;
                }
                (Some((Mark::Begin | Mark::End, _)), _) => {}
                (Some((Mark::OpsPerIteration, ops)), _) => self.ops_per_iteration = ops,
                (Some((what, iterations)), _) => {
                    let pages = self.page_faults();
                    if let Some(mut batch) = open.take() {
                        batch.pages = pages.saturating_sub(batch.pages);
                        if batch.regions == 0 {
                            return Err(Failure::absent(
                                "it times itself, so where an op begins is not known",
                            ));
                        }
                        batches.push(batch);
                    }
                    if what == Mark::Over || self.are_enough(batches) {
                        return Ok(());
                    }
                    self.check()?;
                    open = Some(Batch {
                        is_op: what == Mark::Ops,
                        iterations,
                        regions: 0,
                        instructions: 0,
                        // So far; at its end, those of the batch.
                        pages,
                        calls: BTreeMap::new(),
                        executed: BTreeMap::new(),
                    });
                }
            }
            self.run(0)?;
        }
    }

    /// Page faults of the worker without a read from a disk, since its start: the tenth field of its line in /proc, of
    /// which the second may hold anything in parentheses.
    fn page_faults(&self) -> u64 {
        let line = fs::read_to_string(format!("/proc/{}/stat", self.pid)).unwrap_or_default();
        let after = line.rsplit_once(')').map_or("", |(_, after)| after);
        let field = after.split_ascii_whitespace().nth(7);
        field.and_then(|text| text.parse().ok()).unwrap_or(0)
    }

    fn are_enough(&self, batches: &[Batch]) -> bool {
        let ops = batches.iter().filter(|batch| batch.is_op).count();
        ops >= self.most || steady(&counts(batches)).is_some()
    }

    /// Refuses what cannot be stepped.
    pub(super) fn check(&mut self) -> Result<(), Failure> {
        let proc = |file: &str| format!("/proc/{}/{file}", self.pid);
        if fs::read_dir(proc("task")).map_or(0, Iterator::count) > 1 {
            return Err(Failure::threads());
        }
        let status = fs::read_to_string(proc("status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        if caught.is_some_and(|mask| mask >> (SIGTRAP - 1) & 1 == 1) {
            return Err(Failure::absent(
                "it handles SIGTRAP, the signal of a step; remove the handler",
            ));
        }
        let maps = fs::read_to_string(proc("maps")).unwrap_or_default();
        let vdso = maps.lines().find(|line| line.ends_with("[vdso]"));
        let range = vdso.and_then(|line| line.split_once(' ')?.0.split_once('-'));
        if let Some((start, end)) = range {
            let address = |text| u64::from_str_radix(text, 16).unwrap_or(0);
            self.vdso = address(start)..address(end);
        }
        Ok(())
    }

    /// Executes everything up to the next breakpoint, one by one.
    fn step_through(&mut self, mut registers: Registers, batch: &mut Batch) -> Result<(), Failure> {
        self.tree.enter();
        loop {
            let at = registers.instruction();
            if self.vdso.contains(&at) {
                // It reads what the system changes at any time, and repeats itself then.
                *batch.calls.entry(VDSO).or_default() += 1;
                let back = self.tracee.word(registers.stack())?;
                registers = self.run_to(back)?;
                self.tree.returned(registers.stack());
                continue;
            }
            let opcode = self.opcode(at)?;
            if opcode == Opcode::Breakpoint {
                return Ok(());
            }
            batch.instructions += 1;
            *batch.executed.entry((self.tree.place(), at)).or_default() += 1;
            self.executed += 1;
            if self.executed > self.most_instructions {
                return Err(Failure::Late);
            }
            if self.executed.is_multiple_of(STEPS) {
                (self.time_left)(true)?;
            }
            registers = match opcode {
                Opcode::Repeated(bytes) => self.run_to(at + bytes)?,
                Opcode::SystemCall => {
                    let (number, first) = registers.call();
                    if STARTS.contains(&number) {
                        let what = format!(
                            "an op starts a thread or a process ({})",
                            system_call_name(number)
                        );
                        return Err(Failure::absent(&what));
                    }
                    // Signal 5 is that of a step.
                    if number == 13 && first == SIGTRAP as u64 {
                        return Err(Failure::absent(
                            "an op handles SIGTRAP, the signal of a step",
                        ));
                    }
                    *batch.calls.entry(number).or_default() += 1;
                    self.tracee.step()?;
                    self.trapped()?
                }
                Opcode::Transaction => {
                    let what = "an op uses a hardware transaction, which a step ends; switch it off, for glibc's \
                                locks with GLIBC_TUNABLES=glibc.elision.enable=0";
                    return Err(Failure::absent(what));
                }
                _ => {
                    self.tracee.step()?;
                    match self.tracee.stop(true)? {
                        Some(Stop::Signal(SIGTRAP)) => self.tracee.registers()?,
                        stop => return Err(stopped(stop)),
                    }
                }
            };
            match opcode {
                Opcode::Call => self
                    .tree
                    .called(at, registers.instruction(), registers.stack()),
                Opcode::Return => self.tree.returned(registers.stack()),
                _ => {}
            }
        }
    }

    /// The kind of the instruction at an address.
    fn opcode(&mut self, at: u64) -> Result<Opcode, Failure> {
        if let Some(known) = self.code.get(&at) {
            return Ok(*known);
        }
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.tracee.word(at)?.to_le_bytes());
        // The last instruction of a mapping may be shorter.
        let rest = self.tracee.word(at + 8).unwrap_or_default();
        bytes[8..].copy_from_slice(&rest.to_le_bytes());
        let before = self.tracee.word(at - 4).unwrap_or_default() as u32;
        if before == SEQUENCE_MARK {
            return Err(Failure::absent(
                "an op has a restartable sequence (rseq), which each step restarts, so it never ends; use another \
                 allocator, or one without per-processor caches",
            ));
        }
        let opcode = opcode(&bytes);
        self.code.insert(at, opcode);
        Ok(opcode)
    }

    /// Executes everything up to an address at once.
    fn run_to(&mut self, to: u64) -> Result<Registers, Failure> {
        let word = self.tracee.word(to)?;
        self.tracee.set_word(to, word & !0xFF | 0xCC)?;
        self.tracee.resume(0)?;
        let registers = self.trapped()?;
        self.tracee.set_word(to, word)?;
        if registers.instruction() != to + 1 {
            return Err(Failure::breakpoints());
        }
        self.tracee.move_to(registers, to)?;
        Ok(self.tracee.registers()?)
    }

    pub(super) fn run(&self, signal: i32) -> Result<(), Failure> {
        self.tracee
            .resume(signal)
            .or_else(|error| match error.raw_os_error() {
                // Not stopped yet: it has just been started.
                Some(3) => Ok(()),
                _ => Err(error.into()),
            })
    }

    /// Waits for a trap, while the process runs by itself, or in a call of the system.
    pub(super) fn trapped(&self) -> Result<Registers, Failure> {
        loop {
            match self.tracee.stop(false)? {
                None => {
                    (self.time_left)(false)?;
                    thread::sleep(LOOK);
                }
                Some(Stop::Signal(SIGTRAP)) => return Ok(self.tracee.registers()?),
                Some(Stop::Signal(signal)) => self.run(signal)?,
                Some(Stop::Other) => self.run(0)?,
                stop => return Err(stopped(stop)),
            }
        }
    }
}

/// Why a process that has stopped in another way than by a trap cannot be followed.
fn stopped(stop: Option<Stop>) -> Failure {
    match stop {
        Some(Stop::Signal(signal)) => {
            Failure::absent(&format!("signal {signal} reaches it during an op"))
        }
        _ => Failure::Ended,
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.raw_os_error() {
            // ESRCH
            Some(3) => Failure::Ended,
            _ => Failure::absent(&format!("the worker cannot be followed: {error}")),
        }
    }
}
