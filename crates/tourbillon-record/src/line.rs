use crate::Memory;
use crate::{Case, CaseResult, End, Fault, Header, Rounds, Verdict, Visit};

/// One line of a stored run.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// What ran, where, and with which settings; the first line.
    Header(Header),
    /// A case that the run selected.
    Case(Case),
    /// The raw samples of one visit.
    Visit(Box<Visit>),
    /// What a memory visit counted.
    Memory(Memory),
    /// A visit that failed.
    Fault(Fault),
    /// What the samples of one case and metric amount to.
    Result(CaseResult),
    /// The raw samples of arms that were compared.
    Rounds(Rounds),
    /// What a comparison came to.
    Verdict(Verdict),
    /// How the run ended; absent when it was killed.
    End(End),
}
