//! Whether the kernel trusts the time stamp counter.

use std::fmt;

use crate::kernel_text::has_word;
use crate::os::CURRENT_CLOCK_SOURCE;
use crate::system_error::got;

const AVAILABLE_CLOCK_SOURCES: &str =
    "/sys/devices/system/clocksource/clocksource0/available_clocksource";

/// How far the kernel trusts the counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Its own clock is made out of it.
    Current,
    /// It could be; the kernel's clock is another, as is usual in a guest.
    Available { current: String },
}

impl Trust {
    pub(super) fn is_current(&self) -> bool {
        *self == Trust::Current
    }
}

impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trust::Current => f.write_str("the kernel's own clock source"),
            Trust::Available { current } => {
                write!(f, "one of the kernel's clock sources (it uses {current})")
            }
        }
    }
}

/// Asks sysfs.
pub(super) fn of_this_kernel() -> Result<Trust, String> {
    judge(
        &read(CURRENT_CLOCK_SOURCE)?,
        &read(AVAILABLE_CLOCK_SOURCES)?,
    )
}

fn read(path: &str) -> Result<String, String> {
    match got(std::fs::read_to_string(path)) {
        Ok(text) => Ok(text),
        Err(error) => Err(format!(
            "whether the kernel trusts it is not known ({path}: {error})"
        )),
    }
}

/// Judges by the texts of `current_clocksource` and `available_clocksource`.
///
/// Whole words only: `hyperv_clocksource_tsc_page` is not the TSC. The kernel takes a TSC that it
/// has found unstable off the list.
fn judge(current: &str, available: &str) -> Result<Trust, String> {
    let current = current.trim_ascii();
    if current == "tsc" {
        Ok(Trust::Current)
    } else if has_word(available.as_bytes(), b"tsc") {
        Ok(Trust::Available {
            current: current.to_owned(),
        })
    } else {
        Err(format!(
            "the kernel does not trust it (it has: {})",
            available.trim_ascii()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judges_the_texts_of_several_machines() {
        let available = |current: &str| {
            Ok(Trust::Available {
                current: current.to_owned(),
            })
        };
        for (current, list, expected) in [
            ("tsc\n", "tsc kvm-clock \n", Ok(Trust::Current)),
            ("tsc\n", "tsc hpet acpi_pm \n", Ok(Trust::Current)),
            (
                "kvm-clock\n",
                "kvm-clock tsc acpi_pm \n",
                available("kvm-clock"),
            ),
            ("xen\n", "xen tsc hpet acpi_pm", available("xen")),
        ] {
            assert_eq!(judge(current, list), expected, "{current} of {list}");
        }
    }

    #[test]
    fn refuses_what_only_looks_like_the_counter() {
        for (current, list) in [
            ("hpet\n", "hpet acpi_pm \n"),
            (
                "hyperv_clocksource_tsc_page\n",
                "hyperv_clocksource_tsc_page hyperv_clocksource_msr \n",
            ),
            ("tsc-early\n", "tsc-early hpet acpi_pm\n"),
            ("", ""),
        ] {
            assert!(judge(current, list).is_err(), "{current} of {list}");
        }
    }
}
