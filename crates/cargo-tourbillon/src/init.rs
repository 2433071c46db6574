//! `cargo tourbillon init`: the lines of the manifest that benchmarks need, and a first benchmark.

use std::path::{Path, PathBuf};

use clap::Args;
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, value};
use tourbillon_builds::workspace_manifest;
use tourbillon_report::escape;
use tourbillon_tool::exit::{Stop, print};
use tourbillon_tool::output::{edit, not_written, refuse_tracked_link, write_new};
use tourbillon_values::regular_file;

const AFTER: &str = "\
Examples:
  cargo tourbillon init
  cargo tourbillon init --bench parser";

/// Most bytes of a manifest.
const MOST: u64 = 10_000_000;

/// The first benchmark.
const BENCH: &str = r#"use tourbillon::{Bencher, bench, hide};

/// Returns its result, so that the compiler must compute it.
#[bench]
fn concat() -> String {
    hide("hello ").to_owned() + hide("world")
}

/// Sorts other numbers in every call; they are made before the clock starts.
#[bench(args = [100, 10_000])]
fn sort(b: Bencher<'_>, n: usize) {
    let mut random = std::iter::successors(Some(1_u32), |x| {
        Some(x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223))
    });
    b.with_inputs(|| random.by_ref().take(n).collect::<Vec<_>>())
        .iter_mut(|numbers| numbers.sort_unstable());
}

fn main() -> std::process::ExitCode {
    tourbillon::main()
}
"#;

/// Add a first benchmark to a package, and the lines of its manifest
///
/// Adds what is missing to Cargo.toml, changes nothing that is there, and writes benches/NAME.rs.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Name of the bench target
    #[arg(long, value_name = "NAME", default_value = "first")]
    bench: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let name = &arguments.bench;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || !name.chars().all(is_plain) || name.starts_with('-') {
        let name = escape(name, true);
        return Err(Stop::Usage(format!(
            "--bench {name:?}: a name of a target has letters, digits, _ and - only"
        )));
    }
    let folder = std::env::current_dir().map_err(|error| Stop::Environment(error.to_string()))?;
    let (package, mut manifest) = package(&folder)?;
    let bench = package.with_file_name("benches").join(format!("{name}.rs"));
    let in_folder = bench.with_extension("");
    // The file is written before the lines that name it: one that is killed between both goes on.
    let is_left = !has_bench(&manifest, name)
        && regular_file::read(&bench, MOST).is_ok_and(|bytes| bytes == BENCH.as_bytes());
    let mut places = [&bench, &in_folder].into_iter();
    let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
    if let Some(there) = places.find(|path| is_there(path) && !(is_left && *path == &bench)) {
        return Err(Stop::Usage(format!(
            "{} is there already, and nothing was changed; --bench NAME takes another name",
            there.display()
        )));
    }
    let root = workspace_root(&package)?;
    let of_workspace = root.as_ref().map_or(&manifest, |(_, of_root)| of_root);
    if let Some(why) = why_by_hand(&manifest, of_workspace, name) {
        return Err(Stop::Usage(format!(
            "{}: {why}, and nothing was changed; the README has the lines to add",
            package.display()
        )));
    }
    let mut added = completed(&mut manifest, name, &package);
    // Profiles of a member are ignored.
    if root.is_none() {
        added.extend(with_lines(&mut manifest));
    }
    refuse_tracked_link(&package, None)?;
    write(&bench, is_left, &package, &manifest)?;
    let mut text = format!("{}: a first benchmark\n", bench.display());
    for line in added {
        text += &format!("{}: {line}\n", package.display());
    }
    print(&format!("{text}next: cargo bench --bench {name}\n"))
}

