//! How the compiler was called that runs the attribute: with the benchmark's own options, which a
//! build script of a library would not see.

use std::env;

use crate::listed::is_one_of;

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

/// The flags that are kept, and what becomes of the value of each. It stands in the next argument, or in
/// the same one: of a long name behind `=`, of a short one at once.
const KEPT: [(&str, Keep); 5] = [
    ("--codegen", codegen),
    ("--target", target),
    ("--cfg", feature),
    ("-C", codegen),
    ("-Z", unstable),
];

/// Adds a flag with this value, in its one form; or does not.
type Keep = fn(&mut String, &str);

fn relevant(arguments: &[String]) -> String {
    let mut flags = "rustc".to_owned();
    let mut compiles = false;
    let mut index = 0;
    while index < arguments.len() {
        let argument = arguments[index].as_str();
        index += 1;
        match argument {
            "--crate-name" => compiles = true,
            "-O" => codegen(&mut flags, "opt-level=3"),
            _ => match flag(argument) {
                Some((keep, Some(value))) => keep(&mut flags, value),
                Some((keep, None)) if index < arguments.len() => {
                    keep(&mut flags, &arguments[index]);
                    index += 1;
                }
                _ => {}
            },
        }
    }
    if !compiles {
        flags.clear();
    }
    flags
}

/// What becomes of a flag that is kept, and its value, unless that is the next argument.
fn flag(argument: &str) -> Option<(Keep, Option<&str>)> {
    for (name, keep) in &KEPT {
        if let Some(value) = argument.strip_prefix(*name) {
            return match value.strip_prefix("=") {
                _ if value.is_empty() => Some((*keep, None)),
                Some(value) if name.starts_with("--") => Some((*keep, Some(value))),
                None if name.starts_with("--") => None,
                _ => Some((*keep, Some(value))),
            };
        }
    }
    None
}

fn add(flags: &mut String, name: &str, value: &str) {
    flags.push(DIVIDER);
    flags.push_str(name);
    flags.push_str(value);
}

/// An option of code generation, except those that leave the code as it is.
fn codegen(flags: &mut String, option: &str) {
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
    let mut end = 0;
    while end < option.len() && option.as_bytes()[end] != b'=' {
        end += 1;
    }
    if !is_one_of(&option[..end], &incidental) {
        add(flags, "-C", option);
    }
}

fn unstable(flags: &mut String, option: &str) {
    add(flags, "-Z", option);
}

/// A target, by the name of its file where it is described by one.
fn target(flags: &mut String, triple: &str) {
    let mut start = triple.len();
    while start > 0 && !matches!(triple.as_bytes()[start - 1], b'/' | b'\\') {
        start -= 1;
    }
    add(flags, "--target=", &triple[start..]);
}

fn feature(flags: &mut String, cfg: &str) {
    if cfg.starts_with("feature=") {
        add(flags, "--cfg=", cfg);
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
