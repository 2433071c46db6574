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
