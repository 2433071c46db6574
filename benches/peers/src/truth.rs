//! What the cases are known to cost on this core.

use std::fs;

use peers::Case;

#[path = "../../../examples/src/landmarks.rs"]
mod landmarks;

use landmarks::{Core, Truth};

/// The core of this machine, which the costs depend on.
#[derive(Debug)]
pub(crate) struct Machine {
    /// Model and family, in words.
    pub(crate) about: String,
    core: Core,
}

impl Machine {
    /// The machine on which this runs.
    ///
    /// # Errors
    ///
    /// Says that the costs of its core are not known.
    pub(crate) fn here() -> Result<Self, String> {
        let file = "/proc/cpuinfo";
        let text = fs::read_to_string(file)
            .map_err(|error| format!("{file}, which names the core, cannot be read: {error}"))?;
        Self::read(&text)
    }

    /// The machine that `/proc/cpuinfo` describes.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let field = |name: &str| {
            let named = |line: &str| {
                let (left, right) = line.split_once(':')?;
                (left.trim() == name).then(|| right.trim().to_owned())
            };
            text.lines().find_map(named).unwrap_or_default()
        };
        let (vendor, family) = (field("vendor_id"), field("cpu family"));
        let about = format!("{} · {vendor} · family {family}", field("model name"));
        match Core::of(&vendor, &family) {
            Core::Other => Err(format!(
                "what the kernels cost on this core is not known ({about})"
            )),
            core => Ok(Self { about, core }),
        }
    }

    /// Cycles of one op.
    pub(crate) fn cycles(&self, case: &Case) -> Option<f64> {
        cycles(landmarks::truth(case.kernel, case.copies, self.core)?)
    }

    /// Cycles of one op that was seen to cost about so many: what one copy of `thr` costs depends on the
    /// place of its loop.
    pub(crate) fn cycles_near(&self, case: &Case, seen: f64) -> Option<f64> {
        let truth = landmarks::truth_near(case.kernel, case.copies, self.core, seen);
        cycles(truth?)
    }
}

fn cycles(truth: Truth) -> Option<f64> {
    match truth {
        Truth::Cycles(cycles) => Some(cycles),
        Truth::Nothing => Some(0.0),
        Truth::Open(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use peers::CASES;

    use super::Machine;

    fn machine(vendor: &str, family: u32) -> Result<Machine, String> {
        Machine::read(&format!(
            "vendor_id\t: {vendor}\ncpu family\t: {family}\nmodel name\t: Example\n"
        ))
    }

    #[test]
    fn every_case_has_a_cost_on_every_known_core() {
        for (vendor, family, thr_10) in [
            ("GenuineIntel", 6, 10.0),
            ("AuthenticAMD", 25, 10.0),
            ("AuthenticAMD", 26, 10.0 / 3.0),
        ] {
            let machine = machine(vendor, family).unwrap();
            for case in CASES {
                // What a move costs on Zen before the fifth, nothing is claimed of.
                let is_open = family == 25 && case.name.starts_with("mov");
                let Some(cycles) = machine.cycles(case) else {
                    assert!(is_open, "{}", case.name);
                    continue;
                };
                assert!(!is_open, "{}", case.name);
                match case.name {
                    "empty" => assert_eq!(cycles, 0.0),
                    "thr_10" => assert_eq!(cycles, thr_10),
                    "lat_10" => assert_eq!(cycles, 30.0),
                    "add_10" => assert_eq!(cycles, 10.0),
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn a_core_that_is_not_known_is_refused() {
        let error = machine("Example", 1).unwrap_err();
        assert!(error.contains("Example · family 1"), "{error}");
    }
}
