//! Rounds of a program and its copy that were really run, judged again and again with the names drawn anew.

use tourbillon_analysis::{Criteria, Design, judge};
use tourbillon_record::{Finding, Line, Rounds};

use crate::builds::ERROR;
use crate::functions::COUNTABLE;
use crate::launches::frequency;
use crate::verdicts::Tally;
use crate::{Chance, Claim, Repeats, Table};

/// The rounds of two commands in a log of lines as in records; other lines are skipped.
pub fn command_rounds(log: &str) -> Vec<Rounds> {
    let lines = log.lines().filter_map(|line| match Line::decode(line) {
        Ok(Line::Rounds(rounds)) => Some(rounds),
        _ => None,
    });
    lines.filter(|rounds| rounds.cases.len() == 2).collect()
}

/// The same with the names of the two programs drawn in each round, as their order was.
fn renamed(rounds: &Rounds, seed: u64) -> Rounds {
    let mut renamed = rounds.clone();
    redraw_orders(&mut renamed, &mut Chance::new(seed));
    renamed
}

/// How often copies of a program are called different, with real times of processes. `all` must not be empty.
pub fn redrawn_commands(all: &[Rounds], repeats: Repeats) -> Table {
    let mut table = Table::new(
        "Rounds of a program and its copy, measured; which is which drawn anew",
        &[
            "comparisons measured",
            "called different",
            "called the same",
            "no margin, error 5 %: interval without 1",
        ],
    );
    let verdict = |criteria| {
        move |seed: u64| {
            let rounds = &all[seed as usize % all.len()];
            let launch = [renamed(rounds, seed)];
            judge(Design::Commands, &launch, 0, 1, criteria, &frequency())
        }
    };
    let open = Criteria {
        margin: 0.0,
        error: COUNTABLE,
        limit: None,
        size: None,
    };
    let own = repeats.for_cell(1_100);
    let default = Tally::of(own, verdict(Criteria::COMMANDS));
    let open = Tally::of(own.for_cell(1), verdict(open));
    table.row(&all.len().to_string());
    table.share(default.different(), Claim::AtMost(ERROR));
    table.share(default.found(Finding::Same), Claim::Shown { upper: false });
    table.share(open.missed(1.0), Claim::AtMost(COUNTABLE));
    table
}

/// Draws the order of the arms in every round anew.
fn redraw_orders(rounds: &mut Rounds, chance: &mut Chance) {
    let mut from = 0;
    while from < rounds.round.len() {
        let same = |round: &&u64| **round == rounds.round[from];
        let to = from + rounds.round[from..].iter().take_while(same).count();
        chance.shuffle(&mut rounds.arm[from..to]);
        from = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds in which the second program takes `more` ticks more, and both take longer now and then.
    fn rounds(more: u64) -> Rounds {
        let mut rounds = Rounds {
            cases: vec!["a".into(), "b".into()],
            ops: vec![1; 2],
            first_call_ticks: vec![0; 2],
            fixed_ticks: vec![0; 2],
            pids: vec![1; 2],
            lead_in: Rounds::LEAST_LEAD_IN,
            ..Rounds::default()
        };
        for round in 0..400 {
            for arm in 0..2 {
                rounds.round.push(round);
                rounds.arm.push(arm);
                let noise = (round * 2 + u64::from(arm)) * 7_919 % 20_011;
                rounds.ticks.push(1_000_000 + noise + more * u64::from(arm));
            }
        }
        rounds
    }

    #[test]
    fn rounds_of_two_commands_come_back() {
        let one = rounds(0);
        let empty = Rounds {
            cases: vec!["empty".into()],
            ..one.clone()
        };
        let lines = [empty, one.clone()].map(|rounds| Line::Rounds(rounds).encode());
        let log = format!("{}\n{}\nno line", lines[0], lines[1]);
        assert!(command_rounds(&log) == [one]);
    }

    #[test]
    fn a_difference_that_is_there_is_gone_with_its_names() {
        let unlike = rounds(30_000);
        let judged = |rounds| {
            let criteria = Criteria::COMMANDS;
            judge(Design::Commands, &[rounds], 0, 1, criteria, &frequency()).finding
        };
        assert_eq!(judged(unlike.clone()), Finding::Slower);
        assert_ne!(judged(renamed(&unlike, 5)), Finding::Slower);
        let repeats = Repeats {
            count: 300,
            threads: 2,
            seed: 4,
        };
        let table = redrawn_commands(&[unlike, rounds(0)], repeats);
        assert!(table.wrong().is_empty(), "{table}");
    }
}
