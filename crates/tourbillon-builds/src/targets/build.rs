//! Builds bench targets.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::target::Target;
use crate::{CARGO, Stop};

/// What cargo built.
#[derive(Debug, Default, PartialEq)]
pub struct Built {
    /// The bench targets, in cargo's order.
    pub targets: Vec<Target>,
    /// Folders of local packages, which come from no registry and no repository.
    pub local: Vec<PathBuf>,
}

/// Builds what `cargo bench` would run. Cargo's messages go to stderr.
///
/// `cargo` has its folder and environment set; `arguments` are those of `cargo bench`.
pub fn build(cargo: Command, arguments: &[String]) -> Result<Built, Stop> {
    let mut words = vec!["bench".to_owned(), "--no-run".to_owned()];
    words.extend_from_slice(arguments);
    messages(cargo, &words, &[])
}

/// Runs a build command of cargo with `words`, and `trailing` after `--`.
pub fn messages(mut cargo: Command, words: &[String], trailing: &[String]) -> Result<Built, Stop> {
    cargo
        .args(words)
        .args(["--message-format", "json-render-diagnostics"]);
    if !trailing.is_empty() {
        cargo.arg("--").args(trailing);
    }
    let output = cargo
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Stop::Environment(format!("cargo cannot be started: {error}")))?;
    if !output.status.success() {
        // Cargo has printed the reason.
        let code = output
            .status
            .code()
            .and_then(|code| u8::try_from(code).ok());
        return Err(Stop::Code(code.unwrap_or(CARGO)));
    }
    Ok(read(&String::from_utf8_lossy(&output.stdout)))
}

/// Reads cargo's messages.
fn read(messages: &str) -> Built {
    let mut built = Built::default();
    for line in messages.lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        built.targets.extend(target(&message));
        if let Some(folder) = local(&message)
            && !built.local.contains(&folder)
        {
            built.local.push(folder);
        }
    }
    built
}

fn target(message: &Value) -> Option<Target> {
    let executable = message["executable"].as_str()?;
    let kinds = message["target"]["kind"].as_array()?;
    if message["reason"] != "compiler-artifact" || !kinds.iter().any(|kind| kind == "bench") {
        return None;
    }
    let specification = message["package_id"].as_str()?;
    Some(Target {
        name: message["target"]["name"].as_str()?.to_owned(),
        package: package(specification).to_owned(),
        specification: specification.to_owned(),
        executable: PathBuf::from(executable),
        folder: folder(message)?.to_owned(),
    })
}

fn folder(message: &Value) -> Option<&Path> {
    Path::new(message["manifest_path"].as_str()?).parent()
}

/// The folder of a local package.
fn local(message: &Value) -> Option<PathBuf> {
    let specification = message["package_id"].as_str()?;
    let local = specification.starts_with("path+");
    local.then(|| folder(message).map(Path::to_owned))?
}

/// The name of a package in its specification, such as `path+file:///w/shop#0.1.0` or
/// `..#shop@0.1.0`.
fn package(specification: &str) -> &str {
    let (url, fragment) = specification
        .rsplit_once('#')
        .unwrap_or((specification, ""));
    match fragment.split_once('@') {
        Some((name, _)) => name,
        None => url.rsplit('/').next().unwrap_or(url),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bench_targets_are_found_among_the_messages() {
        let messages = r#"
{"reason":"compiler-artifact","package_id":"registry+https://r#b@1.0.0","manifest_path":"/r/b/Cargo.toml","target":{"kind":["lib"],"name":"b"},"executable":null}
{"reason":"compiler-artifact","package_id":"path+file:///w/a#0.1.0","manifest_path":"/w/a/Cargo.toml","target":{"kind":["lib"],"name":"a"},"executable":null}
{"reason":"compiler-artifact","package_id":"path+file:///w/a#0.1.0","manifest_path":"/w/a/Cargo.toml","target":{"kind":["lib"],"name":"a"},"executable":"/w/t/a-1"}
{"reason":"compiler-artifact","package_id":"path+file:///w/a#0.1.0","manifest_path":"/w/a/Cargo.toml","target":{"kind":["bench"],"name":"sort"},"executable":"/w/t/sort-1"}
{"reason":"build-finished","success":true}
no message"#;
        let target = Target {
            name: "sort".to_owned(),
            package: "a".to_owned(),
            specification: "path+file:///w/a#0.1.0".to_owned(),
            executable: PathBuf::from("/w/t/sort-1"),
            folder: PathBuf::from("/w/a"),
        };
        let built = read(messages);
        assert_eq!(built.targets, [target]);
        assert_eq!(built.local, [Path::new("/w/a")]);
    }

    #[test]
    fn a_specification_names_its_package() {
        for (specification, name) in [
            ("path+file:///w/shop#0.1.0", "shop"),
            ("path+file:///w/other#shop@0.1.0", "shop"),
            ("git+https://h/x?rev=1#shop@0.1.0", "shop"),
            ("shop", "shop"),
        ] {
            assert_eq!(package(specification), name, "{specification}");
        }
    }
}
