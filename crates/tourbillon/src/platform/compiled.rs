//! How this program was compiled: what the attribute saw of the compiler's command line, and what the
//! compiler says of itself.

use std::env::consts;
use std::path::Path;

use tourbillon_report::Pieces;

use super::fact::{Facts, Known, unquoted};
use crate::text::{owned, text};

/// Between the flags.
const DIVIDER: u8 = 0x1f;

/// Options of code generation that are facts of their own.
const OWN_FACTS: [&str; 4] = ["opt-level", "lto", "codegen-units", "target-cpu"];

/// Adds the facts. `flags` are those of the compilation of the benchmarks, each in the one form that
/// the attribute gives them; `signatures` are those in the executable.
#[inline(never)]
pub(super) fn add(facts: &mut Facts, flags: &str, signatures: &[String]) {
    facts.text("rustc", rustc(signatures));
    match last(flags, "--target=") {
        Some(target) => facts.known("target", target),
        None => facts.known("target", &host()),
    }
    let executable = std::env::current_exe().unwrap_or_default();
    facts.text("profile", profile(&executable));
    facts.list("target_features", features());
    facts.flag("debug_assertions", Ok(cfg!(debug_assertions)));
    let abort = cfg!(panic = "abort");
    facts.known("panic", if abort { "abort" } else { "unwind" });
    facts.absent("allocator", "a program cannot ask");
    if flags.is_empty() {
        for name in &["opt_level", "lto", "target_cpu", "rustflags", "features"] {
            facts.absent(name, "the compiler's command line was not seen");
        }
        return;
    }
    // LTO is that of the whole program; within a crate the compiler optimises across its parts in any
    // case.
    for (name, start, default) in &[
        ("opt_level", "-Copt-level=", "0"),
        ("lto", "-Clto=", "off"),
        ("codegen_units", "-Ccodegen-units=", "by default"),
        ("target_cpu", "-Ctarget-cpu=", "the target's default"),
    ] {
        let mut value = last(flags, start).unwrap_or(default);
        if *name == "lto" && has(flags, "-Clto") {
            value = "fat";
        }
        facts.known(name, value);
    }
    let (mut rest, mut features) = (Vec::new(), Vec::new());
    let mut flags = Pieces::divided(flags, DIVIDER);
    // The first is the compiler's name.
    flags.next();
    for flag in flags {
        if let Some(feature) = flag.strip_prefix("--cfg=feature=") {
            features.push(owned(unquoted(feature)));
        } else if !is_own_fact(flag) {
            rest.push(owned(flag));
        }
    }
    facts.list("features", features);
    facts.list("rustflags", rest);
}

/// The value of the last flag that begins so.
fn last<'a>(flags: &'a str, start: &str) -> Option<&'a str> {
    let mut found = None;
    for flag in Pieces::divided(flags, DIVIDER) {
        found = flag.strip_prefix(start).or(found);
    }
    found
}

fn has(flags: &str, wanted: &str) -> bool {
    let mut has = false;
    for flag in Pieces::divided(flags, DIVIDER) {
        has = has || flag == wanted;
    }
    has
}

fn is_own_fact(flag: &str) -> bool {
    let Some(option) = flag.strip_prefix("-C") else {
        return flag.starts_with("--target=");
    };
    let name = Pieces::divided(option, b'=').next().unwrap_or_default();
    let mut is_one = false;
    for own in &OWN_FACTS {
        is_one |= *own == name;
    }
    is_one
}

/// The compiler, by its signature.
fn rustc(signatures: &[String]) -> Known<String> {
    for signature in signatures {
        if let Some(version) = signature.strip_prefix("rustc version ") {
            return Ok(text!("rustc {version}"));
        }
    }
    Err(owned("it did not sign the executable"))
}

/// The target that the compiler takes when it is not told one, by its usual name.
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
    text!("{}-{vendor}-{system}{environment}", consts::ARCH)
}

/// The profile, by the folder that cargo gives it: `release` holds those of `bench` too.
#[inline(never)]
fn profile(executable: &Path) -> Known<String> {
    let mut folder = executable.parent();
    if let Some(deps) = folder
        && deps.file_name() == Some("deps".as_ref())
    {
        folder = deps.parent();
    }
    match folder {
        Some(folder) if folder.join("deps").is_dir() => {
            let name = folder.file_name().unwrap_or_default();
            Ok(owned(&name.to_string_lossy()))
        }
        _ => Err(owned("the executable is not where cargo built it")),
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

/// The features of the target that are there.
fn features() -> Vec<String> {
    let mut features = Vec::new();
    for (name, on) in KNOWN {
        if *on {
            features.push(owned(name));
        }
    }
    features
}

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
    fn what_the_command_line_said() {
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
    fn what_it_did_not_say_is_the_compilers_default() {
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
    fn no_command_line_is_said_and_not_guessed() {
        let facts = facts(&[]);
        for name in ["opt_level", "lto", "target_cpu", "features", "rustflags"] {
            let value = value(&facts, name);
            assert!(matches!(value, FactValue::Absent(_)), "{name} {value:?}");
        }
    }

    #[test]
    fn who_did_not_sign_is_not_named() {
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
