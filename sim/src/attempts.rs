use tourbillon_analysis::{Criteria, Design, first_deciding_look, judge, settled};
use tourbillon_compare::{Answer, CAMPAIGN_ERROR, error_of, spent_by};
use tourbillon_record::Verdict;

use crate::launches::frequency;
use crate::redrawn::rounds;
use crate::{Chance, Claim, Proportion, Repeats, Table, quantile};

/// Pairs of processes after which a case ends undecided: a second of measuring, or a little more.
const SHORT: usize = 54;
/// About as many as ten seconds hold.
const USUAL: usize = 273;
/// What a pair of processes is off by.
const SD: f64 = 0.01;
/// The error of campaigns of which wrong ones can be counted, in place of [`CAMPAIGN_ERROR`].
const COUNTABLE: f64 = 0.2;
/// Most cases of an attempt.
const MOST_CASES: u64 = 4;

/// How a campaign gives its error to attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spending {
    /// As `cargo tourbillon attempt` does.
    Law,
    /// The whole to each: what a person does who tries until something passes.
    Whole,
}

impl Spending {
    fn of(self, attempt: u64) -> f64 {
        match self {
            Spending::Law => COUNTABLE * (error_of(attempt) / CAMPAIGN_ERROR),
            Spending::Whole => COUNTABLE,
        }
    }
}

/// How often campaigns keep what is no faster, what verdicts with little error are wrong, and what they still find.
pub fn attempts(repeats: Repeats) -> Vec<Table> {
    vec![
        law(),
        wrong_campaigns(repeats),
        levels(repeats),
        power(repeats),
    ]
}

/// The spending itself, exactly.
fn law() -> Table {
    let mut table = Table::new(
        "What attempt n may spend, of 0.1 %, and the pairs of processes that a verdict needs at least",
        &[
            "n",
            "error",
            "spent by then",
            "pairs, 1 case",
            "pairs, 25 cases",
        ],
    );
    for attempt in [1, 10, 100, 1_000, 10_000] {
        let error = error_of(attempt);
        table.row(&attempt.to_string());
        table.text(format!("{error:.2e}"));
        table.text(format!("{:.5} %", 100.0 * spent_by(attempt)));
        for cases in [1.0, 25.0] {
            let pairs = first_deciding_look(error / cases);
            table.text(pairs.map_or("never".to_owned(), |pairs| pairs.to_string()));
        }
    }
    table
}

/// Campaigns of attempts that change nothing, until one is kept, or so many were made. The error is 20 % in place of
/// 0.1 %, and there is no margin, so that wrong ones can be counted.
fn wrong_campaigns(repeats: Repeats) -> Table {
    let mut table = Table::new(
        "Campaigns of attempts that change nothing, each tried until one is kept; campaigns' error 20 %",
        &["attempts", "what is done", "any attempt kept"],
    );
    for (number, (attempts, fewer)) in [(1, 1), (10, 2), (100, 20), (1_000, 200), (10_000, 2_000)]
        .into_iter()
        .enumerate()
    {
        // Late attempts have little of the error: a few long campaigns show that nothing accumulates.
        let own = Repeats {
            count: repeats.count.div_ceil(fewer),
            ..repeats.for_cell(1_700 + number as u64)
        };
        let kept = |spending| {
            let campaigns = own.of(|seed| is_one_kept(attempts, spending, seed));
            Proportion::count(campaigns)
        };
        table.row(&attempts.to_string());
        table.text("the error is spent");
        table.share(kept(Spending::Law), Claim::AtMost(COUNTABLE));
        if attempts == 10 {
            // A coin in ten is kept nearly always.
            table.row(&attempts.to_string());
            table.text("each attempt has all of it");
            table.share(kept(Spending::Whole), Claim::FailsAbove(COUNTABLE));
        }
    }
    table
}

