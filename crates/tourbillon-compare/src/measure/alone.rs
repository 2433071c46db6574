//! Cases whose builds cannot take turns: each build is launched alone, one after the other.

use tourbillon_analysis::Frequency;
use tourbillon_record::{LaunchSamples, Rounds};

use crate::numbers::NumberLaunches;

/// What is compared of launches of one build each.
#[derive(Debug)]
pub(super) enum Alone {
    /// Numbers of bodies, or processor times.
    Numbers(NumberLaunches),
    /// The calls of isolated bodies: a launch of either build is a pair of processes.
    Isolated,
}

impl Alone {
    /// For a case of which this is a launch; `None` where the builds take turns.
    pub(super) fn of(launch: &LaunchSamples) -> Option<Alone> {
        if launch.measured.is_some() {
            return Some(Alone::incomparable());
        }
        launch.is_isolated().then_some(Alone::Isolated)
    }

    /// Whether launches of both builds measure one thing.
    pub(super) fn measure_one(launches: &[LaunchSamples; 2]) -> bool {
        let measured = launches.each_ref().map(|launch| {
            let measured = launch.measured.as_ref()?;
            Some((measured.metric, measured.own.as_ref()))
        });
        measured[0] == measured[1]
    }

    /// Whether such launches of both builds are a pair.
    pub(super) fn is_isolated(launch: &LaunchSamples) -> bool {
        matches!(Alone::of(launch), Some(Alone::Isolated))
    }

    /// Without a launch, nothing can be compared.
    pub(super) fn incomparable() -> Alone {
        Alone::Numbers(NumberLaunches::default())
    }
}

/// Two launches of an isolated case as a pair of processes, the reference first.
pub(super) fn pair_of(
    launches: [&LaunchSamples; 2],
    is_new_first: bool,
    spent_ns: u64,
    frequency: &Frequency,
) -> Rounds {
    let [old, new] = launches;
    let order = if is_new_first { [1, 0] } else { [0, 1] };
    let of_both = |value: fn(&LaunchSamples) -> u64| launches.map(value).to_vec();
    let ticks = order.map(|side: usize| launches[side].batches.ticks.iter().copied().next());
    let spent_ticks = u128::from(spent_ns) * u128::from(frequency.hz()) / 1_000_000_000;
    Rounds {
        cases: launches.map(|launch| launch.case.clone()).to_vec(),
        launch: new.launch,
        seed: new.seed,
        pids: launches.map(|launch| launch.pid).to_vec(),
        started_unix_ns: old.started_unix_ns.min(new.started_unix_ns),
        ops: of_both(|launch| launch.ops_per_iteration),
        first_call_ticks: of_both(|launch| launch.first_call_ticks),
        // The two readings of the clock are part of the call.
        fixed_ticks: vec![0; 2],
        round: vec![0; 2],
        arm: order.map(|side| side as u8).to_vec(),
        ticks: ticks.map(Option::unwrap_or_default).to_vec(),
        // Starting the processes is most of it.
        launch_ticks: u64::try_from(spent_ticks).unwrap_or(u64::MAX),
        ..Rounds::default()
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use tourbillon_record::{Batches, Measured};

    use super::*;

    fn launch(case: &str, ticks: u64) -> LaunchSamples {
        LaunchSamples {
            case: case.to_owned(),
            terminal: "isolated.iter".to_owned(),
            ops_per_iteration: 2,
            first_call_ticks: ticks,
            batches: Batches {
                kind: vec![1],
                ticks: vec![ticks],
                ..Batches::default()
            },
            ..LaunchSamples::default()
        }
    }

    #[test]
    fn two_isolated_launches_are_a_pair_in_the_order_of_their_starts() {
        let frequency = Frequency {
            numerator: NonZeroU64::new(2_000_000_000).expect("not zero"),
            denominator: NonZeroU64::MIN,
            error_ppm: None,
        };
        let launches = [launch("a", 100), launch("b", 300)];
        let [old, new] = &launches;
        for (is_new_first, arm, ticks) in [(false, [0, 1], [100, 300]), (true, [1, 0], [300, 100])]
        {
            let rounds = pair_of([old, new], is_new_first, 50, &frequency);
            assert_eq!((&rounds.arm[..], &rounds.ticks[..]), (&arm[..], &ticks[..]));
            assert_eq!(rounds.cases, ["a", "b"]);
            assert_eq!((rounds.ops, rounds.launch_ticks), (vec![2, 2], 100));
            assert_eq!(rounds.first_call_ticks, [100, 300]);
        }
    }

    #[test]
    fn what_takes_turns_is_not_launched_alone() {
        let isolated = launch("a", 1);
        assert!(matches!(Alone::of(&isolated), Some(Alone::Isolated)));
        let measured = LaunchSamples {
            measured: Some(Box::new(Measured::default())),
            ..isolated
        };
        assert!(matches!(Alone::of(&measured), Some(Alone::Numbers(_))));
        assert!(Alone::of(&LaunchSamples::default()).is_none());
    }
}
