//! Lines with how far threads that run one body were from each other, and the findings that come of it.

use tourbillon_record::{CaseResult, LaunchSamples, Line, Note, Team};

use crate::entries;

pub(crate) fn lines() -> Vec<Line> {
    let team = Team {
        threads: 4,
        processors: Some(2),
        fastest_ticks: vec![130_000, 260_000, 40],
        slowest_ticks: vec![255_000, 510_000, 44],
        start_spread_ticks: vec![120, 90, 200],
    };
    let unknown = Team {
        processors: None,
        ..team.clone()
    };
    let of = |team| LaunchSamples {
        team: Some(team),
        ..entries::launch()
    };
    let result = CaseResult {
        notes: vec![
            Note::UnevenThreads { fraction: 0.96 },
            Note::Oversubscribed {
                threads: 4,
                processors: 2,
            },
        ],
        ..entries::result()
    };
    vec![
        Line::Launch(Box::new(of(team))),
        Line::Launch(Box::new(of(unknown))),
        Line::Result(result),
    ]
}
