//! Arithmetic of floating-point numbers.

use tourbillon::{Bencher, bench, hide};

use crate::plain;

type Matrix = [[f64; 4]; 4];

fn multiply(one: &Matrix, other: &Matrix) -> Matrix {
    let mut product = [[0.0; 4]; 4];
    for (row, sums) in one.iter().zip(&mut product) {
        for (column, sum) in sums.iter_mut().enumerate() {
            *sum = (0..4).map(|k| row[k] * other[k][column]).sum();
        }
    }
    product
}

#[bench]
fn matrix_4(b: Bencher<'_>) {
    let numbers: [u32; 16] = plain::numbers();
    let matrix: Matrix =
        std::array::from_fn(|row| std::array::from_fn(|at| f64::from(numbers[4 * row + at]) / 1e9));
    b.iter(|| multiply(hide(&matrix), hide(&matrix)));
}

#[bench]
fn dot_64(b: Bencher<'_>) {
    let numbers = plain::numbers::<64>().map(f64::from);
    b.iter(|| {
        let pairs = hide(&numbers).iter().zip(hide(&numbers));
        pairs.map(|(one, other)| one * other).sum::<f64>()
    });
}

#[bench]
fn square_root() -> f64 {
    hide(2.0_f64).sqrt()
}

#[bench]
fn sine() -> f64 {
    hide(0.5_f64).sin()
}

#[bench]
fn exponential() -> f64 {
    hide(0.5_f64).exp()
}

#[bench]
fn power() -> f64 {
    hide(10.0_f64).powf(hide(0.7))
}

#[bench]
fn polynomial() -> f64 {
    let x = hide(0.3_f64);
    let terms = hide([1.0, -0.5, 0.25, 3.0, -2.0, 0.125, 7.0, -1.5]);
    terms.iter().fold(0.0, |sum, term| sum * x + term)
}
