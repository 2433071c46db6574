//! What macOS reports.

use tourbillon_os::{hypervisor_in, system_number, system_text};

use tourbillon_present::advice::System;

use super::facts::{Facts, Meanwhile};
use crate::doctor::tree::Known;

/// What macOS reports about this machine.
pub(super) fn reported(meanwhile: &Meanwhile, counter: Result<String, String>) -> Facts {
    let not_shown = || "macOS does not show it to programs".to_owned();
    let power = tourbillon_os::power().map_err(|error| format!("pmset: {error}"));
    let unknown = || "pmset does not report it".to_owned();
    let threads = count("hw.logicalcpu");
    Facts {
        system: System::MacOs,
        power_plan: Err(not_shown()),
        low_power: power
            .clone()
            .and_then(|power| power.low_power.ok_or_else(unknown)),
        on_battery: power.and_then(|power| power.on_battery.ok_or_else(unknown)),
        priority: Err(not_shown()),
        others: threads.clone().map(|threads| meanwhile.others(threads)),
        processors: Err("macOS does not pin programs to processors".to_owned()),
        cores: cores(),
        hypervisor: hypervisor(),
        swapped: Ok(meanwhile.swapped),
        debugger: tourbillon_os::debugger_attached().ok_or_else(not_shown),
        random_addresses: Err(not_shown()),
        counter,
        // Missing where no program is ever translated.
        translated: Ok(system_number("sysctl.proc_translated").unwrap_or(0) == 1),
    }
}

fn count(name: &str) -> Known<usize> {
    let number = system_number(name).map_err(|error| error.to_string())?;
    usize::try_from(number).map_err(|error| error.to_string())
}

fn cores() -> Known<[usize; 3]> {
    let all = count("hw.physicalcpu")?;
    // Level 0 is the fastest; a machine whose cores are alike may have no levels.
    let fast = match count("hw.nperflevels") {
        Ok(2..) => count("hw.perflevel0.physicalcpu")?,
        _ => all,
    };
    Ok([fast, all.saturating_sub(fast), count("hw.logicalcpu")?])
}

fn hypervisor() -> Known<String> {
    if count("kern.hv_vmm_present")? == 0 {
        return Ok(String::new());
    }
    let model = system_text("hw.model").unwrap_or_default();
    Ok(hypervisor_in(&model).map_or(model, str::to_owned))
}
