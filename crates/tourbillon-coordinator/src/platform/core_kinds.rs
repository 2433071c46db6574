//! The kinds of cores of a hybrid processor, and the processors that workers may run on.
//!
//! The same code takes up to twice as long on an efficiency core: workers stay on one kind.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use tourbillon_values::processors;

/// Where Linux has the processors of Intel's kinds, each a unit with counters of its own, and those that save more than
/// efficiency cores do (Arrow Lake).
const UNITS: [(CoreKind, &str); 3] = [
    (CoreKind::Performance, "sys/devices/cpu_core/cpus"),
    (CoreKind::Efficiency, "sys/devices/cpu_atom/cpus"),
    (CoreKind::LowPower, "sys/devices/cpu_lowpower/cpus"),
];

/// Capacities that differ by less are of one kind: clusters of the same core have other highest frequencies.
const SAME_CAPACITY: f64 = 0.9;

/// A kind of core, the fastest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CoreKind {
    /// The fastest.
    Performance,
    /// Between the two others.
    Middle,
    /// The slowest, or Intel's small cores.
    Efficiency,
    /// Slower still.
    LowPower,
}

impl fmt::Display for CoreKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CoreKind::Performance => "performance",
            CoreKind::Middle => "middle",
            CoreKind::Efficiency => "efficiency",
            CoreKind::LowPower => "low-power",
        })
    }
}

/// The processors of each kind of a machine that has several, the fastest kind first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreKinds(Vec<(CoreKind, Vec<u32>)>);

impl CoreKinds {
    /// Those of this machine; `None` where all cores are alike, or the system does not tell.
    #[must_use]
    pub fn of_machine() -> Option<CoreKinds> {
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        let types = || tourbillon_os::core_types().ok();
        #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
        let types = || None;
        CoreKinds::read(Path::new("/"), &types)
    }

    /// Those of the machine whose files are below `root`, and whose processors state these types (CPUID leaf 1Ah).
    #[must_use]
    pub fn read(root: &Path, types: &dyn Fn() -> Option<Vec<(u32, u8)>>) -> Option<CoreKinds> {
        let mut kinds = of_units(root);
        if kinds.len() < 2 {
            kinds = of_capacities(root);
        }
        if kinds.len() < 2 {
            kinds = of_types(&types()?);
        }
        (kinds.len() > 1).then_some(CoreKinds(kinds))
    }

    /// Each kind and its processors.
    pub fn iter(&self) -> impl Iterator<Item = (CoreKind, &[u32])> {
        self.0.iter().map(|(kind, cpus)| (*kind, cpus.as_slice()))
    }

    /// The kinds of these processors.
    #[must_use]
    pub fn of(&self, cpus: &[u32]) -> Vec<CoreKind> {
        let mut kinds = Vec::new();
        for (kind, own) in self.iter() {
            if own.iter().any(|cpu| cpus.contains(cpu)) {
                kinds.push(kind);
            }
        }
        kinds
    }

    /// The processors of a kind, of those that are allowed.
    fn allowed(&self, kind: CoreKind, allowed: &[u32]) -> Vec<u32> {
        let mut cpus = Vec::new();
        for (_, own) in self.iter().filter(|(own, _)| *own == kind) {
            cpus.extend(own.iter().filter(|cpu| allowed.contains(cpu)));
        }
        cpus
    }
}

fn of_units(root: &Path) -> Vec<(CoreKind, Vec<u32>)> {
    let mut kinds = Vec::new();
    for (kind, file) in UNITS {
        let list = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        if let Ok(cpus) = processors(list.trim()) {
            kinds.push((kind, cpus));
        }
    }
    kinds
}

/// By how much the processors compute, as Linux has it on Arm and RISC-V: 1024 is the fastest.
fn of_capacities(root: &Path) -> Vec<(CoreKind, Vec<u32>)> {
    let folder = root.join("sys/devices/system/cpu");
    let mut capacities: Vec<(u32, u32)> = Vec::new();
    for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_prefix("cpu")?.parse().ok());
        let capacity = std::fs::read_to_string(entry.path().join("cpu_capacity"));
        let capacity = capacity.ok().and_then(|text| text.trim().parse().ok());
        if let (Some(number), Some(capacity)) = (number, capacity) {
            capacities.push((capacity, number));
        }
    }
    capacities.sort_unstable_by_key(|&(capacity, number)| (u32::MAX - capacity, number));
    let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
    for (capacity, number) in capacities {
        match groups.last_mut() {
            Some((most, cpus)) if f64::from(capacity) > SAME_CAPACITY * f64::from(*most) => {
                cpus.push(number);
            }
            _ => groups.push((capacity, vec![number])),
        }
    }
    let last = groups.len().saturating_sub(1);
    let mut kinds: Vec<(CoreKind, Vec<u32>)> = Vec::new();
    for (at, (_, mut cpus)) in groups.into_iter().enumerate() {
        cpus.sort_unstable();
        match kinds.last_mut() {
            Some((CoreKind::Middle, of_middle)) if at < last => of_middle.append(&mut cpus),
            _ if at == 0 => kinds.push((CoreKind::Performance, cpus)),
            _ if at == last => kinds.push((CoreKind::Efficiency, cpus)),
            _ => kinds.push((CoreKind::Middle, cpus)),
        }
    }
    kinds
}

