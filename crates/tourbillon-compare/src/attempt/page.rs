//! What is printed of an attempt, and of a ledger.

use tourbillon_present::number::trimmed;
use tourbillon_present::{
    Audience, Block, Cell, Column, Document, Format, Phrase, Row, Table, counted, duration,
};

use super::answer::Answer;
use super::campaign::{Attempt, Campaign};
use super::spending::CAMPAIGN_ERROR;

/// The answer to an attempt, with what was measured of it. Programs get the row of the ledger, too.
pub(super) fn answer(
    (number, campaign): (u32, &Campaign),
    attempt: &Attempt,
    mut document: Document,
    format: Format,
) -> Document {
    let what = format!("attempt {} of campaign {number}", attempt.attempt);
    document.title = match document.title.as_str() {
        "" => format!("{what} · {} → working tree", short(&attempt.reference)),
        title => format!("{what} · {title}"),
    };
    let mut answer: Vec<Phrase> = vec![words(attempt).into()];
    if attempt.answer == Some(Answer::Broken) {
        answer.push(attempt.why.clone().into());
    }
    answer.append(&mut document.answer);
    answer.push(spent(campaign).into());
    document.answer = answer;
    document.blocks.extend(next(attempt).map(Block::text));
    if !format.is_for_people() {
        document.blocks.push(Block::Table(table([attempt])));
    }
    document
}

/// That a campaign has begun, with a tree in which nothing differs.
pub(super) fn begun(number: u32, campaign: &Campaign) -> Document {
    let begin = &campaign.begin;
    let reference = format!("{} ({})", begin.named, short(&begin.reference));
    Document {
        title: format!("campaign {number}"),
        blocks: vec![Block::text(
            "nothing differs from the reference so far: change something, and run `cargo tourbillon attempt` again",
        )],
        answer: vec![format!("begun with {reference} as reference").into()],
        ..Document::default()
    }
}

/// All attempts of a campaign.
pub(super) fn log(number: u32, campaign: &Campaign) -> Document {
    let attempts = &campaign.attempts;
    let kept = attempts.iter().filter(|one| one.commit.is_some()).count();
    let begin = &campaign.begin;
    let (named, first) = (&begin.named, short(&begin.reference));
    Document {
        title: format!("campaign {number} · begun with {named} ({first})"),
        blocks: vec![Block::Table(table(attempts))],
        answer: vec![
            counted(attempts.len(), "attempt").into(),
            format!("{kept} kept").into(),
            format!("reference {}", short(&campaign.reference)).into(),
            spent(campaign).into(),
        ],
        ..Document::default()
    }
}

/// The answer in a few words: `keep`, `undecided: 40 s more`.
fn words(attempt: &Attempt) -> String {
    let word = attempt.answer.map_or("no answer", Answer::word);
    match (attempt.answer, attempt.seconds_needed) {
        (Some(Answer::Undecided), Some(seconds)) => format!("{word}: {} more", rounded_up(seconds)),
        (Some(Answer::Undecided), None) => format!("{word}: no time is known that decides"),
        _ => word.to_owned(),
    }
}

/// What to do next.
fn next(attempt: &Attempt) -> Option<String> {
    if let Some(commit) = &attempt.commit {
        let commit = short(commit);
        return Some(format!(
            "kept as {commit}, the reference of the next attempt"
        ));
    }
    let seconds = attempt.time_needed?.ceil();
    let what =
        format!("`cargo tourbillon attempt --time {seconds}s` measures each case as long as");
    Some(format!("{what} a decision needs, and spends error again"))
}

fn spent(campaign: &Campaign) -> String {
    let (spent, all) = (percent(campaign.spent()), percent(CAMPAIGN_ERROR));
    format!("{spent} of {all} error spent")
}

fn percent(share: f64) -> String {
    // Two digits are enough, however little it is.
    let percent = 100.0 * share;
    if percent == 0.0 || percent >= 0.001 {
        return trimmed(percent) + " %";
    }
    format!("{percent:.1e} %")
}

/// Seconds as a duration that is long enough.
fn rounded_up(seconds: f64) -> String {
    duration((seconds.ceil() * 1e9) as u64)
}

/// The beginning of the name of a commit or of a hash.
pub(super) fn short(hash: &str) -> &str {
    hash.get(..7).unwrap_or(hash)
}

/// People read the beginning of hashes, programs all of them.
fn table<'a>(attempts: impl IntoIterator<Item = &'a Attempt>) -> Table {
    let for_people =
        |key: &'static str, title| Column::left(key, title).for_audience(Audience::People);
    let mut table = Table::of([
        Column::left("attempt", "attempt"),
        Column::left("answer", "answer"),
        Column::right("error", "error"),
        Column::right("seconds", "took"),
        for_people("diff", "diff").giving_way(1),
        for_people("commit", "kept as"),
        Column::left("why", "verdicts").giving_way(2),
    ])
    .of_programs("diff reference commit measurement seconds_needed time_needed")
    .named("attempts");
    table.rows = attempts.into_iter().map(row).collect();
    table
}

