//! The program `tourbillon`: its command line and its name, where both programs share text.

use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Arg, Command};

/// Whether this process is the program `tourbillon`.
static IS_ALONE: AtomicBool = AtomicBool::new(false);

/// What people type to start this program.
pub(crate) fn program() -> &'static str {
    if IS_ALONE.load(Ordering::Relaxed) {
        "tourbillon"
    } else {
        "cargo tourbillon"
    }
}

/// Notes that this process is the program `tourbillon`.
pub(crate) fn note() {
    IS_ALONE.store(true, Ordering::Relaxed);
}

/// A command line whose help names `tourbillon` and what that does by default.
pub(crate) fn named(mut command: Command) -> Command {
    let names = command
        .get_subcommands()
        .map(|one| one.get_name().to_owned());
    for name in names.collect::<Vec<_>>() {
        command = command.mut_subcommand(name, |one| {
            let after = one.get_after_help().map(|text| own(&text.to_string()));
            one.after_help(after.unwrap_or_default()).mut_args(argument)
        });
    }
    command
}

/// A text without what only the other program has.
fn own(text: &str) -> String {
    let parts = text.split("\n\n");
    let own = parts.filter(|part| !part.contains("cargo tourbillon history"));
    let own: Vec<&str> = own.collect();
    own.join("\n\n").replace("cargo tourbillon", "tourbillon")
}

fn argument(argument: Arg) -> Arg {
    let help = argument.get_help().map(ToString::to_string);
    match (argument.get_id().as_str(), help.as_deref()) {
        ("store", _) => argument.help("Folder of the store [in the cache of this user]"),
        ("output", Some(help)) if help.contains("target folder") => {
            argument.help("Where to write the page [report.html; of a cargo workspace, in tourbillon of its build folder]")
        }
        _ => argument,
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use crate::AloneArguments;

    #[test]
    fn help_names_no_other_program_and_no_folder_of_cargo() {
        let mut command = super::named(AloneArguments::command());
        command.build();
        for one in command.get_subcommands_mut() {
            let help = one.render_long_help().to_string();
            for foreign in ["cargo tourbillon", "target folder"] {
                assert!(!help.contains(foreign), "{help}");
            }
            assert!(
                help.lines().all(|line| line.chars().count() <= 80),
                "{help}"
            );
        }
        let show = command.find_subcommand_mut("show").expect("it is there");
        let help = show.render_help().to_string();
        assert!(help.contains("\n  tourbillon show --columns"), "{help}");
    }
}
