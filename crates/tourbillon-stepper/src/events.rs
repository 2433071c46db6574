//! The events that are counted: what the kernel has to count for them, which fit together, and what was counted.

use std::io;

use tourbillon_record::{EventCounts, Metric};

/// Reads events of a process.
pub(crate) trait ReadEvents {
    /// How often each came so far, the time for which it was wanted, and the time for which it was counted.
    ///
    /// # Errors
    /// If the kernel gives no reading.
    fn read(&mut self) -> io::Result<Vec<[u64; 3]>>;
}

/// Opens events of a process.
pub(crate) trait OpenEvents {
    /// Opens events that are counted all at once.
    ///
    /// # Errors
    /// If one of them is not counted here, or they do not fit together.
    fn open(&mut self, process: u32, events: &[Metric]) -> io::Result<Box<dyn ReadEvents>>;
}

/// Events that are counted together, by their places among all of them.
type Group = Vec<usize>;

/// All events that are counted in the launches of a case.
pub(crate) struct Events {
    pub(crate) counts: Vec<EventCounts>,
    metrics: Vec<Metric>,
    /// `None` before the first process.
    groups: Option<Vec<Group>>,
}

impl Events {
    /// Those of these names, with commas between them. For `ipc`, what it follows from.
    pub(crate) fn new(names: &str) -> Events {
        let mut metrics = Vec::new();
        let wanted: Vec<Metric> = names.split(',').filter_map(Metric::of_name).collect();
        let has_ipc = wanted.contains(&Metric::Ipc);
        let both = [Metric::CpuCycles, Metric::CpuInstructions];
        for metric in Metric::events() {
            let is_needed = has_ipc && both.contains(&metric);
            if metric != Metric::Ipc && (is_needed || wanted.contains(&metric)) {
                metrics.push(metric);
            }
        }
        let counts = metrics.iter().map(|metric| EventCounts {
            name: metric.name().to_owned(),
            ..EventCounts::default()
        });
        Events {
            counts: counts.collect(),
            metrics,
            groups: None,
        }
    }

    /// Launches that are needed until each event was counted in one.
    pub(crate) fn group_count(&self) -> usize {
        self.groups.as_ref().map_or(1, Vec::len)
    }

    /// Opens a group of events for a process, and divides them into groups before the first one. `None` where nothing
    /// can be counted.
    pub(crate) fn open(
        &mut self,
        process: u32,
        launch: usize,
        provider: &mut dyn OpenEvents,
    ) -> Option<(Group, Box<dyn ReadEvents>)> {
        if self.groups.is_none() {
            self.groups = Some(self.divide(process, provider));
        }
        let groups = self.groups.as_deref().unwrap_or_default();
        let group = groups.get(launch.checked_rem(groups.len())?)?.clone();
        match provider.open(process, &self.metrics_of(&group)) {
            Ok(events) => Some((group, events)),
            Err(error) => {
                self.exclude(&group, &why_absent(&error));
                None
            }
        }
    }

    fn metrics_of(&self, group: &[usize]) -> Vec<Metric> {
        group.iter().map(|at| self.metrics[*at]).collect()
    }

