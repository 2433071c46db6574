//! The variables in which engines that start several processes number them.

/// An engine that starts a process several times, and numbers the processes.
struct Engine {
    name: &'static str,
    /// The variable with the number of the process.
    index: &'static str,
    /// The number of the first process, or the variable that has it.
    first: First,
    /// The variable with the number of processes.
    count: Option<&'static str>,
}

enum First {
    Number(u64),
    Variable(&'static str),
}

const ENGINES: [Engine; 7] = [
    Engine {
        name: "Slurm",
        index: "SLURM_ARRAY_TASK_ID",
        first: First::Variable("SLURM_ARRAY_TASK_MIN"),
        count: Some("SLURM_ARRAY_TASK_COUNT"),
    },
    Engine {
        name: "Kubernetes",
        index: "JOB_COMPLETION_INDEX",
        first: First::Number(0),
        count: None,
    },
    Engine {
        name: "AWS Batch",
        index: "AWS_BATCH_JOB_ARRAY_INDEX",
        first: First::Number(0),
        count: Some("AWS_BATCH_JOB_ARRAY_SIZE"),
    },
    Engine {
        name: "Buildkite",
        index: "BUILDKITE_PARALLEL_JOB",
        first: First::Number(0),
        count: Some("BUILDKITE_PARALLEL_JOB_COUNT"),
    },
    Engine {
        name: "GitLab",
        index: "CI_NODE_INDEX",
        first: First::Number(1),
        count: Some("CI_NODE_TOTAL"),
    },
    Engine {
        name: "CircleCI",
        index: "CIRCLE_NODE_INDEX",
        first: First::Number(0),
        count: Some("CIRCLE_NODE_TOTAL"),
    },
    Engine {
        name: "Nomad",
        index: "NOMAD_ALLOC_INDEX",
        first: First::Number(0),
        count: None,
    },
];

/// The last number of a Slurm array. With a step or a list, numbers are missing, and no variable lists them.
const SLURM_LAST: &str = "SLURM_ARRAY_TASK_MAX";

/// The shard of this process, from 1, and the number of shards, by the variables of the engine that started it.
/// `shards` is the number on the command line.
///
/// # Errors
///
/// When no engine is known or several are, or a variable is missing or makes no sense.
pub(crate) fn shard_of_engine(
    variable: &dyn Fn(&str) -> Option<String>,
    shards: Option<u64>,
) -> Result<(u64, u64), String> {
    let number = |name: &str| -> Result<Option<u64>, String> {
        let Some(value) = variable(name).filter(|value| !value.is_empty()) else {
            return Ok(None);
        };
        match value.trim().parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(format!("{name} is {value:?}, which is not a whole number")),
        }
    };
    let mut found = Vec::new();
    for engine in &ENGINES {
        if let Some(index) = number(engine.index)? {
            found.push((engine, index));
        }
    }
    let (engine, index) = match found[..] {
        [one] => one,
        [] => {
            let known: Vec<&str> = ENGINES.iter().map(|engine| engine.index).collect();
            return Err(format!(
                "auto finds no shard: none of {} is set; write hash:1/4",
                known.join(", ")
            ));
        }
        [(one, _), (other, _), ..] => {
            return Err(format!(
                "auto finds two shards: {} and {} are set; write hash:1/4",
                one.index, other.index
            ));
        }
    };
    let counted = match engine.count {
        Some(name) => number(name)?.map(|count| (name, count)),
        None => None,
    };
    let shards = match (counted, shards) {
        (Some((_, counted)), None) => counted,
        (None, Some(typed)) => typed,
        (Some((_, counted)), Some(typed)) if counted == typed => typed,
        (Some((name, counted)), Some(typed)) => {
            return Err(format!(
                "auto/{typed} contradicts {name}, which is {counted}; write auto"
            ));
        }
        (None, None) => {
            return Err(format!(
                "{} sets {} and not the number of shards; write auto/N with that number",
                engine.name, engine.index
            ));
        }
    };
    let first = match engine.first {
        First::Number(first) => first,
        First::Variable(name) => number(name)?.unwrap_or(0),
    };
    let last = match engine.first {
        First::Number(_) => None,
        First::Variable(_) => number(SLURM_LAST)?,
    };
    let has_gaps = last.is_some_and(|last| last.wrapping_sub(first).wrapping_add(1) != shards);
    match index.checked_sub(first) {
        Some(position) if position < shards && !has_gaps => Ok((position + 1, shards)),
        _ => {
            let end = first.saturating_add(shards).saturating_sub(1);
            let (name, variable) = (engine.name, engine.index);
            Err(format!(
                "{shards} shards of {name} have the numbers {first} to {end} without gaps; {variable} is {index}"
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shard in an environment of `NAME=VALUE` words.
    fn shard(environment: &str, shards: Option<u64>) -> Result<(u64, u64), String> {
        let variable = |name: &str| {
            let mut words = environment.split_whitespace();
            words.find_map(|word| Some(word.strip_prefix(name)?.strip_prefix('=')?.to_owned()))
        };
        shard_of_engine(&variable, shards)
    }

    #[test]
    fn each_engine_numbers_its_processes_in_its_own_way() {
        for (shards, environment, expected) in [
            (
                None,
                "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_COUNT=8",
                (4, 8),
            ),
            (
                None,
                "SLURM_ARRAY_TASK_ID=8 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_COUNT=8",
                (8, 8),
            ),
            (Some(5), "JOB_COMPLETION_INDEX=4", (5, 5)),
            (
                None,
                "AWS_BATCH_JOB_ARRAY_INDEX=0 AWS_BATCH_JOB_ARRAY_SIZE=3",
                (1, 3),
            ),
            (
                None,
                "BUILDKITE_PARALLEL_JOB=2 BUILDKITE_PARALLEL_JOB_COUNT=3",
                (3, 3),
            ),
            (None, "CI_NODE_INDEX=1 CI_NODE_TOTAL=2", (1, 2)),
            (Some(2), "CI_NODE_INDEX=2 CI_NODE_TOTAL=2", (2, 2)),
            (None, "CIRCLE_NODE_INDEX=1 CIRCLE_NODE_TOTAL=2", (2, 2)),
            (Some(9), "NOMAD_ALLOC_INDEX=0", (1, 9)),
            // GitLab sets the total in every job.
            (Some(4), "CI_NODE_TOTAL=1 JOB_COMPLETION_INDEX=0", (1, 4)),
        ] {
            assert_eq!(shard(environment, shards), Ok(expected), "{environment}");
        }
    }

    #[test]
    fn what_cannot_be_known_is_a_mistake() {
        for (shards, environment, expected) in [
            (
                None,
                "",
                "auto finds no shard: none of SLURM_ARRAY_TASK_ID, ",
            ),
            (
                None,
                "CI_NODE_INDEX=1 CI_NODE_TOTAL=1 NOMAD_ALLOC_INDEX=0",
                "auto finds two shards: CI_NODE_INDEX and NOMAD_ALLOC_INDEX are set; write hash:1/4",
            ),
            (
                None,
                "JOB_COMPLETION_INDEX=0",
                "Kubernetes sets JOB_COMPLETION_INDEX and not the number of shards; write auto/N",
            ),
            (
                Some(4),
                "JOB_COMPLETION_INDEX=4",
                "4 shards of Kubernetes have the numbers 0 to 3 without gaps; JOB_COMPLETION_INDEX is 4",
            ),
            (
                Some(4),
                "CI_NODE_INDEX=1 CI_NODE_TOTAL=3",
                "auto/4 contradicts CI_NODE_TOTAL, which is 3; write auto",
            ),
            (
                None,
                "CI_NODE_INDEX=0 CI_NODE_TOTAL=3",
                "3 shards of GitLab have the numbers 1 to 3 without gaps; CI_NODE_INDEX is 0",
            ),
            (
                None,
                "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=6 SLURM_ARRAY_TASK_COUNT=4",
                "4 shards of Slurm have the numbers 0 to 3 without gaps; SLURM_ARRAY_TASK_ID is 2",
            ),
            (
                None,
                "CIRCLE_NODE_INDEX=x",
                "CIRCLE_NODE_INDEX is \"x\", which is not a whole number",
            ),
        ] {
            let error = shard(environment, shards).expect_err(environment);
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
