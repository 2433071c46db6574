//! Names of files: of anything with a name, and of runs.

/// Longest readable part of a file's name, in characters.
const READABLE: usize = 40;

/// The name of the file or folder for something with any name at all.
///
/// A plain name (lower-case ASCII letters, digits, `-` and `_`, beginning with a letter or digit, at
/// most 40 long, not a device of Windows) stays as it is. Any other becomes its readable part, then
/// `~` and a hash of the whole: safe on every file system, and different for names that differ in
/// case only. No plain name holds a `~`, so the two kinds cannot collide; two names of the second kind
/// collide with a probability of 2^-64.
///
/// ```
/// # use tourbillon_record::store::file_name;
/// assert_eq!(file_name("my-crate"), "my-crate");
/// assert_eq!(file_name("../Étude"), "____tude~12904cd5de5faa92");
/// ```
pub fn file_name(name: &str) -> String {
    if is_plain(name) {
        return name.to_owned();
    }
    let lower = name.chars().map(|c| c.to_ascii_lowercase());
    let readable = lower.map(|c| if is_plain_char(c) { c } else { '_' });
    let readable: String = readable.take(READABLE).collect();
    format!("{readable}~{:016x}", fnv1a(name.as_bytes()))
}

fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.len() <= READABLE
        && name.chars().all(is_plain_char)
        && !is_device(name)
}

fn is_plain_char(c: char) -> bool {
    matches!(c, 'a'..='z' | '0'..='9' | '-' | '_')
}

/// Names that Windows keeps for devices in every folder.
fn is_device(name: &str) -> bool {
    matches!(
        name.as_bytes(),
        b"con"
            | b"prn"
            | b"aux"
            | b"nul"
            | [b'c', b'o', b'm', b'0'..=b'9']
            | [b'l', b'p', b't', b'0'..=b'9']
    )
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv).
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

const SECOND: u64 = 1_000_000_000;
const DAY: u64 = 24 * 60 * 60;

/// A time since 1970 as UTC text that sorts like the time and is safe in a file name:
/// `20260101T000000.123456789Z`.
fn stamp(unix_ns: u64) -> String {
    let (seconds, ns) = (unix_ns / SECOND, unix_ns % SECOND);
    let (year, month, day) = date(seconds / DAY);
    let (hour, minute, second) = (seconds % DAY / 3600, seconds % 3600 / 60, seconds % 60);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}.{ns:09}Z")
}

/// Whether the text has the form that [`stamp`] gives.
fn is_stamp(text: &str) -> bool {
    text.bytes()
        .zip(FORM.bytes())
        .all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            form => byte == form,
        })
}

/// Where a stamp has digits, and what is between them.
const FORM: &str = "00000000T000000.000000000Z";

