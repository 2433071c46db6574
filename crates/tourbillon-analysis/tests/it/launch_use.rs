//! What results use of each launch.

use tourbillon_analysis::synthetic::{Model, contend, frequency};
use tourbillon_analysis::{Contended, LaunchUse, Rules, Tally, Usage, estimate, used};
use tourbillon_record::{Batches, LaunchSamples, Metric};
use tourbillon_stats::{Confidence, Sample, median};

fn rules() -> Rules {
    Rules {
        frequency: frequency(),
        confidence: Confidence::new(0.99).unwrap(),
        core_cache_bytes: None,
    }
}

/// Contention in the rounds before the 12th: batches take six times as long, and so do turns of the empty loop.
fn contend_at_first(launch: &mut LaunchSamples) {
    for ticks in &mut launch.batches.ticks[..3 * 12] {
        *ticks *= 6;
    }
    for ticks in &mut launch.empty.long_ticks[..6] {
        *ticks *= 6;
    }
}

fn median_of(uses: &[LaunchUse], figure: impl Fn(&LaunchUse) -> Option<f64>) -> f64 {
    let used = uses
        .iter()
        .filter(|one| matches!(one.usage, Usage::Used { .. }));
    median(&Sample::new(used.filter_map(figure).collect()).unwrap())
}

#[test]
fn the_figures_of_the_launches_are_those_that_the_estimate_is_the_median_of() {
    let model = Model {
        process_spread: 0.01,
        ..Model::default()
    };
    let mut launches = model.launches("a", 9);
    let alone = used(&launches, &rules());
    contend_at_first(&mut launches[2]);
    contend(&mut launches[5], 1.9, 0.0);
    let uses = used(&launches, &rules());
    // Rounds 0 to 12 are next to a slow turn.
    let usage = Usage::Used {
        quiet: 7,
        rounds: 20,
    };
    assert_eq!(uses[2].usage, usage);
    for (figure, alone) in [
        (uses[2].estimate, alone[2].estimate),
        (uses[2].cycles, alone[2].cycles),
    ] {
        let (figure, alone) = (figure.unwrap(), alone.unwrap());
        assert!((figure / alone - 1.0).abs() < 1e-4, "{figure} {alone}");
    }
    let results = estimate("a", &launches, &Tally::default(), &rules());
    assert_eq!(results[0].launches, 8);
    assert_eq!(results[1].metric, Metric::Cycles);
    let of = |figure: fn(&LaunchUse) -> Option<f64>| median_of(&uses, figure);
    assert_eq!(results[0].estimate, Ok(of(|one| one.estimate)));
    assert_eq!(results[1].estimate, Ok(of(|one| one.cycles)));
}

#[test]
fn every_discarded_launch_has_a_cause() {
    let mut launches = Model::default().launches("a", 9);
    contend(&mut launches[1], 1.9, 0.0);
    launches[2].batches = Batches::default();
    contend(&mut launches[3], 1.0, 0.02);
    launches[4].batches.kind.truncate(6);
    launches[4].batches.ticks.truncate(6);
    launches[4].empty.short_ticks.truncate(2);
    launches[4].empty.long_ticks.truncate(2);
    let uses = used(&launches, &rules());
    let usages: Vec<Usage> = uses.iter().map(|one| one.usage).collect();
    assert_eq!(
        usages[1..3],
        [
            Usage::Contended(Contended::Rounds {
                quiet: 0,
                rounds: 20
            }),
            Usage::Contended(Contended::AtStart)
        ]
    );
    let Usage::Contended(Contended::Additions { excess }) = usages[3] else {
        panic!("{:?}", usages[3]);
    };
    assert!((excess - 0.02).abs() < 1e-6, "{excess}");
    assert_eq!(usages[4], Usage::TooFewRounds);
    let all = Usage::Used {
        quiet: 20,
        rounds: 20,
    };
    assert_eq!([usages[0], usages[8]], [all; 2]);
    // Contended ones have the figure of all of their rounds.
    let estimates = uses.iter().map(|one| one.estimate.is_some());
    let expected = [true, true, false, true, false, true, true, true, true];
    assert!(estimates.eq(expected));
}

#[test]
fn the_clock_of_a_core_is_unknown_with_few_readings_and_interruptions_do_not_change_it() {
    let mut launches = Model::default().launches("a", 3);
    let hz = used(&launches, &rules())[0].core_hz.unwrap();
    assert!((hz - 2.6e9 / 0.7).abs() < 1.0, "{hz}");
    let chain = launches[0].chain.as_mut().unwrap();
    // A reading of 0.01 GHz on average.
    chain.long_ticks[1] += 20 * 2_600_000;
    let chain = launches[1].chain.as_mut().unwrap();
    for column in [&mut chain.at, &mut chain.short_ticks, &mut chain.long_ticks] {
        column.truncate(3);
    }
    chain.long_ticks[1] += 2_600_000;
    let uses = used(&launches, &rules());
    assert_eq!(uses[0].core_hz, Some(hz));
    assert_eq!(uses[1].core_hz, None);
}
