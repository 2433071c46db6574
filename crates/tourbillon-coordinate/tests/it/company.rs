//! Launches beside a busy neighbour, and those that replace them.

use std::cell::RefCell;
use std::rc::Rc;

use tourbillon_coordinate::{Act, CaseSettings, Ending};
use tourbillon_record::{Empty, Frame, Metric, Note, Scope};

use crate::stage::{Played, frequency, play, settings};
use crate::synthetic::{Model, beside_a_neighbour};

/// A run of two cases; `has_neighbour` says which launches of `a` have a neighbour that makes the
/// body a fifth slower.
fn played(common: CaseSettings, has_neighbour: fn(u32) -> bool) -> Played {
    play(&["a", "b"], &settings(common), move |plan, act| {
        let mut visit = Model::default().visit(plan);
        let excess = if plan.case == "a" && has_neighbour(plan.launch) {
            0.1
        } else {
            0.0
        };
        beside_a_neighbour(&mut visit, excess);
        act(Act::Work(frequency().nanos(visit.visit_ticks)));
        act(Act::Say(Frame::Visit(Box::new(visit))));
        act(Act::Say(Frame::Bye));
        act(Act::End(Ending::Exited(0)));
    })
}

fn crowded(launches: u32, kept: bool) -> Vec<Note> {
    vec![Note::Crowded { launches, kept }]
}

#[test]
fn launches_are_replaced_until_most_of_those_asked_for_are_quiet() {
    // Two of three have a neighbour: 7 of 20 are quiet, and 12 of 35.
    let played = played(CaseSettings::default(), |launch| launch % 3 != 0);
    assert_eq!((played.begun("a"), played.begun("b")), (35, 20));
    let cycles = played.result("a", Metric::Cycles);
    assert_eq!(cycles.launches, 12);
    assert_eq!(cycles.notes, crowded(23, false));
    let estimate = cycles.estimate.unwrap();
    assert!((estimate - 100.0).abs() < 0.05, "{estimate}");
    let (done, total) = *played.log.progress.last().unwrap();
    assert_eq!((done, total), (54, 55));
}

#[test]
fn no_more_than_as_many_again_are_made_where_time_does_not_tell() {
    let long = CaseSettings {
        min_time_ns: 1_000_000_000,
        ..CaseSettings::default()
    };
    let played = played(long, |launch| launch % 8 != 0);
    assert_eq!(played.begun("a"), 40);
    let cycles = played.result("a", Metric::Cycles);
    assert_eq!((cycles.launches, cycles.scope), (5, Scope::Process));
    assert_eq!(cycles.notes, crowded(35, false));
}

#[test]
fn a_neighbour_that_stays_is_waited_for_while_there_is_time() {
    // Where that does not tell, a quarter more.
    let long = CaseSettings {
        min_time_ns: 1_000_000_000,
        ..CaseSettings::default()
    };
    assert_eq!(self::played(long, |_| true).begun("a"), 25);
    let played = played(CaseSettings::default(), |_| true);
    assert_eq!(played.begun("a"), 80);
    let cycles = played.result("a", Metric::Cycles);
    assert_eq!(cycles.notes, crowded(80, true));
    // A fifth too long, and the interval knows of it.
    let estimate = cycles.estimate.unwrap();
    assert!((estimate - 120.0).abs() < 0.1, "{estimate}");
    let (lower, upper) = (cycles.lower.unwrap(), cycles.upper.unwrap());
    assert!((59.0..60.0).contains(&lower) && (120.0..121.0).contains(&upper));
    // One that most of the launches are without costs nothing.
    let played = self::played(CaseSettings::default(), |launch| launch % 5 < 2);
    assert_eq!(played.begun("a"), 20);
}

#[test]
fn a_launch_of_its_own_is_few_beside_a_neighbour_too() {
    let common = CaseSettings {
        launches: 1,
        ..CaseSettings::default()
    };
    let played = played(common, |_| true);
    let notes = &played.result("a", Metric::Cycles).notes;
    assert_eq!(notes[..1], crowded(1, true));
    assert!(
        notes.contains(&Note::FewLaunches { launches: 1 }),
        "{notes:?}"
    );
}

#[test]
fn looks_at_the_precision_stay_where_they_were() {
    let common = CaseSettings {
        precision: Some(0.5),
        ..CaseSettings::default()
    };
    let played = played(common, |launch| launch % 3 != 0);
    assert!(
        matches!(played.begun("a"), 20 | 40 | 80),
        "{}",
        played.begun("a")
    );
}

