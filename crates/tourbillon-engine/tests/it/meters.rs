//! Arms that are measured in something else than wall time: by a meter on a script of its own.

use std::cell::Cell;

use tourbillon_clock::{Clock, Regions, Script};
use tourbillon_engine::{
    About, Arm, Control, Controlled, Drive, Iterated, Measures, Meter, Metered, Number, Peer,
    Silent, Suite, System, measure, run_launch, take_turns,
};
use tourbillon_record::{
    BatchShape, FaultKind, Frame, LaunchSamples, Measured, Metric, Plan, Turns,
};

use crate::stage::{Cases, FIXED, about, of_kind, plan, script};

/// What processors have spent as this test has it, in regions and out of them.
#[derive(Debug, Default)]
struct Spent;

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(0) };
    static BEGAN: Cell<u64> = const { Cell::new(0) };
    static INSIDE: Cell<u64> = const { Cell::new(0) };
    static READS: Cell<u64> = const { Cell::new(0) };
}

static SPENT: Spent = Spent;

/// A processor works for so long.
fn work(ns: u64) {
    NOW.set(NOW.get() + ns);
}

/// What a reading costs.
const READING: u64 = 300;

impl Regions for Spent {
    fn begin(&self) {
        READS.set(READS.get() + 1);
        work(READING);
        BEGAN.set(NOW.get());
    }

    fn end(&self) {
        work(READING);
        INSIDE.set(INSIDE.get() + NOW.get() - BEGAN.get());
    }
}

#[derive(Clone, Copy)]
struct Stub {
    measures: Measures,
    refused: Option<&'static str>,
}

impl Meter for Stub {
    fn measures(&self) -> Measures {
        self.measures
    }

    fn check(&self) -> Result<(), String> {
        self.refused.map_or(Ok(()), |why| Err(why.to_owned()))
    }

    fn clock(&self, clock: &Clock) -> Clock {
        clock.clone().watched_by(&SPENT)
    }

    fn take(&self) -> f64 {
        INSIDE.replace(0) as f64
    }
}

impl System for Stub {
    fn meter(&self, metric: Metric) -> Option<Box<dyn Meter>> {
        (metric == self.measures.metric).then(|| Box::new(*self) as Box<dyn Meter>)
    }
}

const CPU: Stub = Stub {
    measures: Measures {
        metric: Metric::CpuTime,
        own: None,
        step_ns: None,
    },
    refused: None,
};

/// The last frame of a launch whose plan asks for the metric of the meter.
fn metered(meter: &Stub, suite: &dyn Suite, plan: &Plan, script: &Script) -> Frame {
    let metric = Some(meter.measures.metric);
    planned(
        meter,
        suite,
        &Plan {
            metric,
            ..plan.clone()
        },
        script,
    )
}

/// The last frame of a launch.
fn planned(meter: &Stub, suite: &dyn Suite, plan: &Plan, script: &Script) -> Frame {
    let mut frames = Vec::new();
    let clock = Clock::scripted(script);
    run_launch(suite, plan, &clock, meter, &mut |frame| frames.push(frame));
    frames.pop().expect("a launch ends with a frame")
}

fn launched(
    meter: &Stub,
    arm: &mut dyn Arm,
    about: About,
    script: &Script,
) -> (LaunchSamples, Measured) {
    let suite = Cases::default().with("case", |driver: &mut dyn Drive| {
        driver.drive(arm, about);
        Ok(())
    });
    match metered(meter, &suite, &plan("case", 1), script) {
        Frame::Launch(launch) => {
            let measured = launch.measured.clone().expect("it was metered");
            (*launch, *measured)
        }
        other => panic!("{other:?}"),
    }
}

/// The amounts of batches of one relative length.
fn amounts(launch: &LaunchSamples, measured: &Measured, kind: u8) -> Vec<f64> {
    let all = launch.batches.kind.iter().zip(&measured.amounts);
    all.filter(|(k, _)| **k == kind).map(|(_, a)| *a).collect()
}

