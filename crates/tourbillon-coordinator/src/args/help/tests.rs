//! docs/reference/flags.md: the flags of bench programs, from the table that parses them.

use super::help_groups;

#[test]
fn the_page_of_flags_is_that_of_the_program() {
    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/flags.md");
    let mut page = "\
# Flags of bench programs

Made from the program, as `--help` prints it; [bench programs](cli.md) has what belongs together. Defaults are in
brackets.
"
    .to_owned();
    for group in help_groups() {
        page += &format!("\n## {}\n\n| flag | effect |\n|---|---|\n", group.heading);
        for entry in group.entries {
            let help = entry.help.replace('[', "\\[").replace('|', "\\|");
            page += &format!("| `{}` | {help} |\n", entry.label);
        }
    }
    if std::env::var_os("TOURBILLON_ACCEPT").is_some() {
        std::fs::write(PAGE, &page).expect("the page is written");
    }
    let kept = std::fs::read_to_string(PAGE).unwrap_or_default();
    let remedy = "TOURBILLON_ACCEPT=1 cargo test -p tourbillon-coordinator --lib page_of_flags";
    assert!(kept == page, "docs/reference/flags.md is another; {remedy}");
}
