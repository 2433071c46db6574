//! The kernels and their costs.

use std::fmt;

use tourbillon_engine::Arm;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use tourbillon_engine::{Chained, Iterated, hide};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use tourbillon_timers::reference_kernels::{add_chain, multiply, multiply_chain};

use tourbillon_tool::machine_facts::field;

/// Code of known cost.
pub(super) struct Kernel {
    pub(super) name: String,
    /// Cycles per op; 0 for an empty body.
    pub(super) cycles: f64,
    pub(super) arm: Box<dyn Arm>,
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel")
            .field("name", &self.name)
            .field("cycles", &self.cycles)
            .finish_non_exhaustive()
    }
}

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

/// The kernels whose cost is known on a core with this multiplier.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) fn all(multiplier: Option<Multiplier>) -> Vec<Kernel> {
    let mut kernels = vec![
        kernel("empty", 0.0, Iterated::new(|| (), |()| Ok(()))),
        kernel("add_1", 1.0, Chained::new(add_chain::<1>, 7)),
        kernel("add_10", 10.0, Chained::new(add_chain::<10>, 7)),
        kernel("add_100", 100.0, Chained::new(add_chain::<100>, 7)),
        kernel("add_1000", 1_000.0, Chained::new(add_chain::<1_000>, 7)),
    ];
    let Some(Multiplier { latency, units }) = multiplier else {
        return kernels;
    };
    let chain = |count: u64| (count * latency) as f64;
    let lat_1 = Chained::new(multiply_chain::<1>, 7);
    let lat_10 = Chained::new(multiply_chain::<10>, 7);
    let lat_100 = Chained::new(multiply_chain::<100>, 7);
    kernels.push(kernel("lat_1", chain(1), lat_1));
    kernels.push(kernel("lat_10", chain(10), lat_10));
    kernels.push(kernel("lat_100", chain(100), lat_100));
    let y = hide(7);
    let thr_1 = Iterated::new(move || multiply::<1>(y), |_| Ok(()));
    let thr_3 = Iterated::new(move || multiply::<3>(y), |_| Ok(()));
    let thr_33 = Iterated::new(move || multiply::<33>(y), |_| Ok(()));
    let products = |count: u64| count as f64 / units as f64;
    // With more units, loading an operand can take longer than multiplying it, so the cost is
    // unknown.
    if units == 1 {
        kernels.push(kernel("thr_1", products(1), thr_1));
    }
    kernels.push(kernel("thr_3", products(3), thr_3));
    kernels.push(kernel("thr_33", products(33), thr_33));
    kernels
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn kernel(name: &str, cycles: f64, arm: impl Arm + 'static) -> Kernel {
    Kernel {
        name: name.to_owned(),
        cycles,
        arm: Box::new(arm),
    }
}

/// Other architectures have no kernels.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn all(_: Option<Multiplier>) -> Vec<Kernel> {
    Vec::new()
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
