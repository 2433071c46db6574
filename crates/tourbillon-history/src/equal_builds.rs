//! Which runs are of equally compiled programs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use tourbillon_record::{Compilation, CompiledOtherwise};

use crate::index::{IndexedRun, Point, compilation};
use crate::short_names::short_commit;

/// How many numbers of a target a run is compared with, the newest ones: each run may have been compiled otherwise, in a
/// folder of its own for instance. Of older ones those are known whose text is the same.
const NEWEST: usize = 100;

/// Numbers of runs: equal ones are of equally compiled programs of one target on one kind of machine.
#[derive(Default)]
pub(crate) struct EqualBuilds {
    of_runs: Vec<usize>,
    /// What all runs of a number know together.
    known: Vec<Compilation>,
}

impl EqualBuilds {
    /// Numbers these runs, which are in order. A run that does not know how its program was compiled belongs to the one
    /// before it.
    pub(crate) fn of(runs: &[IndexedRun]) -> EqualBuilds {
        let mut builds = EqualBuilds::default();
        let mut parsed: HashMap<&str, Compilation> = HashMap::new();
        // For each target on each kind of machine, its numbers, the newest last.
        let mut of_targets: HashMap<[&str; 3], Vec<usize>> = HashMap::new();
        let mut of_texts: HashMap<([&str; 3], &str), usize> = HashMap::new();
        for run in runs {
            let text = run.compilation.as_deref().unwrap_or_default();
            let own = &*parsed.entry(text).or_insert_with(|| compilation(text));
            let target = [&*run.package, &run.target, &run.machine];
            let numbers = of_targets.entry(target).or_default();
            let is_equal = |number: &usize| own.otherwise(&builds.known[*number]).is_empty();
            let older = numbers.len().saturating_sub(NEWEST);
            let place = numbers[older..].iter().rposition(is_equal);
            let place = place.map(|place| older + place).or_else(|| {
                let same = of_texts.get(&(target, text))?;
                numbers.iter().rposition(|number| number == same)
            });
            let number = match place {
                Some(place) => numbers.remove(place),
                None => {
                    builds.known.push(Compilation::default());
                    builds.known.len() - 1
                }
            };
            builds.known[number].learn(own);
            numbers.push(number);
            of_texts.insert((target, text), number);
            builds.of_runs.push(number);
        }
        builds
    }

    /// Divides the points of a series, each with the place of its run among all.
    pub(crate) fn parts<'r>(
        &self,
        runs: &'r [IndexedRun],
        points: impl Iterator<Item = (usize, Point)>,
    ) -> Vec<EqualPart<'r>> {
        let mut parts: Vec<EqualPart<'r>> = Vec::new();
        let mut places = HashMap::new();
        for (place, point) in points {
            let number = self.of_runs[place];
            let own = match places.entry(number) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(vacant) => {
                    let before = parts.last().map(|part| &self.known[part.number]);
                    let otherwise = before.map(|then| self.known[number].otherwise(then));
                    parts.push(EqualPart {
                        number,
                        points: Vec::new(),
                        otherwise: otherwise.unwrap_or_default(),
                    });
                    *vacant.insert(parts.len() - 1)
                }
            };
            parts[own].points.push((&runs[place], point));
        }
        parts
    }
}

/// The points of a series whose programs were equally compiled: only these are compared with each other.
pub(crate) struct EqualPart<'r> {
    /// The number of its runs.
    pub(crate) number: usize,
    /// In the order of the runs.
    pub(crate) points: Vec<(&'r IndexedRun, Point)>,
    /// What differs from the part of the series before it.
    pub(crate) otherwise: Vec<CompiledOtherwise>,
}

impl<'r> EqualPart<'r> {
    /// Its first run, and what differs from the part before it; `None` for the first part.
    pub(crate) fn divide(&self) -> Option<Divide<'r>> {
        let (first, _) = self.points.first()?;
        let facts: Vec<String> = self.otherwise.iter().map(ToString::to_string).collect();
        (!facts.is_empty()).then(|| Divide {
            first,
            facts: facts.join("; "),
        })
    }
}

