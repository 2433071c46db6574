//! Adds to an index what an archive has.

use crate::{Archive, Error, FileKind, Index};

/// Files that are added at once: as few as fit into memory many times over, enough to sort their points.
const AT_ONCE: usize = 500;

/// What became of the files of an archive that an index did not have.
#[derive(Debug, Default)]
pub struct Updated {
    /// How many runs were added.
    pub runs: usize,
    /// Files that could not be read, which are skipped.
    pub damaged: Vec<Error>,
    /// Files that the index did not take; it answers without them.
    pub left: Option<Left>,
}

/// Files that an index did not take.
#[derive(Debug)]
pub struct Left {
    /// How many.
    pub count: usize,
    /// Why the first of them.
    pub why: Error,
}

/// Adds the runs, comparisons and failures of an archive that an index does not have. An index that may only be read
/// stays as it is.
///
/// # Errors
///
/// When the archive cannot be listed, or the index cannot be read or its server is out of reach.
pub fn update(index: &mut dyn Index, archive: &Archive) -> Result<Updated, Error> {
    let mut updated = Updated::default();
    updated.runs = add(
        index,
        archive,
        FileKind::Run,
        Archive::summary,
        |index, runs| index.insert(runs),
        &mut updated,
    )?;
    add(
        index,
        archive,
        FileKind::Comparison,
        Archive::comparison,
        |index, comparisons| index.insert_comparisons(comparisons),
        &mut updated,
    )?;
    add(
        index,
        archive,
        FileKind::Failure,
        Archive::failure,
        |index, failures| index.insert_failures(failures),
        &mut updated,
    )?;
    Ok(updated)
}

/// Adds the files of a kind. Returns how many were added.
fn add<T>(
    index: &mut dyn Index,
    archive: &Archive,
    of: FileKind,
    read: impl Fn(&Archive, &str) -> Result<T, Error>,
    insert: impl Fn(&mut dyn Index, &[T]) -> Result<(), Error>,
    updated: &mut Updated,
) -> Result<usize, Error> {
    let known = index.hashes(of)?;
    let mut missing = archive.hashes(of)?;
    missing.retain(|hash| !known.contains(hash));
    let mut added = 0;
    for hashes in missing.chunks(AT_ONCE) {
        if let Some(left) = &mut updated.left {
            // What was refused once is not tried again.
            left.count += hashes.len();
            continue;
        }
        let mut new = Vec::with_capacity(hashes.len());
        for hash in hashes {
            match read(archive, hash) {
                Ok(one) => new.push(one),
                Err(error) => updated.damaged.push(error),
            }
        }
        match insert(index, &new) {
            Ok(()) => added += new.len(),
            Err(why) if why.is_lost() => return Err(why),
            Err(why) => {
                updated.left = Some(Left {
                    count: new.len(),
                    why,
                })
            }
        }
    }
    Ok(added)
}
