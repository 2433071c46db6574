//! Explains the first cases of a comparison.

use tourbillon_clock::Stopwatch;
use tourbillon_compare::Confirmed;
use tourbillon_present::{Block, Note, Phrase, Style, counted};
use tourbillon_stepper::Limits;
use tourbillon_tool::screen::ProgressLine;

use crate::explanation::explanation;
use crate::explanation_blocks::{blocks, in_words};

/// Cases that are explained.
const MOST_CASES: usize = 5;
/// After this time none is begun. Each is limited by the number of its instructions.
const ALL_NS: u64 = 20_000_000_000;

/// Explains the first cases; what remains is counted.
pub fn explain(cases: &[Confirmed<'_>], style: &Style) -> Vec<Block> {
    let limits = if cases.len() == 1 {
        Limits::of_one_case()
    } else {
        Limits::of_silence(None)
    };
    explained(cases, style, limits).0
}

/// The same within limits for each case, and the cause of each in words.
pub(crate) fn explained(
    cases: &[Confirmed<'_>],
    style: &Style,
    limits: Limits,
) -> (Vec<Block>, Vec<Phrase>) {
    let start = Stopwatch::start();
    let mut line = ProgressLine::new();
    let (mut all, mut answer) = (Vec::new(), Vec::new());
    let mut said: Vec<(String, String)> = Vec::new();
    let is_alone = cases.len() == 1;
    let mut done = 0;
    for case in cases.iter().take(MOST_CASES) {
        if start.elapsed_ns() >= ALL_NS {
            break;
        }
        line.show(&format!("why: {}", case.name));
        match explanation(case, style, limits) {
            Ok(explanation) => {
                let is_slower = case.verdict.ratio.is_some_and(|ratio| ratio > 1.0);
                let words = if is_alone {
                    in_words(case, &explanation)
                } else {
                    explanation.cause.class.words(is_slower).to_owned()
                };
                answer.push(Phrase::from(format!("{}: {words}", case.name)));
                all.extend(blocks(case, &explanation, is_alone));
                let gap = explanation.gap;
                said.extend(gap.map(|gap| (case.name.clone(), gap)));
            }
            Err(why) => said.push((case.name.clone(), format!("not explained: {why}"))),
        }
        done += 1;
    }
    line.clear();
    let mut notes: Vec<Note> = Vec::new();
    for (name, text) in said {
        match notes.iter_mut().find(|note| note.text == text) {
            Some(note) => note.names.push(name),
            None => notes.push(Note {
                names: vec![name],
                ..Note::new("! ", text)
            }),
        }
    }
    if done < cases.len() {
        let more = counted(cases.len() - done, "case");
        let text = format!("{more} not explained, for lack of time: `cargo tourbillon why CASE`");
        notes.push(Note::new("! ", text));
    }
    if !is_alone && !answer.is_empty() {
        all.push(Block::text("the code of one: `cargo tourbillon why CASE`"));
    }
    if !notes.is_empty() {
        all.push(Block::Notes(notes));
    }
    (all, answer)
}
