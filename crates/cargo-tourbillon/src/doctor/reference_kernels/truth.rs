//! The cost of multiplications.

use crate::doctor::tree::field;

/// Cycles of a 32-bit multiplication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Multiplier {
    /// From operands to product.
    pub(super) latency: u64,
    /// Number of multipliers: products per cycle, since nothing else in a timed loop uses them.
    pub(super) units: u64,
}

/// The multiplier of the processor in a text of /proc/cpuinfo; `None` if unknown.
///
/// Family 6 of Intel is Nehalem and later cores; its Atoms and the small cores of hybrid processors
/// have slower multipliers and are not distinguished. Families 17h and 19h of AMD, and 18h of
/// Hygon, are Zen to Zen 4; 1Ah is Zen 5, which has three multipliers.
pub(super) fn multiplier(cpuinfo: &str) -> Option<Multiplier> {
    let vendor = field(cpuinfo, "vendor_id")?;
    let family = field(cpuinfo, "cpu family")?;
    match (vendor, family) {
        ("GenuineIntel", "6") | ("AuthenticAMD", "23" | "25") | ("HygonGenuine", "24") => {
            Some(Multiplier {
                latency: 3,
                units: 1,
            })
        }
        ("AuthenticAMD", "26") => Some(Multiplier {
            latency: 3,
            units: 3,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::multiplier;

    #[test]
    fn what_is_not_known_is_not_claimed() {
        let of = |vendor: &str, family: &str| {
            multiplier(&format!("vendor_id\t: {vendor}\ncpu family\t: {family}\n"))
        };
        for (vendor, family, units) in [
            ("GenuineIntel", "6", Some(1)),
            ("AuthenticAMD", "25", Some(1)),
            ("HygonGenuine", "24", Some(1)),
            ("AuthenticAMD", "26", Some(3)),
            ("GenuineIntel", "15", None),
            ("AuthenticAMD", "21", None),
        ] {
            let found = of(vendor, family).map(|multiplier| multiplier.units);
            assert_eq!(found, units, "{vendor} {family}");
        }
        assert_eq!(multiplier("CPU implementer\t: 0x41\n"), None);
    }
}
