use tourbillon_report::Timing;

const CONCAT: Timing<'_> = Timing {
    name: "concat",
    ops: 5_800_000,
    iterations: 5_800_000,
    elapsed_ns: 100.4e6,
    estimate_ns: Some(17.31),
    lower_ns: Some(17.24),
    upper_ns: Some(17.38),
    confidence: Some(0.9922),
    unreliable: false,
    debug_build: false,
    debugger: false,
};

#[test]
fn one_line() {
    assert_eq!(
        CONCAT.to_string(),
        "concat: 17.31 ns/op ±0.5 % (99.22 %, this process) · 5,800,000 ops in 100.4 ms"
    );
}

#[test]
fn an_iteration_of_many_ops_has_its_own_time() {
    let timing = Timing {
        iterations: 5_800,
        ..CONCAT
    };
    assert_eq!(
        timing.to_string(),
        "concat: 17.31 ns/op ±0.5 % (99.22 %, this process) · 17.31 µs/iteration · \
         5,800,000 ops, 5,800 iterations in 100.4 ms"
    );
}

#[test]
fn what_makes_it_worse_is_shown() {
    let timing = Timing {
        unreliable: true,
        debug_build: true,
        debugger: true,
        ..CONCAT
    };
    assert_eq!(
        timing.to_string(),
        "concat: 17.31 ns/op ±0.5 % (99.22 %, this process) · 5,800,000 ops in 100.4 ms \
         (not reliable: pauses cost more than was read) (debug build) (debugger attached)"
    );
}

#[test]
fn readings_that_are_too_scattered_have_a_bound_and_a_reason() {
    let timing = Timing {
        estimate_ns: None,
        lower_ns: Some(1.0),
        upper_ns: Some(30.0),
        ..CONCAT
    };
    assert_eq!(
        timing.to_string(),
        "concat: < 30 ns/op (too scattered for a figure, this process) · 5,800,000 ops in 100.4 ms"
    );
}

#[test]
fn what_is_not_known_is_not_made_up() {
    let timing = Timing {
        estimate_ns: None,
        lower_ns: None,
        upper_ns: Some(0.048),
        ..CONCAT
    };
    assert_eq!(
        timing.to_string(),
        "concat: < 0.048 ns/op (below the resolution, this process) · 5,800,000 ops in 100.4 ms"
    );
    let timing = Timing {
        name: "",
        ops: 0,
        iterations: 0,
        estimate_ns: None,
        upper_ns: None,
        ..CONCAT
    };
    assert_eq!(timing.to_string(), ": no time per op · 0 ops in 100.4 ms");
    let timing = Timing {
        ops: 1,
        iterations: 1,
        lower_ns: None,
        confidence: None,
        ..CONCAT
    };
    assert_eq!(
        timing.to_string(),
        "concat: 17.3 ns/op (this process) · 1 op in 100.4 ms"
    );
}
