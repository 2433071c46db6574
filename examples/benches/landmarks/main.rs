//! Reference kernels: code whose cost is known, to check the harness.
//!
//! What each kernel costs, and on which cores, is written down in `examples::landmarks`. The
//! `accuracy` binary of this package holds the results against it.

use std::process::ExitCode;

use tourbillon::{Bencher, bench, hide};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod copies;
#[cfg(target_arch = "x86_64")]
mod encoded;
#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod kernels;
#[cfg(target_arch = "x86_64")]
mod placed;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod prepared;

fn main() -> ExitCode {
    tourbillon::main()
}

/// No code at all.
#[bench(group = "landmarks")]
fn empty(b: Bencher<'_>) {
    b.iter(|| ());
}

/// No code either: a captured value is the result.
#[bench(group = "landmarks")]
fn captured(b: Bencher<'_>) {
    let value = hide(7_u64);
    b.iter(move || value);
}
