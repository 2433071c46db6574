//! What a run prints and writes of its benchmarks in the forms of criterion.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::rc::Rc;

use tourbillon_criterion_files::{Batch, Estimates, batches};
use tourbillon_record::store::Last;
use tourbillon_record::{Case, CaseResult, Entry, Header, LaunchSamples};
use tourbillon_report::{CaseResults, escape, first_names};

use crate::amount::Amount;
use crate::baseline::Baselines;
use crate::change::Change;
use crate::files::{Folder, Written, write_index};
use crate::lines::{Form, Lines, Shown, Since};
use crate::process::BenchmarkName;
use crate::stdout::print;
use crate::values::without_figure;

/// A benchmark that is measured.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Benchmark {
    pub(crate) case: Case,
    pub(crate) named: BenchmarkName,
    pub(crate) throughput: Option<Amount>,
    /// The relative change below which none is reported.
    pub(crate) noise_threshold: f64,
    pub(crate) baselines: Baselines,
    pub(crate) folder: Folder,
}

/// Takes the entries of a run; prints the lines of the benchmarks and writes their files at its end.
#[derive(Debug)]
pub(crate) struct Outputs {
    /// By the ids of their cases.
    benchmarks: HashMap<String, Benchmark>,
    lines: Option<Lines>,
    last: Rc<Last>,
    header: Header,
    batches: HashMap<String, Vec<Batch>>,
    /// Those of a case follow each other.
    results: Vec<CaseResult>,
    /// The group of the last line.
    group: Option<String>,
    /// The folders of files that were written.
    roots: Vec<PathBuf>,
    /// What a reader of the table has to know.
    notes: Vec<String>,
    not_compared: Uncompared,
    /// Why a file was not written.
    trouble: Option<String>,
}

/// The results that benchmarks are compared with.
#[derive(Debug, Default)]
pub(crate) struct Before {
    pub(crate) last: Last,
    /// The benchmarks that have none, but should, each with the name of the baseline.
    pub(crate) missing: Vec<(String, String)>,
    /// Files that cannot be read, and why.
    pub(crate) unreadable: Vec<String>,
}

impl Before {
    /// Reads the results that benchmarks are compared with.
    pub(crate) fn read(benchmarks: &[Benchmark]) -> Before {
        let mut before = Before::default();
        for benchmark in benchmarks {
            let Baselines {
                compare, is_strict, ..
            } = &benchmark.baselines;
            match benchmark.folder.read(&benchmark.case.id, compare) {
                Ok(Some(found)) => before.last.add(found),
                Ok(None) if *is_strict => {
                    let missing = (benchmark.case.id.clone(), compare.clone());
                    before.missing.push(missing);
                }
                Ok(None) => {}
                Err(why) => before.unreadable.push(why),
            }
        }
        before
    }
}

impl Outputs {
    /// For benchmarks that are compared with `last`.
    pub(crate) fn new(benchmarks: Vec<Benchmark>, lines: Option<Lines>, last: Rc<Last>) -> Outputs {
        let by_id = |benchmark: Benchmark| (benchmark.case.id.clone(), benchmark);
        Outputs {
            benchmarks: benchmarks.into_iter().map(by_id).collect(),
            lines,
            last,
            header: Header::default(),
            batches: HashMap::new(),
            results: Vec::new(),
            group: None,
            roots: Vec::new(),
            notes: Vec::new(),
            not_compared: Uncompared::default(),
            trouble: None,
        }
    }

    /// Takes an entry of the run.
    pub(crate) fn entry(&mut self, entry: Entry<'_>) {
        match entry {
            Entry::Header(header) => self.header = header.clone(),
            Entry::Launch(launch) => self.sample(launch),
            Entry::Result(result) => self.results.push(result.clone()),
            Entry::End(end) => {
                let results = std::mem::take(&mut self.results);
                for of_case in results.chunk_by(|one, next| one.case == next.case) {
                    self.case_ended(of_case, end.interrupted);
                }
            }
            _ => {}
        }
    }

