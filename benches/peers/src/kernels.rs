//! The kernels of the `landmarks` benchmark of the examples.

#[path = "../../../examples/benches/landmarks/x86_64.rs"]
#[expect(
    dead_code,
    reason = "kernels that the comparison leaves out: they cost the same on few cores"
)]
mod landmarks;

/// Multiplies `y` by 3, `K` times over; the copies do not wait for each other.
#[inline(always)]
pub fn thr<const K: u64>(y: u64) -> u64 {
    landmarks::multiply::<K>(y)
}

/// Moves the bits of `y` to a vector register, `K` times over; the copies do not wait for each other.
#[inline(always)]
pub fn mov<const K: u64>(y: u64) -> f64 {
    landmarks::to_vector::<K>(y)
}

/// Multiplies `y` by 3, `K` times one after the other.
#[inline(always)]
pub fn lat<const K: u64>(y: u64) -> u64 {
    landmarks::multiply_chain::<K>(y)
}

/// Doubles `y`, `K` times one after the other.
#[inline(always)]
pub fn add<const K: u64>(y: u64) -> u64 {
    landmarks::add_chain::<K>(y)
}

/// Hands the list of cases to a macro: `name kernel copies` of those that are called anew each time,
/// and of those that carry a value from op to op. `empty` is not in it.
#[macro_export]
macro_rules! with_kernels {
    ($benches:ident) => {
        $benches! {
            anew: thr_1 thr 1, thr_2 thr 2, thr_3 thr 3, thr_5 thr 5, thr_10 thr 10, thr_33 thr 33,
                thr_100 thr 100, thr_1000 thr 1000, mov_1 mov 1, mov_3 mov 3, mov_10 mov 10,
                mov_100 mov 100;
            carried: lat_1 lat 1, lat_2 lat 2, lat_3 lat 3, lat_10 lat 10, lat_100 lat 100,
                lat_1000 lat 1000, add_1 add 1, add_2 add 2, add_3 add 3, add_10 add 10,
                add_100 add 100, add_1000 add 1000;
        }
    };
}

macro_rules! listed {
    (anew: $($anew:ident $body:ident $copies:literal),+;
     carried: $($carried:ident $link:ident $length:literal),+;) => {
        &[
            Case { name: "empty", kernel: "empty", copies: 0 },
            $(Case { name: stringify!($anew), kernel: stringify!($body), copies: $copies },)+
            $(Case { name: stringify!($carried), kernel: stringify!($link), copies: $length },)+
        ]
    };
}

/// A kernel in a number of copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// What every harness calls it.
    pub name: &'static str,
    /// The kernel.
    pub kernel: &'static str,
    /// Copies of it in one op.
    pub copies: u64,
}

/// Every case that every harness measures.
pub const CASES: &[Case] = with_kernels!(listed);
