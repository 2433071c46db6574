//! What explains a case: both builds, stepped and compared.

use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use tourbillon_builds::difference;
use tourbillon_compare::Confirmed;
use tourbillon_present::Style;

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
    /// Lines of the diff that were executed, or why they are not known.
    pub(crate) changed: Result<Changed, String>,
    /// The hottest code of both builds.
    pub(crate) code: [Option<Listing>; 2],
    pub(crate) gap: Option<String>,
}

/// Steps both builds and compares them.
pub(crate) fn explanation(
    case: &Confirmed<'_>,
    style: &Style,
    is_alone: bool,
) -> Result<Explanation, String> {
    let step = |at: usize| {
        Side::new(
            case.builds[at],
            case.executables[at],
            case.ids[at],
            is_alone,
        )
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
    let sides = [old?, new?];
    Ok(compared(case, sides.each_ref(), style))
}

/// Compares both sides of a case.
pub(crate) fn compared(case: &Confirmed<'_>, sides: [&Side; 2], style: &Style) -> Explanation {
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
    let changed = changed_lines(sides);
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
        let is_told = |listing: &Listing| listing.is_loop || listing.is_of_interest;
        sides[at].hot_code(first, is_changed).filter(is_told)
    });
    Explanation {
        instructions: evidence.instructions(),
        cause,
        code,
        changed,
        gap: gap(sides.map(Side::gap)),
        functions,
    }
}

/// What an executable lacks, and which one of the two.
fn gap([old, new]: [Option<Gap>; 2]) -> Option<String> {
    match (old, new) {
        (Some(gap), None) => {
            let text = gap.of("the reference's executable");
            Some(text + " once it is committed")
        }
        (None, Some(gap)) => Some(gap.of("the new executable")),
        (Some(gap), Some(_)) => Some(gap.of("the executable")),
        (None, None) => None,
    }
}

/// The executed lines of what differs between both checkouts.
fn changed_lines([old, new]: [&Side; 2]) -> Result<Changed, String> {
    let (Some(root), Some(from)) = (&new.sources.root, &old.sources.commit) else {
        return Err("it is not known between which commits the code changed".to_owned());
    };
    if [old, new].iter().any(|side| side.gap().is_some()) {
        return Err("an executable has no line tables".to_owned());
    }
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
        assert!(of_reference.starts_with("the reference's executable has no line tables"));
        assert!(of_reference.ends_with(" adds them once it is committed"));
        let of_new = gap([None, symbols]).expect("a gap");
        assert!(of_new.starts_with("the new executable has no symbols"));
        let of_both = gap([lines, symbols]).expect("a gap");
        assert!(of_both.starts_with("the executable has no line tables"));
        assert_eq!(gap([None, None]), None);
    }
}
