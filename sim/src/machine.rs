use crate::Chance;

/// Nanoseconds in a cycle of the core while nothing slows it.
pub(crate) const CYCLE_NS: f64 = 0.27;
/// Nanoseconds in a tick of the clock that measures: 2.6 GHz.
pub(crate) const TICK_NS: f64 = 1.0 / 2.6;

/// What a machine does to the times of the code that runs on it: by default nothing, except that it counts time in
/// whole ticks.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Standard deviation of the noise of a batch, as a fraction of it.
    pub noise: f64,
    /// Correlation of that noise from one batch to the next: AR(1).
    pub rho: f64,
    /// The core's clock now and then is slower by this fraction ..
    pub step: f64,
    /// .. or faster again, after so many nanoseconds on average.
    pub dwell_ns: f64,
    /// Interruptions a second.
    pub interruptions: f64,
    /// How long they last.
    pub interruption: Interruption,
    /// A tick of the operating system every so many nanoseconds, 0 for none ..
    pub comb_every_ns: f64,
    /// .. that takes so many.
    pub comb_takes_ns: f64,
    /// How much slower the core's clock gets from the start of a run to its end, as a fraction.
    pub drift: f64,
    /// By how much every second of four batches in a row is slower, the second and the third, as
    /// a fraction: noise that has a period.
    pub period_4: f64,
    /// By how much the second batch of a round is slower than the first, as a fraction.
    pub second_of_round: f64,
    /// By how much a batch of the candidate is slower after one of the reference, as a fraction, unless
    /// a whole one of its own ran in between: caches that it has to fill again.
    pub disturbed: f64,
    /// By how much the process that starts second is slower than the first of a pair, as a fraction.
    pub second: f64,
    /// Step of the clock that measures, in nanoseconds.
    pub quantum_ns: f64,
    /// Standard deviation of what a process is off by, all its batches alike, as a fraction.
    pub process: f64,
    /// One process in so many is off by another 3 %; 0 for none.
    pub outlier_in: f64,
    /// One process in so many is slower by 39 to 161 %; 0 for none.
    pub slow_in: f64,
    /// Standard deviation of the conditions that launches close in time share, as a fraction, with a
    /// correlation of 0.9 from one launch to the next.
    pub conditions: f64,
    /// Code on the other thread of the core.
    pub contention: Contention,
}

/// Code on the other thread of the core that runs now and then. It does not slow multiplications that wait for
/// each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contention {
    /// Share of the time in which it runs.
    pub share: f64,
    /// In bursts of so many nanoseconds on average.
    pub burst_ns: f64,
    /// How much longer the body takes meanwhile, as a fraction.
    pub body: f64,
    /// How much longer additions take.
    pub additions: f64,
    /// How much longer the empty loop takes.
    pub empty_loop: f64,
}

impl Contention {
    /// How much longer some code takes meanwhile, as a factor.
    fn factor(&self, code: Code) -> f64 {
        1.0 + match code {
            Code::Body => self.body,
            Code::Multiplications => 0.0,
            Code::Additions => self.additions,
            Code::EmptyLoop => self.empty_loop,
        }
    }

    /// How long it goes on running, or resting.
    fn stretch_ns(&self, runs: bool, chance: &mut Chance) -> f64 {
        let mean = if runs {
            self.burst_ns
        } else {
            self.burst_ns * (1.0 - self.share) / self.share
        };
        chance.exponential(mean)
    }
}

/// What a machine can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// What is measured.
    Body,
    /// The reference chain.
    Multiplications,
    /// The chain of additions next to it.
    Additions,
    /// The loop around an empty body.
    EmptyLoop,
}

/// How long an interruption lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interruption {
    /// Exponential, with this mean in nanoseconds.
    Exponential(f64),
    /// Pareto with a shape of 1.5, from so many nanoseconds on.
    Pareto(f64),
}

impl Default for Machine {
    fn default() -> Machine {
        Machine {
            noise: 0.0,
            rho: 0.0,
            step: 0.0,
            dwell_ns: 1e6,
            interruptions: 0.0,
            interruption: Interruption::Exponential(23_000.0),
            comb_every_ns: 0.0,
            comb_takes_ns: 0.0,
            drift: 0.0,
            period_4: 0.0,
            second_of_round: 0.0,
            disturbed: 0.0,
            second: 0.0,
            quantum_ns: TICK_NS,
            process: 0.0,
            outlier_in: 0.0,
            slow_in: 0.0,
            conditions: 0.0,
            contention: Contention::default(),
        }
    }
}

/// What the launches of one run have in common.
#[derive(Clone, Debug)]
pub(crate) struct Conditions {
    state: f64,
    sd: f64,
}

impl Conditions {
    const RHO: f64 = 0.9;

    /// The conditions of a machine at some time.
    pub(crate) fn of(machine: &Machine, chance: &mut Chance) -> Conditions {
        Conditions {
            state: chance.normal(),
            sd: machine.conditions,
        }
    }

