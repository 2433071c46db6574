//! What the kernels of the `landmarks` benchmark are known to cost.

/// A core, as far as the cost of the kernels depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// Intel's family 6, which holds Nehalem and the cores after it. The Atoms in it are not meant:
    /// their multipliers are slower.
    Intel,
    /// AMD's families 17h and 19h and Hygon's 18h: Zen to Zen 4.
    Zen,
    /// AMD's family 1Ah: Zen 5.
    Zen5,
    /// Anything else.
    Other,
}

impl Core {
    /// The core of a processor with this vendor and family, as `/proc/cpuinfo` names them.
    pub fn of(vendor: &str, family: &str) -> Self {
        match (vendor, family) {
            ("GenuineIntel", "6") => Core::Intel,
            ("AuthenticAMD", "23" | "25") | ("HygonGenuine", "24") => Core::Zen,
            ("AuthenticAMD", "26") => Core::Zen5,
            _ => Core::Other,
        }
    }
}

/// What a kernel is known to cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Truth {
    /// So many cycles per op.
    Cycles(f64),
    /// Nothing: it should not be told from the empty loop.
    Nothing,
    /// Not the same on all cores, or not documented for this one; and why.
    Open(&'static str),
}

/// What `kernel` costs on `core` in this number of `copies`; `None` for a kernel that is not listed.
///
/// | kernel | a copy | cost of a copy in cycles |
/// |---|---|---|
/// | `empty` | nothing | none |
/// | `captured` | a captured value is returned | a load, beside which others run |
/// | `add` | adds a register to itself, carried from op to op | 1: no core is known that does it otherwise |
/// | `lat` | multiplies 32 bits, carried from op to op | 3 on Intel since Nehalem and AMD since Zen |
/// | `thr` | multiplies 32 bits, not carried | 1 where there is one multiplier: Intel since Nehalem, AMD from Zen to Zen 4; 1/3 where there are three: Zen 5 |
/// | `mov` | moves a register to a vector register, not carried | 1 on Intel since Sandy Bridge and on Zen 5; more on Zen 4 |
/// | `load` | loads the address of the next load from the first-level cache | 4 on Skylake and Zen, 5 on Golden Cove |
///
/// A third of a cycle is what three multipliers need, and what the timed loop adds to the copies needs
/// none of them: beside the copies an op has a load, and eight ops share a decrement and a branch,
/// for which that core has arithmetic units without a multiplier. From two copies on that is what it
/// costs wherever the loop lies. Of one copy a third is the least: [`truth_near`].
///
/// On Zen 4 `mov` was seen to take 1.2 cycles a move, and a hundred of them by themselves 1.16, while the same move
/// in AVX's encoding takes 1.00: the benchmark `encoded` measures both. So of AMD's cores before Zen 5 nothing is
/// claimed here.
pub fn truth(kernel: &str, copies: u64, core: Core) -> Option<Truth> {
    let copies = copies as f64;
    Some(match (kernel, core) {
        ("empty", _) => Truth::Nothing,
        ("captured", _) => Truth::Open("one load an op, several of which run in a cycle"),
        ("add", _) => Truth::Cycles(copies),
        ("lat", Core::Intel | Core::Zen | Core::Zen5) => Truth::Cycles(3.0 * copies),
        ("thr", Core::Intel | Core::Zen) => Truth::Cycles(copies),
        ("thr", Core::Zen5) => Truth::Cycles(copies / 3.0),
        ("mov", Core::Intel | Core::Zen5) => Truth::Cycles(copies),
        ("mov", Core::Zen) => Truth::Open("seen to be 1.2 a move on Zen 4"),
        ("load", _) => Truth::Open("differs from core to core"),
        ("lat" | "thr" | "mov", Core::Other) => Truth::Open("not known for this core"),
        _ => return None,
    })
}

/// What the loop of eight ops of one copy of `thr` takes on Zen 5 at one place or another, in cycles.
const LOOPS_OF_THR_1: [f64; 3] = [8.0 / 3.0, 3.0, 4.0];

/// As [`truth`], for a kernel that was seen to cost about so many cycles.
///
/// What one copy of `thr` costs on Zen 5 depends on the place of the timed loop in its line of 64 bytes: its
/// eight ops take 2.67, 3 or 4 cycles, as the core fetches 18 instructions sooner or later. The benchmark
/// `placed` measures them at places that it chooses. The compiler chooses the place of any other loop, so the
/// nearest cost is the true one.
pub fn truth_near(kernel: &str, copies: u64, core: Core, seen: f64) -> Option<Truth> {
    if (kernel, copies, core) != ("thr", 1, Core::Zen5) {
        return truth(kernel, copies, core);
    }
    let costs = LOOPS_OF_THR_1.map(|cycles| cycles / 8.0);
    let nearest = costs
        .into_iter()
        .min_by(|a, b| (a - seen).abs().total_cmp(&(b - seen).abs()));
    nearest.map(Truth::Cycles)
}

#[cfg(test)]
mod tests {
    use super::{Core, Truth, truth, truth_near};

    #[test]
    fn cores_are_told_apart() {
        for (vendor, family, core) in [
            ("GenuineIntel", "6", Core::Intel),
            ("GenuineIntel", "15", Core::Other),
            ("AuthenticAMD", "23", Core::Zen),
            ("AuthenticAMD", "25", Core::Zen),
            ("HygonGenuine", "24", Core::Zen),
            ("AuthenticAMD", "26", Core::Zen5),
            ("AuthenticAMD", "21", Core::Other),
            ("0x41", "8", Core::Other),
        ] {
            assert_eq!(Core::of(vendor, family), core, "{vendor} {family}");
        }
    }

    #[test]
    fn costs_grow_with_the_copies() {
        assert_eq!(truth("add", 10, Core::Other), Some(Truth::Cycles(10.0)));
        assert_eq!(truth("lat", 10, Core::Intel), Some(Truth::Cycles(30.0)));
        assert_eq!(truth("thr", 33, Core::Zen), Some(Truth::Cycles(33.0)));
        assert_eq!(truth("thr", 33, Core::Zen5), Some(Truth::Cycles(11.0)));
        assert_eq!(truth("mov", 3, Core::Zen5), Some(Truth::Cycles(3.0)));
    }

    #[test]
    fn one_copy_of_thr_costs_what_the_place_of_its_loop_decides() {
        let near = |seen| truth_near("thr", 1, Core::Zen5, seen);
        assert_eq!(near(0.34), truth("thr", 1, Core::Zen5));
        assert_eq!(near(0.376), Some(Truth::Cycles(0.375)));
        assert_eq!(near(7.0), Some(Truth::Cycles(0.5)));
        for (kernel, copies, core) in [
            ("thr", 2, Core::Zen5),
            ("thr", 1, Core::Zen),
            ("mov", 1, Core::Zen5),
            ("empty", 1, Core::Zen5),
        ] {
            let nearest = truth_near(kernel, copies, core, 0.376);
            assert_eq!(nearest, truth(kernel, copies, core), "{kernel}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_claimed() {
        assert!(matches!(truth("thr", 1, Core::Other), Some(Truth::Open(_))));
        assert!(matches!(truth("lat", 1, Core::Other), Some(Truth::Open(_))));
        assert!(matches!(truth("mov", 1, Core::Zen), Some(Truth::Open(_))));
        assert!(matches!(
            truth("load", 1, Core::Intel),
            Some(Truth::Open(_))
        ));
        assert_eq!(truth("divide", 1, Core::Intel), None);
    }
}
