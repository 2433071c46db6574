//! The estimator is stated once, in the code and in the documents.

/// The text in the fences of ` ```text ` that begins so, comments taken off.
fn block(text: &str, beginning: &str) -> String {
    let plain: Vec<&str> = text
        .lines()
        .map(|line| line.strip_prefix("//! ").unwrap_or(line))
        .collect();
    let plain = plain.join("\n");
    let (_, rest) = plain
        .split_once(&format!("```text\n{beginning}"))
        .expect("the block is there");
    let (block, _) = rest.split_once("```").expect("the block ends");
    block.to_owned()
}

#[test]
fn the_methodology_states_the_estimator_as_the_code_does() {
    let code = block(include_str!("../../src/estimate/mod.rs"), "cycle  ");
    assert!(code.lines().count() <= 11, "{code}");
    let page = include_str!("../../../../docs/explanation/methodology.md");
    assert_eq!(block(page, "cycle  "), code);
}
