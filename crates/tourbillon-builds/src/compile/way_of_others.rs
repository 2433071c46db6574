//! What a commit has by which packages of others are built differently, and cargo does not see: it takes what they consist of
//! for the same as long as their versions are.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::compile::configuration::{texts_for, texts_of};
use crate::compile::named_files::named_paths;
use crate::compile::whole_path::whole;
use crate::error::Result;
use crate::invocation::Flag;
use crate::key::Digest;
use crate::source::git::{git, query_bytes};

/// The settings that build scripts may read or that choose compilers: what these read beside a file that is named, is
/// not named.
const OPEN: [(&str, &[&str]); 2] = [
    ("env", &[]),
    (
        "build",
        &["rustc", "rustc-wrapper", "rustc-workspace-wrapper"],
    ),
];
/// Where packages are.
const SOURCES: (&str, &[&str]) = ("source", &[]);

/// A hash of these settings in the configuration that a checkout has for a folder, of the files and folders of the checkout
/// that it names, or that a flag or one of the `variables` names, such as vendored packages, and of all files but Rust
/// sources, where a build script or something around the compiler has a path into the checkout. `None` where there are
/// none. What else cargo reads is the same for all commits.
pub(crate) fn way_of_others(
    folder: &Path,
    checkout: &Path,
    flags: &[Flag],
    variables: &[String],
) -> Result<Option<String>> {
    let checkout = whole(checkout);
    let typed = flags.iter().filter(|flag| flag.name() == "--config");
    let typed: Vec<_> = typed.map(|flag| flag.value().to_string_lossy()).collect();
    let mut files = texts_for(folder);
    files.extend(typed.iter().flat_map(|typed| texts_of(typed, folder)));
    files.retain(|(file, _)| whole(file).starts_with(&checkout));
    // Each with the folder that its paths begin at.
    let of_files = files.iter().map(|(file, text)| {
        let around = file.ancestors().nth(2).unwrap_or(file);
        (around, String::from_utf8_lossy(text))
    });
    let typed = typed.into_iter().map(|typed| (folder, typed));
    let (mut settings, mut within, mut is_open) = (Vec::new(), Vec::new(), false);
    let inside = |text: &str, around: &Path| {
        let named = named_paths(text, around).into_iter();
        let inside = named.filter_map(|path| {
            let path = whole(&path);
            path.strip_prefix(&checkout).ok().map(Path::to_owned)
        });
        inside.collect::<Vec<_>>()
    };
    // Of a submodule, git lists the commit and not the files.
    let submodule = |path: &PathBuf| {
        let around = path.ancestors().filter(|one| *one != Path::new(""));
        let is_one = |one: &&Path| checkout.join(one).join(".git").exists();
        around.filter(is_one).last().map(Path::to_owned)
    };
    for variable in variables {
        let named = inside(variable, folder);
        is_open |= !named.is_empty();
        within.extend(named);
    }
    for (around, text) in of_files.chain(typed) {
        let all: Table = text.parse().unwrap_or_default();
        for section in OPEN {
            let table = of_section(&all, &section).unwrap_or_default();
            is_open |= table.contains("relative = true") || !inside(&table, around).is_empty();
        }
        let sections = OPEN.iter().chain([&SOURCES]);
        settings.extend(sections.filter_map(|section| {
            let table = of_section(&all, section)?;
            Some(format!("{} {table}", section.0))
        }));
        within.extend(inside(&text, around));
    }
    within.retain(|path| path != Path::new(""));
    for path in &mut within {
        if let Some(whole) = submodule(path) {
            *path = whole;
        }
    }
    within.sort();
    within.dedup();
    if settings.is_empty() && within.is_empty() {
        return Ok(None);
    }
    let mut digest = Digest::default().parts(&settings);
    // Each with the hash of its contents.
    let mut add = |operands: &[OsString]| -> Result<()> {
        let mut listed = git(&checkout);
        listed
            .words(&["ls-files", "-z", "--stage"])
            .operands("--", operands);
        digest = std::mem::take(&mut digest).part(query_bytes(&mut listed)?);
        Ok(())
    };
    if !within.is_empty() {
        let literal = |path: &PathBuf| {
            let mut operand = OsString::from(":(literal)");
            operand.push(path);
            operand
        };
        add(&within.iter().map(literal).collect::<Vec<_>>())?;
    }
    if is_open {
        add(&[":(exclude)*.rs".into()])?;
    }
    Ok(Some(digest.key()[..16].to_owned()))
}

