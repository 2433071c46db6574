//! What is merged, and what it comes to.

use std::collections::BTreeMap;

use tourbillon_record::{Case, Header};
use tourbillon_report::escape;
use tourbillon_tool::exit::Stop;
use tourbillon_tool::record_file::{StoredRun, is_unbegun, parse_without_samples, split};
use tourbillon_tool::sha256::sha256;
use tourbillon_tool::store::recency;

use super::answer::Answer;
use super::gate::SuiteGate;
use super::identity::ComparisonIdentity;
use super::machines::Machines;

/// Records of shards and of machines, each once and in an order that does not depend on that of the files.
pub(super) struct Parts {
    /// By suite, number of the shard, recency and hash.
    parts: BTreeMap<(Suite, u64, (bool, u64), String), Part>,
    /// Number of other runs.
    pub(super) others: u64,
    /// Those of them that are comparisons of builds.
    other_comparisons: Vec<String>,
    /// Number of runs that began after now: of two runs of a shard, the other one counts.
    pub(super) ahead: u64,
    /// Number of runs that were killed before they had written a line.
    pub(super) unbegun: u64,
    now_unix_ns: u64,
}

/// What all suites come to.
pub(super) struct Answers {
    /// A line for each suite, or several.
    pub(super) text: String,
    /// Whether all of them were measured completely.
    pub(super) are_decided: bool,
    /// Whether the gates pass.
    pub(super) pass: bool,
}

/// A run, and the bytes of its record.
struct Part {
    stored: StoredRun,
    bytes: Vec<u8>,
}

/// What belongs together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Suite {
    /// Shards of a bench target at a revision, or of a comparison.
    Shards {
        package: String,
        target: String,
        revision: String,
        /// What is compared; empty for runs.
        compared: String,
    },
    /// One comparison on several machines.
    Machines(ComparisonIdentity),
}

impl Parts {
    /// None yet, at a time in nanoseconds since the Unix epoch.
    pub(super) fn new(now_unix_ns: u64) -> Parts {
        Parts {
            parts: BTreeMap::new(),
            others: 0,
            other_comparisons: Vec::new(),
            ahead: 0,
            unbegun: 0,
            now_unix_ns,
        }
    }

