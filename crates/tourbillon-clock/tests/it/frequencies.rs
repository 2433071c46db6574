//! Conversions from ticks to time and back.

use tourbillon_clock::{Frequency, FrequencyFrom, Ticks};

/// Picoseconds in a second.
const PICOS: u128 = 1_000_000_000_000;

fn frequency(numerator: u64, denominator: u64) -> Frequency {
    Frequency::new(numerator, denominator, FrequencyFrom::Script, None).expect("a frequency")
}

/// The quotient `ticks * factor / divisor` and its rest, bit by bit: slow, and obvious.
fn oracle(ticks: u64, factor: u128, divisor: u128) -> (u128, u128) {
    (0..64).rev().fold((0, 0), |(quotient, rest), bit| {
        let sum = 2 * rest + factor * u128::from(ticks >> bit & 1);
        (2 * quotient + sum / divisor, sum % divisor)
    })
}

/// Counters whose rate does not divide a second, and the fractions of CPUID leaf 15h.
const RATES: [(u64, u64); 12] = [
    (1_000_000_000, 1),
    (2_596_106_000, 1),
    (2_600_000_000, 1),
    (3_579_545, 1),
    (14_318_180, 1),
    (19_200_000, 1),
    (24_000_000, 1),
    (10_000_000, 1),
    (1, 1),
    (4_800_000_000, 7),
    (u64::MAX, 4_294_967_291),
    (3, 125),
];

#[test]
fn conversions_agree_with_the_oracle() {
    let mut ticks = 1_u64;
    for round in 0..2_000 {
        ticks = ticks
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695);
        let ticks = Ticks(ticks >> (round % 64));
        for (numerator, denominator) in RATES {
            let frequency = frequency(numerator, denominator);
            let (whole, rest) = oracle(
                ticks.0,
                u128::from(denominator) * PICOS,
                u128::from(numerator),
            );
            let nearest = whole + u128::from(2 * rest >= u128::from(numerator));
            assert_eq!(
                frequency.nanos_exact(ticks),
                nearest,
                "{ticks:?} at {frequency:?}"
            );
            let exact = nearest as f64 / 1e3;
            let nanos = frequency.nanos(ticks);
            assert!(
                (nanos - exact).abs() <= exact * 1e-15 + 0.000_51,
                "{nanos} and {exact}"
            );
        }
    }
}

#[test]
fn every_rate_up_to_ten_gigahertz_is_exact_at_both_ends_of_a_counter() {
    let mut state = 7_u64;
    for round in 0..20_000_u64 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695);
        // All orders of magnitude, and all the low rates one by one.
        let hz = match round {
            0..1_000 => round + 1,
            1_000 => 10_000_000_000,
            _ => 1 + (state >> 16) % 10_u64.pow(1 + (round % 10) as u32),
        };
        let frequency = frequency(hz, 1);
        for ticks in [0, 1, u64::MAX] {
            let (whole, rest) = oracle(ticks, PICOS, u128::from(hz));
            let nearest = whole + u128::from(2 * rest >= u128::from(hz));
            assert_eq!(
                frequency.nanos_exact(Ticks(ticks)),
                nearest,
                "{ticks} at {hz}"
            );
        }
    }
}

#[test]
fn periods_at_which_another_library_overflowed_are_right() {
    // STLSoft 1.11 guards a product with 10^9 by the limit of one with 10^6, and multiplies by
    // 10^8 beyond it: 9.23e9 counts are 923 s at 10 MHz and 3.08 s at 3 GHz.
    for (hz, ns) in [
        (10_000_000, 923_000_000_000_u128),
        (3_000_000_000, 3_076_666_666),
    ] {
        let exact = frequency(hz, 1).nanos_exact(Ticks(9_230_000_000));
        assert_eq!(exact / 1_000, ns, "{hz}");
    }
    // Its totals of processor times divide microseconds by 10^7 for seconds, ten times too many.
    assert_eq!(frequency(1_000_000, 1).nanos(Ticks(2_500_000)), 2.5e9);
    // 9 223 372 036 854 776 microseconds and more do not fit into its 64 bits as nanoseconds.
    let long = frequency(1_000_000, 1).nanos_exact(Ticks(u64::MAX));
    assert_eq!(long, u128::from(u64::MAX) * 1_000_000);
}

