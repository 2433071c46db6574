//! Which benchmarks run.

pub use regex_lite::Regex;

/// Which benchmarks run.
#[derive(Clone, Debug)]
pub enum BenchmarkFilter {
    /// All.
    AcceptAll,
    /// Those in whose id the expression is found.
    Regex(Regex),
    /// Those in whose id this text is found; of criterion2.
    Substring(String),
    /// The one with this id.
    Exact(String),
    /// None.
    RejectAll,
}

impl BenchmarkFilter {
    /// Whether a benchmark with this id runs. `id` may end with the number of a repeated name, which `base` does
    /// not have.
    pub(crate) fn accepts(&self, id: &str, base: &str) -> bool {
        match self {
            BenchmarkFilter::AcceptAll => true,
            BenchmarkFilter::Regex(regex) => regex.is_match(id) || regex.is_match(base),
            BenchmarkFilter::Substring(text) => id.contains(text),
            BenchmarkFilter::Exact(exact) => exact == id || exact == base,
            BenchmarkFilter::RejectAll => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_searched_by_expressions() {
        let regex = |text| BenchmarkFilter::Regex(Regex::new(text).expect(text));
        for (filter, id, accepted) in [
            (BenchmarkFilter::AcceptAll, "a", true),
            (BenchmarkFilter::RejectAll, "a", false),
            (regex("ser"), "vec ser/u8", true),
            (regex(r"vec ser[\s\S]*8$"), "vec ser/u8", true),
            (regex(r"^ser"), "vec ser/u8", false),
            (
                regex(r"..\(single_column: true\)"),
                "ab(single_column: true)",
                true,
            ),
            (regex("^a/b$"), "a/b #2", true),
            (BenchmarkFilter::Substring("b.*".to_owned()), "a/b.*", true),
            (BenchmarkFilter::Substring("b.*".to_owned()), "a/bc", false),
            (BenchmarkFilter::Exact("a/b".to_owned()), "a/b", true),
            (BenchmarkFilter::Exact("a/b".to_owned()), "a/b #2", true),
            (BenchmarkFilter::Exact("a/b".to_owned()), "a/bc", false),
        ] {
            let base = id.strip_suffix(" #2").unwrap_or(id);
            assert_eq!(filter.accepts(id, base), accepted, "{filter:?} {id}");
        }
    }
}
