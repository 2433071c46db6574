//! Requests for memory, and which functions make them.

use std::collections::{BTreeMap, HashMap, HashSet};

use tourbillon_stepper::Trace;

use crate::frame::Frame;
use crate::images::{Images, Place};

/// Functions that allocate, as Rust calls them.
const OF_RUST: [&str; 3] = ["__rust_alloc", "__rust_alloc_zeroed", "__rust_realloc"];
/// The same of C, for code that does not go through Rust's, and for programs in which Rust's are inlined.
const OF_C: [&str; 7] = [
    "malloc",
    "calloc",
    "realloc",
    "posix_memalign",
    "aligned_alloc",
    "memalign",
    "valloc",
];
/// Functions that give memory back.
const RELEASES: [&str; 2] = ["__rust_dealloc", "free"];
/// Crates that allocate for others.
const CONTAINERS: [&str; 5] = ["alloc::", "core::", "std::", "hashbrown::", "__rustc::"];

/// The requests of an op.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Requests {
    /// How many.
    pub(crate) count: u64,
    /// By the functions that make them, outside of the standard library.
    pub(crate) of_functions: BTreeMap<String, u64>,
    /// Instructions in functions that allocate and release.
    pub(crate) instructions: u64,
}

/// Whether a symbol is one of these functions, with modules before it or without.
fn is_one_of(symbol: &str, names: &[&str]) -> bool {
    let last = symbol.rsplit("::").next().unwrap_or_default();
    names.contains(&last)
}

impl Requests {
    /// Those of an op. An entry of a function that allocates is executed once for each request.
    pub(crate) fn new(steps: &Trace, images: &Images<'_>) -> Requests {
        let of_rust = images.entries(|name| is_one_of(name, &OF_RUST));
        let of_c = images.entries(|name| is_one_of(name, &OF_C));
        let releases = images.entries(|name| is_one_of(name, &RELEASES));
        let places: HashMap<u64, Option<Place>> = steps
            .steps
            .iter()
            .map(|step| (step.address, images.place(step.address)))
            .collect();
        let place = |address: u64| places.get(&address).copied().flatten();
        let is_executed = |entries: &HashSet<Place>| {
            let mut executed = places.values().flatten();
            executed.any(|place| entries.contains(place))
        };
        let counted = if is_executed(&of_rust) {
            &of_rust
        } else {
            &of_c
        };
        let all: HashSet<Place> = [&of_rust, &of_c, &releases]
            .into_iter()
            .flatten()
            .copied()
            .collect();
        let mut within: Vec<bool> = Vec::new();
        for stack in &steps.stacks {
            let is_entry = images
                .place(stack.entry)
                .is_some_and(|entry| all.contains(&entry));
            within.push(is_entry || stack.parent.is_some_and(|parent| within[parent]));
        }
        let mut requests = Requests::default();
        for step in &steps.steps {
            if within[step.stack] {
                requests.instructions += step.count;
            }
            let Some(at) = place(step.address).filter(|at| counted.contains(at)) else {
                continue;
            };
            // Of Rust's, one that goes on to C's is one request.
            requests.count += step.count;
            let who = caller(step.stack, steps, images).unwrap_or_else(|| images.unnamed(at));
            *requests.of_functions.entry(who).or_default() += step.count;
        }
        requests
    }
}

/// The innermost function of a stack that is of no crate of containers, with its line.
fn caller(stack: usize, steps: &Trace, images: &Images<'_>) -> Option<String> {
    let mut at = stack;
    while let Some(parent) = steps.stacks[at].parent {
        let site = images.place(steps.stacks[at].call_site)?;
        let entry = images.place(steps.stacks[parent].entry);
        let frames = images.frames(site, entry);
        if let Some(frame) = frames.iter().find(|frame| !is_of_container(frame)) {
            let title = frame.title();
            return Some(match frame.place() {
                Some(place) if !title.ends_with(')') => format!("{title} ({place})"),
                _ => title,
            });
        }
        at = parent;
    }
    None
}

fn is_of_container(frame: &Frame) -> bool {
    let title = frame.title();
    let name = title.trim_start_matches(['<', '&']);
    frame.is_of_std()
        || is_one_of(&title, &[&OF_RUST[..], &OF_C[..]].concat())
        || CONTAINERS.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_allocate_are_known_by_their_last_names() {
        for (name, expected) in [
            ("__rustc::__rust_alloc", true),
            ("__rust_realloc", true),
            ("shop::__rust_alloc_all", false),
            ("malloc", false),
        ] {
            assert_eq!(is_one_of(name, &OF_RUST), expected, "{name}");
        }
    }

    #[test]
    fn containers_allocate_for_others() {
        let frame = |function: &str, file: &str| Frame {
            function: function.to_owned(),
            path: Some(file.into()),
            ..Frame::default()
        };
        for (function, file, expected) in [
            ("push<u8>", "/rustc/0a/library/alloc/src/vec/mod.rs", true),
            (
                "<alloc::vec::Vec<u8> as core::clone::Clone>::clone",
                "",
                true,
            ),
            ("insert", "/rust/deps/hashbrown-0.15.2/src/map.rs", true),
            ("parse", "src/lib.rs", false),
            ("shop::core::parse", "src/core/src/x.rs", false),
        ] {
            assert_eq!(
                is_of_container(&frame(function, file)),
                expected,
                "{function}"
            );
        }
    }
}
