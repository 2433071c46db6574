//! The first line of a run: program, machine, clock and settings.

use crate::codec::{Field, object, value};
use crate::json::{Kind, Writer};
use crate::members::Members;
use crate::ranges::{check_confidence, check_date, check_not_negative};
use crate::{Error, Shard};

/// What ran, where, and with which settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Version of tourbillon that measured.
    pub tourbillon: String,
    /// Identity of the measuring engine (docs/reference/stability.md): runs of different engines are never compared.
    pub engine: String,
    /// Start of the run in nanoseconds since the Unix epoch.
    pub started_unix_ns: u64,
    /// Start of the run as a local date with its offset (RFC 3339).
    pub started: String,
    /// Package of the bench binary.
    pub package: String,
    /// Bench target.
    pub target: String,
    /// The command line, program first.
    pub command: Vec<String>,
    /// Seed of all random choices in the run.
    pub seed: u64,
    /// How many cases were selected.
    pub cases: u64,
    /// The part of the selected cases that this run measures (docs/how-to/partition.md); `None` for all of them.
    pub shard: Option<Box<Shard>>,
    /// Settings of the run as a whole; a launch shows what its case overrides.
    pub settings: RunSettings,
    /// The clock and why it was chosen.
    pub clock: ClockFacts,
    /// Facts about the platform, in the order in which they are shown.
    pub facts: Vec<Fact>,
    /// Unknown members of a newer version: members of a JSON object with commas between them.
    pub unknown: String,
}

object! {
    Header {
        tourbillon, engine, started_unix_ns, started, package, target, command, seed, cases, shard,
        settings, clock, facts,
    } check date
}

impl Header {
    fn date(&mut self, from: &Members<'_>) -> Result<(), Error> {
        check_date(from, "started", &self.started)
    }

    /// The value of a fact; `None` where the header has no fact of this name.
    pub fn fact(&self, name: &str) -> Option<&FactValue> {
        let fact = self.facts.iter().find(|fact| fact.name == name)?;
        Some(&fact.value)
    }

    /// The text of a fact; `None` where there is none or it has a value of another type.
    pub fn fact_text(&self, name: &str) -> Option<&str> {
        match self.fact(name)? {
            FactValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether both ran on processors of one model; those of unknown ones count as one.
    pub fn has_processor_of(&self, other: &Header) -> bool {
        self.fact_text("cpu_model") == other.fact_text("cpu_model")
    }

    /// Whether both ran on cores of the same kinds; where cores are alike, they count as the fastest.
    pub fn has_core_kinds_of(&self, other: &Header) -> bool {
        let kinds = [self, other].map(|one| match &one.settings.core_kinds {
            None => "performance".to_owned(),
            Some(kinds) => kinds.join(" and "),
        });
        kinds[0] == kinds[1]
    }

    /// Bytes of the second-level cache, mostly the largest that a core does not share. `None` where
    /// the facts do not tell.
    pub fn core_cache_bytes(&self) -> Option<u64> {
        match self.fact("caches")? {
            FactValue::List(caches) => caches.iter().find_map(|cache| second_level(cache)),
            _ => None,
        }
    }
}

/// The bytes in `L2 1280 KiB` or `L2 1 MiB (shared by 0,4)`.
fn second_level(cache: &str) -> Option<u64> {
    let mut words = cache.strip_prefix("L2 ")?.split(' ');
    let size = words.next()?.parse::<u32>().ok().filter(|size| *size > 0)?;
    match words.next()? {
        "KiB" => Some(u64::from(size) << 10),
        "MiB" => Some(u64::from(size) << 20),
        _ => None,
    }
}

/// Settings of a run; what else a case overrides is in its launches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunSettings {
    /// Launches per case, of the case that is to have the most.
    pub launches: u32,
    /// Those of the case that is to have the fewest, where cases differ.
    pub fewest_launches: Option<u32>,
    /// Time for measuring one case, all launches together, in nanoseconds.
    pub budget_ns: u64,
    /// Length of a batch in nanoseconds.
    pub batch_ns: u64,
    /// Confidence of the intervals, 0 to 1.
    pub confidence: f64,
    /// Relative half-width at which measuring stops, where one was requested.
    pub precision: Option<f64>,
    /// Processors that the workers were pinned to; empty without pinning.
    pub cpus: Vec<u32>,
    /// Kinds of these cores, the fastest first; empty where all cores are alike.
    pub core_kinds: Option<Vec<String>>,
}

object! {
    RunSettings { launches, fewest_launches, budget_ns, batch_ns, confidence, precision, cpus, core_kinds } check shares
}

impl RunSettings {
    fn shares(&mut self, from: &Members<'_>) -> Result<(), Error> {
        check_confidence(from, Some(self.confidence))?;
        check_not_negative(from, &[("precision", self.precision)])
    }
}

/// The clock of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClockFacts {
    /// Name of the time source, such as `tsc` or `monotonic`.
    pub source: String,
    /// Why this source was chosen, in a sentence.
    pub why: String,
    /// Ticks per second, numerator.
    pub hz_numerator: u64,
    /// Ticks per second, denominator.
    pub hz_denominator: u64,
    /// Where the frequency comes from, such as `cpuid leaf 15h` or `/proc/cpuinfo`.
    pub frequency_from: String,
    /// Bound of the frequency's error in parts per million, where it is known.
    pub frequency_error_ppm: Option<f64>,
    /// Where cycles come from: `hardware counter`, or the instructions of the reference chain; `None` where there are
    /// none.
    pub cycles_from: Option<String>,
    /// Why there are no cycles, where that is known.
    pub no_cycles: Option<String>,
}

