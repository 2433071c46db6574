//! The kernel's own conversion from the time stamp counter, in the page of a perf event.
//!
//! Any event has it, also one of the software that counts nothing. The kernel fills it in where its
//! own scheduler clock is the counter: on bare metal, not in most guests
//! (`arch_perf_update_userpage` in `arch/x86/events/core.c`).
//!
//! The event is one of a processor, which takes rights (root, `CAP_PERFMON`, or
//! `kernel.perf_event_paranoid` below 1), and not one of this thread, which would take none: the
//! first event of a thread switches on bookkeeping at every change of threads and waits until all
//! processors have seen it. Linux 6.18, two processors, three openings each: 10 to 20 ms against
//! 0.06 ms; measuring takes one.

use crate::perf_event::{Attributes, Page, Whose, of_user_mode};
use crate::{Frequency, FrequencyFrom};

/// A software event (type 1) called dummy (config 9): nothing is to be counted.
const DUMMY: Attributes = of_user_mode(1, 9);

/// The bit that says that the conversion is there.
const CAP_USER_TIME: u64 = 1 << 3;

/// `nanoseconds = ticks * mult >> shift`.
#[derive(Clone, Copy, Debug)]
struct Conversion {
    mult: u32,
    shift: u16,
}

/// Opens an event, reads its page, closes it; `None` where that is forbidden.
pub(super) fn frequency() -> Option<Frequency> {
    let khz = conversion(&Page::open(&DUMMY, Whose::Processor)?)?.khz()?;
    Frequency::from_khz(khz, FrequencyFrom::PerfPage)
}

impl Conversion {
    /// The counter's rate in kHz, which is how the kernel holds it: the multiplier has 31 or 32
    /// bits, so that the nearest whole number is the right one.
    fn khz(self) -> Option<u64> {
        if self.shift >= 64 {
            return None;
        }
        let dividend = 1_000_000_u128 << self.shift;
        let mult = u128::from(self.mult);
        let khz = (dividend + mult / 2).checked_div(mult)?;
        u64::try_from(khz).ok()
    }
}

/// The conversion; `None` where the kernel states none.
fn conversion(page: &Page) -> Option<Conversion> {
    let look = page.view().look();
    if look.capabilities & CAP_USER_TIME == 0 {
        return None;
    }
    Some(Conversion {
        mult: (look.width_and_conversion >> 32) as u32,
        shift: (look.width_and_conversion >> 16) as u16,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_multipliers_give_back_its_kilohertz() {
        // As `clocks_calc_mult_shift` makes them: to the nearest, as long as they fit 32 bits.
        for khz in [
            1_000_003_u64,
            2_095_078,
            2_596_106,
            2_600_000,
            3_693_061,
            5_000_000,
        ] {
            for shift in [30_u16, 31] {
                let mult = ((1_000_000 << shift) + khz / 2) / khz;
                let mult = u32::try_from(mult).unwrap();
                assert_eq!(Conversion { mult, shift }.khz(), Some(khz), "shift {shift}");
            }
        }
    }

    #[test]
    fn a_page_that_makes_no_sense_states_nothing() {
        assert_eq!(Conversion { mult: 0, shift: 31 }.khz(), None);
        assert_eq!(Conversion { mult: 1, shift: 64 }.khz(), None);
        assert_eq!(
            Conversion {
                mult: 1,
                shift: u16::MAX
            }
            .khz(),
            None
        );
    }
}
