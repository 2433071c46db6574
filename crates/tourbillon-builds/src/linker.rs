//! Starts the linker of a link line.

use std::process::{Command, Stdio};

use super::link_line::{LinkLine, Word};

impl LinkLine {
    /// The linker without its arguments.
    pub fn linker(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        for name in &self.unset {
            command.env_remove(name);
        }
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command
    }

    /// The first line of the linker's version.
    pub fn linker_name(&self) -> String {
        let mut command = self.linker();
        command.args(self.words.iter().filter_map(|word| match word {
            Word::Plain(text) if chooses_linker(text) => Some(text),
            _ => None,
        }));
        let output = command.arg("-Wl,--version").output();
        let text = output.map(|output| output.stdout).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        match text.lines().next() {
            Some(first) if !first.trim().is_empty() => first.trim().to_owned(),
            _ => format!("the linker of {}", self.program),
        }
    }
}

/// Whether an argument of the compiler driver selects the linker.
fn chooses_linker(word: &str) -> bool {
    ["-fuse-ld", "-B", "--ld-path", "-m"]
        .iter()
        .any(|prefix| word.starts_with(prefix))
}
