//! Observations of a machine: its files, and its counters at two moments.

use super::tree::{Known, Tree, after};

/// A machine: its files, and its counters at two moments.
#[derive(Debug)]
pub(super) struct Observations {
    pub(super) tree: Tree,
    /// The emulator of a processor that runs this program.
    pub(super) emulator: Option<String>,
    pub(super) earlier: Moment,
    pub(super) later: Moment,
}

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
            throttled: Container::of(tree).ok().and_then(|of| of.throttled),
            heat: heat(tree),
        }
    }
}

/// All processes except this one.
fn processes(tree: &Tree) -> Known<Vec<Process>> {
    let own = process(&tree.read("/proc/self/stat")?);
    let names = tree.names("/proc")?;
    let numbers = names.iter().filter_map(|name| name.parse::<u32>().ok());
    // A process that has ended has no file.
    let all = numbers.filter_map(|pid| process(&tree.read(&format!("/proc/{pid}/stat")).ok()?));
    let is_own = |one: &Process| own.as_ref().is_some_and(|own| own.pid == one.pid);
    Ok(all.filter(|one| !is_own(one)).collect())
}

/// Number, name, and the sum of fields 14 and 15, user and system time (proc_pid_stat(5)).
fn process(stat: &str) -> Option<Process> {
    // A name may contain parentheses.
    let (pid, rest) = stat.split_once(" (")?;
    let (name, numbers) = rest.rsplit_once(") ")?;
    let mut fields = numbers.split(' ').skip(11);
    let mut time = || fields.next()?.parse::<u64>().ok();
    Some(Process {
        pid: pid.parse().ok()?,
        name: name.to_owned(),
        ticks: time()? + time()?,
    })
}

fn swapped(tree: &Tree) -> Known<u64> {
    let text = tree.read("/proc/vmstat")?;
    let number = |key| after(&text, key)?.trim().parse::<u64>().ok();
    let swapped = number("pswpin").zip(number("pswpout"));
    swapped
        .map(|(read, written)| read + written)
        .ok_or_else(|| "/proc/vmstat does not count pages that are swapped".to_owned())
}

fn heat(tree: &Tree) -> Known<u64> {
    let paths = tree.processors().into_iter().flat_map(|processor| {
        let folder = format!("/sys/devices/system/cpu/cpu{processor}/thermal_throttle");
        ["core", "package"].map(|kind| format!("{folder}/{kind}_throttle_count"))
    });
    let counts = paths.filter_map(|path| u64::try_from(tree.number(&path).ok()?).ok());
    counts.reduce(|sum, count| sum + count).ok_or_else(|| {
        "the system counts no thermal throttling, as in most virtual machines".to_owned()
    })
}

/// The time of one processor, or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Times {
    /// Ticks that passed.
    pub(super) all: u64,
    /// Idle ticks.
    pub(super) idle: u64,
    /// Ticks in which the hypervisor ran something else.
    pub(super) stolen: u64,
}

impl Times {
    /// Parses the numbers of a line: user, nice, system, idle, iowait, irq, softirq, steal; the
    /// first two include the rest (proc_stat(5)).
    fn parse(line: &str) -> Option<Times> {
        let mut numbers = Vec::new();
        for word in line.split_whitespace().take(8) {
            numbers.push(word.parse::<u64>().ok()?);
        }
        match numbers[..] {
            [user, nice, system, idle, iowait, irq, softirq, stolen] => Some(Times {
                all: user + nice + system + idle + iowait + irq + softirq + stolen,
                idle: idle + iowait,
                stolen,
            }),
            _ => None,
        }
    }

    fn since(self, earlier: Times) -> Times {
        Times {
            all: self.all.saturating_sub(earlier.all),
            idle: self.idle.saturating_sub(earlier.idle),
            stolen: self.stolen.saturating_sub(earlier.stolen),
        }
    }

    /// Share of the time in which it was not idle, 0 to 1.
    pub(super) fn busy(self) -> f64 {
        share(self.all.saturating_sub(self.idle), self.all)
    }