    /// As few groups as the counters of the processor have room for, in the order of the events: the kernel refuses those
    /// that can never be counted at once.
    fn divide(&mut self, process: u32, provider: &mut dyn OpenEvents) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for at in 0..self.metrics.len() {
            if let Err(error) = provider.open(process, &[self.metrics[at]]) {
                self.exclude(&[at], &why_absent(&error));
                continue;
            }
            let mut larger = groups.last().cloned().unwrap_or_default();
            larger.push(at);
            match groups.last_mut() {
                Some(last) if provider.open(process, &self.metrics_of(&larger)).is_ok() => {
                    *last = larger;
                }
                _ => groups.push(vec![at]),
            }
        }
        groups
    }

    /// Adds a batch: readings at the beginning and at the end of each of its parts.
    pub(crate) fn add(&mut self, group: &[usize], batch: &CountedBatch) {
        for (number, at) in group.iter().enumerate() {
            let spent = batch.spent.get(number).copied().unwrap_or_default();
            let [count, wanted_ns, counted_ns] = spent;
            if counted_ns < wanted_ns {
                let share = 100 * counted_ns / wanted_ns;
                let why = format!(
                    "something else used the counters: it had one for {share} % of the time, and what it counted is \
                     not scaled; end other profilers, or ask for fewer events"
                );
                self.exclude(&[*at], &why);
                continue;
            }
            let event = &mut self.counts[*at];
            event.launch.push(batch.launch);
            event.iterations.push(batch.iterations);
            event.counts.push(count);
        }
    }

    /// Whether some of them are still counted.
    pub(crate) fn are_counted(&self) -> bool {
        self.counts.iter().any(|event| event.absent.is_none())
    }

    /// Gives events up.
    fn exclude(&mut self, group: &[usize], why: &str) {
        for at in group {
            let absent = &mut self.counts[*at].absent;
            absent.get_or_insert_with(|| why.to_owned());
        }
    }

    /// Gives all events up that were never counted.
    pub(crate) fn exclude_uncounted(&mut self, why: &str) {
        for event in &mut self.counts {
            if event.counts.is_empty() {
                event.absent.get_or_insert_with(|| why.to_owned());
            }
        }
    }

    /// Which events were not counted, and why: each reason once.
    pub(crate) fn gap(&self) -> Option<String> {
        let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
        for event in &self.counts {
            let Some(why) = event.absent.as_deref() else {
                continue;
            };
            match reasons.iter_mut().find(|(known, _)| *known == why) {
                Some((_, names)) => names.push(&event.name),
                None => reasons.push((why, vec![&event.name])),
            }
        }
        let texts = reasons
            .iter()
            .map(|(why, names)| format!("{}: {why}", names.join(", ")));
        let texts: Vec<String> = texts.collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }
}

/// What a batch has spent of each event of a group.
#[derive(Debug, Default)]
pub(crate) struct CountedBatch {
    pub(crate) launch: u64,
    pub(crate) iterations: u64,
    /// Of each event the count, and both times.
    spent: Vec<[u64; 3]>,
}

impl CountedBatch {
    pub(crate) fn new(launch: u64, iterations: u64) -> CountedBatch {
        CountedBatch {
            launch,
            iterations,
            spent: Vec::new(),
        }
    }

    /// Adds a part of it, by the readings at both of its ends.
    pub(crate) fn add(&mut self, before: &[[u64; 3]], after: &[[u64; 3]]) {
        self.spent.resize(after.len(), [0; 3]);
        for (spent, (before, after)) in self.spent.iter_mut().zip(before.iter().zip(after)) {
            for at in 0..3 {
                spent[at] += after[at].saturating_sub(before[at]);
            }
        }
    }

    /// Whether nothing of it was timed from outside.
    pub(crate) fn is_empty(&self) -> bool {
        self.spent.is_empty()
    }
}

