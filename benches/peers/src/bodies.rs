//! Some of the bodies of the `reproducible` benchmark of the examples.

use crate::Named;

/// Hands the list of bodies to a macro: name, function in
/// `examples/benches/reproducible/plain.rs`, which has to be there as `plain`, and its input.
#[macro_export]
macro_rules! with_bodies {
    ($benches:ident) => {
        $benches! {
            xor_3 xor 3;
            xor_7 xor 7;
            last_x_of_7 last_x_of_7 "abxdefgh";
            find_in_8 find_in_8 (&[2, 3, 5, 7, 11, 13, 17, 19], 13);
            gcd gcd (84, 36);
            collatz collatz 6;
            count_bits count_bits 0b1011_0101;
            one_digit one_digit "7";
            ends_of_4 ends_of_4 [3, -1, 4, 1];
            sum_even sum_even &plain::numbers::<32>().map(|number| number % 100)[..];
            count_rises count_rises &plain::numbers::<32>().map(|number| number % 100)[..];
            find_char find_z plain::TEXT;
            words count_words plain::TEXT;
            capitals capitals "grüße from the harbour";
            sip_64 sip &plain::TEXT.as_bytes()[..64];
            map_get look_up (&plain::thousand(), 4_200);
            vector_1024 vector 1_024;
            push_100 push_all 100;
            three_decimals three_decimals 1_234.567_8;
            float float "1234.5678";
            sort_100 sorted &plain::numbers::<100>();
        }
    };
}

macro_rules! named {
    ($($name:ident $body:ident $input:expr;)+) => {
        &[$((stringify!($name), None)),+]
    };
}

/// The names of the bodies, which every harness calls alike.
pub const BODIES: &[Named] = with_bodies!(named);