/// Writes the benchmark and the manifest that names it, or leaves nothing changed.
fn write(bench: &Path, is_left: bool, package: &Path, manifest: &DocumentMut) -> Result<(), Stop> {
    let folder = bench.parent().unwrap_or(bench);
    let has_folder = folder.exists();
    let all = || {
        std::fs::create_dir_all(folder).map_err(|error| not_written(bench, &error))?;
        if !is_left {
            write_new(bench, BENCH.as_bytes())?;
        }
        let before = regular_file::read_text(package, MOST);
        let before = before.map_err(|error| not_written(package, &error))?;
        edit(package, &text_of(manifest, &before))
    };
    let written = all();
    if written.is_err() {
        // A bench target that the manifest does not name would not build.
        let _ = std::fs::remove_file(bench);
        if !has_folder {
            let _ = std::fs::remove_dir(folder);
        }
    }
    written
}

/// The manifest of the package in whose folder, or in a folder below it, the user is.
fn package(folder: &Path) -> Result<(PathBuf, DocumentMut), Stop> {
    for folder in folder.ancestors() {
        let path = folder.join("Cargo.toml");
        if path.is_file() {
            let manifest = read(&path)?;
            if manifest.contains_key("package") {
                return Ok((path, manifest));
            }
            return Err(Stop::Usage(format!(
                "{} has no [package]; run this in the folder of a package of the workspace",
                path.display()
            )));
        }
    }
    let what = "no Cargo.toml in this folder or above it; `cargo new` makes a package";
    Err(Stop::Usage(what.to_owned()))
}

fn read(path: &Path) -> Result<DocumentMut, Stop> {
    let shown = path.display();
    let text = regular_file::read_text(path, MOST)
        .map_err(|error| Stop::Environment(format!("{shown} cannot be read: {error}")))?;
    text.parse()
        .map_err(|error| Stop::Environment(format!("{shown} is no manifest: {error}")))
}

/// The text of a changed manifest. The parser keeps neither the mark at its beginning nor the ends of lines that were
/// there; new lines end as the first.
fn text_of(manifest: &DocumentMut, before: &str) -> String {
    let (mark, before) = match before.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", before),
    };
    let mut old = before.split_inclusive('\n').peekable();
    let usual = match old.peek() {
        Some(first) if first.ends_with("\r\n") => "\r\n",
        _ => "\n",
    };
    let mut text = mark.to_owned();
    for line in manifest.to_string().lines() {
        match old.next_if(|old| old.trim_end_matches(['\r', '\n']) == line) {
            Some(old) if old.ends_with('\n') => text += old,
            _ => text += &format!("{line}{usual}"),
        }
    }
    text
}

/// The manifest of the workspace that a package is a member of, which alone may have profiles; `None` where that is the
/// package's own.
fn workspace_root(package: &Path) -> Result<Option<(PathBuf, DocumentMut)>, Stop> {
    let Some(root) = workspace_manifest()? else {
        return Err(Stop::Usage(format!(
            "cargo does not take {} as it is; `cargo metadata` says why, and nothing was changed",
            package.display()
        )));
    };
    if root == package {
        return Ok(None);
    }
    let manifest = read(&root)?;
    Ok(Some((root, manifest)))
}

/// Whether a manifest names a bench target.
fn has_bench(manifest: &DocumentMut, bench: &str) -> bool {
    let targets = manifest.get("bench").and_then(Item::as_array_of_tables);
    let mut targets = targets.into_iter().flatten();
    targets.any(|target| target.get("name").and_then(Item::as_str) == Some(bench))
}

/// Why the lines cannot be added so that everything that is there stays as it is.
fn why_by_hand(manifest: &DocumentMut, root: &DocumentMut, bench: &str) -> Option<String> {
    let inherited = || root.get("workspace")?.get("package")?.get("edition");
    let own = manifest["package"].get("edition");
    let edition = own
        .filter(|own| own.is_str())
        .or_else(|| own.and(inherited()));
    if edition
        .and_then(Item::as_str)
        .is_none_or(|year| year == "2015")
    {
        // A target that is listed hides all that are not.
        return Some("in edition 2015 cargo finds no targets beside listed ones".to_owned());
    }
    for table in ["bench", "bin"] {
        let targets = manifest.get(table);
        if targets.is_some_and(|targets| targets.as_array_of_tables().is_none()) {
            return Some(format!("{table} is no [[{table}]]"));
        }
    }
    let mut targets = manifest.get("bench")?.as_array_of_tables()?.iter();
    let own = targets.find(|target| target.get("name").and_then(Item::as_str) == Some(bench))?;
    let path = own.get("path").and_then(Item::as_str);
    let is_of_us = path.is_none_or(|path| path == format!("benches/{bench}.rs"));
    let has_harness = own.get("harness").and_then(Item::as_bool) != Some(false);
    (!is_of_us || has_harness).then(|| format!("it has another [[bench]] {bench}"))
}

