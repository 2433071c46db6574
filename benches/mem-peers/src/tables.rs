//! The tables of the comparison.

use std::alloc::System;

use divan::AllocProfiler;
use stats_alloc::StatsAlloc;
use tourbillon_mem::{Meter, count, tally, tally_process};

use crate::allocators::{Called, Fixed, Inlined, Nothing};
use crate::bodies::{MIX, PAIRS, Pass, mix, pairs};

macro_rules! fixed {
    ($($name:ident: $type:ty = $static:ident;)+) => {
        $(
            #[derive(Clone, Copy)]
            struct $name;

            impl Fixed for $name {
                type Allocator = $type;

                fn get() -> &'static $type {
                    &$static
                }
            }
        )+
    };
}

static SYSTEM: System = System;
#[global_allocator]
static METER: Meter = Meter::system();
static DIVAN: AllocProfiler = AllocProfiler::system();
static STATS: StatsAlloc<System> = StatsAlloc::system();
static DHAT: dhat::Alloc = dhat::Alloc;
static NOTHING: Nothing = Nothing;
static METER_OVER_NOTHING: Meter<Nothing> = Meter::new(Nothing);
static DIVAN_OVER_NOTHING: AllocProfiler<Nothing> = AllocProfiler::new(Nothing);

fixed! {
    OfSystem: System = SYSTEM;
    OfMeter: Meter = METER;
    OfDivan: AllocProfiler = DIVAN;
    OfStats: StatsAlloc<System> = STATS;
    OfDhat: dhat::Alloc = DHAT;
    OfNothing: Nothing = NOTHING;
    MeterOfNothing: Meter<Nothing> = METER_OVER_NOTHING;
    DivanOfNothing: AllocProfiler<Nothing> = DIVAN_OVER_NOTHING;
}

/// An allocator, and a body that uses it.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) run: fn(passes: u32),
    /// Divisor of the length of its batches, for one that would take too long.
    pub(crate) shorter: u32,
}

/// One body with several allocators, of which the first does not count.
pub(crate) struct Table {
    pub(crate) title: &'static str,
    pub(crate) pass: Pass,
    pub(crate) rows: &'static [Row],
    pub(crate) on: On,
}

/// The thread on which a table is measured. 16 threads count for the process without locked additions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    /// The only one so far.
    Only,
    /// The first one of 17.
    FirstOfMany,
    /// The 17th.
    LastOfMany,
}

const fn row(name: &'static str, run: fn(u32)) -> Row {
    Row {
        name,
        run,
        shorter: 1,
    }
}

macro_rules! over_system {
    ($body:ident, $over:expr) => {
        &[
            row("system", |passes| $body(&$over(OfSystem), passes)),
            row("system again", |passes| $body(&$over(OfSystem), passes)),
            row("Meter, off", |passes| $body(&$over(OfMeter), passes)),
            row("Meter, this thread", |passes| {
                let _ = tally(|| $body(&$over(OfMeter), passes));
            }),
            row("Meter, whole process", |passes| {
                let _ = tally_process(|| $body(&$over(OfMeter), passes));
            }),
            row("Meter, with sizes", |passes| {
                let _ = count(|| $body(&$over(OfMeter), passes));
            }),
            row("divan 0.1 AllocProfiler", |passes| {
                $body(&$over(OfDivan), passes)
            }),
            row("stats_alloc 0.1", |passes| $body(&$over(OfStats), passes)),
            Row {
                name: "dhat 0.3",
                run: |passes| $body(&$over(OfDhat), passes),
                shorter: 10,
            },
        ]
    };
}

macro_rules! over_nothing {
    ($over:expr) => {
        &[
            row("nothing", |passes| mix(&$over(OfNothing), passes)),
            row("nothing again", |passes| mix(&$over(OfNothing), passes)),
            row("Meter, off", |passes| mix(&$over(MeterOfNothing), passes)),
            row("Meter, this thread", |passes| {
                let _ = tally(|| mix(&$over(MeterOfNothing), passes));
            }),
            row("Meter, whole process", |passes| {
                let _ = tally_process(|| mix(&$over(MeterOfNothing), passes));
            }),
            row("Meter, with sizes", |passes| {
                let _ = count(|| mix(&$over(MeterOfNothing), passes));
            }),
            row("divan 0.1 AllocProfiler", |passes| {
                mix(&$over(DivanOfNothing), passes)
            }),
        ]
    };
}

pub(crate) const TABLES: &[Table] = &[
    Table {
        title: "A block is made and freed; through functions, as programs call their allocator",
        pass: PAIRS,
        rows: over_system!(pairs, Called),
        on: On::Only,
    },
    Table {
        title: "Sixteen blocks at once, half of them grow; through functions",
        pass: MIX,
        rows: over_system!(mix, Called),
        on: On::Only,
    },
    Table {
        title: "Sixteen blocks; compiled as one with the body",
        pass: MIX,
        rows: over_system!(mix, Inlined),
        on: On::Only,
    },
    Table {
        title: "Over an allocator that does nothing; through functions",
        pass: MIX,
        rows: over_nothing!(Called),
        on: On::Only,
    },
    Table {
        title: "Over an allocator that does nothing; compiled as one with the body",
        pass: MIX,
        rows: over_nothing!(Inlined),
        on: On::Only,
    },
    Table {
        title: "Sixteen blocks; on the first of 17 threads that count for the process",
        pass: MIX,
        rows: THREADED,
        on: On::FirstOfMany,
    },
    Table {
        title: "Sixteen blocks; on the last of them, which has no counters of its own",
        pass: MIX,
        rows: THREADED,
        on: On::LastOfMany,
    },
];

const THREADED: &[Row] = &[
    row("system", |passes| mix(&Called(OfSystem), passes)),
    row("system again", |passes| mix(&Called(OfSystem), passes)),
    row("Meter, off", |passes| mix(&Called(OfMeter), passes)),
    row("Meter, this thread", |passes| {
        let _ = tally(|| mix(&Called(OfMeter), passes));
    }),
    row("Meter, whole process", |passes| {
        let _ = tally_process(|| mix(&Called(OfMeter), passes));
    }),
    row("stats_alloc 0.1", |passes| {
        mix(&Called(OfStats), passes);
    }),
];
