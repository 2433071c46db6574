//! What launches measure.

use tourbillon_record::{Metric, Note, Throughput, ThroughputUnit};

use crate::suite::{FORMS, OWN_MAIN, PLAIN, measure, run};

#[test]
fn every_benchmark_that_is_listed_is_measured() {
    for program in [PLAIN, OWN_MAIN] {
        let stored = measure(program, &[], &[]);
        assert_eq!(stored.ended.code, Some(0), "{stored:?}");
        let ids = stored.ids();
        let list = run(program, "--list").stdout;
        let listed: Vec<&str> = list
            .lines()
            .filter_map(|line| line.strip_suffix(": benchmark"))
            .collect();
        assert_eq!(ids, listed);
        for id in ids {
            stored.launches(id);
            assert_eq!(stored.result(id).metric, Metric::Time);
        }
        let [package, target] = [&stored.run.header.package, &stored.run.header.target];
        let from = match program {
            PLAIN => ("criterion-suites", "suite_plain"),
            // A `main` of its own knows what cargo says when it runs a program.
            _ => (package.as_str(), "suite_own_main"),
        };
        assert_eq!((package.as_str(), target.as_str()), from);
    }
}

#[test]
fn cases_have_the_parts_of_their_ids() {
    let stored = measure(PLAIN, &["^sum/iter/10$", "^sum/10$", "concat #2"], &[]);
    let parts: Vec<_> = stored
        .run
        .cases
        .iter()
        .map(|case| {
            let value = case
                .arguments
                .first()
                .map(|argument| argument.value.as_str());
            (case.group.as_str(), case.name.as_str(), value)
        })
        .collect();
    assert_eq!(
        parts,
        [
            ("sum", "iter", Some("10")),
            ("sum", "sum", Some("10")),
            ("text", "concat #2", None)
        ]
    );
    let case = &stored.run.cases[0];
    assert!(case.file.ends_with("plain.rs") && case.line > 0, "{case:?}");
    let items = Throughput {
        unit: ThroughputUnit::Items,
        per_op: 10,
    };
    assert_eq!(stored.launches("sum/10")[0].throughput, Some(items));
}

#[test]
fn terminals_are_measured_in_their_own_ways() {
    let stored = measure(FORMS, &["^terminals", "^async", "^pooled"], &[]);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    for id in stored.ids() {
        for launch in stored.launches(id) {
            let (_, name) = id.split_once('/').expect("a group");
            let terminal = match name {
                "iter" => "iter",
                "large_drop" => "iter_with_large_drop",
                "batched_ref" => "iter_batched_ref",
                "batched_async_setup" => "iter_batched_async_setup",
                "custom" | "costly call" | "constant" => "iter_custom",
                "wrapper" => "iter_with_setup_wrapper",
                _ => "iter_batched",
            };
            assert_eq!(launch.terminal, terminal, "{id}");
        }
    }
    // No more inputs are alive than a size allows: the long batch has twice the items.
    for (id, items, has_two_lengths) in [
        ("terminals/PerIteration", 1, Some(false)),
        ("terminals/setup", 1, Some(false)),
        ("terminals/NumIterations(3)", 1, Some(true)),
        // A call of about a microsecond may be alone for its length.
        ("async/batched_async_setup", 1, None),
        ("async/batched_ref", 1, Some(false)),
    ] {
        for launch in stored.launches(id) {
            let length = launch.batch_shape;
            assert_eq!(
                (length.items, has_two_lengths.map(|_| length.slope)),
                (items, has_two_lengths),
                "{id}"
            );
        }
    }
    for launch in stored.launches("terminals/batched_ref") {
        assert!(launch.batch_shape.items <= 5, "{:?}", launch.batch_shape);
    }
}

#[test]
fn what_a_call_costs_is_not_what_its_iterations_cost() {
    let stored = measure(FORMS, &["^terminals/co"], &[]);
    let is_constant = |id: &str| stored.result(id).notes.contains(&Note::ConstantTime);
    let costly = stored.result("terminals/costly call");
    let estimate = costly.estimate.expect("an estimate");
    // A tick of the clock in a batch of thousands of iterations.
    assert!((estimate - 50.0).abs() < 0.1, "{costly:?}");
    assert!(!is_constant("terminals/costly call"));
    let constant = stored.result("terminals/constant");
    assert!(constant.estimate.is_err(), "{constant:?}");
    assert!(is_constant("terminals/constant"));
}

#[test]
fn measurements_of_a_suite_are_amounts() {
    let stored = measure(FORMS, &["^measured"], &[]);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    for (id, bytes) in [
        ("measured/iter", 48.0),
        ("measured/batched", 48.0),
        ("measured/custom", 7.0),
        ("measured/wrapper", 48.0),
        ("measured/async", 48.0),
        ("measured/async_setup", 48.0),
    ] {
        for launch in stored.launches(id) {
            let measured = launch.measured.as_ref().expect("amounts");
            let own = measured.own.as_ref().expect("a name");
            assert_eq!((own.name.as_str(), own.unit.as_str()), ("Bytes", "bytes"));
            let iterations = launch.batch_shape.iterations() as f64;
            let expected = launch.batches.kind.iter();
            let expected: Vec<f64> = expected
                .map(|kind| f64::from(*kind) * iterations * bytes)
                .collect();
            assert_eq!(measured.amounts, expected, "{id}");
        }
        assert_eq!(stored.result(id).metric, Metric::Own);
    }
}
