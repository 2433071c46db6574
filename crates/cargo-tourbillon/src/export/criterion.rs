//! The files of criterion, in a folder.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;

use tourbillon_criterion_files::{
    Amount, Batch, BenchmarkName, Directories, Estimates, Files, batches, folder_name,
};
use tourbillon_record::{Throughput, ThroughputUnit};
use tourbillon_values::own_folder;

use super::rows::{ExportedCase, Omitted, cases};
use crate::exit::Stop;
use crate::output::{self, not_written, refuse_inputs};
use crate::records::Record;

/// The folder of results that have no other name.
const NEW: &str = "new";

/// Writes the files of all cases below a folder: a baseline for each record, with its name if it `is_named`.
pub(super) fn write(
    records: &[Record],
    is_named: bool,
    folder: &Path,
) -> Result<Vec<Omitted>, Stop> {
    let name = |record: &Record| folder_name(if is_named { &record.name } else { NEW });
    let mut names = HashSet::new();
    if let Some(twice) = records
        .iter()
        .map(name)
        .find(|name| !names.insert(name.clone()))
    {
        let what = format!(
            "two records are named {twice:?}, and would be one baseline; rename one of the files"
        );
        return Err(Stop::Usage(what));
    }
    // Links below it are refused, tracked or not.
    output::refuse_tracked_link(folder, Some("-o DIR"))?;
    let mut omitted = Vec::new();
    for record in records {
        let baseline = name(record);
        let mut directories = Directories::default();
        for case in cases(std::slice::from_ref(record))? {
            let named = BenchmarkName::of(case.case);
            let directory = directories.next(&named);
            let (estimates, batches) = match figures(&case) {
                Ok(figures) => figures,
                Err(why) => {
                    omitted.push(why);
                    continue;
                }
            };
            let throughput = case.main().and_then(|main| main.throughput).map(amount);
            let files = Files {
                named: &named,
                id: &case.case.id,
                throughput,
                directory: &directory.to_string_lossy().replace('\\', "/"),
                estimates: Some(&estimates),
                batches: &batches,
            };
            let below = directory.join(&baseline);
            let of_baseline =
                own_folder::below(folder, &below).map_err(|error| not_written(folder, &error))?;
            for (name, content) in files.contents() {
                let path = of_baseline.join(name);
                written(&path, content.as_deref())?;
            }
        }
    }
    Ok(omitted)
}

/// The statistics of a case, and its batches where the record has them. The files have no unit: readers take the
/// figures for nanoseconds.
fn figures(case: &ExportedCase<'_>) -> Result<(Estimates, Vec<Batch>), Omitted> {
    let main = case.wall_time()?.result;
    let estimates = Estimates::of(main).ok_or_else(|| case.omitted("no figure"))?;
    let clock = &case.run.header.clock;
    let batches = case
        .samples
        .iter()
        .flat_map(|launch| batches(launch, clock));
    Ok((estimates, batches.collect()))
}

/// As criterion has it.
fn amount(throughput: Throughput) -> Amount {
    match throughput.unit {
        ThroughputUnit::Bytes => Amount::Bytes(throughput.per_op),
        ThroughputUnit::Items => Amount::Elements(throughput.per_op),
    }
}

/// Writes a file, or removes one without content.
fn written(path: &Path, content: Option<&str>) -> Result<(), Stop> {
    let failed = |error: io::Error| not_written(path, &error);
    let Some(content) = content else {
        refuse_inputs(path, [])?;
        return match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(()),
        };
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    output::write_own(path, content)
}
