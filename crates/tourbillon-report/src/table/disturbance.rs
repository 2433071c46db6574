//! What disturbed the run.

use tourbillon_present::advice::Trouble;
use tourbillon_present::number::{count, counted, percent};
use tourbillon_record::{MachineEvents, Note};

use super::input::Found;

/// Ticks below which a share is a matter of chance: the system counts 100 a second.
const FEW_TICKS: u64 = 5;
/// Stolen share from which on figures are worse for it.
const MUCH_STOLEN: f64 = 0.02;
/// Share of others, and of discarded launches, from which on figures are worse for it: an idle desktop stays below.
const MUCH_OF_OTHERS: f64 = 0.1;
/// What a busy machine means for the figures: launches that had the processor to themselves still shared its caches, its
/// memory and its frequency.
const BUSY: &str = "in a quieter moment times may differ by more than their intervals, cycles hardly; verdicts hold";

/// What disturbed the run.
pub(crate) struct Disturbances {
    /// Whether anything kept processors busy, much or little.
    pub(crate) is_busy: bool,
    /// A line for what kept processors so busy that times are worse for it.
    pub(crate) busy: Option<String>,
    /// A line for each thing that needs another remedy.
    pub(crate) others: Vec<String>,
}

/// What disturbed the run.
pub(crate) fn disturbances(found: &[Found<'_>], events: Option<&MachineEvents>) -> Disturbances {
    let mut busy = Vec::new();
    let mut others = Vec::new();
    if let Some(events) = events {
        let share = |ticks| {
            let of_wanted = ticks as f64 / events.busy_ticks as f64;
            if ticks < FEW_TICKS { 0.0 } else { of_wanted }
        };
        let stolen = share(events.stolen_ticks);
        // The counters are not read at one moment: they may not add up.
        let known = events.stolen_ticks.saturating_add(events.own_ticks);
        let programs = share(events.busy_ticks.saturating_sub(known));
        if programs >= MUCH_OF_OTHERS {
            busy.push(format!("other programs took {}", percent(programs)));
        }
        if stolen >= MUCH_STOLEN {
            busy.push(format!("the hypervisor took {}", percent(stolen)));
        }
        if let Some(last) = busy.last_mut() {
            last.push_str(" of the CPU time");
        }
        if events.swapped_pages > 0 {
            let pages = counted(events.swapped_pages, "page");
            others.push(Trouble::Swap.text(&pages));
        }
        if events.throttled > 0 {
            others.push(Trouble::Heat.text(""));
        }
    }
    let launches = Launches::of(found);
    let is_busy = !busy.is_empty() || launches.discarded > 0 || launches.waiting > 0;
    if busy.is_empty() {
        busy.extend(launches.cause());
    }
    let causes = busy.join(", ");
    let line = format!("busy machine: {causes}; {BUSY}");
    Disturbances {
        is_busy,
        busy: (!busy.is_empty()).then_some(line),
        others,
    }
}

/// What became of the launches.
#[derive(Default)]
struct Launches {
    /// Kept and discarded.
    made: u64,
    discarded: u64,
    /// The longest share of the time that a case waited for a processor.
    waited: f64,
    /// The cases that waited.
    waiting: u64,
}

impl Launches {
    fn of(found: &[Found<'_>]) -> Launches {
        let mut all = Launches::default();
        for main in found.iter().filter_map(|found| found.main) {
            all.made += u64::from(main.launches);
            for note in &main.notes {
                match *note {
                    Note::Contended {
                        launches,
                        in_figure: false,
                    } => {
                        all.made += u64::from(launches);
                        all.discarded += u64::from(launches);
                    }
                    Note::Waited { fraction } => {
                        all.waited = all.waited.max(fraction);
                        all.waiting += 1;
                    }
                    _ => {}
                }
            }
        }
        all
    }

    /// What tells of a busy machine where the system does not count its ticks, or others stay out of what it counts.
    fn cause(&self) -> Option<String> {
        let share = self.discarded as f64 / self.made as f64;
        if share >= MUCH_OF_OTHERS {
            let made = counted(self.made, "launch");
            return Some(format!("{} of {made} discarded", count(self.discarded)));
        }
        let waited = percent(self.waited);
        let cases = counted(self.waiting, "case");
        let line = format!("{cases} waited up to {waited} of the time for a processor");
        (self.waiting > 0).then_some(line)
    }
}