/// A run of one case; `has_neighbour` says in which rounds of which launches there is one that makes the body
/// a fifth slower and a turn of the empty loop so many cycles long, and that additions do not notice.
fn beside_the_empty_loop(turn: f64, has_neighbour: fn(u32, usize) -> bool) -> Played {
    of_model(&Model::default(), turn, has_neighbour)
}

/// The same of another body.
fn of_model(model: &Model, turn: f64, has_neighbour: fn(u32, usize) -> bool) -> Played {
    let model = model.clone();
    play(
        &["a"],
        &settings(CaseSettings::default()),
        move |plan, act| {
            let mut visit = model.visit(plan);
            let per_round = if model.slope { 3 } else { 2 };
            let batches = &mut visit.batches;
            for (index, ticks) in batches.ticks.iter_mut().enumerate() {
                if batches.kind[index] > 0 && has_neighbour(plan.launch, index / per_round) {
                    *ticks += *ticks / 5;
                }
            }
            let Empty {
                short_ticks,
                long_ticks,
                ..
            } = &mut visit.empty;
            for (index, ticks) in long_ticks.iter_mut().enumerate() {
                if has_neighbour(plan.launch, 2 * index) {
                    let once = (*ticks - short_ticks[index]) as f64;
                    *ticks = short_ticks[index] + (turn * once) as u64;
                }
            }
            act(Act::Work(frequency().nanos(visit.visit_ticks)));
            act(Act::Say(Frame::Visit(Box::new(visit))));
            act(Act::Say(Frame::Bye));
            act(Act::End(Ending::Exited(0)));
        },
    )
}

#[test]
fn a_neighbour_that_additions_do_not_notice_shows_in_the_empty_loop() {
    // Two of three launches have one.
    let played = beside_the_empty_loop(1.9, |launch, _| launch % 3 != 0);
    assert_eq!(played.begun("a"), 35);
    for metric in [Metric::Time, Metric::Cycles] {
        let result = played.result("a", metric);
        assert_eq!(result.launches, 12);
        assert_eq!(result.notes, crowded(23, false));
    }
    let estimate = played.result("a", Metric::Cycles).estimate.unwrap();
    assert!((estimate - 100.0).abs() < 0.05, "{estimate}");
}

/// A run of one case whose launches end after a round where they are to, and how many rounds each had;
/// `has_neighbour` says which have one.
fn ending_early(common: CaseSettings, has_neighbour: fn(u32) -> bool) -> (Played, Vec<u64>) {
    let rounds = Rc::new(RefCell::new(Vec::new()));
    let made = Rc::clone(&rounds);
    let played = play(&["a"], &settings(common), move |plan, act| {
        let is_beside = has_neighbour(plan.launch);
        let ends = is_beside && plan.neighbour_from.is_some_and(|from| from <= 1_600);
        let model = Model {
            rounds: if ends { 1 } else { 20 },
            ..Model::default()
        };
        let mut visit = model.visit(plan);
        if is_beside {
            for ticks in &mut visit.batches.ticks {
                *ticks += *ticks / 5;
            }
            let Empty {
                short_ticks,
                long_ticks,
                ..
            } = &mut visit.empty;
            for (short, long) in short_ticks.iter().zip(long_ticks) {
                *long = short + (*long - short) * 16 / 10;
            }
        }
        made.borrow_mut().push(model.rounds);
        act(Act::Work(frequency().nanos(visit.visit_ticks)));
        act(Act::Say(Frame::Visit(Box::new(visit))));
        act(Act::Say(Frame::Bye));
        act(Act::End(Ending::Exited(0)));
    });
    let rounds = rounds.borrow().clone();
    (played, rounds)
}

/// Those of one round.
fn ended(rounds: &[u64]) -> usize {
    rounds.iter().filter(|rounds| **rounds == 1).count()
}