    /// What a reader of the table has to know, a sentence each.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        let notes = self.notes.iter().cloned();
        notes.chain(self.not_compared.notes())
    }

    /// The end of the run; why files are missing, if some are.
    pub(crate) fn finish(mut self, has_index: bool) -> Option<String> {
        if self.group.is_some() {
            print("\n");
        }
        if cfg!(feature = "html_reports") && has_index {
            for root in &self.roots {
                self.trouble = self.trouble.take().or(write_index(root).err());
            }
        }
        self.trouble
    }

    /// Keeps the batches of a launch.
    fn sample(&mut self, launch: &LaunchSamples) {
        let benchmark = self.benchmarks.get(&launch.case);
        if benchmark.is_none_or(|benchmark| !benchmark.baselines.writes) {
            return;
        }
        let of_launch = batches(launch, &self.header.clock);
        let of_case = self.batches.entry(launch.case.clone()).or_default();
        of_case.extend(of_launch);
    }

    /// Prints and writes the results of a case. Those of an interrupted run are not
    /// written.
    fn case_ended(&mut self, results: &[CaseResult], interrupted: bool) {
        let Some(main) = results.iter().find(|result| result.metric.is_main()) else {
            return;
        };
        let Some(benchmark) = self.benchmarks.remove(&main.case) else {
            return;
        };
        let case = &benchmark.case;
        let of_case = CaseResults::of(results);
        let (last, header) = (&self.last, &self.header);
        let change = Change::since(last, &case.id, header, &of_case, benchmark.noise_threshold);
        let not_compared = Change::absent(last, &case.id, header, &of_case);
        if let Some(lines) = self.lines {
            let shown = Shown {
                id: &case.id,
                result: main,
                throughput: benchmark.throughput,
                change: match (&change, &not_compared) {
                    (Some(change), _) => Since::Change(change),
                    (None, Some(why)) => Since::NotCompared(why),
                    (None, None) => Since::Nothing,
                },
            };
            let group = Some(benchmark.named.group.clone());
            let is_next = self.group.is_some() && self.group != group;
            let separator = if is_next { "\n" } else { "" };
            print(&format!("{separator}{}", lines.render(&shown)));
            self.group = group;
            if lines.form == Form::Bencher && Estimates::of(main).is_none() {
                let (id, why) = (escape(&case.id, true), without_figure(main));
                self.notes.push(format!("{id} has no line: {why}"));
            }
        } else if let Some(change) = &change {
            self.notes.extend(note(&case.id, change));
        } else if let Some(why) = not_compared {
            self.not_compared.add(why, &case.id);
        }
        if benchmark.baselines.writes && !interrupted {
            let batches = self.batches.remove(&case.id).unwrap_or_default();
            let written = Written {
                named: &benchmark.named,
                case,
                throughput: benchmark.throughput,
                header: &self.header,
                results,
                batches: &batches,
                change: change.as_ref(),
                save: benchmark.baselines.save.as_deref(),
            };
            match benchmark.folder.write(&written) {
                Ok(()) if !self.roots.contains(&benchmark.folder.root) => {
                    self.roots.push(benchmark.folder.root);
                }
                Ok(()) => {}
                Err(why) => self.trouble = self.trouble.take().or(Some(why)),
            }
        }
    }
}

/// Benchmarks that are not compared with earlier results that they have, by the reasons.
#[derive(Debug, Default)]
pub(crate) struct Uncompared(BTreeMap<String, Vec<String>>);

impl Uncompared {
    pub(crate) fn add(&mut self, why: String, id: &str) {
        self.0.entry(why).or_default().push(escape(id, true));
    }

    /// A sentence for each reason.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(why, ids)| {
            format!(
                "{} not compared with the run before: {why}",
                first_names(ids)
            )
        })
    }
}

/// A sentence about a ratio of times in the table; `None` where it needs none.
pub(crate) fn note(id: &str, change: &Change) -> Option<String> {
    let differs = change.throughput_differs()?;
    Some(format!(
        "{}: {differs}; the ratio is one of times",
        escape(id, true)
    ))
}
