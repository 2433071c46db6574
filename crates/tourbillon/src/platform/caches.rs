//! The caches of the first processor.

use super::fact::{self, Facts};
use crate::contains::contains;
use crate::processors::whole;
use crate::text::{append, owned, text};

/// Adds what is in the folders `index0`, `index1`, .. of a processor.
#[inline(never)]
pub(super) fn add(facts: &mut Facts, folder: &str) {
    let mut caches = Vec::new();
    // A processor has three to five of them; the names have no gaps.
    loop {
        let folder = text!("{folder}/index{}", caches.len());
        match describe(&|name| fact::read_in(&folder, name)) {
            Some(cache) => caches.push(cache),
            None => break,
        }
    }
    if caches.is_empty() {
        let why = text!("the system does not describe them in {folder}");
        facts.absent("caches", &why);
    } else {
        facts.list("caches", caches);
    }
}

/// `L1 data 48 KiB`, `L3 32 MiB (shared by 0-7)`, out of the files of one cache; `None` where there
/// are none.
#[inline(never)]
fn describe(read: &dyn Fn(&str) -> String) -> Option<String> {
    let level = read("level");
    if level.is_empty() {
        return None;
    }
    let kind = match read("type").as_str() {
        "Data" => " data",
        "Instruction" => " instruction",
        _ => "",
    };
    let mut text = text!("L{level}{kind} {}", size(&read("size")));
    let shared = read("shared_cpu_list");
    if contains(&shared, ",") || contains(&shared, "-") {
        append(&mut text, &text!(" (shared by {shared})"));
    }
    Some(text)
}

/// `32768K` as `32 MiB`; what is not understood stays as it is.
fn size(kernel: &str) -> String {
    let kibibytes = match kernel.as_bytes().split_last() {
        Some((b'K', _)) => whole(&kernel[..kernel.len() - 1]),
        _ => None,
    };
    match kibibytes {
        Some(kibibytes) if kibibytes >= 1024 && kibibytes % 1024 == 0 => {
            text!("{} MiB", kibibytes / 1024)
        }
        Some(kibibytes) => text!("{kibibytes} KiB"),
        None => owned(kernel),
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::FactValue;

    use super::*;

    #[test]
    fn descriptions() {
        for (files, expected) in [
            (["1", "Data", "48K", "0"], "L1 data 48 KiB"),
            (["1", "Instruction", "32K", "0"], "L1 instruction 32 KiB"),
            (["2", "Unified", "1024K", "0,4"], "L2 1 MiB (shared by 0,4)"),
            (
                ["3", "Unified", "36864K", "0-7"],
                "L3 36 MiB (shared by 0-7)",
            ),
            (["2", "Unified", "1280K", "0"], "L2 1280 KiB"),
            (["2", "Unified", "big", "0"], "L2 big"),
        ] {
            let read = |name: &str| {
                let at = ["level", "type", "size", "shared_cpu_list"]
                    .iter()
                    .position(|n| *n == name);
                at.map_or_else(String::new, |at| files[at].to_owned())
            };
            assert_eq!(describe(&read).as_deref(), Some(expected));
        }
        assert_eq!(describe(&|_| String::new()), None);
    }

    #[test]
    fn a_folder_without_any() {
        let mut facts = Facts::default();
        add(&mut facts, "/nowhere");
        let value = &facts.0[0].value;
        assert!(matches!(value, FactValue::Absent(_)), "{value:?}");
    }
}
