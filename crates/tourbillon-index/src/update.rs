//! Adds to an index what an archive has.

use crate::{Archive, Error, FileKind, Index};

/// Files that are added at once: as few as fit into memory many times over, enough to sort their points.
const AT_ONCE: usize = 500;

/// Adds the runs, comparisons and failures of an archive that an index does not have. Returns how many runs were added,
/// and the files that could not be read, which are skipped.
///
/// # Errors
///
/// When the archive cannot be listed or the index cannot be written.
pub fn update(index: &mut dyn Index, archive: &Archive) -> Result<(usize, Vec<Error>), Error> {
    let mut damaged = Vec::new();
    let runs = add(
        index,
        archive,
        FileKind::Run,
        Archive::summary,
        |index, runs| index.insert(runs),
        &mut damaged,
    )?;
    add(
        index,
        archive,
        FileKind::Comparison,
        Archive::comparison,
        |index, comparisons| index.insert_comparisons(comparisons),
        &mut damaged,
    )?;
    add(
        index,
        archive,
        FileKind::Failure,
        Archive::failure,
        |index, failures| index.insert_failures(failures),
        &mut damaged,
    )?;
    Ok((runs, damaged))
}

/// Adds the files of a kind. Returns how many were added.
fn add<T>(
    index: &mut dyn Index,
    archive: &Archive,
    of: FileKind,
    read: impl Fn(&Archive, &str) -> Result<T, Error>,
    insert: impl Fn(&mut dyn Index, &[T]) -> Result<(), Error>,
    damaged: &mut Vec<Error>,
) -> Result<usize, Error> {
    let known = index.hashes(of)?;
    let mut missing = archive.hashes(of)?;
    missing.retain(|hash| !known.contains(hash));
    let mut added = 0;
    for hashes in missing.chunks(AT_ONCE) {
        let mut new = Vec::with_capacity(hashes.len());
        for hash in hashes {
            match read(archive, hash) {
                Ok(one) => new.push(one),
                Err(error) => damaged.push(error),
            }
        }
        insert(index, &new)?;
        added += new.len();
    }
    Ok(added)
}
