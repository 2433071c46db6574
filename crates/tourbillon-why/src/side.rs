//! One build of a case, stepped.

use std::collections::BTreeMap;

use tourbillon_builds::{Build, Executable};
use tourbillon_compare::trace;
use tourbillon_present::escape;
use tourbillon_present::number::count;
use tourbillon_stepper::{Limits, NotTraced, Trace};

use crate::allocations::Requests;
use crate::assembly::{HotCode, hot_code};
use crate::costly::Costly;
use crate::folded_stacks::stacks;
use crate::images::Contents;
use crate::listing::Listing;
use crate::profile::Profile;
use crate::sources::Sources;
use crate::system_callers::system_callers;

/// What is known of an op of one build.
#[derive(Debug)]
pub(crate) struct Side {
    pub(crate) steps: Trace,
    pub(crate) profile: Profile,
    pub(crate) requests: Requests,
    pub(crate) costly: Costly,
    /// System calls by the functions that make them.
    pub(crate) system_callers: BTreeMap<String, u64>,
    pub(crate) sources: Sources,
    contents: Contents,
}

impl Side {
    /// Steps a case of a build.
    ///
    /// # Errors
    ///
    /// Why it cannot be stepped.
    pub(crate) fn new(
        build: &Build,
        executable: &Executable,
        case: &str,
        limits: Limits,
    ) -> Result<Side, String> {
        let steps = trace(build, executable, case, limits).map_err(|(kind, why)| match kind {
            NotTraced::Long(most) => long_op(most, limits),
            NotTraced::Otherwise => format!("its op was not stepped: {}", escape(&why, true)),
        })?;
        Ok(Side::of_steps(steps, Sources::new(build, executable)))
    }

    pub(crate) fn of_steps(steps: Trace, sources: Sources) -> Side {
        let contents = Contents::read(&steps);
        Side::of_contents(steps, sources, contents)
    }

    /// As if the executable had no lines, to be compared with one that has none: these have instructions of inlined
    /// functions in the functions that have the code.
    pub(crate) fn without_lines(self) -> Side {
        Side::of_contents(self.steps, self.sources, self.contents.without_lines())
    }

    fn of_contents(steps: Trace, sources: Sources, contents: Contents) -> Side {
        let images = contents.images(sources.root.as_deref());
        let profile = Profile::new(&steps, &images);
        let requests = Requests::new(&steps, &images);
        let costly = Costly::new(&steps, &images);
        let system_callers = system_callers(&steps, &images);
        drop(images);
        Side {
            steps,
            profile,
            requests,
            costly,
            system_callers,
            sources,
            contents,
        }
    }

    /// The hottest code of the function with this name, else of the one with the most instructions.
    /// Of long code the part with lines of interest is taken.
    pub(crate) fn hot_code(
        &self,
        function: Option<&str>,
        is_of_interest: impl Fn(&str, u32) -> bool,
    ) -> Option<Listing> {
        let images = self.contents.images(self.sources.root.as_deref());
        let bodies = &self.profile.bodies;
        let named = bodies
            .iter()
            .find(|body| Some(body.name.as_str()) == function);
        let body = named.or(bodies.first())?;
        let code: HotCode = hot_code(body, &self.profile, &images)?;
        Some(Listing::new(&code, &images, &self.sources, is_of_interest))
    }

    /// Its stacks with their instructions, the outermost function first.
    pub(crate) fn stacks(&self) -> BTreeMap<Vec<String>, u64> {
        stacks(
            &self.steps,
            &self.contents.images(self.sources.root.as_deref()),
        )
    }

    /// What names its functions and lines and is missing, with the remedy.
    pub(crate) fn gap(&self) -> Option<Gap> {
        match (self.profile.lacks_symbols, self.profile.lacks_lines) {
            (true, _) => Some(Gap::Symbols),
            (false, true) => Some(Gap::Lines),
            (false, false) => None,
        }
    }
}

/// What an op is that is longer than the limits, and what to do.
fn long_op(most: u64, limits: Limits) -> String {
    let remedy = if limits == Limits::of_one_case() {
        "have an op do less, or use a profiler"
    } else {
        "`cargo tourbillon why` executes ten times as many"
    };
    format!(
        "an op takes more than {} instructions; {remedy}",
        count(most)
    )
}

/// What an executable lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    Symbols,
    Lines,
}

impl Gap {
    /// What is not known without it.
    pub(crate) fn effect(self) -> &'static str {
        match self {
            Gap::Symbols => "no symbols, so functions are addresses",
            Gap::Lines => "no line tables, so lines and inlined functions are not known",
        }
    }

    /// What a manifest needs.
    pub(crate) fn remedy(self) -> &'static str {
        match self {
            Gap::Symbols => {
                "`strip = false` and `debug = \"line-tables-only\"` in [profile.bench] of Cargo.toml"
            }
            Gap::Lines => "`debug = \"line-tables-only\"` in [profile.bench] of Cargo.toml",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_op_has_a_way_on() {
        let of = |limits: Limits| long_op(limits.instructions, limits);
        assert_eq!(
            of(Limits::of_silence(None)),
            "an op takes more than 150,000 instructions; `cargo tourbillon why` executes ten times as many"
        );
        assert_eq!(
            of(Limits::of_one_case()),
            "an op takes more than 1,500,000 instructions; have an op do less, or use a profiler"
        );
    }
}