    /// The conditions at the next launch, as a factor.
    pub(crate) fn next(&mut self, chance: &mut Chance) -> f64 {
        let fresh = (1.0 - Conditions::RHO * Conditions::RHO).sqrt();
        self.state = Conditions::RHO * self.state + fresh * chance.normal();
        (self.sd * self.state).exp()
    }
}

impl Machine {
    /// What a process is off by, as a factor.
    pub fn offset(&self, chance: &mut Chance) -> f64 {
        let mut factor = (self.process * chance.normal()).exp();
        if self.outlier_in > 0.0 && chance.happens(1.0 / self.outlier_in) {
            factor *= 1.03;
        }
        if self.slow_in > 0.0 && chance.happens(1.0 / self.slow_in) {
            factor *= 1.39 + 1.22 * chance.uniform();
        }
        factor
    }

    /// Starts the machine for one process, or a pair of processes that take turns, at a moment of
    /// the run between 0 and 1.
    pub fn start(&self, moment: f64, mut chance: Chance) -> Running<'_> {
        let core_ns = CYCLE_NS * (1.0 + self.drift * moment);
        let noise = chance.normal();
        let is_slow = self.step > 0.0 && chance.coin();
        let next_step_ns = chance.exponential(self.dwell_ns);
        let next_interruption_ns = if self.interruptions > 0.0 {
            chance.exponential(1e9 / self.interruptions)
        } else {
            f64::INFINITY
        };
        let next_comb_ns = if self.comb_every_ns > 0.0 {
            chance.uniform() * self.comb_every_ns
        } else {
            f64::INFINITY
        };
        let share = self.contention.share;
        let is_contended = share > 0.0 && chance.happens(share);
        let next_contention_ns = if share > 0.0 {
            self.contention.stretch_ns(is_contended, &mut chance)
        } else {
            f64::INFINITY
        };
        Running {
            machine: self,
            now_ns: chance.uniform() * 1e6,
            core_ns,
            noise,
            is_slow,
            batches: 0,
            next_step_ns,
            next_interruption_ns,
            next_comb_ns,
            is_contended,
            next_contention_ns,
            chance,
        }
    }
}

/// A machine at work.
#[derive(Clone, Debug)]
pub struct Running<'a> {
    machine: &'a Machine,
    now_ns: f64,
    core_ns: f64,
    /// Of standard deviation 1.
    noise: f64,
    is_slow: bool,
    batches: u64,
    next_step_ns: f64,
    next_interruption_ns: f64,
    next_comb_ns: f64,
    is_contended: bool,
    next_contention_ns: f64,
    /// What decides of everything that happens.
    pub chance: Chance,
}

