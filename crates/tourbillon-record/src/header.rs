/// What ran, where, and with which settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Version of tourbillon that measured.
    pub tourbillon: String,
    /// Identity of the measuring engine: two runs with different engines are never judged together.
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
    /// Seed from which everything that chance decides in the run is drawn.
    pub seed: u64,
    /// How many cases were selected.
    pub cases: u64,
    /// Settings of the run as a whole.
    pub settings: RunSettings,
    /// The clock and why it was chosen.
    pub clock: ClockFacts,
    /// What is known about the platform, in the order in which it is shown.
    pub facts: Vec<Fact>,
    /// Fields of newer writers, kept as they came: members of a JSON object with commas between them.
    pub unknown: String,
}

impl Header {
    /// Bytes of the largest cache that a core has to itself, mostly: the second level. `None` where the
    /// facts do not say.
    #[inline(never)]
    pub fn core_cache_bytes(&self) -> Option<u64> {
        for fact in &self.facts {
            if let FactValue::List(caches) = &fact.value
                && fact.name == "caches"
            {
                for cache in caches {
                    if let Some(bytes) = second_level(cache.as_bytes()) {
                        return Some(bytes);
                    }
                }
            }
        }
        None
    }
}

/// The bytes in `L2 1280 KiB` or `L2 1 MiB (shared by 0,4)`.
fn second_level(cache: &[u8]) -> Option<u64> {
    let mut bytes: u32 = 0;
    for byte in cache.strip_prefix(b"L2 ")? {
        bytes = match byte {
            b'0'..=b'9' => bytes.checked_mul(10)?.checked_add(u32::from(byte - b'0'))?,
            b' ' if bytes > 0 => bytes,
            b'K' if bytes > 0 => return Some(u64::from(bytes) << 10),
            b'M' if bytes > 0 => return Some(u64::from(bytes) << 20),
            _ => return None,
        };
    }
    None
}

/// Settings of a run; what a case overrides stands in its visits.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSettings {
    /// Launches per case at most.
    pub launches: u32,
    /// Time for measuring one case, all launches together, in nanoseconds.
    pub budget_ns: u64,
    /// Length of a batch in nanoseconds.
    pub batch_ns: u64,
    /// Confidence of the intervals, 0 to 1.
    pub confidence: f64,
    /// Relative half-width at which measuring stops, where one was asked for.
    pub precision: Option<f64>,
    /// Processors that the workers were pinned to; empty for no pinning.
    pub cpus: Vec<u32>,
}

/// The clock of a run.
#[derive(Clone, Debug, PartialEq)]
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
    /// Where cycles come from, such as `reference chain`; `None` where they cannot be had.
    pub cycles_from: Option<String>,
}

/// One thing known, or not known, about the platform.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Name, such as `cpu_model` or `cores_physical`.
    pub name: String,
    /// The value, or why there is none.
    pub value: FactValue,
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
    /// Could not be had, and why.
    Absent(String),
}

#[cfg(test)]
mod tests {
    use super::second_level;

    #[test]
    fn the_second_level_is_read() {
        assert_eq!(second_level(b"L2 1280 KiB"), Some(1280 << 10));
        assert_eq!(second_level(b"L2 1 MiB (shared by 0,4)"), Some(1 << 20));
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
            assert_eq!(second_level(other.as_bytes()), None, "{other}");
        }
    }
}
