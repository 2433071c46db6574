//! Integration tests.

mod anchors;
mod clocks;
#[cfg(feature = "contamination")]
mod contamination;
#[cfg(feature = "full")]
mod isolation;
mod machine;
mod scripts;
#[cfg(feature = "full")]
mod sources;
#[cfg(feature = "full")]
mod strange;
