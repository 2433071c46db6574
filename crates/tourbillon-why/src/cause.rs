//! Why one build of a case takes longer or shorter than the other, as far as figures show it.

use std::collections::BTreeMap;

use tourbillon_present::Style;
use tourbillon_stepper::Trace;

use crate::allocations::Requests;
use crate::costly::Costly;

/// The least share of the change of the time, as logarithms, that instructions have to explain.
const EXPLAINED: f64 = 0.5;
/// From this share on, they explain a part of it.
const PART: f64 = 0.1;
/// What a system call takes at least, in nanoseconds: an empty one takes 60 ns without mitigations, 100 to 400 ns with.
const SYSTEM_CALL_NS: f64 = 100.0;
/// What one takes at most that does not wait: 10 us, as for a file.
const LONG_SYSTEM_CALL_NS: f64 = 10_000.0;
/// What a request for memory takes at most, with its release: 20 to 200 ns, longer ones are system calls and page faults.
const LONG_REQUEST_NS: f64 = 200.0;
/// What the first access to a page takes, about (docs/explanation/methodology.md, Findings).
const PAGE_NS: f64 = 500.0;
/// The same on a busy virtual machine: 2.2 us were measured.
const LONG_PAGE_NS: f64 = 3_000.0;
/// Changes of the number of instructions up to this are the same work.
const SAME: f64 = 0.01;

/// System calls that wait: for another thread or process, a time, a device.
const WAITS: [&str; 16] = [
    "futex",
    "futex_wait",
    "nanosleep",
    "clock_nanosleep",
    "poll",
    "ppoll",
    "select",
    "pselect6",
    "epoll_wait",
    "epoll_pwait",
    "epoll_pwait2",
    "io_uring_enter",
    "wait4",
    "fsync",
    "fdatasync",
    "sched_yield",
];

/// The class of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    BuiltOtherwise,
    Waiting,
    PageFaults,
    SystemCalls,
    Allocations,
    MoreWork,
    LessWork,
    /// Instructions that take as long as many others.
    Costly,
    /// Instructions moved as time did, and explain less than half of it.
    InPart,
    /// Instructions and time moved in opposite directions.
    Opposite,
    SameWork,
}

impl Class {
    /// In words, of a case that is slower or faster.
    pub(crate) fn words(self, is_slower: bool) -> &'static str {
        match (self, is_slower) {
            (Class::BuiltOtherwise, _) => "built otherwise",
            (Class::Waiting, _) => "waiting",
            (Class::PageFaults, _) => "page faults",
            (Class::SystemCalls, _) => "system calls",
            (Class::Allocations, _) => "allocations",
            (Class::MoreWork, _) => "more work",
            (Class::LessWork, _) => "less work",
            (Class::Costly, true) => "costlier instructions",
            (Class::Costly, false) => "cheaper instructions",
            (Class::InPart, true) => "more work, in part",
            (Class::InPart, false) => "less work, in part",
            (Class::Opposite, true) => "less work, slower",
            (Class::Opposite, false) => "more work, faster",
            (Class::SameWork, true) => "same work, slower",
            (Class::SameWork, false) => "same work, faster",
        }
    }

    /// Whether the code that is executed most may show it.
    pub(crate) fn is_read_in_code(self) -> bool {
        !matches!(
            self,
            Class::Waiting | Class::PageFaults | Class::SystemCalls | Class::Allocations
        )
    }

    /// Whether the functions that execute more instructions are those that take the time.
    pub(crate) fn is_of_instructions(self) -> bool {
        matches!(
            self,
            Class::BuiltOtherwise | Class::MoreWork | Class::LessWork
        )
    }
}

