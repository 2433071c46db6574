//! The profile that the workspace's benchmarks are compiled with.

use std::env;
use std::path::{Path, PathBuf};

use toml::{Table, Value};
use tourbillon_builds::{cargo_home, workspace_manifest};
use tourbillon_present::advice::Trouble;
use tourbillon_present::first_names;
use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use super::finding::{Assessment, Finding};
use super::tree::Known;

/// Assesses the settings of the profile.
pub(super) fn finding() -> Finding {
    let outcome = manifest().map(|manifest| {
        let variables = |name: &str| env::var(name).ok();
        assess(&Settings::of(&texts(&manifest), &variables))
    });
    Finding {
        check: "bench profile",
        outcome,
    }
}

/// The manifest of the workspace around the current folder.
fn manifest() -> Known<PathBuf> {
    let manifest = workspace_manifest().map_err(|error| error.to_string())?;
    manifest
        .ok_or_else(|| "there is no Cargo.toml here or above; run doctor in a workspace".to_owned())
}

/// The files with settings in ascending precedence: the manifest, then cargo's configuration from the user's
/// folder down to the workspace's.
fn texts(manifest: &Path) -> Vec<String> {
    let mut folders: Vec<&Path> = manifest.ancestors().skip(1).collect();
    folders.reverse();
    let around = folders
        .iter()
        .map(|folder| folder.join(".cargo/config.toml"));
    let home = cargo_home().map(|home| home.join("config.toml"));
    let files = [manifest.to_owned()].into_iter().chain(home).chain(around);
    files
        .filter_map(|file| regular_file::read_text(&file, DESCRIPTION_BYTES).ok())
        .collect()
}

/// The settings that affect how a benchmark is compiled.
#[derive(Debug, PartialEq)]
struct Settings {
    opt_level: String,
    lto: String,
    codegen_units: String,
    debug_assertions: bool,
    overflow_checks: bool,
    /// Packages with less optimisation. What they have compiled of generic functions that are never inlined, such as
    /// those of sorting, is what timed code calls.
    slow_packages: Vec<String>,
}

impl Settings {
    /// The settings of `bench`, which inherits from `release`; a variable such as
    /// CARGO_PROFILE_BENCH_LTO has precedence over files (The Cargo Book, Profiles).
    fn of(texts: &[String], variable: &dyn Fn(&str) -> Option<String>) -> Settings {
        let parsed = texts.iter().filter_map(|text| text.parse().ok());
        let tables: Vec<Table> = parsed.collect();
        let setting = |name: &str| {
            ["bench", "release"].into_iter().find_map(|profile| {
                let key = format!("CARGO_PROFILE_{profile}_{name}").to_uppercase();
                let mut files = tables.iter().rev();
                variable(&key.replace('-', "_"))
                    .or_else(|| files.find_map(|table| value(table, profile, name)))
            })
        };
        let or = |name: &str, default: &str| setting(name).unwrap_or_else(|| default.to_owned());
        let debug_assertions = or("debug-assertions", "false") == "true";
        Settings {
            opt_level: or("opt-level", "3"),
            lto: or("lto", "off"),
            codegen_units: or("codegen-units", "16"),
            debug_assertions,
            overflow_checks: setting("overflow-checks")
                .map_or(debug_assertions, |value| value == "true"),
            slow_packages: tables.iter().flat_map(slow_packages).collect(),
        }
    }
}

/// The packages that a file compiles with less optimisation.
fn slow_packages(table: &Table) -> Vec<String> {
    let packages = |profile: &str| {
        table
            .get("profile")?
            .get(profile)?
            .get("package")?
            .as_table()
    };
    let all = ["release", "bench"].into_iter().filter_map(packages);
    let is_slow = |settings: &Value| {
        let level = settings.get("opt-level").and_then(text);
        level.is_some_and(|level| !matches!(level.as_str(), "2" | "3"))
    };
    let slow = all.flatten().filter(|(_, settings)| is_slow(settings));
    slow.map(|(name, _)| name.clone()).collect()
}

/// A setting of a profile as text.
fn value(table: &Table, profile: &str, name: &str) -> Option<String> {
    text(table.get("profile")?.get(profile)?.get(name)?)
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Boolean(on) => Some(on.to_string()),
        _ => None,
    }
}

