//! `cargo tourbillon plan`: which shard measures which case.

use clap::{Args, ValueEnum, value_parser};
use serde_json::json;
use tourbillon_coordinator::values::{Partition, PartitionMethod};
use tourbillon_report::counted;

use crate::exit::{NOTHING, Stop, print, print_json, say};
use crate::run::cases;

const AFTER: &str = "\
Examples:
  cargo tourbillon plan --shards 4
  cargo tourbillon plan --shards 4 --format jsonl -p examples sort
  echo \"matrix=$(cargo tourbillon plan --shards 4 --format github-matrix)\" \\
    >> \"$GITHUB_OUTPUT\"";

/// Print how cases are divided among machines
///
/// Lists the shards of `run --partition` and `compare --partition` with the number of their cases. Builds the
/// bench targets to find the cases; flags of `cargo bench` and filters go after the flags of this subcommand.
/// --format jsonl prints a line for each case. --format github-matrix prints the matrix of a job on GitHub,
/// and builds nothing.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// How many shards there are
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=256))]
    shards: u64,
    /// How cases are divided: hash (by their ids) or slice (in turn)
    #[arg(long, value_name = "HOW", default_value = "hash", value_parser = method)]
    method: PartitionMethod,
    /// Format of the plan: text, jsonl or github-matrix
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Of cargo bench and of the bench binaries
    #[arg(value_name = "FLAGS AND FILTERS", num_args = 0..)]
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    typed: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    #[value(alias = "json")]
    Jsonl,
    GithubMatrix,
}

fn method(typed: &str) -> Result<PartitionMethod, String> {
    Partition::parse(&format!("{typed}:1/1"), &|_| None).map(|partition| partition.method)
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let shards: Vec<Partition> = (1..=arguments.shards)
        .map(|shard| Partition {
            method: arguments.method,
            shard,
            shards: arguments.shards,
        })
        .collect();
    if arguments.format == Format::GithubMatrix {
        return print_json(github_matrix(&shards));
    }
    let cases = cases(&arguments.typed)?;
    if cases.is_empty() {
        say("nothing is selected; `cargo tourbillon run -- --list` lists the cases\n");
        return Err(Stop::Code(NOTHING));
    }
    let ids: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    match arguments.format {
        Format::Jsonl => print_json(json_lines(&shards, &ids)),
        _ => print(&text(&shards, &ids)),
    }
}

/// A matrix with the values of `--partition`.
fn github_matrix(shards: &[Partition]) -> String {
    let values: Vec<String> = shards.iter().map(Partition::to_string).collect();
    format!("{}\n", json!({ "partition": values }))
}

fn text(shards: &[Partition], ids: &[&str]) -> String {
    let shard = |partition: &Partition| {
        let takes = |(position, id): &(u64, &&str)| partition.takes(id, *position);
        let count = (0..).zip(ids).filter(takes).count();
        format!("{partition}  {}\n", counted(count, "case"))
    };
    shards.iter().map(shard).collect()
}

fn json_lines(shards: &[Partition], ids: &[&str]) -> String {
    let line = |(position, id): (u64, &&str)| {
        let shard = shards
            .iter()
            .find(|partition| partition.takes(id, position));
        let partition = shard.map(Partition::to_string);
        format!("{}\n", json!({ "case": id, "partition": partition }))
    };
    (0..).zip(ids).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shards(method: PartitionMethod, shards: u64) -> Vec<Partition> {
        let shard = |shard| Partition {
            method,
            shard,
            shards,
        };
        (1..=shards).map(shard).collect()
    }

    #[test]
    fn a_matrix_has_a_value_for_each_shard() {
        let matrix = github_matrix(&shards(PartitionMethod::Hash, 3));
        assert_eq!(
            matrix,
            "{\"partition\":[\"hash:1/3\",\"hash:2/3\",\"hash:3/3\"]}\n"
        );
    }

    #[test]
    fn a_plan_has_each_case_once() {
        let ids = ["a/b::c", "a/b::d", "a/b::e"];
        let slices = shards(PartitionMethod::Slice, 2);
        assert_eq!(
            text(&slices, &ids),
            "slice:1/2  2 cases\nslice:2/2  1 case\n"
        );
        let lines = json_lines(&slices, &ids);
        let first = "{\"case\":\"a/b::c\",\"partition\":\"slice:1/2\"}";
        assert_eq!(lines.lines().next(), Some(first));
        assert_eq!(lines.lines().count(), 3);
    }
}
