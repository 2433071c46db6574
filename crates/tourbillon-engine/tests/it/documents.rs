//! What the documents say of the engine is what the engine does.

use std::path::Path;

fn read(relative: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(relative);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text between the first fence of ` ```text ` and the next fence, line comments taken off.
fn first_block(text: &str) -> Vec<String> {
    text.lines()
        .map(|line| line.strip_prefix("//! ").unwrap_or(line).trim_end())
        .skip_while(|line| *line != "```text")
        .skip(1)
        .take_while(|line| *line != "```")
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_pseudo_code_of_the_methodology_is_that_of_the_sampling_loop() {
    let code = first_block(&read("src/sample/mod.rs"));
    assert!(code.len() > 5, "{code:#?}");
    assert_eq!(
        first_block(&read("../../docs/explanation/methodology.md")),
        code
    );
}

#[test]
fn the_identity_covers_every_source_that_measures() {
    let identity = read("src/identity.rs");
    let elsewhere = [
        "lib.rs",
        "identity.rs",
        "arm.rs",
        "arms/mod.rs",
        "repeat.rs",
        // Not timed.
        "memory.rs",
        "step.rs",
        "arms/empty.rs",
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the sources are there") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let path = path.strip_prefix(&root).expect("a file of the sources");
            let name = path.to_str().expect("a plain name").replace('\\', "/");
            let listed = identity.contains(&format!("\"src/{name}\","));
            assert_eq!(listed, !elsewhere.contains(&name.as_str()), "{name}");
        }
    }
}
