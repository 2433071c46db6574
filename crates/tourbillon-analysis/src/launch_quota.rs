//! When the launches of a case are enough.

use tourbillon_record::LaunchSamples;

use crate::estimate::{Contention, TOLERANCE, turn};

/// Quiet launches that a case is to have, unless it was to have fewer in all: an interval of twelve lies
/// between the second and the eleventh, and one contended launch that was not noticed leaves the median
/// where it is.
const QUIET: u32 = 12;

/// Time of a case in which contended launches are repeated, where that is more than twice its own.
const LONGEST_NS: u64 = 3_000_000_000;

/// How many times the launches of a case are made at most, repeated ones included: a launch that ends at once
/// costs a quarter of a full one.
const MOST: u32 = 16;

/// The launches that a case has had, and how many more it gets.
#[derive(Clone, Debug, Default)]
pub struct LaunchQuota {
    launches: Vec<Option<Contention>>,
}

impl LaunchQuota {
    /// One more launch.
    pub fn count(&mut self, launch: &LaunchSamples) {
        self.launches.push(Contention::of(launch));
    }

    /// Launches that have been made.
    pub fn made(&self) -> u32 {
        self.launches.len() as u32
    }

    /// Those that were not contended.
    pub fn quiet(&self) -> u32 {
        let turn = turn(&self.launches);
        let known = self.launches.iter().flatten();
        let contended = known.filter(|launch| launch.parts(turn).is_contended());
        self.made() - contended.count() as u32
    }

    /// From how many cycles on the next launch begins contended ([`tourbillon_record::Plan::contended_from`]).
    pub fn contended_from(&self) -> Option<u64> {
        turn(&self.launches).map(|turn| (1_000.0 * (1.0 + TOLERANCE) * turn) as u64)
    }

    /// How many more launches a case gets that was to have `launches`: those that it lacks to twelve quiet
    /// ones, as far as they fit into its time, of which `spent_ns` are gone; and those that it lacks to the
    /// `needed` ones, without which there is no interval across processes, as far as they fit into twice that, or into
    /// three seconds where no more than `beyond_ns` of these are beyond it.
    pub fn more(
        &self,
        launches: u32,
        needed: u32,
        spent_ns: u64,
        time_ns: u64,
        beyond_ns: u64,
    ) -> u32 {
        let fitting = |time_ns: u64| {
            let left_ns = u128::from(time_ns.saturating_sub(spent_ns));
            let fitting = left_ns * u128::from(self.made()) / u128::from(spent_ns.max(1));
            u32::try_from(fitting).unwrap_or(u32::MAX)
        };
        let missing = |aim: u32| launches.min(aim).saturating_sub(self.quiet());
        let within = missing(QUIET).min(fitting(time_ns));
        let twice_ns = time_ns.saturating_mul(2);
        let longest_ns = twice_ns
            .saturating_add(beyond_ns)
            .min(LONGEST_NS)
            .max(twice_ns);
        let beyond = missing(needed).min(fitting(longest_ns));
        let most = launches.saturating_mul(MOST).saturating_sub(self.made());
        within.max(beyond).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn quota(quiet: usize, contended: usize) -> LaunchQuota {
        let mut launches = vec![Some(Contention::of_turns(1.0, 1.02)); quiet];
        launches.resize(quiet + contended, Some(Contention::of_turns(1.5, 1.9)));
        LaunchQuota { launches }
    }

    #[test]
    fn contended_launches_are_repeated_until_twelve_are_quiet() {
        let more = |quiet, contended| quota(quiet, contended).more(20, 8, 100 * MS, 10_000 * MS, 0);
        assert_eq!(more(20, 0), 0);
        assert_eq!(more(12, 8), 0);
        assert_eq!(more(11, 9), 1);
        assert_eq!(more(3, 17), 9);
        assert_eq!(more(0, 20), 12);
        // A case of eight launches wants them all.
        assert_eq!(quota(7, 1).more(8, 8, MS, 1_000 * MS, 0), 1);
        assert_eq!(quota(8, 1).more(8, 8, MS, 1_000 * MS, 0), 0);
        // What cannot be classified counts as quiet.
        let launches = vec![None; 20];
        assert_eq!(LaunchQuota { launches }.more(20, 8, MS, 1_000 * MS, 0), 0);
    }

    #[test]
    fn repeated_launches_fit_into_the_time_of_the_case() {
        let more = |spent, time| quota(9, 11).more(20, 8, spent * MS, time * MS, 0);
        // 8 ms each.
        assert_eq!(more(160, 176), 2);
        assert_eq!(more(160, 167), 0);
        assert_eq!(more(160, 100), 0);
        assert_eq!(more(160, 1_000), 3);
        // Launches that ended at once cost less.
        assert_eq!(more(40, 52), 3);
        assert_eq!(quota(0, 0).more(20, 8, 0, 0, 0), 0);
        // What an interval needs may take twice as long.
        let needed = |spent, time| quota(4, 16).more(20, 8, spent * MS, time * MS, 0);
        assert_eq!((needed(160, 168), needed(200, 200)), (4, 4));
        assert_eq!((needed(380, 200), needed(400, 200)), (1, 0));
        // Nor do launches that begin contended go on without end.
        assert_eq!(quota(0, 315).more(20, 8, MS, 1_000_000 * MS, 0), 5);
        assert_eq!(quota(0, 320).more(20, 8, MS, 1_000_000 * MS, 0), 0);
    }

    #[test]
    fn a_short_case_may_take_three_seconds_while_the_run_has_time_for_that() {
        // 10 ms each, of 200 ms.
        let more = |spent, beyond| quota(4, 16).more(20, 8, spent * MS, 200 * MS, beyond * MS);
        assert_eq!((more(400, 0), more(400, 10_000)), (0, 4));
        assert_eq!((more(400, 60), more(3_000, 10_000)), (3, 0));
        // One that is longer has twice its time.
        let long = quota(4, 16).more(20, 8, 5_000 * MS, 2_500 * MS, 10_000 * MS);
        assert_eq!(long, 0);
    }

    #[test]
    fn the_limit_of_contention_is_known_once_three_launches_were_made() {
        assert_eq!(quota(2, 0).contended_from(), None);
        assert_eq!(quota(3, 0).contended_from(), Some(1_200));
        assert_eq!(quota(1, 2).contended_from(), Some(1_200));
        assert_eq!(quota(0, 3).contended_from(), Some(1_200));
    }
}
