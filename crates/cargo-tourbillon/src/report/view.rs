//! A run as its report sees it: case by case, launch by launch.

use std::collections::HashMap;

use tourbillon_analysis::{Rules, Tally, contended, estimate, median_of, went_backwards};
use tourbillon_commands::record::is_of_commands;
use tourbillon_commands::{Columns, RowOrder, results};
use tourbillon_pictures::{Shape, Tick};
use tourbillon_present::{Block, Document};
use tourbillon_record::{ByCase, Case, CaseResult, Fault, LaunchSamples, Metric, Rough, Run};
use tourbillon_report::{
    CaseResults, Figure, Note, Style, Table, counted, measured, printed_name, program_name,
};

/// The texts of a report: without colour, and never broken into lines.
pub(super) const STYLE: Style = Style::FILE;

/// Most characters of a name that is shown in a table.
pub(super) const NAME: usize = 120;

/// One run of one record.
pub(super) struct RunView<'r> {
    /// Name of its record, where there are several; empty otherwise.
    pub(super) record: &'r str,
    /// When it began, of how many cases it is, and whether it is the newest, where another run of the page has the same
    /// name; empty otherwise.
    pub(super) began: String,
    /// Identity in the page.
    pub(super) anchor: String,
    /// Without its launches, which are in the cases.
    pub(super) run: &'r Run,
    /// Whether it had any.
    has_launches: bool,
    /// SHA-256 of its lines; empty where it is not known.
    pub(super) sha256: &'r str,
    /// The rows of the cases, in their order.
    pub(super) table: tourbillon_present::Table,
    pub(super) notes: Vec<Note>,
    /// What was printed of commands, besides.
    pub(super) of_commands: Option<Document>,
    /// The cases, in the order of the table.
    pub(super) cases: Vec<CaseView<'r>>,
}

/// One case of a run.
pub(super) struct CaseView<'r> {
    pub(super) case: &'r Case,
    /// Its name with its group, as in the table.
    pub(super) label: String,
    /// Identity in the page.
    pub(super) anchor: String,
    /// What it is measured in.
    pub(super) main: Option<&'r CaseResult>,
    pub(super) results: Vec<&'r CaseResult>,
    pub(super) faults: Vec<&'r Fault>,
    /// Its launches, in the order of time.
    pub(super) launches: Vec<Launch>,
}

/// One process that measured a case.
pub(super) struct Launch {
    pub(super) samples: LaunchSamples,
    /// Its estimate, per op, in the unit of the main result.
    pub(super) estimate: f64,
    /// The same as text.
    pub(super) text: String,
    /// Whether the launch was contended, and so discarded.
    pub(super) is_contended: bool,
    /// Nanoseconds in a tick.
    pub(super) tick_ns: f64,
}

impl<'r> RunView<'r> {
    /// The run with what its samples give, which were taken out of it: they are most of a record. `number` tells it
    /// from the others of the page.
    pub(super) fn new(
        record: &'r str,
        run: &'r Run,
        launches: Vec<LaunchSamples>,
        number: usize,
    ) -> RunView<'r> {
        let has_launches = !launches.is_empty();
        let mut samples: HashMap<String, Vec<LaunchSamples>> = HashMap::new();
        for launch in launches {
            match samples.get_mut(&launch.case) {
                Some(samples) => samples.push(launch),
                None => drop(samples.insert(launch.case.clone(), vec![launch])),
            }
        }
        let results = CaseResults::of(&run.results);
        let faults = ByCase::of(run.faults.iter().map(|fault| (&*fault.case, fault)));
        let table = Table::of(run);
        let rules = Rules::of(&run.header);
        let cases = table.order().into_iter().enumerate().map(|(at, case)| {
            let id = case.id.as_str();
            let results = results.case(id).to_vec();
            let samples = samples.remove(id).unwrap_or_default();
            CaseView {
                case,
                label: tourbillon_report::escape(&printed_name(case), true),
                anchor: format!("r{number}c{at}"),
                main: results
                    .iter()
                    .copied()
                    .find(|result| result.metric.is_main()),
                results,
                faults: faults.case(id).to_vec(),
                launches: usable_launches(samples, rules.as_ref()),
            }
        });
        let (mut notes, mut rows) = (table.notes(&STYLE), table.rows(&STYLE));
        let of_commands = is_of_commands(run).then(|| {
            let mut all = results::document(run, RowOrder::Command, &Columns::default(), &STYLE);
            all.answer.clear();
            notes.clear();
            all.blocks.retain_mut(|block| match block {
                Block::Notes(of_commands) => {
                    notes.append(of_commands);
                    false
                }
                Block::Table(of_commands) => {
                    rows = std::mem::take(of_commands);
                    false
                }
                _ => true,
            });
            all
        });
        RunView {
            record,
            began: String::new(),
            anchor: format!("r{number}"),
            run,
            has_launches,
            sha256: "",
            cases: cases.collect(),
            notes,
            of_commands,
            table: rows,
        }
    }

    /// What the run is called: its record, where there are several, its bench target, and its time, where
    /// that tells it from another.
    pub(super) fn title(&self) -> String {
        let header = &self.run.header;
        let mut title = match self.of_commands {
            Some(_) => header.target.clone(),
            None => program_name(header),
        };
        if let Some([old, new]) = self.sides() {
            title += &format!(": {old} → {new}");
        }
        if !self.record.is_empty() {
            title = format!("{}: {title}", self.record);
        }
        if !self.began.is_empty() {
            title += &format!(", {}", self.began);
        }
        tourbillon_report::escape(&title, true)
    }

    /// What its rows are.
    pub(super) const fn noun(&self) -> &'static str {
        match self.of_commands {
            Some(_) => "command",
            None => "case",
        }
    }

    /// Adds its time, its cases and its age to the name of every run that shares it with another.
    pub(super) fn tell_apart(views: &mut [RunView<'_>]) {
        let began = |view: &RunView<'_>| view.run.header.started_unix_ns;
        let mut named: HashMap<String, Vec<u64>> = HashMap::new();
        for view in views.iter() {
            named.entry(view.title()).or_default().push(began(view));
        }
        for view in views {
            let alike = &named[&view.title()];
            if alike.len() > 1 {
                let is_newest = alike.iter().all(|other| *other <= began(view));
                let age = if is_newest { "the newest" } else { "older" };
                let cases = counted(view.cases.len(), view.noun());
                view.began = format!("{}: {cases}, {age}", view.run.header.started);
            }
        }
    }

    /// The names of the builds that it compared.
    pub(super) fn sides(&self) -> Option<[String; 2]> {
        let text = |name| self.run.header.fact_text(name).map(str::to_owned);
        Some([text("reference")?, text("candidate")?])
    }

    /// How many rows its tables have.
    pub(super) fn rows(&self) -> usize {
        self.cases.len().max(self.run.verdicts.len())
    }

    /// Whether it compared cases or builds.
    pub(super) fn compares(&self) -> bool {
        !self.run.verdicts.is_empty()
    }

    /// Whether its cases were measured by themselves.
    pub(super) fn measures(&self) -> bool {
        !self.run.results.is_empty() || self.has_launches
    }

    /// Whether it has verdicts alone, as a comparison of builds.
    pub(super) fn is_comparison(&self) -> bool {
        !self.run.verdicts.is_empty() && !self.measures()
    }
}