/// By CPUID leaf 1Ah (Intel SDM volume 2A): 40h is a Core, 20h an Atom.
fn of_types(types: &[(u32, u8)]) -> Vec<(CoreKind, Vec<u32>)> {
    let mut kinds = Vec::new();
    for (kind, number) in [(CoreKind::Performance, 0x40), (CoreKind::Efficiency, 0x20)] {
        let own = types.iter().filter(|(_, of)| *of == number);
        let cpus: Vec<u32> = own.map(|(cpu, _)| *cpu).collect();
        if !cpus.is_empty() {
            kinds.push((kind, cpus));
        }
    }
    kinds
}

/// The processors that are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CpuChoice {
    /// Those of the fastest kind; all where they are alike.
    #[default]
    Fastest,
    /// Those of a kind.
    Kind(CoreKind),
    /// These.
    List(Vec<u32>),
}

impl FromStr for CpuChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<CpuChoice, String> {
        match text {
            "performance" => Ok(CpuChoice::Kind(CoreKind::Performance)),
            "efficiency" => Ok(CpuChoice::Kind(CoreKind::Efficiency)),
            _ => processors(text)
                .map(CpuChoice::List)
                .map_err(|what| format!("{what}; or performance or efficiency")),
        }
    }
}

/// The processors that workers run on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerCpus {
    /// Those that they are pinned to; empty without pinning.
    pub cpus: Vec<u32>,
    /// Their kinds; empty where all cores are alike.
    pub kinds: Vec<CoreKind>,
}

impl WorkerCpus {
    /// The chosen ones of those that are `allowed`.
    ///
    /// # Errors
    ///
    /// A choice that this machine does not have or does not allow.
    pub fn new(
        choice: &CpuChoice,
        kinds: Option<&CoreKinds>,
        allowed: &[u32],
    ) -> Result<WorkerCpus, String> {
        let may = || {
            let allowed: Vec<String> = allowed.iter().map(u32::to_string).collect();
            format!("it may on {}", allowed.join(","))
        };
        let cpus = match (choice, kinds) {
            (CpuChoice::Fastest | CpuChoice::Kind(CoreKind::Performance), None) => Vec::new(),
            (CpuChoice::Kind(kind), None) => {
                return Err(format!(
                    "no {kind} cores are known on this machine; name processors, such as 2 or 0,2-3"
                ));
            }
            (CpuChoice::Fastest, Some(kinds)) => {
                let mut each = kinds.iter().map(|(kind, _)| kinds.allowed(kind, allowed));
                each.find(|cpus| !cpus.is_empty()).unwrap_or_default()
            }
            (CpuChoice::Kind(kind), Some(kinds)) => match kinds.allowed(*kind, allowed) {
                none if none.is_empty() => {
                    return Err(format!("this process may run on no {kind} core; {}", may()));
                }
                cpus => cpus,
            },
            (CpuChoice::List(cpus), _) => {
                if let Some(cpu) = cpus.iter().find(|cpu| !allowed.contains(cpu)) {
                    return Err(format!(
                        "this process may not run on processor {cpu}; {}",
                        may()
                    ));
                }
                cpus.clone()
            }
        };
        let kinds = kinds.map_or_else(Vec::new, |kinds| kinds.of(&cpus));
        Ok(WorkerCpus { cpus, kinds })
    }

    /// What a launch on them has as its kind; `None` where all cores are alike.
    #[must_use]
    pub fn kind(&self) -> Option<String> {
        match self.kinds.as_slice() {
            [] => None,
            [kind] => Some(kind.to_string()),
            _ => Some("mixed".to_owned()),
        }
    }

    /// The names of their kinds.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.kinds.iter().map(CoreKind::to_string).collect()
    }
}

#[cfg(test)]
mod tests;
