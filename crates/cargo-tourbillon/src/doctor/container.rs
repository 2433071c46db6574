//! Limits of control groups on processor time.

use super::tree::{Known, Tree, counted};

/// Where control groups are mounted.
const MOUNT: &str = "/sys/fs/cgroup";

/// The limits of the control groups of this process.
#[derive(Debug, PartialEq)]
pub(super) struct Container {
    /// Allowed processor time per time; `None` without a limit.
    pub(super) quota: Option<f64>,
    /// How often it was throttled; `None` if that is not counted.
    pub(super) throttled: Option<u64>,
}

impl Container {
    /// Reads version 2 if its hierarchy has the controller, else version 1 (cgroups(7)).
    pub(super) fn of(tree: &Tree) -> Known<Container> {
        let groups = tree.read("/proc/self/cgroup")?;
        let first = groups.lines().find_map(|line| {
            let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
            let named = controllers.split(',').any(|controller| controller == "cpu");
            named.then(|| (controllers.to_owned(), path.to_owned()))
        });
        if let Some((controllers, path)) = first {
            return Ok(version_1(tree, &controllers, &path));
        }
        let second = groups.lines().find_map(|line| line.strip_prefix("0::"));
        match second {
            Some(path) => Ok(version_2(tree, path)),
            None => Err("this process is in no control group that limits processors".to_owned()),
        }
    }
}

/// The folder of a group and those above it. In a container the path may be the host's, so that
/// only the mount exists.
fn folders(mount: &str, path: &str) -> Vec<String> {
    // A group outside the container begins with `..`.
    let outside = path.starts_with("/..");
    let mut path = if outside {
        ""
    } else {
        path.trim_end_matches('/')
    };
    let mut folders = Vec::new();
    while let Some((above, _)) = path.rsplit_once('/') {
        folders.push(format!("{mount}{path}"));
        path = above;
    }
    folders.push(mount.to_owned());
    folders
}

fn version_2(tree: &Tree, path: &str) -> Container {
    let folders = folders(MOUNT, path);
    let quotas = folders.iter().filter_map(|folder| {
        let text = tree.read(&format!("{folder}/cpu.max")).ok()?;
        let (quota, period) = text.split_once(' ')?;
        Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
    });
    Container {
        quota: quotas.reduce(f64::min),
        throttled: throttled(tree, &folders),
    }
}

fn version_1(tree: &Tree, controllers: &str, path: &str) -> Container {
    let mounted = [controllers, "cpu", "cpu,cpuacct", "cpuacct,cpu"];
    let mount = mounted
        .map(|name| format!("{MOUNT}/{name}"))
        .into_iter()
        .find(|folder| tree.names(folder).is_ok())
        .unwrap_or_else(|| format!("{MOUNT}/cpu"));
    let folders = folders(&mount, path);
    let quotas = folders.iter().filter_map(|folder| {
        let quota = tree.number(&format!("{folder}/cpu.cfs_quota_us")).ok()?;
        let period = tree.number(&format!("{folder}/cpu.cfs_period_us")).ok()?;
        // -1 is no limit.
        (quota > 0 && period > 0).then(|| quota as f64 / period as f64)
    });
    Container {
        quota: quotas.reduce(f64::min),
        throttled: throttled(tree, &folders),
    }
}

/// Of the lowest group that counts it.
fn throttled(tree: &Tree, folders: &[String]) -> Option<u64> {
    folders.iter().find_map(|folder| {
        let text = tree.read(&format!("{folder}/cpu.stat")).ok()?;
        counted(&text, "nr_throttled")
    })
}

#[cfg(test)]
mod tests {
    use super::folders;

    #[test]
    fn groups_are_looked_up_to_the_mount() {
        assert_eq!(folders("/m", "/a/b"), ["/m/a/b", "/m/a", "/m"]);
        assert_eq!(folders("/m", "/"), ["/m"]);
        assert_eq!(folders("/m", "/../x"), ["/m"]);
    }
}