/// Whether the package has the library already, for whatever platform.
fn has_tourbillon(manifest: &DocumentMut) -> bool {
    let mut tables = vec![manifest.as_item()];
    if let Some(platforms) = manifest.get("target").and_then(Item::as_table_like) {
        tables.extend(platforms.iter().map(|(_, platform)| platform));
    }
    let names = ["dependencies", "dev-dependencies", "dev_dependencies"];
    tables.iter().any(|table| {
        let own = names.iter().filter_map(|name| table.get(name));
        own.into_iter()
            .any(|table| table.get("tourbillon").is_some())
    })
}

/// Whether cargo finds a target of a kind in its place.
fn is_found(manifest: &DocumentMut, switch: &str) -> bool {
    manifest["package"].get(switch).and_then(Item::as_bool) != Some(false)
}

/// Adds what is missing, and says what.
fn completed(manifest: &mut DocumentMut, bench: &str, package: &Path) -> Vec<String> {
    let mut added = Vec::new();
    if !has_tourbillon(manifest) {
        // The older name, which cargo does not read beside the other one.
        let older = "dev_dependencies";
        let name = if manifest.contains_key(older) {
            older
        } else {
            "dev-dependencies"
        };
        let table = manifest
            .entry(name)
            .or_insert_with(|| Item::Table(Table::new()));
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("tourbillon");
        table["tourbillon"] = value(source(&beside));
        added.push(format!("[{name}] tourbillon"));
    }
    // Without this, flags of a bench program fail in the harness of the library's tests.
    let has_library =
        is_found(manifest, "autolib") && package.with_file_name("src").join("lib.rs").is_file();
    if manifest.contains_key("lib") || has_library {
        let table = manifest
            .entry("lib")
            .or_insert_with(|| Item::Table(Table::new()));
        if table.get("bench").is_none() {
            table["bench"] = value(false);
            added.push("[lib] bench = false".to_owned());
        }
    }
    added.extend(without_benches(manifest, package));
    let targets = manifest
        .entry("bench")
        .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    if let Some(targets) = targets.as_array_of_tables_mut() {
        let is_named = |target: &Table| target.get("name").and_then(Item::as_str) == Some(bench);
        if !targets.iter().any(is_named) {
            let mut target = Table::new();
            target["name"] = value(bench);
            target["harness"] = value(false);
            targets.push(target);
            added.push(format!("[[bench]] {bench}"));
        }
    }
    added
}

/// Has the package's own code built with lines, which `why` shows; nothing if the manifest says how it is built.
///
/// That of dependencies stays as it is, and takes no longer to build.
fn with_lines(manifest: &mut DocumentMut) -> Option<String> {
    let name = manifest["package"].get("name")?.as_str()?.to_owned();
    let says = ["debug", "strip", "package"];
    let mut profiles = ["release", "bench"]
        .iter()
        .filter_map(|profile| manifest.get("profile")?.get(profile));
    if profiles.any(|profile| says.iter().any(|key| profile.get(key).is_some())) {
        return None;
    }
    let mut table = manifest.as_table_mut();
    for key in ["profile", "bench", "package"] {
        let mut new = Table::new();
        new.set_implicit(true);
        table = table
            .entry(key)
            .or_insert(Item::Table(new))
            .as_table_mut()?;
    }
    let mut lines = Table::new();
    lines["debug"] = value("line-tables-only");
    table.insert(&name, Item::Table(lines));
    Some(format!(
        "[profile.bench.package.{name}] debug = \"line-tables-only\""
    ))
}

