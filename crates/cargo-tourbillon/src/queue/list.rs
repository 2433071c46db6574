//! `queue list`.

use clap::Args;
use serde_json::json;
use tourbillon_index::queue::{QueueMachine, QueuedRequest};
use tourbillon_report::Style;

use super::comparison::QueuedComparison;
use super::queue_flag::QueueFlag;
use crate::exit::{Stop, print};
use crate::screen::{ColorFlag, Page, TextOrJson};
use crate::table::Sheet;

/// Digits of a commit in texts.
const DIGITS: usize = 9;
/// Most letters of the reason of a failure in texts.
const LONGEST_REASON: usize = 300;

/// List requests, failures and machines
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Requests that are complete, too
    #[arg(long)]
    all: bool,
    /// Format: text or jsonl
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
    #[command(flatten)]
    color: ColorFlag,
}

pub(super) fn run(arguments: &Arguments, flag: &QueueFlag) -> Result<(), Stop> {
    let mut queue = flag.open()?;
    let mut requests = queue.requests()?;
    let is_open = |one: &QueuedRequest| !one.jobs.is_complete() || !one.failures.is_empty();
    requests.retain(|one| arguments.all || is_open(one));
    let machines = queue.machines()?;
    print(&match arguments.format {
        TextOrJson::Text => text(&requests, &machines, &arguments.color.style()),
        TextOrJson::Json => json_lines(&requests, &machines),
    })
}

fn text(requests: &[QueuedRequest], machines: &[QueueMachine], style: &Style) -> String {
    let mut page = Page::new(style);
    if requests.is_empty() {
        page.say("", "no open requests; --all lists the others");
    } else {
        let mut sheet = Sheet::new("request").left(["commits"]).right([
            "waiting",
            "running",
            "done",
            "failed",
            "cancelled",
        ]);
        for request in requests {
            let jobs = request.jobs;
            let counts = [
                jobs.waiting,
                jobs.running,
                jobs.done,
                jobs.failed,
                jobs.cancelled,
            ];
            let cells = [request.number.to_string(), commits(request)];
            sheet.row(
                cells
                    .into_iter()
                    .chain(counts.map(|count| count.to_string())),
            );
        }
        page.sheet(&sheet);
    }
    for request in requests {
        for (shard, reason) in &request.failures {
            page.line("");
            let reason = last(reason, LONGEST_REASON);
            page.quote(
                "",
                &format!("request {}, shard {shard} failed: {reason}", request.number),
            );
        }
    }
    if !machines.is_empty() {
        page.line("");
        let mut sheet = Sheet::new("machine").right(["shards", "silent for"]);
        for machine in machines {
            let silent = format!("{} s", machine.silent_s);
            sheet.row([machine.name.clone(), machine.pins.to_string(), silent]);
        }
        page.sheet(&sheet);
    }
    page.text
}

/// The two commits of a request.
fn commits(request: &QueuedRequest) -> String {
    match QueuedComparison::parse(&request.comparison) {
        Ok(comparison) => {
            let [old, new] = [&comparison.reference, &comparison.candidate];
            format!("{}..{}", &old[..DIGITS], &new[..DIGITS])
        }
        Err(_) => "of another version".to_owned(),
    }
}

/// The end of a text, which has the error of a program.
fn last(text: &str, most: usize) -> String {
    let skipped = text.chars().count().saturating_sub(most);
    let dots = if skipped > 0 { ".." } else { "" };
    format!(
        "{dots}{}",
        text.chars().skip(skipped).collect::<String>().trim()
    )
}

fn json_lines(requests: &[QueuedRequest], machines: &[QueueMachine]) -> String {
    let request = |one: &QueuedRequest| {
        let comparison = QueuedComparison::parse(&one.comparison).unwrap_or_default();
        json!({
            "type": "request",
            "request": one.number,
            "reference": comparison.reference,
            "candidate": comparison.candidate,
            "waiting": one.jobs.waiting,
            "running": one.jobs.running,
            "done": one.jobs.done,
            "failed": one.jobs.failed,
            "cancelled": one.jobs.cancelled,
            "failures": one.failures.iter().map(|(shard, reason)| json!({
                "shard": shard,
                "reason": reason,
            })).collect::<Vec<_>>(),
        })
    };
    let machine = |one: &QueueMachine| {
        json!({
            "type": "machine",
            "machine": one.name,
            "shards": one.pins,
            "silent_s": one.silent_s,
        })
    };
    let lines = requests
        .iter()
        .map(request)
        .chain(machines.iter().map(machine));
    lines.map(|line| format!("{line}\n")).collect()
}
