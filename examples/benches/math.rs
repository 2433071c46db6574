//! Elementary functions of `f64`, from the platform's mathematical library.
//!
//! `throughput` calls a function with the same argument again and again: the processor overlaps the
//! calls as far as it can, and its branch predictor knows the argument's way through the function.
//! `both` has the functions with a value that they map to itself: there the latency can be measured
//! too, each call fed the result of the one before, with the same argument as the throughput next to
//! it.

use std::process::ExitCode;

fn main() -> ExitCode {
    tourbillon::main()
}

/// Twenty multiplications, each of which needs the result of the one before.
#[inline(always)]
fn multiply(x: f64) -> f64 {
    (0..20).fold(x, |product, _| product * x)
}

mod throughput {
    use std::f64::consts::{FRAC_PI_3, FRAC_PI_6, LN_2};

    use examples::check::close;
    use tourbillon::{Bencher, bench, hide};

    /// Measures `f` at `x`, where its value is known to be `expected`.
    fn measure(
        b: Bencher<'_>,
        f: impl Fn(f64) -> f64,
        x: f64,
        expected: f64,
    ) -> Result<(), String> {
        close(f(hide(x)), expected)?;
        b.iter(move || f(x));
        Ok(())
    }

    #[bench]
    fn multiply(b: Bencher<'_>) -> Result<(), String> {
        measure(b, super::multiply, 11.0, 7_400_249_944_258_160_101_211.0)
    }

    #[bench]
    fn pow(b: Bencher<'_>) -> Result<(), String> {
        measure(b, |x| x.powf(0.7), 10.0, 5.011_872_336_272_722)
    }

    #[bench]
    fn exp(b: Bencher<'_>) -> Result<(), String> {
        measure(b, f64::exp, 0.5, 1.648_721_270_700_128)
    }

    #[bench]
    fn log(b: Bencher<'_>) -> Result<(), String> {
        measure(b, f64::ln, 0.5, -LN_2)
    }

    #[bench]
    fn sin(b: Bencher<'_>) -> Result<(), String> {
        measure(b, f64::sin, 0.5, 0.479_425_538_604_203)
    }

    #[bench]
    fn cos(b: Bencher<'_>) -> Result<(), String> {
        measure(b, f64::cos, 0.5, 0.877_582_561_890_372_8)
    }

    #[bench]
    fn tan(b: Bencher<'_>) -> Result<(), String> {
        measure(b, f64::tan, 0.5, 0.546_302_489_843_790_5)
    }

    #[bench]
    fn asin(b: Bencher<'_>) -> Result<(), String> {
        measure(b, f64::asin, 0.5, FRAC_PI_6)
    }

    #[bench]
    fn acos(b: Bencher<'_>) -> Result<(), String> {
        measure(b, f64::acos, 0.5, FRAC_PI_3)
    }

    #[bench]
    fn atan(b: Bencher<'_>) -> Result<(), String> {
        measure(b, f64::atan, 0.5, 0.463_647_609_000_806_1)
    }
}

/// Functions that map `fixed` to itself, in both modes.
mod both {
    use examples::check::close;
    use tourbillon::{Bencher, bench, hide};

    /// Measures `f`, each call alone and each waiting for the one before; all of them get `fixed`.
    fn measure(b: Bencher<'_>, f: impl Fn(f64) -> f64, fixed: f64) -> Result<(), String> {
        close(f(hide(fixed)), fixed)?;
        b.function(fixed, f);
        Ok(())
    }

    #[bench(modes = [throughput, latency])]
    fn multiply(b: Bencher<'_>) -> Result<(), String> {
        measure(b, super::multiply, 1.0)
    }

    /// The sign costs a cycle or two of its own.
    #[bench(modes = [throughput, latency])]
    fn exp(b: Bencher<'_>) -> Result<(), String> {
        measure(b, |x| (-x).exp(), 0.567_143_290_409_783_8)
    }

    #[bench(modes = [throughput, latency])]
    fn cos(b: Bencher<'_>) -> Result<(), String> {
        measure(b, f64::cos, 0.739_085_133_215_160_6)
    }
}
