use crate::coverage::Cell;
use crate::machine::{Contention, Interruption, Machine};

/// The machines on which intervals of runs are tried.
pub fn for_runs() -> Vec<Cell> {
    let processes = Machine {
        noise: 0.005,
        process: 0.007,
        ..Machine::default()
    };
    let interrupted = Machine {
        interruptions: 650.0,
        ..processes.clone()
    };
    let of = |name, machine| Cell {
        name,
        machine,
        independent: true,
    };
    vec![
        of(
            "quiet: noise 0.5 %, no two processes alike (sd 0.7 %)",
            processes.clone(),
        ),
        of(
            "all processes alike, AR(1) noise 1 %, rho 0.9",
            Machine {
                noise: 0.01,
                rho: 0.9,
                ..Machine::default()
            },
        ),
        of(
            "AR(1) noise 1 %, rho 0.98",
            Machine {
                noise: 0.01,
                rho: 0.98,
                ..processes.clone()
            },
        ),
        of(
            "core 20 % slower now and then, for 5 ms",
            Machine {
                step: 0.2,
                dwell_ns: 5e6,
                ..processes.clone()
            },
        ),
        of(
            "core 5 % slower now and then, for 0.5 ms",
            Machine {
                step: 0.05,
                dwell_ns: 5e5,
                ..processes.clone()
            },
        ),
        of("650 interruptions a second, 23 us", interrupted.clone()),
        of(
            "2000 interruptions a second, Pareto 1.5 from 5 us on",
            Machine {
                interruptions: 2_000.0,
                interruption: Interruption::Pareto(5_000.0),
                ..processes.clone()
            },
        ),
        of(
            "tick comb: 20 us every 1 ms",
            Machine {
                comb_every_ns: 1e6,
                comb_takes_ns: 20_000.0,
                ..processes.clone()
            },
        ),
        of(
            "drift of the core's clock by 5 %",
            Machine {
                drift: 0.05,
                ..processes.clone()
            },
        ),
        of(
            "clock steps of 41.7 ns",
            Machine {
                quantum_ns: 1e3 / 24.0,
                ..processes.clone()
            },
        ),
        of(
            "clock steps of 1 us",
            Machine {
                quantum_ns: 1e3,
                ..processes.clone()
            },
        ),
        of(
            "one process in twenty 3 % slower",
            Machine {
                outlier_in: 20.0,
                ..processes.clone()
            },
        ),
        of(
            "one launch in eighty 39 to 161 % slow",
            Machine {
                slow_in: 80.0,
                ..processes.clone()
            },
        ),
        of(
            "all of it",
            Machine {
                noise: 0.01,
                rho: 0.9,
                step: 0.05,
                dwell_ns: 5e5,
                comb_every_ns: 4e6,
                comb_takes_ns: 4_000.0,
                drift: 0.05,
                outlier_in: 20.0,
                slow_in: 80.0,
                ..interrupted
            },
        ),
        Cell {
            name: "conditions (sd 1 %) that successive launches share: all conditions covered",
            machine: Machine {
                conditions: 0.01,
                ..processes
            },
            independent: false,
        },
    ]
}

/// Those for runs that stop by their precision: processes differ, so that more launches help.
pub fn for_precision() -> Vec<Cell> {
    let chosen = [
        "quiet",
        "AR(1) noise 1 %, rho 0.98",
        "core 20 %",
        "one process in twenty",
        "one launch in eighty",
        "all of it",
    ];
    let mut cells = for_runs();
    cells.retain(|cell| chosen.iter().any(|start| cell.name.starts_with(start)));
    cells
}

/// Those with contention. How much longer code takes under it, and how long it lasts, is as measured on two
/// kinds of machine.
pub fn for_contention() -> Vec<Cell> {
    let of = |name, contention| Cell {
        name,
        machine: Machine {
            noise: 0.005,
            process: 0.007,
            contention,
            ..Machine::default()
        },
        independent: true,
    };
    // Additions show it, the empty loop does not.
    let zen_5 = Contention {
        share: 0.3,
        burst_ns: 10e6,
        body: 0.25,
        additions: 0.026,
        empty_loop: 0.0,
    };
    // The empty loop shows it, additions hardly do.
    let zen_4 = Contention {
        share: 0.4,
        burst_ns: 30e6,
        body: 0.37,
        additions: 0.001,
        empty_loop: 0.8,
    };
    let often = Contention {
        share: 0.6,
        ..zen_4
    };
    let short = Contention {
        burst_ns: 3e6,
        ..zen_4
    };
    let mild = Contention { body: 0.1, ..zen_4 };
    vec![
        of("none", Contention::default()),
        of("as on Zen 5, 30 % of the time, for 10 ms", zen_5),
        of(
            "the same, 60 % of the time",
            Contention {
                share: 0.6,
                ..zen_5
            },
        ),
        of("as on Zen 4, 40 % of the time, for 30 ms", zen_4),
        of("the same, 60 % of the time", often),
        of("as on Zen 4, 40 % of the time, for 3 ms", short),
        of("one that costs the body 10 %, as on Zen 4", mild),
    ]
}
