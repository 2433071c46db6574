//! Lines with random members.

use tourbillon_record::{
    Additions, Argument, BatchShape, Batches, Calls, Case, Chain, ClockCheck, ClockFacts, Counted,
    Empty, End, Fact, FactValue, Fenced, FixedItem, Header, LaunchSamples, Line, MachineEvents,
    Measured, Memory, Pauses, Pilot, Resident, RunSettings, Shard, SystemCounts, Team, Warmup,
};

use crate::commands;
use crate::comparison_lines;
use crate::random::Random;

impl Random {
    pub(crate) fn line(&mut self) -> Line {
        match self.below(9) {
            0 => Line::Header(self.header()),
            1 => Line::Case(self.case()),
            2 => Line::Launch(Box::new(self.launch())),
            3 => Line::Fault(self.fault()),
            4 => Line::Result(self.result()),
            5 => Line::Rounds(comparison_lines::random_rounds(self)),
            6 => Line::Verdict(comparison_lines::random_verdict(self)),
            7 => Line::Memory(self.memory()),
            _ => Line::End(self.end()),
        }
    }

    fn header(&mut self) -> Header {
        Header {
            tourbillon: self.text(),
            engine: self.text(),
            started_unix_ns: self.whole(),
            started: self.date(),
            package: self.text(),
            target: self.text(),
            command: self.texts(),
            seed: self.bits(),
            cases: self.whole(),
            shard: self.option(|random| {
                let of = random.whole().max(1);
                Box::new(Shard {
                    method: random.text(),
                    number: 1 + random.whole() % of,
                    of,
                    cases: random.whole(),
                    ids: random.option(Random::bits),
                })
            }),
            settings: RunSettings {
                launches: self.whole32(),
                fewest_launches: self.option(Self::whole32),
                budget_ns: self.whole(),
                batch_ns: self.whole(),
                confidence: self.share(),
                precision: self.option(Self::amount),
                cpus: (0..self.below(3)).map(|_| self.whole32()).collect(),
                core_kinds: self.option(Self::texts),
            },
            clock: ClockFacts {
                source: self.text(),
                why: self.text(),
                hz_numerator: self.whole(),
                hz_denominator: self.whole().max(1),
                frequency_from: self.text(),
                frequency_error_ppm: self.option(Self::amount),
                cycles_from: self.option(Self::text),
                no_cycles: self.option(Self::text),
            },
            facts: (0..self.below(5)).map(|_| self.fact()).collect(),
            unknown: self.unknown(),
        }
    }

    fn fact(&mut self) -> Fact {
        let value = match self.below(5) {
            0 => FactValue::Text(self.text()),
            1 => FactValue::Integer(self.whole()),
            2 => FactValue::Flag(self.flag()),
            3 => FactValue::List(self.texts()),
            _ => FactValue::Absent(self.text()),
        };
        Fact {
            name: self.text(),
            value,
        }
    }

    fn case(&mut self) -> Case {
        Case {
            id: self.text(),
            group: self.text(),
            name: self.text(),
            arguments: (0..self.below(3))
                .map(|number| Argument {
                    axis: format!("{number}{}", self.text()),
                    value: self.text(),
                })
                .collect(),
            reference: self.flag(),
            tags: self.texts(),
            ignored: self.option(Self::text),
            at_most: self.option(Self::text),
            verify: self.option(Self::texts),
            file: self.text(),
            line: self.whole32(),
            command: self.option(|random| Box::new(commands::random_command(random))),
            unknown: self.unknown(),
        }
    }

    pub(crate) fn calls(&mut self) -> Calls {
        let count = self.below(9);
        let mut ticks = self.wholes(count);
        ticks.sort_unstable();
        ticks.dedup();
        Calls {
            per_second: self.option(Self::number),
            count: self.wholes(ticks.len()),
            ticks,
            longest_ticks: self.whole(),
            reading_ticks: self.wholes(count),
            step_ticks: self.whole(),
            late: self.whole(),
            backlog: self.whole(),
        }
    }

