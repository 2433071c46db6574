//! What multiplications cost on a core.

use crate::doctor::tree::field;

/// Cycles of a multiplication of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Multiplier {
    /// From operands to product.
    pub(super) latency: u64,
    /// Whether there is one multiplier, so that each product takes a cycle of it.
    pub(super) single: bool,
}

/// The multiplier of the processor of a text of /proc/cpuinfo; `None` where it is not known.
///
/// Family 6 of Intel is Nehalem and the cores after it; its Atoms, whose multipliers are slower, are
/// not told apart, nor are the small cores of hybrid processors. Families 17h and 19h of AMD, and 18h
/// of Hygon, are Zen to Zen 4; 1Ah is Zen 5, which has three multipliers.
pub(super) fn multiplier(cpuinfo: &str) -> Option<Multiplier> {
    let vendor = field(cpuinfo, "vendor_id")?;
    let family = field(cpuinfo, "cpu family")?;
    match (vendor, family) {
        ("GenuineIntel", "6") | ("AuthenticAMD", "23" | "25") | ("HygonGenuine", "24") => {
            Some(Multiplier {
                latency: 3,
                single: true,
            })
        }
        ("AuthenticAMD", "26") => Some(Multiplier {
            latency: 3,
            single: false,
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
        for (vendor, family, single) in [
            ("GenuineIntel", "6", Some(true)),
            ("AuthenticAMD", "25", Some(true)),
            ("HygonGenuine", "24", Some(true)),
            ("AuthenticAMD", "26", Some(false)),
            ("GenuineIntel", "15", None),
            ("AuthenticAMD", "21", None),
        ] {
            let found = of(vendor, family).map(|multiplier| multiplier.single);
            assert_eq!(found, single, "{vendor} {family}");
        }
        assert_eq!(multiplier("CPU implementer\t: 0x41\n"), None);
    }
}
