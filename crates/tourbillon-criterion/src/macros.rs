//! `criterion_group!` and `criterion_main!`.

/// Makes a function that runs targets, each a function that takes a `&mut Criterion`.
///
/// # Examples
///
/// ```
/// use criterion::{Criterion, criterion_group};
///
/// fn sums(c: &mut Criterion) {
///     c.bench_function("sum", |b| b.iter(|| (0..100_u64).sum::<u64>()));
/// }
///
/// criterion_group!(plain, sums);
/// criterion_group! {
///     name = configured;
///     config = Criterion::default().sample_size(10);
///     targets = sums
/// }
/// ```
#[macro_export]
macro_rules! criterion_group {
    (name = $name:ident; config = $config:expr; targets = $($target:path),+ $(,)*) => {
        /// Runs the benchmarks of the group.
        pub fn $name() {
            let mut criterion: $crate::Criterion<_> = $config.configure_from_args();
            $(
                $crate::__private::target(
                    &mut criterion,
                    concat!(module_path!(), "::", stringify!($name), "/", stringify!($target)),
                    &mut |criterion| {
                        $target(criterion);
                    },
                );
            )+
        }
    };
    ($name:ident, $($target:path),+ $(,)*) => {
        $crate::criterion_group! {
            name = $name;
            config = $crate::Criterion::default();
            targets = $($target),+
        }
    };
}

/// Makes the `main` of a bench program, which runs groups: functions made by
/// [`criterion_group!`](crate::criterion_group), or others without arguments.
///
/// # Examples
///
/// ```no_run
/// use criterion::{Criterion, criterion_group, criterion_main};
///
/// fn sums(c: &mut Criterion) {
///     c.bench_function("sum", |b| b.iter(|| (0..100_u64).sum::<u64>()));
/// }
///
/// criterion_group!(group, sums);
/// criterion_main!(group);
/// ```
#[macro_export]
macro_rules! criterion_main {
    ($($group:path),+ $(,)*) => {
        fn main() {
            let compiler = $crate::__private::compiler_flags!();
            $crate::__private::main(option_env!("CARGO_PKG_NAME"), module_path!(), compiler, &mut || {
                $(
                    $group();
                )+
            });
        }
    };
}
