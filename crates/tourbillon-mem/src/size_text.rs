//! Sizes and counts as text.

use std::fmt;

use crate::counts::{Counts, ProcessCounts};

/// A number of bytes: exact below 1 KiB, from there on two to four digits with a binary unit.
pub(crate) struct Size(pub(crate) u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        if self.0 < 1024 {
            return write!(f, "{} B", self.0);
        }
        // Tenths of the unit, so that nothing is rounded twice.
        let mut divisor = 1024_u128;
        let mut unit = 0;
        let tenths = |divisor: u128| (u128::from(self.0) * 10 + divisor / 2) / divisor;
        while tenths(divisor) >= 10_240 && unit + 1 < UNITS.len() {
            divisor *= 1024;
            unit += 1;
        }
        let tenths = tenths(divisor);
        write!(f, "{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
    }
}

/// A number of bytes that may be negative.
pub(crate) struct Change(pub(crate) i64);

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}", Size(self.0.unsigned_abs()))
    }
}

/// A count with its noun: "1 block", "3 blocks".
pub(crate) struct Counted(pub(crate) u64, pub(crate) &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.0 == 1 { "" } else { "s" };
        write!(f, "{} {}{plural}", self.0, self.1)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0 allocs");
        }
        let allocs = Counted(self.allocs, "alloc");
        write!(f, "{allocs} ({})", Size(self.allocated_bytes))?;
        if self.reallocs_in_place > 0 {
            let grown = Counted(self.reallocs_in_place, "realloc");
            write!(f, ", {grown} in place")?;
        }
        if self.reallocs_moved > 0 {
            let moved = Counted(self.reallocs_moved, "realloc");
            write!(f, ", {moved} moved ({} copied)", Size(self.copied_bytes))?;
        }
        if self.frees > 0 {
            let frees = Counted(self.frees, "free");
            write!(f, ", {frees} ({})", Size(self.freed_bytes))?;
        }
        if self.failed > 0 {
            write!(f, ", {} failed", self.failed)?;
        }
        let (bytes, blocks) = (self.live_bytes(), self.live_blocks());
        let plural = if blocks == 1 { "" } else { "s" };
        write!(f, ", kept {}", Change(bytes))?;
        if bytes != 0 || blocks != 0 {
            write!(f, " in {blocks} block{plural}")?;
        }
        write!(f, ", peak {}", Size(self.peak_bytes))
    }
}

impl fmt::Display for ProcessCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.process.fmt(f)?;
        if self.requests_elsewhere() == 0 {
            return Ok(());
        }
        let bytes = Size(self.allocated_elsewhere_bytes());
        let requests = Counted(self.requests_elsewhere(), "request");
        write!(f, "; {requests} ({bytes}) on other threads")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_change_where_the_digits_would_be_too_many() {
        let table = [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1075, "1.0 KiB"),
            (1076, "1.1 KiB"),
            (1_048_524, "1023.9 KiB"),
            (1_048_525, "1.0 MiB"),
            (u64::MAX, "16.0 EiB"),
        ];
        for (bytes, text) in table {
            assert_eq!(Size(bytes).to_string(), text, "{bytes}");
        }
        assert_eq!(Change(-1536).to_string(), "-1.5 KiB");
        assert_eq!(Change(i64::MIN).to_string(), "-8.0 EiB");
        assert_eq!(Counted(1, "block").to_string(), "1 block");
        assert_eq!(Counted(0, "block").to_string(), "0 blocks");
    }
}
