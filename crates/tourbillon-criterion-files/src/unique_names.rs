//! Names of which no two are alike, as criterion makes them: `x`, `x #2`, `x #3`.

use std::collections::HashMap;

/// The names that are taken.
#[derive(Debug)]
pub struct UniqueNames {
    /// What is before a number.
    separator: &'static str,
    /// Each with the last number that was tried for it.
    taken: HashMap<String, u64>,
}

impl UniqueNames {
    /// None is taken; numbers follow the separator.
    pub fn new(separator: &'static str) -> UniqueNames {
        UniqueNames {
            separator,
            taken: HashMap::new(),
        }
    }

    /// The ids of benchmarks.
    pub fn ids() -> UniqueNames {
        UniqueNames::new(" #")
    }

    /// Takes a name; where it is taken, the name with the first number from 2 up at its end that is not.
    pub fn next(&mut self, name: &str) -> String {
        let mut number = self.taken.get(name).copied().unwrap_or(0);
        let unique = loop {
            number += 1;
            if number == 1 {
                break name.to_owned();
            }
            let numbered = format!("{name}{}{number}", self.separator);
            if !self.taken.contains_key(&numbered) {
                self.taken.insert(numbered.clone(), 1);
                break numbered;
            }
        };
        self.taken.insert(name.to_owned(), number);
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_criterion_and_unique() {
        for (names, expected) in [
            (["a", "b", "a", "a"], ["a", "b", "a #2", "a #3"]),
            // A name may end as a number does.
            (["a", "a", "a #2", "a"], ["a", "a #2", "a #2 #2", "a #3"]),
            (["a #2", "a", "a", "a"], ["a #2", "a", "a #3", "a #4"]),
        ] {
            let mut ids = UniqueNames::ids();
            assert_eq!(names.map(|name| ids.next(name)), expected);
        }
    }

    #[test]
    fn the_next_number_is_found_without_trying_those_before_it() {
        let mut ids = UniqueNames::ids();
        for _ in 0..3 {
            ids.next("a");
        }
        assert_eq!(ids.taken["a"], 3);
    }
}
