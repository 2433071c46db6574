//! Adds to an index what an archive has.

use crate::{Archive, Error, Index};

/// Runs that are added at once: as few as fit into memory many times over, enough to sort their points.
const AT_ONCE: usize = 500;

/// Adds the runs of an archive that an index does not have. Returns how many were added, and the summaries that
/// could not be read, which are skipped.
///
/// # Errors
///
/// When the archive cannot be listed or the index cannot be written.
pub fn update(index: &mut dyn Index, archive: &Archive) -> Result<(usize, Vec<Error>), Error> {
    let known = index.records()?;
    let mut missing = archive.hashes()?;
    missing.retain(|hash| !known.contains(hash));
    let (mut added, mut damaged) = (0, Vec::new());
    for hashes in missing.chunks(AT_ONCE) {
        let mut runs = Vec::with_capacity(hashes.len());
        for hash in hashes {
            match archive.summary(hash) {
                Ok(summary) => runs.push(summary),
                Err(error) => damaged.push(error),
            }
        }
        index.insert(&runs)?;
        added += runs.len();
    }
    Ok((added, damaged))
}