/// Whether any attempt of a campaign is kept, though all are the reference again. How many cases an attempt has depends
/// on what the last one showed: they divide its error.
fn is_one_kept(attempts: u64, spending: Spending, seed: u64) -> bool {
    let mut chance = Chance::new(seed);
    let mut cases = 1;
    for attempt in 1..=attempts {
        let criteria = Criteria {
            margin: 0.0,
            error: spending.of(attempt) / cases as f64,
            limit: None,
            size: None,
        };
        let verdicts: Vec<Verdict> = (0..cases)
            .map(|_| verdict(&mut chance, 1.0, criteria, SHORT))
            .collect();
        if Answer::of(&verdicts) == Answer::Keep {
            return true;
        }
        // Who is near a success tries that alone again.
        let is_near = verdicts
            .iter()
            .any(|one| one.upper.is_some_and(|upper| upper < 1.001));
        cases = if is_near { 1 } else { 1 + attempt % MOST_CASES };
    }
    false
}

/// The verdict on a case that takes `ratio` times as long as its reference, of pairs of processes with a normal scatter
/// of which one in twenty is off by 3 % more.
fn verdict(chance: &mut Chance, ratio: f64, criteria: Criteria, most: usize) -> Verdict {
    let mut launches = Vec::new();
    for launch in 0..most {
        let mut value = ratio.ln() + SD * chance.normal();
        if chance.happens(0.05) {
            value += if chance.coin() { 0.03 } else { -0.03 };
        }
        launches.push(rounds(launch, value));
        if settled(Design::Builds, &launches, criteria) {
            break;
        }
    }
    judge(Design::Builds, &launches, 0, 1, criteria, &frequency())
}

/// How often single verdicts with little error keep what is no faster.
fn levels(repeats: Repeats) -> Table {
    let mut table = Table::new(
        "A case that changed nothing, without a margin: kept",
        &["error of the verdict", "kept"],
    );
    for (number, (error, more)) in [(1e-2, 1), (1e-3, 5), (1e-4, 25)].into_iter().enumerate() {
        let own = Repeats {
            count: repeats.count.saturating_mul(more),
            ..repeats.for_cell(1_720 + number as u64)
        };
        let criteria = Criteria {
            margin: 0.0,
            error,
            limit: None,
            size: None,
        };
        let kept = own.of(|seed| {
            let mut chance = Chance::new(seed);
            Answer::of(&[verdict(&mut chance, 1.0, criteria, SHORT)]) == Answer::Keep
        });
        table.row(&format!("{error:e}"));
        table.share(Proportion::count(kept), Claim::AtMost(error));
    }
    table
}

/// How often an attempt that is 2 % faster is kept, with the usual margin and time: a twentieth of the repeats.
fn power(repeats: Repeats) -> Table {
    let mut table = Table::new(
        "An attempt that is 2 % faster (margin 1 %, at most 273 pairs)",
        &["n", "cases", "kept", "undecided", "half kept after pairs"],
    );
    for (number, (attempt, cases)) in [(1, 1), (40, 1), (40, 25), (1_000, 1), (10_000, 25)]
        .into_iter()
        .enumerate()
    {
        let own = Repeats {
            count: repeats.count.div_ceil(20),
            ..repeats.for_cell(1_730 + number as u64)
        };
        let criteria = Criteria {
            error: error_of(attempt) / f64::from(cases),
            size: None,
            ..Criteria::BUILDS
        };
        let verdicts = own.of(|seed| verdict(&mut Chance::new(seed), 0.98, criteria, USUAL));
        let answers: Vec<Answer> = verdicts.iter().map(|one| Answer::of([one])).collect();
        let are = |answer| Proportion::count(answers.iter().map(|one| *one == answer));
        table.row(&attempt.to_string());
        table.text(cases.to_string());
        table.share(are(Answer::Keep), Claim::Shown { upper: false });
        table.share(are(Answer::Undecided), Claim::Shown { upper: true });
        let launches = verdicts.iter().map(|one| f64::from(one.launches));
        table.text(format!("{:.0}", quantile(launches, 0.5)));
    }
    table
}
