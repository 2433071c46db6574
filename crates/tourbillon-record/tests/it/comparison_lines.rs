//! Samples of what a comparison writes, whole and random.

use tourbillon_record::{
    Absence, Additions, Case, CaseResult, Chain, ComparedNumber, Control, Empty, Finding, Frame,
    Interference, Line, Memory, Metric, Plan, Probes, Reach, Rough, Rounds, Turns, Undecided,
    Verdict,
};

use crate::commands;
use crate::entries::{self, CASE};
use crate::random::Random;

pub(crate) fn rounds() -> Rounds {
    Rounds {
        cases: vec!["shop/checkout::basket::naive".into(), CASE.into()],
        launch: 2,
        placement: Some(7),
        seed: 11_474_082_599_589_117_953,
        pids: vec![4_711, 4_712],
        started_unix_ns: 1_767_225_601_000_000_001,
        ops: vec![4_096, 4_096],
        first_call_ticks: vec![31_200, 29_900],
        fixed_ticks: vec![44, 44],
        lead_in: 1,
        round: vec![0, 0, 0, 1, 1],
        arm: vec![1, 0, 2, 0, 1],
        ticks: vec![260_000, 520_100, 519_950, 520_020, 260_100],
        probes: None,
        calls: None,
        processes: None,
        launch_ticks: 26_000_000,
        unknown: String::new(),
    }
}

pub(crate) fn verdict(finding: Finding, why: Option<Undecided>, scope: Reach) -> Verdict {
    Verdict {
        case: CASE.into(),
        reference: "shop/checkout::basket::naive".into(),
        metric: None,
        finding,
        why,
        ratio: Some(0.5),
        lower: Some(0.498),
        upper: Some(0.503),
        limit: None,
        confidence: 0.999,
        margin: 0.005,
        scope,
        pairs: 64,
        launches: 1,
        placements: 1,
        discarded: 0,
        control: Some(Control {
            ratio: Some(1.0),
            lower: Some(0.999),
            upper: Some(1.001),
            pairs: 16,
            fired: false,
        }),
        interference: None,
        seed: 17,
        seconds: 0.025,
        seconds_needed: Some(1.5),
        reference_ns: Some(8.82),
        case_ns: Some(4.41),
        ratio_of_medians: None,
        number: None,
        method: "paired-signed-rank-1".into(),
        unknown: String::new(),
    }
}

/// A verdict with nothing but what it cannot be without.
pub(crate) fn plain_verdict() -> Verdict {
    Verdict {
        ratio: None,
        lower: None,
        upper: None,
        control: None,
        interference: None,
        seconds_needed: None,
        reference_ns: None,
        case_ns: None,
        ..verdict(
            Finding::Undecided,
            Some(Undecided::TooFew),
            Reach::Processes,
        )
    }
}

/// Of two cases of a run.
pub(crate) fn of_blocks() -> Line {
    Line::Verdict(Verdict {
        ratio_of_medians: Some(0.5),
        control: None,
        method: "blocks-signed-rank-1".into(),
        ..verdict(
            Finding::Undecided,
            Some(Undecided::CoreShared),
            Reach::Processes,
        )
    })
}

/// Of a number that a body returns, and of one that cannot be compared.
pub(crate) fn of_numbers() -> [Line; 2] {
    let better = Verdict {
        number: Some(ComparedNumber {
            name: "found".into(),
            unit: "hits".into(),
            more_is_better: true,
            reference: 8.0,
            case: 16.0,
        }),
        ratio: Some(2.0),
        lower: Some(2.0),
        upper: Some(2.0),
        control: None,
        seconds_needed: None,
        reference_ns: None,
        case_ns: None,
        method: "numbers-1".into(),
        ..verdict(Finding::Faster, None, Reach::Processes)
    };
    let not_comparable = Verdict {
        why: Some(Undecided::NotComparable),
        method: "numbers-1".into(),
        ..plain_verdict()
    };
    [Line::Verdict(better), Line::Verdict(not_comparable)]
}

/// A case without a figure, of which all launches together say something.
pub(crate) fn rough() -> Line {
    Line::Result(CaseResult {
        estimate: Err(Absence::MachineBusy),
        lower: None,
        upper: None,
        rough: Some(Rough::between(4.0, 9.0)),
        ..entries::result()
    })
}

/// Every word of the closed lists.
pub(crate) fn lines() -> Vec<Line> {
    let mut lines = vec![Line::Rounds(rounds())];
    for finding in [Finding::Faster, Finding::Slower, Finding::Same] {
        lines.push(Line::Verdict(verdict(finding, None, Reach::Process)));
    }
    for why in [
        Undecided::Time,
        Undecided::TooFew,
        Undecided::Control,
        Undecided::Drift,
        Undecided::Noise,
    ] {
        let verdict = verdict(Finding::Undecided, Some(why), Reach::Placements);
        lines.push(Line::Verdict(verdict));
    }
    lines.push(Line::Verdict(plain_verdict()));
    let control = Control {
        ratio: None,
        lower: None,
        upper: None,
        pairs: 3,
        fired: false,
    };
    lines.push(Line::Verdict(Verdict {
        control: Some(control),
        ..plain_verdict()
    }));
    // What came later stands last: files that were written once grow at their end.
    lines.push(Line::Memory(Memory {
        arm: Some(1),
        ..entries::memory()
    }));
    lines
}

/// What is written since benchmarks make assertions.
pub(crate) fn asserted() -> Vec<Line> {
    vec![
        Line::Case(Case {
            verify: Some(vec!["a <= 1.05 * b".into()]),
            ..entries::case()
        }),
        Line::Verdict(Verdict {
            limit: Some(1.05),
            ..plain_verdict()
        }),
    ]
}

