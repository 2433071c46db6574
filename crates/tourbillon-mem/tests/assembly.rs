//! What a meter that is off adds to a call of the allocator, read as assembly: one look at the gate and
//! a jump that is not taken.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::path::PathBuf;
use std::process::Command;

/// The calls compiled with optimisation.
fn compiled() -> String {
    let package = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mem-kernels");
    let output = Command::new(env!("CARGO"))
        .current_dir(&package)
        .env("CARGO_TARGET_DIR", &target)
        .env_remove("RUSTFLAGS")
        .args(["rustc", "--release", "--example", "mem_kernels", "--quiet"])
        .args(["--", "--emit", "asm", "-Ccodegen-units=1"])
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "the calls do not compile:\n{errors}"
    );
    let newest = std::fs::read_dir(target.join("release/examples"))
        .expect("cargo made the folder")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "s"))
        .max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())
        .expect("rustc wrote assembly");
    std::fs::read_to_string(newest).expect("assembly is text")
}

/// The instructions of a function up to where it first leaves, jumps that are not taken left in.
fn way(assembly: &str, function: &str) -> Vec<String> {
    let label = format!("{function}:");
    let lines = assembly.lines().skip_while(|line| *line != label).skip(1);
    let mut found = Vec::new();
    for line in lines {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.is_empty() || line.starts_with('.') || line.starts_with('#') {
            continue;
        }
        let last = line.starts_with("jmp") || line.starts_with("ret");
        found.push(line);
        if last {
            return found;
        }
    }
    panic!("{function} does not end: {found:?}");
}

#[test]
fn a_meter_that_is_off_is_a_look_at_the_gate_and_a_jump_that_is_not_taken() {
    let assembly = compiled();
    for call in ["alloc", "zeroed", "dealloc", "realloc"] {
        let plain = way(&assembly, &format!("plain_{call}"));
        let metered = way(&assembly, &format!("meter_{call}"));
        let added = metered.len() - plain.len();
        assert_eq!(metered[added..], plain, "{call}: {metered:?}");
        let added: Vec<&str> = metered[..added]
            .iter()
            .map(|line| line.split(' ').next().unwrap_or_default())
            .collect();
        // Where the gate is, which the linker knows; whether it is open; and the jump.
        assert_eq!(
            added,
            ["movq", "movl", "testl", "jne"],
            "{call}: {metered:?}"
        );
        assert!(metered[0].contains("GOTPCREL"), "{call}: {metered:?}");
    }
}
