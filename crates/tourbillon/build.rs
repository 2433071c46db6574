//! Tells the library how it is compiled: `platform/compiled.rs` puts it in the header of every run.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=RUSTFLAGS");
    println!("cargo:rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    let seen = |name: &str| std::env::var(name).unwrap_or_default();
    for (name, value) in [
        ("TARGET", seen("TARGET")),
        ("PROFILE", seen("PROFILE")),
        ("OPT_LEVEL", seen("OPT_LEVEL")),
        ("RUSTFLAGS", seen("CARGO_ENCODED_RUSTFLAGS")),
        ("RUSTC", rustc(&seen("RUSTC"))),
    ] {
        println!("cargo:rustc-env=TOURBILLON_{name}={value}");
    }
}

/// What the compiler says of its version, on one line.
fn rustc(path: &str) -> String {
    Command::new(path)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .and_then(|text| text.lines().next().map(str::to_owned))
        .unwrap_or_else(|| "a compiler that did not tell its version".to_owned())
}
