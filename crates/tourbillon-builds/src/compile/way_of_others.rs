//! What a commit has by which packages of others are built differently, and cargo does not see: it takes what they consist of
//! for the same as long as their versions are.

use std::path::Path;

use toml::{Table, Value};

use crate::compile::configuration::texts_for;
use crate::compile::named_files::named_paths;
use crate::compile::whole_path::whole;
use crate::error::Result;
use crate::key::Digest;
use crate::source::git::{git, query_bytes};

/// The settings that build scripts may read, that choose compilers, or that say where packages are.
const SETTINGS: [(&str, &[&str]); 3] = [
    ("env", &[]),
    (
        "build",
        &["rustc", "rustc-wrapper", "rustc-workspace-wrapper"],
    ),
    ("source", &[]),
];

/// A hash of these settings in the configuration that a checkout has for a folder, and of the files and folders of the checkout
/// that it names, such as vendored packages and scripts around the compiler. `None` where there are none. What else cargo
/// reads is the same for all commits.
pub(crate) fn way_of_others(folder: &Path, checkout: &Path) -> Result<Option<String>> {
    let checkout = whole(checkout);
    let mut own = texts_for(folder);
    own.retain(|(file, _)| whole(file).starts_with(&checkout));
    let of_section = |all: &Table, (section, names): &(&str, &[&str])| {
        let mut table = all.get(*section).and_then(Value::as_table)?.clone();
        let is_named = |name: &str| names.contains(&name);
        table.retain(|name, _| names.is_empty() || is_named(name));
        (!table.is_empty()).then(|| format!("{section} {table}"))
    };
    let texts = own.iter().flat_map(|(_, text)| {
        let all: Table = String::from_utf8_lossy(text).parse().unwrap_or_default();
        SETTINGS.map(|section| of_section(&all, &section))
    });
    let texts: Vec<String> = texts.flatten().collect();
    let named = own.iter().flat_map(|(file, text)| {
        let around = file.ancestors().nth(2).unwrap_or(file);
        named_paths(&String::from_utf8_lossy(text), around)
    });
    let within = named.filter_map(|path| {
        let path = whole(&path).strip_prefix(&checkout).ok()?.to_owned();
        (path != Path::new("")).then_some(path)
    });
    let mut within: Vec<_> = within.collect();
    within.sort();
    within.dedup();
    if texts.is_empty() && within.is_empty() {
        return Ok(None);
    }
    let mut digest = Digest::default().parts(&texts);
    if !within.is_empty() {
        // Each with the hash of its contents.
        let mut listed = git(&checkout);
        listed
            .words(&["--literal-pathspecs", "ls-files", "-z", "--stage"])
            .operands("--", &within);
        digest = digest.part(query_bytes(&mut listed)?);
    }
    Ok(Some(digest.key()[..16].to_owned()))
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
        let way = |file: &str, text: &str| {
            let path = root.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
            query(git(&root).words(&["add", "--all"])).expect("added");
            way_of_others(&root.join("shop"), &root).expect("a way")
        };
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
        let named = "env.A = { value = 'shop/data', relative = true }\n";
        assert!(is_new(configure(named)));
        assert!(is_new(way("shop/data/rounds", "1")));
        assert!(is_new(way("shop/data/rounds", "2")));
        assert!(!is_new(way("shop/src/lib.rs", "2")));
        assert!(is_new(configure("build.rustc-wrapper = 'tools/wrap'\n")));
        assert!(is_new(way("tools/wrap", "exec \"$@\"\n")));
        assert!(is_new(way("tools/wrap", "exec \"$@\" -O\n")));
        let vendored = "source.crates-io.replace-with = 'own'\nsource.own.directory = 'vendor'\n";
        assert!(is_new(configure(vendored)));
        assert!(is_new(way("vendor/dep/src/lib.rs", "1")));
        assert!(is_new(way("vendor/dep/src/lib.rs", "2")));
        assert!(!is_new(way("shop/src/lib.rs", "3")));
    }
}
