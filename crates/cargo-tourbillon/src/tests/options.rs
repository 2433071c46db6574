//! docs/reference/options.md: the command lines of all subcommands, from the tables that parse them.

use clap::{Arg, Command};

const HEAD: &str = "\
# Options of `cargo tourbillon`

Made from the program, as `--help` prints it. What each subcommand is for: [`cargo tourbillon`](cargo-tourbillon.md).
Defaults are in brackets.
";

const PAGE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/reference/options.md"
);

fn page() -> String {
    let mut page = HEAD.to_owned();
    for (_, names) in crate::GROUPS {
        for name in names {
            let mut command = crate::command();
            command.build();
            let found = command.find_subcommand(name).expect("a subcommand");
            add_command(&mut page, "", found);
        }
    }
    page
}

/// A command with its options, then its own subcommands.
fn add_command(page: &mut String, above: &str, command: &Command) {
    let name = format!("{above}{}", command.get_name());
    let about = command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default();
    *page += &format!("\n## {name}\n\n{}.\n", in_text(&about));
    let shown =
        |arg: &&Arg| !arg.is_hide_set() && arg.get_id() != "help" && arg.get_id() != "color";
    let rows = Vec::from_iter(command.get_arguments().filter(shown).map(row));
    if !rows.is_empty() {
        *page += &format!("\n| option | effect |\n|---|---|\n{}", rows.concat());
    }
    for below in command.get_subcommands() {
        add_command(page, &format!("{name} "), below);
    }
}

fn row(arg: &Arg) -> String {
    let value = value(arg);
    let names = match (arg.get_short(), arg.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long}{value}"),
        (Some(short), None) => format!("-{short}{value}"),
        (None, Some(long)) => format!("--{long}{value}"),
        (None, None) => value.trim_start().to_owned(),
    };
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    format!("| `{}` | {} |\n", names.replace('|', "\\|"), in_text(&help))
}

/// The names of the values, with a space before them; empty for a switch.
fn value(arg: &Arg) -> String {
    if !arg.get_action().takes_values() {
        return String::new();
    }
    let names = arg.get_value_names().unwrap_or_default();
    let names = Vec::from_iter(names.iter().map(|name| format!(" {name}")));
    let more = arg
        .get_num_args()
        .is_some_and(|number| number.max_values() > names.len());
    names.concat() + if more { ".." } else { "" }
}

/// Text as Markdown has it.
fn in_text(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if "\\|*_<[]`".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[test]
fn the_page_of_options_is_that_of_the_program() {
    let page = page();
    if std::env::var_os("TOURBILLON_ACCEPT").is_some() {
        std::fs::write(PAGE, &page).expect("the page is written");
    }
    let kept = std::fs::read_to_string(PAGE).unwrap_or_default();
    assert!(
        kept == page,
        "docs/reference/options.md is another; TOURBILLON_ACCEPT=1 cargo test -p cargo-tourbillon --lib options"
    );
}