/// Where a series is divided.
#[derive(Clone)]
pub(crate) struct Divide<'r> {
    /// The first run behind it.
    pub(crate) first: &'r IndexedRun,
    /// What differs.
    pub(crate) facts: String,
}

impl<'r> Divide<'r> {
    /// Those that differ, each with the number of its series.
    pub(crate) fn counted(all: &[Divide<'r>]) -> Vec<(Divide<'r>, usize)> {
        let mut counted: Vec<(Divide<'r>, usize)> = Vec::new();
        let mut places = HashMap::new();
        for one in all {
            let place = *places
                .entry((one.first.number, &one.facts))
                .or_insert_with(|| {
                    counted.push((one.clone(), 0));
                    counted.len() - 1
                });
            counted[place].1 += 1;
        }
        counted
    }

    /// In a line.
    pub(crate) fn words(&self) -> String {
        let commit = self.first.commit.as_deref();
        let from = commit.map_or("a run without a commit", short_commit);
        let facts = &self.facts;
        format!("other conditions from {from} on, so no change there is shown: {facts}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(number: usize, compilation: Option<&str>) -> IndexedRun {
        IndexedRun {
            number: number as i64,
            record: String::new(),
            commit: Some(format!("c{number}")),
            started_unix_ns: 0,
            package: String::new(),
            target: String::new(),
            machine: String::new(),
            machine_name: String::new(),
            host: String::new(),
            compilation: compilation.map(str::to_owned),
            more_is_better: None,
        }
    }

    #[test]
    fn only_runs_of_equal_programs_are_in_one_part() {
        let [three, one] = [r#"{"opt_level":"3"}"#, r#"{"opt_level":"1"}"#];
        let fat = r#"{"opt_level":"3","lto":"fat"}"#;
        let off = r#"{"opt_level":"3","lto":"off"}"#;
        let divided = |texts: &[Option<&str>]| {
            let runs: Vec<IndexedRun> = texts
                .iter()
                .zip(0..)
                .map(|(text, number)| run(number, *text))
                .collect();
            let point = |run: usize| Point {
                run: run as i64,
                value: 1.0,
                lower: None,
                upper: None,
            };
            let points = (0..runs.len()).map(|place| (place, point(place)));
            let parts = EqualBuilds::of(&runs).parts(&runs, points);
            let shown = parts.iter().map(|part| {
                let runs: Vec<i64> = part.points.iter().map(|(run, _)| run.number).collect();
                let words = part.divide().map(|divide| divide.words());
                (runs, words.unwrap_or_default())
            });
            shown.collect::<Vec<_>>()
        };
        let line = |from: &str, facts: &str| {
            format!("other conditions from {from} on, so no change there is shown: {facts}")
        };
        assert_eq!(
            divided(&[Some(three), Some(three), Some(one), Some(three), Some(one)]),
            [
                (vec![0, 1, 3], String::new()),
                (vec![2, 4], line("c2", "opt_level 3, now 1"))
            ]
        );
        // What is not known is no difference, and what is learned later is known.
        assert_eq!(
            divided(&[None, Some(three), Some(fat), None, Some(off), Some(three)]),
            [
                (vec![0, 1, 2, 3], String::new()),
                (vec![4, 5], line("c4", "lto fat, now off"))
            ]
        );
        assert_eq!(divided(&[None, None]), [(vec![0, 1], String::new())]);
        // Behind many others.
        let many: Vec<String> = (0..2 * NEWEST)
            .map(|n| format!(r#"{{"opt_level":"{n}"}}"#))
            .collect();
        let mut texts: Vec<Option<&str>> = many.iter().map(|text| Some(&**text)).collect();
        texts.push(Some(&many[0]));
        assert_eq!(divided(&texts)[0].0, [0, 2 * NEWEST as i64]);
    }
}
