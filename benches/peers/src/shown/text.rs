//! The lines that harnesses print for people. Lines that are not about a case are skipped.

use super::Shown;
use super::quantity::{joined, nanos, plain};

/// `thr_1    time:   [269.31 ps 270.53 ps 270.83 ps]`
pub(crate) fn criterion(line: &str) -> Option<Shown> {
    let (case, rest) = line.split_once("time:")?;
    let rest = rest.trim().strip_prefix('[')?.strip_suffix(']')?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [low, low_unit, middle, unit, high, high_unit] = words[..] else {
        return None;
    };
    let interval = (nanos(low, low_unit)?, nanos(high, high_unit)?);
    Some(Shown::nanos(
        case.trim(),
        nanos(middle, unit)?,
        Some(interval),
    ))
}

/// `├─ thr_1   0.003 ns   │ 0.014 ns   │ 0.007 ns   │ 0.007 ns   │ 100   │ 819200`: fastest, slowest,
/// median, mean.
pub(crate) fn divan(line: &str) -> Option<Shown> {
    let line = line.trim_start_matches(['├', '╰', '─', ' ']);
    let mut columns = line.split('│');
    let case = columns.next()?.split_whitespace().next()?;
    let median: Vec<&str> = columns.nth(1)?.split_whitespace().collect();
    let [number, unit] = median[..] else {
        return None;
    };
    Some(Shown::nanos(case, nanos(number, unit)?, None))
}

/// `test thr_1    ... bench:           0.28 ns/iter (+/- 0.01)`: the median and by how much the
/// largest is more than the smallest.
pub(crate) fn libtest(line: &str) -> Option<Shown> {
    let (case, rest) = line.strip_prefix("test ")?.split_once("... bench:")?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [median, "ns/iter", "(+/-", range, ..] = words[..] else {
        return None;
    };
    let median = nanos(median, "ns")?;
    let range = nanos(range.strip_suffix(')')?, "ns")?;
    let interval = (median - range, median + range);
    Some(Shown::nanos(case.trim(), median, Some(interval)))
}

/// `thr_1      23.92 ns    2,499/2,500`
pub(crate) fn brunch(line: &str) -> Option<Shown> {
    let line = plain(line);
    let words: Vec<&str> = line.split_whitespace().collect();
    let [case, mean, unit, ..] = words[..] else {
        return None;
    };
    words.last()?.split_once('/')?;
    Some(Shown::nanos(case, nanos(mean, unit)?, None))
}

/// `thr_1      [   0.3 ns ...   0.4 ns ]      +0.03%`: the baseline's mean and the candidate's.
pub(crate) fn tango(line: &str) -> Option<Shown> {
    let line = plain(line);
    let words: Vec<&str> = line.split_whitespace().collect();
    let [case, "[", _, _, "...", candidate, unit, "]", ..] = words[..] else {
        return None;
    };
    Some(Shown::nanos(case, nanos(candidate, unit)?, None))
}

/// `thr_3  0.26 ±0.00ns  [0.25–0.27]ns  30 rounds × 1M calls`: the mean, the median absolute
/// deviation, and the interval of the mean.
pub(crate) fn zenbench(line: &str) -> Option<Shown> {
    let line = plain(line);
    let words: Vec<&str> = line.split_whitespace().collect();
    let [case, mean, deviation, interval, ..] = words[..] else {
        return None;
    };
    let deviation = deviation.strip_prefix('±')?;
    let unit = &deviation[deviation.find(char::is_alphabetic)?..];
    let (interval, interval_unit) = interval.strip_prefix('[')?.split_once(']')?;
    let (low, high) = interval.split_once('–')?;
    let bound = |bound: &str| joined(bound).or_else(|| nanos(bound, interval_unit));
    Some(Shown::nanos(
        case,
        nanos(mean, unit)?,
        Some((bound(low)?, bound(high)?)),
    ))
}

/// `sort,stable,,77.23,3.00,..`, of `--format=csv`: the group, the case and its subgroup, then the mean in nanoseconds.
pub(crate) fn zenbench_csv(line: &str) -> Option<Shown> {
    let mut cells = line.split(',');
    let case = cells.nth(1)?;
    let mean = cells.nth(1)?.parse().ok()?;
    Some(Shown::nanos(case, mean, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shown: Option<Shown>, case: &str, estimate: f64, interval: Option<(f64, f64)>) {
        let shown = shown.expect(case);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert_eq!(shown.case, case);
        assert!(near(shown.nanos.estimate.unwrap(), estimate), "{shown:?}");
        match (shown.nanos.interval, interval) {
            (Some(shown), Some(known)) => {
                assert!(
                    near(shown.0, known.0) && near(shown.1, known.1),
                    "{shown:?}"
                );
            }
            (shown, known) => assert_eq!(shown, known),
        }
    }

    #[test]
    fn lines_of_results_are_read() {
        check(
            criterion("thr_33                  time:   [992.33 ps 2.8557 ns 2.8656 ns]"),
            "thr_33",
            2.8557,
            Some((0.99233, 2.8656)),
        );
        check(
            divan(
                "├─ add_1000  263.8 ns      │ 268.9 ns      │ 1.266 µs      │ 266.3 ns      │ 100     │ 800",
            ),
            "add_1000",
            1266.0,
            None,
        );
        check(
            libtest("test lat_1000 ... bench:       1,796.03 ns/iter (+/- 20.47)"),
            "lat_1000",
            1796.03,
            Some((1775.56, 1816.5)),
        );
        check(
            brunch(
                "\u{1b}[34mthr\u{1b}[94m_5\u{1b}[0m  \u{1b}[0;1m24.08 ns\u{1b}[0m    \u{1b}[2m2,500\u{1b}[0;35m/\u{1b}[0;2m2,500\u{1b}[0m",
            ),
            "thr_5",
            24.08,
            None,
        );
        check(
            brunch("thr_5  24.08 ns  +1.20%    2,500/2,500"),
            "thr_5",
            24.08,
            None,
        );
        check(
            tango("lat_10          [  10.8 ns ...   9.2 ns ]     -14.59%"),
            "lat_10",
            9.2,
            None,
        );
        check(
            zenbench("  lat_1000  0.79 ±0.01µs  [783–799]ns [1]  30 rounds × 1K calls"),
            "lat_1000",
            790.0,
            Some((783.0, 799.0)),
        );
        check(
            zenbench_csv("join 9,push_str_9,,281.49,41.36,273.60"),
            "push_str_9",
            281.49,
            None,
        );
        assert_eq!(zenbench_csv("group,benchmark,subgroup,mean_ns"), None);
    }

    #[test]
    fn other_lines_are_left_out() {
        for line in [
            "",
            "Benchmarking thr_1: Analyzing",
            "                        change: [-1.0% +0.1% +1.2%] (p = 0.5 > 0.05)",
            "divan        fastest       │ slowest       │ median        │ mean          │ samples │ iters",
            "running 21 tests",
            "Method           Mean        Samples",
            "[zenbench] calibration: int=0.26ns/iter mem_bw=75.2GiB/s mem_lat=12.5ns",
            "  [1] CV=82%",
        ] {
            for read in [criterion, divan, libtest, brunch, tango, zenbench] {
                assert_eq!(read(line), None, "{line}");
            }
        }
    }
}
