//! Faults and results with random members.

use tourbillon_record::{
    Absence, CaseResult, Fault, FaultKind, Metric, Note, OwnMetric, Rough, Scale, ScaleUnit, Scope,
    SourceLocation, Throughput, ThroughputUnit,
};

use crate::random::Random;

impl Random {
    pub(crate) fn fault(&mut self) -> Fault {
        let kind = match self.below(10) {
            0 => FaultKind::Panic,
            1 => FaultKind::Error,
            2 => FaultKind::Exit(self.bits() as i32),
            3 => FaultKind::Signal(self.bits() as i32),
            4 => FaultKind::Hang(self.whole()),
            5 => FaultKind::UnknownCase,
            6 => FaultKind::NoTerminal,
            7 => FaultKind::EmptyBody,
            8 => FaultKind::Spawn,
            _ => FaultKind::Protocol,
        };
        Fault {
            case: self.text(),
            launch: self.whole32(),
            kind,
            message: self.text(),
            location: self.option(|random| SourceLocation {
                file: random.text(),
                line: random.whole32(),
            }),
            stderr: self.text(),
            unknown: self.unknown(),
        }
    }

    pub(crate) fn main_metric(&mut self) -> Metric {
        [
            Metric::Time,
            Metric::CpuTime,
            Metric::UserTime,
            Metric::KernelTime,
            Metric::Own,
        ][self.below(5)]
    }

    pub(crate) fn scale(&mut self) -> Scale {
        let units = 0..self.below(3);
        let unit = |_| ScaleUnit {
            from: self.number(),
            shown: self.number(),
            unit: self.text(),
            falls: self.flag(),
        };
        Scale(units.map(unit).collect())
    }

    pub(crate) fn own(&mut self, metric: Metric) -> Option<OwnMetric> {
        (metric == Metric::Own).then(|| OwnMetric {
            name: self.text(),
            unit: self.text(),
            more_is_better: self.flag(),
        })
    }

    pub(crate) fn result(&mut self) -> CaseResult {
        const ABSENT: [Absence; 6] = [
            Absence::BelowResolution,
            Absence::ClocksDisagree,
            Absence::Failed,
            Absence::MachineBusy,
            Absence::NotReached,
            Absence::TooScattered,
        ];
        let other = [Metric::Cycles, Metric::Allocs, Metric::Bytes, Metric::Peak][self.below(4)];
        let metric = if self.flag() {
            other
        } else {
            self.main_metric()
        };
        let [estimate, lower, upper] = self.interval();
        let absent = ABSENT[self.below(3)];
        CaseResult {
            case: self.text(),
            metric,
            own: self.own(metric),
            units: self.scale(),
            rates: self.scale(),
            estimate: estimate.ok_or(absent),
            lower,
            upper,
            rough: self.option(|random| {
                let (lower, width) = (random.amount(), random.amount());
                Rough::between(lower, lower + width)
            }),
            confidence: self.option(Self::share),
            scope: [Scope::Process, Scope::Processes][self.below(2)],
            systematic: self.amount(),
            launches: self.whole32(),
            samples: self.whole(),
            mean: self.option(Self::amount),
            stddev: self.option(Self::amount),
            mad: self.option(Self::amount),
            fixed_cost: self.option(Self::number),
            first_call: self.option(Self::amount),
            resolution: self.option(Self::amount),
            ops: self.whole(),
            iterations: self.whole(),
            elapsed_ns: self.amount(),
            method: self.text(),
            notes: (0..self.below(4)).map(|_| self.note()).collect(),
            throughput: self.option(Self::throughput),
            unknown: self.unknown(),
        }
    }

    pub(crate) fn throughput(&mut self) -> Throughput {
        Throughput {
            unit: [ThroughputUnit::Bytes, ThroughputUnit::Items][self.below(2)],
            per_op: self.whole(),
        }
    }

    pub(crate) fn note(&mut self) -> Note {
        match self.below(25) {
            0 => Note::SlowLaunches {
                count: self.whole32(),
                excess: self.number(),
            },
            1 => Note::FailedLaunches {
                count: self.whole32(),
            },
            2 => Note::Curvature {
                fraction: self.number(),
            },
            3 => Note::NotWarm {
                launches: self.whole32(),
            },
            4 => Note::ThreadsLeft {
                launches: self.whole32(),
            },
            5 => Note::CorrectionTooLarge,
            6 => Note::FewLaunches {
                launches: self.whole32(),
            },
            7 => Note::Shortened {
                requested: self.whole32(),
            },
            8 => Note::Skewed,
            9 => Note::PagesTouched {
                per_op: self.number(),
            },
            10 => Note::Writes {
                per_op: self.number(),
            },
            11 => Note::NotCounted { why: self.text() },
            12 => Note::FixedItem {
                fraction: self.number(),
            },
            13 => Note::Contended {
                launches: self.whole32(),
                in_figure: self.flag(),
            },
            14 => Note::UnevenThreads {
                fraction: self.number(),
            },
            15 => Note::Oversubscribed {
                threads: self.whole32(),
                processors: self.whole32(),
            },
            16 => Note::Waited {
                fraction: self.number(),
            },
            17 => Note::WaitsForMemory {
                touched_bytes: self.whole(),
            },
            18 => Note::Overlaps {
                alone: self.number(),
            },
            19 => Note::ClocksDisagree { ppm: self.number() },
            20 => Note::ProcessesLeft {
                launches: self.whole32(),
            },
            21 => Note::LaunchesRequested {
                launches: self.whole32(),
                took_ns: self.number(),
            },
            22 => Note::ConstantTime,
            23 => Note::Imprecise {
                precision: self.number(),
            },
            _ => Note::Other(format!("x{}", self.text())),
        }
    }
}
