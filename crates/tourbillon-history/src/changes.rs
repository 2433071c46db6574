//! `history changes`.

use std::cmp::Reverse;

use serde_json::json;
use tourbillon_coordinator::values::ColorChoice;
use tourbillon_present::kind::CHANGES;
use tourbillon_present::number::trimmed;
use tourbillon_present::{Block, Document, Format};
use tourbillon_report::{Style, counted, shell_operand};
use tourbillon_tool::exit::{Stop, print_document};
use tourbillon_tool::screen::style;

use crate::branch_runs::BranchRuns;
use crate::change_points::ChangeDetector;
use crate::confirmations::Status;
use crate::equal_builds::Divide;
use crate::listing::{Listed, json_line, listed, tables};
use crate::location::Location;
use crate::nominate::{Nominations, nominate};
use crate::scope::{Examined, HistoryScope};
use crate::short_names::short;

/// How many of the places are shown where series are divided.
const MOST_DIVIDES: usize = 3;

/// Options of this subcommand: which changes are listed.
#[derive(Clone, Debug)]
pub struct Options {
    /// Accepted changes as well.
    pub all: bool,
    /// What is examined.
    pub scope: HistoryScope,
    /// How they are printed.
    pub format: Format,
    /// When text has colour.
    pub color: ColorChoice,
}

/// Prints the ranges of commits in which results change.
///
/// # Errors
///
/// What is wrong with the options, the history or this machine.
pub fn run(options: &Options, location: &Location) -> Result<(), Stop> {
    let Examined {
        mut history,
        accepted,
        comparisons,
        runs,
        series,
    } = options.scope.read(location)?;
    let index = &mut *history.index;
    let nominations = nominate(index, &runs, series, options.scope.error)?;
    let mut found = listed(&nominations, &accepted, &comparisons);
    let all = found.len();
    found.retain(|one| one.accepted.is_none() || options.all);
    let hidden = all - found.len();
    let style = style(options.color);
    let document = document(
        &found,
        hidden,
        &nominations,
        &runs,
        options.scope.error,
        &style,
    );
    let lines = || {
        let mut lines: String = found.iter().map(json_line).collect();
        for (divide, count) in Divide::counted(&nominations.divides) {
            lines += &divide_line(&divide, count);
        }
        lines
    };
    print_document(&document, options.format, &CHANGES, &style, lines)
}

/// A place where series are divided as a line of JSON.
fn divide_line(divide: &Divide<'_>, series: usize) -> String {
    let line = json!({
        "type": "built_otherwise",
        "commit": divide.first.commit,
        "machine": divide.first.machine,
        "facts": divide.facts,
        "series": series,
    });
    format!("{line}\n")
}

/// That no series is long enough for a change; `None` where one is.
fn too_few(nominations: &Nominations<'_>, error: f64) -> Option<String> {
    let (fewest, longest) = (ChangeDetector::fewest(error), nominations.longest);
    let is_short = nominations.found.is_empty() && longest < fewest;
    is_short.then(|| {
        format!(
            "too few runs to nominate a change of a time: it takes at least {fewest} in a series, and the longest has \
             {longest}; `cargo tourbillon history backfill RANGE` measures commits. Two commits are compared by \
             `cargo tourbillon compare`"
        )
    })
}

/// The newest places where series are divided, and how many there are before them.
fn newest(mut divides: Vec<(Divide<'_>, usize)>) -> Vec<Block> {
    divides.sort_by_key(|(divide, _)| Reverse(divide.first.started_unix_ns));
    let shown = divides.iter().take(MOST_DIVIDES);
    let mut texts: Vec<String> = shown
        .map(|(divide, count)| format!("{} ({count} series)", divide.words()))
        .collect();
    let earlier = divides.len().saturating_sub(MOST_DIVIDES);
    if earlier > 0 {
        texts.push(format!(
            "other conditions {earlier} times before that; --format jsonl lists them"
        ));
    }
    texts.into_iter().map(Block::text).collect()
}

fn document(
    all: &[Listed<'_>],
    hidden: usize,
    nominations: &Nominations<'_>,
    runs: &BranchRuns,
    error: f64,
    style: &Style,
) -> Document {
    let mut blocks = tables(all, runs);
    blocks.extend(newest(Divide::counted(&nominations.divides)));
    blocks.extend(too_few(nominations, error).map(Block::text));
    if hidden > 0 {
        blocks.push(Block::text(format!(
            "{hidden} more accepted; --all lists them"
        )));
    }
    let is_open = |one: &&Listed<'_>| {
        one.accepted.is_none() && one.status == Status::Open && one.nomination.can_be_compared()
    };
    // On one line each, so that they can be copied.
    let mut commands = String::new();
    if all.iter().any(|one| is_open(&one)) {
        commands += "confirm with  cargo tourbillon history confirm\n";
    }
    let confirmed =
        |one: &&Listed<'_>| one.accepted.is_none() && matches!(one.status, Status::Confirmed(_));
    if let Some(one) = all.iter().find(confirmed) {
        let nomination = one.nomination;
        let (before, after) = (short(nomination.before), short(nomination.after));
        let case = shell_operand(&nomination.series.case, style.unicode);
        commands +=
            &format!("locate with   cargo tourbillon history bisect {case} {before} {after}\n");
    }
    if !commands.is_empty() {
        blocks.push(Block::Lines(commands));
    }
    let is = |word: &str| {
        all.iter()
            .filter(|one| one.status.words() == Some(word))
            .count()
    };
    let (count, of, confirmed) = (all.len(), nominations.examined, is("confirmed"));
    let percent = trimmed(100.0 * error);
    let changes = counted(count, "change");
    Document {
        blocks,
        answer: vec![
            format!("{changes} nominated in {of} series").into(),
            format!("{confirmed} confirmed").into(),
            format!("of stable series, at most {percent} % are nominated").into(),
        ],
        ..Document::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexedRun;

    #[test]
    fn series_that_are_too_short_are_named() {
        let of = |longest| Nominations {
            found: Vec::new(),
            examined: 12,
            longest,
            divides: Vec::new(),
        };
        let text = too_few(&of(2), 0.05).expect("a sentence");
        assert!(text.contains("and the longest has 2; "), "{text}");
        let enough = ChangeDetector::fewest(0.05);
        assert_eq!(too_few(&of(enough), 0.05), None);
    }

    #[test]
    fn the_newest_of_many_divides_are_shown() {
        let run = |number: u64| IndexedRun {
            commit: (number > 2).then(|| format!("commit{number}")),
            started_unix_ns: number,
            ..IndexedRun::default()
        };
        let runs: Vec<IndexedRun> = (0..5).map(run).collect();
        let divide = |first| Divide {
            first,
            facts: "rustc 1, now 2".to_owned(),
        };
        let shown = |count: usize| {
            let divides = runs[..count].iter().map(|run| (divide(run), 1)).collect();
            let text = Document::of(newest(divides)).text(&Style::default());
            text.split_whitespace().collect::<Vec<&str>>().join(" ")
        };
        let line = |from: &str| {
            format!(
                "other conditions from {from} on, so no change there is shown: rustc 1, now 2 (1 series)"
            )
        };
        let unnamed = line("a run without a commit");
        assert_eq!(shown(3), [&*unnamed; 3].join(" "));
        let rest = "other conditions 2 times before that; --format jsonl lists them";
        let all = [&*line("commit4"), &line("commit3"), &unnamed, rest];
        assert_eq!(shown(5), all.join(" "));
    }
}
