//! Ids of benchmarks.

use std::fmt::Display;

/// The id of a benchmark in its group: a function, a parameter, or both.
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
pub struct BenchmarkId {
    pub(crate) function: Option<String>,
    pub(crate) parameter: Option<String>,
}

impl BenchmarkId {
    /// The id of a function with a parameter.
    pub fn new<S: Into<String>, P: Display>(function_name: S, parameter: P) -> BenchmarkId {
        BenchmarkId {
            function: Some(function_name.into()),
            parameter: Some(parameter.to_string()),
        }
    }

    /// The id of a parameter, for groups with one function.
    pub fn from_parameter<P: Display>(parameter: P) -> BenchmarkId {
        BenchmarkId {
            function: None,
            parameter: Some(parameter.to_string()),
        }
    }
}

/// Keeps others from implementing [`IntoBenchmarkId`].
mod sealed {
    pub trait Sealed {}
    impl Sealed for super::BenchmarkId {}
    impl<S: Into<String>> Sealed for S {}
}

/// What a benchmark in a group can be named by: a [`BenchmarkId`], or the name of a function.
pub trait IntoBenchmarkId: sealed::Sealed {
    /// The id.
    #[track_caller]
    fn into_benchmark_id(self) -> BenchmarkId;
}

impl IntoBenchmarkId for BenchmarkId {
    fn into_benchmark_id(self) -> BenchmarkId {
        self
    }
}

impl<S: Into<String>> IntoBenchmarkId for S {
    #[track_caller]
    fn into_benchmark_id(self) -> BenchmarkId {
        let function = self.into();
        assert!(!function.is_empty(), "Function name must not be empty.");
        BenchmarkId {
            function: Some(function),
            parameter: None,
        }
    }
}
