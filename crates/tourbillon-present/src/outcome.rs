//! What became of a case, an assertion or a limit: the same words and symbols in every format.

use tourbillon_analysis::differs;
use tourbillon_record::{Finding, Undecided, Verdict};

use crate::Style;
use crate::style::Ink;

/// An outcome, in the order of how much a reader has to act on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It failed in one build.
    Failed,
    /// The assertion does not hold.
    DoesNotHold,
    /// Nothing was found for it.
    NoOutcome,
    /// It takes more time, by more than the margin.
    Slower,
    /// Its number is the worse one, by more than the margin.
    Worse,
    /// It grows faster with the size than `at_most`.
    GrowsFaster,
    /// It allocates more often, or more bytes.
    AllocatesMore,
    /// An op executes more instructions.
    ExecutesMore,
    /// Only the reference has it.
    Missing,
    /// The executables that have it cannot be compared.
    NotCompared,
    /// Neither a difference nor its absence could be shown.
    Undecided,
    /// The direction is known, but not whether it is more than the margin.
    SizeUndecided,
    /// It is a number that cannot be compared.
    NotComparable,
    /// Its growth could not be examined.
    GrowthUnknown,
    /// It takes less time, by more than the margin.
    Faster,
    /// Its number is the better one, by more than the margin.
    Better,
    /// It allocates less often, or fewer bytes.
    AllocatesLess,
    /// An op executes fewer instructions.
    ExecutesLess,
    /// The reference lacks it.
    New,
    /// It differs by less than the margin.
    Same,
    /// Both builds have the same code for it: it was not measured.
    Unchanged,
    /// The assertion holds.
    Holds,
}

/// Why an unchanged case takes the same time, in a few words.
pub const SAME_CODE: &str = "same machine code";

/// What a gate, JUnit and others make of an outcome, the most severe first. A gate turns any of them into
/// [`Status::Exceeds`] where it is beyond a threshold, or missing or undecided cases count as failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Closes every gate: an error.
    Failed,
    /// Closes the gate: a failure.
    Exceeds,
    /// Without a peer: skipped.
    Missing,
    /// Without a verdict: skipped.
    Undecided,
    /// Passes.
    Passes,
}

/// A row of the table of outcomes.
struct Facts {
    word: &'static str,
    symbol: &'static str,
    /// Where the terminal has no Unicode.
    ascii: &'static str,
    ink: Ink,
    status: Status,
}

