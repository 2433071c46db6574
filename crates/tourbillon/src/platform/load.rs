//! What else the machine does.

use tourbillon_record::Fact;

use super::fact;

pub(super) fn facts() -> Vec<Fact> {
    vec![
        fact::text(
            "load",
            fact::read_system("/proc/loadavg").and_then(|text| load(&text)),
        ),
        fact::text(
            "steal",
            fact::read_system("/proc/stat").and_then(|text| steal(&text)),
        ),
    ]
}

/// Runnable tasks on average over 1, 5 and 15 minutes.
fn load(loadavg: &str) -> Result<String, String> {
    let mut words = loadavg.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some(one), Some(five), Some(fifteen)) => {
            Ok(format!("{one} (1 min), {five} (5 min), {fifteen} (15 min)"))
        }
        _ => Err(format!("/proc/loadavg {loadavg:?} is not understood")),
    }
}

/// The share of the time since the start of the system in which a virtual processor was ready and
/// the hypervisor ran something else.
fn steal(stat: &str) -> Result<String, String> {
    let not_understood = || "/proc/stat is not understood".to_owned();
    let line = stat
        .lines()
        .find_map(|line| line.strip_prefix("cpu "))
        .ok_or_else(not_understood)?;
    let times: Result<Vec<u64>, _> = line.split_whitespace().map(str::parse).collect();
    let times = times.map_err(|_| not_understood())?;
    // user, nice, system, idle, iowait, irq, softirq, steal; what follows is counted in user
    // already (proc(5)).
    let (Some(&stolen), Some(parts)) = (times.get(7), times.get(..8)) else {
        return Err(not_understood());
    };
    let total: u64 = parts.iter().fold(0, |sum, &part| sum.saturating_add(part));
    if total == 0 {
        return Err("the system has only just started".to_owned());
    }
    Ok(format!(
        "{:.2} % since the system started",
        100.0 * stolen as f64 / total as f64
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads() {
        assert_eq!(
            load("0.09 0.03 0.01 2/92 5891").as_deref(),
            Ok("0.09 (1 min), 0.03 (5 min), 0.01 (15 min)")
        );
        assert!(load("0.09").is_err());
    }

    #[test]
    fn stolen_time() {
        let ok = |text: &str| Ok(text.to_owned());
        for (stat, expected) in [
            (
                "cpu  50 0 20 900 10 5 5 10 7 0\ncpu0 1",
                ok("1.00 % since the system started"),
            ),
            (
                "cpu  993 0 1548 157787 312 0 20 0 0 0",
                ok("0.00 % since the system started"),
            ),
            (
                "cpu 1 2 3 4",
                Err("/proc/stat is not understood".to_owned()),
            ),
            (
                "cpu a b c d e f g h",
                Err("/proc/stat is not understood".to_owned()),
            ),
            (
                "cpu 0 0 0 0 0 0 0 0",
                Err("the system has only just started".to_owned()),
            ),
            ("", Err("/proc/stat is not understood".to_owned())),
        ] {
            assert_eq!(steal(stat), expected, "{stat}");
        }
    }
}
