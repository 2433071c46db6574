//! How much processor time the control group of this process may have.

use tourbillon_report::Pieces;

use super::fact::{self, Facts};
use crate::processors::whole;
use crate::text::{owned, text};

/// Where the groups are mounted.
const MOUNT: &str = "/sys/fs/cgroup";

/// Adds the limit where there is one. A program outside of a container is mostly in a group without
/// one, which is nothing to mention.
pub(super) fn add(facts: &mut Facts) {
    let groups = fact::read("/proc/self/cgroup").unwrap_or_default();
    let mut least = f64::INFINITY;
    for folder in folders(&groups) {
        if let Some(processors) = processors(&fact::read_in(&folder, "cpu.max")) {
            least = least.min(processors);
        }
    }
    if least.is_finite() {
        facts.known("cpu_quota", &text!("{least:.2} processors"));
    }
}

/// The folders of this process's group and those above it, by what /proc/self/cgroup says (cgroup v2). In
/// a container the path may be the host's, of which only the mount itself is there.
fn folders(groups: &str) -> Vec<String> {
    let mut folders = Vec::new();
    for line in Pieces::of(groups) {
        let Some(path) = line.strip_prefix("0::") else {
            continue;
        };
        let bytes = path.as_bytes();
        for end in 1..=bytes.len() {
            let is_whole = end == bytes.len() || bytes[end] == b'/';
            if is_whole && bytes[end - 1] != b'/' {
                folders.push(text!("{MOUNT}{}", &path[..end]));
            }
        }
    }
    folders.push(owned(MOUNT));
    folders
}

/// Reads `MAX PERIOD`, both in microseconds; `max` is no limit (cgroup v2, cpu.max).
fn processors(limit: &str) -> Option<f64> {
    let mut words = Pieces::divided(limit, b' ');
    let (most, period) = (whole(words.next()?), whole(words.next()?));
    match (most, period) {
        (Some(most), Some(period)) if period > 0 => Some(most as f64 / period as f64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{folders, processors};

    #[test]
    fn groups_and_those_above() {
        let of = |groups| folders(groups).join(" ");
        assert_eq!(
            of("0::/user.slice/run-7.scope"),
            "/sys/fs/cgroup/user.slice /sys/fs/cgroup/user.slice/run-7.scope /sys/fs/cgroup"
        );
        for root in ["0::/", "", "4:memory:/a"] {
            assert_eq!(of(root), "/sys/fs/cgroup", "{root}");
        }
        assert_eq!(of("1:cpu:/x\n0::/a\n"), "/sys/fs/cgroup/a /sys/fs/cgroup");
    }

    #[test]
    fn limits() {
        assert_eq!(processors("50000 100000"), Some(0.5));
        assert_eq!(processors("300000 100000"), Some(3.0));
        for none in ["max 100000", "", "50000", "50000 0", "a b"] {
            assert_eq!(processors(none), None, "{none}");
        }
    }
}
