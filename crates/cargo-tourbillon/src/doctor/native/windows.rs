//! What Windows reports.

use tourbillon_present::advice::System;

use super::facts::{Facts, Meanwhile};
use crate::doctor::tree::Known;

/// What Windows reports about this machine.
pub(super) fn reported(meanwhile: &Meanwhile, counter: Result<String, String>) -> Facts {
    let not_shown = || "Windows does not show it to programs".to_owned();
    let cores = known(tourbillon_os::processors()).map(|found| {
        let classes = found.cores.iter().map(|core| core.efficiency_class);
        let most = classes.clone().max();
        let fast = classes.filter(|class| Some(*class) == most).count();
        let threads = found.cores.iter().map(|core| core.threads as usize);
        [fast, found.cores.len() - fast, threads.sum()]
    });
    let all = cores.clone().map(|[_, _, threads]| threads);
    let allowed = known(tourbillon_os::affinity());
    Facts {
        system: System::Windows,
        power_plan: known(tourbillon_os::power_plan()),
        low_power: Err(not_shown()),
        on_battery: tourbillon_os::on_battery().ok_or_else(|| "Windows does not know".to_owned()),
        priority: known(tourbillon_os::priority()).map(str::to_owned),
        others: all.clone().map(|all| meanwhile.others(all)),
        processors: allowed.and_then(|allowed| Ok([allowed.len(), all?])),
        cores,
        hypervisor: hypervisor(),
        swapped: Err(not_shown()),
        debugger: tourbillon_os::debugger_attached().ok_or_else(not_shown),
        random_addresses: known(tourbillon_os::random_addresses()),
        counter,
        translated: known(tourbillon_os::is_translated()),
    }
}

fn known<T>(result: std::io::Result<T>) -> Known<T> {
    result.map_err(|error| error.to_string())
}

#[cfg(target_arch = "x86_64")]
fn hypervisor() -> Known<String> {
    let name = tourbillon_os::processor_name().hypervisor;
    let known = |name: String| {
        let known = tourbillon_os::hypervisor_in(&name.replace(' ', ""));
        known.map_or(name, str::to_owned)
    };
    Ok(name.map_or_else(String::new, known))
}

#[cfg(not(target_arch = "x86_64"))]
fn hypervisor() -> Known<String> {
    Err("this processor does not report whether it is virtual".to_owned())
}
