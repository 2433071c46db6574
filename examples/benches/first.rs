//! The README's example.

use tourbillon::{Bencher, bench, hide};

/// Returns its result, so that the compiler must compute it.
#[bench]
fn concat() -> String {
    hide("hello ").to_owned() + hide("world")
}

/// Sorts other numbers in every call; they are made before the clock starts.
#[bench(args = [100, 10_000])]
fn sort(b: Bencher<'_>, n: usize) {
    let mut random = std::iter::successors(Some(1_u32), |x| {
        Some(x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223))
    });
    b.with_inputs(|| random.by_ref().take(n).collect::<Vec<_>>())
        .iter_mut(|numbers| numbers.sort_unstable());
}

fn main() -> std::process::ExitCode {
    tourbillon::main()
}
