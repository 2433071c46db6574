//! The kernels, on architectures that have them.

use tourbillon_engine::{Arm, Chained, Iterated, hide};
use tourbillon_timers::landmarks::{add_chain, multiply, multiply_chain};

use super::kernel::Kernel;
use super::truth::Multiplier;

/// The kernels whose cost is known on a core with this multiplier.
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
    kernels.extend([
        kernel("lat_1", chain(1), Chained::new(multiply_chain::<1>, 7)),
        kernel("lat_10", chain(10), Chained::new(multiply_chain::<10>, 7)),
        kernel(
            "lat_100",
            chain(100),
            Chained::new(multiply_chain::<100>, 7),
        ),
    ]);
    let y = hide(7);
    let products = |count: u64| count as f64 / units as f64;
    // With more units, loading an operand can take longer than multiplying it, so the cost is
    // unknown.
    if units == 1 {
        kernels.push(kernel(
            "thr_1",
            products(1),
            Iterated::new(move || multiply::<1>(y), |_| Ok(())),
        ));
    }
    kernels.extend([
        kernel(
            "thr_3",
            products(3),
            Iterated::new(move || multiply::<3>(y), |_| Ok(())),
        ),
        kernel(
            "thr_33",
            products(33),
            Iterated::new(move || multiply::<33>(y), |_| Ok(())),
        ),
    ]);
    kernels
}

fn kernel(name: &str, cycles: f64, arm: impl Arm + 'static) -> Kernel {
    Kernel {
        name: name.to_owned(),
        cycles,
        arm: Box::new(arm),
    }
}
