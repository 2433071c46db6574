//! What else the machine does.

use tourbillon_report::Pieces;

use super::fact::{self, Facts, Known};
use crate::processors::whole;
use crate::text::{owned, text};

pub(super) fn add(facts: &mut Facts) {
    facts.text("load", fact::read("/proc/loadavg").and_then(load));
    facts.text("steal", fact::read("/proc/stat").and_then(steal));
}

/// Runnable tasks on average over 1, 5 and 15 minutes.
#[inline(never)]
fn load(loadavg: String) -> Known<String> {
    let mut words = Pieces::divided(&loadavg, b' ');
    match (words.next(), words.next(), words.next()) {
        (Some(one), Some(five), Some(fifteen)) => {
            Ok(text!("{one} (1 min), {five} (5 min), {fifteen} (15 min)"))
        }
        _ => Err(text!("/proc/loadavg {loadavg:?} is not understood")),
    }
}

/// The share of the time since the start of the system in which a virtual processor was ready and
/// the hypervisor ran something else.
fn steal(stat: String) -> Known<String> {
    let Some((stolen, total)) = times(&stat) else {
        return Err(owned("/proc/stat is not understood"));
    };
    if total == 0 {
        return Err(owned("the system has only just started"));
    }
    let percent = 100.0 * stolen as f64 / total as f64;
    Ok(text!("{percent:.2} % since the system started"))
}

/// Stolen and whole time out of the line `cpu`: user, nice, system, idle, iowait, irq, softirq,
/// steal; what follows is counted in user already (proc(5)).
fn times(stat: &str) -> Option<(u64, u64)> {
    for line in Pieces::of(stat) {
        let mut words = Pieces::divided(line, b' ');
        if words.next() != Some("cpu") {
            continue;
        }
        let (mut count, mut total) = (0, 0_u64);
        for word in words {
            // The kernel writes two spaces behind the name.
            if word.is_empty() {
                continue;
            }
            let time = whole(word)?;
            total = total.saturating_add(time);
            count += 1;
            if count == 8 {
                return Some((time, total));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads() {
        assert_eq!(
            load("0.09 0.03 0.01 2/92 5891".to_owned()).as_deref(),
            Ok("0.09 (1 min), 0.03 (5 min), 0.01 (15 min)")
        );
        assert!(load("0.09".to_owned()).is_err());
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
            assert_eq!(steal(stat.to_owned()), expected, "{stat}");
        }
    }
}