#[test]
fn launches_beside_a_neighbour_end_early_and_are_replaced() {
    let (played, rounds) = ending_early(CaseSettings::default(), |launch| launch % 4 != 2);
    // What the loop costs is known from three launches, when the fifth is begun.
    assert_eq!(rounds[..8], [20, 20, 20, 20, 1, 1, 20, 1]);
    assert_eq!(rounds.len(), 51);
    for metric in [Metric::Time, Metric::Cycles] {
        let result = played.result("a", metric);
        assert_eq!(result.launches, 13);
        assert_eq!(result.notes, crowded(38, false));
    }
    let estimate = played.result("a", Metric::Cycles).estimate.unwrap();
    assert!((estimate - 100.0).abs() < 0.05, "{estimate}");
}

#[test]
fn launches_that_all_have_a_neighbour_are_full_ones_at_last() {
    let (played, rounds) = ending_early(CaseSettings::default(), |_| true);
    assert_eq!(rounds.len(), 80);
    assert_eq!(ended(&rounds[..4]), 0);
    // The last but two is begun when those before the one before it are known.
    assert_eq!(ended(&rounds[4..77]), 73);
    assert_eq!(ended(&rounds[77..]), 0);
    // Those of one round are not in the figure.
    let time = played.result("a", Metric::Time);
    assert_eq!(
        (time.launches, &time.notes[..1]),
        (7, &crowded(80, true)[..])
    );
    // The neighbour leaves at last.
    let (played, rounds) = ending_early(CaseSettings::default(), |launch| {
        !(60..=64).contains(&launch)
    });
    assert_eq!(rounds.len(), 80);
    assert_eq!(ended(&rounds), 71);
    let cycles = played.result("a", Metric::Cycles);
    assert_eq!((cycles.launches, cycles.scope), (5, Scope::Process));
    assert_eq!(cycles.notes, crowded(75, false));
}

#[test]
fn launches_are_replaced_within_the_time_of_the_case() {
    // A launch takes so many milliseconds; one of four is quiet.
    let begun = |milliseconds: u64, common: CaseSettings| {
        let played = play(&["a"], &settings(common), move |plan, act| {
            let mut visit = Model::default().visit(plan);
            beside_a_neighbour(&mut visit, if plan.launch % 4 == 2 { 0.0 } else { 0.1 });
            // A millisecond of them is the start of the process.
            visit.visit_ticks = frequency().hz() / 1_000 * (milliseconds - 1);
            act(Act::Work(milliseconds * 1_000_000));
            act(Act::Say(Frame::Visit(Box::new(visit))));
            act(Act::Say(Frame::Bye));
            act(Act::End(Ending::Exited(0)));
        });
        played.begun("a")
    };
    assert_eq!(begun(2, CaseSettings::default()), 47);
    // Less than 198 ms, and 10 for a launch more.
    assert_eq!(begun(5, CaseSettings::default()), 38);
    assert_eq!(begun(7, CaseSettings::default()), 27);
    assert_eq!(begun(9, CaseSettings::default()), 21);
    assert_eq!(begun(10, CaseSettings::default()), 20);
    // What is longer anyway is replaced all the same.
    let long = CaseSettings {
        min_time_ns: 1_000_000_000,
        ..CaseSettings::default()
    };
    assert_eq!(begun(50, long), 32);
}

#[test]
fn launches_that_were_to_last_do_not_end_early() {
    for common in [
        CaseSettings {
            min_time_ns: 1_000_000,
            ..CaseSettings::default()
        },
        CaseSettings {
            budget_ns: 2_000_000_000,
            ..CaseSettings::default()
        },
    ] {
        let (_, rounds) = ending_early(common, |launch| launch % 3 != 0);
        assert_eq!(ended(&rounds), 0);
    }
}

#[test]
fn rounds_beside_such_a_neighbour_are_left_out_of_their_launch() {
    // Of twenty rounds the first eight, in every launch: of the others one is next to a slow reading.
    let played = beside_the_empty_loop(1.9, |_, round| round < 8);
    assert_eq!(played.begun("a"), 20);
    for metric in [Metric::Time, Metric::Cycles] {
        let result = played.result("a", metric);
        assert_eq!((result.launches, result.notes.len()), (20, 0));
    }
    let estimate = played.result("a", Metric::Cycles).estimate.unwrap();
    assert!((estimate - 100.0).abs() < 0.05, "{estimate}");
    // Four that are quiet are too few.
    let played = beside_the_empty_loop(1.9, |launch, round| launch % 3 != 0 && round < 15);
    assert_eq!(played.result("a", Metric::Time).notes, crowded(23, false));
}

