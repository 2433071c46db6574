//! The file of a bundle: a compressed tar file, with the manifest first and then each file of it.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use tar::{Archive, Builder, Entry, EntryType, Header};
use tourbillon_values::inputs;

use super::manifest::{Bundle, BundledFile, SCHEMA};
use crate::error::{Error, Result};

/// The name of the first entry.
const MANIFEST: &str = "manifest.json";
/// The folder of the others.
const FOLDER: &str = "files";
/// Most bytes of the manifest.
const MANIFEST_BYTES: u64 = 32 << 20;

/// What may stand after the end of the tar file: blocks of zeros.
const REST_BYTES: u64 = 1 << 20;

/// What is wrong with a file that cannot be a bundle.
const FOREIGN: &str = "it is not a bundle; `cargo tourbillon bundle` makes one";

/// A bundle that is being written.
pub(super) struct Writer {
    tar: Builder<GzEncoder<BufWriter<File>>>,
}

impl Writer {
    /// Writes the manifest.
    pub(super) fn begin(file: File, bundle: &Bundle) -> io::Result<Writer> {
        let compressed = GzEncoder::new(BufWriter::new(file), Compression::fast());
        let tar = Builder::new(compressed);
        let mut writer = Writer { tar };
        let manifest = serde_json::to_vec(bundle)?;
        writer.append(MANIFEST, manifest.len() as u64, manifest.as_slice())?;
        Ok(writer)
    }

    /// Writes a file.
    pub(super) fn file(&mut self, file: &BundledFile, contents: impl Read) -> io::Result<()> {
        self.append(&entry_name(file), file.bytes, contents)
    }

    /// Without dates and owners: the same builds make the same bytes.
    fn append(&mut self, name: &str, bytes: u64, contents: impl Read) -> io::Result<()> {
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o644);
        header.set_mtime(0);
        header.set_size(bytes);
        self.tar
            .append_data(&mut header, name, contents.take(bytes))
    }

    pub(super) fn finish(self) -> io::Result<()> {
        let mut buffered = self.tar.into_inner()?.finish()?;
        buffered.flush()?;
        buffered.get_ref().sync_all()
    }
}

/// Takes what is in a bundle.
pub(super) trait Receiver {
    /// Takes the manifest, whose limits and paths are checked. Returns whether the files are wanted.
    fn begin(&mut self, bundle: &Bundle) -> Result<bool>;

    /// Takes a file. Its contents may be shorter than the manifest says, and have another hash.
    fn file(&mut self, file: &BundledFile, contents: &mut dyn Read) -> Result<()>;
}

/// Reads a bundle from its file.
pub(super) fn read(path: &Path, receiver: &mut impl Receiver) -> Result<Bundle> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    inputs::note(path);
    if !file.metadata().is_ok_and(|about| about.is_file()) {
        return Err(unreadable(path, &"it is not a file"));
    }
    let mut buffered = BufReader::new(file);
    read_tar(path, GzDecoder::new(&mut buffered), receiver)
}

/// Reads a bundle that is not compressed. `path` is for messages.
///
/// Each entry has to be the next one of the manifest, with its length, so no more is read than the manifest
/// allows.
pub(super) fn read_tar(
    path: &Path,
    contents: impl Read,
    receiver: &mut impl Receiver,
) -> Result<Bundle> {
    let damaged = |error: io::Error| unreadable(path, &format!("it is damaged: {error}"));
    let foreign = |_| unreadable(path, &FOREIGN);
    let mut archive = Archive::new(contents);
    // Raw: extensions of the format are entries of their own, which no bundle has.
    let mut entries = archive.entries().map_err(foreign)?.raw(true);
    let mut next = || entries.next().transpose();
    let mut text = Vec::new();
    match next().map_err(foreign)? {
        Some(mut first) if is_file(&first, MANIFEST) && first.size() <= MANIFEST_BYTES => {
            first.read_to_end(&mut text).map_err(damaged)?;
        }
        _ => return Err(unreadable(path, &FOREIGN)),
    }
    let bundle = parse(&text).map_err(|what| unreadable(path, &what))?;
    if !receiver.begin(&bundle)? {
        return Ok(bundle);
    }
    for file in bundle.contents() {
        let entry = next().map_err(damaged)?;
        let is_next =
            |entry: &Entry<'_, _>| is_file(entry, &entry_name(file)) && entry.size() == file.bytes;
        let Some(mut entry) = entry.filter(is_next) else {
            let what = "it is damaged: its files are not those of its manifest";
            return Err(unreadable(path, &what));
        };
        receiver.file(file, &mut entry)?;
    }
    if next().map_err(damaged)?.is_some() {
        let what = "it has more files than its manifest lists";
        return Err(unreadable(path, &what));
    }
    // The checksum at the end tells whether the file was cut off or changed.
    let mut rest = archive.into_inner().take(REST_BYTES);
    match io::copy(&mut rest, &mut io::sink()).map_err(damaged)? {
        REST_BYTES => Err(unreadable(path, &"it goes on after its last file")),
        _ => Ok(bundle),
    }
}

fn parse(text: &[u8]) -> Result<Bundle, String> {
    #[derive(serde::Deserialize)]
    struct Version {
        schema: u32,
    }
    let version: Version = serde_json::from_slice(text).map_err(|_| FOREIGN.to_owned())?;
    if version.schema != SCHEMA {
        let what = format!("it has version {} of the format", version.schema);
        return Err(format!("{what}, not {SCHEMA}; make it with this version"));
    }
    let bundle: Bundle = serde_json::from_slice(text)
        .map_err(|error| format!("its manifest is damaged: {error}"))?;
    bundle
        .check()
        .map_err(|what| format!("its manifest {what}"))?;
    Ok(bundle)
}

fn entry_name(file: &BundledFile) -> String {
    format!("{FOLDER}/{}", file.hash)
}

/// Whether an entry is a plain file of this name.
fn is_file<R: Read>(entry: &Entry<'_, R>, name: &str) -> bool {
    let header = entry.header();
    header.entry_type() == EntryType::Regular && *header.path_bytes() == *name.as_bytes()
}

pub(super) fn unreadable(path: &Path, what: &dyn std::fmt::Display) -> Error {
    // The reason may quote the file.
    let what = what.to_string().replace(char::is_control, "\u{fffd}");
    Error::Environment(format!("{path:?} cannot be read: {what}"))
}
