//! What generated code passes to a benchmark, with readable errors where that does not fit.

use crate::bencher::Bencher;

/// What the first parameter of a benchmark is, when it has one more than axes.
#[diagnostic::on_unimplemented(
    message = "the first parameter of a benchmark is a `Bencher<'_>`, not `{Self}`",
    label = "write `Bencher<'_>` here, or give the parameter values",
    note = "values of parameters are written #[bench(args = [1, 2])]",
    note = "a `Bencher` is passed by value"
)]
pub trait FirstParameter<'a> {
    /// The parameter.
    fn of(bencher: Bencher<'a>) -> Self;
}

impl<'a> FirstParameter<'a> for Bencher<'a> {
    fn of(bencher: Bencher<'a>) -> Self {
        bencher
    }
}

/// The first parameter.
pub fn bencher<'a, B: FirstParameter<'a>>(bencher: Bencher<'a>) -> B {
    B::of(bencher)
}

/// What a value is for a benchmark without a `Bencher`.
#[diagnostic::on_unimplemented(
    message = "a benchmark without a `Bencher` gets a copy of its value for each call, but `{Self}` is not `Copy`",
    label = "values that are not `Copy`",
    note = "make the values references, or take a `Bencher<'_>` first and pass the body to its `iter`"
)]
pub trait CopiedValue: Copy {}

#[diagnostic::do_not_recommend]
impl<T: Copy> CopiedValue for T {}

/// A copy that is made outside of the timed region.
pub fn copied<T: CopiedValue>(value: &T) -> T {
    *value
}
