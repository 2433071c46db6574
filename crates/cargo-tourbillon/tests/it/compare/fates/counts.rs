//! Allocations of two builds.

use std::fs;

use serde_json::Value;
use tourbillon_record::Memory;

use super::package::Fates;
use super::prints;

pub(super) fn counts_are_compared_by_equality(fates: &Fates) {
    let cases = ["steady", "varying", "greedy"];
    let ran = fates.compare("env=FATE=on", &["--format", "jsonl"], &cases);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut lines: Vec<Value> = Vec::new();
    for line in ran.stdout.lines() {
        lines.push(serde_json::from_str(line).expect(line));
    }
    let counts = |name: &str| {
        let is_of = |line: &&Value| {
            line["case"]
                .as_str()
                .is_some_and(|case| case.ends_with(name))
        };
        &lines.iter().find(is_of).expect(name)["counts"]
    };
    let greedy = &counts("greedy")["allocs"];
    assert_eq!(greedy["finding"], "more");
    assert_eq!(greedy["reference"]["estimate"], 1.0);
    assert_eq!(greedy["candidate"]["estimate"], 2.0);
    assert_eq!(counts("greedy")["bytes"]["candidate"]["upper"], 192.0);
    // The returned value is dropped after the clock has stopped.
    assert_eq!(counts("greedy")["kept"]["candidate"]["estimate"], 192.0);
    assert_eq!(counts("greedy")["moved"]["finding"], "same");
    assert_eq!(counts("steady")["peak"]["finding"], "same");
    assert_eq!(counts("steady")["peak"]["candidate"]["estimate"], 64.0);
    // Varying counts are the same unless their ranges are disjoint.
    let varying = &counts("varying")["allocs"];
    assert_eq!(varying["finding"], "same", "{varying}");
    assert_ne!(varying["reference"]["lower"], varying["reference"]["upper"]);

    // Differing counts were counted twice as often.
    let run = fates.record();
    let launches = |name: &str, arm| {
        let of = |launch: &&Memory| launch.case.ends_with(name) && launch.arm == Some(arm);
        run.memory.iter().filter(of).count()
    };
    for arm in [0, 1] {
        assert_eq!((launches("greedy", arm), launches("steady", arm)), (4, 2));
    }
    let store = fates.store();
    let words = [
        "explain",
        "greedy",
        "--store",
        store.to_str().expect("a path"),
    ];
    let ran = crate::folder::run(&fates.package(), &words);
    prints(&ran, "Memory of working tree iterations");
    prints(&ran, "Memory of env=FATE=on iterations");
    prints(&ran, "alloc 2/op 192 B/op peak 192 B");
}

pub(super) fn a_gate_closes_on_what_is_counted(fates: &Fates) {
    let cases = ["steady", "greedy"];
    let gate = ["--gate", "999%"];
    let ran = fates.compare("env=FATE=on", &gate, &cases);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    prints(
        &ran,
        "gate: greedy allocates more: 2 allocs instead of 1, 192 B instead of 64 B, 192 B at the peak \
         instead of 64 B, 192 B kept instead of 64 B",
    );
    let allocations = "greedy allocations 2 allocs instead of 1, 192 B instead of 64 B";
    prints(&ran, &format!("▲ {allocations}"));
    assert!(!ran.stdout.contains("steady allocations"), "{ran:?}");

    let ran = fates.compare("env=FATE=on", &["--gate", "999%", "--format", "md"], &cases);
    prints(
        &ran,
        "| ▲ `greedy allocations` | | | **2 allocs instead of 1, 192 B instead of 64 B** | |",
    );
    assert_eq!(ran.code, Some(2), "{ran:?}");

    let file = fates.package().join("tourbillon.toml");
    let allowed = "[gate.cases]\n\"greedy\" = { allocs = \"1\", bytes = \"200%\", peak = \"any\", kept = \"128 B\" }\n";
    fs::write(&file, allowed).expect("a file");
    let ran = fates.compare("env=FATE=on", &gate, &cases);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    fs::write(&file, allowed.replace("200%", "150%")).expect("a file");
    let ran = fates.compare("env=FATE=on", &gate, &cases);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    prints(
        &ran,
        "allocates more: 192 B instead of 64 B (150 % more allowed)",
    );
    fs::remove_file(&file).expect("removed");
}

pub(super) fn a_side_without_a_meter_is_named(fates: &Fates) {
    let ran = fates.compare("features=bare", &["--gate", "999%"], &["steady", "varying"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    prints(&ran, ": allocations are not counted in features=bare: ");
    assert_eq!(
        ran.stdout.matches("not counted").count(),
        1,
        "{}",
        ran.stdout
    );
}

pub(super) fn events_are_compared_by_pairs_of_launches(fates: &Fates) {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return;
    }
    let compared = |more: &[&str]| {
        let words = [&["--counters", "minor_faults"], more].concat();
        fates.compare("env=FATE=on", &words, &["touching"])
    };
    let ran = compared(&["--gate", "minor_faults=50%", "--format", "jsonl"]);
    // Containers may forbid all events.
    if ran.stdout.contains("the system does not permit it") {
        return;
    }
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let mut lines = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect(line));
    let line: Value = lines.next().expect("a line");
    let faults = &line["counts"]["minor_faults"];
    let near = |value: &Value, expected: f64| {
        let value = value.as_f64().expect("a number");
        assert!((value - expected).abs() < 0.1, "{faults}");
    };
    near(&faults["reference"]["estimate"], 4.0);
    near(&faults["candidate"]["estimate"], 8.0);
    near(&faults["difference"]["estimate"], 4.0);
    assert_eq!(
        (&faults["finding"], &faults["gate"]),
        (&"more".into(), &"fail".into())
    );
    let counted = fates.record().stepped;
    assert_eq!(
        counted.iter().map(|one| one.arm).collect::<Vec<_>>(),
        [Some(0), Some(1)]
    );

    // Without a limit it is shown.
    let ran = compared(&[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    prints(&ran, "▲ touching counters 8");
    prints(&ran, " minor_faults instead of 4");
    let ran = compared(&["--gate", "minor_faults=150%"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

pub(super) fn counting_fails(fates: &Fates) {
    // The first process of that build takes turns, the second one counts.
    let ran = fates.compare("env=FATE=panics:2", &["--gate", "999%"], &["doomed"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    prints(
        &ran,
        "! doomed: allocations are not counted in env=FATE=panics:2: panic: no luck",
    );
    assert_eq!(fates.record().rounds.len(), 1);
}
