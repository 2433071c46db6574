/// What a comparison of two arms came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Identity of the case that was compared with the reference.
    pub case: String,
    /// What it was compared with: the identity of another case, or the name of another build.
    pub reference: String,
    /// Whether it is faster, slower or the same, if that could be decided.
    pub finding: Finding,
    /// Why it is undecided; `None` where it is decided.
    pub why: Option<Undecided>,
    /// Time of the case divided by that of the reference.
    pub ratio: Option<f64>,
    /// Lower end of the interval of the ratio: the one that decided.
    pub lower: Option<f64>,
    /// Upper end.
    pub upper: Option<f64>,
    /// Confidence of the interval, 0 to 1, all looks together.
    pub confidence: f64,
    /// Relative difference up to which two times count as the same.
    pub margin: f64,
    /// What the interval covers.
    pub scope: Reach,
    /// Pairs of batches that it rests on.
    pub pairs: u64,
    /// Processes, or pairs of processes.
    pub launches: u32,
    /// Placements of the code.
    pub layouts: u32,
    /// Pairs that were left out because the clock went backwards in one of their batches, or it is
    /// shorter than its fixed cost.
    pub dropped: u64,
    /// The reference compared with itself in the same way.
    pub control: Option<Control>,
    /// What the arms do to each other; `None` for two builds, which run in processes of their own.
    pub interference: Option<Interference>,
    /// Seed of the order of the batches.
    pub seed: u64,
    /// Seconds spent on it.
    pub seconds: f64,
    /// Seconds that it would take in all to decide, where it is undecided and that can be told.
    pub seconds_needed: Option<f64>,
    /// Time of the reference in nanoseconds per op, in these processes.
    pub reference_ns: Option<f64>,
    /// Time of the case in nanoseconds per op, in these processes.
    pub case_ns: Option<f64>,
    /// Name and version of the method that made the verdict.
    pub method: String,
    /// Fields of newer writers, kept as they came: members of a JSON object with commas between them.
    pub unknown: String,
}

/// What two times are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The case takes less time than the reference, by more than the margin.
    Faster,
    /// The case takes more time than the reference, by more than the margin.
    Slower,
    /// They differ by less than the margin.
    Same,
    /// None of these could be shown.
    Undecided,
}

impl Finding {
    /// All of them.
    pub(crate) const ALL: [Finding; 4] = [
        Finding::Faster,
        Finding::Slower,
        Finding::Same,
        Finding::Undecided,
    ];

    /// Name in records: `faster`, `slower`, `same` or `undecided`.
    #[inline(never)]
    pub const fn name(self) -> &'static str {
        match self {
            Finding::Faster => "faster",
            Finding::Slower => "slower",
            Finding::Same => "same",
            Finding::Undecided => "undecided",
        }
    }
}

/// Why there is no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// The interval still holds both answers.
    Time,
    /// There are too few pairs for an interval of this confidence.
    TooFew,
    /// The control, the same code twice, came out different.
    Control,
    /// The intervals of two looks exclude each other: what was measured changed meanwhile.
    Drift,
    /// Too many pairs had to be left out.
    Noise,
}

impl Undecided {
    /// All of them.
    pub(crate) const ALL: [Undecided; 5] = [
        Undecided::Time,
        Undecided::TooFew,
        Undecided::Control,
        Undecided::Drift,
        Undecided::Noise,
    ];

    /// Name in records: `time`, `too_few`, `control`, `drift` or `noise`.
    #[inline(never)]
    pub const fn name(self) -> &'static str {
        match self {
            Undecided::Time => "time",
            Undecided::TooFew => "too_few",
            Undecided::Control => "control",
            Undecided::Drift => "drift",
            Undecided::Noise => "noise",
        }
    }
}

/// What the interval of a ratio covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Two functions in one process: another process, or another build, may differ.
    Process,
    /// Processes of these two executables.
    Processes,
    /// Placements of the code of these two builds.
    Layouts,
}

impl Reach {
    /// All of them.
    pub(crate) const ALL: [Reach; 3] = [Reach::Process, Reach::Processes, Reach::Layouts];

    /// Name in records: `process`, `processes` or `layouts`.
    #[inline(never)]
    pub const fn name(self) -> &'static str {
        match self {
            Reach::Process => "process",
            Reach::Processes => "processes",
            Reach::Layouts => "layouts",
        }
    }
}

/// The reference compared with itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// Ratio of the two.
    pub ratio: Option<f64>,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
    /// Pairs that it rests on.
    pub pairs: u64,
    /// Whether it came out different by more than half the margin, which voids the verdict.
    pub fired: bool,
}

/// What an arm's batch takes when another arm ran just before it, divided by what it takes after the
/// arm itself, which the order of the rounds decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interference {
    /// The ratio for the reference; `None` where too few batches can be held against each other.
    pub reference: Option<f64>,
    /// The ratio for the case.
    pub case: Option<f64>,
    /// Pairs of batches, of both arms together.
    pub pairs: u64,
    /// What ran before each batch without being timed, in eighths of a batch.
    pub lead_in: u64,
    /// Whether it is certain, and so different for the two that it may be taken for a difference of
    /// the code.
    pub matters: bool,
}