const fn facts(
    word: &'static str,
    [symbol, ascii]: [&'static str; 2],
    ink: Ink,
    status: Status,
) -> Facts {
    Facts {
        word,
        symbol,
        ascii,
        ink,
        status,
    }
}

const UP: [&str; 2] = ["▲", "^"];
const DOWN: [&str; 2] = ["▼", "v"];
const CROSS: [&str; 2] = ["✕", "x"];
const OPEN: [&str; 2] = ["?", "?"];

impl Outcome {
    /// That of a verdict: of an assertion whether it holds.
    pub fn of(verdict: &Verdict) -> Outcome {
        let is_number = verdict.number.is_some();
        match (verdict.finding, verdict.limit) {
            (Finding::Unchanged, _) => Outcome::Unchanged,
            (Finding::Faster, Some(_)) => Outcome::Holds,
            (Finding::Slower, Some(_)) => Outcome::DoesNotHold,
            (_, Some(_)) => Outcome::Undecided,
            (Finding::Faster, None) if is_number => Outcome::Better,
            (Finding::Slower, None) if is_number => Outcome::Worse,
            (Finding::Faster, None) => Outcome::Faster,
            (Finding::Slower, None) => Outcome::Slower,
            (Finding::Same, None) => Outcome::Same,
            (Finding::Undecided, None) if verdict.why == Some(Undecided::NotComparable) => {
                Outcome::NotComparable
            }
            (Finding::Undecided, None) if !is_number && differs(verdict) => Outcome::SizeUndecided,
            (Finding::Undecided, None) => Outcome::Undecided,
        }
    }

    const fn facts(self) -> Facts {
        match self {
            Outcome::Slower => facts("slower", UP, Ink::Failure, Status::Passes),
            Outcome::Worse => facts("worse", UP, Ink::Failure, Status::Passes),
            Outcome::Faster => facts("faster", DOWN, Ink::Good, Status::Passes),
            Outcome::Better => facts("better", DOWN, Ink::Good, Status::Passes),
            Outcome::Same => facts("same", ["■", "#"], Ink::Plain, Status::Passes),
            Outcome::Unchanged => facts("unchanged", ["=", "="], Ink::Plain, Status::Passes),
            Outcome::Undecided => facts("undecided", OPEN, Ink::Note, Status::Undecided),
            Outcome::SizeUndecided => facts(
                "differs, size undecided",
                OPEN,
                Ink::Note,
                Status::Undecided,
            ),
            Outcome::NotComparable => {
                facts("not comparable", ["·", "."], Ink::Plain, Status::Undecided)
            }
            Outcome::AllocatesMore => facts("allocates more", UP, Ink::Failure, Status::Passes),
            Outcome::AllocatesLess => facts("allocates less", DOWN, Ink::Good, Status::Passes),
            Outcome::ExecutesMore => facts("executes more", UP, Ink::Failure, Status::Passes),
            Outcome::ExecutesLess => facts("executes less", DOWN, Ink::Good, Status::Passes),
            Outcome::GrowsFaster => facts("grows faster", UP, Ink::Failure, Status::Exceeds),
            Outcome::GrowthUnknown => facts("growth unknown", OPEN, Ink::Note, Status::Undecided),
            Outcome::Missing => facts("missing", ["−", "-"], Ink::Note, Status::Missing),
            Outcome::NotCompared => facts("not compared", ["−", "-"], Ink::Note, Status::Missing),
            Outcome::New => facts("new", ["+", "+"], Ink::Plain, Status::Missing),
            Outcome::Holds => facts("holds", DOWN, Ink::Good, Status::Passes),
            Outcome::DoesNotHold => facts("does not hold", CROSS, Ink::Failure, Status::Failed),
            Outcome::Failed => facts("failed", CROSS, Ink::Failure, Status::Failed),
            Outcome::NoOutcome => facts("no outcome", CROSS, Ink::Failure, Status::Failed),
        }
    }

    /// In words.
    pub const fn word(self) -> &'static str {
        self.facts().word
    }

    /// The shape before it.
    pub const fn symbol(self) -> &'static str {
        self.facts().symbol
    }

    /// What becomes of it without a gate.
    pub const fn status(self) -> Status {
        self.facts().status
    }

    /// The shape on a terminal, and its colour.
    pub fn mark(self, style: &Style) -> (&'static str, Ink) {
        let facts = self.facts();
        let symbol = if style.unicode {
            facts.symbol
        } else {
            facts.ascii
        };
        (symbol, facts.ink)
    }
}

