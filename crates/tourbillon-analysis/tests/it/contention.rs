//! Which launches are contended.

use tourbillon_analysis::{contended, contended_share};

use crate::synthetic::{Model, contend};

#[test]
fn bodies_that_are_longer_than_a_batch_are_judged_by_three_readings() {
    // The empty loop is read after every other round.
    let share = |rounds| {
        let model = Model {
            cycles_per_op: 3e6,
            ops: 1,
            slope: false,
            rounds,
            ..Model::default()
        };
        let mut visits = model.visits("a", 20);
        for visit in &mut visits[..5] {
            contend(visit, 1.9, 0.0);
        }
        contended_share(&visits)
    };
    assert_eq!(share(5), Some(0.25));
    assert_eq!(share(4), None);
}

#[test]
fn what_is_contended_is_told_launch_by_launch() {
    let mut visits = Model::default().visits("a", 6);
    contend(&mut visits[1], 1.9, 0.0);
    contend(&mut visits[4], 1.3, 0.0);
    assert_eq!(contended(&visits), [false, true, false, false, true, false]);
    assert_eq!(contended_share(&visits), Some(1.0 / 3.0));
    // Of two launches nothing can be told.
    assert_eq!(contended(&visits[..2]), [false, false]);
    assert_eq!(contended_share(&visits[..2]), None);
    for visit in &mut visits {
        visit.empty = tourbillon_record::Empty::default();
    }
    assert_eq!(contended_share(&visits), None);
}
