//! What all that is explained comes to: the last line.

use tourbillon_present::number::percent;
use tourbillon_present::{Judged, Phrase, measured};
use tourbillon_record::Run;
use tourbillon_report::{CaseResults, Figure, Names, Style};

/// What became of a case in each comparison of a run; without one, what it takes.
pub(super) fn answer(run: &Run, id: &str, style: &Style) -> Vec<Phrase> {
    let names = Names::of(&run.cases);
    let own = run.verdicts.iter().filter(|verdict| verdict.case == id);
    let phrases = own.map(|verdict| {
        let [name, reference] = names.pair(&verdict.case, &verdict.reference);
        let details = Judged::new(name, verdict).details();
        Phrase::from(format!("{name} against {reference}: {details}"))
    });
    let phrases = Vec::from_iter(phrases);
    if phrases.is_empty() {
        taken(run, id, names.name(id), style).into_iter().collect()
    } else {
        phrases
    }
}

/// `sort/100 takes 46 ns ± 2.2 %`.
fn taken(run: &Run, id: &str, name: &str, style: &Style) -> Option<Phrase> {
    let results = CaseResults::of(&run.results);
    let main = results
        .case(id)
        .iter()
        .find(|result| result.metric.is_main())?;
    let figure = Figure::new(main.estimate.ok()?, main.lower, main.upper);
    let plus_minus = style.glyphs().plus_minus;
    let share = figure.relative().map(percent);
    let share = share.map_or_else(String::new, |share| format!(" {plus_minus} {share}"));
    Some(Phrase::from(format!(
        "{name}: {}{share}",
        measured(main, figure, style)
    )))
}