/// What both builds are known by, the older one first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evidence<'e> {
    /// Time of the newer one, as a multiple.
    pub(crate) ratio: f64,
    /// Nanoseconds per op.
    pub(crate) times_ns: Option<[f64; 2]>,
    /// Placements of the code that were measured.
    pub(crate) placements: u32,
    /// How both were built in other ways.
    pub(crate) built_otherwise: Option<&'e str>,
    pub(crate) steps: [&'e Trace; 2],
    pub(crate) requests: [&'e Requests; 2],
    pub(crate) costly: [&'e Costly; 2],
    /// System calls by the functions that make them.
    pub(crate) system_callers: [&'e BTreeMap<String, u64>; 2],
}

/// A class, and a sentence with its figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) class: Class,
    pub(crate) sentence: String,
}

impl Evidence<'_> {
    pub(crate) fn is_slower(&self) -> bool {
        self.ratio > 1.0
    }

    /// Instructions of both sides.
    pub(crate) fn instructions(&self) -> [u64; 2] {
        self.steps.map(|steps| steps.op)
    }

    /// The share of the change of the time that the instructions have in its direction; negative for the other one.
    pub(crate) fn explained(&self) -> f64 {
        let [before, now] = self.instructions().map(|count| count.max(1) as f64);
        (now / before).ln() / self.ratio.ln()
    }

    /// Pages that are touched for the first time.
    pub(crate) fn pages(&self) -> [u64; 2] {
        self.steps.map(|steps| steps.pages)
    }

    /// System calls of both sides whose names are wanted.
    pub(crate) fn calls_of(&self, is_wanted: impl Fn(&str) -> bool) -> [u64; 2] {
        self.steps.map(|steps| {
            let calls = steps.system_calls.iter();
            let wanted = calls.filter(|(name, _)| is_wanted(name));
            wanted.map(|(_, count)| *count).sum()
        })
    }

    /// Whether a number moved as the time did.
    fn moves_along<N: PartialOrd>(&self, [before, now]: [N; 2]) -> bool {
        if self.is_slower() {
            now > before
        } else {
            now < before
        }
    }

    /// The class, and the sentence.
    pub(crate) fn cause(&self, style: &Style) -> Cause {
        let class = self.class();
        Cause {
            class,
            sentence: self.sentence(class, style),
        }
    }

    fn class(&self) -> Class {
        let explained = self.explained();
        let is_explained = explained >= EXPLAINED;
        let calls = self.calls_of(|_| true);
        let waits = self.calls_of(is_wait);
        // What instructions do not explain is theirs if they can take it.
        let [call_ns, page_ns] = if is_explained {
            [SYSTEM_CALL_NS, PAGE_NS]
        } else {
            [LONG_SYSTEM_CALL_NS, LONG_PAGE_NS]
        };
        if self.built_otherwise.is_some() {
            Class::BuiltOtherwise
        } else if self.moves_along(waits) || waits[1] > 0 && explained.abs() < EXPLAINED {
            Class::Waiting
        } else if self.moves_along(self.pages()) && self.take_half(self.pages(), page_ns) {
            Class::PageFaults
        } else if self.moves_along(calls) && self.take_half(calls, call_ns) {
            Class::SystemCalls
        } else if self.requests_are_the_cause(is_explained) {
            Class::Allocations
        } else if is_explained {
            if self.is_slower() {
                Class::MoreWork
            } else {
                Class::LessWork
            }
        } else if self.costly_take_half() {
            Class::Costly
        } else if self.change().abs() <= SAME || (0.0..PART).contains(&explained) {
            Class::SameWork
        } else if explained > 0.0 {
            Class::InPart
        } else {
            Class::Opposite
        }
    }

    /// By how much the number of instructions changed, as a share.
    fn change(&self) -> f64 {
        let [before, now] = self.instructions().map(|count| count.max(1) as f64);
        now / before - 1.0
    }

    /// Whether what each of these takes is half of the difference in time.
    fn take_half(&self, [before, now]: [u64; 2], each_ns: f64) -> bool {
        self.is_half(before.abs_diff(now) as f64 * each_ns)
    }

    fn is_half(&self, taken_ns: f64) -> bool {
        match self.times_ns {
            Some([before, now]) => 2.0 * taken_ns >= (now - before).abs(),
            // Whatever moved as the time did.
            None => self.explained() < EXPLAINED,
        }
    }

    /// Whether the number of requests moved as the time did.
    pub(crate) fn requests_move_along(&self) -> bool {
        self.moves_along(self.requests.map(|requests| requests.count))
    }

    /// Whether more requests, or longer ones, are the cause.
    fn requests_are_the_cause(&self, is_explained: bool) -> bool {
        let [before, now] = self.requests.map(|requests| requests.count);
        if is_explained {
            let is_possible = before == now || self.moves_along([before, now]);
            is_possible && self.requests_take_half()
        } else {
            self.moves_along([before, now]) && self.take_half([before, now], LONG_REQUEST_NS)
        }
    }

    /// Whether half of the difference in instructions is in functions that allocate and release.
    fn requests_take_half(&self) -> bool {
        let [before, now] = self.requests.map(|requests| requests.instructions as f64);
        let [all_before, all_now] = self.instructions().map(|count| count as f64);
        let (own, all) = (now - before, all_now - all_before);
        self.moves_along([before, now]) && own * all > 0.0 && 2.0 * own.abs() >= all.abs()
    }

    /// Whether half of the difference in time is about what instructions take that take long.
    pub(crate) fn costly_take_half(&self) -> bool {
        let [before, now] = self.costly.map(Costly::about_ns);
        self.moves_along([before, now]) && self.is_half((now - before).abs())
    }
}

/// Whether a system call waits.
pub(crate) fn is_wait(name: &str) -> bool {
    WAITS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costly::Kind;

    /// Instructions, system calls, and requests with the instructions that they take.
    type Counts<'c> = (u64, &'c [(&'c str, u64)], [u64; 2]);

    /// The sentence on a change of the time, of two builds with these counts.
    fn sentence(times_ns: [f64; 2], before: Counts<'_>, now: Counts<'_>) -> String {
        let steps = [before, now].map(|(op, calls, _)| Trace {
            op,
            system_calls: calls
                .iter()
                .map(|(name, count)| ((*name).to_owned(), *count))
                .collect(),
            ..Trace::default()
        });
        let requests = [before, now].map(|(.., [count, instructions])| Requests {
            count,
            instructions,
            of_functions: [("shop::parse (src/lib.rs:7)".to_owned(), count)].into(),
        });
        let costly = [Costly::default(), Costly::default()];
        let callers = [before, now].map(|(_, calls, _)| {
            let all = calls.iter().map(|(_, count)| count).sum();
            BTreeMap::from([("shop::log (src/log.rs:3)".to_owned(), all)])
        });
        let evidence = Evidence {
            ratio: times_ns[1] / times_ns[0],
            times_ns: Some(times_ns),
            placements: 24,
            built_otherwise: None,
            steps: steps.each_ref(),
            requests: requests.each_ref(),
            costly: costly.each_ref(),
            system_callers: callers.each_ref(),
        };
        evidence.cause(&Style::default()).sentence
    }

    const NONE: &[(&str, u64)] = &[];

    #[test]
    fn instructions_that_grow_with_time_are_more_work() {
        let plain = |op| (op, NONE, [0, 0]);
        assert_eq!(
            sentence([100.0, 131.0], plain(1_204), plain(1_618)),
            "more work: 1,618 instructions instead of 1,204 (+34.4 %)"
        );
        assert_eq!(
            sentence([100.0, 40.0], plain(4_000), plain(1_000)),
            "less work: 1,000 instructions instead of 4,000 (4.0× fewer)"
        );
        let same = sentence([100.0, 131.0], plain(1_204), plain(1_204));
        assert!(
            same.starts_with(
                "same work, slower: memory, prediction, data, or where code lies within its function; it is not the \
                 placement of functions, of which 24 were measured"
            ),
            "{same}"
        );
        assert!(
            same.ends_with("; 1,204 instructions on both sides"),
            "{same}"
        );
        assert_eq!(
            sentence([100.0, 131.0], plain(1_204), plain(1_000)),
            "less work, slower: 1,000 instructions instead of 1,204 (−16.9 %)"
        );
        assert_eq!(
            sentence([100.0, 90.0], plain(1_000), plain(1_204)),
            "more work, faster: 1,204 instructions instead of 1,000 (+20.4 %)"
        );
    }

    #[test]
    fn requests_are_the_cause_where_they_take_half() {
        let few = (1_000, NONE, [1, 150]);
        assert_eq!(
            sentence([100.0, 131.0], few, (1_500, NONE, [4, 600])),
            "allocations: 4 requests instead of 1, 3 more by shop::parse (src/lib.rs:7); 1,500 instructions instead of \
             1,000 (+50.0 %)"
        );
        let others = sentence([100.0, 190.0], few, (9_000, NONE, [2, 300]));
        assert!(
            others.starts_with(
                "more work: 2 requests instead of 1, 1 more by shop::parse (src/lib.rs:7); 9,000 "
            ),
            "{others}"
        );
        let fewer = sentence([131.0, 100.0], (1_500, NONE, [4, 600]), few);
        assert!(
            fewer.contains("1 request instead of 4, 3 fewer by"),
            "{fewer}"
        );
    }

    #[test]
    fn system_calls_are_the_cause_where_they_can_take_half() {
        let plain = (1_000, NONE, [0, 0]);
        let with = |op, calls: &'static [(&'static str, u64)]| (op, calls, [0, 0]);
        assert_eq!(
            sentence([100.0, 400.0], plain, with(1_040, &[("write", 1)])),
            "system calls: 1 write instead of 0 per op, 1 more by shop::log (src/log.rs:3); 1,040 instructions instead of 1,000 (+4.0 %)"
        );
        let others = sentence([1e5, 2e5], plain, with(2_000, &[("write", 1)]));
        assert!(others.starts_with("more work: "), "{others}");
        let waits = sentence([100.0, 900.0], plain, with(1_040, &[("futex", 2)]));
        assert!(
            waits.starts_with("waiting: 2 futex instead of 0 per op, system calls that wait, 2 more by shop::log (src/log.rs:3); "),
            "{waits}"
        );
        let both = with(1_000, &[("futex", 2)]);
        let longer = sentence([100.0, 900.0], both, both);
        assert!(
            longer.starts_with("waiting: system calls that wait on both sides (2 futex); "),
            "{longer}"
        );
    }

    #[test]
    fn what_was_built_otherwise_comes_first() {
        let steps = [1, 2].map(|op| Trace {
            op,
            ..Trace::default()
        });
        let requests = [Requests::default(), Requests::default()];
        let costly = [Costly::default(), Costly::default()];
        let callers = [BTreeMap::new(), BTreeMap::new()];
        let evidence = Evidence {
            ratio: 2.0,
            times_ns: None,
            placements: 1,
            built_otherwise: Some("opt_level 3, now 1"),
            steps: steps.each_ref(),
            requests: requests.each_ref(),
            costly: costly.each_ref(),
            system_callers: callers.each_ref(),
        };
        let cause = evidence.cause(&Style::default());
        assert_eq!(cause.class, Class::BuiltOtherwise);
        assert!(
            cause
                .sentence
                .starts_with("built otherwise: opt_level 3, now 1; 2 instructions"),
            "{}",
            cause.sentence
        );
    }

    #[test]
    fn instructions_explain_a_part() {
        let plain = |op| (op, NONE, [0, 0]);
        assert_eq!(
            sentence([100.0, 400.0], plain(1_000), plain(1_500)),
            "more work, in part: instructions have 29 % of the change, memory, prediction or placement the rest; 1,500 \
             instructions instead of 1,000 (+50.0 %)"
        );
        // As good as none of it.
        let same = sentence([100.0, 400.0], plain(1_000), plain(1_100));
        assert!(same.starts_with("same work, slower: "), "{same}");
        let fewer = sentence([400.0, 100.0], plain(1_500), plain(1_000));
        assert!(fewer.starts_with("less work, in part: "), "{fewer}");
    }

    #[test]
    fn other_requests_that_take_longer_are_the_cause() {
        let own = (2_000, NONE, [50, 1_000]);
        assert_eq!(
            sentence([100.0, 190.0], own, (4_000, NONE, [50, 2_900])),
            "allocations: 50 requests on both sides, which take 2,900 instructions instead of 1,000; 4,000 instructions \
             instead of 2,000 (2.0× as many)"
        );
        // One request more cannot take 10 us.
        let one = sentence(
            [1_000.0, 11_000.0],
            (1_000, NONE, [0, 0]),
            (1_050, NONE, [1, 50]),
        );
        assert!(one.starts_with("same work, slower: "), "{one}");
    }

    #[test]
    fn pages_and_costly_instructions_are_the_cause_where_they_can_take_half() {
        let found = |times_ns: [f64; 2], pages: u64, kinds: [&[(Kind, u64)]; 2]| {
            let steps = [0, pages].map(|pages| Trace {
                op: 1_000,
                pages,
                ..Trace::default()
            });
            let requests = [Requests::default(), Requests::default()];
            let callers = [BTreeMap::new(), BTreeMap::new()];
            let costly = kinds.map(|kinds| Costly(kinds.iter().copied().collect()));
            let evidence = Evidence {
                ratio: times_ns[1] / times_ns[0],
                times_ns: Some(times_ns),
                placements: 1,
                built_otherwise: None,
                steps: steps.each_ref(),
                requests: requests.each_ref(),
                costly: costly.each_ref(),
                system_callers: callers.each_ref(),
            };
            evidence.cause(&Style::default()).sentence
        };
        assert_eq!(
            found([1_000.0, 40_000.0], 64, [&[], &[]]),
            "page faults: 64 pages touched for the first time instead of 0 per op; 1,000 instructions on both sides"
        );
        let few = found([1_000.0, 40_000.0], 3, [&[], &[]]);
        assert!(few.starts_with("same work, slower: "), "{few}");
        assert_eq!(
            found([200.0, 900.0], 0, [&[], &[(Kind::Division, 100)]]),
            "costlier instructions: 100 divisions instead of 0; 1,000 instructions on both sides"
        );
        let cheaper = found([900.0, 200.0], 0, [&[(Kind::Division, 100)], &[]]);
        assert!(
            cheaper.starts_with("cheaper instructions: 0 divisions instead of 100; "),
            "{cheaper}"
        );
        let both: &[(Kind, u64)] = &[(Kind::Repeated, 2)];
        let lengths = found([200.0, 900.0], 0, [both, both]);
        assert!(
            lengths.contains(
                "placement, or the lengths of 2 repeated instructions, which count once; "
            ),
            "{lengths}"
        );
    }
}
