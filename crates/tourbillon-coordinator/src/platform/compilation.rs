//! How this program was compiled: the compiler's command line, as the attribute saw it, and what holds for
//! the target.

use std::env::{self, consts};
use std::path::Path;

use super::fact::{Facts, Known, unquoted};

/// Between the flags.
const DIVIDER: char = '\u{1f}';

/// Options of code generation that are facts of their own, with the compiler's defaults.
const OPTIONS: [(&str, &str, &str); 4] = [
    ("opt_level", "opt-level", "0"),
    // LTO is that of the whole program; within a crate the compiler optimises across its parts anyway.
    ("lto", "lto", "off"),
    ("codegen_units", "codegen-units", "by default"),
    ("target_cpu", "target-cpu", "the target's default"),
];

/// Adds the facts. `flags` are those of the compilation of the benchmarks, each in the one form that
/// the attribute gives them; `signatures` are those in the executable.
pub(super) fn add(facts: &mut Facts, flags: &str, signatures: &[String]) {
    facts.text("rustc", rustc(signatures));
    // The first is the compiler's name.
    let words: Vec<&str> = flags.split(DIVIDER).collect();
    let (compiler, flags) = words.split_first().unwrap_or((&"", &[]));
    let target = flags
        .iter()
        .rev()
        .find_map(|flag| flag.strip_prefix("--target="));
    facts.known("target", &target.map_or_else(host, str::to_owned));
    let executable = env::current_exe().unwrap_or_default();
    facts.text("profile", profile(&executable));
    let mut enabled = Vec::new();
    for (name, on) in KNOWN {
        if *on {
            enabled.push((*name).to_owned());
        }
    }
    facts.list("target_features", enabled);
    facts.flag("debug_assertions", Ok(cfg!(debug_assertions)));
    let abort = cfg!(panic = "abort");
    facts.known("panic", if abort { "abort" } else { "unwind" });
    facts.absent("allocator", "a program cannot ask");
    if compiler.is_empty() {
        for name in ["opt_level", "lto", "target_cpu", "rustflags", "features"] {
            facts.absent(name, "the compiler's command line was not seen");
        }
        return;
    }
    for (name, option, default) in OPTIONS {
        let mut values = flags.iter().rev().filter_map(|flag| value_of(flag, option));
        facts.known(name, values.next().unwrap_or(default));
    }
    let (mut rest, mut features) = (Vec::new(), Vec::new());
    for flag in flags {
        let is_own_fact = OPTIONS
            .iter()
            .any(|(_, option, _)| value_of(flag, option).is_some());
        if let Some(feature) = flag.strip_prefix("--cfg=feature=") {
            features.push(unquoted(feature).to_owned());
        } else if !is_own_fact && !flag.starts_with("--target=") {
            rest.push((*flag).to_owned());
        }
    }
    facts.list("features", features);
    facts.list("rustflags", rest);
}

/// The value of an option of code generation in a flag; `-Clto` means fat.
fn value_of<'a>(flag: &'a str, option: &str) -> Option<&'a str> {
    match flag.strip_prefix("-C")?.strip_prefix(option)? {
        "" => Some(if option == "lto" { "fat" } else { "" }),
        value => value.strip_prefix('='),
    }
}

/// The compiler, by its signature.
fn rustc(signatures: &[String]) -> Known<String> {
    let mut versions = signatures
        .iter()
        .filter_map(|signature| signature.strip_prefix("rustc version "));
    let version = versions.next().map(|version| format!("rustc {version}"));
    version.ok_or_else(|| "it did not sign the executable".to_owned())
}

/// The compiler's default target, by its usual name.
fn host() -> String {
    let vendor = if cfg!(target_vendor = "apple") {
        "apple"
    } else if cfg!(target_vendor = "pc") {
        "pc"
    } else {
        "unknown"
    };
    let system = match consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let environment = if cfg!(target_env = "gnu") {
        "-gnu"
    } else if cfg!(target_env = "musl") {
        "-musl"
    } else if cfg!(target_env = "msvc") {
        "-msvc"
    } else {
        ""
    };
    format!("{}-{vendor}-{system}{environment}", consts::ARCH)
}

/// The profile, by the folder that cargo gives it: `release` holds those of `bench` too.
fn profile(executable: &Path) -> Known<String> {
    let parent = executable
        .parent()
        .filter(|folder| !folder.ends_with("deps"));
    let folder = parent.or_else(|| executable.parent()?.parent());
    match folder {
        Some(folder) if folder.join("deps").is_dir() => {
            let name = folder.file_name().unwrap_or_default();
            Ok(name.to_string_lossy().into_owned())
        }
        _ => Err("the executable is not where cargo built it".to_owned()),
    }
}

