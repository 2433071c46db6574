//! Integration tests.

mod anchors;
mod clocks;
mod frequencies;
mod machine;
mod scripts;
