const SECOND: u64 = 1_000_000_000;
const DAY: u64 = 24 * 60 * 60;
/// Where a stamp has digits, and what stands between them.
const FORM: &[u8] = b"00000000T000000.000000000Z";
/// Length of a stamp in bytes.
pub(crate) const LENGTH: usize = FORM.len();

/// A time since 1970 as UTC text that sorts like the time and is safe in a file name:
/// `20260101T000000.123456789Z`.
pub(crate) fn stamp(unix_ns: u64) -> String {
    let (seconds, ns) = (unix_ns / SECOND, unix_ns % SECOND);
    let (year, month, day) = date(seconds / DAY);
    let (hour, minute, second) = (seconds % DAY / 3600, seconds % 3600 / 60, seconds % 60);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}.{ns:09}Z")
}

/// Whether the text has the form that [`stamp`] gives.
pub(crate) fn is_stamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < LENGTH && at < bytes.len() {
        let fits = match FORM[at] {
            b'0' => bytes[at].is_ascii_digit(),
            form => bytes[at] == form,
        };
        if !fits {
            return false;
        }
        at += 1;
    }
    bytes.len() == LENGTH
}

/// Year, month and day of a day since 1970 in the Gregorian calendar.
///
/// Counts the years one by one: 64 bits of nanoseconds end in 2554, and this runs once a run.
fn date(mut day: u64) -> (u64, u64, u64) {
    let mut year = 1970;
    while day >= days_of_year(year) {
        day -= days_of_year(year);
        year += 1;
    }
    let february = days_of_year(year) - 337;
    let mut month = 1;
    for &days in &[31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    (year, month, day + 1)
}

fn days_of_year(year: u64) -> u64 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    365 + u64::from(leap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_times() {
        assert_eq!(stamp(0), "19700101T000000.000000000Z");
        assert_eq!(stamp(951_782_400 * SECOND), "20000229T000000.000000000Z");
        assert_eq!(
            stamp(1_709_251_199 * SECOND + 5),
            "20240229T235959.000000005Z"
        );
        assert_eq!(stamp(1_735_689_599 * SECOND), "20241231T235959.000000000Z");
        assert_eq!(stamp(1_767_225_600 * SECOND), "20260101T000000.000000000Z");
        assert_eq!(stamp(4_107_542_400 * SECOND), "21000301T000000.000000000Z");
        assert_eq!(stamp(u64::MAX), "25540721T233433.709551615Z");
    }

    #[test]
    fn sorts_like_the_time_and_is_recognised() {
        let step = 86_399 * SECOND + 999_999_937;
        let stamps: Vec<_> = (0..20_000).map(|index| stamp(index * step)).collect();
        assert!(stamps.is_sorted_by(|one, next| one < next));
        assert!(stamps.iter().all(|text| is_stamp(text)));
        for other in [
            "",
            "20260101T000000.00000000Z",
            "20260101T000000,000000000Z",
            "2026é101T000000.000000000Z",
        ] {
            assert!(!is_stamp(other), "{other}");
        }
    }
}
