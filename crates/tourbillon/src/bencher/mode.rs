/// Which side of a function is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Calls that do not wait for each other.
    Throughput,
    /// Calls each of which takes the output of the one before.
    Latency,
}