fn usable_launches(mut samples: Vec<LaunchSamples>, rules: Option<&Rules>) -> Vec<Launch> {
    let Some(rules) = rules else {
        return Vec::new();
    };
    samples.sort_by_key(|samples| (samples.started_unix_ns, samples.launch));
    let contended = contended(&samples);
    let tick_ns = rules.frequency.nanos(1 << 40) as f64 / (1_u64 << 40) as f64;
    let launches = samples.into_iter().zip(contended);
    launches
        .filter_map(|(mut samples, is_contended)| {
            let (estimate, text) = alone(&samples, rules)?;
            // No picture shows them, and they are as large as the times.
            samples.batches.pauses = Vec::new();
            samples.batches.cycles = Vec::new();
            Some(Launch {
                samples,
                estimate,
                text,
                is_contended,
                tick_ns,
            })
        })
        .collect()
}

/// What one launch alone gives in what its case is measured in.
fn alone(samples: &LaunchSamples, rules: &Rules) -> Option<(f64, String)> {
    let launches = std::slice::from_ref(samples);
    let results = estimate(&samples.case, launches, &Tally::default(), rules);
    let main = results.into_iter().find(|result| result.metric.is_main())?;
    // A launch below the resolution has no estimate, and a mean all the same.
    let value = main.estimate.ok().or(main.mean)?;
    Some((value, measured(&main, Figure::exact(value), &STYLE)))
}

