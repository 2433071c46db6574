//! Names of functions as linkers have them.

/// What stands for a character that names may not have.
const CHARACTERS: [(&str, &str); 12] = [
    ("$LT$", "<"),
    ("$GT$", ">"),
    ("$RF$", "&"),
    ("$BP$", "*"),
    ("$LP$", "("),
    ("$RP$", ")"),
    ("$C$", ","),
    ("$u20$", " "),
    ("$u7b$", "{"),
    ("$u7d$", "}"),
    ("$u27$", "'"),
    ("..", "::"),
];

/// The names before that of an item, from its crate on, and its own, each after its length; `None` for names that rustc did
/// not give.
pub(super) fn path(name: &str) -> Option<&str> {
    if let Some(path) = name.strip_prefix("_ZN") {
        return Some(path);
    }
    // Letters for what the item is, then the crate, with a number that tells it from others of its name.
    let kinds = name.strip_prefix("_R")?;
    let (kinds, rest) = kinds.split_once("Cs")?;
    let is_plain = kinds.bytes().all(|letter| b"INvtC".contains(&letter));
    let (_, path) = rest.split_once('_')?;
    is_plain.then_some(path)
}

/// A name as a person writes it, as far as that is known.
pub(super) fn readable(name: &str) -> String {
    let parts: Vec<&str> = path(name).map(parts).unwrap_or_default();
    if parts.is_empty() {
        return name.to_owned();
    }
    let mut text = parts.join("::");
    for (written, character) in CHARACTERS {
        text = text.replace(written, character);
    }
    text
}

fn parts(mut path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    loop {
        let digits = path.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(length) = path[..digits].parse::<usize>() else {
            break;
        };
        let rest = &path[digits..];
        // A new mangling separates digits from a name that begins with one.
        let name = rest.strip_prefix('_').filter(|_| !path.contains("17h"));
        let Some((part, after)) = name.unwrap_or(rest).split_at_checked(length) else {
            break;
        };
        let is_hash = after.starts_with('E') && length == 17 && part.starts_with('h');
        if !is_hash {
            parts.push(
                part.strip_prefix('_')
                    .filter(|part| part.starts_with('$'))
                    .unwrap_or(part),
            );
        }
        path = after;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_readable() {
        for (name, expected) in [
            ("_ZN4shop4cart3sum17h0123456789abcdefE", "shop::cart::sum"),
            (
                "_ZN4shop1_18__tourbillon_cases28_$u7b$$u7b$closure$u7d$$u7d$17hb44b4db003ac575aE",
                "shop::_::__tourbillon_cases::{{closure}}",
            ),
            (
                "_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check",
                "core::panicking::panic_bounds_check",
            ),
            ("memcpy", "memcpy"),
        ] {
            assert_eq!(readable(name), expected);
        }
    }
}
