//! Shows what happens while a tree is watched.

use std::env;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use serde_json::json;
use tourbillon_coordinator::values::ColorChoice;
use tourbillon_report::first_names;
use tourbillon_tool::exit::{Stop, erase_screen, print_event, print_next_page, say};
use tourbillon_tool::screen::style;

use super::event::Event;

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
            return print_event(self.lines(&event));
        }
        if let Event::Compared(verdicts) = &event {
            let style = style(self.color);
            let page = verdicts.document.text(&style);
            if is_redrawn() {
                erase_screen();
            }
            return print_next_page(&page);
        }
        say(&self.message(&event));
        Ok(())
    }

    /// What people read of an event, other than verdicts.
    fn message(&self, event: &Event) -> String {
        match event {
            Event::Begun { reference, folder } => {
                let folder = folder.display();
                format!("watching {folder}: each save is compared with {reference}; Ctrl-C ends\n")
            }
            Event::Saved(files) => format!("saved: {}\n", first_names(&self.names(files))),
            Event::Failed(_, why) => format!("error: {why}; the last verdicts stay\n"),
            Event::Measuring(_) | Event::Compared(_) => String::new(),
            Event::Outdated => "a file was saved: measuring starts anew\n".to_owned(),
            Event::Unheeded(files) => {
                let names = first_names(&self.names(files));
                format!(
                    "no save: {names}, which programs write while they are measured; have git ignore what they write, or \
                     save it again\n"
                )
            }
        }
    }

    /// Files as from the root of the checkout, which is `.` itself.
    fn names(&self, files: &[PathBuf]) -> Vec<String> {
        let names = files.iter().map(|file| {
            let below = file.strip_prefix(&self.root).unwrap_or(file);
            let is_root = below.as_os_str().is_empty();
            if is_root {
                ".".to_owned()
            } else {
                below.display().to_string()
            }
        });
        names.collect()
    }

    /// An event as a line of JSON, after those of its verdicts. docs/reference/record-format.md has all members.
    fn lines(&self, event: &Event) -> String {
        let mut lines = "";
        let line = match event {
            Event::Begun { reference, folder } => {
                json!({"type": "watch", "event": "begun", "reference": reference, "folder": folder})
            }
            Event::Saved(files) => {
                json!({"type": "watch", "event": "saved", "files": self.names(files)})
            }
            Event::Failed(code, why) => {
                json!({"type": "watch", "event": "failed", "exit_code": code, "message": why})
            }
            Event::Measuring(counts) => {
                let (measured, unchanged, kept) = (counts.measured, counts.unchanged, counts.kept);
                json!({"type": "watch", "event": "measuring", "cases": measured, "unchanged": unchanged, "kept": kept})
            }
            Event::Outdated => json!({"type": "watch", "event": "outdated"}),
            Event::Unheeded(files) => {
                json!({"type": "watch", "event": "unheeded", "files": self.names(files)})
            }
            Event::Compared(verdicts) => {
                lines = &verdicts.lines;
                json!({"type": "watch", "event": "compared", "confirm": verdicts.confirm})
            }
        };
        format!("{lines}{line}\n")
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
    use crate::watch::event::{CaseCounts, Verdicts};

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
        assert_eq!(message(&["/r", "/a"]), "saved: ., /a\n");
        assert_eq!(message(&["/r/a\nwarning: b"]).lines().count(), 1);
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
            Event::Unheeded(files(&["/r/log"])),
            Event::Compared(Box::new(verdicts)),
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
