//! The files of campaigns, in the folder of the store.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tourbillon_tool::exit::Stop;
use tourbillon_tool::output::not_written;
use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use super::campaign::{Campaign, VERSION};

/// The folder of the ledgers in the store.
const FOLDER: &str = "attempts";

/// The ledger of a campaign: a file of JSON lines that only grows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ledger {
    pub(super) number: u32,
    path: PathBuf,
}

impl Ledger {
    /// The newest campaign of a checkout, and what it has tried; `None` without one. A file that cannot be read may be
    /// that: without it a campaign would spend its error twice.
    pub(super) fn newest(store: &Path, checkout: &str) -> Result<Option<(Ledger, Campaign)>, Stop> {
        for number in numbers(store).into_iter().rev() {
            let ledger = Ledger::at(store, number);
            match ledger.read()? {
                Some(campaign) if campaign.begin.checkout == checkout => {
                    return Ok(Some((ledger, campaign)));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// Begins a campaign with its first line.
    pub(super) fn begin(store: &Path, first_line: &str) -> Result<Ledger, Stop> {
        let folder = store.join(FOLDER);
        fs::create_dir_all(&folder).map_err(|error| not_written(&folder, &error))?;
        let mut number = numbers(store).last().copied().unwrap_or(0);
        loop {
            let Some(next) = number.checked_add(1) else {
                let full = Ledger::at(store, number).path;
                let what =
                    "has the greatest number; remove it, or name another folder with --store";
                return Err(Stop::Environment(format!("{full:?} {what}")));
            };
            number = next;
            let ledger = Ledger::at(store, number);
            match File::create_new(&ledger.path) {
                Ok(_) => {
                    ledger.append(first_line)?;
                    return Ok(ledger);
                }
                // Another process has begun one.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(not_written(&ledger.path, &error)),
            }
        }
    }

    fn at(store: &Path, number: u32) -> Ledger {
        let path = store.join(FOLDER).join(file_name(number));
        Ledger { number, path }
    }

    /// The store that it is in.
    pub(super) fn store(&self) -> &Path {
        self.path.ancestors().nth(2).unwrap_or(&self.path)
    }

    /// What the campaign has tried.
    pub(super) fn campaign(&self) -> Result<Campaign, Stop> {
        self.read()?.ok_or_else(moved_on)
    }

    /// The same; `None` where the file does not begin as that of a campaign.
    fn read(&self) -> Result<Option<Campaign>, Stop> {
        let bytes = regular_file::read(&self.path, DESCRIPTION_BYTES).map_err(|error| {
            let remedy =
                "remove it if it is no campaign of this checkout, or begin another one with --new";
            Stop::Environment(format!("{:?} cannot be read: {error}; {remedy}", self.path))
        })?;
        let campaign = Campaign::of(&String::from_utf8_lossy(&bytes));
        match campaign.as_ref().map(|campaign| campaign.begin.version) {
            None | Some(VERSION) => Ok(campaign),
            Some(version) => Err(Stop::Environment(format!(
                "{:?} is a campaign of version {version}, and this program knows version {VERSION}; go on with the program \
                 that began it, or begin another one with --new",
                self.path
            ))),
        }
    }

    /// Adds a line, which is on the disk when this returns.
    pub(super) fn append(&self, line: &str) -> Result<(), Stop> {
        self.add(|| Ok(line.to_owned()))
    }

    /// Adds a line that follows from the campaign, which no other process writes to meanwhile.
    pub(super) fn add(&self, line: impl FnOnce() -> Result<String, Stop>) -> Result<(), Stop> {
        let refused = |error| not_written(&self.path, &error);
        let mut options = OpenOptions::new();
        let opened = regular_file::open_with(options.read(true).append(true), &self.path);
        let mut file = opened.map_err(refused)?;
        file.lock().map_err(refused)?;
        let line = line()?;
        // The line after one that was torn is a line of its own.
        let end = if is_torn(&mut file).map_err(refused)? {
            "\n"
        } else {
            ""
        };
        let written = file.write_all(format!("{end}{line}").as_bytes());
        written.and_then(|()| file.sync_all()).map_err(refused)
    }
}

/// That another process has written to a ledger.
pub(super) fn moved_on() -> Stop {
    let what = "another process has written to this campaign meanwhile; try again";
    Stop::Environment(what.to_owned())
}

/// Whether the last line of a file has no end.
fn is_torn(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

fn file_name(number: u32) -> String {
    format!("{number}.jsonl")
}

/// The numbers of the campaigns of all checkouts, ascending.
fn numbers(store: &Path) -> Vec<u32> {
    let entries = fs::read_dir(store.join(FOLDER));
    let names = entries.into_iter().flatten().flatten();
    let number = |name: &str| {
        let number: u32 = name.strip_suffix(".jsonl")?.parse().ok()?;
        // No other way to write one, as `+2` and `02`.
        Some(number).filter(|number| name == file_name(*number))
    };
    let mut numbers: Vec<u32> = names
        .filter_map(|entry| number(entry.file_name().to_str()?))
        .collect();
    numbers.sort_unstable();
    numbers
}

#[cfg(test)]
mod tests {
    use super::super::campaign::tests::ledger;
    use super::*;

    #[test]
    fn a_checkout_has_its_newest_campaign() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = folder.path().join("store");
        let newest = |checkout: &str| {
            let found = Ledger::newest(&store, checkout).expect("a store");
            found.map(|(ledger, campaign)| (ledger.number, campaign.reference))
        };
        assert_eq!(newest("/r"), None);
        for (checkout, reference) in [("/r", "a"), ("/r", "b"), ("/s", "c")] {
            let line = Campaign::first_line(checkout, "HEAD", reference);
            Ledger::begin(&store, &line).expect("a ledger");
        }
        fs::write(store.join("attempts/notes.txt"), "x").expect("a file");
        assert_eq!(newest("/r"), Some((2, "b".to_owned())));
        assert_eq!(newest("/s"), Some((3, "c".to_owned())));
        // A file without a first line is no campaign, nor is one of another name.
        for name in ["4.jsonl", "+5.jsonl", "06.jsonl"] {
            fs::write(store.join("attempts").join(name), "").expect("a file");
        }
        assert_eq!(newest("/s"), Some((3, "c".to_owned())));
        // One that cannot be read may be one, so it is not skipped.
        fs::create_dir(store.join("attempts/7.jsonl")).expect("a folder");
        assert!(Ledger::newest(&store, "/s").is_err());
        let last = format!("attempts/{}.jsonl", u32::MAX);
        fs::write(store.join(last), "").expect("a file");
        let full = Ledger::begin(&store, "").expect_err("no number is left");
        assert!(full.into_parts().1.contains("4294967295.jsonl"));
    }

    #[test]
    fn a_line_after_a_torn_one_can_be_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = ledger();
        let (begin, last) = whole.split_at(whole.trim_end().rfind('\n').expect("lines") + 1);
        let torn = format!("{begin}{{\"type\":\"measuring\",\"att");
        let ledger = Ledger::begin(folder.path(), &torn).expect("a ledger");
        ledger.append(last).expect("a line");
        let campaign = ledger.read().expect("a file").expect("a campaign");
        let broken = campaign.attempts.last().expect("attempts");
        assert_eq!(broken.why, "does not build");
        let plain = Campaign::of(&whole).expect("a campaign").measurements;
        assert_eq!(campaign.measurements, plain + 1);
    }
}