fn row(attempt: &Attempt) -> Row {
    let figure = |value: Option<f64>| Cell::number("", value);
    let number = attempt.attempt;
    let seconds = attempt.seconds;
    let commit = attempt.commit.clone().unwrap_or_default();
    Row {
        cells: vec![
            Cell::number(number.to_string(), Some(number as f64)),
            Cell::text(attempt.answer.map_or("no answer", Answer::word)),
            Cell::number(percent(attempt.error), Some(attempt.error)),
            Cell::number(duration((seconds * 1e9) as u64), Some(seconds)),
            Cell::text(short(&attempt.diff)),
            Cell::text(short(&commit)),
            Cell::text(attempt.why.clone()),
            Cell::text(attempt.diff.clone()),
            Cell::text(attempt.reference.clone()),
            Cell::text(commit.clone()),
            figure(attempt.measurement.map(|number| number as f64)),
            figure(attempt.seconds_needed),
            figure(attempt.time_needed),
        ],
        ..Row::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use tourbillon_present::Style;
    use tourbillon_present::kind::ATTEMPT;

    use super::super::campaign::tests::ledger;
    use super::*;

    fn campaign() -> Campaign {
        Campaign::of(&ledger()).expect("a campaign")
    }

    fn json(document: &Document) -> Value {
        serde_json::from_str(&document.json(&ATTEMPT)).expect("JSON")
    }

    /// The answer to the first attempt, changed.
    fn answered(format: Format, change: impl FnOnce(&mut Attempt)) -> Document {
        let campaign = campaign();
        let mut attempt = campaign.attempts[0].clone();
        change(&mut attempt);
        answer((2, &campaign), &attempt, Document::default(), format)
    }

    #[test]
    fn the_answer_is_the_first_word_of_the_last_line() {
        let last = |change: fn(&mut Attempt)| {
            let text = answered(Format::Text, change).text(&Style::default());
            text.lines().last().unwrap_or_default().to_owned()
        };
        assert_eq!(last(|_| ()), "keep · 0.0667 % of 0.1 % error spent");
        let undecided = |attempt: &mut Attempt| attempt.answer = Some(Answer::Undecided);
        assert!(
            last(undecided).starts_with("undecided: 3.0 s more · "),
            "{}",
            last(undecided)
        );
        let unknown = |attempt: &mut Attempt| {
            attempt.answer = Some(Answer::Undecided);
            attempt.seconds_needed = None;
        };
        assert!(last(unknown).starts_with("undecided: no time is known that decides · "));
        let broken = |attempt: &mut Attempt| {
            attempt.answer = Some(Answer::Broken);
            attempt.why = "does not build".to_owned();
        };
        assert!(last(broken).starts_with("broken · does not build · "));
    }

    #[test]
    fn what_to_do_next_is_a_command() {
        let text =
            |change: fn(&mut Attempt)| answered(Format::Text, change).text(&Style::default());
        assert!(text(|_| ()).contains("kept as bbb, the reference of the next attempt"));
        let undecided = text(|attempt| {
            attempt.answer = Some(Answer::Undecided);
            (attempt.commit, attempt.time_needed) = (None, Some(2.1));
        });
        assert!(
            undecided.contains("`cargo tourbillon attempt --time 3s`"),
            "{undecided}"
        );
    }

    #[test]
    fn programs_read_the_row_of_the_ledger() {
        assert_eq!(json(&answered(Format::Text, |_| ())).get("attempts"), None);
        let row = &json(&answered(Format::Json, |_| ()))["attempts"][0];
        for (member, expected) in [
            ("attempt", Value::from(1.0)),
            ("answer", Value::from("keep")),
            ("diff", Value::from("d1")),
            ("commit", Value::from("bbb")),
            ("error", Value::from(0.0005)),
            ("seconds_needed", Value::from(3.0)),
        ] {
            assert_eq!(row[member], expected, "{member} of {row}");
        }
    }

    #[test]
    fn the_log_has_all_attempts() {
        let log = log(2, &campaign());
        let rows = json(&log);
        let answers: Vec<&Value> = (0..3).map(|at| &rows["attempts"][at]["answer"]).collect();
        assert_eq!(answers, ["keep", "no answer", "broken"]);
        let text = log.text(&Style::default());
        assert!(
            text.starts_with("campaign 2 · begun with HEAD (aaa)"),
            "{text}"
        );
        let last = "3 attempts · 1 kept · reference bbb · 0.0667 % of 0.1 % error spent";
        assert_eq!(text.lines().last(), Some(last), "{text}");
        assert!(json(&begun(2, &campaign()))["answer"].is_string());
    }

    #[test]
    fn little_error_has_two_digits() {
        let shown = [0.0, 0.0005, 1e-5, 5e-12].map(percent);
        assert_eq!(shown, ["0 %", "0.05 %", "0.001 %", "5.0e-10 %"]);
    }
}
