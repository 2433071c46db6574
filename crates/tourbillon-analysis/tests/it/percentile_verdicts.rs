//! Verdicts on percentiles of single calls of two builds.

use std::collections::BTreeMap;

use tourbillon_analysis::synthetic::frequency;
use tourbillon_analysis::{Criteria, Design, judge, settled};
use tourbillon_record::{Calls, Finding, Metric, Reach, Rounds, Undecided};
use tourbillon_stats::Rng;

/// Calls of some 10,000 ticks, of which one in fifty takes `tail` times as long.
fn calls(count: u32, tail: f64, rng: &mut Rng) -> Calls {
    let mut buckets = BTreeMap::new();
    for _ in 0..count {
        let bits = rng.next_u64();
        let own = 10_000.0 + ((bits >> 32) % 200) as f64;
        let factor = if bits.is_multiple_of(50) { tail } else { 1.0 };
        *buckets
            .entry(Calls::bucket((own * factor) as u64))
            .or_insert(0) += 1;
    }
    let (ticks, count) = buckets.into_iter().unzip();
    Calls {
        ticks,
        count,
        ..Calls::default()
    }
}

/// Pairs of processes; the tail of the second build is `slower` times as long. Batches are those of one build.
fn pairs(launches: u32, of_each: u32, slower: f64) -> Vec<Rounds> {
    let mut rng = Rng::new(3);
    let of_launch = |launch: u32| Rounds {
        cases: vec!["p/t::c".to_owned(); 2],
        launch,
        placement: Some(launch.into()),
        ops: vec![10, 10],
        fixed_ticks: vec![0, 0],
        round: vec![0, 0],
        arm: vec![0, 1],
        ticks: vec![100_000, 100_000],
        calls: Some(vec![
            calls(of_each, 3.0, &mut rng),
            calls(of_each, 3.0 * slower, &mut rng),
        ]),
        ..Rounds::default()
    };
    (0..launches).map(of_launch).collect()
}

const TAIL: Criteria = Criteria {
    margin: 0.05,
    ..Criteria::BUILDS
};

#[test]
fn a_slower_tail_is_found_where_the_median_is_the_same() {
    let launches = pairs(16, 2_000, 1.2);
    let of = |metric| {
        let design = Design::Percentile(metric);
        assert!(settled(design, &launches, TAIL), "{metric:?}");
        let verdict = judge(design, &launches, 0, 1, TAIL, &frequency());
        assert_eq!(Design::of_verdict(&verdict), design);
        assert_eq!(
            (verdict.metric, verdict.scope),
            (Some(metric), Reach::Placements)
        );
        assert_eq!(
            (verdict.pairs, verdict.placements, verdict.control),
            (16, 16, None)
        );
        verdict
    };
    let p50 = of(Metric::P50);
    assert_eq!(p50.finding, Finding::Same, "{p50:?}");
    let p99 = of(Metric::P99);
    assert_eq!(p99.finding, Finding::Slower, "{p99:?}");
    let (lower, upper) = (p99.lower.unwrap(), p99.upper.unwrap());
    assert!(lower <= 1.2 && 1.2 <= upper, "{lower} {upper}");
    // 30,000 ticks of 2.6 GHz and up to 2 % more.
    let reference_ns = p99.reference_ns.unwrap();
    assert!(
        (11_538.0..11_770.0).contains(&reference_ns),
        "{reference_ns}"
    );
    assert_eq!(p99.method, "paired-percentiles-signed-rank-1");
}

#[test]
fn pairs_with_too_few_calls_are_discarded() {
    let mut launches = pairs(16, 2_000, 1.2);
    let few = pairs(1, 900, 1.2).remove(0);
    launches[5].calls = few.calls;
    let p99 = Design::Percentile(Metric::P99);
    let verdict = judge(p99, &launches, 0, 1, TAIL, &frequency());
    assert_eq!((verdict.pairs, verdict.discarded), (15, 1));
    let none = judge(p99, &pairs(16, 900, 1.2), 0, 1, TAIL, &frequency());
    assert_eq!(
        (none.finding, none.why),
        (Finding::Undecided, Some(Undecided::TooFew))
    );
    assert_eq!(
        (none.ratio, none.reference_ns, none.discarded),
        (None, None, 16)
    );
    // And of a body whose calls are not timed.
    for rounds in &mut launches {
        rounds.calls = None;
    }
    let none = judge(p99, &launches, 0, 1, TAIL, &frequency());
    assert_eq!(none.ratio, None);
}
