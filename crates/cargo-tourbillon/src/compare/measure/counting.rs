//! Counts allocations after the timed pairs, which counting would disturb.

use tourbillon_record::Memory;
use tourbillon_runner::{WorkerOutcome, memory_plan, not_counted, run_worker};

use super::candidate::{Candidate, Common, RunEnd};
use super::places::Places;
use crate::compare::counts::{Counts, Pair, Tally};

/// Approximate time for the rows of a memory visit.
const VISIT_NS: u64 = 50_000_000;
/// Memory visits of each build; the second shows whether counts vary.
const VISITS: u32 = 2;
/// If the builds differ, the visits are doubled before that is reported, because two varying counts
/// can agree by chance.
const VISITS_OF_OTHERS: u32 = 4;

/// Counts the allocations of both builds.
pub(super) struct Counting<'c, 'p> {
    common: &'c Common<'c>,
    places: &'c Places<'p>,
    /// Executables that cannot count, with their side and the reason.
    unable: Vec<(usize, usize, String)>,
}

/// The result of one memory visit.
enum Visited {
    Counted(Box<Memory>),
    Not(Tally),
    Interrupted,
}

impl<'c, 'p> Counting<'c, 'p> {
    pub(super) fn new(common: &'c Common<'c>, places: &'c Places<'p>) -> Counting<'c, 'p> {
        Counting {
            common,
            places,
            unable: Vec::new(),
        }
    }

    /// Counts a case that was measured.
    pub(super) fn count(&mut self, candidate: &mut Candidate) -> RunEnd {
        if candidate.fault.is_some() || candidate.launches.is_empty() {
            return RunEnd::On;
        }
        let mut firsts = Vec::new();
        for side in 0..2 {
            match self.visit(candidate, side, 0, None) {
                Visited::Counted(memory) => firsts.push(*memory),
                Visited::Not(why) => {
                    candidate.counts.sides[side] = why;
                    if let (1, Some(first)) = (side, firsts.pop()) {
                        candidate.counts.sides[0] = Tally::Counted(vec![first]);
                    }
                    return RunEnd::On;
                }
                Visited::Interrupted => return RunEnd::Interrupted,
            }
        }
        // The same iterations on both sides: growth that occurs once in many iterations would fall
        // into rows of different lengths otherwise.
        let Some(rows) = firsts.iter().min_by_key(|visit| iterations(visit)).cloned() else {
            return RunEnd::On;
        };
        let mut visits = [Vec::new(), Vec::new()];
        for (side, first) in firsts.into_iter().enumerate() {
            if first.iterations == rows.iterations {
                visits[side].push(first);
            }
        }
        for launch in 0..VISITS_OF_OTHERS {
            if launch == VISITS && !differ(&candidate.id, &visits) {
                break;
            }
            for (side, visits) in visits.iter_mut().enumerate() {
                if visits.len() > launch as usize {
                    continue;
                }
                match self.visit(candidate, side, launch, Some(&rows)) {
                    Visited::Counted(memory) => visits.push(*memory),
                    Visited::Not(why) => {
                        candidate.counts.sides[side] = why;
                        return RunEnd::On;
                    }
                    Visited::Interrupted => return RunEnd::Interrupted,
                }
            }
        }
        candidate.counts.sides = visits.map(Tally::Counted);
        RunEnd::On
    }

    fn visit(
        &mut self,
        candidate: &Candidate,
        side: usize,
        launch: u32,
        rows: Option<&Memory>,
    ) -> Visited {
        let executable = [candidate.old, candidate.new][side];
        let known = self.unable.iter();
        let mut known = known.filter(|(of, number, _)| (*of, *number) == (side, executable));
        if let Some((.., why)) = known.next() {
            return Visited::Not(Tally::Unable(why.clone()));
        }
        let (common, id) = (self.common, &candidate.id);
        let plan = memory_plan(&common.settings, id, launch, rows, VISIT_NS);
        let built = self.places.built(side, executable);
        let mut spawner = common.spawner.alone(built);
        let came = run_worker(&plan, common.timeout_ns, &mut spawner, common.run_clock);
        let unable = match came {
            WorkerOutcome::Interrupted => return Visited::Interrupted,
            WorkerOutcome::Fault(fault) => {
                return Visited::Not(Tally::Failed(not_counted(&fault)));
            }
            WorkerOutcome::Visit(_) | WorkerOutcome::Rounds(_) => {
                "it was built without the feature mem of tourbillon".to_owned()
            }
            WorkerOutcome::Memory(mut memory) => match &memory.counts {
                Ok(_) => {
                    memory.arm = Some(side as u8);
                    return Visited::Counted(memory);
                }
                Err(why) => why.clone(),
            },
        };
        self.unable.push((side, executable, unable.clone()));
        Visited::Not(Tally::Unable(unable))
    }
}

/// Whether the visits of two builds differ so far.
fn differ(case: &str, visits: &[Vec<Memory>; 2]) -> bool {
    let counts = Counts {
        sides: visits.clone().map(Tally::Counted),
    };
    counts.pairs(case).iter().any(Pair::differs)
}

fn iterations(visit: &Memory) -> u64 {
    visit.iterations.iter().sum()
}