impl CaseView<'_> {
    /// The result in a metric.
    pub(super) fn result(&self, metric: Metric) -> Option<&CaseResult> {
        let mut results = self.results.iter().copied();
        results.find(|result| result.metric == metric)
    }

    /// Both ends of the interval, or of the rough range. The estimate stands for ends that are not known.
    pub(super) fn interval(&self) -> Option<(f64, f64)> {
        let main = self.main?;
        match main.estimate {
            Ok(estimate) => Some((
                main.lower.unwrap_or(estimate),
                main.upper.unwrap_or(estimate),
            )),
            Err(_) => self.rough().map(|rough| (rough.lower, rough.upper)),
        }
    }

    /// The estimate within these ends; none where the range is so wide that it stands alone, as in the table.
    pub(super) fn centre(&self) -> Option<f64> {
        let rough = || self.rough().filter(Rough::is_narrow);
        let estimate = self.main?.estimate.ok();
        estimate.or_else(|| rough().map(|rough| rough.estimate))
    }

    /// What is known where there is no figure: the range of launches that are contended, or of those that scatter.
    pub(super) fn rough(&self) -> Option<Rough> {
        let main = self.main.filter(|main| main.estimate.is_err())?;
        let ends = main.lower.zip(main.upper);
        let range = ends.map(|(lower, upper)| Rough::between(lower, upper));
        main.rough.or(range)
    }

    /// The dot of its centre: a ring where that is rough.
    pub(super) fn shape(&self) -> Shape {
        if self.rough().is_some() {
            Shape::Ring
        } else {
            Shape::Round
        }
    }

    /// The estimate with its digits, as in the table.
    pub(super) fn estimate(&self) -> Option<String> {
        let main = self.main?;
        let figure = Figure::new(main.estimate.ok()?, main.lower, main.upper);
        Some(measured(main, figure, &STYLE))
    }

    /// A value in the unit of the case, with four digits.
    pub(super) fn exact(&self, value: f64) -> String {
        match self.main {
            Some(main) => measured(main, Figure::exact(value), &STYLE),
            None => Figure::exact(value).time(&STYLE),
        }
    }

    /// The label of a tick in the unit of the case.
    pub(super) fn tick(&self, tick: Tick) -> String {
        if tick.value == 0.0 {
            return "0".to_owned();
        }
        let figure = Figure::within(tick.value, Some(tick.step));
        match self.main {
            Some(main) => measured(main, figure, &STYLE),
            None => figure.time(&STYLE),
        }
    }

    /// What an axis of its figures is called.
    pub(super) fn axis(&self) -> String {
        match self.main {
            Some(main) if main.metric != Metric::Time => {
                let name = tourbillon_report::escape(main.metric_name(), true);
                format!("{} per op", name.replace('_', " "))
            }
            _ => "time per op".to_owned(),
        }
    }

    /// The percentiles of its single calls, as below the row of the table; empty for other cases.
    pub(super) fn latencies(&self) -> String {
        let results = CaseResults::of(self.results.iter().copied());
        results.latencies(&self.case.id, &STYLE).join(" · ")
    }

    /// What an op allocates, as below the row of the table; empty where that was not counted.
    pub(super) fn allocations(&self) -> String {
        let results = CaseResults::of(self.results.iter().copied());
        results.allocations(&self.case.id).join(" · ")
    }

    /// How many threads run its body at once, if it is measured so.
    pub(super) fn threads(&self) -> Option<u64> {
        let team = self
            .launches
            .iter()
            .find_map(|launch| launch.samples.team.as_ref());
        team.map(|team| team.threads)
    }
}

impl Launch {
    /// The median of its batches of no iterations, n and 2 n iterations, as far as there are any, each with its number
    /// of iterations and in the unit of the case; `None` where it has batches of one length only.
    pub(super) fn lengths(&self) -> Option<Vec<(f64, f64)>> {
        let samples = &self.samples;
        let shape = &samples.batch_shape;
        let n = shape.windows.saturating_mul(shape.items) as f64;
        let lengths: Vec<(f64, f64)> = (0..=2_u8)
            .filter_map(|kind| {
                let amounts = samples
                    .batches
                    .kind
                    .iter()
                    .enumerate()
                    .filter(|(_, own)| **own == kind)
                    .filter_map(|(at, _)| self.amount(at));
                Some((f64::from(kind) * n, median_of(amounts)?))
            })
            .collect();
        (shape.slope && n > 0.0 && lengths.len() > 1).then_some(lengths)
    }

    /// What a batch took, in the unit of the case per op times its ops; `None` where the clock went backwards.
    fn amount(&self, at: usize) -> Option<f64> {
        let ticks = *self.samples.batches.ticks.get(at)?;
        if went_backwards(ticks) {
            return None;
        }
        match &self.samples.measured {
            Some(measured) => measured.amounts.get(at).copied(),
            None => Some(ticks as f64 * self.tick_ns),
        }
    }

    /// What each batch of the longest kind took per op, fixed cost included, in the unit of the case and in
    /// the order in which they were taken, each with its number.
    pub(super) fn batches(&self) -> Vec<(usize, f64)> {
        let samples = &self.samples;
        let batches = &samples.batches;
        let longest = batches.kind.iter().copied().max().unwrap_or(0);
        let length = samples
            .batch_shape
            .windows
            .saturating_mul(samples.batch_shape.items);
        let ops = (length.saturating_mul(samples.ops_per_iteration)) as f64 * f64::from(longest);
        if ops <= 0.0 {
            return Vec::new();
        }
        let of_longest = batches.kind.iter().enumerate();
        of_longest
            .filter(|(_, kind)| **kind == longest)
            .filter_map(|(at, _)| Some((at, self.amount(at)? / ops)))
            .collect()
    }

    /// The frequency of the core, in hertz, at the number of a batch.
    pub(super) fn frequency(&self) -> Vec<(usize, f64)> {
        let Some(chain) = &self.samples.chain else {
            return Vec::new();
        };
        let cycles = chain.long_cycles.saturating_sub(chain.short_cycles) as f64;
        let ticks = chain.short_ticks.iter().zip(&chain.long_ticks);
        let readings = chain.at.iter().zip(ticks);
        readings
            .filter(|(_, (short, long))| long > short && cycles > 0.0)
            .map(|(at, (short, long))| {
                let ns = (long - short) as f64 * self.tick_ns;
                (*at as usize, cycles * 1e9 / ns)
            })
            .collect()
    }
}
