//! What explains a case: both builds, stepped and compared.

use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use tourbillon_builds::difference;
use tourbillon_compare::Confirmed;
use tourbillon_present::Style;
use tourbillon_stepper::Limits;

use crate::cause::{Cause, Evidence};
use crate::changed_lines::{Changed, changed};
use crate::difference::{FunctionDifference, functions};
use crate::listing::Listing;
use crate::side::{Gap, Side};

/// Why a case is faster or slower.
#[derive(Debug)]
pub(crate) struct Explanation {
    pub(crate) cause: Cause,
    /// Instructions of an op, the older build first.
    pub(crate) instructions: [u64; 2],
    pub(crate) functions: Vec<FunctionDifference>,
    /// Lines of the diff that were executed, or why they are not known, where the gap does not say it.
    pub(crate) changed: Result<Changed, Option<String>>,
    /// The hottest code of both builds.
    pub(crate) code: [Option<Listing>; 2],
    pub(crate) gap: Option<String>,
}

/// Steps both builds and compares them.
pub(crate) fn explanation(
    case: &Confirmed<'_>,
    style: &Style,
    limits: Limits,
) -> Result<Explanation, String> {
    let step = |at: usize| {
        Side::new(case.builds[at], case.executables[at], case.ids[at], limits)
            .map_err(|why| format!("{}: {why}", case.builds[at].label))
    };
    // At once: nothing is timed.
    let [old, new] = thread::scope(|scope| {
        let new = scope.spawn(|| step(1));
        [
            step(0),
            new.join().unwrap_or_else(|cause| resume_unwind(cause)),
        ]
    });
    Ok(compared(case, [old?, new?], style))
}

/// Compares both sides of a case.
pub(crate) fn compared(case: &Confirmed<'_>, both: [Side; 2], style: &Style) -> Explanation {
    let gaps = both.each_ref().map(Side::gap);
    let both = match gaps {
        // A function has the same name on both sides, and the same instructions.
        [Some(Gap::Lines), None] | [None, Some(Gap::Lines)] => both.map(Side::without_lines),
        _ => both,
    };
    let sides = both.each_ref();
    let verdict = case.verdict;
    let evidence = Evidence {
        ratio: verdict.ratio.unwrap_or(1.0),
        times_ns: verdict
            .reference_ns
            .zip(verdict.case_ns)
            .map(|(before, now)| [before, now]),
        placements: verdict.placements,
        built_otherwise: case.built_otherwise.as_deref(),
        steps: sides.map(|side| &side.steps),
        requests: sides.map(|side| &side.requests),
        costly: sides.map(|side| &side.costly),
        system_callers: sides.map(|side| &side.system_callers),
    };
    let cause = evidence.cause(style);
    let gap = gap(gaps);
    let changed = if gap.is_some() {
        Err(None)
    } else {
        changed_lines(sides).map_err(Some)
    };
    let none = BTreeSet::new();
    let touched = changed.as_ref().map_or(&none, |changed| &changed.functions);
    let first = Some(touched).filter(|_| !cause.class.is_of_instructions());
    let functions = functions(sides.map(|side| &side.profile), first);
    // The same function on both sides, where both have it.
    let first = functions.first().map(|first| first.title.as_str());
    let lines = changed.as_ref().map_or(&[][..], |changed| &changed.lines);
    let code = [0, 1].map(|at| {
        let is_changed = |file: &str, line: u32| {
            let mut own = lines.iter().filter(|one| usize::from(one.is_new) == at);
            own.any(|one| one.file == file && one.number == line)
        };
        // Of code that an op executes once, changed lines alone tell something.
        let is_told = |listing: &Listing| {
            listing.is_loop && cause.class.is_read_in_code() || listing.is_of_interest
        };
        sides[at].hot_code(first, is_changed).filter(is_told)
    });
    Explanation {
        instructions: evidence.instructions(),
        cause,
        code,
        changed,
        gap,
        functions,
    }
}

/// What executables lack, which of the two, and what to do: a commit is built with its own manifest.
fn gap([old, new]: [Option<Gap>; 2]) -> Option<String> {
    let gap = old.or(new)?;
    let (effect, remedy) = (gap.effect(), gap.remedy());
    Some(match (old, new) {
        (_, None) => {
            format!("the reference has {effect}; commit {remedy}, and compare with that commit")
        }
        (None, _) => format!("the new build has {effect}; it needs {remedy}"),
        _ => format!("both builds have {effect}; commit {remedy}, which both need"),
    })
}

/// The executed lines of what differs between both checkouts.
fn changed_lines([old, new]: [&Side; 2]) -> Result<Changed, String> {
    let (Some(root), Some(from)) = (&new.sources.root, &old.sources.commit) else {
        return Err("it is not known between which commits the code changed".to_owned());
    };
    let to = new.sources.commit.as_deref();
    if to == Some(from) {
        return Ok(Changed::default());
    }
    let mut files: Vec<&str> = [old, new]
        .iter()
        .flat_map(|side| side.profile.lines.keys().map(|(file, _)| file.as_str()))
        // Others are not of the checkout.
        .filter(|file| Path::new(file).is_relative() && root.join(file).is_file())
        .collect();
    files.sort_unstable();
    files.dedup();
    if files.is_empty() {
        return Ok(Changed::default());
    }
    let paths: Vec<&Path> = files.into_iter().map(Path::new).collect();
    let diff = difference(root, from, to, &paths).map_err(|error| error.to_string())?;
    Ok(changed(&diff, [&old.profile, &new.profile]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_side_that_lacks_something_is_named() {
        let [lines, symbols] = [Some(Gap::Lines), Some(Gap::Symbols)];
        let of_reference = gap([lines, None]).expect("a gap");
        assert!(of_reference.starts_with("the reference has no line tables"));
        assert!(of_reference.ends_with(", and compare with that commit"));
        let of_new = gap([None, symbols]).expect("a gap");
        assert!(of_new.starts_with("the new build has no symbols"));
        // In the working tree alone, it compiles everything again for nothing.
        let of_both = gap([lines, symbols]).expect("a gap");
        assert_eq!(
            of_both,
            "both builds have no line tables, so lines and inlined functions are not known; commit `debug = \
             \"line-tables-only\"` in [profile.bench] of Cargo.toml, which both need"
        );
        assert_eq!(gap([None, None]), None);
    }
}
