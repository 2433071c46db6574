//! What becomes of results, and what they are compared with.

use tourbillon_record::object;

/// The name of the results of the last run that had a figure.
pub(crate) const LAST: &str = "base";

/// What a run does with the results that were saved under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// Compares with them where they exist.
    CompareLenient,
    /// Compares with them, and fails where they do not exist.
    CompareStrict,
    /// Compares with them and replaces them.
    Save,
    /// Neither compares nor saves.
    Discard,
}

/// The results of a run, and those before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Baselines {
    /// The name of the results that are compared with.
    pub(crate) compare: String,
    /// Whether they have to exist.
    pub(crate) is_strict: bool,
    /// The name under which the results are saved.
    pub(crate) save: Option<String>,
    /// Whether files are written.
    pub(crate) writes: bool,
}

object! {
    Baselines { compare, is_strict, save, writes }
}

impl Baselines {
    /// Without a flag, the results replace those of the last run.
    pub(crate) fn last_run() -> Baselines {
        Baselines::new(Baseline::Save, LAST.to_owned())
    }

    pub(crate) fn new(baseline: Baseline, name: String) -> Baselines {
        Baselines {
            is_strict: baseline == Baseline::CompareStrict,
            save: (baseline == Baseline::Save).then(|| name.clone()),
            writes: baseline != Baseline::Discard,
            compare: name,
        }
    }
}
