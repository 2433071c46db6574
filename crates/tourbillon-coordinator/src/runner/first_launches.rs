//! Launches that were made before their run began, in the place of workers.

use std::collections::HashMap;

use tourbillon_os::Ending;
use tourbillon_record::Plan;

use crate::runner::worker::{Dismissal, Error, Event, SentLaunch, Worker};

/// A launch that was made.
pub(crate) struct Made(pub(crate) Option<SentLaunch>);

impl Worker for Made {
    fn begin(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn next(&mut self, _: u64) -> Event {
        self.0
            .take()
            .map_or(Event::Ended(Ending::NotSeen), Event::Launch)
    }

    fn dismiss(self: Box<Self>) -> Dismissal {
        Dismissal {
            stderr: String::new(),
            ending: Ending::NotSeen,
            left_processes: false,
        }
    }
}

/// Pilot launches that were made, by their case.
pub(crate) type MadeByCase = HashMap<String, SentLaunch>;

/// Takes the launch that a plan asks for, if it was made.
pub(crate) fn taken_for(plan: &Plan, made: &mut MadeByCase) -> Option<SentLaunch> {
    let sent = made.get(&plan.case)?;
    let is_pilot = plan.batch_shape.is_none() && !plan.memory;
    if !is_pilot || sent.samples.launch != plan.launch {
        return None;
    }
    made.remove(&plan.case)
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{BatchShape, LaunchSamples};

    use super::*;

    fn plan(case: &str, launch: u32) -> Plan {
        Plan {
            case: case.to_owned(),
            launch,
            ..Plan::default()
        }
    }

    #[test]
    fn a_launch_takes_the_place_of_its_pilot_launch_once() {
        let samples = |case: &str| LaunchSamples {
            case: case.to_owned(),
            ..LaunchSamples::default()
        };
        let sent = |case: &str| SentLaunch {
            samples: Box::new(samples(case)),
            line: case.as_bytes().to_vec(),
        };
        let mut made = MadeByCase::from(["a", "b"].map(|case| (case.to_owned(), sent(case))));
        let piloted = Plan {
            batch_shape: Some(BatchShape::of_items(1)),
            ..plan("b", 0)
        };
        let memory = Plan {
            memory: true,
            ..plan("b", 0)
        };
        for other in [plan("c", 0), plan("b", 1), piloted, memory] {
            assert_eq!(taken_for(&other, &mut made), None, "{other:?}");
        }
        assert_eq!(taken_for(&plan("b", 0), &mut made), Some(sent("b")));
        assert_eq!(taken_for(&plan("b", 0), &mut made), None);
        let mut worker = Made(made.remove("a"));
        assert_eq!(worker.next(0), Event::Launch(sent("a")));
        assert_eq!(worker.next(0), Event::Ended(Ending::NotSeen));
    }
}
