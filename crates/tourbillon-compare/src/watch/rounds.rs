//! Builds and measures after each save.

use std::cell::RefCell;
use std::convert::Infallible;
use std::path::PathBuf;

use tourbillon_tool::exit::{INTERRUPTED, Stop};

use super::event::{CaseCounts, Event, Verdicts};

/// What files are saved.
pub(super) trait Saves {
    /// Waits for the next save; `None` after an interrupt.
    fn next(&mut self) -> Option<Vec<PathBuf>>;
    /// Whether there is one already.
    fn has_come(&mut self) -> bool;
    /// The tree is built and measured from now on.
    fn begin_round(&mut self);
    /// It is no more; the files that changed meanwhile and are no save, because programs write them.
    fn end_round(&mut self) -> Vec<PathBuf>;
}

/// The reference and the tree.
pub(super) trait Sides {
    /// Builds the tree, and finds out which cases are measured.
    fn prepare(&mut self) -> Result<CaseCounts, Stop>;
    /// Measures them; `None` when the result `is_outdated`.
    fn measure(&mut self, is_outdated: &dyn Fn() -> bool) -> Result<Option<Verdicts>, Stop>;
}

/// Builds and measures at once and after each save, until an interrupt or until `tell` cannot tell what happens.
pub(super) fn run(
    saves: &mut impl Saves,
    sides: &mut impl Sides,
    tell: &mut impl FnMut(Event) -> Result<(), Stop>,
) -> Result<Infallible, Stop> {
    loop {
        saves.begin_round();
        let ended = round(saves, sides, tell);
        let unheeded = saves.end_round();
        ended?;
        if !unheeded.is_empty() {
            tell(Event::Unheeded(unheeded))?;
        }
        let saved = saves.next().ok_or(Stop::Code(INTERRUPTED))?;
        tell(Event::Saved(saved))?;
    }
}

/// Builds and measures once.
fn round(
    saves: &mut impl Saves,
    sides: &mut impl Sides,
    tell: &mut impl FnMut(Event) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let counts = match sides.prepare() {
        Ok(counts) => counts,
        Err(stop) => return failed(stop, tell),
    };
    if saves.has_come() {
        return Ok(());
    }
    tell(Event::Measuring(counts))?;
    let saves = RefCell::new(saves);
    match sides.measure(&|| saves.borrow_mut().has_come()) {
        Ok(Some(verdicts)) => tell(Event::Compared(Box::new(verdicts))),
        Ok(None) => tell(Event::Outdated),
        Err(stop) => failed(stop, tell),
    }
}

/// Tells why there are no verdicts; only an interrupt ends the program.
fn failed(stop: Stop, tell: &mut impl FnMut(Event) -> Result<(), Stop>) -> Result<(), Stop> {
    match stop {
        Stop::Code(INTERRUPTED) => Err(stop),
        stop => {
            let (code, text) = stop.into_parts();
            tell(Event::Failed(code, text))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use tourbillon_tool::exit::PANICKED;

    use super::*;

    /// What the tree is after a save.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Tree {
        Builds,
        Broken,
        /// Another save comes before it is built.
        SavedWhileBuilding,
        /// Another save comes before it is measured.
        SavedWhileMeasuring,
        /// A file changes that is no save.
        WritesLog,
    }

    /// Saves of a file each, with what the tree is then.
    struct Script {
        trees: VecDeque<(&'static str, Tree)>,
        looks: usize,
    }

    impl Saves for Script {
        fn next(&mut self) -> Option<Vec<PathBuf>> {
            self.looks = 0;
            self.trees.pop_front();
            let (file, _) = self.trees.front()?;
            Some(vec![file.into()])
        }

        fn has_come(&mut self) -> bool {
            self.look()
        }

        fn begin_round(&mut self) {}

        fn end_round(&mut self) -> Vec<PathBuf> {
            match self.trees.front() {
                Some((_, Tree::WritesLog)) => vec!["log".into()],
                _ => Vec::new(),
            }
        }
    }

    impl Script {
        fn look(&mut self) -> bool {
            self.looks += 1;
            match self.trees[0].1 {
                Tree::Builds | Tree::Broken | Tree::WritesLog => false,
                Tree::SavedWhileBuilding => true,
                Tree::SavedWhileMeasuring => self.looks > 3,
            }
        }
    }

    /// Builds a tree for as long as the script says, and measures in five steps.
    struct Built<'s> {
        broken: VecDeque<bool>,
        end: &'s dyn Fn() -> bool,
    }

    impl Sides for Built<'_> {
        fn prepare(&mut self) -> Result<CaseCounts, Stop> {
            if self.broken.pop_front().unwrap_or_default() {
                return Err(Stop::Failed(PANICKED, "does not build".to_owned()));
            }
            Ok(CaseCounts::default())
        }

        fn measure(&mut self, is_outdated: &dyn Fn() -> bool) -> Result<Option<Verdicts>, Stop> {
            if (self.end)() {
                return Err(Stop::Code(INTERRUPTED));
            }
            let is_over = (0..5).any(|_| is_outdated());
            Ok((!is_over).then(Verdicts::default))
        }
    }

    /// The names of all events.
    fn events(trees: &[(&'static str, Tree)], end: &dyn Fn() -> bool) -> Vec<String> {
        let mut saves = Script {
            trees: trees.iter().copied().collect(),
            looks: 0,
        };
        let broken = trees.iter().map(|(_, tree)| *tree == Tree::Broken);
        let mut sides = Built {
            broken: broken.collect(),
            end,
        };
        let mut seen = Vec::new();
        let mut tell = |event: Event| {
            seen.push(match event {
                Event::Saved(files) => format!("saved {}", files[0].display()),
                Event::Failed(code, text) => format!("{code} {text}"),
                Event::Measuring(_) => "measuring".to_owned(),
                Event::Outdated => "outdated".to_owned(),
                Event::Unheeded(files) => format!("unheeded {}", files[0].display()),
                Event::Compared(_) => "compared".to_owned(),
                Event::Begun { .. } => "begun".to_owned(),
            });
            Ok(())
        };
        let Err(stop) = run(&mut saves, &mut sides, &mut tell);
        assert!(matches!(stop, Stop::Code(INTERRUPTED)), "{stop:?}");
        seen
    }

    #[test]
    fn each_save_is_built_and_compared() {
        let seen = events(
            &[
                ("", Tree::Builds),
                ("a", Tree::Broken),
                ("b", Tree::SavedWhileMeasuring),
                ("c", Tree::SavedWhileBuilding),
                ("d", Tree::WritesLog),
            ],
            &|| false,
        );
        let expected = [
            "measuring",
            "compared",
            "saved a",
            "101 does not build",
            "saved b",
            "measuring",
            "outdated",
            "saved c",
            "saved d",
            "measuring",
            "compared",
            "unheeded log",
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn an_interrupt_ends_the_measuring() {
        let seen = events(&[("", Tree::Builds), ("a", Tree::Builds)], &|| true);
        assert_eq!(seen, ["measuring"]);
    }
}
