//! `history changes`.

use clap::Args;
use tourbillon_report::{Style, counted};

use super::branch_runs::{BranchRuns, short};
use super::confirmations::Status;
use super::examined::{Examined, ExaminedFlags};
use super::history_flags::HistoryFlags;
use super::listing::{Listed, json_line, listed, tables};
use super::nominate::Nominations;
use crate::cells::trimmed;
use crate::exit::Stop;
use crate::output_flags::{ColorFlag, TextOrJson};
use crate::screen::Page;

const AFTER: &str = "\
A nomination is no verdict: conditions of the machine change, too. `history confirm` measures both ends of the
range side by side, and decides.";

/// List ranges of commits in which results change
///
/// Examines cycles, else times, of each case on each kind of machine. Each range contains a change with the
/// stated confidence, as far as the results of a stable program are exchangeable.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(super) struct Arguments {
    /// Accepted changes as well
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    examined: ExaminedFlags,
    /// Format: text or jsonl
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
    #[command(flatten)]
    color: ColorFlag,
}

pub(super) fn run(arguments: &Arguments, flags: &HistoryFlags) -> Result<(), Stop> {
    let Examined {
        mut history,
        accepted,
        comparisons,
        runs,
        series,
    } = arguments.examined.read(flags)?;
    let level = &arguments.examined.level;
    let nominations = level.nominate(&mut *history.index, &runs, series)?;
    let mut found = listed(&nominations, &accepted, &comparisons);
    let all = found.len();
    found.retain(|one| one.accepted.is_none() || arguments.all);
    let hidden = all - found.len();
    arguments.format.print(&match arguments.format {
        TextOrJson::Json => found.iter().map(json_line).collect(),
        TextOrJson::Text => {
            let style = arguments.color.style();
            text(&found, hidden, &nominations, &runs, level.error, &style)
        }
    })
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
