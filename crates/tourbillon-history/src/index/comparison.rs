//! What the history keeps of a comparison of two commits.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use tourbillon_record::{Finding, Run, Undecided, Verdict};
use tourbillon_tool::machine_kind::Machine;

use crate::index::json::{self, FORM};

/// The facts in the header of a comparison that name the two commits, that of the reference first.
const COMMITS: [&str; 2] = ["reference_commit", "candidate_commit"];
/// How the builds differ from plain ones of these commits.
const FLAGS: [&str; 2] = ["reference_flags", "candidate_flags"];

/// A comparison without its samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparisonSummary {
    /// Version of the form.
    form: u32,
    /// SHA-256 of the record, in hexadecimal digits.
    pub record: String,
    /// The commits in full, that of the reference first.
    pub commits: [String; 2],
    /// Start in nanoseconds since the Unix epoch.
    pub started_unix_ns: u64,
    /// The kind of machine.
    pub machine: Machine,
    /// The verdicts on times, and on numbers in place of them.
    pub verdicts: Vec<CommitVerdict>,
}

/// The verdict on the time of a case at two commits, or on its number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CommitVerdict {
    /// Identity of the case.
    pub case: String,
    /// How the second commit compares with the first.
    #[serde(serialize_with = "write_finding", deserialize_with = "read_finding")]
    pub finding: Finding,
    /// Why it is undecided; `None` where it is decided, and of comparisons of before.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "write_why",
        deserialize_with = "read_why"
    )]
    pub why: Option<Undecided>,
    /// What was compared in place of wall time; where it is worse, the finding is *slower*.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<NumberName>,
    /// Time at the second commit divided by that at the first.
    pub ratio: Option<f64>,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
    /// The ratio that decides between faster and slower; `None` where that is 1, with a margin.
    pub limit: Option<f64>,
    /// Relative difference up to which two times count as the same.
    pub margin: f64,
    /// Confidence of the finding, 0 to 1.
    pub confidence: f64,
}

/// What a number is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberName {
    /// Its name, such as `retries` or `cpu_time`.
    pub name: String,
    /// Its unit.
    pub unit: String,
}

impl ComparisonSummary {
    /// The summary of a comparison whose record has this hash; `None` where it is none of two plain builds of
    /// commits, or has no verdict.
    pub fn of(run: &Run, record: &str) -> Option<ComparisonSummary> {
        let [Some(reference), Some(candidate)] = COMMITS.map(|name| run.header.fact_text(name))
        else {
            return None;
        };
        let flags = FLAGS.map(|name| run.header.fact_text(name).unwrap_or_default());
        if flags.iter().any(|flags| !flags.is_empty()) {
            return None;
        }
        let of_times = run.verdicts.iter().filter(|one| one.metric.is_none());
        let verdicts: Vec<CommitVerdict> = of_times.map(CommitVerdict::of).collect();
        (!verdicts.is_empty()).then(|| ComparisonSummary {
            form: FORM,
            record: record.to_owned(),
            commits: [reference, candidate].map(str::to_owned),
            started_unix_ns: run.header.started_unix_ns,
            machine: Machine::of(&run.header),
            verdicts,
        })
    }

    /// A comparison without verdicts.
    #[cfg(any(feature = "postgres", feature = "sqlite"))]
    pub(crate) fn new(
        record: String,
        commits: [String; 2],
        started_unix_ns: u64,
        machine: Machine,
    ) -> ComparisonSummary {
        ComparisonSummary {
            form: FORM,
            record,
            commits,
            started_unix_ns,
            machine,
            verdicts: Vec::new(),
        }
    }

    pub(crate) fn parse(bytes: &[u8]) -> Result<ComparisonSummary, String> {
        json::parse(bytes, "a comparison", |one: &ComparisonSummary| one.form)
    }

    /// The verdict on a case.
    pub fn verdict(&self, case: &str) -> Option<&CommitVerdict> {
        self.verdicts.iter().find(|verdict| verdict.case == case)
    }
}

impl CommitVerdict {
    /// Whether both commits have the same code for the case, whatever is measured: nothing else is certain.
    pub(crate) fn is_of_equal_code(&self) -> bool {
        self.confidence >= 1.0
    }

    fn of(verdict: &Verdict) -> CommitVerdict {
        let is_unchanged = verdict.finding == Finding::Unchanged;
        let ratio = |measured| if is_unchanged { Some(1.0) } else { measured };
        CommitVerdict {
            case: verdict.case.clone(),
            finding: match (verdict.finding, verdict.limit) {
                // The same code takes the same time, which is on one side of every limit.
                (Finding::Unchanged, None) => Finding::Same,
                (Finding::Unchanged, Some(limit)) if limit > 1.0 => Finding::Faster,
                (Finding::Unchanged, Some(_)) => Finding::Slower,
                (found, _) => found,
            },
            why: verdict.why,
            number: verdict.number.as_ref().map(|number| NumberName {
                name: number.name.clone(),
                unit: number.unit.clone(),
            }),
            ratio: ratio(verdict.ratio),
            lower: ratio(verdict.lower),
            upper: ratio(verdict.upper),
            limit: verdict.limit,
            margin: verdict.margin,
            confidence: verdict.confidence,
        }
    }
}

fn write_finding<S: Serializer>(finding: &Finding, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(finding.name())
}

fn read_finding<'d, D: Deserializer<'d>>(from: D) -> Result<Finding, D::Error> {
    let word = String::deserialize(from)?;
    let found = Finding::of_name(&word);
    found.ok_or_else(|| de::Error::custom(format!("{word:?} is no verdict")))
}

fn write_why<S: Serializer>(why: &Option<Undecided>, to: S) -> Result<S::Ok, S::Error> {
    why.map(Undecided::name).serialize(to)
}

/// A reason that only a newer version knows is none.
fn read_why<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Undecided>, D::Error> {
    let word = Option::<String>::deserialize(from)?;
    Ok(word.and_then(|word| Undecided::of_name(&word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_code_takes_the_same_time_and_is_on_one_side_of_a_limit() {
        let of = |limit| {
            let verdict = CommitVerdict::of(&Verdict {
                finding: Finding::Unchanged,
                limit,
                confidence: 1.0,
                ..Verdict::default()
            });
            assert!(verdict.is_of_equal_code());
            assert_eq!(
                (verdict.ratio, verdict.lower, verdict.upper),
                (Some(1.0), Some(1.0), Some(1.0))
            );
            verdict.finding
        };
        assert_eq!(of(None), Finding::Same);
        assert_eq!(of(Some(1.2)), Finding::Faster);
        assert_eq!(of(Some(0.8)), Finding::Slower);
    }
}
