use tourbillon_record::Visit;

use crate::estimate::{empty_loop, is_crowded, most_alone};

/// The launches of a case that have been made, and which of them had no busy neighbour.
#[derive(Clone, Debug, Default)]
pub(crate) struct Company {
    pub(crate) made: u32,
    /// What the empty loop cost in those without a neighbour, as far as their additions tell.
    alone: Vec<f64>,
    /// What it cost in all.
    all: Vec<f64>,
}

impl Company {
    /// One more launch.
    pub(crate) fn count(&mut self, visit: &Visit) {
        self.made += 1;
        // Where it was not read, it tells nothing.
        let cost = empty_loop(visit).unwrap_or(0.0);
        if cost > 0.0 {
            self.all.push(cost);
        }
        if !is_crowded(visit) {
            self.alone.push(cost);
        }
    }

    /// Launches without a neighbour.
    fn quiet(&self) -> u32 {
        let most = most_alone(&self.all);
        let mut quiet = 0;
        for cost in &self.alone {
            quiet += u32::from(*cost <= most);
        }
        quiet
    }

    /// How many launches more a case gets that was to have `launches` and has no other left, so that
    /// the `needed` ones are without a neighbour, without which there is no interval across processes.
    ///
    /// As many as it takes if neighbours go on coming as often; all together at most as many again. None
    /// where every launch had a neighbour: that one stays.
    pub(crate) fn replacements(&self, launches: u32, needed: u32) -> u32 {
        let quiet = self.quiet();
        if launches < needed || quiet == 0 || quiet >= needed {
            return 0;
        }
        let missing = u64::from(needed - quiet) * u64::from(self.made);
        let most = launches.saturating_mul(2).saturating_sub(self.made);
        let expected = missing.div_ceil(u64::from(quiet));
        u32::try_from(expected).unwrap_or(most).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replacements(made: u32, quiet: u32, launches: u32) -> u32 {
        let company = Company {
            made,
            alone: vec![0.0; quiet as usize],
            all: Vec::new(),
        };
        company.replacements(launches, 8)
    }

    #[test]
    fn a_launch_is_quiet_where_neither_additions_nor_the_empty_loop_tell_of_a_neighbour() {
        let mut company = Company {
            made: 20,
            alone: vec![1.0; 12],
            all: vec![1.0; 12],
        };
        company.all.extend([1.9; 8]);
        assert_eq!(company.quiet(), 12);
        // What additions do not see.
        company.alone.extend([1.9; 4]);
        assert_eq!(company.quiet(), 12);
        company.alone[3] = 1.5;
        assert_eq!(company.quiet(), 11);
        company.alone[3] = 1.3;
        assert_eq!(company.quiet(), 12);
        // Two quick ones may be so for another reason.
        company.all[4] = 0.5;
        company.all[5] = 0.5;
        assert_eq!(company.quiet(), 12);
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
        assert_eq!(replacements(u32::MAX, 1, u32::MAX), 0);
    }

    #[test]
    fn a_neighbour_that_stays_is_not_waited_for() {
        assert_eq!(replacements(20, 0, 20), 0);
    }

    #[test]
    fn launches_too_few_for_an_interval_are_not_replaced() {
        assert_eq!(replacements(3, 1, 3), 0);
    }
}
