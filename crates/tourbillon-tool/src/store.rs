//! What is written to a store, and which of its runs are newer.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use tourbillon_clock::wall;
use tourbillon_record::store::{Store, TargetRuns};
use tourbillon_record::{Entry, Header};

use crate::exit::{ENVIRONMENT, Stop, say};

/// The store of comparisons, inside the store of runs.
pub fn comparisons(store: &Store) -> Store {
    store.within("comparisons")
}

/// Stores a record that is complete, and gives the path of its file.
///
/// # Errors
///
/// When it cannot be written. A part of it is no record.
pub fn keep<'e>(
    store: &Store,
    header: &Header,
    entries: impl IntoIterator<Item = Entry<'e>>,
) -> Result<PathBuf, Stop> {
    let mut writer = store.begin(header)?;
    for entry in entries {
        writer.append(entry)?;
    }
    let path = writer.path().to_owned();
    if let Err(error) = writer.finish(wall::unix_ns()) {
        // The record itself is whole.
        say(&format!("warning: {error}\n"));
    }
    Ok(path)
}

/// Prints where a record is stored, for programs, or why it is not. Gives the exit code that this deserves: the results
/// are printed whatever happens to their record. A person sees the results, and finds the record with `show`.
pub fn announce(record: Result<PathBuf, Stop>) -> Result<u8, Stop> {
    match record {
        Ok(_) if io::stderr().is_terminal() => {}
        Ok(path) => say(&format!("stored in {}\n", path.display())),
        Err(Stop::Environment(why)) => {
            say(&format!("not stored: {why}\n"));
            return Ok(ENVIRONMENT);
        }
        Err(other) => return Err(other),
    }
    Ok(0)
}

/// Names the runs that began after now.
pub fn warn(targets: &[TargetRuns]) {
    for warning in targets.iter().filter_map(TargetRuns::warning) {
        say(&format!("warning: {warning}\n"));
    }
}

/// What is larger for the newer one of two runs. One that began after now, by a clock that was ahead, is older than all
/// others.
pub fn recency(header: &Header, now_unix_ns: u64) -> (bool, u64) {
    let began = header.started_unix_ns;
    (began <= now_unix_ns, began)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_that_is_not_stored_is_no_success_and_no_end() {
        assert_eq!(announce(Ok(PathBuf::new())).expect("stored"), 0);
        let full = Stop::Environment("the disk is full".to_owned());
        assert_eq!(announce(Err(full)).expect("printed"), ENVIRONMENT);
        assert!(announce(Err(Stop::Usage(String::new()))).is_err());
    }

    #[test]
    fn a_run_of_a_later_time_is_older_than_all_others() {
        let began = |started_unix_ns| Header {
            started_unix_ns,
            ..Header::default()
        };
        let order = [4, 9, 1, 2, 3].map(|time| recency(&began(time), 3));
        assert!(order.is_sorted());
    }
}
