//! What the machine did during a run that spoils figures, and what to do about it.

use tourbillon_record::Meanwhile;

use crate::style::Ink;
use crate::wrap::Page;

/// Ticks below which a share is a matter of chance: the system counts 100 a second.
const FEW_TICKS: u64 = 5;
/// Stolen share from which on figures are worse for it.
const MUCH_STOLEN: f64 = 0.02;
/// Share of others from which on figures are worse for it: a desktop at rest stays below.
const MUCH_OF_OTHERS: f64 = 0.1;

/// Adds a line for each thing that happened, the gravest first.
#[inline(never)]
pub(crate) fn add_meanwhile(page: &mut Page<'_>, meanwhile: &Meanwhile) {
    let wanted = meanwhile.wanted_ticks;
    let stolen = meanwhile.stolen_ticks;
    let own = stolen.saturating_add(meanwhile.own_ticks);
    let of_stolen = share(stolen, wanted);
    if of_stolen >= MUCH_STOLEN {
        page.line.say("the hypervisor took ").percent(of_stolen);
        add(
            page,
            " of the processor time during the run: measure when the host is quiet, \
             or on a machine with processors of its own",
        );
    }
    // The counters are not read at one moment: they may not add up.
    let of_others = share(wanted.saturating_sub(own), wanted);
    if of_others >= MUCH_OF_OTHERS {
        page.line.say("other programs had ").percent(of_others);
        add(
            page,
            " of the processor time during the run: end them, for they share caches, \
             memory and frequency; `cargo tourbillon doctor` names them",
        );
    }
    if meanwhile.swapped_pages > 0 {
        page.line.counted(meanwhile.swapped_pages, "page");
        add(
            page,
            " came from the swap space during the run: end programs that hold memory, or take \
             smaller inputs",
        );
    }
    if meanwhile.throttled > 0 {
        add(
            page,
            "slowed down by heat during the run: let it cool, clean the fans, and switch turbo off",
        );
    }
}

/// Ends a line with these words.
#[inline(never)]
fn add(page: &mut Page<'_>, words: &str) {
    page.sentence(Ink::Note, "! ", words);
}

/// A number of ticks as a share of others; 0 for so few that they may be chance.
fn share(part: u64, whole: u64) -> f64 {
    if part < FEW_TICKS {
        return 0.0;
    }
    part as f64 / whole as f64
}