    fn launch(&mut self) -> LaunchSamples {
        let (steps, count, readings) = (self.below(5), self.below(20), self.below(5));
        let paused = self.flag();
        let counted = self.flag();
        LaunchSamples {
            case: self.text(),
            launch: self.whole32(),
            pilot_launch: self.flag(),
            seed: self.bits(),
            pid: self.whole32(),
            started_unix_ns: self.whole(),
            terminal: self.text(),
            drop_inside: self.flag(),
            ops_per_iteration: self.whole(),
            throughput: self.option(Self::throughput),
            setup_ticks: self.whole(),
            first_call_ticks: self.whole(),
            pilot: Pilot {
                windows: self.wholes(steps),
                items: self.wholes(steps),
                unroll: (0..steps).map(|_| self.whole32()).collect(),
                ticks: self.wholes(steps),
            },
            warmup: Warmup {
                batches: self.whole(),
                ticks: self.whole(),
                settled: self.flag(),
            },
            batch_shape: BatchShape {
                windows: self.whole(),
                items: self.whole(),
                unroll: self.whole32(),
                slope: self.flag(),
            },
            batches: Batches {
                kind: (0..count).map(|_| self.below(3) as u8).collect(),
                ticks: self.wholes(count),
                pauses: self.wholes(if paused { count } else { 0 }),
                cycles: self.wholes(if counted { count } else { 0 }),
            },
            chain: self.option(|random| Chain {
                of: random.text(),
                short_cycles: random.whole(),
                long_cycles: random.whole(),
                at: random.wholes(readings),
                short_ticks: random.wholes(readings),
                long_ticks: random.wholes(readings),
                additions: random.option(|random| {
                    Box::new(Additions {
                        short_ticks: random.wholes(readings),
                        long_ticks: random.wholes(readings),
                    })
                }),
            }),
            empty: Empty {
                ops: self.whole(),
                short_ticks: self.wholes(readings),
                long_ticks: self.wholes(steps),
            },
            pauses: self.option(|random| Pauses {
                pairs: random.whole(),
                residual_ticks: random.wholes(readings),
            }),
            fixed_item: self.option(|random| FixedItem {
                short_ticks: random.wholes(readings),
                long_ticks: random.wholes(readings),
            }),
            fenced: self.option(|random| Fenced {
                ops: random.whole(),
                short_ticks: random.wholes(readings),
                long_ticks: random.wholes(readings),
                free_short_ticks: random.wholes(steps),
                free_long_ticks: random.wholes(steps),
                empty_short_ticks: random.wholes(readings),
                empty_long_ticks: random.wholes(readings),
            }),
            measured: self.option(|random| {
                let metric = random.main_metric();
                Box::new(Measured {
                    metric,
                    own: random.own(metric),
                    units: random.scale(),
                    rates: random.scale(),
                    step_ns: random.option(Self::whole),
                    first_call: random.number(),
                    amounts: (0..count).map(|_| random.number()).collect(),
                })
            }),
            calls: self.option(|random| Box::new(random.calls())),
            team: self.option(|random| Team {
                threads: random.whole(),
                processors: random.option(Self::whole),
                fastest_ticks: random.wholes(readings),
                slowest_ticks: random.wholes(readings),
                start_spread_ticks: random.wholes(readings),
            }),
            launch_ticks: self.whole(),
            threads: self.option(Self::whole32),
            working_threads: self.option(Self::whole32),
            counted: SystemCounts {
                page_faults: self.option(Self::whole),
                written_bytes: self.option(Self::whole),
                waited_ns: self.option(Self::whole),
            },
            touched_bytes: self.option(Self::whole),
            arm: self.option(|random| random.below(2) as u8),
            core_kind: self.option(Self::text),
            unknown: self.unknown(),
        }
    }

    fn memory(&mut self) -> Memory {
        let (rows, single) = (self.below(6), self.below(4));
        let (elsewhere, counted, resident) = (self.flag(), self.flag(), self.flag());
        Memory {
            case: self.text(),
            launch: self.whole32(),
            seed: self.bits(),
            pid: self.whole32(),
            started_unix_ns: self.whole(),
            arm: self.option(|random| random.below(2) as u8),
            terminal: self.text(),
            drop_inside: self.flag(),
            ops_per_iteration: self.whole(),
            iterations: self.wholes(rows),
            counts: if counted {
                Ok(Counted {
                    allocs: self.wholes(rows),
                    frees: self.wholes(rows),
                    reallocs_in_place: self.wholes(rows),
                    reallocs_moved: self.wholes(rows),
                    allocated_bytes: self.wholes(rows),
                    freed_bytes: self.wholes(rows),
                    copied_bytes: self.wholes(rows),
                    peak_bytes: self.wholes(rows),
                    requests_elsewhere: self.wholes(if elsewhere { rows } else { 0 }),
                })
            } else {
                Err(self.text())
            },
            resident: if resident {
                Ok(Resident {
                    peak_bytes: self.whole(),
                    since_first_call: self.flag(),
                    faults_minor: self.wholes(single),
                    faults_major: self.wholes(single),
                })
            } else {
                Err(self.text())
            },
            launch_ns: self.whole(),
            unknown: self.unknown(),
        }
    }

    fn end(&mut self) -> End {
        End {
            wall_ns: self.whole(),
            launches_ns: self.whole(),
            batches_ns: self.whole(),
            launches: self.whole(),
            faults: self.whole(),
            interrupted: self.flag(),
            clock_check: self.option(|random| ClockCheck {
                deviation_ppm: random.number(),
                bound_ppm: random.number(),
                baseline_ns: random.whole(),
            }),
            lines: self.option(Self::whole),
            machine_events: self.option(|random| MachineEvents {
                busy_ticks: random.whole(),
                stolen_ticks: random.whole(),
                own_ticks: random.whole(),
                swapped_pages: random.whole(),
                throttled: random.whole(),
            }),
            exit_code: self.bits() as u8,
            unknown: self.unknown(),
        }
    }
}
