//! A comparison in the queue, and the command line that measures a shard of it.

use serde::{Deserialize, Serialize};
use tourbillon_index::queue::Job;
use tourbillon_values::{Partition, PartitionMethod};

use crate::compare::Selected;

/// What a request compares.
///
/// Other machines execute it, so it can express no more than a comparison of two commits of their own repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QueuedComparison {
    /// The two commits, in full.
    pub(super) reference: String,
    pub(super) candidate: String,
    pub(super) selected: Selected,
    /// As the user wrote them.
    pub(super) time: Option<String>,
    pub(super) margin: Option<String>,
    pub(super) confidence: Option<String>,
    pub(super) exact: bool,
    pub(super) filters: Vec<String>,
}

impl QueuedComparison {
    /// The text for the queue.
    pub(super) fn text(&self) -> String {
        // Texts, lists and flags: JSON has them all.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a text of the queue.
    ///
    /// # Errors
    ///
    /// When it is damaged, of a newer version, or not a comparison of commits.
    pub(super) fn parse(text: &str) -> Result<QueuedComparison, String> {
        let parsed: QueuedComparison =
            serde_json::from_str(text).map_err(|error| format!("not a comparison: {error}"))?;
        parsed.check()?;
        Ok(parsed)
    }

    /// Fails if a text could be read as something else than what it is.
    pub(super) fn check(&self) -> Result<(), String> {
        for commit in [&self.reference, &self.candidate] {
            let is_hash = matches!(commit.len(), 40 | 64)
                && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !is_hash {
                return Err(format!("{commit:?} is not the full hash of a commit"));
            }
        }
        match self.filters.iter().find(|filter| filter.starts_with('-')) {
            Some(flag) => Err(format!(
                "{flag:?} is a flag of bench programs; the queue takes filters and --exact only"
            )),
            None => Ok(()),
        }
    }

    /// The arguments of `compare` for a job.
    pub(super) fn arguments(&self, job: &Job) -> Vec<String> {
        let partition = Partition {
            method: PartitionMethod::Hash,
            shard: job.shard,
            shards: job.shards,
        };
        let mut arguments = vec![
            "compare".to_owned(),
            self.reference.clone(),
            self.candidate.clone(),
            format!("--partition={partition}"),
        ];
        arguments.extend(self.selected.arguments());
        for (name, value) in [
            ("time", &self.time),
            ("margin", &self.margin),
            ("confidence", &self.confidence),
        ] {
            // In one argument with its flag, a value is no flag.
            arguments.extend(value.iter().map(|value| format!("--{name}={value}")));
        }
        arguments.push("--".to_owned());
        arguments.extend(self.exact.then(|| "--exact".to_owned()));
        arguments.extend(self.filters.iter().cloned());
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison() -> QueuedComparison {
        QueuedComparison {
            reference: "0123456789abcdef0123456789abcdef01234567".to_owned(),
            candidate: "f".repeat(40),
            time: Some("20s".to_owned()),
            exact: true,
            filters: vec!["sort/heap".to_owned()],
            ..QueuedComparison::default()
        }
    }

    fn job() -> Job {
        Job {
            number: 7,
            attempt: 1,
            request: 3,
            comparison: String::new(),
            shard: 2,
            shards: 8,
            machine: "m1".to_owned(),
        }
    }

    #[test]
    fn a_job_is_a_shard_of_a_comparison() {
        let own = comparison();
        assert_eq!(QueuedComparison::parse(&own.text()), Ok(own.clone()));
        let expected = [
            "compare",
            "0123456789abcdef0123456789abcdef01234567",
            &"f".repeat(40),
            "--partition=hash:2/8",
            "--time=20s",
            "--",
            "--exact",
            "sort/heap",
        ];
        assert_eq!(own.arguments(&job()), expected);
    }

    #[test]
    fn what_is_no_comparison_of_commits_is_refused() {
        let refused = |change: &dyn Fn(&mut QueuedComparison)| {
            let mut own = comparison();
            change(&mut own);
            QueuedComparison::parse(&own.text()).expect_err("refused")
        };
        for commit in ["main", "--bin", "", "../../x", "0123456789abcdef"] {
            let error = refused(&|own| own.reference = commit.to_owned());
            assert!(error.contains("is not the full hash"), "{error}");
            let error = refused(&|own| own.candidate = commit.to_owned());
            assert!(error.contains("is not the full hash"), "{error}");
        }
        let error = refused(&|own| own.filters.push("--store=/".to_owned()));
        assert!(error.contains("is a flag of bench programs"), "{error}");
        for text in ["", "[]", "{}", "{\"reference\":1}"] {
            assert!(QueuedComparison::parse(text).is_err(), "{text}");
        }
        let unknown = comparison().text().replacen('{', "{\"program\":\"sh\",", 1);
        let error = QueuedComparison::parse(&unknown).expect_err("unknown");
        assert!(error.contains("program"), "{error}");
    }

    #[test]
    fn a_value_is_no_flag() {
        let own = QueuedComparison {
            time: Some("--bin".to_owned()),
            ..comparison()
        };
        let arguments = own.arguments(&job());
        assert!(
            arguments.contains(&"--time=--bin".to_owned()),
            "{arguments:?}"
        );
    }
}
