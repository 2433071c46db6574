//! `history changes`.

use serde_json::json;
use tourbillon_report::{Style, counted};

use crate::branch_runs::BranchRuns;
use crate::confirmations::Status;
use crate::equal_builds::Divide;
use crate::listing::{Listed, json_line, listed, tables};
use crate::location::Location;
use crate::nominate::{Nominations, nominate};
use crate::scope::{Examined, HistoryScope};
use crate::short_names::short;
use tourbillon_coordinator::values::ColorChoice;
use tourbillon_tool::cells::trimmed;
use tourbillon_tool::exit::Stop;
use tourbillon_tool::screen::Page;
use tourbillon_tool::screen::style;
use tourbillon_tool::text_or_json::TextOrJson;

/// Options of this subcommand: which changes are listed.
#[derive(Clone, Debug)]
pub struct Options {
    /// Accepted changes as well.
    pub all: bool,
    /// What is examined.
    pub scope: HistoryScope,
    /// Format: text or jsonl.
    pub format: TextOrJson,
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
    options.format.print(&match options.format {
        TextOrJson::Json => {
            let divides = Divide::counted(&nominations.divides);
            let found = found.iter().map(json_line);
            let divides = divides
                .iter()
                .map(|(divide, count)| divide_line(divide, *count));
            found.chain(divides).collect()
        }
        TextOrJson::Text => {
            let style = style(options.color);
            text(
                &found,
                hidden,
                &nominations,
                &runs,
                options.scope.error,
                &style,
            )
        }
    })
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

fn text(
    all: &[Listed<'_>],
    hidden: usize,
    nominations: &Nominations<'_>,
    runs: &BranchRuns,
    error: f64,
    style: &Style,
) -> String {
    let mut page = Page::new(style);
    tables(&mut page, all, runs);
    for (divide, count) in Divide::counted(&nominations.divides) {
        page.quote("", &format!("{} ({count} series)", divide.words()));
    }
    let is = |word: &str| {
        all.iter()
            .filter(|one| one.status.words() == Some(word))
            .count()
    };
    let (count, of, confirmed) = (all.len(), nominations.examined, is("confirmed"));
    let percent = trimmed(100.0 * error);
    let changes = counted(count, "change");
    let text = format!("{changes} nominated in {of} series, {confirmed} confirmed");
    page.say("", &text);
    let text = format!("of stable series, at most {percent} % are nominated");
    page.say("", &text);
    if hidden > 0 {
        page.say("", &format!("{hidden} more accepted; --all lists them"));
    }
    let is_open = |one: &&Listed<'_>| {
        one.accepted.is_none() && one.status == Status::Open && one.nomination.can_be_compared()
    };
    if all.iter().any(|one| is_open(&one)) {
        page.line("confirm with  cargo tourbillon history confirm");
    }
    let confirmed =
        |one: &&Listed<'_>| one.accepted.is_none() && matches!(one.status, Status::Confirmed(_));
    if let Some(one) = all.iter().find(confirmed) {
        let nomination = one.nomination;
        let (before, after) = (short(nomination.before), short(nomination.after));
        let case = page.shell_operand(&nomination.series.case);
        // On one line, so that it can be copied.
        page.line(&format!(
            "locate with   cargo tourbillon history bisect {case} {before} {after}"
        ));
    }
    page.text
}
