//! The hardware behind a counter, recognised by its frequency.

use std::fmt;

/// The device that counts at a frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hardware {
    /// A timer interrupt of the operating system.
    SystemTick,
    /// The real-time clock's crystal, 32 768 Hz.
    RealTimeClock,
    /// The programmable interval timer of the PC, 1 193 182 Hz.
    Pit,
    /// The power management timer of ACPI, 3 579 545 Hz: a quarter of HPET's crystal.
    AcpiPm,
    /// The high precision event timer, 14 318 180 Hz.
    Hpet,
    /// The time stamp counter, shifted right by ten bits: `QueryPerformanceCounter` of Windows 7
    /// and 8 (A. Akinshin, "Stopwatch under the hood", 2016).
    TscOver1024,
    /// The ten megahertz to which Windows 10 scales the source of `QueryPerformanceCounter`, probably an
    /// invariant time stamp counter.
    ScaledTenMegahertz,
    /// The timer of Apple's processors, 24 MHz.
    AppleTimer,
    /// The generic timer of 64-bit Arm processors, at one of its usual rates.
    ArmTimer,
    /// Nanoseconds: a conversion, whose source the rate does not tell.
    Nanoseconds,
}

/// Known rates: lowest, highest, device. Crystals are off by up to 100 ppm and rates are calibrated, so each
/// has a tolerance; narrow ranges come before wide ones that contain them.
const KNOWN: &[(f64, f64, Hardware)] = &[
    (32_760.0, 32_776.0, Hardware::RealTimeClock),
    (1_193_000.0, 1_193_400.0, Hardware::Pit),
    (3_579_000.0, 3_580_100.0, Hardware::AcpiPm),
    (14_300_000.0, 14_400_000.0, Hardware::Hpet),
    (9_999_000.0, 10_001_000.0, Hardware::ScaledTenMegahertz),
    (23_997_000.0, 24_003_000.0, Hardware::AppleTimer),
    (19_198_000.0, 19_202_000.0, Hardware::ArmTimer),
    (24_990_000.0, 25_010_000.0, Hardware::ArmTimer),
    (49_990_000.0, 50_010_000.0, Hardware::ArmTimer),
    (53_990_000.0, 54_010_000.0, Hardware::ArmTimer),
    (62_490_000.0, 62_510_000.0, Hardware::ArmTimer),
    (99_990_000.0, 100_010_000.0, Hardware::ArmTimer),
    (999_999_000.0, 1_000_001_000.0, Hardware::Nanoseconds),
    // Interrupts come 10 to 2048 times a second.
    (1.0, 4_096.0, Hardware::SystemTick),
    // Processors of 0.5 to 7 GHz, divided by 1024.
    (488_000.0, 6_836_000.0, Hardware::TscOver1024),
];

impl Hardware {
    /// The device that probably counts at `hz` ticks per second; `None` for other rates, such as that of a
    /// processor.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon_timers::characterise::Hardware;
    ///
    /// assert_eq!(Hardware::recognise(3_579_545.0), Some(Hardware::AcpiPm));
    /// assert_eq!(Hardware::recognise(2_600_000_000.0), None);
    /// ```
    #[must_use]
    pub fn recognise(hz: f64) -> Option<Hardware> {
        KNOWN
            .iter()
            .find(|&&(lowest, highest, _)| (lowest..=highest).contains(&hz))
            .map(|&(_, _, hardware)| hardware)
    }
}

impl fmt::Display for Hardware {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Hardware::SystemTick => "system tick",
            Hardware::RealTimeClock => "real-time clock",
            Hardware::Pit => "PIT",
            Hardware::AcpiPm => "ACPI PM timer",
            Hardware::Hpet => "HPET",
            Hardware::TscOver1024 => "TSC / 1024",
            Hardware::ScaledTenMegahertz => "scaled to 10 MHz",
            Hardware::AppleTimer => "24 MHz timer",
            Hardware::ArmTimer => "generic timer",
            Hardware::Nanoseconds => "nanoseconds",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_are_recognised() {
        for (hz, expected) in [
            (3_579_545.0, Some(Hardware::AcpiPm)),
            (14_318_180.0, Some(Hardware::Hpet)),
            (10_000_000.0, Some(Hardware::ScaledTenMegahertz)),
            (2_143_473.0, Some(Hardware::TscOver1024)),
            (2_143_477.0, Some(Hardware::TscOver1024)),
            (2_728_067.0, Some(Hardware::TscOver1024)),
            (2_728_068.0, Some(Hardware::TscOver1024)),
            (3_507_519.0, Some(Hardware::TscOver1024)),
            (64.0, Some(Hardware::SystemTick)),
            (250.0, Some(Hardware::SystemTick)),
            (1_000.0, Some(Hardware::SystemTick)),
            (2_000.0, Some(Hardware::SystemTick)),
            (1_193_182.0, Some(Hardware::Pit)),
            (32_768.0, Some(Hardware::RealTimeClock)),
            (24_000_000.0, Some(Hardware::AppleTimer)),
            (62_500_000.0, Some(Hardware::ArmTimer)),
            (1_000_000_000.0, Some(Hardware::Nanoseconds)),
            (2_600_000_000.0, None),
            (0.0, None),
            (f64::NAN, None),
        ] {
            assert_eq!(Hardware::recognise(hz), expected, "{hz}");
        }
    }
}
