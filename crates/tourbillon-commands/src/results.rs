//! The result of a measurement of commands as a document.

use tourbillon_present::number::{duration, percent, trimmed};
use tourbillon_present::{
    Audience, Block, Cell, Column, Document, Judged, Mark, Note, Phrase, Row, Table,
};
use tourbillon_record::{ByCase, CaseResult, FactValue, Metric, Processes, Run, Verdict};
use tourbillon_report::{CaseResults, Figure, Outcome, Style, bytes, counted};
use tourbillon_stats::{Sample, median};

use crate::advice;
use crate::answer::answer;
use crate::besides;
use crate::columns::Columns;
use crate::options::RowOrder;
use crate::runs::CommandRuns;

/// The fact with the peak memory of an empty program.
const EMPTY_PEAK: &str = "empty_program_peak_memory";
/// Up to this multiple of it, memory may be that of the process that starts programs: the system counts it as theirs.
const NEAR: f64 = 1.02;

/// A record of commands as a document: a table, what a reader has to know, and the answer.
pub fn document(run: &Run, order: RowOrder, shown: &Columns, style: &Style) -> Document {
    let mut answer: Vec<Phrase> = answer(run, style).into_iter().map(Phrase::from).collect();
    if run.faults.is_empty() {
        answer.push(duration(run.end.as_ref().map_or(0, |end| end.wall_ns)).into());
    }
    let mut blocks = vec![
        Block::Table(table(run, order, shown, style)),
        Block::text(summary(run, style)),
    ];
    let besides = besides::lines(run, style).into_iter().map(Block::text);
    let besides: Vec<Block> = besides.collect();
    if !besides.is_empty() {
        blocks.push(Block::Group(besides));
    }
    blocks.push(Block::Notes(notes(run)));
    Document {
        blocks,
        answer,
        ..Document::default()
    }
}

/// A column that gives way; the interval of the change does after all others, for without it nothing undecided has a
/// number.
fn figures(key: &str, title: &str, order: u8) -> Column {
    Column::right(key, title).giving_way(order)
}

fn table(run: &Run, order: RowOrder, shown: &Columns, style: &Style) -> Table {
    let dots = if style.unicode { "…" } else { ".." };
    let people = |column: Column| column.for_audience(Audience::People);
    let columns = vec![
        Column::left("command", "command"),
        Column::right("time_ns", "time"),
        people(figures("interval", &style.half_width(0.99), 5)),
        Column::of_programs("lower_ns"),
        Column::of_programs("upper_ns"),
        people(figures("span", &format!("min {dots} max"), 2)),
        Column::of_programs("min_ns"),
        Column::of_programs("max_ns"),
        figures("cpu_ns", "cpu", 3),
        figures("user_ns", "user", 3),
        figures("system_ns", "system", 3),
        figures("peak_bytes", "peak", 4),
        Column::left("verdict", "change"),
        people(Column::left("change_interval", "99.9 % interval").giving_way(7)),
        people(Column::left("change_why", "why").giving_way(1)),
        Column::of_programs("ratio"),
        Column::of_programs("ratio_lower"),
        Column::of_programs("ratio_upper"),
        figures("runs", "runs", 0),
        figures("page_faults", "faults", 0),
        figures("switches", "switches", 0),
    ];
    let counters = Columns::counter_names();
    let columns = columns
        .into_iter()
        .chain(counters.map(|name| figures(name, &name.replace('_', " "), 0)));
    let is_counted = |key: &str| {
        let rounds = run
            .rounds
            .first()
            .and_then(|rounds| rounds.processes.as_deref());
        let counters = rounds.and_then(|processes| processes.counters.as_ref());
        counters.is_some_and(|all| all.iter().any(|one| one.name == key))
    };
    let columns = columns.map(|column| {
        if is_counted(&column.key) || shown.is_requested(&column.key) {
            column.giving_way(6)
        } else if shown.has(&column.key) {
            column
        } else {
            column.for_audience(Audience::Programs)
        }
    });
    let results = CaseResults::of(&run.results);
    let verdicts = run.verdicts.iter();
    let verdicts = ByCase::of(verdicts.map(|verdict| (&*verdict.case, verdict)));
    let runs = CommandRuns::all(run);
    let least = number(run, EMPTY_PEAK);
    let rows = ordered(run, &results, order).into_iter().map(|id| {
        let verdict = verdicts.case(id).first().copied();
        let cells = match verdict {
            Some(verdict) => {
                let [change, interval, why] = Judged::new(id, verdict).change_cells(style);
                let short = Cell::text(advice::short(verdict, run));
                [change, interval, short.ink(why.ink)]
            }
            None if run.verdicts.is_empty() => Default::default(),
            None => [Cell::text("reference"), Cell::default(), Cell::default()],
        };
        row(id, &results, runs.get(id), least, (verdict, cells), style)
    });
    Table {
        columns: columns.collect(),
        rows: rows.collect(),
        ..Table::default()
    }
}

