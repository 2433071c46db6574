//! Events of the kernel of Linux.

use std::io;

use tourbillon_os::{EventGroup, PerfEvent};
use tourbillon_record::Metric;

use crate::events::{OpenEvents, ReadEvents};

/// Those that the kernel counts.
pub(crate) struct PerfEvents;

impl OpenEvents for PerfEvents {
    fn open(&mut self, process: u32, events: &[Metric]) -> io::Result<Box<dyn ReadEvents>> {
        let group: Vec<PerfEvent> = events
            .iter()
            .filter_map(|event| perf_event(*event))
            .collect();
        Ok(Box::new(EventGroup::open(process, &group)?))
    }
}

impl ReadEvents for EventGroup {
    fn read(&mut self) -> io::Result<Vec<[u64; 3]>> {
        let readings = EventGroup::read(self)?.into_iter();
        let words = readings.map(|one| [one.count, one.enabled_ns, one.counted_ns]);
        Ok(words.collect())
    }
}

/// The event of a metric: its type and number in `linux/perf_event.h`. What moves a process happens in the kernel.
fn perf_event(metric: Metric) -> Option<PerfEvent> {
    let (kind, number) = match metric {
        Metric::CpuCycles => (0, 0),
        Metric::CpuInstructions => (0, 1),
        Metric::CacheReferences => (0, 2),
        Metric::CacheMisses => (0, 3),
        Metric::Branches => (0, 4),
        Metric::BranchMisses => (0, 5),
        Metric::ContextSwitches => (1, 3),
        Metric::MinorFaults => (1, 5),
        _ => return None,
    };
    Some(PerfEvent {
        kind,
        number,
        in_kernel: metric == Metric::ContextSwitches,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_that_is_counted_has_a_number() {
        let counted = Metric::events().filter(|metric| *metric != Metric::Ipc);
        let mut known: Vec<PerfEvent> =
            counted.map(|one| perf_event(one).expect("known")).collect();
        let count = known.len();
        known.dedup_by_key(|event| (event.kind, event.number));
        assert_eq!((known.len(), perf_event(Metric::Ipc)), (count, None));
    }
}
