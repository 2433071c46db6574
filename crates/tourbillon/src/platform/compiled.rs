//! How this program was compiled: what the build script saw, and what the compiler says of itself.

use tourbillon_record::Fact;

use super::fact;

/// Flags of the compiler, as cargo passes them: divided by the unit separator.
const FLAGS: &str = env!("TOURBILLON_RUSTFLAGS");

pub(super) fn facts() -> Vec<Fact> {
    let options = codegen_options(FLAGS);
    let option = |name: &str| {
        options
            .iter()
            .rev()
            .find(|(n, _)| *n == name)
            .map(|(_, v)| *v)
    };
    let lto = option("lto")
        .map(|value| value.to_owned())
        .ok_or_else(|| "cargo does not tell".to_owned());
    vec![
        fact::text("rustc", Ok(env!("TOURBILLON_RUSTC").to_owned())),
        fact::text("target", Ok(env!("TOURBILLON_TARGET").to_owned())),
        fact::text(
            "target_cpu",
            Ok(option("target-cpu")
                .unwrap_or("the target's default")
                .to_owned()),
        ),
        fact::list("target_features", Ok(features())),
        // Cargo names the profile that another one inherits from: `release` for `bench`.
        fact::text("profile", Ok(env!("TOURBILLON_PROFILE").to_owned())),
        // Of this library; a profile can give the benchmark itself another level.
        fact::text("opt_level", Ok(env!("TOURBILLON_OPT_LEVEL").to_owned())),
        fact::flag("debug_assertions", Ok(cfg!(debug_assertions))),
        fact::text("lto", lto),
        fact::text(
            "panic",
            Ok(if cfg!(panic = "abort") {
                "abort"
            } else {
                "unwind"
            }
            .to_owned()),
        ),
        fact::list("rustflags", Ok(flags(FLAGS))),
        fact::text("allocator", Err("a program cannot ask".to_owned())),
        fact::list(
            "features",
            Err("cargo tells them to the package only".to_owned()),
        ),
    ]
}

fn flags(encoded: &str) -> Vec<String> {
    encoded
        .split('\x1f')
        .filter(|flag| !flag.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Name and value of each `-C name=value`, `-Cname=value` and `--codegen name=value`.
fn codegen_options(encoded: &str) -> Vec<(&str, &str)> {
    let mut options = Vec::new();
    let mut next_is_option = false;
    for flag in encoded.split('\x1f') {
        let option = if next_is_option {
            Some(flag)
        } else {
            flag.strip_prefix("-C")
        };
        let option = option.or_else(|| flag.strip_prefix("--codegen="));
        next_is_option = !next_is_option && matches!(flag, "-C" | "--codegen");
        if let Some(option) = option.filter(|_| !next_is_option) {
            // An option without a value means yes, as in -Clto.
            options.push(option.split_once('=').unwrap_or((option, "yes")));
        }
    }
    options
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
    known
        .iter()
        .filter(|(_, on)| *on)
        .map(|(name, _)| (*name).to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{codegen_options, flags};

    #[test]
    fn options_of_the_compiler() {
        for (encoded, expected) in [
            ("", vec![]),
            ("-Ctarget-cpu=native", vec![("target-cpu", "native")]),
            (
                "-C\x1ftarget-cpu=native\x1f-Clto",
                vec![("target-cpu", "native"), ("lto", "yes")],
            ),
            ("--codegen=lto=fat\x1f-Dwarnings", vec![("lto", "fat")]),
            ("--codegen\x1flto=thin", vec![("lto", "thin")]),
            ("-C\x1flink-arg=-C", vec![("link-arg", "-C")]),
            ("-C", vec![]),
        ] {
            assert_eq!(codegen_options(encoded), expected, "{encoded:?}");
        }
    }

    #[test]
    fn flags_are_divided() {
        assert_eq!(flags("-Dwarnings\x1f-Clto"), ["-Dwarnings", "-Clto"]);
        assert!(flags("").is_empty());
    }
}