/// Features of the target that change what code a benchmark becomes, and whether they are there.
macro_rules! enabled {
    ($($name:literal)*) => {
        &[$(($name, cfg!(target_feature = $name))),*]
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
const KNOWN: &[(&str, bool)] = enabled!("sse2" "sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "lzcnt" "bmi1" "bmi2"
    "avx" "avx2" "fma" "f16c" "aes" "pclmulqdq" "sha" "avx512f" "avx512bw" "avx512vl"
    "avx512vbmi");
#[cfg(target_arch = "aarch64")]
const KNOWN: &[(&str, bool)] =
    enabled!("neon" "aes" "sha2" "sha3" "crc" "lse" "dotprod" "fp16" "sve" "sve2");
#[cfg(not(any(target_arch = "x86_64", target_arch = "x86", target_arch = "aarch64")))]
const KNOWN: &[(&str, bool)] = enabled!("simd128" "v");

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tourbillon_record::{Fact, FactValue};

    use super::super::fact::Facts;
    use super::{add, host, profile, rustc};

    fn facts(flags: &[&str]) -> Vec<Fact> {
        let mut facts = Facts::default();
        let signatures = ["rustc version 1.95.0 (5980 2026-04-14)".to_owned()];
        add(&mut facts, &flags.join("\u{1f}"), &signatures);
        facts.0
    }

    fn value<'a>(facts: &'a [Fact], name: &str) -> &'a FactValue {
        let fact = facts.iter().find(|fact| fact.name == name);
        &fact.unwrap_or_else(|| panic!("{name} in {facts:?}")).value
    }

    fn text(value: &str) -> FactValue {
        FactValue::Text(value.to_owned())
    }

    fn texts(values: &[&str]) -> FactValue {
        FactValue::List(values.iter().map(|value| (*value).to_owned()).collect())
    }

    #[test]
    fn facts_of_the_command_line() {
        let facts = facts(&[
            "rustc",
            "-Copt-level=3",
            "-Clto=thin",
            "-Cforce-frame-pointers=yes",
            "--cfg=feature=\"simd\"",
            "--target=aarch64-unknown-linux-musl",
            "-Ctarget-cpu=native",
            "-Clto=fat",
            "-Zthreads=8",
        ]);
        assert_eq!(*value(&facts, "opt_level"), text("3"));
        assert_eq!(*value(&facts, "lto"), text("fat"));
        assert_eq!(*value(&facts, "codegen_units"), text("by default"));
        assert_eq!(*value(&facts, "target_cpu"), text("native"));
        assert_eq!(*value(&facts, "target"), text("aarch64-unknown-linux-musl"));
        assert_eq!(*value(&facts, "features"), texts(&["simd"]));
        let rest = texts(&["-Cforce-frame-pointers=yes", "-Zthreads=8"]);
        assert_eq!(*value(&facts, "rustflags"), rest);
        assert_eq!(
            *value(&facts, "rustc"),
            text("rustc 1.95.0 (5980 2026-04-14)")
        );
    }

    #[test]
    fn what_is_absent_is_the_compilers_default() {
        let facts = facts(&["rustc"]);
        assert_eq!(*value(&facts, "opt_level"), text("0"));
        assert_eq!(*value(&facts, "lto"), text("off"));
        assert_eq!(*value(&facts, "features"), texts(&[]));
        assert_eq!(*value(&facts, "target"), text(&host()));
    }

    #[test]
    fn lto_without_a_value_is_fat() {
        assert_eq!(*value(&facts(&["rustc", "-Clto"]), "lto"), text("fat"));
    }

    #[test]
    fn without_a_command_line_nothing_is_guessed() {
        let facts = facts(&[]);
        for name in ["opt_level", "lto", "target_cpu", "features", "rustflags"] {
            let value = value(&facts, name);
            assert!(matches!(value, FactValue::Absent(_)), "{name} {value:?}");
        }
    }

    #[test]
    fn a_compiler_that_did_not_sign_is_not_named() {
        assert!(rustc(&["GCC: 12".to_owned()]).is_err());
    }

    #[test]
    fn the_profile_is_the_folder_that_holds_deps() {
        // This test is such an executable.
        let own = std::env::current_exe().expect("the path of this test");
        let named = profile(&own).expect("built by cargo");
        let folder = own.ancestors().nth(2).expect("the folder of the profile");
        assert!(folder.ends_with(&named), "{named} of {}", own.display());
        assert_eq!(profile(&folder.join("a")), Ok(named));
        assert!(profile(Path::new("/nowhere/release/a")).is_err());
        assert!(profile(Path::new("a")).is_err());
    }

    #[test]
    fn the_host_has_a_name_of_three_parts_at_least() {
        assert!(host().split('-').count() >= 3, "{}", host());
    }
}
