//! The time of day, for records.

use std::time::{SystemTime, UNIX_EPOCH};

/// Nanoseconds since the Unix epoch, now.
///
/// For the dates of records only: this clock steps when it is set. A date before 1970 reads as 1970, one
/// after 2554 as 2554.
#[must_use]
pub fn unix_ns() -> u64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => u64::try_from(since.as_nanos()).unwrap_or(u64::MAX),
        Err(_) => 0,
    }
}

/// A moment as a local date with its offset from UTC, to the second, as RFC 3339 has it:
/// `2026-03-01T09:05:07+01:00`.
///
/// The offset is that of the system's time zone at that moment, in whole minutes. If the system has no time
/// zones, the date is in UTC and ends in `Z`.
///
/// # Examples
///
/// ```
/// let date = tourbillon_clock::wall::local_rfc3339(951_827_696_000_000_000);
/// assert!(date.starts_with("2000-02-2"));
/// ```
#[must_use]
pub fn local_rfc3339(unix_ns: u64) -> String {
    let seconds = (unix_ns / 1_000_000_000) as i64;
    rfc3339(seconds, local_offset_seconds(seconds))
}

/// Formats a moment with an offset, which is truncated to whole minutes; `None` is UTC.
fn rfc3339(seconds: i64, offset_seconds: Option<i64>) -> String {
    let offset = offset_seconds.unwrap_or(0) / 60;
    let local = seconds + offset * 60;
    let (year, month, day) = civil(local.div_euclid(86_400));
    let of_day = local.rem_euclid(86_400);
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    let date = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    if offset_seconds.is_none() {
        return date + "Z";
    }
    let sign = if offset < 0 { '-' } else { '+' };
    let (hours, minutes) = (offset.abs() / 60, offset.abs() % 60);
    format!("{date}{sign}{hours:02}:{minutes:02}")
}

/// The year, month and day of a number of days since 1970-01-01, in the Gregorian calendar.
///
/// Years are counted from March, so that the leap day is the last of a year: then the lengths of months repeat
/// every five (153 days), those of years every four (1461), every hundred less one (36 524), and every four
/// hundred (146 097).
fn civil(days: i64) -> (i64, i64, i64) {
    // 719 468 days from 0000-03-01 to 1970-01-01.
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
}

/// Seconds by which local time is ahead of UTC at a moment; `None` if not known.
#[cfg(unix)]
#[expect(
    clippy::useless_conversion,
    reason = "`time_t` and the offset have 32 bits on some systems"
)]
fn local_offset_seconds(seconds: i64) -> Option<i64> {
    use crate::sys;

    let seconds: sys::time_t = seconds.try_into().ok()?;
    let mut local = std::mem::MaybeUninit::<sys::tm>::uninit();
    // SAFETY: both pointers are valid for the call. The function reads the variable TZ; changing the
    // environment while another thread may read it is unsafe for the thread that changes it.
    let filled = unsafe { sys::localtime_r(&raw const seconds, local.as_mut_ptr()) };
    if filled.is_null() {
        return None;
    }
    // SAFETY: the function has filled it in, by its result.
    Some(i64::from(unsafe { local.assume_init() }.tm_gmtoff))
}

/// No time zones on this system.
#[cfg(not(unix))]
fn local_offset_seconds(_seconds: i64) -> Option<i64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_000_000_000, "2001-09-09T01:46:40Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
        ] {
            assert_eq!(rfc3339(seconds, None), expected);
        }
    }

    #[test]
    fn the_offset_moves_the_date_and_is_shown() {
        for (offset, expected) in [
            (0, "2000-02-29T00:00:00+00:00"),
            (3_600, "2000-02-29T01:00:00+01:00"),
            (-34_200, "2000-02-28T14:30:00-09:30"),
            (-1_800, "2000-02-28T23:30:00-00:30"),
            (20_700, "2000-02-29T05:45:00+05:45"),
            // Amsterdam before 1937: RFC 3339 has no seconds.
            (1_172, "2000-02-29T00:19:00+00:19"),
        ] {
            assert_eq!(rfc3339(951_782_400, Some(offset)), expected);
        }
    }

    #[test]
    fn the_present_is_later_than_this_line() {
        assert!(unix_ns() > 1_700_000_000_000_000_000);
    }

    #[test]
    fn the_extremes_of_the_argument_are_dates() {
        assert!(local_rfc3339(0).starts_with("19"));
        assert!(local_rfc3339(u64::MAX).starts_with("2554-07-2"));
    }
}