#[test]
fn a_body_that_sleeps_spends_next_to_nothing_however_long_it_takes() {
    let script = script();
    let sleeper = script.clone();
    let body = || {
        sleeper.advance(10_000);
        work(7);
    };
    let mut arm = Iterated::new(body, |()| Ok(()));
    let (launch, measured) = launched(&CPU, &mut arm, about(), &script);
    // The length is chosen by wall time: two thirds of 100 us at 10 us an op.
    let items = launch.batch_shape.items;
    assert_eq!((launch.batch_shape.slope, items), (true, 6));
    let each = |kind| (u64::from(kind) * items * 7 + READING) as f64;
    for kind in [0, 1, 2] {
        let amounts = amounts(&launch, &measured, kind);
        assert!(amounts.len() > 4, "{measured:?}");
        assert!(amounts.iter().all(|one| *one == each(kind)), "{amounts:?}");
        let wall = u64::from(kind) * items * 10_000 + FIXED;
        assert!(of_kind(&launch, kind).iter().all(|ticks| *ticks == wall));
    }
    assert_eq!(measured.first_call, (7 + READING) as f64);
    assert_eq!((measured.metric, measured.own), (Metric::CpuTime, None));
    assert_eq!(launch.terminal, "iter");
}

#[test]
fn the_empty_loop_and_the_reference_chain_are_not_metered() {
    let script = script();
    let sleeper = script.clone();
    let mut arm = Iterated::new(|| sleeper.advance(10_000), |()| Ok(()));
    READS.set(0);
    let (launch, _) = launched(&CPU, &mut arm, about(), &script);
    let batches = launch.batches.kind.len() + launch.pilot.ticks.len() + 1;
    assert_eq!(READS.get(), batches as u64 + launch.warmup.batches);
}

#[test]
fn batches_are_many_steps_long_where_the_system_looks_in_steps() {
    let script = script();
    let advance = script.clone();
    let body = || {
        advance.advance(10_000);
        work(10_000);
    };
    let kernel = Stub {
        measures: Measures {
            metric: Metric::KernelTime,
            step_ns: Some(4_000_000),
            ..CPU.measures
        },
        ..CPU
    };
    let mut arm = Iterated::new(body, |()| Ok(()));
    let (launch, measured) = launched(&kernel, &mut arm, about(), &script);
    assert!(!launch.batch_shape.slope);
    let short = of_kind(&launch, 1);
    assert!(
        short.iter().all(|ticks| *ticks >= 15 * 4_000_000),
        "{short:?}"
    );
    assert_eq!(of_kind(&launch, 2), Vec::<u64>::new());
    assert_eq!(launch.warmup.batches, 0);
    assert_eq!(measured.step_ns, Some(4_000_000));
    assert_eq!(measured.amounts.len(), launch.batches.ticks.len());
}

#[test]
fn an_isolated_case_has_the_amount_of_its_first_call_and_that_of_none() {
    let script = script();
    let advance = script.clone();
    let body = || {
        advance.advance(700);
        work(500);
    };
    let isolated = About {
        isolated: true,
        ..about()
    };
    let mut arm = Iterated::new(body, |()| Ok(()));
    let (launch, measured) = launched(&CPU, &mut arm, isolated, &script);
    assert_eq!(of_kind(&launch, 1), [720]);
    assert_eq!(amounts(&launch, &measured, 1), [800.0]);
    let none = amounts(&launch, &measured, 0);
    assert!(!none.is_empty() && none.iter().all(|one| *one == READING as f64));
}

#[test]
fn a_body_that_pauses_and_a_meter_that_cannot_be_read_are_errors() {
    let paused = |_: u64, control: &mut Control<'_>| {
        control.pause();
        control.resume();
    };
    let script = script();
    let suite = Cases::default()
        .with("paused", |driver: &mut dyn Drive| {
            driver.drive(&mut Controlled::new(paused), about());
            Ok(())
        })
        .with("plain", |driver: &mut dyn Drive| {
            driver.drive(&mut Iterated::new(|| (), |()| Ok(())), about());
            Ok(())
        });
    let fault = |meter: &Stub, case| match metered(meter, &suite, &plan(case, 1), &script) {
        Frame::Fault(fault) => (fault.kind, fault.message),
        other => panic!("{other:?}"),
    };
    let (kind, message) = fault(&CPU, "paused");
    assert_eq!(kind, FaultKind::Error);
    assert!(
        message.starts_with("the body pauses the clock"),
        "{message}"
    );
    assert!(message.contains("`with_inputs`"), "{message}");
    let refused = Stub {
        refused: Some("not counted here"),
        ..CPU
    };
    assert_eq!(
        fault(&refused, "plain"),
        (FaultKind::Error, "not counted here".to_owned())
    );
}