/// Some settings of a section, as text.
fn of_section(all: &Table, (section, names): &(&str, &[&str])) -> Option<String> {
    let mut table = all.get(*section).and_then(Value::as_table)?.clone();
    table.retain(|name, _| names.is_empty() || names.contains(&name));
    (!table.is_empty()).then(|| table.to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::source::git::query;

    #[test]
    fn what_cargo_does_not_see_has_a_target_directory_of_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("checkout");
        fs::create_dir(&root).expect("a folder");
        if query(git(&root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        let way_with = |file: &str, text: &str, flags: &[Flag], variables: &[String]| {
            let path = root.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
            query(git(&root).words(&["add", "--all"])).expect("added");
            way_of_others(&root.join("shop"), &root, flags, variables).expect("a way")
        };
        let way = |file: &str, text: &str| way_with(file, text, &[], &[]);
        let configure = |text: &str| way(".cargo/config.toml", text);
        assert_eq!(way("shop/src/lib.rs", "1"), None);
        let plain = "build.jobs = 1\ntarget.x.linker = 'cc'\nprofile.bench.debug = true\n";
        assert_eq!(configure(plain), None);
        let mut seen = vec![None];
        let mut is_new = |way: Option<String>| {
            let is_new = !seen.contains(&way);
            seen.push(way);
            is_new
        };
        assert!(is_new(configure("env.A = '1'\n")));
        assert!(is_new(configure("env.A = '2'\n")));
        // The same table in another section.
        assert!(is_new(configure("env.rustc = 'other'\n")));
        assert!(is_new(configure("build.rustc = 'other'\n")));
        let named = "env.A = { value = 'shop/data', relative = true }\n";
        assert!(is_new(configure(named)));
        assert!(is_new(way("shop/data/rounds", "1")));
        assert!(is_new(way("shop/data/rounds", "2")));
        assert!(!is_new(way("shop/src/lib.rs", "2")));
        // What its list names.
        assert!(is_new(way("inputs/rounds", "1")));
        for value in ["''", "'.'", "'inputs/rou'"] {
            assert!(is_new(configure(&format!(
                "env.A = {{ value = {value}, relative = true }}\n"
            ))));
            assert!(is_new(way("inputs/rounds", &format!("of {value}"))));
            assert!(!is_new(way("shop/src/lib.rs", value)));
        }
        assert!(is_new(configure("build.rustc-wrapper = 'tools/wrap'\n")));
        assert!(is_new(way("tools/wrap", "exec \"$@\"\n")));
        assert!(is_new(way(
            "tools/wrap",
            "exec \"$@\" $(cat tools/flags)\n"
        )));
        assert!(is_new(way("tools/flags", "-O")));
        let vendored = "source.crates-io.replace-with = 'own'\nsource.own.directory = 'vendor'\n";
        assert!(is_new(configure(vendored)));
        assert!(is_new(way("vendor/dep/src/lib.rs", "1")));
        assert!(is_new(way("vendor/dep/src/lib.rs", "2")));
        assert!(!is_new(way("shop/src/lib.rs", "3")));
        assert_eq!(configure(plain), None);
        // Packages in a submodule.
        let third = root.join("third");
        let save = |text: &str| {
            fs::create_dir_all(third.join("vendor")).expect("a folder");
            fs::write(third.join("vendor/a"), text).expect("a file");
            for words in [
                &["init", "--quiet"][..],
                &["add", "--", "."],
                &["commit", "--quiet", "--message=a"],
            ] {
                let mut git = git(&third);
                git.words(&["-c", "user.name=a", "-c", "user.email=a@b"]);
                query(git.words(words)).expect("git does it");
            }
            configure("source.own.directory = 'third/vendor'\n")
        };
        assert!(is_new(save("1")));
        assert!(is_new(save("2")));
        configure(plain);
        // The same on cargo's command line, or in variables.
        let config = |value: &str| [Flag::new("--config=", value)];
        for (flags, variables, changed) in [
            (
                &config("source.own.directory='../vendor'")[..],
                &[][..],
                "vendor/dep/src/lib.rs",
            ),
            (&config("../tools/own.toml"), &[], "vendor/dep/src/lib.rs"),
            (
                &config("include=['../tools/own.toml']"),
                &[],
                "vendor/dep/src/lib.rs",
            ),
            (
                &[],
                &["RUSTC_WRAPPER=../tools/wrap".to_owned()],
                "tools/flags",
            ),
        ] {
            way("tools/own.toml", "source.own.directory = 'vendor'");
            let way = |file: &str, text: &str| way_with(file, text, flags, variables);
            let ways = ["5", "6", "7"].map(|text| way(changed, text));
            assert!(ways[0].is_some() && ways[0] != ways[1] && ways[1] != ways[2]);
            assert_eq!(way("shop/src/lib.rs", changed), ways[2]);
        }
    }
}
