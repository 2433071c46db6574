//! What all that is explained comes to: the last line.

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

/// `sort/100: 46 ns ±2.2 %`.
fn taken(run: &Run, id: &str, name: &str, style: &Style) -> Option<Phrase> {
    let results = CaseResults::of(&run.results);
    let main = results
        .case(id)
        .iter()
        .find(|result| result.metric.is_main())?;
    let figure = Figure::new(main.estimate.ok()?, main.lower, main.upper);
    let shown = |figure| measured(main, figure, style);
    let spread = figure.plus_minus(shown, style);
    Some(Phrase::from(format!("{name}: {}{spread}", shown(figure))))
}
