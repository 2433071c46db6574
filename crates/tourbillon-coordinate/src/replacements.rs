use tourbillon_record::Visit;

use crate::estimate::{Beside, Standing, quiet_at_most, standing};

/// The launches of a case that have been made, and which of them had no busy neighbour.
#[derive(Clone, Debug, Default)]
pub(crate) struct Company {
    standings: Vec<Standing>,
}

impl Company {
    /// One more launch.
    pub(crate) fn count(&mut self, visit: &Visit) {
        let beside = Beside::of(visit);
        self.standings.push(standing(visit, &beside));
    }

    /// Launches that have been made.
    pub(crate) fn made(&self) -> u32 {
        self.standings.len() as u32
    }

    /// Those without a neighbour.
    fn quiet(&self) -> u32 {
        let most = quiet_at_most(&self.standings);
        let mut quiet = 0;
        for standing in &self.standings {
            quiet += u32::from(standing.is_quiet(most));
        }
        quiet
    }

    /// How many launches more a case gets that was to have `launches` and has no other left, so that
    /// the `needed` ones are without a neighbour, without which there is no interval across processes.
    ///
    /// As many as it takes if neighbours go on coming as often; all together at most as many again. A
    /// quarter where every launch had a neighbour, to see whether that one stays.
    pub(crate) fn replacements(&self, launches: u32, needed: u32) -> u32 {
        let (made, quiet) = (self.made(), self.quiet());
        if launches < needed || quiet >= needed {
            return 0;
        }
        if quiet == 0 {
            return if made > launches { 0 } else { launches / 4 };
        }
        let missing = u64::from(needed - quiet) * u64::from(made);
        let most = launches.saturating_mul(2).saturating_sub(made);
        let expected = missing.div_ceil(u64::from(quiet));
        u32::try_from(expected).unwrap_or(most).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launches(count: u32, level: f64) -> impl Iterator<Item = Standing> {
        let quick = 1.0;
        (0..count).map(move |_| Standing { quick, level })
    }

    fn replacements(made: u32, quiet: u32, launches: u32) -> u32 {
        let mut company = Company::default();
        company.standings.extend(self::launches(quiet, 1.0));
        company
            .standings
            .extend(self::launches(made - quiet, f64::INFINITY));
        company.replacements(launches, 8)
    }

    #[test]
    fn a_launch_is_quiet_where_neither_additions_nor_the_empty_loop_tell_of_a_neighbour() {
        let mut company = Company::default();
        company.standings.extend(launches(12, 1.0));
        company.standings.extend(launches(6, f64::INFINITY));
        assert_eq!((company.made(), company.quiet()), (18, 12));
        // What additions do not see.
        company.standings.extend(launches(4, 1.9));
        assert_eq!(company.quiet(), 12);
        company.standings[3].level = 1.5;
        assert_eq!(company.quiet(), 11);
        company.standings[3].level = 1.2;
        assert_eq!(company.quiet(), 12);
        // Where the empty loop tells nothing, additions are what is left.
        company.standings[4].level = 1.25;
        company.standings[5].level = 1.3;
        assert_eq!(company.quiet(), 16);
    }

    #[test]
    fn nothing_is_replaced_where_enough_launches_are_quiet() {
        assert_eq!(replacements(20, 20, 20), 0);
        assert_eq!(replacements(20, 8, 20), 0);
        assert_eq!(replacements(8, 8, 8), 0);
        assert_eq!(replacements(400, 9, 400), 0);
    }

    #[test]
    fn as_many_as_it_takes_and_at_most_as_many_again() {
        assert_eq!(replacements(20, 7, 20), 3);
        assert_eq!(replacements(20, 5, 20), 12);
        assert_eq!(replacements(20, 1, 20), 20);
        // Of the three, none was without a neighbour.
        assert_eq!(replacements(23, 7, 20), 4);
        assert_eq!(replacements(39, 7, 20), 1);
        assert_eq!(replacements(40, 7, 20), 0);
        // An interval needs eight, all of them.
        assert_eq!(replacements(8, 7, 8), 2);
        assert_eq!(replacements(400, 1, 200), 0);
    }

    #[test]
    fn a_neighbour_that_stays_is_not_waited_for_for_long() {
        assert_eq!(replacements(20, 0, 20), 5);
        assert_eq!(replacements(25, 0, 20), 0);
        // One that went is.
        assert_eq!(replacements(25, 2, 20), 15);
    }

    #[test]
    fn launches_too_few_for_an_interval_are_not_replaced() {
        assert_eq!(replacements(3, 1, 3), 0);
    }
}