/// What is written since arms that disturb each other are detected.
pub(crate) fn disturbed() -> Vec<Line> {
    let verdict = |interference| {
        Line::Verdict(Verdict {
            interference: Some(interference),
            ..verdict(Finding::Same, None, Reach::Process)
        })
    };
    vec![
        Line::Rounds(Rounds {
            lead_in: 8,
            ..rounds()
        }),
        verdict(Interference {
            reference: Some(1.021),
            case: Some(1.0),
            pairs: 24,
            lead_in: 8,
            matters: true,
        }),
        verdict(Interference {
            reference: None,
            case: None,
            pairs: 0,
            lead_in: 1,
            matters: false,
        }),
    ]
}

pub(crate) fn plain_lines() -> Vec<Line> {
    vec![
        Line::Rounds(Rounds {
            placement: None,
            ..rounds()
        }),
        Line::Verdict(plain_verdict()),
    ]
}

pub(crate) fn turns() -> Turns {
    Turns {
        side: 1,
        input: "/dev/fd/5".into(),
        output: "/dev/fd/6".into(),
    }
}

/// The frames of a comparison.
pub(crate) fn frames() -> Vec<Frame> {
    vec![
        Frame::Plan(Plan {
            turns: Some(Box::new(turns())),
            ..entries::plan(None)
        }),
        Frame::Rounds(Box::new(rounds())),
    ]
}

/// Rounds with what shows contention.
pub(crate) fn with_probes() -> Line {
    let probes = Probes {
        chain: Chain {
            of: "multiplications of 3 cycles".into(),
            short_cycles: 1_800,
            long_cycles: 18_000,
            at: vec![0, 1],
            short_ticks: vec![1_300, 1_310],
            long_ticks: vec![13_000, 13_020],
            additions: Some(Box::new(Additions {
                short_ticks: vec![1_301, 1_312],
                long_ticks: vec![13_004, 13_021],
            })),
        },
        empty: Empty {
            ops: 8_192,
            short_ticks: vec![740],
            long_ticks: vec![1_480],
        },
    };
    Line::Rounds(Rounds {
        probes: Some(vec![probes.clone(), probes]),
        ..rounds()
    })
}

fn random_probes(random: &mut Random) -> Probes {
    let (readings, turns) = (random.below(5), random.below(5));
    Probes {
        chain: Chain {
            of: random.text(),
            short_cycles: random.whole(),
            long_cycles: random.whole(),
            at: random.wholes(readings),
            short_ticks: random.wholes(readings),
            long_ticks: random.wholes(readings),
            additions: None,
        },
        empty: Empty {
            ops: random.whole(),
            short_ticks: random.wholes(turns),
            long_ticks: random.wholes(turns),
        },
    }
}

pub(crate) fn random_rounds(random: &mut Random) -> Rounds {
    let (arms, batches) = (random.below(4), random.below(20));
    Rounds {
        cases: (0..arms).map(|_| random.text()).collect(),
        launch: random.bits() as u32,
        placement: random.option(Random::whole),
        seed: random.bits(),
        pids: (0..arms).map(|_| random.bits() as u32).collect(),
        started_unix_ns: random.whole(),
        ops: random.wholes(arms),
        first_call_ticks: random.wholes(arms),
        fixed_ticks: random.wholes(arms),
        lead_in: random.whole().max(1),
        round: random.wholes(batches),
        arm: (0..batches).map(|_| random.bits() as u8).collect(),
        ticks: random.wholes(batches),
        probes: random.option(|random| (0..arms).map(|_| random_probes(random)).collect()),
        calls: random.option(|random| (0..arms).map(|_| random.calls()).collect()),
        processes: random.option(|random| Box::new(commands::random_processes(random, batches))),
        launch_ticks: random.whole(),
        unknown: random.unknown(),
    }
}

pub(crate) fn random_verdict(random: &mut Random) -> Verdict {
    let decided = [Finding::Faster, Finding::Slower, Finding::Same];
    let reasons = [Undecided::Time, Undecided::Drift, Undecided::CoreShared];
    let (finding, why) = match random.below(5) {
        3 => (Finding::Undecided, Some(reasons[random.below(3)])),
        4 => (Finding::Slower, Some(Undecided::CoreShared)),
        n => (decided[n], None),
    };
    let [ratio, lower, upper] = random.interval();
    Verdict {
        case: random.text(),
        reference: random.text(),
        metric: [None, Some(Metric::P50), Some(Metric::P999)][random.below(3)],
        finding,
        why,
        ratio,
        lower,
        upper,
        limit: random.option(Random::amount),
        confidence: random.share(),
        margin: random.amount(),
        scope: [Reach::Process, Reach::Processes, Reach::Placements][random.below(3)],
        pairs: random.whole(),
        launches: random.bits() as u32,
        placements: random.bits() as u32,
        discarded: random.whole(),
        control: random.option(|random| {
            let [ratio, lower, upper] = random.interval();
            Control {
                ratio,
                lower,
                upper,
                pairs: random.whole(),
                fired: random.flag(),
            }
        }),
        interference: random.option(|random| Interference {
            reference: random.option(Random::amount),
            case: random.option(Random::amount),
            pairs: random.whole(),
            lead_in: random.whole(),
            matters: random.flag(),
        }),
        seed: random.bits(),
        seconds: random.amount(),
        seconds_needed: random.option(Random::amount),
        reference_ns: random.option(Random::amount),
        case_ns: random.option(Random::amount),
        ratio_of_medians: random.option(Random::amount),
        number: random.option(|random| ComparedNumber {
            name: random.text(),
            unit: random.text(),
            more_is_better: random.flag(),
            reference: random.number(),
            case: random.number(),
        }),
        method: random.text(),
        unknown: random.unknown(),
    }
}