#[test]
fn a_whole_number_of_seconds_of_ticks_is_exactly_that() {
    // Integer factors, as others have used them, are 1307, 12 046, 1600 and 16 000 ppm off.
    for hz in [
        3_579_545, 14_318_180, 19_200_000, 24_000_000, 2_143_477, 2_728_067,
    ] {
        let frequency = frequency(hz, 1);
        assert_eq!(
            frequency.nanos_exact(Ticks(hz * 3_600)),
            3_600_000_000_000_000,
            "{hz}"
        );
        assert!((frequency.nanos(Ticks(hz)) - 1e9).abs() < 1e-6, "{hz}");
        assert_eq!(frequency.ticks_in(1_000_000_000), Ticks(hz), "{hz}");
    }
}

#[test]
fn counts_that_overflowed_elsewhere_do_not() {
    // 32-bit products of cycles: 1.8e10 at 3.2 GHz is 5.625 s.
    let fast = frequency(3_200_000_000, 1);
    assert_eq!(fast.nanos_exact(Ticks(18_000_000_000)), 5_625_000_000_000);
    // 64-bit products with 1e9 end at 9.22e9 counts: 922 s at 10 MHz.
    let slow = frequency(10_000_000, 1);
    assert_eq!(slow.nanos_exact(Ticks(9_223_372_037)), 922_337_203_700_000);
    // A counter of one GHz that is at its end: 584 years.
    let nanos = frequency(1_000_000_000, 1);
    assert_eq!(
        nanos.nanos_exact(Ticks(u64::MAX)),
        u128::from(u64::MAX) * 1_000
    );
}

#[test]
fn one_tick_counts_after_forty_days() {
    // Beyond 2^53 ticks an `f64` of them is blind to one.
    let frequency = frequency(2_600_000_000, 1);
    let forty_days = 2_600_000_000 * 86_400 * 40;
    let before = frequency.nanos_exact(Ticks(forty_days));
    assert_eq!(frequency.nanos_exact(Ticks(forty_days + 1)) - before, 385);
    assert_eq!(before, 86_400 * 40 * PICOS);
}

#[test]
fn a_period_of_a_fraction_of_a_nanosecond_is_not_zero() {
    assert_eq!(frequency(24_000_000, 1).nanos_exact(Ticks(3)), 125_000);
    assert_eq!(frequency(3, 125).ticks_in(125_000_000_000), Ticks(3));
}

#[test]
fn ticks_in_rounds_to_the_nearest_and_saturates() {
    let frequency = frequency(2_600_000_000, 1);
    assert_eq!(frequency.ticks_in(0), Ticks(0));
    assert_eq!(frequency.ticks_in(1), Ticks(3));
    assert_eq!(frequency.ticks_in(2), Ticks(5));
    assert_eq!(frequency.ticks_in(100_000), Ticks(260_000));
    assert_eq!(frequency.ticks_in(u64::MAX), Ticks(u64::MAX));
}

#[test]
fn there_and_back_is_within_half_a_nanosecond() {
    let frequency = frequency(2_596_106_000, 1);
    let mut ticks = 1_u64;
    while ticks < 1 << 50 {
        let nanos = frequency.nanos(Ticks(ticks)).round() as u64;
        let back = frequency.ticks_in(nanos).signed_since(Ticks(ticks));
        assert!(back.abs() <= 2, "{ticks} came back {back} off");
        ticks = ticks * 7 / 5 + 1;
    }
}

#[test]
fn fractions_are_reduced_and_zeros_refused() {
    let reduced = frequency(5_000_000_000, 2_000_000);
    assert_eq!((reduced.numerator, reduced.denominator), (2_500, 1));
    for (numerator, denominator) in [(0, 1), (1, 0), (0, 0)] {
        let refused = Frequency::new(numerator, denominator, FrequencyFrom::Script, None);
        assert!(refused.is_err_and(|error| error.is_zero_frequency()));
    }
}
