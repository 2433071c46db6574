//! The executables of two builds in their placements.

use super::hiring::Side;
use crate::builds::{Executable, Fixed};
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
    /// The same in other placements; as many on both sides. Empty: as built only.
    moved: Vec<Side>,
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
            let moved = moved(old, wishes, &sides[0][case.old].built).and_then(|olds| {
                let news = moved(new, wishes, &sides[1][case.new].built)?;
                Ok((olds, news))
            });
            match moved {
                Ok((olds, news)) => {
                    sides[0][case.old].moved = olds;
                    sides[1][case.new].moved = news;
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
            if made == 0 || self.wishes.layouts_limited || launch < made {
                continue;
            }
            if let Ok(placements) = &executables[side].placements
                && let Ok(path) = placements.get(self.wishes.placement(made))
            {
                placed.moved.push(placed.built.at(path));
            }
        }
    }
}

fn moved(executable: &Executable, wishes: &Wishes, built: &Side) -> Result<Vec<Side>, Fixed> {
    let placements = executable.placements.as_ref().map_err(Clone::clone)?;
    let mut moved = Vec::new();
    for number in 0..wishes.layouts {
        let path = placements.get(wishes.placement(number))?;
        moved.push(built.at(path));
    }
    Ok(moved)
}
