use tourbillon_record::Visit;

use crate::estimate::is_crowded;

/// The launches of a case that have been made, and how many of them had no busy neighbour.
#[derive(Clone, Copy, Default)]
pub(crate) struct Company {
    pub(crate) made: u32,
    quiet: u32,
}

impl Company {
    /// One more launch.
    pub(crate) fn count(&mut self, visit: &Visit) {
        self.made += 1;
        self.quiet += u32::from(!is_crowded(visit));
    }

    /// How many launches more a case gets that was to have `launches` and has no other left, so that
    /// enough of them are without a neighbour: half of them, or the `needed` ones without which there is
    /// no interval across processes.
    ///
    /// As many as it takes if neighbours go on coming as often; all together at most as many again. None
    /// where every launch had a neighbour: that one stays.
    pub(crate) fn replacements(self, launches: u32, needed: u32) -> u32 {
        let wanted = needed.max(launches / 2);
        if launches < needed || self.quiet == 0 || self.quiet >= wanted {
            return 0;
        }
        let missing = u64::from(wanted - self.quiet) * u64::from(self.made);
        let most = launches.saturating_mul(2).saturating_sub(self.made);
        let expected = missing.div_ceil(u64::from(self.quiet));
        u32::try_from(expected).unwrap_or(most).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replacements(made: u32, quiet: u32, launches: u32) -> u32 {
        Company { made, quiet }.replacements(launches, 8)
    }

    #[test]
    fn nothing_is_replaced_where_half_of_the_launches_are_quiet() {
        assert_eq!(replacements(20, 20, 20), 0);
        assert_eq!(replacements(20, 10, 20), 0);
        assert_eq!(replacements(8, 8, 8), 0);
    }

    #[test]
    fn as_many_as_it_takes_and_at_most_as_many_again() {
        assert_eq!(replacements(20, 9, 20), 3);
        assert_eq!(replacements(20, 8, 20), 5);
        assert_eq!(replacements(20, 5, 20), 20);
        assert_eq!(replacements(20, 1, 20), 20);
        // Of the three, none was without a neighbour.
        assert_eq!(replacements(23, 9, 20), 3);
        assert_eq!(replacements(39, 9, 20), 1);
        assert_eq!(replacements(40, 9, 20), 0);
        // An interval needs eight, all of them.
        assert_eq!(replacements(8, 7, 8), 2);
        assert_eq!(replacements(400, 199, 400), 3);
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
