use tourbillon_record::Visit;

use crate::estimate::{Beside, Standing, neighbour_from, quiet_at_most, standing};

/// How many times the launches of a case may be made in all, to replace others.
const MOST: u32 = 2;
/// Where its time has room for them: a launch that ends early takes a fifth of the time of others.
const MOST_IN_TIME: u32 = 4;
/// The part of the launches of a case that are to be without a neighbour where its time has room for them,
/// three fifths: of so many, those that had one without being noticed hardly move the median.
const QUIET_IN_TIME: (u32, u32) = (3, 5);

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

    /// Those without a neighbour; of half of the time at least if `mostly`.
    fn quiet(&self, mostly: bool) -> u32 {
        let most = quiet_at_most(&self.standings);
        let mut quiet = 0;
        for standing in &self.standings {
            let is_quiet = if mostly {
                standing.is_mostly_quiet(most)
            } else {
                standing.is_quiet(most)
            };
            quiet += u32::from(is_quiet);
        }
        quiet
    }

    /// What tells the next launch of a case that is to have `launches` that it is beside a neighbour, so that it
    /// need not go on ([`tourbillon_record::Plan::neighbour_from`]).
    ///
    /// Nothing where none was quiet and there is `room` for no more than the `needed` full ones: then those beside
    /// the neighbour, which may be the body's own doing, are all there will be. Where time does not tell, from
    /// half of the launches on.
    pub(crate) fn neighbour_from(
        &self,
        launches: u32,
        needed: u32,
        room: Option<u32>,
    ) -> Option<u64> {
        if self.quiet(false) == 0 {
            let is_last_chance = match self.room_in_time(launches, room) {
                Some(room) => room <= needed.saturating_sub(self.full()),
                None => self.made() >= launches.div_ceil(2),
            };
            if is_last_chance {
                return None;
            }
        }
        neighbour_from(&self.standings)
    }

    /// Launches that did not end early.
    fn full(&self) -> u32 {
        let is_full = |standing: &&Standing| standing.quick > 0.0;
        self.standings.iter().filter(is_full).count() as u32
    }

    /// For how many launches more there is room, at most four times as many as the case was to have.
    fn room_in_time(&self, launches: u32, room: Option<u32>) -> Option<u32> {
        let left = launches
            .saturating_mul(MOST_IN_TIME)
            .saturating_sub(self.made());
        room.map(|room| room.min(left))
    }

    /// How many launches more a case gets that was to have `launches` and has no other left, so that
    /// three fifths of these are without a neighbour, and the `needed` ones, without which there is no interval
    /// across processes.
    ///
    /// As many as it takes if neighbours go on coming as often, and as the case's time has `room` for, all together
    /// at most four times as many. Where that does not tell, twice as many, for the `needed` ones alone; and
    /// a quarter where every launch had one, to see whether that one stays.
    pub(crate) fn replacements(&self, launches: u32, needed: u32, room: Option<u32>) -> u32 {
        let (part, whole) = QUIET_IN_TIME;
        let (quiet, aim) = match room {
            Some(_) => {
                let aim = launches.saturating_mul(part).div_ceil(whole);
                (self.quiet(true), aim.max(needed))
            }
            None => (self.quiet(false), needed),
        };
        if launches < needed || quiet >= aim {
            return 0;
        }
        let made = self.made();
        let most = match self.room_in_time(launches, room) {
            Some(most) => most,
            None if quiet == 0 && made > launches => 0,
            None if quiet == 0 => launches / 4,
            None => launches.saturating_mul(MOST).saturating_sub(made),
        };
        let missing = u64::from(aim - quiet) * u64::from(made);
        let expected = missing.div_ceil(u64::from(quiet.max(1)));
        u32::try_from(expected).unwrap_or(most).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launches(count: u32, level: f64) -> impl Iterator<Item = Standing> {
        let quick = 1.0;
        (0..count).map(move |_| Standing {
            quick,
            level,
            level_of_half: level,
        })
    }

    fn replacements(made: u32, quiet: u32, launches: u32) -> u32 {
        let mut company = Company::default();
        company.standings.extend(self::launches(quiet, 1.0));
        company
            .standings
            .extend(self::launches(made - quiet, f64::INFINITY));
        company.replacements(launches, 8, None)
    }

    #[test]
    fn a_launch_is_quiet_where_neither_additions_nor_the_empty_loop_tell_of_a_neighbour() {
        let mut company = Company::default();
        company.standings.extend(launches(12, 1.0));
        company.standings.extend(launches(6, f64::INFINITY));
        assert_eq!((company.made(), company.quiet(false)), (18, 12));
        // What additions do not see.
        company.standings.extend(launches(4, 1.9));
        assert_eq!(company.quiet(false), 12);
        company.standings[3].level = 1.5;
        assert_eq!(company.quiet(false), 11);
        company.standings[3].level = 1.2;
        assert_eq!(company.quiet(false), 12);
        // Where the empty loop tells nothing, additions are what is left.
        company.standings[4].level = 1.25;
        company.standings[5].level = 1.3;
        company.standings[6].level = 1.3;
        assert_eq!(company.quiet(false), 16);
    }

    #[test]
    fn a_launch_beside_a_neighbour_goes_on_only_where_there_are_none_but_such() {
        let mut company = Company::default();
        company.standings.extend(launches(2, 1.0));
        // What the loop costs is not known yet.
        assert_eq!(company.neighbour_from(20, 8, None), None);
        company.standings.extend(launches(1, 1.0));
        assert_eq!(company.neighbour_from(20, 8, None), Some(1_350));
        company.standings.extend(launches(30, 1.9));
        assert_eq!(company.neighbour_from(20, 8, None), Some(1_350));
        let mut crowded = Company::default();
        crowded.standings.extend(launches(9, 1.9));
        let from = |company: &Company, room| company.neighbour_from(20, 8, room);
        assert_eq!(from(&crowded, None), Some(1_350));
        crowded.standings.extend(launches(1, 1.9));
        assert_eq!(from(&crowded, None), None);
        crowded.standings.extend(launches(1, 1.0));
        assert_eq!(from(&crowded, None), Some(1_350));
        // Where time tells, four full ones and many that ended early leave room for four more.
        let mut crowded = Company::default();
        crowded.standings.extend(launches(4, 1.9));
        let early = Standing {
            quick: 0.0,
            level: 1.9,
            level_of_half: 1.9,
        };
        crowded.standings.extend([early; 40]);
        assert_eq!(from(&crowded, Some(5)), Some(1_350));
        assert_eq!(from(&crowded, Some(4)), None);
        // Or there are to be no more than four.
        crowded.standings.extend([early; 31]);
        assert_eq!(from(&crowded, Some(30)), Some(1_350));
        crowded.standings.extend([early; 1]);
        assert_eq!(from(&crowded, Some(30)), None);
        // A turn of two cycles, and a loop that scatters.
        for standing in &mut company.standings {
            *standing = Standing {
                quick: 2.0,
                level: 2.1,
                level_of_half: 2.1,
            };
        }
        assert_eq!(company.neighbour_from(20, 8, None), Some(2_700));
        for standing in &mut company.standings[..4] {
            standing.level = 2.5;
        }
        assert_eq!(company.neighbour_from(20, 8, None), None);
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
    fn no_more_than_there_is_room_for() {
        let within = |quiet, room| {
            let mut company = Company::default();
            company.standings.extend(launches(quiet, 1.0));
            company
                .standings
                .extend(launches(20 - quiet, f64::INFINITY));
            company.replacements(20, 8, Some(room))
        };
        // Twelve are to be quiet.
        assert_eq!(within(12, 30), 0);
        assert_eq!(within(11, 30), 2);
        assert_eq!(within(8, 30), 10);
        assert_eq!(within(4, 12), 12);
        // More than as many again, and not without end.
        assert_eq!(within(5, 100), 28);
        assert_eq!(within(4, 100), 40);
        assert_eq!(within(3, 100), 60);
        assert_eq!(within(1, 100), 60);
        assert_eq!(within(0, 100), 60);
        assert_eq!(within(0, 2), 2);
        assert_eq!(within(7, 0), 0);
    }

    #[test]
    fn launches_that_had_one_for_most_of_their_time_are_replaced_where_there_is_room() {
        let mut company = Company::default();
        company.standings.extend(launches(20, 1.0));
        for standing in &mut company.standings[..10] {
            standing.level_of_half = 1.9;
        }
        assert_eq!((company.quiet(false), company.quiet(true)), (20, 10));
        assert_eq!(company.replacements(20, 8, Some(30)), 4);
        assert_eq!(company.replacements(20, 8, None), 0);
        for standing in &mut company.standings {
            standing.level_of_half = 1.9;
        }
        assert_eq!(company.replacements(20, 8, Some(30)), 30);
        assert_eq!(company.replacements(20, 8, None), 0);
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
