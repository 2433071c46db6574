use crate::counters::number_after;

/// Has the kernel forget what memory this process has touched, for [`touched_bytes`], which takes what comes
/// back; `None` where that cannot be had.
///
/// # Cost
/// The kernel goes through all pages that the process has, three times: 0.1 ms in a small process, 2 ms
/// where it has 64 MiB in pages of 4 KiB (two-core KVM guest, Linux 6.18). Where the kernel follows writes
/// (`CONFIG_MEM_SOFT_DIRTY`), the next one to each page is noticed by it, which takes less than a
/// microsecond.
pub fn forget_touched() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    // Takes from every page that it was touched (proc_pid_clear_refs(5)). The processor tells only of
    // those whose translation it has to look up, and it still has those of some MiB: what makes the kernel
    // follow writes from now on makes the processor forget them.
    for what in ["1", "4"] {
        std::fs::write("/proc/self/clear_refs", what).ok()?;
    }
    // What is touched by reading alone.
    let (touched, _) = referenced_and_own(&rollup()?)?;
    Some(touched)
}

/// Memory of this process, in bytes, that was touched since [`forget_touched`], whose answer is `by_reading`;
/// `None` where that cannot be had.
///
/// # Accuracy
/// Whole pages, of all threads: of a page of 4 KiB a byte counts like all of it, and so it does of one of
/// 2 MiB. No more than the process has that is no file's: pages of its program count as touched when another
/// process that runs it begins or ends meanwhile.
///
/// # Cost
/// The kernel goes through all pages that the process has.
pub fn touched_bytes(by_reading: u64) -> Option<u64> {
    let (touched, own) = referenced_and_own(&rollup()?)?;
    Some(touched.saturating_sub(by_reading).min(own))
}

fn rollup() -> Option<Vec<u8>> {
    std::fs::read("/proc/self/smaps_rollup").ok()
}

/// Bytes of all pages that were touched since the kernel was told to forget it, and of all that are no
/// file's, out of a text such as `/proc/self/smaps_rollup`.
fn referenced_and_own(rollup: &[u8]) -> Option<(u64, u64)> {
    let bytes = |name| number_after(rollup, name)?.checked_mul(1024);
    Some((bytes(b"\nReferenced:")?, bytes(b"\nAnonymous:")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_is_found_among_others() {
        let rollup = b"55d0-7ffe ---p 00000000 00:00 0    [rollup]\nRss:    2192 kB\n\
            Private_Dirty:     76 kB\nReferenced:       17408 kB\nAnonymous:     128 kB\n";
        assert_eq!(referenced_and_own(rollup), Some((17 << 20, 128 << 10)));
        for other in [
            &b"Rss: 4 kB\nReferenced:\nAnonymous: 1 kB\n"[..],
            b"\nReferenced: 4 kB\n",
            b"\nReferenced: 18446744073709551615 kB\nAnonymous: 1 kB\n",
        ] {
            assert_eq!(referenced_and_own(other), None);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn pages_that_were_touched_shortly_before_are_counted_again() {
        // Other tests run beside this one: there is no saying what is touched at most.
        let mut block = vec![0_u8; 2 << 20];
        let mut walk = || {
            for page in block.chunks_mut(4096) {
                page[0] = std::hint::black_box(page[0]) + 1;
            }
        };
        walk();
        let forgotten = forget_touched();
        walk();
        match forgotten.and_then(touched_bytes) {
            Some(touched) => assert!(touched >= 2 << 20, "{touched}"),
            // A kernel that does not tell, or a container without the files.
            None => assert!(
                std::fs::write("/proc/self/clear_refs", "1").is_err()
                    || std::fs::read("/proc/self/smaps_rollup").is_err()
            ),
        }
    }
}
