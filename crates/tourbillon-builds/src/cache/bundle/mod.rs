//! Builds in one file, for machines that have a linker and no toolchain.
//!
//! A bundle is a compressed tar file: a manifest, and each file that the manifest lists, once, under the name of
//! its hash. Its entries come in the order of the manifest, so that what differs from it is noticed at once.
//!
//! Invariant: reading a bundle starts nothing, and writes below the folder of builds only.

mod archive;
mod manifest;
mod pack;
#[cfg(test)]
mod tests;
mod unpack;

pub use self::manifest::{Bundle, BundledBuild};
