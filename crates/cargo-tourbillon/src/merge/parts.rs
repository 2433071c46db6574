//! What is merged, and what it comes to.

use std::collections::BTreeMap;

use tourbillon_record::Header;
use tourbillon_report::escape;

use super::answer::Answer;
use super::compared::Compared;
use super::gate::SuiteGate;
use super::machines::Machines;
use crate::exit::Stop;
use crate::record_file::{StoredRun, parse, split};

/// Records of shards and of machines, each once and in an order that does not depend on that of the files.
#[derive(Default)]
pub(super) struct Parts {
    /// By suite, number of the shard, start and hash.
    parts: BTreeMap<(Suite, u64, u64, String), Part>,
    /// Number of other runs.
    pub(super) others: u64,
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
    /// Shards of a bench target or of a comparison: the package, the target, and what is compared.
    Shards(String, String, String),
    /// One comparison on several machines.
    Machines(Compared),
}

impl Parts {
    /// Adds the runs of a file.
    ///
    /// # Errors
    ///
    /// Why they cannot be read.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<(), String> {
        for lines in split(bytes) {
            for stored in parse(lines)? {
                let header = &stored.run.header;
                let Some(suite) = Suite::of(header) else {
                    self.others += 1;
                    continue;
                };
                let number = header.shard.as_ref().map_or(0, |shard| shard.number);
                let key = (suite, number, header.started_unix_ns, stored.sha256.clone());
                let bytes = lines.to_vec();
                self.parts.insert(key, Part { stored, bytes });
            }
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// All records, one after the other.
    pub(super) fn records(&self) -> Vec<u8> {
        let records = self.parts.values().map(|part| part.bytes.as_slice());
        records.collect::<Vec<_>>().concat()
    }

    /// What the suites come to, with a gate or without.
    ///
    /// # Errors
    ///
    /// If a gate has nothing to judge.
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
        let mut is_judged = gate.is_none_or(|gate| !gate.is_typed);
        for (suite, runs) in suites {
            let (is_decided, text) = match suite {
                Suite::Shards(_, _, compared) => {
                    let answer = Answer::of(&runs);
                    let mut text = answer.text() + "\n";
                    if let Some(gate) = gate.filter(|_| !compared.is_empty()) {
                        let result = gate.judge(&runs)?;
                        is_judged = true;
                        answers.pass &= result.passes();
                        for line in result.lines() {
                            text += &format!("  gate: {}\n", escape(&line, true));
                        }
                    }
                    (answer.is_decided(), text)
                }
                Suite::Machines(_) => {
                    let machines = Machines::of(&runs);
                    (machines.is_decided(), machines.text())
                }
            };
            answers.are_decided &= is_decided;
            answers.text += &format!("{}: {text}", suite.name());
        }
        match is_judged {
            true => Ok(answers),
            false => Err(Stop::Usage(
                "there is no comparison of shards that a gate could judge; `compare --partition` makes them".to_owned(),
            )),
        }
    }
}

impl Suite {
    /// What a run is a part of; `None` if it stands alone.
    fn of(header: &Header) -> Option<Suite> {
        if header.shard.is_none() {
            return Compared::of(header).map(Suite::Machines);
        }
        let [old, new] =
            ["reference", "candidate"].map(|name| header.fact_text(name).unwrap_or_default());
        let compared = match old.is_empty() && new.is_empty() {
            true => String::new(),
            false => format!("{new} against {old}"),
        };
        Some(Suite::Shards(
            header.package.clone(),
            header.target.clone(),
            compared,
        ))
    }

    fn name(&self) -> String {
        let (package, target, compared) = match self {
            Suite::Shards(package, target, compared) => (package, target, compared.clone()),
            Suite::Machines(of) => (&of.package, &of.target, of.name()),
        };
        // Executables that were built elsewhere have no package.
        let name = match package.as_str() {
            "" => target.clone(),
            package => format!("{package}/{target}"),
        };
        let name = match compared.as_str() {
            "" => name,
            compared => format!("{name}, {compared}"),
        };
        escape(&name, true)
    }
}