    /// Share of the time that was stolen, 0 to 1.
    pub(super) fn steal(self) -> f64 {
        share(self.stolen, self.all)
    }
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// The time of one processor, or of all for `None`.
pub(super) fn times_of(stat: &Known<String>, processor: Option<u32>) -> Known<Times> {
    let name = processor.map_or("cpu".to_owned(), |number| format!("cpu{number}"));
    let text = stat.as_ref().map_err(String::clone)?;
    let times = after(text, &name).and_then(Times::parse);
    times.ok_or_else(|| format!("/proc/stat has no line {name:?} that is understood"))
}

/// The same between two moments.
pub(super) fn times_between(
    earlier: &Known<String>,
    later: &Known<String>,
    processor: Option<u32>,
) -> Known<Times> {
    Ok(times_of(later, processor)?.since(times_of(earlier, processor)?))
}

/// The number of processors in /proc/stat.
pub(super) fn processor_count(stat: &Known<String>) -> Known<usize> {
    let text = stat.as_ref().map_err(String::clone)?;
    let lines = text.lines().filter_map(|line| line.strip_prefix("cpu"));
    match lines.filter(|line| !line.starts_with(' ')).count() {
        0 => Err("/proc/stat names no processors".to_owned()),
        count => Ok(count),
    }
}

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
        groups
            .lines()
            .find_map(|line| line.strip_prefix("0::"))
            .map(|path| version_2(tree, path))
            .ok_or_else(|| "this process is in no control group that limits processors".to_owned())
    }

    /// The limits of a group and those above it. The lowest that counts throttling is the group's.
    fn of_folders(
        tree: &Tree,
        folders: &[String],
        quota: impl Fn(&String) -> Option<f64>,
    ) -> Container {
        let throttled = |folder: &String| {
            let text = tree.read(&format!("{folder}/cpu.stat")).ok()?;
            after(&text, "nr_throttled")?.trim().parse().ok()
        };
        Container {
            quota: folders.iter().filter_map(quota).reduce(f64::min),
            throttled: folders.iter().find_map(throttled),
        }
    }
}

/// The folder of a group and those above it. In a container the path may be the host's, so that
/// only the mount exists.
fn folders(mount: &str, path: &str) -> Vec<String> {
    let mut path = if path.starts_with("/..") {
        // A group outside the container.
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
    Container::of_folders(tree, &folders(MOUNT, path), |folder| {
        let text = tree.read(&format!("{folder}/cpu.max")).ok()?;
        let (quota, period) = text.split_once(' ')?;
        Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
    })
}

fn version_1(tree: &Tree, controllers: &str, path: &str) -> Container {
    let mut mounts = [controllers, "cpu", "cpu,cpuacct", "cpuacct,cpu"]
        .map(|name| format!("{MOUNT}/{name}"))
        .into_iter();
    let mount = mounts
        .find(|folder| tree.names(folder).is_ok())
        .unwrap_or_else(|| format!("{MOUNT}/cpu"));
    Container::of_folders(tree, &folders(&mount, path), |folder| {
        let quota = tree.number(&format!("{folder}/cpu.cfs_quota_us")).ok()?;
        let period = tree.number(&format!("{folder}/cpu.cfs_period_us")).ok()?;
        // -1 is no limit.
        (quota > 0 && period > 0).then(|| quota as f64 / period as f64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_processes_hold_anything() {
        let text = "12 (a) b (c) R 1 12 12 0 -1 4 90 0 0 0 30 12 0 0 20 0 1 0 55";
        let found = process(text).unwrap();
        assert_eq!((found.pid, found.ticks), (12, 42));
        assert_eq!(found.name, "a) b (c");
        assert_eq!(process("12 (a) R 1"), None);
        assert_eq!(process(""), None);
    }

    #[test]
    fn groups_are_looked_up_to_the_mount() {
        assert_eq!(folders("/m", "/a/b"), ["/m/a/b", "/m/a", "/m"]);
        assert_eq!(folders("/m", "/"), ["/m"]);
        assert_eq!(folders("/m", "/../x"), ["/m"]);
    }

    #[test]
    fn what_happened_in_between() {
        let stat = |text: &str| Ok(text.to_owned());
        let earlier = stat("cpu  10 0 0 80 10 0 0 0 0 0\ncpu0 10 0 0 80 10 0 0 0 0 0\n");
        let later = stat("cpu  60 0 0 110 10 0 0 20 0 0\ncpu0 60 0 0 110 10 0 0 20 0 0\n");
        let times = times_between(&earlier, &later, Some(0)).unwrap();
        assert_eq!((times.all, times.idle, times.stolen), (100, 30, 20));
        assert_eq!((times.busy(), times.steal()), (0.7, 0.2));
        assert_eq!(times_between(&earlier, &later, None), Ok(times));
        assert_eq!(processor_count(&later), Ok(1));
        assert!(times_between(&earlier, &later, Some(1)).is_err());
        assert!(times_of(&stat("cpu  1 2 3\n"), None).is_err());
        assert!(processor_count(&stat("")).is_err());
        assert_eq!(
            times_of(&Err("gone".to_owned()), None),
            Err("gone".to_owned())
        );
    }

    #[test]
    fn no_time_has_no_shares() {
        assert_eq!(Times::default().busy(), 0.0);
    }
}