impl Status {
    /// As files have it.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Failed => "failed",
            Status::Exceeds => "exceeds",
            Status::Missing => "missing",
            Status::Undecided => "undecided",
            Status::Passes => "passes",
        }
    }

    /// In words.
    pub const fn word(self) -> &'static str {
        match self {
            Status::Failed => "failed",
            Status::Exceeds => "over the limit",
            Status::Missing => "no peer",
            Status::Undecided => "undecided",
            Status::Passes => "passes",
        }
    }

    /// The element of JUnit's XML; none for a test that passes.
    pub const fn junit(self) -> Option<&'static str> {
        match self {
            Status::Failed => Some("error"),
            Status::Exceeds => Some("failure"),
            Status::Missing | Status::Undecided => Some("skipped"),
            Status::Passes => None,
        }
    }

    /// The severity in GitLab's report on the quality of code; none for what is no finding there.
    pub const fn severity(self) -> Option<&'static str> {
        match self {
            Status::Failed => Some("critical"),
            Status::Exceeds => Some("major"),
            Status::Missing => Some("minor"),
            Status::Undecided => Some("info"),
            Status::Passes => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::ComparedNumber;

    use super::*;

    #[test]
    fn numbers_and_assertions_have_words_of_their_own() {
        let of = |finding, why, limit, number: Option<ComparedNumber>| {
            let outcome = Outcome::of(&Verdict {
                finding,
                why,
                limit,
                number,
                ..Verdict::default()
            });
            (outcome.symbol(), outcome.word())
        };
        let number = || Some(ComparedNumber::default());
        assert_eq!(of(Finding::Slower, None, None, None), ("▲", "slower"));
        assert_eq!(of(Finding::Slower, None, None, number()), ("▲", "worse"));
        assert_eq!(of(Finding::Faster, None, None, number()), ("▼", "better"));
        assert_eq!(of(Finding::Same, None, None, None), ("■", "same"));
        assert_eq!(of(Finding::Unchanged, None, None, None), ("=", "unchanged"));
        let limit = Some(1.05);
        assert_eq!(
            of(Finding::Unchanged, None, limit, None),
            ("=", "unchanged")
        );
        assert_eq!(of(Finding::Faster, None, limit, None), ("▼", "holds"));
        assert_eq!(
            of(Finding::Slower, None, limit, None),
            ("✕", "does not hold")
        );
        let why = Some(Undecided::NotComparable);
        assert_eq!(
            of(Finding::Undecided, why, None, None),
            ("·", "not comparable")
        );
    }

    #[test]
    fn the_page_has_every_outcome() {
        let page = include_str!("../../../docs/reference/outcomes.md");
        let rows = page.lines().filter(|line| line.starts_with("| "));
        let cells = rows.map(|row| row.split(" | ").collect::<Vec<_>>());
        let listed = cells.skip(1).map(|cells| {
            let word = cells[0].trim_start_matches("| ");
            (word.to_owned(), cells[1].to_owned(), cells[3].to_owned())
        });
        let outcomes = ALL.iter().map(|outcome| {
            let junit = outcome.status().junit().unwrap_or("passed");
            let (word, symbol) = (outcome.word(), outcome.symbol());
            (word.to_owned(), symbol.to_owned(), junit.to_owned())
        });
        assert_eq!(listed.collect::<Vec<_>>(), outcomes.collect::<Vec<_>>());
    }

    /// As far as an outcome alone decides: a threshold, and what counts as failed, are settings of a gate.
    #[test]
    fn the_page_has_what_closes_gates() {
        let page = include_str!("../../../docs/reference/outcomes.md");
        for outcome in ALL {
            let row = format!("| {} | ", outcome.word());
            let row = page.lines().find(|line| line.starts_with(&row));
            let row = row.expect("a row").trim_end_matches(" |");
            let cells: Vec<&str> = row.split(" | ").collect();
            let (gate, code) = (cells[4], cells[5]);
            let closes = matches!(outcome.status(), Status::Failed | Status::Exceeds);
            assert_eq!(gate == "closes", closes, "{row}");
            let expected = match outcome.status() {
                Status::Failed => &["3"][..],
                // The gate of a comparison, and a run that fails for it.
                Status::Exceeds => &["2", "2; 3 in a run"],
                _ => &["0", "2 if it closes"],
            };
            assert!(expected.contains(&code), "{row}");
        }
    }

    const ALL: [Outcome; 22] = [
        Outcome::Slower,
        Outcome::Worse,
        Outcome::Faster,
        Outcome::Better,
        Outcome::Same,
        Outcome::Unchanged,
        Outcome::Undecided,
        Outcome::SizeUndecided,
        Outcome::NotComparable,
        Outcome::AllocatesMore,
        Outcome::AllocatesLess,
        Outcome::ExecutesMore,
        Outcome::ExecutesLess,
        Outcome::GrowsFaster,
        Outcome::GrowthUnknown,
        Outcome::Missing,
        Outcome::NotCompared,
        Outcome::New,
        Outcome::Holds,
        Outcome::DoesNotHold,
        Outcome::Failed,
        Outcome::NoOutcome,
    ];
}