impl Running<'_> {
    /// Runs a batch of a body that takes so many cycles, and gives what the clock reads, in ticks.
    pub fn batch(&mut self, cycles: f64, fixed_ns: f64) -> u64 {
        let machine = self.machine;
        let mut factor = 1.0;
        if machine.noise > 0.0 {
            let fresh = (1.0 - machine.rho * machine.rho).sqrt();
            self.noise = machine.rho * self.noise + fresh * self.chance.normal();
            factor = (machine.noise * self.noise).exp();
        }
        if matches!(self.batches % 4, 1 | 2) {
            factor += machine.period_4;
        }
        self.batches += 1;
        self.run(Code::Body, cycles * factor, fixed_ns)
    }

    /// Runs code that only the core's clock, interruptions and contention slow down.
    pub(crate) fn run(&mut self, code: Code, cycles: f64, fixed_ns: f64) -> u64 {
        let machine = self.machine;
        while machine.step > 0.0 && self.now_ns >= self.next_step_ns {
            self.is_slow = !self.is_slow;
            self.next_step_ns += self.chance.exponential(machine.dwell_ns);
        }
        while self.now_ns >= self.next_contention_ns {
            self.is_contended = !self.is_contended;
            let stretch_ns = machine
                .contention
                .stretch_ns(self.is_contended, &mut self.chance);
            self.next_contention_ns += stretch_ns;
        }
        let mut step = 1.0;
        if self.is_slow {
            step += machine.step;
        }
        if self.is_contended {
            step *= machine.contention.factor(code);
        }
        let mut end_ns = self.now_ns + cycles * self.core_ns * step + fixed_ns;
        while self.next_interruption_ns < end_ns {
            // One that came between batches is over.
            if self.next_interruption_ns >= self.now_ns {
                end_ns += match machine.interruption {
                    Interruption::Exponential(mean) => self.chance.exponential(mean),
                    // Not longer than a second, or times would stand still.
                    Interruption::Pareto(least) => self.chance.pareto(least, 1.5).min(1e9),
                };
            }
            self.next_interruption_ns += self.chance.exponential(1e9 / machine.interruptions);
        }
        while self.next_comb_ns < end_ns {
            if self.next_comb_ns >= self.now_ns {
                end_ns += machine.comb_takes_ns;
            }
            self.next_comb_ns += machine.comb_every_ns;
        }
        let quanta = |ns: f64| (ns / machine.quantum_ns).floor();
        let reading_ns = (quanta(end_ns) - quanta(self.now_ns)) * machine.quantum_ns;
        self.now_ns = end_ns;
        (reading_ns / TICK_NS).round() as u64
    }

    /// Nanoseconds since some start.
    pub fn now_ns(&self) -> f64 {
        self.now_ns
    }

    /// Lets time pass that is not measured.
    pub fn pause(&mut self, ns: f64) {
        self.now_ns += ns;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(machine: &Machine, count: usize) -> Vec<f64> {
        let mut running = machine.start(0.0, Chance::new(1));
        (0..count)
            .map(|_| running.batch(100_000.0, 0.0) as f64 * TICK_NS)
            .collect()
    }

    #[test]
    fn a_quiet_machine_takes_what_the_body_costs() {
        for reading in readings(&Machine::default(), 100) {
            assert!((reading - 27_000.0).abs() < 1.0, "{reading}");
        }
    }

    #[test]
    fn noise_has_its_size_and_its_memory() {
        let machine = Machine {
            noise: 0.01,
            rho: 0.9,
            ..Machine::default()
        };
        let logs: Vec<f64> = readings(&machine, 200_000)
            .iter()
            .map(|reading| (reading / 27_000.0).ln())
            .collect();
        let n = logs.len() as f64;
        let variance = logs.iter().map(|log| log * log).sum::<f64>() / n;
        let product = logs.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / n;
        assert!((variance.sqrt() / 0.01 - 1.0).abs() < 0.03, "{variance}");
        assert!((product / variance - 0.9).abs() < 0.01, "{product}");
    }

    #[test]
    fn interruptions_and_the_comb_take_their_share_of_time() {
        let machine = Machine {
            interruptions: 650.0,
            ..Machine::default()
        };
        let total: f64 = readings(&machine, 200_000).iter().sum();
        // 650 a second of 23 us each are 1.5 % more.
        let more = total / (27_000.0 * 200_000.0) - 1.0;
        assert!((more - 0.0152).abs() < 0.001, "{more}");
        let machine = Machine {
            comb_every_ns: 4e6,
            comb_takes_ns: 40_000.0,
            ..Machine::default()
        };
        let total: f64 = readings(&machine, 200_000).iter().sum();
        let more = total / (27_000.0 * 200_000.0) - 1.0;
        assert!((more - 0.0101).abs() < 0.0005, "{more}");
    }

    #[test]
    fn a_coarse_clock_reads_its_steps() {
        let machine = Machine {
            quantum_ns: 1_000.0,
            ..Machine::default()
        };
        for reading in readings(&machine, 100) {
            let whole = (reading / 1_000.0).round() * 1_000.0;
            assert!((reading - whole).abs() < 1.0 && (reading - 27_000.0).abs() < 1_001.0);
        }
    }

    #[test]
    fn the_clock_of_the_core_has_two_levels() {
        let machine = Machine {
            step: 0.2,
            dwell_ns: 500_000.0,
            ..Machine::default()
        };
        let slow = readings(&machine, 100_000)
            .iter()
            .filter(|&&reading| reading > 30_000.0)
            .count();
        // As long in one as in the other; slow batches are longer.
        assert!((slow as f64 / 1e5 - 0.455).abs() < 0.03, "{slow}");
    }

    #[test]
    fn contention_lasts_its_share_and_slows_what_it_slows() {
        let machine = Machine {
            contention: Contention {
                share: 0.4,
                burst_ns: 500_000.0,
                body: 0.25,
                additions: 0.03,
                empty_loop: 0.8,
            },
            ..Machine::default()
        };
        let mut running = machine.start(0.0, Chance::new(2));
        let kinds = [
            (Code::Body, 1.25),
            (Code::Multiplications, 1.0),
            (Code::Additions, 1.03),
            (Code::EmptyLoop, 1.8),
        ];
        let mut slow = [0; 4];
        for _ in 0..100_000 {
            for (index, (code, factor)) in kinds.into_iter().enumerate() {
                let ns = running.run(code, 10_000.0, 0.0) as f64 * TICK_NS;
                let is_slow = (ns - 2_700.0 * factor).abs() < 1.0;
                assert!(is_slow || (ns - 2_700.0).abs() < 1.0, "{code:?} {ns}");
                slow[index] += u32::from(is_slow);
            }
        }
        // What it slows takes longer, so that fewer fit into its bursts.
        for index in [0, 2, 3] {
            let share = f64::from(slow[index]) / 1e5;
            assert!((share - 0.355).abs() < 0.02, "{share}");
        }
    }
}
