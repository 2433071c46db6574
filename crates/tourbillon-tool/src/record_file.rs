//! Records as files: read line by line, and refused where a line cannot be right.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use tourbillon_record::{Error, Run, RunReader, Throughput};
use tourbillon_values::limits::RECORD_BYTES;
use tourbillon_values::{named_file, regular_file};

use crate::exit::Stop;
use crate::record_text::{RecordText, record_text};
use crate::sha256::Sha256;

/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;
/// Prefix of the first line of a run.
const HEADER: &[u8] = br#"{"type":"header","#;

/// A run that was read.
#[derive(Debug)]
pub struct StoredRun {
    /// What it holds.
    pub run: Run,
    /// SHA-256 of its lines, in hexadecimal digits: that of its file, where it is alone in it.
    pub sha256: String,
}

/// Why a record cannot be read.
#[derive(Debug)]
pub enum Unreadable {
    /// The file cannot be read.
    File(io::Error),
    /// A line of it cannot.
    Line(Error),
}

impl Unreadable {
    /// Whether its run was killed before it began.
    pub fn is_incomplete(&self) -> bool {
        matches!(self, Unreadable::Line(error) if error.is_incomplete())
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::File(error) => error.fmt(f),
            Unreadable::Line(error) => error.fmt(f),
        }
    }
}

/// The runs in a file that a user named, without what its program printed around them.
pub fn read_named(path: &Path) -> Result<Vec<StoredRun>, Stop> {
    named_file::open(path, RECORD_BYTES)
        .map_err(Unreadable::File)
        .and_then(|file| whole(RecordText::new(buffered(file))))
        .map_err(|what| unreadable(path, &what))
}

/// The bytes of a file that a user named, without what its program printed around its records.
pub fn bytes_named(path: &Path) -> Result<Vec<u8>, Stop> {
    let bytes = named_file::read(path, RECORD_BYTES).map_err(|error| unreadable(path, &error))?;
    Ok(record_text(bytes))
}

/// The runs in a file of a store.
pub fn read_stored(path: &Path) -> Result<Vec<StoredRun>, Unreadable> {
    regular_file::open_limited(path, RECORD_BYTES)
        .map_err(Unreadable::File)
        .and_then(|file| whole(buffered(file)))
}

/// That a record cannot be read, and why.
pub fn unreadable(path: &Path, why: &dyn fmt::Display) -> Stop {
    Stop::Environment(format!("{path:?} cannot be read: {why}"))
}

/// The runs in a text. Lines that cannot be read are in the runs.
pub fn parse(mut text: &[u8]) -> Result<Vec<StoredRun>, String> {
    let reader = RunReader::new(&mut text).map_err(|error| error.to_string())?;
    runs(reader).map_err(|error| error.to_string())
}

/// The same without the samples of launches.
pub fn parse_without_samples(mut text: &[u8]) -> Result<Vec<StoredRun>, String> {
    let reader = RunReader::new(&mut text).map_err(|error| error.to_string())?;
    runs(reader.without_samples()).map_err(|error| error.to_string())
}

/// The first line that cannot be right.
pub fn first_damage<'r>(runs: impl IntoIterator<Item = &'r StoredRun>) -> Option<&'r Error> {
    let mut damaged = runs.into_iter().flat_map(|stored| &stored.run.damaged);
    damaged.next()
}

/// The runs in a file, none of whose lines is damaged.
fn whole(mut file: impl BufRead) -> Result<Vec<StoredRun>, Unreadable> {
    let runs = runs(RunReader::new(&mut file).map_err(Unreadable::File)?)?;
    match first_damage(&runs) {
        None => Ok(runs),
        Some(error) => Err(Unreadable::Line(error.clone())),
    }
}

fn buffered(file: impl Read) -> impl BufRead {
    BufReader::with_capacity(CHUNK, file)
}