#[test]
fn launches_that_had_a_neighbour_for_most_of_their_time_are_what_is_left_where_others_are_too_few()
{
    // Of twenty rounds the first twelve had one, in all launches or in all but seven: more are tried, and all count.
    for without in [0, 7] {
        let has_neighbour: fn(u32, usize) -> bool = match without {
            0 => |_, round| round < 12,
            _ => |launch, round| launch >= 7 && round < 12,
        };
        let played = beside_the_empty_loop(1.9, has_neighbour);
        let result = played.result("a", Metric::Cycles);
        assert_eq!((played.begun("a"), result.launches), (80, 80));
        assert_eq!(result.notes, []);
        let estimate = result.estimate.unwrap();
        assert!((estimate - 100.0).abs() < 0.05, "{estimate}");
    }
    // Half of them: the others are left out.
    let played = beside_the_empty_loop(1.9, |launch, round| launch % 2 == 0 && round < 12);
    assert_eq!(played.begun("a"), 24);
    let result = played.result("a", Metric::Cycles);
    assert_eq!(result.launches, 12);
    assert_eq!(result.notes, crowded(12, false));
}

#[test]
fn bodies_that_are_longer_than_a_batch_are_judged_up_to_a_millisecond() {
    let of = |cycles_per_op, rounds| {
        let model = Model {
            slope: false,
            ops: 1,
            rounds,
            cycles_per_op,
            ..Model::default()
        };
        of_model(&model, 1.9, |launch, _| launch % 3 != 0)
    };
    let played = of(1e6, 5);
    let result = played.result("a", Metric::Cycles);
    assert_eq!(result.notes[0], crowded(23, false)[0]);
    let estimate = result.estimate.unwrap();
    assert!((estimate / 1e6 - 1.0).abs() < 0.001, "{estimate}");
    // Somebody else may be there in the middle of a longer one.
    let played = of(5e6, 1);
    let result = played.result("a", Metric::Cycles);
    let is_crowded = |note: &Note| matches!(note, Note::Crowded { .. });
    assert!(!result.notes.iter().any(is_crowded), "{:?}", result.notes);
    let estimate = result.estimate.unwrap();
    assert!((estimate / 6e6 - 1.0).abs() < 0.001, "{estimate}");
}

#[test]
fn a_neighbour_that_is_always_there_does_not_pass_for_a_slow_loop() {
    let played = beside_the_empty_loop(1.5, |_, _| true);
    assert_eq!(played.begun("a"), 80);
    assert_eq!(played.result("a", Metric::Time).notes, crowded(80, true));
    // One launch without it says more than all the others.
    let played = beside_the_empty_loop(1.5, |launch, _| launch != 7);
    assert_eq!(played.begun("a"), 80);
    let cycles = played.result("a", Metric::Cycles);
    assert_eq!((cycles.launches, cycles.scope), (1, Scope::Process));
    assert_eq!(cycles.notes, crowded(79, false));
    let estimate = cycles.estimate.unwrap();
    assert!((estimate - 100.0).abs() < 0.1, "{estimate}");
    // A turn of two cycles may be the core's own.
    let played = beside_the_empty_loop(2.0, |_, _| true);
    assert_eq!(played.result("a", Metric::Time).notes, []);
}

#[test]
fn the_share_of_the_time_with_a_neighbour_is_that_of_the_readings() {
    let mut visits = Model::default().visits("x", 4);
    assert_eq!(
        tourbillon_coordinate::beside_a_neighbour(&visits),
        Some(0.0)
    );
    // Two of ten, in three of four visits.
    for visit in &mut visits[1..] {
        for ticks in &mut visit.empty.long_ticks[3..5] {
            *ticks *= 2;
        }
    }
    assert_eq!(
        tourbillon_coordinate::beside_a_neighbour(&visits),
        Some(0.15)
    );
    assert_eq!(
        tourbillon_coordinate::each_beside_a_neighbour(&visits),
        [0.0, 0.2, 0.2, 0.2].map(Some)
    );
    // What three visits cannot tell, two cannot.
    assert_eq!(
        tourbillon_coordinate::beside_a_neighbour(&visits[..2]),
        None
    );
    for visit in &mut visits {
        visit.empty = Empty::default();
    }
    assert_eq!(tourbillon_coordinate::beside_a_neighbour(&visits), None);
    assert_eq!(
        tourbillon_coordinate::each_beside_a_neighbour(&visits),
        [None; 4]
    );
}
