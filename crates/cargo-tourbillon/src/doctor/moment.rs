//! Counters of the system at one moment.

use super::container::Container;
use super::tree::{Known, Tree, counted};

/// Counters that are read twice.
#[derive(Debug)]
pub(super) struct Moment {
    /// /proc/stat.
    pub(super) stat: Known<String>,
    /// All processes.
    pub(super) processes: Known<Vec<Process>>,
    /// Pages read from and written to swap space.
    pub(super) swapped: Known<u64>,
    /// How often the container was throttled.
    pub(super) throttled: Option<u64>,
    /// How often a processor was throttled because of heat.
    pub(super) heat: Known<u64>,
}

/// A process and its processor time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: u32,
    pub(super) name: String,
    /// In the unit of /proc/stat.
    pub(super) ticks: u64,
}

impl Moment {
    pub(super) fn now(tree: &Tree) -> Moment {
        Moment {
            stat: tree.read("/proc/stat"),
            processes: processes(tree),
            swapped: swapped(tree),
            throttled: Container::of(tree)
                .ok()
                .and_then(|container| container.throttled),
            heat: heat(tree),
        }
    }
}

/// All processes except this one.
fn processes(tree: &Tree) -> Known<Vec<Process>> {
    let own = tree.read("/proc/self/stat")?;
    let own = own.split(' ').next().unwrap_or_default();
    let numbers = tree.names("/proc")?;
    let others = numbers
        .iter()
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()) && *name != own);
    // A process that has ended has no file.
    let one = |pid: &String| process(&tree.read(&format!("/proc/{pid}/stat")).ok()?);
    Ok(others.filter_map(one).collect())
}

/// Number, name, and the sum of fields 14 and 15, user and system time (proc_pid_stat(5)).
fn process(stat: &str) -> Option<Process> {
    // A name may contain parentheses.
    let (pid, rest) = stat.split_once(" (")?;
    let (name, fields) = rest.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(11);
    let mut time = || fields.next()?.parse::<u64>().ok();
    Some(Process {
        pid: pid.parse().ok()?,
        name: name.to_owned(),
        ticks: time()? + time()?,
    })
}

fn swapped(tree: &Tree) -> Known<u64> {
    let text = tree.read("/proc/vmstat")?;
    match (counted(&text, "pswpin"), counted(&text, "pswpout")) {
        (Some(came), Some(went)) => Ok(came + went),
        _ => Err("/proc/vmstat does not count pages that are swapped".to_owned()),
    }
}

fn heat(tree: &Tree) -> Known<u64> {
    let mut counts = Vec::new();
    for processor in tree.processors() {
        for kind in ["core", "package"] {
            let path = format!(
                "/sys/devices/system/cpu/cpu{processor}/thermal_throttle/{kind}_throttle_count"
            );
            counts.extend(
                tree.number(&path)
                    .ok()
                    .and_then(|count| u64::try_from(count).ok()),
            );
        }
    }
    if counts.is_empty() {
        return Err(
            "the system counts no thermal throttling, as in most virtual machines".to_owned(),
        );
    }
    Ok(counts.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::process;

    #[test]
    fn names_of_processes_hold_anything() {
        let text = "12 (a) b (c) R 1 12 12 0 -1 4 90 0 0 0 30 12 0 0 20 0 1 0 55";
        let found = process(text).unwrap();
        assert_eq!((found.pid, found.ticks), (12, 42));
        assert_eq!(found.name, "a) b (c");
        assert_eq!(process("12 (a) R 1"), None);
        assert_eq!(process(""), None);
    }
}
