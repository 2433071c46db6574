//! Why one build of a case takes longer or shorter than the other, as far as figures show it.

use tourbillon_present::number::count;
use tourbillon_present::{Change, Style, counted};
use tourbillon_stepper::Trace;

use crate::allocations::Requests;

/// The least share of the change of the time, as logarithms, that instructions have to explain.
const EXPLAINED: f64 = 0.5;
/// What a system call takes at least, in nanoseconds: an empty one takes 60 ns without mitigations, 100 to 400 ns with.
const SYSTEM_CALL_NS: f64 = 100.0;
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
    SystemCalls,
    Allocations,
    MoreWork,
    LessWork,
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
            (Class::SystemCalls, _) => "system calls",
            (Class::Allocations, _) => "allocations",
            (Class::MoreWork, _) => "more work",
            (Class::LessWork, _) => "less work",
            (Class::Opposite, true) => "less work, slower",
            (Class::Opposite, false) => "more work, faster",
            (Class::SameWork, true) => "same work, slower",
            (Class::SameWork, false) => "same work, faster",
        }
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
}

/// A class, and a sentence with its figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) class: Class,
    pub(crate) sentence: String,
}

impl Evidence<'_> {
    fn is_slower(&self) -> bool {
        self.ratio > 1.0
    }

    /// Instructions of both sides.
    pub(crate) fn instructions(&self) -> [u64; 2] {
        self.steps.map(|steps| steps.op)
    }

    /// The share of the change of the time that the instructions have in its direction; negative for the other one.
    fn explained(&self) -> f64 {
        let [before, now] = self.instructions().map(|count| count.max(1) as f64);
        (now / before).ln() / self.ratio.ln()
    }

    /// System calls of both sides whose names are wanted.
    fn calls_of(&self, is_wanted: impl Fn(&str) -> bool) -> [u64; 2] {
        self.steps.map(|steps| {
            let calls = steps.system_calls.iter();
            let wanted = calls.filter(|(name, _)| is_wanted(name));
            wanted.map(|(_, count)| *count).sum()
        })
    }

    /// Whether a number moved as the time did.
    fn moves_along(&self, [before, now]: [u64; 2]) -> bool {
        if self.is_slower() {
            now > before
        } else {
            now < before
        }
    }

    /// The class, and the sentence.
    pub(crate) fn cause(&self, style: &Style) -> Cause {
        let class = self.class();
        let what = match class {
            Class::BuiltOtherwise => self.built_otherwise.unwrap_or_default().to_owned(),
            Class::Waiting => self.calls(true),
            Class::SystemCalls => self.calls(false),
            Class::Allocations => self.whose_requests(),
            Class::SameWork => self.same_work(),
            Class::MoreWork | Class::LessWork | Class::Opposite => String::new(),
        };
        let gap = if what.is_empty() { "" } else { "; " };
        let words = class.words(self.is_slower());
        let instructions = self.instructions_text(style);
        Cause {
            class,
            sentence: format!("{words}: {what}{gap}{instructions}"),
        }
    }

    fn class(&self) -> Class {
        let explained = self.explained();
        let is_explained = explained >= EXPLAINED;
        let calls = self.calls_of(|_| true);
        let waits = self.calls_of(is_wait);
        let requests = self.requests.map(|requests| requests.count);
        if self.built_otherwise.is_some() {
            Class::BuiltOtherwise
        } else if self.moves_along(waits) || waits[1] > 0 && explained.abs() < EXPLAINED {
            Class::Waiting
        } else if self.moves_along(calls) && (!is_explained || self.calls_take_half(calls)) {
            Class::SystemCalls
        } else if self.moves_along(requests) && (!is_explained || self.requests_take_half()) {
            Class::Allocations
        } else if is_explained {
            if self.is_slower() {
                Class::MoreWork
            } else {
                Class::LessWork
            }
        } else if explained < 0.0 && self.change().abs() > SAME {
            Class::Opposite
        } else {
            Class::SameWork
        }
    }

    /// By how much the number of instructions changed, as a share.
    fn change(&self) -> f64 {
        let [before, now] = self.instructions().map(|count| count.max(1) as f64);
        now / before - 1.0
    }

    /// Whether what system calls take at least is half of the difference in time.
    fn calls_take_half(&self, calls: [u64; 2]) -> bool {
        let taken_ns = calls[0].abs_diff(calls[1]) as f64 * SYSTEM_CALL_NS;
        self.times_ns
            .is_some_and(|[before, now]| 2.0 * taken_ns >= (now - before).abs())
    }

    /// Whether half of the difference in instructions is in functions that allocate and release.
    fn requests_take_half(&self) -> bool {
        let [before, now] = self.requests.map(|requests| requests.instructions as f64);
        let [all_before, all_now] = self.instructions().map(|count| count as f64);
        let (own, all) = (now - before, all_now - all_before);
        own * all > 0.0 && 2.0 * own.abs() >= all.abs()
    }

    /// `1,618 instructions instead of 1,204 (+34.4 %)`
    fn instructions_text(&self, style: &Style) -> String {
        let [before, now] = self.instructions();
        if before == now {
            return format!("{} on both sides", counted(now, "instruction"));
        }
        let change = Change::of_ratio(now.max(1) as f64 / before.max(1) as f64, style);
        let change = change.map_or_else(String::new, |change| {
            let text = change.text.replace(" slower", " as many");
            let text = text.replace(" faster", " fewer");
            format!(" ({text})")
        });
        format!(
            "{} instead of {}{change}",
            counted(now, "instruction"),
            count(before)
        )
    }

    fn same_work(&self) -> String {
        let faults = "memory, prediction";
        match self.placements {
            0 | 1 => format!("{faults} or placement"),
            several => format!(
                "{faults} or data; it is not the placement of functions, of which {several} were measured"
            ),
        }
    }

    /// `5 calls of write instead of 1`, of those that differ, or of those that wait.
    fn calls(&self, of_waits: bool) -> String {
        let mut names: Vec<&str> = self
            .steps
            .iter()
            .flat_map(|steps| steps.system_calls.iter().map(|(name, _)| name.as_str()))
            .filter(|name| !of_waits || is_wait(name))
            .collect();
        names.sort_unstable();
        names.dedup();
        let of_name = |name: &str| self.calls_of(|one| one == name);
        let mut differing: Vec<&str> = names
            .iter()
            .copied()
            .filter(|name| {
                let [before, now] = of_name(name);
                before != now
            })
            .collect();
        differing.sort_by_key(|name| {
            let [before, now] = of_name(name);
            std::cmp::Reverse(before.abs_diff(now))
        });
        if differing.is_empty() {
            let each = names
                .iter()
                .map(|name| format!("{} {name}", count(of_name(name)[1])));
            let list = Vec::from_iter(each).join(", ");
            return format!("system calls that wait on both sides ({list})");
        }
        let each = differing.iter().take(3).map(|name| {
            let [before, now] = of_name(name);
            format!("{} {name} instead of {}", count(now), count(before))
        });
        let list = Vec::from_iter(each).join(", ");
        if of_waits {
            format!("{list} per op, system calls that wait")
        } else {
            format!("{list} per op")
        }
    }

    /// `12 requests instead of 3, 9 more by shop::parse (src/lib.rs:7)`
    fn whose_requests(&self) -> String {
        let [before, now] = self.requests;
        let all = before.of_functions.keys().chain(now.of_functions.keys());
        let of = |side: &Requests, who: &str| side.of_functions.get(who).copied().unwrap_or(0);
        let more = all.map(|who| {
            let difference = of(now, who) as i128 - of(before, who) as i128;
            (difference, who)
        });
        let most = if self.is_slower() {
            more.max_by_key(|(difference, _)| *difference)
        } else {
            more.min_by_key(|(difference, _)| *difference)
        };
        let whose = match most {
            Some((difference, who)) if difference > 0 => format!(", {difference} more by {who}"),
            Some((difference, who)) if difference < 0 => {
                format!(", {} fewer by {who}", -difference)
            }
            _ => String::new(),
        };
        let requests = counted(now.count, "request");
        format!("{requests} instead of {}{whose}", count(before.count))
    }
}

/// Whether a system call waits.
fn is_wait(name: &str) -> bool {
    WAITS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let evidence = Evidence {
            ratio: times_ns[1] / times_ns[0],
            times_ns: Some(times_ns),
            placements: 24,
            built_otherwise: None,
            steps: steps.each_ref(),
            requests: requests.each_ref(),
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
                "same work, slower: memory, prediction or data; it is not the placement"
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
        assert!(others.starts_with("more work: "), "{others}");
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
            "system calls: 1 write instead of 0 per op; 1,040 instructions instead of 1,000 (+4.0 %)"
        );
        let others = sentence([1e5, 2e5], plain, with(2_000, &[("write", 1)]));
        assert!(others.starts_with("more work: "), "{others}");
        let waits = sentence([100.0, 900.0], plain, with(1_040, &[("futex", 2)]));
        assert!(
            waits.starts_with("waiting: 2 futex instead of 0 per op, system calls that wait; "),
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
        let evidence = Evidence {
            ratio: 2.0,
            times_ns: None,
            placements: 1,
            built_otherwise: Some("opt_level 3, now 1"),
            steps: steps.each_ref(),
            requests: requests.each_ref(),
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
}
