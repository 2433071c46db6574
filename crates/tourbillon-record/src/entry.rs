use crate::Memory;
use crate::{Case, CaseResult, End, Fault, Header, Rounds, Verdict, Visit};

/// Version of the form of the lines; every line carries it.
pub const SCHEMA: u32 = 1;

/// What one line of a stored run holds, borrowed from where it is: to be written, it need not move.
#[derive(Clone, Copy, Debug)]
pub enum Entry<'r> {
    /// What ran, where, and with which settings; the first line.
    Header(&'r Header),
    /// A case that the run selected.
    Case(&'r Case),
    /// The raw samples of one visit.
    Visit(&'r Visit),
    /// What a memory visit counted.
    Memory(&'r Memory),
    /// A visit that failed.
    Fault(&'r Fault),
    /// What the samples of one case and metric amount to.
    Result(&'r CaseResult),
    /// The raw samples of arms that were compared.
    Rounds(&'r Rounds),
    /// What a comparison came to.
    Verdict(&'r Verdict),
    /// How the run ended; absent when it was killed.
    End(&'r End),
}