fn row(
    id: &str,
    results: &CaseResults<'_>,
    runs: Option<&CommandRuns<'_>>,
    least: Option<f64>,
    (verdict, [change, interval, why]): (Option<&Verdict>, [Cell; 3]),
    style: &Style,
) -> Row {
    let estimate = |metric| results.result(id, metric)?.estimate.ok();
    let time = results.result(id, Metric::Time);
    let figure =
        time.and_then(|time| Some(Figure::new(time.estimate.ok()?, time.lower, time.upper)));
    let spread = figure.and_then(|figure| figure.spread(|end| end.time(style), style));
    // The sum of the two others: they are means.
    let mean_of = |result: &CaseResult| result.mean;
    let estimate_of = |result: &CaseResult| result.estimate.ok();
    let processor = |metric, of: fn(&CaseResult) -> Option<f64>| {
        let value = results.result(id, metric).and_then(of);
        let text = value.map_or_else(String::new, |ns| match ns {
            ..=0.0 => "0".to_owned(),
            ns => Figure::new(ns, None, None).time(style),
        });
        Cell::number(text, value)
    };
    let count = |metric| {
        let count: Option<f64> = estimate(metric);
        let text = count.map_or_else(String::new, |count| trimmed(count.round()));
        Cell::number(text, count)
    };
    let times = runs.map_or(&[][..], |runs| &runs.times_ns);
    let end = |least: fn(f64, f64) -> f64| times.iter().copied().reduce(least);
    let (min, max) = (end(f64::min), end(f64::max));
    let dots = if style.unicode { "…" } else { ".." };
    let span = min.zip(max).map(|(min, max)| {
        let shown = |ns| Figure::new(ns, None, None).time(style);
        format!("{} {dots} {}", shown(min), shown(max))
    });
    let peak = estimate(Metric::PeakMemory);
    let sign = if style.unicode { "≤ " } else { "<= " };
    let shown_peak = peak.map_or_else(String::new, |peak| {
        let is_bound = least.is_some_and(|least| peak <= least * NEAR);
        let sign = if is_bound { sign } else { "" };
        format!("{sign}{}", bytes(peak))
    });
    let of = |number: Option<f64>| Cell::number("", number);
    let mark = verdict.map(|verdict| {
        let (symbol, ink) = Outcome::of(verdict).mark(style);
        Mark { symbol, ink }
    });
    let counters = Columns::counter_names().map(|name| {
        let counts = runs.and_then(|runs| runs.counts(name)).unwrap_or_default();
        let counts = Sample::new(counts.into_iter().map(|count| count as f64).collect());
        let middle = counts.ok().map(|counts| median(&counts));
        let text = middle.map_or_else(String::new, |count| Figure::new(count, None, None).cycles());
        Cell::number(text, middle)
    });
    let count_of_runs = time.map(|time| time.launches);
    let cells = vec![
        Cell::text(id),
        Cell::number(
            figure.map_or_else(String::new, |figure| figure.time(style)),
            figure.map(|figure| figure.value),
        ),
        Cell::text(spread.unwrap_or_default()),
        of(time.and_then(|time| time.lower)),
        of(time.and_then(|time| time.upper)),
        Cell::text(span.unwrap_or_default()),
        of(min),
        of(max),
        processor(Metric::CpuTime, mean_of),
        processor(Metric::UserTime, estimate_of),
        processor(Metric::KernelTime, estimate_of),
        Cell::number(shown_peak, peak),
        change,
        interval,
        why,
        of(verdict.and_then(|verdict| verdict.ratio)),
        of(verdict.and_then(|verdict| verdict.lower)),
        of(verdict.and_then(|verdict| verdict.upper)),
        Cell::number(
            count_of_runs.map_or_else(String::new, |runs| runs.to_string()),
            count_of_runs.map(f64::from),
        ),
        count(Metric::PageFaults),
        count(Metric::Switches),
    ];
    Row {
        mark,
        cells: cells.into_iter().chain(counters).collect(),
        ..Row::default()
    }
}