fn assess(settings: &Settings) -> Assessment {
    let Settings {
        opt_level,
        lto,
        codegen_units,
        debug_assertions,
        overflow_checks,
        slow_packages,
    } = settings;
    let lto = match lto.as_str() {
        // By default cargo optimises across the units of a crate, not across crates.
        "off" | "false" | "n" | "no" => "off",
        "true" | "y" | "yes" | "on" => "fat",
        other => other,
    };
    let checks = match (debug_assertions, overflow_checks) {
        (true, _) => ", debug assertions",
        (false, true) => ", overflow checks",
        (false, false) => "",
    };
    let found = format!("opt-level {opt_level}, LTO {lto}, {codegen_units} codegen units{checks}");
    if matches!(opt_level.as_str(), "0" | "1") {
        let found = format!("{found}: hardly optimised");
        Assessment::matters(found, Trouble::HardlyOptimised.remedy())
    } else if !slow_packages.is_empty() {
        let names = first_names(slow_packages);
        let found = format!("{found}; hardly optimised: {names}");
        let remedy =
            "set opt-level = 3 for all packages: timed code may call what one of them has compiled";
        Assessment::matters(found, remedy)
    } else if *debug_assertions {
        let found = format!("{found}: measurements include checks that users do not run");
        Assessment::matters(found, Trouble::DebugBuild.remedy())
    } else if *overflow_checks || opt_level != "3" {
        let remedy = "fine if [profile.release] is the same: measure what users run";
        Assessment::note(found, remedy)
    } else {
        Assessment::fine(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::Severity;

    fn settings(files: &[&str], variables: &[(&str, &str)]) -> Settings {
        let texts: Vec<String> = files.iter().map(|&text| text.to_owned()).collect();
        Settings::of(&texts, &|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn cargos_own_settings_are_fine() {
        let said = assess(&settings(&["[workspace]"], &[]));
        assert_eq!(
            said,
            Assessment::fine("opt-level 3, LTO off, 16 codegen units")
        );
    }

    #[test]
    fn bench_takes_from_release_what_it_does_not_say() {
        let manifest = "[profile.release]\nopt-level = 's'\nlto = true\ncodegen-units = 1\n\
                        [profile.bench]\nopt-level = 2\n";
        let found = settings(&[manifest], &[]);
        assert_eq!(
            (found.opt_level.as_str(), found.lto.as_str()),
            ("2", "true")
        );
        let said = assess(&found);
        assert_eq!(said.found, "opt-level 2, LTO fat, 1 codegen units");
        assert_eq!(said.severity, Severity::Note);
    }

    #[test]
    fn later_files_and_variables_come_first() {
        let manifest = "[profile.bench]\nopt-level = 3\n";
        let config = "profile.bench.opt-level = 1\n";
        assert_eq!(settings(&[manifest, config], &[]).opt_level, "1");
        let variables = [("CARGO_PROFILE_BENCH_OPT_LEVEL", "0")];
        assert_eq!(settings(&[manifest, config], &variables).opt_level, "0");
        // A setting of a file for bench is stronger than that of a variable for release.
        let variables = [("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")];
        assert_eq!(settings(&[manifest], &variables).opt_level, "3");
        assert_eq!(settings(&[], &variables).opt_level, "0");
    }

    #[test]
    fn what_is_no_bench_build_matters() {
        for (manifest, word) in [
            ("[profile.bench]\nopt-level = 0\n", "hardly optimised"),
            ("[profile.release]\nopt-level = 1\n", "hardly optimised"),
            (
                "[profile.bench.package.one]\nopt-level = 0\n[profile.release.package]\ntwo = { opt-level = \"s\" }\n",
                "hardly optimised: two, one",
            ),
            (
                "[profile.bench]\ndebug-assertions = true\n",
                "debug assertions",
            ),
        ] {
            let said = assess(&settings(&[manifest], &[]));
            assert_eq!(said.severity, Severity::Matters, "{manifest}");
            assert!(said.found.contains(word), "{said:?}");
        }
        let said = assess(&settings(
            &["[profile.bench]\noverflow-checks = true\n"],
            &[],
        ));
        assert_eq!(said.severity, Severity::Note);
    }
}
