//! Rounds that are run together.

use super::*;

#[test]
fn commands_without_anything_in_between_run_together_until_a_look() {
    let arms = ["a", "b"].map(|name| Arm {
        prepare: None,
        conclude: None,
        ..arm(name)
    });
    let mut arms = arms.to_vec();
    arms[1].job.counters = vec![1, 4];
    arms[0].job.counters = vec![1, 4];
    let of = |_: &str, at| Ok((noisy(1e6, at), End::Code(0)));
    let mut script = Script::new(of);
    let subjects = Subjects {
        arms: &arms,
        empty: Err("no program".to_owned()),
    };
    let limits = limits();
    let found = measure(subjects, &limits, 7, GIGAHERTZ, &mut script, &mut |_, _| {});
    // Set-ups and the first round alone, then the fewest runs, then those to the first look.
    let sizes = &script.together[2..script.together.len() - 2];
    assert_eq!(sizes[..4], [1, 1, 18, 12], "{sizes:?}");
    let mut processes = 0;
    for size in sizes {
        let next = next_look(Design::Commands, processes / 2);
        processes += size;
        assert!(processes <= 2 * next, "{sizes:?}");
    }
    assert_eq!(found.rounds.round.len(), processes);
    let counters = found.rounds.processes.expect("columns").counters;
    let counters = counters.expect("two counters");
    let names: Vec<&str> = counters.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["instructions", "branch_misses"]);
    let ticks = found.rounds.ticks.iter();
    assert!(
        ticks
            .zip(&counters[1].counts)
            .all(|(ticks, count)| 4 * ticks == *count)
    );
}
