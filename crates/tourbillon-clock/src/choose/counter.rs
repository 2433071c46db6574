//! Whether the processor's counter is fit to measure with.

use crate::Clock;

/// What an examination found: why the counter may be used, or why not.
pub(super) type Finding = Result<String, String>;

/// The processor's counter and what was found; `None` where there is no counter.
pub(super) fn examine() -> Option<(Clock, Finding)> {
    let clock = Clock::by_name(NAME).ok()?;
    let finding = processor::finding(&clock);
    Some((clock, finding))
}

const NAME: &str = crate::counter::Counter::NAME;

#[cfg(target_arch = "x86_64")]
mod processor {
    use super::Finding;
    use crate::Clock;
    use crate::frequency_sources::cpuid;

    pub(super) fn finding(clock: &Clock) -> Finding {
        if !cpuid::has_invariant_tsc() {
            return Err("its rate varies (cpuid 80000007h: not invariant)".to_owned());
        }
        if !cpuid::has_rdtscp() {
            return Err("the processor has no rdtscp".to_owned());
        }
        system(clock)
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn system(clock: &Clock) -> Finding {
        use super::super::{permission, trust, warp};
        let trust = trust::of_this_kernel()?;
        if let Err(why) = permission::check() {
            // The clock that is used instead is made out of the same counter.
            crate::os::vdso_is_forbidden();
            return Err(why);
        }
        let compared = match warp::tour(clock) {
            warp::Outcome::Agree { visited, allowed } => {
                format!("{visited} of {allowed} processors compared and equal")
            }
            warp::Outcome::Differ(difference) => return Err(difference),
            warp::Outcome::NotMade(reason) if trust.is_current() => {
                format!("processors not compared: {reason}")
            }
            warp::Outcome::NotMade(reason) => {
                return Err(format!(
                    "the kernel does not use it and processors could not be compared: {reason}"
                ));
            }
        };
        Ok(format!("invariant, {trust}, {compared}"))
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn system(_clock: &Clock) -> Finding {
        Err("this system does not say whether it trusts the counter".to_owned())
    }
}

#[cfg(target_arch = "aarch64")]
mod processor {
    use super::Finding;
    use crate::Clock;
    use crate::counter::Counter;

    pub(super) fn finding(_clock: &Clock) -> Finding {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        super::super::permission::check()?;
        match Counter::of_this_processor().map(|counter| counter.stated_hz()) {
            None | Some(0) => Err("its rate is not stated (cntfrq_el0 is 0)".to_owned()),
            Some(hz) => Ok(format!(
                "uniform by architecture, {hz} Hz stated in cntfrq_el0"
            )),
        }
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod processor {
    use super::Finding;
    use crate::Clock;

    pub(super) fn finding(_clock: &Clock) -> Finding {
        Err("it is not read on this processor".to_owned())
    }
}
