//! How the compiler was called that runs the attribute: with the benchmark's own options, which a
//! build script of a library would not see.

use std::env;

/// Divides the flags: no flag of the compiler contains it, and cargo divides them by it too.
const DIVIDER: char = '\u{1f}';

/// The flags of this compilation that say what kind of code the benchmark becomes, each in one form:
/// `-Cname=value`, `-Cname`, `-Zname`, `--target=triple`, `--cfg=feature="name"`.
///
/// They stand behind `rustc`; the text is empty where the attribute does not run inside the compiler,
/// but in an editor for example.
pub(crate) fn flags() -> String {
    // An argument that is no text is a path, and paths are left out.
    let mut arguments = Vec::new();
    for argument in env::args_os() {
        arguments.push(argument.to_string_lossy().into_owned());
    }
    relevant(&arguments)
}

fn relevant(arguments: &[String]) -> String {
    if !arguments.iter().any(|argument| argument == "--crate-name") {
        return String::new();
    }
    let mut flags = "rustc".to_owned();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let flag = match argument.as_str() {
            "-O" => Some("-Copt-level=3".to_owned()),
            "-C" | "--codegen" => rest.next().and_then(|option| codegen(option)),
            "-Z" => rest.next().map(|option| format!("-Z{option}")),
            "--target" => rest.next().map(|triple| target(triple)),
            "--cfg" => rest.next().and_then(|cfg| feature(cfg)),
            other => {
                if let Some(option) = other.strip_prefix("-C") {
                    codegen(option)
                } else if let Some(option) = other.strip_prefix("--codegen=") {
                    codegen(option)
                } else if let Some(triple) = other.strip_prefix("--target=") {
                    Some(target(triple))
                } else if let Some(cfg) = other.strip_prefix("--cfg=") {
                    feature(cfg)
                } else {
                    other.starts_with("-Z").then(|| other.to_owned())
                }
            }
        };
        if let Some(flag) = flag {
            flags.push(DIVIDER);
            flags.push_str(&flag);
        }
    }
    flags
}

/// An option of code generation, except those that leave the code as it is.
fn codegen(option: &str) -> Option<String> {
    let name = option.split('=').next().unwrap_or_default();
    let incidental = [
        "debuginfo",
        "embed-bitcode",
        "extra-filename",
        "incremental",
        "linker",
        "metadata",
        "rpath",
        "split-debuginfo",
        "strip",
    ];
    (!incidental.contains(&name)).then(|| format!("-C{option}"))
}

/// A target, by the name of its file where it is described by one.
fn target(triple: &str) -> String {
    let name = triple.rsplit(['/', '\\']).next().unwrap_or(triple);
    format!("--target={name}")
}

fn feature(cfg: &str) -> Option<String> {
    cfg.starts_with("feature=").then(|| format!("--cfg={cfg}"))
}

#[cfg(test)]
mod tests {
    use super::relevant;

    fn flags(line: &str) -> String {
        let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
        relevant(&arguments).replace('\u{1f}', "|")
    }

    #[test]
    fn each_flag_has_one_form() {
        for (line, expected) in [
            ("-C opt-level=3 -Clto", "|-Copt-level=3|-Clto"),
            (
                "-O --codegen lto=fat --codegen=panic=abort",
                "|-Copt-level=3|-Clto=fat|-Cpanic=abort",
            ),
            ("-C metadata=1 -Cextra-filename=-2 -C incremental=/x", ""),
            ("-Clinker=cc -C strip=debuginfo -Cembed-bitcode=no", ""),
            (
                "--target aarch64-apple-darwin",
                "|--target=aarch64-apple-darwin",
            ),
            ("--target=/x/own.json", "|--target=own.json"),
            (
                "--cfg feature=\"x\" --cfg test --cfg=feature=\"y\"",
                "|--cfg=feature=\"x\"|--cfg=feature=\"y\"",
            ),
            (
                "-Z share-generics -Zthreads=8",
                "|-Zshare-generics|-Zthreads=8",
            ),
            ("--edition=2024 src/lib.rs -L dependency=/x", ""),
            // A value that is missing.
            ("-C", ""),
            ("-Z", ""),
            ("--target", ""),
            ("--cfg", ""),
        ] {
            let seen = flags(&format!("/bin/rustc --crate-name a {line}"));
            assert_eq!(seen, format!("rustc{expected}"), "{line}");
        }
    }

    #[test]
    fn what_is_not_the_compiler_has_no_flags() {
        assert_eq!(flags("editor -C opt-level=3"), "");
    }
}