#[test]
fn without_a_metric_in_the_plan_a_case_is_measured_in_its_own() {
    let script = script();
    let advance = || {
        let advance = script.clone();
        move || advance.advance(1_000)
    };
    let suite = Cases::default()
        .with("cpu", |driver: &mut dyn Drive| {
            let of_processors = About {
                measures: Some(CPU.measures),
                ..about()
            };
            driver.drive(&mut Iterated::new(advance(), |()| Ok(())), of_processors);
            Ok(())
        })
        .with("wall", |driver: &mut dyn Drive| {
            driver.drive(&mut Iterated::new(advance(), |()| Ok(())), about());
            Ok(())
        });
    let measured = |case, metric| {
        let plan = Plan {
            metric,
            ..plan(case, 1)
        };
        match planned(&CPU, &suite, &plan, &script) {
            Frame::Launch(launch) => Ok(launch.measured.map(|measured| measured.metric)),
            Frame::Fault(fault) => Err(fault.message),
            other => panic!("{other:?}"),
        }
    };
    let cpu = Some(Metric::CpuTime);
    assert_eq!(measured("cpu", None), Ok(cpu));
    assert_eq!(measured("cpu", Some(Metric::Time)), Ok(None));
    assert_eq!(measured("wall", None), Ok(None));
    assert_eq!(measured("wall", cpu), Ok(cpu));
    let error = "user time is not measured here".to_owned();
    assert_eq!(measured("wall", Some(Metric::UserTime)), Err(error));
}

/// An arm of a body that returns a number.
fn returning<'a>(arm: &'a mut dyn Arm, take: &'a dyn Fn() -> f64) -> (Metered<'a>, About) {
    let own = About {
        measures: Some(Measures {
            metric: Metric::Own,
            own: Some(Number {
                name: "retries",
                unit: "tries",
                more_is_better: true,
            }),
            step_ns: None,
        }),
        ..about()
    };
    let measures = own.measures.expect("they are above");
    (Metered::new(arm, measures, None, take), own)
}

#[test]
fn a_number_of_its_own_is_summed_over_a_batch_and_goes_before_a_meter() {
    let script = script();
    let advance = script.clone();
    let sum = Cell::new(0.0);
    let mut inner = Iterated::single(|| {
        advance.advance(1_000);
        work(1);
        sum.set(sum.get() + 2.5);
    });
    let take = || sum.replace(0.0);
    let (mut arm, own) = returning(&mut inner, &take);
    let (launch, measured) = launched(&CPU, &mut arm, own, &script);
    let named = measured.own.clone().expect("it has a name");
    assert_eq!(
        (measured.metric, named.name.as_str()),
        (Metric::Own, "retries")
    );
    assert_eq!(named.unit, "tries");
    assert_eq!(measured.first_call, 2.5);
    for kind in [0, 1, 2] {
        let each = f64::from(kind) * launch.batch_shape.items as f64 * 2.5;
        let amounts = amounts(&launch, &measured, kind);
        assert!(amounts.iter().all(|one| *one == each), "{amounts:?}");
    }
}

#[test]
fn what_is_no_number_is_an_error() {
    let script = script();
    let advance = script.clone();
    let mut inner = Iterated::single(|| advance.advance(1_000));
    let take = || f64::NAN;
    let (mut arm, own) = returning(&mut inner, &take);
    let clock = Clock::scripted(&script);
    let error = measure(&mut arm, own, &plan("case", 1), &clock, &mut |_| ()).unwrap_err();
    assert_eq!(error, "retries of a batch is NaN, which is not a number");
}

#[test]
fn what_is_not_measured_in_wall_time_takes_no_turns() {
    struct NoPeer;
    impl Peer for NoPeer {
        fn wait(&mut self) -> Result<bool, String> {
            Ok(false)
        }

        fn pass(&mut self, _over: bool) -> Result<(), String> {
            Ok(())
        }
    }
    let suite = Cases::default().with("case", |driver: &mut dyn Drive| {
        let of_processors = About {
            measures: Some(CPU.measures),
            ..about()
        };
        driver.drive(&mut Iterated::new(|| (), |()| Ok(())), of_processors);
        Ok(())
    });
    let turns = Turns {
        side: 0,
        input: String::new(),
        output: String::new(),
    };
    let length = BatchShape {
        windows: 1,
        items: 1,
        unroll: 1,
        slope: false,
    };
    let plan = Plan {
        turns: Some(Box::new(turns)),
        batch_shape: Some(length),
        ..plan("case", 1)
    };
    let clock = Clock::scripted(&script());
    let mut last = None;
    take_turns(
        &suite,
        &plan,
        0,
        &clock,
        &Silent,
        &mut NoPeer,
        &mut |frame| {
            last = Some(frame);
        },
    );
    let Some(Frame::Fault(fault)) = last else {
        panic!("{last:?}");
    };
    assert_eq!(
        fault.message,
        "`case` cannot be compared batch by batch: it is not measured in wall time; `show` puts its \
         records side by side"
    );
}
