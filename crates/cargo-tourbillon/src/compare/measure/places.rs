//! The executables of two builds in their placements.

use std::thread;

use tourbillon_builds::{Executable, NotRelinkable, Placed, Placements, Shared};
use tourbillon_clock::Stopwatch;

use super::spawner::Side;
use crate::compare::measured::Links;
use crate::compare::options::Options;
use crate::compare::pairing::Comparison;
use crate::screen::ProgressLine;

/// The placements of both builds.
#[derive(Debug)]
pub(super) struct Places<'c> {
    comparison: &'c Comparison,
    options: &'c Options,
    /// The executables of each side.
    sides: [Vec<Program>; 2],
    linking: Linking,
}

/// What was linked, and the time that it took.
#[derive(Clone, Debug, Default)]
pub(super) struct Linking {
    pub(super) links: Links,
    /// Nanoseconds in which at least one executable was linked.
    pub(super) wall_ns: u64,
}

/// An executable.
#[derive(Debug)]
struct Program {
    built: Side,
    /// Its placements. Empty: as built only.
    moved: Vec<Side>,
    /// What it shares with the other side's executable.
    shared: Option<Shared>,
}

impl<'c> Places<'c> {
    /// Makes the placements of all executables with cases, and reports which have none.
    pub(super) fn make(
        comparison: &'c Comparison,
        options: &'c Options,
        line: &mut ProgressLine,
    ) -> Places<'c> {
        let mut sides = [&comparison.old, &comparison.new].map(|build| {
            let each = build.executables.iter();
            let placed = each.map(|executable| Program {
                built: Side::of(build, executable),
                moved: Vec::new(),
                shared: None,
            });
            placed.collect::<Vec<Program>>()
        });
        let mut linking = Linking::default();
        let mut done: Vec<(usize, usize)> = Vec::new();
        for case in &comparison.cases {
            let pair = (case.old, case.new);
            if done.contains(&pair) || !options.places() {
                continue;
            }
            done.push(pair);
            let (old, new) = (
                &comparison.old.executables[case.old],
                &comparison.new.executables[case.new],
            );
            let built = [&sides[0][case.old].built, &sides[1][case.new].built];
            match moved([old, new], options, built, &mut linking, line) {
                Ok((moved, shared)) => {
                    let [olds, news] = moved;
                    (sides[0][case.old].moved, sides[1][case.new].moved) = (olds, news);
                    sides[0][case.old].shared = Some(shared.clone());
                    sides[1][case.new].shared = Some(shared);
                }
                Err(reason) => line.remark(&format!(
                    "{} is measured in one placement, that of its build: {reason}; a change of \
                     placement can look like a change of a few per cent",
                    old.name()
                )),
            }
        }
        Places {
            comparison,
            options,
            sides,
            linking,
        }
    }

    /// An executable as it was built.
    pub(super) fn built(&self, side: usize, executable: usize) -> &Side {
        &self.sides[side][executable].built
    }

    /// What was linked so far.
    pub(super) fn linking(&self) -> &Linking {
        &self.linking
    }

    /// Both sides of a launch, and the number of the placement: a new one for every launch unless
    /// fewer were requested, because a repeated placement adds no information about placements.
    pub(super) fn pair(
        &mut self,
        old: usize,
        new: usize,
        launch: u32,
    ) -> (Side, Side, Option<u64>) {
        self.grow(old, new, launch);
        let [olds, news] = [&self.sides[0][old], &self.sides[1][new]];
        let count = olds.moved.len().min(news.moved.len());
        if count == 0 {
            return (olds.built.clone(), news.built.clone(), None);
        }
        let at = launch as usize % count;
        (
            olds.moved[at].clone(),
            news.moved[at].clone(),
            Some(at as u64),
        )
    }

    /// Links the placement of a launch if needed. If that fails after the first ones succeeded,
    /// existing placements are repeated.
    fn grow(&mut self, old: usize, new: usize, launch: u32) {
        let [olds, news] = &mut self.sides;
        let programs = [&mut olds[old], &mut news[new]];
        let made = programs[0].moved.len().min(programs[1].moved.len()) as u32;
        if self.options.layouts_limited() || launch < made {
            return;
        }
        let (one, other) = (
            &self.comparison.old.executables[old],
            &self.comparison.new.executables[new],
        );
        if let (Ok(one), Ok(other)) = (&one.placements, &other.placements)
            && let Some(shared) = &programs[0].shared
            && let Ok(placed) =
                self.linking
                    .both([one, other], self.options.placement(made), shared)
        {
            let alike = one.are_alike() && other.are_alike();
            for (program, one) in programs.into_iter().zip(placed) {
                program.moved.push(program.built.at(one.path, alike));
            }
        }
    }
}

/// The first placements of two executables.
fn moved(
    executables: [&Executable; 2],
    options: &Options,
    built: [&Side; 2],
    linking: &mut Linking,
    line: &mut ProgressLine,
) -> Result<([Vec<Side>; 2], Shared), NotRelinkable> {
    let [old, new] = executables.map(|executable| executable.placements.as_ref());
    let (old, new) = (old.map_err(Clone::clone)?, new.map_err(Clone::clone)?);
    let shared = old.shared(new);
    let alike = old.are_alike() && new.are_alike();
    let mut moved = [Vec::new(), Vec::new()];
    for number in 0..options.layouts() {
        line.show(&format!(
            "linking placements: {number} of {}",
            options.layouts()
        ));
        let placed = linking.both([old, new], options.placement(number), &shared)?;
        for (side, one) in placed.into_iter().enumerate() {
            moved[side].push(built[side].at(one.path, alike));
        }
    }
    Ok((moved, shared))
}

impl Linking {
    /// One placement of two executables. Both are linked at once, because linking mostly uses one thread.
    fn both(
        &mut self,
        of: [&Placements; 2],
        seed: u64,
        shared: &Shared,
    ) -> Result<[Placed; 2], NotRelinkable> {
        let stopwatch = Stopwatch::start();
        let placed = if of[0].are_those_of(of[1]) {
            [of[0].get(seed, shared)?, of[1].get(seed, shared)?]
        } else {
            thread::scope(|scope| {
                let other = scope.spawn(|| of[1].get(seed, shared));
                let one = of[0].get(seed, shared);
                let panicked = "the linking thread panicked".to_owned();
                let other = other.join().unwrap_or(Err(NotRelinkable::Failed(panicked)));
                Ok([one?, other?])
            })?
        };
        if placed.iter().any(|one| one.link_ns.is_some()) {
            self.wall_ns += stopwatch.elapsed_ns();
        }
        for one in &placed {
            self.links.note(one.link_ns);
        }
        Ok(placed)
    }
}
