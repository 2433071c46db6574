//! The archive of a bundle, its manifest, and the contents of its files: compressed and not, and as a manifest alone,
//! which is put into an archive that fits it.
#![no_main]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use flate2::read::GzDecoder;
use libfuzzer_sys::fuzz_target;
use tourbillon_builds::{Bundle, Error};

/// A block of an archive.
const BLOCK: usize = 512;

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new("a bundle");
    let readings = [
        Bundle::read_tar(path, bytes),
        Bundle::read_tar(path, GzDecoder::new(bytes)),
        Bundle::read_tar(path, archive(bytes).as_slice()),
    ];
    for reading in readings {
        match reading {
            Ok(bundle) => {
                assert!(!bundle.builds.is_empty());
                let _ = bundle.bytes();
                let _ = format!("{bundle:?}");
            }
            Err(Error::Environment(what)) => {
                assert!(!what.contains(char::is_control), "{what:?}");
            }
            Err(other) => panic!("a file is no mistake on the command line: {other:?}"),
        }
    }
});

/// An archive whose first entry is the manifest, and whose others are the rest of the bytes after a NUL.
fn archive(bytes: &[u8]) -> Vec<u8> {
    let end = bytes.iter().position(|byte| *byte == 0);
    let (manifest, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
    let mut archive = header("manifest.json", manifest.len());
    padded(&mut archive, manifest);
    // Names and lengths of the files are in the manifest.
    let listed: serde_json::Value = serde_json::from_slice(manifest).unwrap_or_default();
    let builds = listed["builds"].as_array().into_iter().flatten();
    let files = builds.flat_map(|build| build["files"].as_array().into_iter().flatten());
    let mut rest = rest.get(1..).unwrap_or_default();
    for file in files.take(16) {
        let Some(hash) = file["hash"].as_str() else {
            break;
        };
        let wanted = file["bytes"].as_u64().unwrap_or_default();
        let length = rest
            .len()
            .min(usize::try_from(wanted).unwrap_or(usize::MAX));
        let (contents, others) = rest.split_at(length);
        rest = others;
        archive.extend(header(&format!("files/{hash}"), length));
        padded(&mut archive, contents);
    }
    archive.extend([0; 2 * BLOCK]);
    archive
}

fn padded(archive: &mut Vec<u8>, contents: &[u8]) {
    archive.write_all(contents).expect("memory takes it");
    archive.resize(archive.len().next_multiple_of(BLOCK), 0);
}

/// The header of a plain file in the format `ustar`.
fn header(name: &str, length: usize) -> Vec<u8> {
    let mut block = vec![0; BLOCK];
    let mut put = |at: usize, bytes: &[u8]| block[at..at + bytes.len()].copy_from_slice(bytes);
    let mut start = name.len().min(100);
    while !name.is_char_boundary(start) {
        start -= 1;
    }
    put(0, &name.as_bytes()[..start]);
    put(100, b"0000644\0");
    let mut octal = String::new();
    let _ = write!(octal, "{length:011o}\0");
    put(124, octal.as_bytes());
    put(136, b"00000000000\0");
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}
