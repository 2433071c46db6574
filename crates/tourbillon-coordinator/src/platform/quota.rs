//! How much processor time the control group of this process may have.

use tourbillon_present::number::fixed;

use super::fact::{Facts, read, read_in, whole};

/// Where the groups of cgroup v2 are mounted.
const MOUNT: &str = "/sys/fs/cgroup";

/// Adds the limit where there is one: a program outside of a container mostly has none.
pub(super) fn add(facts: &mut Facts) {
    let groups = read("/proc/self/cgroup").unwrap_or_default();
    let mounts = read("/proc/self/mountinfo").unwrap_or_default();
    let limits = [limits(&groups), limits_v1(&groups, &mounts)].concat();
    let least = limits.into_iter().fold(f64::INFINITY, f64::min);
    if least.is_finite() {
        facts.known("cpu_quota", &(fixed(least, 2) + " processors"));
    }
}

/// The limits of this process's group and those above it, in processors (cgroup v2).
fn limits(groups: &str) -> Vec<f64> {
    let limit = |folder: &String| processors(&read_in(folder, "cpu.max"));
    folders(groups).iter().filter_map(limit).collect()
}

/// The same of cgroup v1.
fn limits_v1(groups: &str, mounts: &str) -> Vec<f64> {
    let limit = |folder: &String| {
        let quota = read_in(folder, "cpu.cfs_quota_us");
        let period = read_in(folder, "cpu.cfs_period_us");
        processors(&format!("{quota} {period}"))
    };
    folders_v1(groups, mounts)
        .iter()
        .filter_map(limit)
        .collect()
}

/// The folders of this process's group and those above it, by the text of /proc/self/cgroup (cgroup v2). In
/// a container the path may be the host's, of which only the mount itself is there.
fn folders(groups: &str) -> Vec<String> {
    let paths = groups.lines().filter_map(|line| line.strip_prefix("0::"));
    let mut folders: Vec<String> = paths.flat_map(|path| above(MOUNT, path)).collect();
    folders.push(MOUNT.to_owned());
    folders
}

/// The same for the controller of processors of cgroup v1, whose mount is found in /proc/self/mountinfo.
fn folders_v1(groups: &str, mounts: &str) -> Vec<String> {
    let mut folders = Vec::new();
    for line in mounts.lines() {
        // ID PARENT DEVICE ROOT MOUNT OPTIONS .. - cgroup SOURCE OPTIONS
        let Some((place, kind)) = line.split_once(" - cgroup ") else {
            continue;
        };
        let mut words = place.split(' ').skip(3);
        let (Some(root), Some(mount)) = (words.next(), words.next()) else {
            continue;
        };
        if !kind.split(' ').next_back().is_some_and(has_cpu) {
            continue;
        }
        for line in groups.lines() {
            // NUMBER:CONTROLLERS:PATH, of which the mount shows what is below its root.
            let mut parts = line.splitn(3, ':').skip(1);
            if parts.next().is_some_and(has_cpu)
                && let Some(path) = parts.next()
                && let Some(below) = path.strip_prefix(root.trim_end_matches('/'))
                && (below.is_empty() || below.starts_with('/'))
            {
                folders.extend(above(mount, below));
            }
        }
        folders.push(mount.to_owned());
    }
    folders
}

/// Whether the controller of processors is in a list.
fn has_cpu(controllers: &str) -> bool {
    controllers.split(',').any(|name| name == "cpu")
}

/// A group below a mount and those above it, except the mount itself.
fn above(mount: &str, path: &str) -> Vec<String> {
    let mut folder = mount.to_owned();
    let mut folders = Vec::new();
    for name in path.split('/').filter(|name| !name.is_empty()) {
        folder = format!("{folder}/{name}");
        folders.push(folder.clone());
    }
    folders
}

/// Reads `MAX PERIOD`, both in microseconds; `max` (cgroup v2) and -1 (cgroup v1) are no limit.
fn processors(limit: &str) -> Option<f64> {
    let (most, period) = limit.split_once(' ')?;
    match (whole(most)?, whole(period)?) {
        (_, 0) => None,
        (most, period) => Some(most as f64 / period as f64),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{folders, folders_v1, limits_v1, processors};

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

    const GROUPS: &str = "9:memory:/a\n4:cpu,cpuacct:/docker/x/y\n0::/\n";

    /// A line of mountinfo.
    fn mount(root: &str, place: &str) -> String {
        format!("33 29 0:29 {root} {place} rw,relatime shared:12 - cgroup cgroup rw,cpu,cpuacct\n")
    }

    #[test]
    fn groups_of_version_1() {
        let of = |mounts: &str| folders_v1(GROUPS, mounts).join(" ");
        assert_eq!(
            of(&mount("/", "/c/cpu")),
            "/c/cpu/docker /c/cpu/docker/x /c/cpu/docker/x/y /c/cpu"
        );
        // In a container the root of the mount is its group, or one that is not ours.
        assert_eq!(of(&mount("/docker/x", "/c/cpu")), "/c/cpu/y /c/cpu");
        assert_eq!(of(&mount("/elsewhere", "/c/cpu")), "/c/cpu");
        assert_eq!(of(&mount("/dock", "/c/cpu")), "/c/cpu");
        for other in [
            "",
            "34 29 0:30 / /c/set rw - cgroup cgroup rw,cpuset",
            "35 29 0:31 / /c/u rw - cgroup2 cgroup2 rw,nsdelegate",
        ] {
            assert_eq!(of(other), "", "{other}");
        }
    }

    #[test]
    fn limits_of_version_1() {
        let root = std::env::temp_dir().join(format!("tourbillon-quota-{}", std::process::id()));
        let write = |group: &str, quota: &str| {
            let folder = root.join(group);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("cpu.cfs_quota_us"), quota).unwrap();
            fs::write(folder.join("cpu.cfs_period_us"), "100000\n").unwrap();
        };
        write("docker/x/y", "-1\n");
        write("docker/x", "150000\n");
        write("docker", "400000\n");
        let found = limits_v1(GROUPS, &mount("/", root.to_str().unwrap()));
        fs::remove_dir_all(&root).unwrap();
        assert_eq!(found, [4.0, 1.5]);
    }

    #[test]
    fn limits() {
        assert_eq!(processors("50000 100000"), Some(0.5));
        assert_eq!(processors("300000 100000"), Some(3.0));
        for none in ["max 100000", "", "50000", "50000 0", "-1 100000", "a b"] {
            assert_eq!(processors(none), None, "{none}");
        }
    }
}
