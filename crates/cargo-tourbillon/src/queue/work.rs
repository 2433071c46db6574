//! `cargo tourbillon work`.

use clap::Args;
use tourbillon_index::queue::{Event, Job, Patience, work};
use tourbillon_os::Signals;
use tourbillon_report::escape;

use super::measurer::Measurer;
use super::queue_flag::QueueFlag;
use crate::exit::{INTERRUPTED, Stop, print, say};

const AFTER: &str = "\
A worker runs the code of the commits that are queued: let only those add requests who may run code here.";

/// Measure the jobs of a queue on this machine
///
/// Runs in a checkout. Fetches commits that are missing, builds both sides of a job as `compare` does, and stores the
/// record in the queue. Start one worker on each machine. Ctrl-C gives the job back.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    #[command(flatten)]
    queue: QueueFlag,
    /// Name of this machine [its host name]
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    /// End when no job is waiting or running
    #[arg(long)]
    until_empty: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let address = arguments.queue.address()?;
    let machine = match &arguments.machine {
        Some(name) => name.clone(),
        None => whoami::hostname().map_err(|error| {
            let what = format!("the host name is unknown: {error}");
            Stop::Environment(format!("{what}; name this machine with --machine"))
        })?,
    };
    if machine.trim().is_empty() {
        return Err(Stop::Usage("the name of the machine is empty".to_owned()));
    }
    let signals = Signals::install()
        .map_err(|error| Stop::Environment(format!("signals cannot be handled: {error}")))?;
    let folder = tempfile::tempdir()
        .map_err(|error| Stop::Environment(format!("no temporary folder: {error}")))?;
    let measurer = Measurer::new(signals, folder.path().to_owned());
    let patience = Patience::default();
    say(&format!(
        "machine {} waits for jobs\n",
        escape(&machine, true)
    ));
    let mut printed = Ok(());
    let worked = work(
        &address,
        &machine,
        patience,
        arguments.until_empty,
        &measurer,
        &mut |event| {
            if printed.is_ok() {
                printed = print(&line(&event));
            }
        },
    );
    printed?;
    match worked? {
        true => Err(Stop::Code(INTERRUPTED)),
        false => Ok(()),
    }
}

fn line(event: &Event<'_>) -> String {
    let name = |job: &Job| {
        let (shard, shards) = (job.shard, job.shards);
        format!("request {}, shard {shard} of {shards}", job.request)
    };
    match event {
        Event::Claimed(job) => format!("{}: started, attempt {}\n", name(job), job.attempt),
        Event::Stored(job) => format!("{}: stored\n", name(job)),
        Event::Failed(job, reason) => format!("{}: failed: {}\n", name(job), escape(reason, true)),
        Event::Lost(job) => format!(
            "{}: cancelled, or taken over by another worker; the result is discarded\n",
            name(job)
        ),
        Event::Disconnected(error) => format!("{error}; trying again\n"),
    }
}