/// Takes the programs of a package out of `cargo bench`.
fn without_benches(manifest: &mut DocumentMut, package: &Path) -> Option<String> {
    let name = manifest["package"]
        .get("name")
        .and_then(Item::as_str)
        .map(str::to_owned);
    let has_program =
        is_found(manifest, "autobins") && package.with_file_name("src").join("main.rs").is_file();
    if !manifest.contains_key("bin") {
        let mut program = Table::new();
        program["name"] = value(name.filter(|_| has_program)?);
        program["path"] = value("src/main.rs");
        program["bench"] = value(false);
        let mut programs = ArrayOfTables::new();
        programs.push(program);
        manifest["bin"] = Item::ArrayOfTables(programs);
        return Some("[[bin]] bench = false".to_owned());
    }
    let mut is_changed = false;
    for program in manifest["bin"].as_array_of_tables_mut()?.iter_mut() {
        if program.get("bench").is_none() {
            program["bench"] = value(false);
            is_changed = true;
        }
    }
    is_changed.then(|| "[[bin]] bench = false".to_owned())
}

/// Where the library is: beside this program's sources, where they are still there and not cargo's own copy, or else at
/// the address of the repository.
fn source(beside: &Path) -> toml_edit::Value {
    let mut source = InlineTable::new();
    let of_cargo = beside
        .ancestors()
        .any(|folder| folder.ends_with("git/checkouts"));
    match beside.to_str() {
        Some(path) if !of_cargo && beside.join("Cargo.toml").is_file() => {
            source.insert("path", path.into())
        }
        _ => source.insert("git", env!("CARGO_PKG_REPOSITORY").into()),
    };
    source.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(text: &str) -> DocumentMut {
        text.parse().expect(text)
    }

    #[test]
    fn the_readme_has_the_same_benchmark() {
        let readme = include_str!("../../../README.md");
        assert!(readme.contains(BENCH), "{BENCH}");
    }

    #[test]
    fn without_sources_the_library_comes_from_the_repository() {
        let of_cargo = Path::new("/nowhere/git/checkouts/tourbillon-1f/2e/crates/tourbillon");
        for place in [Path::new("/nowhere/tourbillon"), of_cargo] {
            let address = env!("CARGO_PKG_REPOSITORY");
            assert_eq!(
                source(place).to_string(),
                format!("{{ git = \"{address}\" }}")
            );
        }
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(source(here).to_string().contains("path = "));
    }

    #[test]
    fn what_is_missing_is_added_once() {
        let text = "# of ours\n[package]\nname = \"a\"\n\n[lib]\ntest = false # why\n\n[profile.bench]\ndebug = true\n";
        let mut changed = manifest(text);
        let package = Path::new("/nowhere/Cargo.toml");
        let added = completed(&mut changed, "first", package);
        let lines = [
            "[dev-dependencies] tourbillon",
            "[lib] bench = false",
            "[[bench]] first",
        ];
        assert_eq!(added, lines);
        let shown = changed.to_string();
        for part in [
            "# of ours\n[package]\nname = \"a\"\n\n[lib]\ntest = false # why\nbench = false\n",
            "\n[[bench]]\nname = \"first\"\nharness = false\n",
            "\n[profile.bench]\ndebug = true\n",
        ] {
            assert!(shown.contains(part), "{part} in\n{shown}");
        }
        let mut again = manifest(&shown);
        assert_eq!(completed(&mut again, "first", package), [""; 0]);
        assert_eq!(again.to_string(), shown);
    }

    #[test]
    fn the_own_code_gets_lines_unless_its_profile_is_given() {
        let package = "[package]\nname = \"a-b\"\n";
        for (before, after) in [
            ("", "\n[profile.bench.package.a-b]\n"),
            (
                "[profile.bench]\nlto = true\n",
                "[profile.bench]\nlto = true\n\n[profile.bench.package.a-b]\n",
            ),
            (
                "[profile.dev]\nopt-level = 1\n",
                "\n[profile.bench.package.a-b]\n",
            ),
        ] {
            let mut changed = manifest(&format!("{package}{before}"));
            let added = with_lines(&mut changed);
            let expected = "[profile.bench.package.a-b] debug = \"line-tables-only\"";
            assert_eq!(added.as_deref(), Some(expected));
            let shown = changed.to_string();
            assert!(
                shown.ends_with(&format!("{after}debug = \"line-tables-only\"\n")),
                "{shown}"
            );
            assert_eq!(with_lines(&mut changed), None);
        }
        for given in [
            "[profile.bench]\ndebug = true\n",
            "[profile.release]\nstrip = true\n",
            "[profile.bench.package.\"*\"]\nopt-level = 3\n",
            "profile = { bench = { lto = true } }\n",
        ] {
            let text = match given.strip_prefix("profile") {
                Some(_) => format!("{given}{package}"),
                None => format!("{package}{given}"),
            };
            let mut same = manifest(&text);
            assert_eq!(with_lines(&mut same), None);
            assert_eq!(same.to_string(), text);
        }
    }

    #[test]
    fn packages_whose_targets_would_be_lost_are_refused() {
        for (text, expected) in [
            ("[package]\nname = \"a\"", Some("edition 2015")),
            ("[package]\nedition = \"2015\"", Some("edition 2015")),
            (
                "bench = [{ name = \"x\" }]\n[package]\nedition = \"2021\"",
                Some("no [[bench]]"),
            ),
            (
                "bin = [{ name = \"x\" }]\n[package]\nedition = \"2021\"",
                Some("no [[bin]]"),
            ),
            (
                "[package]\nedition = \"2021\"\n[[bench]]\nname = \"first\"\npath = \"x.rs\"\nharness = false",
                Some("another [[bench]] first"),
            ),
            (
                "[package]\nedition = \"2021\"\n[[bench]]\nname = \"first\"",
                Some("another [[bench]] first"),
            ),
            (
                "[package]\nedition = \"2021\"\n[[bench]]\nname = \"first\"\nharness = false",
                None,
            ),
            (
                "[package]\nedition.workspace = true\n[workspace.package]\nedition = \"2021\"",
                None,
            ),
            (
                "[package]\nedition.workspace = true\n[workspace.package]\nedition = \"2015\"",
                Some("edition 2015"),
            ),
        ] {
            let why = why_by_hand(&manifest(text), &manifest(text), "first");
            let is_expected = match expected {
                Some(part) => why.as_ref().is_some_and(|why| why.contains(part)),
                None => why.is_none(),
            };
            assert!(is_expected, "{text}: {why:?}");
        }
    }

    #[test]
    fn a_library_of_any_table_is_there() {
        let package = Path::new("/nowhere/Cargo.toml");
        for table in [
            "dev_dependencies",
            "target.'cfg(unix)'.dev-dependencies",
            "target.'cfg(unix)'.dependencies",
        ] {
            let mut changed = manifest(&format!(
                "[package]\nname = \"a\"\n[{table}]\ntourbillon = \"9\""
            ));
            assert_eq!(
                completed(&mut changed, "first", package),
                ["[[bench]] first"],
                "{table}"
            );
        }
        let mut older = manifest("[package]\nname = \"a\"\n[dev_dependencies]\nx = \"1\"");
        let added = completed(&mut older, "first", package);
        assert_eq!(added, ["[dev_dependencies] tourbillon", "[[bench]] first"]);
    }

    #[test]
    fn what_is_there_stays() {
        let text = "[package]\nname = \"a\"\n[lib]\nbench = true\n[dependencies]\ntourbillon = \"9\"\n[[bin]]\nname = \"b\"\n\
                    [[bench]]\nname = \"old\"\n[profile.bench]\nlto = true\n";
        let mut changed = manifest(text);
        let added = completed(&mut changed, "new", Path::new("/nowhere/Cargo.toml"));
        assert_eq!(added, ["[[bin]] bench = false", "[[bench]] new"]);
        let shown = changed.to_string();
        for line in text.lines() {
            assert!(shown.contains(line), "{line} in\n{shown}");
        }
    }
}
