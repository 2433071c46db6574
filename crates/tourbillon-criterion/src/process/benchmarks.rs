//! What is printed and written of the benchmarks of a suite, and what they are compared with.

use std::collections::BTreeSet;
use std::rc::Rc;

use tourbillon_coordinator::output::{Stop, to_stderr};
use tourbillon_criterion_files::Directories;
use tourbillon_record::store::Last;
use tourbillon_report::escape;

use super::discovery::Discovered;
use crate::files::{Folder, root};
use crate::outputs::{Before, Benchmark};

/// The benchmarks that are measured, of all of a suite.
pub(super) fn shown(all: &[Discovered]) -> Vec<Benchmark> {
    let root = root();
    let mut directories = Directories::default();
    let mut shown = Vec::new();
    for found in all {
        // Those that are not measured have folders, too.
        let directory = directories.next(&found.named);
        if found.selected {
            let own_root = found.output_directory.as_ref().map(Into::into);
            shown.push(Benchmark {
                case: found.case(),
                named: found.named.clone(),
                throughput: found.throughput,
                noise_threshold: found.noise_threshold,
                baselines: found.baselines.clone(),
                folder: Folder {
                    root: own_root.unwrap_or_else(|| root.clone()),
                    directory,
                },
            });
        }
    }
    shown
}

/// The results that benchmarks are compared with.
///
/// # Errors
///
/// Benchmarks without results, where there have to be some.
pub(super) fn before(shown: &[Benchmark]) -> Result<Rc<Last>, Stop> {
    let before = Before::read(shown);
    for why in &before.unreadable {
        let why = escape(why, true);
        to_stderr(&format!("warning: not compared with {why}\n"));
    }
    let Some((first, name)) = before.missing.first() else {
        return Ok(Rc::new(before.last));
    };
    let (first, name) = (escape(first, true), escape(name, true));
    let others = match before.missing.len() - 1 {
        0 => String::new(),
        count => format!(" and of {count} more"),
    };
    let known: BTreeSet<String> = shown
        .iter()
        .flat_map(|one| one.folder.baselines())
        .collect();
    let known = if known.is_empty() {
        "no results are saved".to_owned()
    } else {
        let names: Vec<String> = known.iter().map(|name| escape(name, true)).collect();
        format!("saved are {}", names.join(", "))
    };
    Err(Stop::usage(format!(
        "baseline {name} has no results of {first}{others} ({known}); save them with --save-baseline {name}, \
         or compare where there are results with --baseline-lenient {name}"
    )))
}