    /// Adds the runs of a file.
    ///
    /// # Errors
    ///
    /// Why they cannot be read.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<(), String> {
        for lines in split(bytes) {
            if is_unbegun(lines) {
                self.unbegun += 1;
                continue;
            }
            for mut stored in parse_without_samples(lines)? {
                let bytes = whole_lines(lines, stored.run.torn);
                if bytes != lines {
                    stored.sha256 = sha256(&bytes);
                }
                let header = &stored.run.header;
                let Some(suite) = Suite::of(header) else {
                    self.others += 1;
                    self.other_comparisons.extend(comparison(header));
                    continue;
                };
                let number = header.shard.as_ref().map_or(0, |shard| shard.number);
                let recency = recency(header, self.now_unix_ns);
                self.ahead += u64::from(!recency.0);
                let key = (suite, number, recency, stored.sha256.clone());
                self.parts.insert(key, Part { stored, bytes });
            }
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The cases of all runs.
    pub(super) fn cases(&self) -> impl Iterator<Item = &Case> + Clone {
        self.parts.values().flat_map(|part| &part.stored.run.cases)
    }

    /// All records, one after the other.
    pub(super) fn records(&self) -> Vec<&[u8]> {
        self.parts.values().map(|part| &*part.bytes).collect()
    }

    /// What the suites come to, with a gate or without.
    ///
    /// # Errors
    ///
    /// If a gate has nothing to judge, or does not judge one of the comparisons.
    pub(super) fn answers(&self, gate: Option<&SuiteGate>) -> Result<Answers, Stop> {
        let mut suites: BTreeMap<&Suite, Vec<&StoredRun>> = BTreeMap::new();
        for ((suite, ..), part) in &self.parts {
            suites.entry(suite).or_default().push(&part.stored);
        }
        let mut answers = Answers {
            text: String::new(),
            are_decided: true,
            pass: true,
        };
        let (mut judged, mut unjudged) = (Vec::new(), self.other_comparisons.clone());
        let mut are_judged = true;
        for (suite, runs) in suites {
            let (is_decided, text) = match suite {
                Suite::Shards { compared, .. } => {
                    let answer = Answer::of(&runs);
                    let mut text = answer.text() + "\n";
                    let gate = gate.filter(|_| !compared.is_empty());
                    if gate.is_some() && !answer.is_whole() {
                        are_judged = false;
                        text += "  gate: not judged\n";
                    } else if let Some(gate) = gate {
                        let result = gate.judge(&runs)?;
                        answers.pass &= result.passes();
                        for line in result.lines() {
                            text += &format!("  gate: {}\n", escape(&line, true));
                        }
                        judged.push(result);
                    }
                    (answer.is_decided(), text)
                }
                Suite::Machines(_) => {
                    unjudged.push(suite.name());
                    let machines = Machines::of(&runs);
                    (machines.is_decided(), machines.text())
                }
            };
            answers.are_decided &= is_decided;
            answers.text += &format!("{}: {text}", suite.name());
        }
        if are_judged
            && let Some(gate) = gate
            && let Some(what) = gate.mistake(&judged, &unjudged)
        {
            return Err(Stop::Usage(what));
        }
        Ok(answers)
    }
}

/// A record without a line that was cut off, and with the end of its last line: the next record begins a line, too.
fn whole_lines(lines: &[u8], is_torn: bool) -> Vec<u8> {
    let is_end = |byte: &u8| *byte == b'\n';
    let last = lines.iter().rposition(is_end).filter(|_| is_torn);
    let mut whole = lines[..last.map_or(lines.len(), |at| at + 1)].to_vec();
    if !whole.last().is_some_and(is_end) {
        whole.push(b'\n');
    }
    whole
}

impl Suite {
    /// What a run is a part of; `None` if it stands alone.
    fn of(header: &Header) -> Option<Suite> {
        if header.shard.is_none() {
            return ComparisonIdentity::new(header).map(Suite::Machines);
        }
        let compared = compared(header).unwrap_or_default();
        let revision = header.fact_text("revision").unwrap_or_default();
        Some(Suite::Shards {
            package: header.package.clone(),
            target: header.target.clone(),
            revision: revision.to_owned(),
            compared,
        })
    }

    fn name(&self) -> String {
        let (package, target, more) = match self {
            Suite::Shards {
                package,
                target,
                revision,
                compared,
            } => {
                let more = match (compared.as_str(), revision.get(..7)) {
                    ("", Some(revision)) => format!("revision {revision}"),
                    _ => compared.clone(),
                };
                (package, target, more)
            }
            Suite::Machines(of) => (&of.package, &of.target, of.name()),
        };
        named(package, target, &more)
    }
}

/// The builds that a run compares; `None` if it compares none.
fn compared(header: &Header) -> Option<String> {
    let [old, new] = ["reference", "candidate"].map(|name| header.fact_text(name));
    old.or(new)?;
    let [old, new] = [old, new].map(Option::unwrap_or_default);
    Some(format!("{new} against {old}"))
}

/// The name of a comparison; `None` for other runs.
fn comparison(header: &Header) -> Option<String> {
    let compared = compared(header)?;
    Some(named(&header.package, &header.target, &compared))
}

/// A target, and what of it is meant.
fn named(package: &str, target: &str, more: &str) -> String {
    // Executables that were built elsewhere have no package.
    let parts = [package, target]
        .into_iter()
        .filter(|part| !part.is_empty());
    let target = parts.collect::<Vec<_>>().join("/");
    let parts = [&target, more].into_iter().filter(|part| !part.is_empty());
    escape(&parts.collect::<Vec<_>>().join(", "), true)
}