/// Year, month and day of a day since 1970 in the Gregorian calendar.
///
/// Counts the years one by one: 64 bits of nanoseconds end in 2554, and this runs once in a run.
fn date(mut day: u64) -> (u64, u64, u64) {
    let mut year = 1970;
    while day >= days_of_year(year) {
        day -= days_of_year(year);
        year += 1;
    }
    let february = days_of_year(year) - 337;
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
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

/// The name of the file of a run of this process; the first one at its time has no number.
pub(crate) fn run_name(started_unix_ns: u64, number: u32) -> String {
    let (stamp, process) = (stamp(started_unix_ns), std::process::id());
    match number {
        1 => format!("{stamp}-{process}.jsonl"),
        _ => format!("{stamp}-{process}-{number}.jsonl"),
    }
}

/// When a run started, its process and its number, as the name of its file tells: text that sorts like
/// these. `None` for other files.
pub(crate) fn age(name: &str) -> Option<String> {
    let (started, rest) = name.split_at_checked(FORM.len())?;
    let numbers = rest.strip_prefix('-')?.strip_suffix(".jsonl")?;
    let (process, number) = numbers.split_once('-').unwrap_or((numbers, "1"));
    (is_stamp(started) && is_number(process) && is_number(number))
        .then(|| format!("{started}{process:>20}{number:>20}"))
}

/// Whether a run with this [`age`] began after a time.
pub(crate) fn is_after(age: &str, unix_ns: u64) -> bool {
    age.get(..FORM.len()) > Some(&stamp(unix_ns))
}

/// Whether the text is digits, no more than 64 bits can have.
fn is_number(text: &str) -> bool {
    matches!(text.len(), 1..=20) && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_hash_is_that_of_the_published_vectors() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn plain_names_stay() {
        for name in ["a", "shop", "my-crate_2", "0", &"x".repeat(40)] {
            assert_eq!(file_name(name), name);
        }
    }

    #[test]
    fn hostile_names_are_safe_and_distinct() {
        let long = "long".repeat(75);
        let longer = format!("{long}x");
        let names = [
            "",
            ".",
            "..",
            "../..",
            "a/b",
            "a\\b",
            "\\\\server\\share",
            "\\\\?\\C:\\a",
            "a b",
            "a.b",
            "C:",
            "shop",
            "Shop",
            "SHOP",
            "sHop",
            "con",
            "CON",
            "nul",
            "com1",
            "lpt9",
            "aux.txt",
            "-rf",
            "~",
            "a~b",
            "\0",
            "\n",
            "\u{1b}[2J",
            "é",
            "e\u{301}",
            "🦀",
            "🦞",
            "a*?<>|\":b",
            "trailing ",
            "trailing.",
            &long,
            &longer,
            "shop~0000000000000000",
        ];
        let mut seen = BTreeSet::new();
        for name in names {
            let file = file_name(name);
            let safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_~".contains(c);
            assert!(file.chars().all(safe), "{name:?} became {file:?}");
            assert!(
                !file.is_empty() && file.len() <= 60 && !is_device(&file),
                "{file:?}"
            );
            assert!(!file.starts_with('-') || file.contains('~'), "{file:?}");
            assert!(
                seen.insert(file.to_ascii_lowercase()),
                "{name:?} and another are {file:?}"
            );
        }
    }

    #[test]
    fn random_names_are_distinct() {
        let mut seen = BTreeSet::new();
        let mut state = 7u64;
        for index in 0..20_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let name = format!(
                "{}::{}[n={index}]",
                state >> 60,
                char::from((state >> 40) as u8)
            );
            assert!(seen.insert(file_name(&name)), "{name:?}");
        }
    }

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
        assert!(!is_stamp("20260101T000000,000000000Z"));
        assert!(!is_stamp("2026é101T000000.00000000Z"));
    }

    #[test]
    fn names_of_runs_are_recognised() {
        let run = |rest: &str| age(&format!("{}{rest}", stamp(0)));
        assert!(run("-17.jsonl").is_some() && run("-17-12.jsonl").is_some());
        for other in [
            "-17-x.jsonl",
            "-x.jsonl",
            "-17-.jsonl",
            "-.jsonl",
            "--1.jsonl",
            "-17-2-3.jsonl",
            "-123456789012345678901.jsonl",
            ".jsonl",
            "-17.json",
            "-17",
            "",
        ] {
            assert_eq!(run(other), None, "{other}");
        }
        assert_eq!(age("notes-17.jsonl"), None);
        assert_eq!(age("é"), None);
    }

    #[test]
    fn ages_sort_by_time_then_process_then_number() {
        let names = [
            format!("{}-9.jsonl", stamp(1)),
            format!("{}-9-2.jsonl", stamp(1)),
            format!("{}-9-10.jsonl", stamp(1)),
            format!("{}-10.jsonl", stamp(1)),
            format!("{}-4294967295.jsonl", stamp(1)),
            format!("{}-1.jsonl", stamp(2)),
        ];
        let ages: Vec<_> = names.iter().map(|name| age(name).unwrap()).collect();
        assert!(ages.is_sorted_by(|one, next| one < next), "{ages:?}");
    }
}
