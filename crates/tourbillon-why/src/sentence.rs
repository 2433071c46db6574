//! The cause of a change in one sentence, with its figures.

use std::collections::BTreeMap;

use tourbillon_present::number::{count, percent};
use tourbillon_present::{Change, Style, counted};

use crate::cause::{Class, Evidence, is_wait};
use crate::costly::{Kind, text};

impl Evidence<'_> {
    /// The class in words, what is known of it, and the instructions of both sides.
    pub(crate) fn sentence(&self, class: Class, style: &Style) -> String {
        let what = match class {
            Class::BuiltOtherwise => self.built_otherwise.unwrap_or_default().to_owned(),
            Class::Waiting => self.calls(true),
            Class::PageFaults => self.pages_text(),
            Class::SystemCalls => self.calls(false),
            Class::Allocations => self.whose_requests(),
            Class::Costly => text(self.costly),
            Class::MoreWork | Class::LessWork if self.costly_take_half() => text(self.costly),
            // A part of the work, which the functions below do not explain to readers.
            Class::MoreWork | Class::LessWork if self.requests_move_along() => {
                self.whose_requests()
            }
            Class::InPart => {
                let share = percent(self.explained());
                let rest = "memory, prediction or placement the rest";
                format!("instructions have {share} of the change, {rest}")
            }
            Class::SameWork => self.same_work(),
            Class::MoreWork | Class::LessWork | Class::Opposite => String::new(),
        };
        let gap = if what.is_empty() { "" } else { "; " };
        let words = class.words(self.is_slower());
        let instructions = self.instructions_text(style);
        format!("{words}: {what}{gap}{instructions}")
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
        let repeated = self.costly.map(|costly| costly.count(Kind::Repeated));
        let lengths = if repeated[1] > 0 {
            let each = counted(repeated[1], "repeated instruction");
            format!(", or the lengths of {each}, which count once")
        } else {
            String::new()
        };
        match self.placements {
            0 | 1 => format!("memory, prediction or placement{lengths}"),
            several => format!(
                "memory, prediction, data, or where code lies within its function{lengths}; it is not the placement \
                 of functions, of which {several} were measured"
            ),
        }
    }

    fn pages_text(&self) -> String {
        let [before, now] = self.pages();
        let pages = counted(now, "page");
        format!(
            "{pages} touched for the first time instead of {} per op",
            count(before)
        )
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
        let waits = if of_waits {
            ", system calls that wait"
        } else {
            ""
        };
        let whose = self.whose(self.system_callers);
        format!("{list} per op{waits}{whose}")
    }

    /// `12 requests instead of 3, 9 more by shop::parse (src/lib.rs:7)`
    fn whose_requests(&self) -> String {
        let [before, now] = self.requests;
        if before.count == now.count {
            let (all, [before, now]) =
                (count(now.count), [before, now].map(|one| one.instructions));
            return format!(
                "{all} requests on both sides, which take {} instead of {}",
                counted(now, "instruction"),
                count(before)
            );
        }
        let requests = counted(now.count, "request");
        let whose = self.whose([&before.of_functions, &now.of_functions]);
        format!("{requests} instead of {}{whose}", count(before.count))
    }
    /// `, 9 more by shop::parse (src/lib.rs:7)`, of what each function does; empty where none does more.
    fn whose(&self, [before, now]: [&BTreeMap<String, u64>; 2]) -> String {
        let all = before.keys().chain(now.keys());
        let of = |side: &BTreeMap<String, u64>, who: &str| side.get(who).copied().unwrap_or(0);
        let more = all.map(|who| {
            let difference = i128::from(of(now, who)) - i128::from(of(before, who));
            (difference, who)
        });
        let most = if self.is_slower() {
            more.max_by_key(|(difference, _)| *difference)
        } else {
            more.min_by_key(|(difference, _)| *difference)
        };
        match most {
            Some((difference, who)) if difference > 0 => format!(", {difference} more by {who}"),
            Some((difference, who)) if difference < 0 => {
                format!(", {} fewer by {who}", -difference)
            }
            _ => String::new(),
        }
    }
}