/// The commands in the order of the rows.
fn ordered<'r>(run: &'r Run, results: &CaseResults<'_>, order: RowOrder) -> Vec<&'r str> {
    let mut ids: Vec<&str> = run.cases.iter().map(|case| case.id.as_str()).collect();
    if order == RowOrder::Time {
        let time = |id: &str| {
            let time = results.result(id, Metric::Time);
            time.and_then(|time| time.estimate.ok())
                .unwrap_or(f64::INFINITY)
        };
        ids.sort_by(|one, other| time(one).total_cmp(&time(other)));
    }
    ids
}

/// What a reader has to know.
fn notes(run: &Run) -> Vec<Note> {
    let mut notes = Vec::new();
    if let Some(processes) = run
        .rounds
        .first()
        .and_then(|rounds| rounds.processes.as_deref())
    {
        let failed = processes
            .exit_codes
            .iter()
            .filter(|code| **code != 0)
            .count();
        if failed > 0 {
            let are = if failed == 1 { "is" } else { "are" };
            let failed = counted(failed as u64, "run");
            notes.push(format!(
                "{failed} exited with a code other than 0 and {are} included"
            ));
        }
        notes.extend(busy(processes, run.cases.len()));
    }
    if is_interrupted(run) {
        notes.push("interrupted: the figures are of what was measured before".to_owned());
    }
    let of_run = notes.into_iter().map(|note| Note::new("! ", note));
    of_run.collect()
}

fn is_interrupted(run: &Run) -> bool {
    run.end.as_ref().is_some_and(|end| end.interrupted)
}

/// What to believe of so many commands on a machine that was busy in most rounds; where it was in fewer, these do not
/// count.
fn busy(processes: &Processes, commands: usize) -> Option<String> {
    let share = processes.contended_share().filter(|share| *share > 0.5)?;
    let what = format!(
        "busy machine: other programs took all processors in {} of the rounds",
        percent(share)
    );
    let meaning = if commands > 1 {
        "verdicts hold, times are too long: measure these in a quieter moment"
    } else {
        "the time is too long: measure it in a quieter moment"
    };
    Some(format!("{what}; {meaning}"))
}

/// The number of rounds, what an empty program takes, and the seed.
fn summary(run: &Run, style: &Style) -> String {
    let mut parts = vec![match run.cases.len() {
        1 => {
            let count = run.rounds.first().map_or(0, |rounds| rounds.arm.len());
            counted(count as u64, "run") + ", each a fresh process"
        }
        _ => rounds(run) + " of fresh processes in random order",
    }];
    if let Some(cost) = start_cost(run, style) {
        parts.push(cost);
    }
    parts.push(format!("seed {:x}", run.header.seed));
    parts.join(" · ")
}

