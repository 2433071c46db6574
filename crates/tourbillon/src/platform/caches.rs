//! The caches of the first processor.

use std::path::Path;

use tourbillon_record::Fact;

use super::fact;

/// Reads the folders `index0`, `index1`, .. of a processor.
pub(super) fn fact(folder: &Path) -> Fact {
    let mut caches = Vec::new();
    // A processor has three to five of them; the names have no gaps.
    while let Some(cache) =
        describe(&|name| fact::read(&folder.join(format!("index{}/{name}", caches.len()))).ok())
    {
        caches.push(cache);
    }
    fact::list(
        "caches",
        if caches.is_empty() {
            Err(format!(
                "the system does not describe them in {}",
                folder.display()
            ))
        } else {
            Ok(caches)
        },
    )
}

/// `L1 data 48 KiB`, `L3 32 MiB (shared by 0-7)`, out of the files of one cache.
fn describe(read: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut text = format!("L{}", read("level")?);
    match read("type")?.as_str() {
        "Data" => text.push_str(" data"),
        "Instruction" => text.push_str(" instruction"),
        _ => {}
    }
    text.push(' ');
    text.push_str(&size(&read("size")?));
    match read("shared_cpu_list") {
        Some(list) if list.contains([',', '-']) => {
            text.push_str(&format!(" (shared by {list})"));
        }
        _ => {}
    }
    Some(text)
}

/// `32768K` as `32 MiB`; what is not understood stays as it is.
fn size(kernel: &str) -> String {
    match kernel
        .strip_suffix('K')
        .and_then(|number| number.parse::<u64>().ok())
    {
        Some(kibibytes) if kibibytes >= 1024 && kibibytes % 1024 == 0 => {
            format!("{} MiB", kibibytes / 1024)
        }
        Some(kibibytes) => format!("{kibibytes} KiB"),
        None => kernel.to_owned(),
    }
}

#[cfg(test)]
mod tests {
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
                at.map(|at| files[at].to_owned())
            };
            assert_eq!(describe(&read).as_deref(), Some(expected));
        }
        assert_eq!(describe(&|_| None), None);
    }

    #[test]
    fn a_folder_without_any() {
        let fact = fact(Path::new("/nowhere"));
        assert!(
            matches!(fact.value, tourbillon_record::FactValue::Absent(_)),
            "{fact:?}"
        );
    }
}
