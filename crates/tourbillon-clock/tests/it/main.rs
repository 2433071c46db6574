//! Integration tests.

mod anchors;
mod clocks;
mod machine;
mod scripts;
