//! What a stored run has measured.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use tourbillon_values::regular_file;

use crate::{Absence, CaseResult, Error, Results};

/// Bytes of a file that are read at once.
const CHUNK: usize = 1 << 16;

/// Reads a stored run.
pub(crate) fn read(file: File) -> io::Result<Result<Results, Error>> {
    Results::read(&mut BufReader::with_capacity(CHUNK, file))
}

/// Whether there is an estimate, or a bound below the resolution.
pub(crate) fn is_measured(result: &CaseResult) -> bool {
    matches!(result.estimate, Ok(_) | Err(Absence::BelowResolution))
}

/// The cases that a stored run has measured, or compared: none where it is damaged. `None` where only a newer version
/// can read it, or this process may not.
pub(crate) fn measured_cases(run: &Path) -> Option<BTreeSet<String>> {
    let Results {
        results, verdicts, ..
    } = match read(regular_file::open(run).ok()?).ok()? {
        Ok(results) => results,
        Err(error) if error.is_other_schema() => return None,
        Err(_) => return Some(BTreeSet::new()),
    };
    let measured = results.into_iter().filter(is_measured);
    let compared = verdicts
        .into_iter()
        .filter(|verdict| verdict.ratio.is_some());
    let measured = measured.map(|result| result.case);
    Some(
        measured
            .chain(compared.map(|verdict| verdict.case))
            .collect(),
    )
}
