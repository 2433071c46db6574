//! Adds to an index what an archive has.

use std::path::PathBuf;

use crate::index::{Archive, Error, FileKind, Index};

/// Files that are added at once: as few as fit into memory many times over, enough to sort their points.
const AT_ONCE: usize = 500;

/// What became of the files of an archive that an index did not have.
#[derive(Debug, Default)]
pub struct Updated {
    /// How many runs were added.
    pub runs: usize,
    /// Files that could not be read, which are skipped.
    pub damaged: Vec<Error>,
    /// Files that do not fit into the index, which are skipped.
    pub unfit: Vec<Error>,
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
        let mut names = Vec::with_capacity(hashes.len());
        for hash in hashes {
            match read(archive, hash) {
                Ok(one) => {
                    new.push(one);
                    names.push(archive.summary_file(of, hash));
                }
                Err(error) => updated.damaged.push(error),
            }
        }
        match insert_fit(index, &new, &names, &insert, &mut updated.unfit) {
            Ok(count) => added += count,
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

/// Adds what fits into the index, and names what does not: the record of one user does not hold up those of others.
/// Returns how many were added.
fn insert_fit<T>(
    index: &mut dyn Index,
    new: &[T],
    names: &[PathBuf],
    insert: &impl Fn(&mut dyn Index, &[T]) -> Result<(), Error>,
    unfit: &mut Vec<Error>,
) -> Result<usize, Error> {
    match insert(index, new) {
        Ok(()) => Ok(new.len()),
        Err(why) if !why.is_unfit() => Err(why),
        Err(why) => match names {
            [name] => {
                let what = format!("the index does not take it: {}", why.what());
                unfit.push(Error::new(name, what));
                Ok(0)
            }
            names => {
                let half = new.len() / 2;
                let first = insert_fit(index, &new[..half], &names[..half], insert, unfit)?;
                let second = insert_fit(index, &new[half..], &names[half..], insert, unfit)?;
                Ok(first + second)
            }
        },
    }
}
