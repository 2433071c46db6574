//! Lists of processors, as the kernel writes them and people type them: `0,2-3`.
//!
//! Not inlined: callers are many, and the compiler would pay for each.

use tourbillon_report::Pieces;

/// Hands out the ranges of a list, first and last included; `None` for what is no such list.
#[inline(never)]
pub(crate) fn ranges(list: &str, take: &mut dyn FnMut(u64, u64)) -> Option<()> {
    for part in Pieces::divided(list, b',') {
        let mut ends = Pieces::divided(part, b'-');
        let first = whole(ends.next()?)?;
        let last = match ends.rest() {
            Some(last) => whole(last)?,
            None => first,
        };
        if first > last {
            return None;
        }
        take(first, last);
    }
    Some(())
}

/// The same processors.
#[inline(never)]
pub(crate) fn copied(cpus: &[u32]) -> Vec<u32> {
    cpus.to_vec()
}

/// A whole number, with space around it or not.
#[inline(never)]
pub(crate) fn whole(text: &str) -> Option<u64> {
    text.trim_ascii().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn lists() {
        for (list, expected) in [
            ("0", vec![(0, 0)]),
            ("0-3", vec![(0, 3)]),
            ("0-1,4,6-7", vec![(0, 1), (4, 4), (6, 7)]),
            ("0, 2-3", vec![(0, 0), (2, 3)]),
        ] {
            let mut found = Vec::new();
            let taken = ranges(list, &mut |first, last| found.push((first, last)));
            assert_eq!((taken, found), (Some(()), expected), "{list}");
        }
        for list in ["", "a", "3-1", "1,,2", "-1", "1-", "1-2-3"] {
            assert_eq!(ranges(list, &mut |_, _| {}), None, "{list}");
        }
    }
}
