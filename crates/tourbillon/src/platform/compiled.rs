//! How this program was compiled: what the build script saw, and what the compiler says of itself.

use tourbillon_report::Pieces;

use super::fact::Facts;

/// Flags of the compiler, as cargo passes them: divided by the unit separator.
const FLAGS: &str = env!("TOURBILLON_RUSTFLAGS");
const DIVIDER: u8 = 0x1f;

pub(super) fn add(facts: &mut Facts) {
    facts.known("rustc", env!("TOURBILLON_RUSTC"));
    facts.known("target", env!("TOURBILLON_TARGET"));
    let cpu = codegen_option(FLAGS, "target-cpu").unwrap_or("the target's default");
    facts.known("target_cpu", cpu);
    facts.list("target_features", features());
    // Cargo names the profile that another one inherits from: `release` for `bench`.
    facts.known("profile", env!("TOURBILLON_PROFILE"));
    // Of this library; a profile can give the benchmark itself another level.
    facts.known("opt_level", env!("TOURBILLON_OPT_LEVEL"));
    facts.flag("debug_assertions", Ok(cfg!(debug_assertions)));
    match codegen_option(FLAGS, "lto") {
        Some(lto) => facts.known("lto", lto),
        None => facts.absent("lto", "cargo does not tell"),
    }
    let abort = cfg!(panic = "abort");
    facts.known("panic", if abort { "abort" } else { "unwind" });
    facts.list("rustflags", flags(FLAGS));
    facts.absent("allocator", "a program cannot ask");
    facts.absent("features", "cargo tells them to the package only");
}

fn flags(encoded: &str) -> Vec<String> {
    let mut flags = Vec::new();
    for flag in Pieces::divided(encoded, DIVIDER) {
        if !flag.is_empty() {
            flags.push(flag.to_owned());
        }
    }
    flags
}

/// The value of the last `-C name=value`, `-Cname=value` or `--codegen name=value`.
fn codegen_option<'a>(encoded: &'a str, name: &str) -> Option<&'a str> {
    let mut found = None;
    let mut next_is_option = false;
    for flag in Pieces::divided(encoded, DIVIDER) {
        let option = if next_is_option {
            Some(flag)
        } else {
            flag.strip_prefix("-C")
        };
        let option = option.or_else(|| flag.strip_prefix("--codegen="));
        next_is_option = !next_is_option && matches!(flag, "-C" | "--codegen");
        if let Some(option) = option
            && !next_is_option
        {
            let mut parts = Pieces::divided(option, b'=');
            if parts.next() == Some(name) {
                // An option without a value means yes, as in -Clto.
                found = Some(parts.rest().unwrap_or("yes"));
            }
        }
    }
    found
}

/// The features of the target, of those that change what code a benchmark becomes.
fn features() -> Vec<String> {
    macro_rules! enabled {
        ($($name:literal)*) => {
            [$(($name, cfg!(target_feature = $name))),*]
        };
    }
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    let known = enabled!("sse2" "sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "lzcnt" "bmi1" "bmi2"
        "avx" "avx2" "fma" "f16c" "aes" "pclmulqdq" "sha" "avx512f" "avx512bw" "avx512vl"
        "avx512vbmi");
    #[cfg(target_arch = "aarch64")]
    let known = enabled!("neon" "aes" "sha2" "sha3" "crc" "lse" "dotprod" "fp16" "sve" "sve2");
    #[cfg(not(any(target_arch = "x86_64", target_arch = "x86", target_arch = "aarch64")))]
    let known = enabled!("simd128" "v");
    let mut features = Vec::new();
    for (name, on) in &known {
        if *on {
            features.push((*name).to_owned());
        }
    }
    features
}

#[cfg(test)]
mod tests {
    use super::{codegen_option, flags};

    #[test]
    fn options_of_the_compiler() {
        for (encoded, name, expected) in [
            ("", "lto", None),
            ("-Ctarget-cpu=native", "target-cpu", Some("native")),
            ("-Ctarget-cpu=native", "lto", None),
            (
                "-C\x1ftarget-cpu=native\x1f-Clto",
                "target-cpu",
                Some("native"),
            ),
            ("-C\x1ftarget-cpu=native\x1f-Clto", "lto", Some("yes")),
            ("--codegen=lto=fat\x1f-Dwarnings", "lto", Some("fat")),
            ("--codegen\x1flto=thin", "lto", Some("thin")),
            ("-Clto=thin\x1f-Clto=fat", "lto", Some("fat")),
            ("-C\x1flink-arg=-C", "link-arg", Some("-C")),
            ("-C", "lto", None),
        ] {
            assert_eq!(codegen_option(encoded, name), expected, "{encoded:?}");
        }
    }

    #[test]
    fn flags_are_divided() {
        assert_eq!(flags("-Dwarnings\x1f-Clto"), ["-Dwarnings", "-Clto"]);
        assert!(flags("").is_empty());
    }
}
