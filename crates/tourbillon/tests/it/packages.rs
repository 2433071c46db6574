//! Every crate for others can be published as it is, and no other package is published.

use std::path::Path;
use std::process::Command;

use nojson::{RawJson, RawJsonValue};

/// The text of a member, or nothing.
fn text(package: RawJsonValue<'_, '_>, name: &str) -> Option<String> {
    let value = member(package, name);
    value
        .to_unquoted_string_str()
        .ok()
        .map(std::borrow::Cow::into_owned)
}

fn member<'t, 'r>(package: RawJsonValue<'t, 'r>, name: &str) -> RawJsonValue<'t, 'r> {
    let member = package.to_member(name).expect("an object").required();
    member.expect(name)
}

/// How many items a list has; `None` for no list.
fn count(package: RawJsonValue<'_, '_>, name: &str) -> Option<usize> {
    Some(member(package, name).to_array().ok()?.count())
}

#[test]
fn crates_have_what_a_registry_asks_for() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let arguments = [
        "metadata",
        "--format-version",
        "1",
        "--no-deps",
        "--offline",
    ];
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(&workspace)
        .output()
        .expect("cargo runs");
    let json = String::from_utf8(output.stdout).expect("JSON is text");
    let json = RawJson::parse(&json).expect("cargo prints JSON");
    let packages = member(json.value(), "packages").to_array();
    for package in packages.expect("a list") {
        let name = text(package, "name").expect("a name");
        let manifest = text(package, "manifest_path").expect("a path");
        let folder = Path::new(&manifest).parent().expect("a folder");
        let is_for_others = folder
            .parent()
            .is_some_and(|above| above.ends_with("crates"));
        assert_eq!(
            count(package, "publish"),
            if is_for_others { None } else { Some(0) },
            "{name}: publish"
        );
        if !is_for_others {
            continue;
        }
        for member in [
            "description",
            "license",
            "readme",
            "repository",
            "rust_version",
        ] {
            let value = text(package, member);
            assert!(
                value.is_some_and(|text| !text.is_empty()),
                "{name}: {member}"
            );
        }
        for (member, most) in [("keywords", 5), ("categories", 5)] {
            let found = count(package, member).expect("a list");
            assert!((1..=most).contains(&found), "{name}: {member}");
        }
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(folder.join(file).exists(), "{name}: {file}");
        }
        for dependency in member(package, "dependencies").to_array().expect("a list") {
            let used = text(dependency, "name").expect("a name");
            let versions = text(dependency, "req").expect("a requirement");
            // A crate may ask for features of itself in its tests.
            assert!(
                versions != "*" || used == name,
                "{name} uses {used} without a version"
            );
        }
    }
}
