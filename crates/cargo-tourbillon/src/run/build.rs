//! Building the bench targets.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use super::target::Target;
use crate::exit::Stop;
use crate::records::cargo;

/// Has cargo build what `cargo bench` would run; what it says goes to stderr, as always.
pub(super) fn build(arguments: &[String]) -> Result<Vec<Target>, Stop> {
    let output = cargo()
        .args([
            "bench",
            "--no-run",
            "--message-format",
            "json-render-diagnostics",
        ])
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Stop::Environment(format!("cargo cannot be started: {error}")))?;
    if !output.status.success() {
        // cargo has said why.
        let code = output
            .status
            .code()
            .and_then(|code| u8::try_from(code).ok());
        return Err(Stop::Code(code.unwrap_or(101)));
    }
    Ok(targets(&String::from_utf8_lossy(&output.stdout)))
}

/// The bench targets among cargo's messages, in their order.
fn targets(messages: &str) -> Vec<Target> {
    let messages = messages
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    messages.filter_map(|message| target(&message)).collect()
}

fn target(message: &Value) -> Option<Target> {
    let executable = message["executable"].as_str()?;
    let kinds = message["target"]["kind"].as_array()?;
    if message["reason"] != "compiler-artifact" || !kinds.iter().any(|kind| kind == "bench") {
        return None;
    }
    let manifest = Path::new(message["manifest_path"].as_str()?);
    Some(Target {
        name: message["target"]["name"].as_str()?.to_owned(),
        executable: PathBuf::from(executable),
        folder: manifest.parent()?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bench_targets_are_found_among_the_messages() {
        let messages = r#"
{"reason":"compiler-artifact","manifest_path":"/w/a/Cargo.toml","target":{"kind":["lib"],"name":"a"},"executable":null}
{"reason":"compiler-artifact","manifest_path":"/w/a/Cargo.toml","target":{"kind":["lib"],"name":"a"},"executable":"/w/t/a-1"}
{"reason":"compiler-artifact","manifest_path":"/w/a/Cargo.toml","target":{"kind":["bench"],"name":"sort"},"executable":"/w/t/sort-1"}
{"reason":"build-finished","success":true}
no message"#;
        let expected = Target {
            name: "sort".to_owned(),
            executable: PathBuf::from("/w/t/sort-1"),
            folder: PathBuf::from("/w/a"),
        };
        assert_eq!(targets(messages), [expected]);
    }
}