object! {
    ClockFacts {
        source, why, hz_numerator, hz_denominator, frequency_from, frequency_error_ppm, cycles_from,
        no_cycles,
    } check frequency
}

impl ClockFacts {
    fn frequency(&mut self, from: &Members<'_>) -> Result<(), Error> {
        check_not_negative(from, &[("frequency_error_ppm", self.frequency_error_ppm)])?;
        match (self.hz_numerator, self.hz_denominator) {
            // Of a clock whose frequency is not known, both are 0.
            (1.., 0) => Err(from.malformed("field `hz_denominator` is 0")),
            _ => Ok(()),
        }
    }
}

/// A fact about the platform.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fact {
    /// Name, such as `cpu_model` or `cores_physical`. `machine` is the name of the machine itself
    /// (docs/how-to/history.md#several-machines), in a comparison of builds one that changes when it is started again
    /// (docs/reference/merge.md#the-same-comparison-on-several-machines). Comparisons have more: `reference_commit` and
    /// `candidate_commit`, without a value if a file differed from the commit; `reference_build` and `candidate_build`,
    /// their folders in the cache; `measured_why`, why unchanged code is measured; `comparison_notes`,
    /// `comparison_lines`, `comparison_gate` and `comparison_rows`, what was printed besides verdicts and counts.
    pub name: String,
    /// The value, or why there is none.
    ///
    /// * `value`, text or whole or flag or texts or missing: the value.
    /// * `absent`, text?: why there is none.
    pub value: FactValue,
}

object! {
    Fact { name, value }
}

/// The value of a [`Fact`].
#[derive(Clone, Debug, PartialEq)]
pub enum FactValue {
    /// A text.
    Text(String),
    /// A whole number.
    Integer(u64),
    /// Yes or no.
    Flag(bool),
    /// Several texts.
    List(Vec<String>),
    /// Not known, and why.
    Absent(String),
}

impl Default for FactValue {
    fn default() -> FactValue {
        FactValue::Absent(String::new())
    }
}

/// The type of the value is that of the JSON value; `absent` is the reason for a missing one.
impl Field for FactValue {
    fn write_field(&self, name: &str, out: &mut Writer) {
        match self {
            FactValue::Text(text) => text.write_field(name, out),
            FactValue::Integer(whole) => whole.write_field(name, out),
            FactValue::Flag(flag) => flag.write_field(name, out),
            FactValue::List(texts) => texts.write_field(name, out),
            FactValue::Absent(why) => why.write_field("absent", out),
        }
    }

    fn read_field(&mut self, name: &str, from: &mut Members<'_>) -> Result<(), Error> {
        let Some(found) = from.take(name) else {
            let mut why = String::new();
            why.read_field("absent", from)?;
            *self = FactValue::Absent(why);
            return Ok(());
        };
        *self = match found.kind() {
            Kind::Text => FactValue::Text(value(name, found)?),
            Kind::Flag => FactValue::Flag(value(name, found)?),
            Kind::List => FactValue::List(value(name, found)?),
            Kind::Null | Kind::Number | Kind::Object => FactValue::Integer(value(name, found)?),
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::second_level;

    #[test]
    fn the_second_level_cache_is_read() {
        assert_eq!(second_level("L2 1280 KiB"), Some(1280 << 10));
        assert_eq!(second_level("L2 1 MiB (shared by 0,4)"), Some(1 << 20));
        for other in [
            "L1 data 48 KiB",
            "L3 32 MiB",
            "L2 big",
            "L2 big one",
            "L2 KiB",
            "L2 0 MiB",
            "L2 4294967296 KiB",
            "L2",
            "L2 1 EiB",
            "",
        ] {
            assert_eq!(second_level(other), None, "{other}");
        }
    }
}
