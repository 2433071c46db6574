//! The analysis on tables that were printed elsewhere: sequential readings of one laptop under
//! two systems (A. Akinshin, "Stopwatch under the hood", 2016). What is known about them: the
//! first counts 1024 TSC ticks at 2 728 068 Hz, the second nanoseconds made out of a TSC.

use tourbillon_timers::characterise::{Deltas, Granularity, Hardware, Negatives, Regime, Step};

/// Windows, `QueryPerformanceCounter`, a million readings, complete.
const WINDOWS: &[(i128, u64)] = &[
    (0, 931_768),
    (1, 66_462),
    (2, 1_155),
    (3, 319),
    (4, 59),
    (5, 21),
    (6, 46),
    (7, 39),
    (8, 31),
    (9, 10),
    (10, 6),
    (11, 3),
    (13, 2),
    (15, 3),
    (16, 1),
    (18, 1),
    (19, 2),
    (20, 1),
    (22, 1),
    (23, 4),
    (24, 8),
    (25, 12),
    (27, 13),
    (28, 10),
    (30, 6),
    (31, 1),
    (34, 4),
    (35, 1),
    (36, 1),
    (44, 1),
    (47, 1),
    (56, 1),
    (66, 1),
    (68, 1),
    (71, 1),
    (123, 1),
    (314, 1),
    (2_412, 1),
];

/// Linux, `clock_gettime`, a million readings; the printed table leaves out its middle.
const LINUX: &[(i128, u64)] = &[
    (22, 2),
    (23, 485),
    (24, 1_919),
    (25, 7_516),
    (26, 7_683),
    (27, 825),
    (28, 8),
    (30, 2),
    (31, 2_296),
    (32, 20_916),
    (33, 52_925),
    (34, 172_174),
    (35, 110_923),
    (36, 100_979),
    (37, 322_173),
    (38, 159_638),
    (39, 9_510),
    (40, 2_270),
    (41, 808),
    (42, 993),
    (43, 2_154),
    (44, 1_114),
    (45, 2_551),
    (46, 3_234),
    (47, 5_828),
    (48, 4_342),
    (49, 3_695),
    (50, 162),
    (807, 5),
    (809, 1),
    (810, 4),
    (811, 8),
    (812, 19),
    (813, 22),
    (814, 17),
    (815, 22),
    (816, 10),
    (817, 17),
    (818, 20),
    (819, 20),
    (820, 9),
    (821, 29),
    (822, 23),
    (823, 31),
    (824, 22),
    (825, 14),
    (826, 19),
    (827, 16),
    (828, 20),
    (829, 27),
    (830, 29),
    (831, 29),
    (832, 37),
    (833, 21),
    (834, 10),
    (835, 7),
    (836, 11),
    (837, 8),
    (838, 10),
    (839, 4),
    (840, 11),
    (841, 6),
    (842, 7),
    (843, 7),
    (844, 5),
    (845, 4),
    (846, 3),
    (32_808, 1),
    (110_366, 1),
    (112_423, 1),
];

#[test]
fn a_counter_of_tsc_over_1024_is_coarser_than_its_readings() {
    let hz = 2_728_068.0;
    let deltas = Deltas::of_counts(WINDOWS);
    assert_eq!(deltas.total(), 999_999);
    assert_eq!(Regime::of(&deltas), Regime::ResolutionBound);
    // One tick is 366.6 ns, and the observed resolution is that: minimum and median.
    assert_eq!(deltas.smallest(), Some(1));
    assert_eq!(deltas.median_change(), Some(1));
    let granularity = Granularity::of(&deltas).unwrap();
    assert_eq!(granularity.step, Step::Whole(1));
    assert!(granularity.certain);
    assert!((granularity.ticks() / hz * 1e9 - 366.6).abs() < 0.05);
    // The mean is pulled up by what interrupted.
    let mean_ns = deltas.mean_change().unwrap() / hz * 1e9;
    assert!((400.0..500.0).contains(&mean_ns), "{mean_ns}");
    assert_eq!(Hardware::recognise(hz), Some(Hardware::TscOver1024));
    // "once I had a delta which equals to 2412 ticks or 0.8 ms"
    assert_eq!(deltas.largest(), Some(2_412));
    assert!((2_412.0 / hz * 1e6 - 884.1).abs() < 0.05);
    assert_eq!(deltas.quantile(0.93), Some(0));
    assert_eq!(deltas.quantile(0.99), Some(1));
    assert_eq!(deltas.negatives(), Negatives::default());
}

#[test]
fn a_clock_of_nanoseconds_out_of_a_tsc_is_finer_than_its_readings() {
    let deltas = Deltas::of_counts(LINUX);
    assert_eq!(deltas.zeros(), 0);
    assert_eq!(Regime::of(&deltas), Regime::LatencyBound);
    // "The minimal resolution is 22 ns but it was achieved only twice"
    assert_eq!(deltas.smallest(), Some(22));
    assert_eq!(deltas.rows().next(), Some((22, 2)));
    assert_eq!(deltas.commonest(), Some(37));
    assert_eq!(deltas.median_change(), Some(37));
    let granularity = Granularity::of(&deltas).unwrap();
    assert_eq!(granularity.step, Step::Whole(1));
    assert!(granularity.certain);
    assert_eq!(deltas.largest(), Some(112_423));
}
