//! The core's cycles, counted by the performance monitoring unit and read by `rdpmc`.

use super::reading::Facts;
use crate::{Behind, Counts, Listed, Path, Scope};
#[cfg(not(target_arch = "x86_64"))]
use tourbillon_clock::Absence;

fn facts() -> Facts {
    Facts {
        counts: Counts::Cycles,
        scope: Scope::Thread,
        frequency: || None,
        behind: Behind {
            path: Path::Instruction("rdpmc"),
            hardware: Some("performance monitoring unit".to_owned()),
            change: Some("kernel.perf_event_paranoid of 2 or less lets everybody count"),
        },
        ..Facts::wall("rdpmc-cycles")
    }
}

/// The cycles of the calling thread in user mode, where the kernel lets this process read them.
#[cfg(target_arch = "x86_64")]
pub(super) fn listed() -> Listed {
    match page::open() {
        Ok(page) => facts().read_by(move || page::cycles(&page)),
        Err(absence) => facts().absent(absence),
    }
}

/// Read by an instruction of x86-64 only.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn listed() -> Listed {
    facts().absent(Absence::OtherProcessor("x86-64"))
}

#[cfg(target_arch = "x86_64")]
mod page {
    use std::io;

    use tourbillon_clock::parts::perf_event::{CAP_USER_RDPMC, CYCLES, Page, Whose};
    use tourbillon_clock::{Absence, Ticks};

    pub(super) fn open() -> Result<Page, Absence> {
        let page = Page::open(&CYCLES, Whose::Thread)
            .ok_or_else(|| refused(&io::Error::last_os_error()))?;
        if page.view().look().capabilities & CAP_USER_RDPMC == 0 {
            return Err(Absence::Forbidden(
                "the kernel counts cycles but forbids rdpmc; write 1 into \
                 /sys/bus/event_source/devices/cpu/rdpmc"
                    .to_owned(),
            ));
        }
        Ok(page)
    }

    /// The cycles so far; those before the counter was last taken away where it is away now.
    #[inline]
    pub(super) fn cycles(page: &Page) -> Ticks {
        Ticks(page.view().look().count())
    }

    /// Why there is no event.
    fn refused(error: &io::Error) -> Absence {
        match error.raw_os_error() {
            Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV) => Absence::NoDevice(
                "no performance monitoring unit: neither the machine nor its hypervisor shows one"
                    .to_owned(),
            ),
            Some(libc::EACCES | libc::EPERM) => Absence::Forbidden(
                "the kernel forbids perf events; set kernel.perf_event_paranoid to 2 or less"
                    .to_owned(),
            ),
            _ => Absence::Refused(format!("the kernel opened no cycle counter ({error})")),
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn every_refusal_has_its_kind() {
            let absence = |number| refused(&io::Error::from_raw_os_error(number));
            assert!(matches!(absence(libc::ENOENT), Absence::NoDevice(_)));
            assert!(matches!(absence(libc::EACCES), Absence::Forbidden(_)));
            assert!(matches!(absence(libc::ENOSYS), Absence::Refused(_)));
        }
    }
}
