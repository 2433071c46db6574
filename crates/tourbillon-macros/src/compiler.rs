//! The compiler's command line, which the attribute sees: with the benchmark's own options, which a build
//! script of a library would not see.

use std::env;

/// Between the flags; cargo uses it in the same way.
const DIVIDER: &str = "\u{1f}";

/// Options of code generation that leave the code as it is.
const INCIDENTAL: [&str; 9] = [
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

/// The flags of this compilation that decide what code the benchmark becomes, each in one form:
/// `-Cname=value`, `-Cname`, `-Zname`, `--target=triple`, `--cfg=feature="name"`.
///
/// They follow `rustc`; the text is empty where the attribute runs outside of the compiler, such as in an
/// editor.
pub(crate) fn flags() -> String {
    relevant(&arguments())
}

/// Whether this compilation makes a bench or test target with the standard harness: cargo sets the
/// variable for these targets only.
pub(crate) fn has_standard_harness() -> bool {
    env::var_os("CARGO_TARGET_TMPDIR").is_some() && arguments().iter().any(|flag| flag == "--test")
}

/// Whether rust-analyzer expands the attribute, for an editor: it sets the variable for its macro server.
pub(crate) fn is_rust_analyzer() -> bool {
    env::var_os("RUST_ANALYZER_INTERNALS_DO_NOT_USE").is_some()
}

fn arguments() -> Vec<String> {
    let arguments = env::args_os();
    arguments
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect()
}

fn relevant(arguments: &[String]) -> String {
    if !arguments.iter().any(|argument| argument == "--crate-name") {
        return String::new();
    }
    let mut flags = vec!["rustc".to_owned()];
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        // The value is a part of the argument, for a long name after `=`, or it is the next argument.
        let (name, attached) = match argument.split_at_checked(2) {
            Some((name @ ("-C" | "-Z"), "")) => (name, None),
            Some((name @ ("-C" | "-Z"), value)) => (name, Some(value)),
            _ => match argument.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (argument.as_str(), None),
            },
        };
        match name {
            "-O" => flags.push("-Copt-level=3".to_owned()),
            "-C" | "--codegen" | "-Z" | "--target" | "--cfg" => {
                let value = attached.or_else(|| rest.next().map(String::as_str));
                flags.extend(value.and_then(|value| one_form(name, value)));
            }
            _ => {}
        }
    }
    flags.join(DIVIDER)
}

/// A flag in its one form; `None` where it does not matter.
fn one_form(name: &str, value: &str) -> Option<String> {
    match name {
        "-Z" => Some(format!("-Z{value}")),
        "--cfg" => value
            .starts_with("feature=")
            .then(|| format!("--cfg={value}")),
        // Of a target that a file describes, the name of the file.
        "--target" => {
            let name = value.rsplit(['/', '\\']).next().unwrap_or(value);
            Some(format!("--target={name}"))
        }
        _ => {
            let option = value.split('=').next().unwrap_or(value);
            (!INCIDENTAL.contains(&option)).then(|| format!("-C{value}"))
        }
    }
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
            // Without its value.
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
    fn another_program_has_no_flags() {
        assert_eq!(flags("editor -C opt-level=3"), "");
    }
}
