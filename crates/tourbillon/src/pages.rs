//! The Rust code of the READMEs and of the pages in `docs`, as tests.

macro_rules! pages {
    ($($name:ident $path:literal)*) => {
        $(
            #[doc = include_str!($path)]
            struct $name;
        )*
    };
}

pages! {
    Readme "../../../README.md"
    CrateReadme "../README.md"
    FirstBenchmark "../../../docs/tutorial/first-benchmark.md"
    FirstComparison "../../../docs/tutorial/first-comparison.md"
    CompareFunctions "../../../docs/how-to/compare-functions.md"
    FromCriterion "../../../docs/how-to/from-criterion.md"
    FromDivan "../../../docs/how-to/from-divan.md"
    GoodBodies "../../../docs/how-to/good-bodies.md"
    Inputs "../../../docs/how-to/inputs.md"
    LatencyAndThroughput "../../../docs/how-to/latency-and-throughput.md"
    LatencyOfCalls "../../../docs/how-to/latency-of-calls.md"
    OneLine "../../../docs/how-to/one-line.md"
    OwnMetrics "../../../docs/how-to/own-metrics.md"
    ProcessorTime "../../../docs/how-to/processor-time.md"
    Sweeps "../../../docs/how-to/sweeps.md"
    Threads "../../../docs/how-to/threads.md"
    Attribute "../../../docs/reference/attribute.md"
}

#[cfg(feature = "mem")]
pages! {
    Allocations "../../../docs/how-to/allocations.md"
}
