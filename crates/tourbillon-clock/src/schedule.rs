//! What a script has planned for later.

/// Something that happens to a scripted clock at a position of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// Time passes without the program: another one has the core.
    Interruption { ticks: u64 },
    /// The readings jump while time does not: the program was moved to a core with another offset.
    Warp { by: i64 },
}

/// Events in the order of their positions.
#[derive(Debug, Default)]
pub(crate) struct Schedule {
    /// Latest first, so that the next one is taken from the end.
    planned: Vec<(u64, Event)>,
}

impl Schedule {
    /// Plans `event` for the moment at which `position` is reached; events at one position happen
    /// in the order in which they were planned.
    #[inline]
    pub(crate) fn plan(&mut self, position: u64, event: Event) {
        let mut place = 0;
        while place < self.planned.len() && self.planned[place].0 > position {
            place += 1;
        }
        self.planned.insert(place, (position, event));
    }

    /// The next event that is due at `position`; it is taken out of the plan.
    pub(crate) fn next_due(&mut self, position: u64) -> Option<Event> {
        match self.planned.last() {
            Some(&(due, event)) if due <= position => {
                self.planned.pop();
                Some(event)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warps_due(schedule: &mut Schedule, position: u64) -> Vec<i64> {
        let mut due = Vec::new();
        while let Some(Event::Warp { by }) = schedule.next_due(position) {
            due.push(by);
        }
        due
    }

    #[test]
    fn events_come_in_order_of_position_and_then_of_planning() {
        let mut schedule = Schedule::default();
        for (position, by) in [(20, 1), (10, 2), (20, 3), (30, 4), (10, 5)] {
            schedule.plan(position, Event::Warp { by });
        }
        assert_eq!(warps_due(&mut schedule, 9), []);
        assert_eq!(warps_due(&mut schedule, 20), [2, 5, 1, 3]);
        assert_eq!(warps_due(&mut schedule, 20), []);
        assert_eq!(warps_due(&mut schedule, 1_000), [4]);
    }
}