/// Why events are not counted, and what to do.
fn why_absent(error: &io::Error) -> String {
    match error.raw_os_error() {
        // ENOENT, EOPNOTSUPP, ENODEV
        Some(2 | 95 | 19) => "this machine has no such counter; most virtual machines have none".to_owned(),
        // EACCES, EPERM
        Some(13 | 1) => {
            "the system does not permit it; set kernel.perf_event_paranoid to 1, in a container add the capability PERFMON"
                .to_owned()
        }
        _ => format!("the kernel does not count it ({error})"),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use tourbillon_record::Stepped;

    use super::*;
    use crate::event_results::event_results;

    /// A processor with so many counters, and what it counts.
    struct Script {
        room: usize,
        counted: &'static [Metric],
    }

    struct Opened;

    impl ReadEvents for Opened {
        fn read(&mut self) -> io::Result<Vec<[u64; 3]>> {
            Ok(Vec::new())
        }
    }

    impl OpenEvents for Script {
        fn open(&mut self, _process: u32, events: &[Metric]) -> io::Result<Box<dyn ReadEvents>> {
            if events.iter().any(|event| !self.counted.contains(event)) {
                return Err(io::Error::from_raw_os_error(2));
            }
            if events.len() > self.room {
                return Err(io::Error::from_raw_os_error(22));
            }
            Ok(Box::new(Opened))
        }
    }

    const FOUR: &[Metric] = &[
        Metric::CpuCycles,
        Metric::CpuInstructions,
        Metric::Branches,
        Metric::BranchMisses,
    ];

    fn groups(
        names: &str,
        room: usize,
        counted: &'static [Metric],
    ) -> (Vec<String>, Option<String>) {
        let mut events = Events::new(names);
        let mut provider = Script { room, counted };
        let mut groups = Vec::new();
        loop {
            if let Some((group, _)) = events.open(7, groups.len(), &mut provider) {
                let names = group.iter().map(|at| &*events.counts[*at].name);
                groups.push(names.collect::<Vec<_>>().join(" "));
            }
            if groups.len() >= events.group_count() {
                return (groups, events.gap());
            }
        }
    }

    #[test]
    fn events_are_counted_in_groups_that_fit() {
        let names = "branch_misses,branches,cpu_cycles,cpu_instructions";
        let one = ["cpu_cycles cpu_instructions branches branch_misses"];
        assert_eq!(
            groups(names, 4, FOUR),
            (one.map(str::to_owned).to_vec(), None)
        );
        let two = ["cpu_cycles cpu_instructions branches", "branch_misses"];
        assert_eq!(
            groups(names, 3, FOUR),
            (two.map(str::to_owned).to_vec(), None)
        );
    }

    #[test]
    fn ipc_needs_both_of_its_counters() {
        let both = ["cpu_cycles cpu_instructions"];
        assert_eq!(
            groups("ipc", 2, FOUR),
            (both.map(str::to_owned).to_vec(), None)
        );
    }

    #[test]
    fn what_the_machine_does_not_count_has_one_reason() {
        let (known, gap) = groups(
            "cpu_cycles,minor_faults,branches",
            4,
            &[Metric::MinorFaults],
        );
        assert_eq!(known, ["minor_faults"]);
        let why = "this machine has no such counter; most virtual machines have none";
        assert_eq!(gap, Some(format!("cpu_cycles, branches: {why}")));
        let mut none = Events::new("branches");
        let mut provider = Script {
            room: 4,
            counted: &[],
        };
        assert!(none.open(7, 0, &mut provider).is_none());
        assert_eq!(none.group_count(), 0);
    }

    /// A processor that executes three instructions in a cycle, of which a reading takes 40.
    #[derive(Clone, Default)]
    struct Processor(Rc<Cell<u64>>);

    impl Processor {
        fn execute(&self, instructions: u64) {
            self.0.set(self.0.get() + instructions);
        }
    }

    impl ReadEvents for Processor {
        fn read(&mut self) -> io::Result<Vec<[u64; 3]>> {
            let executed = self.0.get();
            self.execute(40);
            Ok([executed / 3, executed]
                .map(|count| [count, 900, 900])
                .into())
        }
    }

    impl OpenEvents for Processor {
        fn open(&mut self, _process: u32, _events: &[Metric]) -> io::Result<Box<dyn ReadEvents>> {
            Ok(Box::new(self.clone()))
        }
    }

    #[test]
    fn multiplications_are_as_many_instructions() {
        for multiplications in [1, 10, 3_000] {
            let mut processor = Processor::default();
            let mut events = Events::new("ipc");
            for launch in 0..8 {
                let opened = events.open(7, 0, &mut processor);
                let (group, mut readings) = opened.expect("a group");
                for iterations in [600, 1_200, 600, 1_200] {
                    let mut batch = CountedBatch::new(launch, iterations);
                    let before = readings.read().expect("a reading");
                    processor.execute(iterations * multiplications);
                    batch.add(&before, &readings.read().expect("a reading"));
                    events.add(&group, &batch);
                }
            }
            let counted = Stepped {
                events: Some(events.counts),
                ..Stepped::default()
            };
            let results = event_results("c", &counted);
            let figures = results.iter().map(|one| one.estimate.expect("a figure"));
            let figures: Vec<f64> = figures.collect();
            let k = multiplications as f64;
            assert!((figures[0] - k / 3.0).abs() < 0.01, "{figures:?}");
            assert_eq!(figures[1], k);
            assert!((figures[2] - 3.0).abs() < 0.01, "{figures:?}");
        }
    }

    #[test]
    fn counts_of_a_part_of_the_time_are_not_used() {
        let mut events = Events::new("branches,minor_faults");
        let mut batch = CountedBatch::new(0, 10);
        assert!(batch.is_empty());
        // Two parts of a batch; the second event has no counter in a quarter of the last one.
        batch.add(&[[100, 50, 50], [7, 50, 50]], &[[110, 60, 60], [9, 60, 60]]);
        batch.add(
            &[[200, 90, 90], [9, 90, 90]],
            &[[230, 130, 130], [9, 130, 120]],
        );
        events.add(&[0, 1], &batch);
        assert_eq!(events.counts[0].counts, [40]);
        assert_eq!(events.counts[0].iterations, [10]);
        let gap = events.gap().expect("a reason");
        assert!(gap.starts_with("minor_faults: "), "{gap}");
        assert!(
            gap.contains("it had one for 80 % of the time, and what it counted is not scaled"),
            "{gap}"
        );
    }
}