fn runs(mut reader: RunReader<'_>) -> Result<Vec<StoredRun>, Unreadable> {
    let mut runs = Vec::new();
    loop {
        let mut hash = Sha256::default();
        let next = reader.next_run(&mut |line| hash.add(line));
        let Some(read) = next.map_err(Unreadable::File)? else {
            return Ok(runs);
        };
        let mut run = read.map_err(Unreadable::Line)?;
        add_throughputs(&mut run);
        let sha256 = hash.digits();
        runs.push(StoredRun { run, sha256 });
    }
}

/// Whether a text is what a run leaves that was killed before its first line was written.
pub fn is_unbegun(text: &[u8]) -> bool {
    let first = text.split_inclusive(|byte| *byte == b'\n').next();
    Run::parse_bytes(first.unwrap_or_default()).is_err_and(|error| error.is_incomplete())
}

/// The lines of the runs in a text, each from its header to the next, as several bench binaries write them to one
/// stdout. A text without a header is one piece, which cannot be read.
pub fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let starts = (1..text.len())
        .filter(|at| text[at - 1] == b'\n')
        .filter(|at| text[*at..].starts_with(HEADER));
    let mut ends: Vec<usize> = [0].into_iter().chain(starts).collect();
    ends.push(text.len());
    ends.clone()
        .into_iter()
        .zip(ends.into_iter().skip(1))
        .map(|(start, end)| &text[start..end])
}

/// Adds what an op processes to results of older versions, which have it in the launches only.
fn add_throughputs(run: &mut Run) {
    let launches = run.launches.iter();
    let known: HashMap<&str, Throughput> = launches
        .filter_map(|launch| Some((&*launch.case, launch.throughput?)))
        .collect();
    for result in run
        .results
        .iter_mut()
        .filter(|result| result.metric.is_main())
    {
        let known = known.get(&*result.case).copied();
        result.throughput = result.throughput.or(known);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tourbillon_record::LaunchSamples;

    use super::*;

    #[test]
    fn a_run_has_the_hash_of_its_lines() {
        let golden = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../tourbillon-record/tests/golden/schema-2-one-run.jsonl"
        );
        let one = fs::read(golden).expect("a record");
        let both = parse(&[one.as_slice(), &one].concat()).expect("two runs");
        let alone = parse(&one).expect("a run");
        assert_eq!((alone.len(), both.len()), (1, 2));
        // `sha256sum schema-2-one-run.jsonl`
        assert_eq!(
            alone[0].sha256,
            "ff45fa7f29a9730f03fe1ec6c181bbb8e94a3590c8ed6d0eae1cf3a00a164573"
        );
        assert!(both.iter().all(|stored| stored.sha256 == alone[0].sha256));
    }

    #[test]
    fn samples_are_read_and_not_kept() {
        let golden =
            include_bytes!("../../tourbillon-record/tests/golden/schema-2-run.jsonl").as_slice();
        let with = parse(golden).expect("a run").remove(0);
        let without = parse_without_samples(golden).expect("a run").remove(0);
        assert!(!with.run.launches[0].batches.ticks.is_empty());
        for (one, other) in with.run.launches.iter().zip(&without.run.launches) {
            let stays = LaunchSamples {
                case: one.case.clone(),
                throughput: one.throughput,
                ..LaunchSamples::default()
            };
            assert_eq!(*other, stays);
        }
        let mut run = without.run.clone();
        run.launches.clone_from(&with.run.launches);
        assert_eq!((run, without.sha256), (with.run, with.sha256));
        // What is damaged in them is found.
        let damaged = String::from_utf8_lossy(golden).replacen("\"ticks\":[", "\"ticks\":[1,", 3);
        let found = |runs: Vec<StoredRun>| first_damage(&runs).expect("a damage").to_string();
        let [with, without] = [parse, parse_without_samples].map(|read| read(damaged.as_bytes()));
        assert_eq!(found(with.expect("a run")), found(without.expect("a run")));
    }

    #[cfg(unix)]
    #[test]
    fn endless_files_end() {
        for device in ["/dev/zero", "/dev/urandom", "/dev/null"] {
            assert!(read_named(Path::new(device)).is_err(), "{device}");
            let error = read_stored(Path::new(device)).expect_err(device);
            assert!(error.to_string().contains("a device"), "{error}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        assert!(read_named(folder.path()).is_err());
    }
}
