//! What disturbed the run.

use tourbillon_present::advice::Trouble;
use tourbillon_present::number::{count, counted, percent};
use tourbillon_record::{MachineEvents, Note};

use super::input::Found;

/// Ticks below which a share is a matter of chance: the system counts 100 a second.
const FEW_TICKS: u64 = 5;
/// Stolen share from which on figures are worse for it.
const MUCH_STOLEN: f64 = 0.02;
/// Share of others from which on figures are worse for it: an idle desktop stays below.
const MUCH_OF_OTHERS: f64 = 0.1;

/// What disturbed the run.
pub(crate) struct Disturbances {
    /// A line for everything that kept processors busy; `None` where nothing did.
    pub(crate) busy: Option<String>,
    /// A line for each thing that needs another remedy.
    pub(crate) others: Vec<String>,
}

/// What disturbed the run.
pub(crate) fn disturbances(found: &[Found<'_>], events: Option<&MachineEvents>) -> Disturbances {
    let mut busy = Vec::new();
    busy.extend(discarded(found));
    let mut others = Vec::new();
    if let Some(events) = events {
        let share = |ticks| {
            let of_wanted = ticks as f64 / events.busy_ticks as f64;
            if ticks < FEW_TICKS { 0.0 } else { of_wanted }
        };
        let stolen = share(events.stolen_ticks);
        // The counters are not read at one moment: they may not add up.
        let known = events.stolen_ticks.saturating_add(events.own_ticks);
        let programs = share(events.busy_ticks.saturating_sub(known));
        if programs >= MUCH_OF_OTHERS {
            busy.push(format!(
                "other programs took {} of the CPU time",
                percent(programs)
            ));
        }
        if stolen >= MUCH_STOLEN {
            busy.push(format!(
                "the hypervisor took {} of the CPU time",
                percent(stolen)
            ));
        }
        if events.swapped_pages > 0 {
            let pages = counted(events.swapped_pages, "page");
            others.push(Trouble::Swap.text(&pages));
        }
        if events.throttled > 0 {
            others.push(Trouble::Heat.text(""));
        }
    }
    let causes = busy.join(", ");
    let line = format!("busy machine: {causes}");
    Disturbances {
        busy: (!busy.is_empty()).then_some(line),
        others,
    }
}

/// The launches that were discarded, and the time that launches waited for a processor.
fn discarded(found: &[Found<'_>]) -> Vec<String> {
    let (mut made, mut discarded, mut cases) = (0, 0, 0_u64);
    let (mut waited, mut waiting) = (0.0_f64, 0_u64);
    for main in found.iter().filter_map(|found| found.main) {
        made += u64::from(main.launches);
        for note in &main.notes {
            match *note {
                Note::Contended {
                    launches,
                    in_figure: false,
                } => {
                    discarded += u64::from(launches);
                    cases += 1;
                }
                Note::Waited { fraction } => {
                    waited = waited.max(fraction);
                    waiting += 1;
                }
                _ => {}
            }
        }
    }
    let mut lines = Vec::new();
    if discarded > 0 {
        let launches = counted(made + discarded, "launch");
        let cases = counted(cases, "case");
        let discarded = count(discarded);
        lines.push(format!("{discarded} of {launches} discarded in {cases}"));
    }
    if waiting > 0 {
        let cases = counted(waiting, "case");
        let waited = percent(waited);
        lines.push(format!(
            "{cases} waited up to {waited} of the time for a processor"
        ));
    }
    lines
}
