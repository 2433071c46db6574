//! The executables of two builds in their placements.

use std::thread;

use tourbillon_builds::{Executable, NotRelinkable, Placed, Placements, Shared};
use tourbillon_clock::Stopwatch;
use tourbillon_tool::screen::ProgressLine;

use super::spawner::Side;
use crate::measurement::Links;
use crate::options::Options;
use crate::pairing::Comparison;

/// The placements of both builds.
#[derive(Debug)]
pub(super) struct PlacedBuilds<'c> {
    options: &'c Options,
    /// In the order of the comparison.
    pairs: Vec<Pair<'c>>,
    linking: Linking,
}

/// What was linked, and the time that it took.
#[derive(Clone, Debug, Default)]
pub(super) struct Linking {
    pub(super) links: Links,
    /// Nanoseconds in which at least one executable was linked.
    pub(super) wall_ns: u64,
}

/// The executables of both sides.
#[derive(Debug)]
struct Pair<'c> {
    built: [Side; 2],
    /// In their placements. Empty: as built only.
    moved: Vec<[Side; 2]>,
    /// How more placements are made.
    linker: Option<Linker<'c>>,
}

#[derive(Debug)]
struct Linker<'c> {
    of: [&'c Placements; 2],
    /// What the executables have in common.
    shared: Shared,
}

impl<'c> PlacedBuilds<'c> {
    /// All executables in the placement of their builds alone.
    pub(super) fn as_built(comparison: &Comparison, options: &'c Options) -> PlacedBuilds<'c> {
        let pairs = (0..comparison.pairs.len()).map(|number| {
            let [old, new] = comparison.executables(number);
            Pair {
                built: [
                    Side::of(&comparison.old, old),
                    Side::of(&comparison.new, new),
                ],
                moved: Vec::new(),
                linker: None,
            }
        });
        PlacedBuilds {
            options,
            pairs: pairs.collect(),
            linking: Linking::default(),
        }
    }

    /// Makes the placements of all executables with cases, and reports which have none.
    pub(super) fn make(
        comparison: &'c Comparison,
        options: &'c Options,
        line: &mut ProgressLine,
    ) -> PlacedBuilds<'c> {
        let mut placed = PlacedBuilds::as_built(comparison, options);
        for (number, pair) in placed.pairs.iter_mut().enumerate() {
            let [old, new] = comparison.executables(number);
            // Other shards may have all cases of a pair, or they are unchanged.
            let mut cases = comparison.cases.iter();
            let is_used = cases.any(|case| case.pair == number && !comparison.is_unchanged(case));
            if is_used
                && options.has_placements()
                && let Err(reason) = pair.link([old, new], options, &mut placed.linking, line)
            {
                let name = old.name();
                line.remark(&format!(
                    "{name} is measured in one placement, that of its build: {reason}; a change of \
                     placement can look like a change of a few per cent"
                ));
            }
        }
        placed
    }

    /// The executables of a pair as they were built.
    pub(super) fn built(&self, pair: usize) -> &[Side; 2] {
        &self.pairs[pair].built
    }

    /// What was linked so far.
    pub(super) fn linking(&self) -> &Linking {
        &self.linking
    }

    /// Both sides of a launch, and the number of the placement: a new one for every launch unless
    /// fewer were requested, because a repeated placement adds no information about placements. If linking
    /// fails after the first ones succeeded, existing placements are repeated.
    pub(super) fn pair(&mut self, pair: usize, launch: u32) -> (&[Side; 2], Option<u64>) {
        let pair = &mut self.pairs[pair];
        let count = pair.moved.len() as u32;
        if let Some(linker) = &pair.linker
            && !self.options.layouts_limited()
            && launch >= count
            && let Ok(sides) = linker.link(&pair.built, count, self.options, &mut self.linking)
        {
            pair.moved.push(sides);
        }
        let at = launch as usize % pair.moved.len().max(1);
        match pair.moved.get(at) {
            Some(sides) => (sides, Some(at as u64)),
            None => (&pair.built, None),
        }
    }
}

impl<'c> Pair<'c> {
    /// Makes the first placements.
    fn link(
        &mut self,
        executables: [&'c Executable; 2],
        options: &Options,
        linking: &mut Linking,
        line: &mut ProgressLine,
    ) -> Result<(), NotRelinkable> {
        let [old, new] = executables.map(|executable| executable.placements.as_ref());
        let of = [old.map_err(Clone::clone)?, new.map_err(Clone::clone)?];
        let shared = of[0].shared(of[1]);
        let linker = Linker { of, shared };
        let mut moved = Vec::new();
        let count = options.layouts();
        for number in 0..count {
            line.show(&format!("linking placements: {number} of {count}"));
            moved.push(linker.link(&self.built, number, options, linking)?);
        }
        self.moved = moved;
        self.linker = Some(linker);
        Ok(())
    }
}

impl Linker<'_> {
    /// The executables in one placement. Both are linked at once, because linking mostly uses one thread.
    fn link(
        &self,
        built: &[Side; 2],
        number: u32,
        options: &Options,
        linking: &mut Linking,
    ) -> Result<[Side; 2], NotRelinkable> {
        let stopwatch = Stopwatch::start();
        let ([one, other], seed) = (self.of, options.placement(number));
        let placed: [Placed; 2] = if one.are_those_of(other) {
            [one.get(seed, &self.shared)?, other.get(seed, &self.shared)?]
        } else {
            thread::scope(|scope| {
                let thread = scope.spawn(|| other.get(seed, &self.shared));
                let placed = one.get(seed, &self.shared);
                let panicked = "the linking thread panicked".to_owned();
                let beside = thread
                    .join()
                    .unwrap_or(Err(NotRelinkable::Failed(panicked)));
                Ok([placed?, beside?])
            })?
        };
        if placed.iter().any(|one| one.link_ns.is_some()) {
            linking.wall_ns += stopwatch.elapsed_ns();
        }
        let alike = one.are_alike() && other.are_alike();
        let [old, new] = placed;
        linking.links.note(old.link_ns);
        linking.links.note(new.link_ns);
        Ok([built[0].at(old.path, alike), built[1].at(new.path, alike)])
    }
}
