/// Longest part of a name that stays readable in the name of its file, in characters.
const READABLE: usize = 40;

/// The name of the file or folder for something that has any name at all.
///
/// A plain name (lower-case ASCII letters, digits, `-` and `_`, beginning with a letter or digit, at
/// most 40 long, not a device of Windows) stays as it is. Every other one is what is readable of it,
/// then `~` and a hash of the whole: safe on every file system, and different for names that differ
/// in case only. No plain name holds a `~`, so the two kinds cannot meet; two names of the second
/// kind meet with a chance of 2^-64.
///
/// ```
/// # use tourbillon_record::store::file_name;
/// assert_eq!(file_name("my-crate"), "my-crate");
/// assert_eq!(file_name("../Étude"), "____tude~12904cd5de5faa92");
/// ```
pub fn file_name(name: &str) -> String {
    let mut file_name = String::new();
    for byte in name.as_bytes() {
        let small = byte.to_ascii_lowercase();
        if file_name.len() == READABLE {
            break;
        } else if is_plain_byte(small) {
            file_name.push(char::from(small));
        } else if begins_character(small) {
            file_name.push('_');
        }
    }
    if !is_plain(name) {
        file_name.push_str(&format!("~{:016x}", fnv1a(name.as_bytes())));
    }
    file_name
}

fn is_plain(name: &str) -> bool {
    if matches!(name.as_bytes(), [] | [b'-' | b'_', ..]) || name.len() > READABLE {
        return false;
    }
    for byte in name.as_bytes() {
        if !is_plain_byte(*byte) {
            return false;
        }
    }
    !is_device(name)
}

#[inline(never)]
fn is_plain_byte(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_')
}

/// Whether a byte of UTF-8 is the first one of its character.
fn begins_character(byte: u8) -> bool {
    byte & 0xc0 != 0x80
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

/// FNV-1a, 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv): spreads, and needs no table.
fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
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
    fn hostile_names_are_safe_and_stay_apart() {
        let long = "long".repeat(75);
        let longer = format!("{long}x");
        let names = [
            "",
            ".",
            "..",
            "../..",
            "a/b",
            "a\\b",
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
                "{name:?} meets another as {file:?}"
            );
        }
    }

    #[test]
    fn random_names_stay_apart() {
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
}
