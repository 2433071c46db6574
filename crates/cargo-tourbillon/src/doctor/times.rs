//! Processor time between two readings of /proc/stat.

use super::tree::Known;

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
    fn parse(numbers: &str) -> Option<Times> {
        let numbers: Option<Vec<u64>> = numbers
            .split_whitespace()
            .take(8)
            .map(|number| number.parse().ok())
            .collect();
        let numbers = numbers.filter(|numbers| numbers.len() == 8)?;
        Some(Times {
            all: numbers.iter().sum(),
            idle: numbers[3] + numbers[4],
            stolen: numbers[7],
        })
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
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// The time of one processor, or of all for `None`.
pub(super) fn of(stat: &Known<String>, processor: Option<u32>) -> Known<Times> {
    let name = processor.map_or("cpu".to_owned(), |number| format!("cpu{number}"));
    let text = stat.as_ref().map_err(String::clone)?;
    let line = text.lines().find_map(|line| {
        let (first, numbers) = line.split_once(' ')?;
        (first == name).then_some(numbers)
    });
    line.and_then(Times::parse)
        .ok_or_else(|| format!("/proc/stat has no line {name:?} that is understood"))
}

/// The same between two moments.
pub(super) fn between(
    earlier: &Known<String>,
    later: &Known<String>,
    processor: Option<u32>,
) -> Known<Times> {
    Ok(of(later, processor)?.since(of(earlier, processor)?))
}

/// The number of processors in /proc/stat.
pub(super) fn processors(stat: &Known<String>) -> Known<usize> {
    let text = stat.as_ref().map_err(String::clone)?;
    let count = text
        .lines()
        .filter(|line| line.starts_with("cpu") && !line.starts_with("cpu "))
        .count();
    match count {
        0 => Err("/proc/stat names no processors".to_owned()),
        count => Ok(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_in_between() {
        let stat = |text: &str| Ok(text.to_owned());
        let earlier = stat("cpu  10 0 0 80 10 0 0 0 0 0\ncpu0 10 0 0 80 10 0 0 0 0 0\n");
        let later = stat("cpu  60 0 0 110 10 0 0 20 0 0\ncpu0 60 0 0 110 10 0 0 20 0 0\n");
        let times = between(&earlier, &later, Some(0)).unwrap();
        assert_eq!((times.all, times.idle, times.stolen), (100, 30, 20));
        assert_eq!((times.busy(), times.steal()), (0.7, 0.2));
        assert_eq!(between(&earlier, &later, None), Ok(times));
        assert_eq!(processors(&later), Ok(1));
        assert!(between(&earlier, &later, Some(1)).is_err());
        assert!(of(&stat("cpu  1 2 3\n"), None).is_err());
        assert!(processors(&stat("")).is_err());
        assert_eq!(of(&Err("gone".to_owned()), None), Err("gone".to_owned()));
    }

    #[test]
    fn no_time_has_no_shares() {
        assert_eq!(Times::default().busy(), 0.0);
    }
}
