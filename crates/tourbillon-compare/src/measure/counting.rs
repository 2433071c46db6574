//! Counts allocations after the timed pairs, which counting would disturb.

use std::collections::HashMap;
use std::ops::ControlFlow;

use tourbillon_coordinator::runner::{WorkerOutcome, memory_plan, not_counted, run_worker};
use tourbillon_record::Memory;

use super::candidate::Candidate;
use super::placed_builds::PlacedBuilds;
use super::terms::Common;
use crate::counts::{Counts, Pair, Tally};

/// Memory launches of each build; the second shows whether counts vary.
const LAUNCHES: u32 = 2;
/// If the builds differ, the launches are doubled before that is reported, because two varying counts
/// can agree by chance.
const LAUNCHES_OF_OTHERS: u32 = 4;

/// Counts the allocations of both builds.
pub(super) struct Counting<'c, 'p> {
    common: &'c Common<'c>,
    placed: &'c PlacedBuilds<'p>,
    /// Executables that cannot count: their pair and side, and the reason.
    unable: HashMap<(usize, usize), String>,
}

impl<'c, 'p> Counting<'c, 'p> {
    pub(super) fn new(common: &'c Common<'c>, placed: &'c PlacedBuilds<'p>) -> Counting<'c, 'p> {
        Counting {
            common,
            placed,
            unable: HashMap::new(),
        }
    }

    /// Counts a case that was measured; breaks when interrupted.
    pub(super) fn count(&mut self, candidate: &mut Candidate) -> ControlFlow<()> {
        if candidate.fault.is_none() && !candidate.launches.is_empty() {
            candidate.counts.sides = self.both(candidate)?;
        }
        ControlFlow::Continue(())
    }

    fn both(&mut self, candidate: &Candidate) -> ControlFlow<(), [Tally; 2]> {
        let first = match self.launch(candidate, 0, 0, None)? {
            Ok(memory) => memory,
            Err(why) => return ControlFlow::Continue([why, Tally::NotRequested]),
        };
        let second = match self.launch(candidate, 1, 0, None)? {
            Ok(memory) => memory,
            Err(why) => return ControlFlow::Continue([Tally::Counted(vec![first]), why]),
        };
        // The same iterations on both sides: growth that occurs once in many iterations would fall
        // into rows of different lengths otherwise.
        let fewer = iterations(&first) <= iterations(&second);
        let rows = if fewer { &first } else { &second }.clone();
        let mut launches = [vec![first], vec![second]];
        for launches in &mut launches {
            launches.retain(|launch| launch.iterations == rows.iterations);
        }
        for launch in 0..LAUNCHES_OF_OTHERS {
            if launch == LAUNCHES && !differ(&candidate.case.id, &launches) {
                break;
            }
            for side in 0..2 {
                if launches[side].len() > launch as usize {
                    continue;
                }
                match self.launch(candidate, side, launch, Some(&rows))? {
                    Ok(memory) => launches[side].push(memory),
                    Err(why) => {
                        let mut sides = [Tally::NotRequested, Tally::NotRequested];
                        sides[side] = why;
                        return ControlFlow::Continue(sides);
                    }
                }
            }
        }
        ControlFlow::Continue(launches.map(Tally::Counted))
    }

    /// One memory launch, or why there is none.
    fn launch(
        &mut self,
        candidate: &Candidate,
        side: usize,
        launch: u32,
        rows: Option<&Memory>,
    ) -> ControlFlow<(), Result<Memory, Tally>> {
        let executable = (candidate.pair, side);
        if let Some(why) = self.unable.get(&executable) {
            return ControlFlow::Continue(Err(Tally::Unable(why.clone())));
        }
        let id = [&candidate.reference, &candidate.case.id][side];
        let common = self.common;
        let plan = memory_plan(&common.settings, id, launch, rows, common.pace.memory_ns);
        let mut spawner = common
            .spawner
            .alone(&self.placed.built(candidate.pair)[side]);
        let outcome = run_worker(&plan, common.timeout_ns, &mut spawner, common.run_clock);
        let unable = match outcome {
            WorkerOutcome::Interrupted => return ControlFlow::Break(()),
            WorkerOutcome::Fault(fault) => {
                return ControlFlow::Continue(Err(Tally::Failed(not_counted(&fault))));
            }
            WorkerOutcome::Launch(_) | WorkerOutcome::Followed(_) => {
                "it was built without the feature mem of tourbillon".to_owned()
            }
            WorkerOutcome::Memory(mut memory) => match &memory.counts {
                Ok(_) => {
                    memory.arm = Some(side as u8);
                    return ControlFlow::Continue(Ok(*memory));
                }
                Err(why) => why.clone(),
            },
        };
        self.unable.insert(executable, unable.clone());
        ControlFlow::Continue(Err(Tally::Unable(unable)))
    }
}

/// Whether the launches of two builds differ so far.
fn differ(case: &str, launches: &[Vec<Memory>; 2]) -> bool {
    let counts = Counts {
        sides: launches.clone().map(Tally::Counted),
        ..Counts::default()
    };
    counts.pairs(case).iter().any(Pair::differs)
}

fn iterations(launch: &Memory) -> u64 {
    launch.iterations.iter().sum()
}