/// How many rounds had both commands of a verdict: `12 rounds`, `15 to 200 rounds` where slow ones had fewer.
fn rounds(run: &Run) -> String {
    let counts = || {
        run.verdicts
            .iter()
            .map(|verdict| u64::from(verdict.launches))
    };
    let (fewest, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    let all = counted(most, "round");
    if fewest == most {
        return all;
    }
    format!("{fewest} to {all}")
}

/// A fact that is a number.
fn number(run: &Run, fact: &str) -> Option<f64> {
    match run.header.fact(fact)? {
        FactValue::Integer(number) => Some(*number as f64),
        _ => None,
    }
}

/// `an empty program (true) takes 0.55 ms and 1.2 MiB, which every figure contains`
fn start_cost(run: &Run, style: &Style) -> Option<String> {
    let program = run.header.fact_text("empty_program")?;
    let figure = Figure::within(number(run, "empty_program_time")?, None);
    let mut text = format!("an empty program ({program}) takes {}", figure.time(style));
    if let Some(peak) = number(run, EMPTY_PEAK) {
        text += &format!(" and {}", bytes(peak));
    }
    Some(text + "; nothing is subtracted")
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Case, CaseResult, Fact, Finding, Undecided};

    use super::*;

    #[test]
    fn a_busy_machine_says_what_holds() {
        let note = |contended: &[u64], commands| {
            let processes = Processes {
                contended: Some(contended.to_vec()),
                ..Processes::default()
            };
            busy(&processes, commands).unwrap_or_default()
        };
        let what = "busy machine: other programs took all processors in 67 % of the rounds";
        assert_eq!(
            note(&[1, 0, 1], 2),
            format!("{what}; verdicts hold, times are too long: measure these in a quieter moment")
        );
        assert_eq!(
            note(&[1, 0, 1], 1),
            format!("{what}; the time is too long: measure it in a quieter moment")
        );
        assert_eq!(note(&[1, 0, 0], 2), "");
    }

    #[test]
    fn rows_keep_the_interval_of_the_change_and_bound_the_peak() {
        let ids = [
            "sort --numeric-sort --stable",
            "sort --general-numeric-sort",
        ];
        let result = |id: &str, metric, value: f64| CaseResult {
            estimate: Ok(value),
            lower: Some(0.9 * value),
            upper: Some(1.1 * value),
            ..CaseResult::without_figures(id, metric, "")
        };
        let metrics = [Metric::Time, Metric::UserTime, Metric::KernelTime];
        let peaks = ids.map(|id| result(id, Metric::PeakMemory, 6e6));
        let times = ids.map(|id| metrics.map(|metric| result(id, metric, 4e7)));
        let case = |id: &str| Case {
            id: id.to_owned(),
            ..Case::default()
        };
        let run = Run {
            cases: ids.map(case).to_vec(),
            results: times.concat().into_iter().chain(peaks).collect(),
            verdicts: vec![Verdict {
                case: ids[1].to_owned(),
                reference: ids[0].to_owned(),
                finding: Finding::Undecided,
                why: Some(Undecided::Time),
                ratio: Some(1.1),
                lower: Some(0.953),
                upper: Some(1.29),
                seconds_needed: Some(40.0),
                ..Verdict::default()
            }],
            ..Run::default()
        };
        let style = Style::of_width(80);
        let document = document(&run, RowOrder::Command, &Columns::default(), &style);
        let text = document.text(&style);
        let row = text.lines().find(|line| line.starts_with('?'));
        let row = row.expect("a row with a verdict");
        assert!(row.ends_with("undecided  (−5 … +29 %)"), "{text}");
        assert!(text.contains("no room for: user, system, why\n"), "{text}");
        assert!(text.contains(" 5.7 MiB") && !text.contains('≤'), "{text}");
        // As much as an empty program.
        let fact = Fact {
            name: EMPTY_PEAK.to_owned(),
            value: FactValue::Integer(5_950_000),
        };
        let mut run = run;
        run.header.facts.push(fact);
        let document = super::document(&run, RowOrder::Command, &Columns::default(), &style);
        assert!(document.text(&style).contains("≤ 5.7 MiB"));
    }

    #[test]
    fn rounds_are_those_of_pairs() {
        let case = |id: &str| Case {
            id: id.to_owned(),
            ..Case::default()
        };
        let of = |launches: &[u32]| {
            let verdicts = launches.iter().map(|launches| Verdict {
                launches: *launches,
                ..Verdict::default()
            });
            let run = Run {
                cases: ["a", "b", "c"].map(case).to_vec(),
                verdicts: verdicts.collect(),
                ..Run::default()
            };
            summary(&run, &Style::default())
        };
        let expected = "15 to 200 rounds of fresh processes in random order · seed 0";
        assert_eq!(of(&[200, 15]), expected);
        assert!(of(&[1, 1]).starts_with("1 round of"));
        assert!(of(&[0, 0]).starts_with("0 rounds of"));
    }
}
