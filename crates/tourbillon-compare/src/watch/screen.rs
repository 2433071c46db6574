//! Shows what happens while a tree is watched.

use std::env;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tourbillon_coordinator::values::ColorChoice;
use tourbillon_tool::exit::{Stop, erase_screen, print_event, print_page, say};
use tourbillon_tool::screen::style;

use super::event::{CaseCounts, Event};

/// Most files of a save that are named.
const NAMED: usize = 3;

/// Shows what happens while a tree is watched: the newest verdicts on stdout and messages on stderr, or a line of JSON
/// for each event.
pub(super) struct Screen {
    /// The root of the checkout, below which files are named.
    pub(super) root: PathBuf,
    /// Whether programs read it.
    pub(super) is_for_programs: bool,
    /// When text has colour.
    pub(super) color: ColorChoice,
}

impl Screen {
    /// Shows an event.
    pub(super) fn show(&self, event: Event) -> Result<(), Stop> {
        if self.is_for_programs {
            return print_event(&self.lines(&event));
        }
        if let Event::Compared(verdicts) = &event {
            let style = style(self.color);
            let page = verdicts.document.text(&style);
            if is_redrawn() {
                erase_screen();
            }
            return print_page(&page);
        }
        say(&self.message(&event));
        Ok(())
    }

    /// What people read of an event, other than verdicts.
    fn message(&self, event: &Event) -> String {
        match event {
            Event::Begun { reference, folder } => {
                format!(
                    "watching {}: each save is compared with {reference}; Ctrl-C ends\n",
                    folder.display()
                )
            }
            Event::Saved(files) => format!("saved: {}\n", self.names(files)),
            Event::Failed(_, why) if why.is_empty() => {
                "error: the message is above; the last verdicts stay\n".to_owned()
            }
            Event::Failed(_, why) => format!("error: {why}; the last verdicts stay\n"),
            Event::Measuring(_) | Event::Compared(_) => String::new(),
            Event::Outdated => "a file was saved: measuring starts anew\n".to_owned(),
            Event::Muted(files) => {
                let names = self.names(files);
                format!(
                    "{names}: changes whenever benchmarks run, and is not watched from here on\n"
                )
            }
        }
    }

    /// The first names of files.
    fn names(&self, files: &[PathBuf]) -> String {
        let names: Vec<String> = files
            .iter()
            .take(NAMED)
            .map(|file| self.name(file))
            .collect();
        let more = files.len().saturating_sub(NAMED);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        names.join(", ") + &more
    }

    /// A file as from the root of the checkout.
    fn name(&self, file: &Path) -> String {
        file.strip_prefix(&self.root)
            .unwrap_or(file)
            .display()
            .to_string()
    }

    /// An event as a line of JSON, after those of its verdicts. docs/reference/record-format.md has all members.
    fn lines(&self, event: &Event) -> String {
        let names = |files: &[PathBuf]| -> Vec<String> {
            files.iter().map(|file| self.name(file)).collect()
        };
        let (name, members) = match event {
            Event::Begun { reference, folder } => {
                ("begun", json!({"reference": reference, "folder": folder}))
            }
            Event::Saved(files) => ("saved", json!({"files": names(files)})),
            Event::Failed(code, why) => ("failed", json!({"exit_code": code, "message": why})),
            Event::Measuring(CaseCounts {
                measured,
                unchanged,
                kept,
            }) => (
                "measuring",
                json!({"cases": measured, "unchanged": unchanged, "kept": kept}),
            ),
            Event::Outdated => ("outdated", json!({})),
            Event::Compared(verdicts) => ("compared", json!({"confirm": verdicts.confirm})),
            Event::Muted(files) => ("muted", json!({"files": names(files)})),
        };
        let mut line = json!({"type": "watch", "event": name});
        if let (Value::Object(line), Value::Object(members)) = (&mut line, members) {
            line.extend(members);
        }
        let verdicts = match event {
            Event::Compared(verdicts) => verdicts.lines.as_str(),
            _ => "",
        };
        format!("{verdicts}{line}\n")
    }
}

/// Whether new verdicts take the place of the last ones.
fn is_redrawn() -> bool {
    io::stdout().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::json_lines::tests::{documented, members};
    use crate::watch::event::Verdicts;

    fn screen() -> Screen {
        Screen {
            root: PathBuf::from("/r"),
            is_for_programs: true,
            color: ColorChoice::Never,
        }
    }

    fn files(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn the_first_files_of_a_save_are_named() {
        let message = |names: &[&str]| screen().message(&Event::Saved(files(names)));
        assert_eq!(message(&["/r/src/a.rs", "/r/b"]), "saved: src/a.rs, b\n");
        let many = message(&["/r/a", "/r/b", "/r/c", "/r/d", "/r/e"]);
        assert_eq!(many, "saved: a, b, c and 2 more\n");
    }

    #[test]
    fn a_failure_says_what_stays() {
        let failed = |why: &str| screen().message(&Event::Failed(101, why.to_owned()));
        assert_eq!(
            failed("the tree does not build"),
            "error: the tree does not build; the last verdicts stay\n"
        );
        assert!(failed("").contains("the message is above"));
    }

    #[test]
    fn the_page_has_every_member_of_events() {
        let verdicts = Verdicts {
            lines: "{\"type\":\"comparison\"}\n".to_owned(),
            ..Verdicts::default()
        };
        let events = [
            Event::Begun {
                reference: "HEAD".to_owned(),
                folder: "/r".into(),
            },
            Event::Saved(files(&["/r/a"])),
            Event::Failed(101, "why".to_owned()),
            Event::Measuring(CaseCounts::default()),
            Event::Outdated,
            Event::Compared(Box::new(verdicts)),
            Event::Muted(files(&["/r/a"])),
        ];
        let mut all = Vec::new();
        for event in &events {
            let lines = screen().lines(event);
            let last = lines.lines().last().unwrap_or_default();
            for member in members(last) {
                if !all.contains(&member) {
                    all.push(member);
                }
            }
        }
        assert_eq!(all, documented("### Members of an event of `watch`"));
    }
}
