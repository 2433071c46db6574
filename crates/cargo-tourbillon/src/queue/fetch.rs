//! `queue fetch`.

use std::fs;
use std::path::PathBuf;
use std::thread;

use clap::Args;
use tourbillon_index::queue::{Patience, Queue, QueuedRequest, StoredRecord};

use super::queue_flag::QueueFlag;
use crate::exit::{FAILED, Stop, print, say};

/// Write the records of a request to a folder
///
/// One file for each shard; `merge` joins them. Exits with 3 while a shard has no result.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The request
    #[arg(value_name = "REQUEST")]
    request: i64,
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Wait until no job of it is waiting or running
    #[arg(long)]
    wait: bool,
}

pub(super) fn run(arguments: &Arguments, flag: &QueueFlag) -> Result<(), Stop> {
    let mut queue = flag.open()?;
    let mut request = find(&mut queue, arguments.request)?;
    while arguments.wait && !request.jobs.is_complete() {
        thread::sleep(Patience::default().poll);
        request = find(&mut queue, arguments.request)?;
    }
    let folder = &arguments.folder;
    let failed =
        |error: std::io::Error| Stop::Environment(format!("{folder:?} cannot be written: {error}"));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut count = 0;
    queue.records(arguments.request, |record: StoredRecord| {
        let name = format!("{}-{}.jsonl", arguments.request, record.shard);
        count += 1;
        fs::write(folder.join(name), &record.bytes).map_err(failed)
    })?;
    let jobs = request.jobs;
    let all = jobs.waiting + jobs.running + jobs.done + jobs.failed + jobs.cancelled;
    print(&format!(
        "{count} of {all} shards written to {}\n",
        folder.display()
    ))?;
    for (shard, reason) in &request.failures {
        say(&format!(
            "shard {shard} failed: {}\n",
            tourbillon_report::escape(reason, true)
        ));
    }
    match count == all {
        true => Ok(()),
        false => Err(Stop::Code(FAILED)),
    }
}

fn find(queue: &mut Queue, number: i64) -> Result<QueuedRequest, Stop> {
    let requests = queue.requests()?;
    let own = requests.into_iter().find(|one| one.number == number);
    own.ok_or_else(|| {
        let what = format!("the queue has no request {number}");
        Stop::Usage(format!(
            "{what}; `cargo tourbillon queue list --all` lists them"
        ))
    })
}
