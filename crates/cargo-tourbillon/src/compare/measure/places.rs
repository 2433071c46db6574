//! The executables of two builds in their placements.

use super::hiring::Side;
use crate::builds::{Executable, Fixed, Shared};
use crate::compare::pairing::Comparison;
use crate::compare::wishes::Wishes;

/// Where the code of both builds may lie.
#[derive(Debug)]
pub(super) struct Places<'c> {
    comparison: &'c Comparison,
    wishes: &'c Wishes,
    /// For each side the executables that are compared.
    sides: [Vec<Placed>; 2],
}

/// An executable.
#[derive(Debug)]
struct Placed {
    built: Side,
    /// The same in other placements. Empty: as built only.
    moved: Vec<Side>,
    /// What it shares with that of the other side.
    shared: Option<Shared>,
}

impl<'c> Places<'c> {
    /// Makes the placements of all executables with cases. What cannot be placed is told by `remark`.
    pub(super) fn make(
        comparison: &'c Comparison,
        wishes: &'c Wishes,
        remark: &mut dyn FnMut(String),
    ) -> Places<'c> {
        let mut sides = [&comparison.old, &comparison.new].map(|build| {
            let each = build.executables.iter();
            let placed = each.map(|executable| Placed {
                built: Side::of(build, executable),
                moved: Vec::new(),
                shared: None,
            });
            placed.collect::<Vec<Placed>>()
        });
        let mut done: Vec<(usize, usize)> = Vec::new();
        for case in &comparison.cases {
            let pair = (case.old, case.new);
            if done.contains(&pair) || wishes.layouts < 2 {
                continue;
            }
            done.push(pair);
            let (old, new) = (
                &comparison.old.executables[case.old],
                &comparison.new.executables[case.new],
            );
            let built = [&sides[0][case.old].built, &sides[1][case.new].built];
            match moved([old, new], wishes, built) {
                Ok((moved, shared)) => {
                    let [olds, news] = moved;
                    (sides[0][case.old].moved, sides[1][case.new].moved) = (olds, news);
                    sides[0][case.old].shared = Some(shared.clone());
                    sides[1][case.new].shared = Some(shared);
                }
                Err(fixed) => remark(format!(
                    "{} is measured where it was built, in one placement: {fixed}; a change of \
                     placement alone can look like a change of a few per cent",
                    old.name()
                )),
            }
        }
        Places {
            comparison,
            wishes,
            sides,
        }
    }

    /// An executable as it was built.
    pub(super) fn built(&self, side: usize, executable: usize) -> &Side {
        &self.sides[side][executable].built
    }

    /// Both sides of a launch, and the number of the placement: another one for every launch, unless
    /// fewer were asked for. A placement that is used twice says nothing new about placements.
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

    /// Links the placement of a launch where there is none yet. Should that fail, which it did not
    /// for the first ones, those that are there are used again.
    fn grow(&mut self, old: usize, new: usize, launch: u32) {
        let executables = [
            &self.comparison.old.executables[old],
            &self.comparison.new.executables[new],
        ];
        for (side, at) in [old, new].into_iter().enumerate() {
            let placed = &mut self.sides[side][at];
            let made = placed.moved.len() as u32;
            if self.wishes.layouts_limited || launch < made {
                continue;
            }
            if let Ok(placements) = &executables[side].placements
                && let Some(shared) = &placed.shared
                && let Ok(path) = placements.get(self.wishes.placement(made), shared)
            {
                let alike = placements.are_alike();
                placed.moved.push(placed.built.at(path, alike));
            }
        }
    }
}

/// The placements of two executables to begin with.
fn moved(
    executables: [&Executable; 2],
    wishes: &Wishes,
    built: [&Side; 2],
) -> Result<([Vec<Side>; 2], Shared), Fixed> {
    let [old, new] = executables.map(|executable| executable.placements.as_ref());
    let (old, new) = (old.map_err(Clone::clone)?, new.map_err(Clone::clone)?);
    let shared = old.shared(new);
    let alike = old.are_alike() && new.are_alike();
    let (mut olds, mut news) = (Vec::new(), Vec::new());
    for number in 0..wishes.layouts {
        let seed = wishes.placement(number);
        olds.push(built[0].at(old.get(seed, &shared)?, alike));
        news.push(built[1].at(new.get(seed, &shared)?, alike));
    }
    Ok(([olds, news], shared))
}
