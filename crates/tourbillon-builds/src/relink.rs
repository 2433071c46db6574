//! Links an executable again with its sections in another order.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::link_line::{LinkLine, Word};
use super::not_relinkable::NotRelinkable;
use super::objects::LINE;

/// Longest part of the linker's message that is passed on, in characters.
const LONGEST_MESSAGE: usize = 400;

/// What an executable is linked from, and how.
#[derive(Clone, Debug)]
pub(super) struct Relink {
    objects: PathBuf,
    line: LinkLine,
    form: Form,
}

/// The order of sections.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order<'o> {
    /// By a seed, regardless of names.
    Seed(u64),
    /// By a list of names, with one more object if given.
    Names {
        list: &'o str,
        extra: Option<&'o [u8]>,
    },
}

/// How a linker takes the number of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// LLD: a pattern of names, and its number.
    Pattern,
    /// Mold: the number.
    Seed,
}

impl Form {
    fn word(self, order: u32) -> String {
        match self {
            Form::Pattern => format!("-Wl,--shuffle-sections=*={order}"),
            Form::Seed => format!("-Wl,--shuffle-sections={order}"),
        }
    }
}

impl Relink {
    /// Reads the objects that were kept in a folder.
    pub(super) fn open(objects: &Path) -> Result<Relink, NotRelinkable> {
        let text = fs::read_to_string(objects.join(LINE)).map_err(|_| NotRelinkable::NoObjects)?;
        let line = serde_json::from_str(&text).ok();
        let line = line.as_ref().and_then(LinkLine::from_json);
        Ok(Relink {
            objects: objects.to_owned(),
            line: line.ok_or(NotRelinkable::NotShown)?,
            form: Form::Pattern,
        })
    }

    /// The same for mold, if mold links: mold crashes on an argument that is not a number.
    pub(super) fn for_mold(&self) -> Option<Relink> {
        let form = Form::Seed;
        let mold = self.linker_name().starts_with("mold");
        mold.then(|| Relink {
            form,
            ..self.clone()
        })
    }

    /// The first line of the linker's version.
    pub(super) fn linker_name(&self) -> String {
        self.line.linker_name()
    }

    /// Links the executable to `path`; missing folders are created.
    pub(super) fn link(&self, order: Order<'_>, path: &Path) -> Result<(), NotRelinkable> {
        let folder = path.parent().unwrap_or(&self.objects);
        let failed = |what: &dyn fmt::Display| NotRelinkable::Failed(what.to_string());
        fs::create_dir_all(folder).map_err(|error| failed(&error))?;
        // Another process may be linking the same placement.
        let sibling = |ending: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".{}{ending}", std::process::id()));
            PathBuf::from(name)
        };
        let [unfinished, names, object] = ["", ".sequence", ".o"].map(sibling);
        let mut command = self.command(&unfinished);
        match order {
            Order::Names { list, extra } => {
                fs::write(&names, list).map_err(|error| failed(&error))?;
                // Code and data begin on a page of their own, whatever precedes them. Unnamed
                // sections keep their sequence, which one more section would change.
                if let Some(extra) = extra {
                    fs::write(&object, extra).map_err(|error| failed(&error))?;
                    command.arg(&object);
                }
                command
                    .arg("-Wl,-z,separate-loadable-segments,--no-warn-symbol-ordering")
                    .arg(joined("-Wl,--symbol-ordering-file=", &names));
            }
            Order::Seed(seed) => {
                command.arg(self.form.word(number(seed)));
            }
        }
        let output = command.output();
        let _ = fs::remove_file(&names);
        let _ = fs::remove_file(&object);
        let output = output.map_err(|error| failed(&error))?;
        if !output.status.success() {
            let _ = fs::remove_file(&unfinished);
            return Err(self.refused(&output));
        }
        fs::rename(&unfinished, path).map_err(|error| failed(&error))
    }

    fn command(&self, output: &Path) -> Command {
        let mut command = self.line.linker();
        for word in &self.line.words {
            match word {
                Word::Plain(text) => command.arg(text),
                Word::Input(name) => command.arg(self.objects.join(name)),
                Word::Output => command.arg(output),
            };
        }
        command.arg("-Wl,--strip-debug");
        command
    }

    fn refused(&self, output: &Output) -> NotRelinkable {
        let text = String::from_utf8_lossy(&output.stderr);
        if text.contains("shuffle-sections") {
            return NotRelinkable::Linker(self.linker_name());
        }
        let text: String = text.trim().chars().take(LONGEST_MESSAGE).collect();
        NotRelinkable::Failed(text)
    }
}

/// An option with a path as its value.
fn joined(option: &str, path: &Path) -> OsString {
    let mut word = OsString::from(option);
    word.push(path);
    word
}

/// The number of an order: linkers take 0 for a new order each time, and the greatest number for
/// the reverse order.
pub(super) fn number(seed: u64) -> u32 {
    let folded = seed % u64::from(u32::MAX - 1);
    u32::try_from(folded).unwrap_or(0) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_is_an_order_of_its_own_kind() {
        assert_eq!(number(0), 1);
        assert_eq!(number(7), 8);
        assert_eq!(number(u64::from(u32::MAX) - 2), u32::MAX - 1);
        assert_eq!(number(u64::from(u32::MAX) - 1), 1);
        assert!((1..u32::MAX).contains(&number(u64::MAX)));
        assert_eq!(Form::Pattern.word(8), "-Wl,--shuffle-sections=*=8");
    }
}
