//! Damaged and malicious records.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tourbillon_record::store::Store;
use tourbillon_record::{End, Entry, Fact, FactValue, Finding, Run, Shard};
use tourbillon_stats::Rng;
use tourbillon_tool::exit::Stop;
use tourbillon_tool::record_file::{parse, split};

use super::gate::SuiteGate;
use super::machines::Machines;
use super::machines::tests::on;
use super::mutator::Mutator;
use super::parts::Parts;
use crate::gate::records::tests as stored_tests;

/// A run with lines of each type.
const RUN: &str = include_str!("../../../tourbillon-record/tests/golden/schema-2-run.jsonl");

/// Records of a shard, of a comparison, and of a shard of a comparison.
fn samples() -> [String; 3] {
    // One of each type: the first member.
    let mut types = BTreeSet::new();
    let shard = r#""shard":{"method":"hash","number":1,"of":2,"cases":1},"settings":"#;
    let lines = RUN
        .lines()
        .filter(|line| types.insert(line.split(',').next()))
        .map(|line| line.replacen("\"settings\":", shard, 1) + "\n");
    let of_machine = record(&on("a", "Ryzen", Finding::Slower, 1.02).run);
    let mut of_shard = stored_tests::run("late", 2);
    of_shard.header.shard = Some(Box::new(Shard {
        method: "hash".to_owned(),
        number: 1,
        of: 1,
        cases: 1,
        ids: None,
    }));
    let label = |name: &str| Fact {
        name: name.to_owned(),
        value: FactValue::Text(format!("the {name}")),
    };
    of_shard.header.facts = vec![label("reference"), label("candidate")];
    of_shard.end = Some(End::default());
    [lines.collect(), of_machine, record(&of_shard)]
}

/// The lines of a comparison.
fn record(run: &Run) -> String {
    let mut lines = vec![Entry::Header(&run.header).encode()];
    lines.extend(run.cases.iter().map(|case| Entry::Case(case).encode()));
    lines.extend(
        run.rounds
            .iter()
            .map(|rounds| Entry::Rounds(rounds).encode()),
    );
    let verdicts = run.verdicts.iter();
    lines.extend(verdicts.map(|verdict| Entry::Verdict(verdict).encode()));
    lines.extend(run.end.iter().map(|end| Entry::End(end).encode()));
    lines.join("\n") + "\n"
}

/// The gate for all of them.
fn gate() -> SuiteGate {
    SuiteGate {
        gate: stored_tests::gate(),
        error: 0.001,
        undecided_fails: true,
        typed: Vec::new(),
    }
}

#[test]
fn the_shards_of_a_comparison_have_a_gate() {
    let [run, _, of_shard] = samples();
    let mut parts = Parts::new(u64::MAX);
    parts.add(of_shard.as_bytes()).expect("a record");
    let answers = parts.answers(Some(&gate())).expect("a comparison");
    assert!(answers.are_decided && !answers.pass, "{}", answers.text);
    let lines: Vec<&str> = answers.text.lines().collect();
    assert_eq!(lines[1..], ["  gate: late p99 is slower by more than 5 %"]);
    let mut parts = Parts::new(u64::MAX);
    parts.add(run.as_bytes()).expect("a record");
    assert!(parts.answers(Some(&gate())).expect("no gate").pass);
    let typed = SuiteGate {
        typed: vec![stored_tests::flag("2%")],
        ..gate()
    };
    assert!(parts.answers(Some(&typed)).is_err());
}

#[test]
fn nothing_is_judged_where_cases_are_missing() {
    let [.., of_shard] = samples();
    for cases in [2, 1 << 32, i64::MAX as u64, u64::MAX] {
        let record = of_shard.replacen("\"cases\":1}", &format!("\"cases\":{cases}}}"), 1);
        assert_ne!(record, of_shard);
        let mut parts = Parts::new(u64::MAX);
        parts.add(record.as_bytes()).expect("a record");
        let typed = SuiteGate {
            typed: vec![stored_tests::flag("2%")],
            ..gate()
        };
        let answers = parts.answers(Some(&typed)).expect("an answer");
        let text = &answers.text;
        assert!(
            !answers.are_decided && text.ends_with("\n  gate: not judged\n"),
            "{text}"
        );
    }
}

#[test]
fn a_flag_for_a_percentile_has_one_to_judge() {
    let [.., of_shard] = samples();
    let stops = |record: &str, gate: &SuiteGate| {
        let mut parts = Parts::new(u64::MAX);
        parts.add(record.as_bytes()).expect("a record");
        parts.answers(Some(gate)).is_err()
    };
    let typed = SuiteGate {
        typed: vec![stored_tests::flag("p99=5%")],
        ..gate()
    };
    assert!(!stops(&of_shard, &typed));
    let lines = of_shard.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        line.as_object_mut().expect("an object").remove("calls");
        line.to_string() + "\n"
    });
    let untimed: String = lines.collect();
    assert!(stops(&untimed, &typed));
    assert!(!stops(&untimed, &gate()), "a threshold of the file");
}

#[test]
fn a_machine_has_one_verdict_on_each_case() {
    let answer = |change: fn(&mut Run)| {
        let mut runs = ["a", "b"].map(|name| on(name, "Ryzen", Finding::Slower, 1.02));
        change(&mut runs[1].run);
        let machines = Machines::of(&runs.each_ref());
        assert!(!machines.is_decided());
        machines.text()
    };
    let text = answer(|run| run.verdicts.clear());
    let expected = "2 machines; undecided: b has no answer for 1 case\n";
    assert!(text.starts_with(expected), "{text}");
    // Its filter left the case out.
    let text = answer(|run| {
        run.verdicts.clear();
        run.cases.clear();
    });
    let expected = "2 machines; undecided: b has no verdict on shop/sort::sum\n";
    assert!(text.starts_with(expected), "{text}");
    let text = answer(|run| run.verdicts = vec![run.verdicts[0].clone(); 5]);
    let expected = "2 machines; undecided: b has several verdicts on shop/sort::sum\n  \
                    shop/sort::sum: all 2 agree: slower\n";
    assert_eq!(text, expected);
    let text = answer(|run| {
        let header = Entry::Header(&run.header).encode();
        let parsed = Run::parse(&format!("{header}\n{{}}\n"));
        run.damaged = parsed.expect("a header").damaged;
    });
    assert!(text.contains("; undecided: b is damaged: line 2"), "{text}");
}

/// Shards of two revisions are two suites, of which each lacks one.
#[test]
fn shards_of_two_revisions_are_not_one_suite() {
    let shard = |number: u64, revision: &str| {
        let mut run = Run::default();
        run.header.shard = Some(Box::new(Shard {
            method: "hash".to_owned(),
            number,
            of: 2,
            cases: 0,
            ids: None,
        }));
        run.header.facts = vec![Fact {
            name: "revision".to_owned(),
            value: FactValue::Text(revision.repeat(40)),
        }];
        run.header.started = "2026-11-26T12:00:00+01:00".to_owned();
        run.header.clock = stored_tests::run("c", 1).header.clock;
        run.end = Some(End::default());
        record(&run)
    };
    let text = |revision| {
        let mut parts = Parts::new(u64::MAX);
        for record in [shard(1, "a"), shard(2, revision)] {
            parts.add(record.as_bytes()).expect("a record");
        }
        let answers = parts.answers(None).expect("an answer");
        (answers.are_decided, answers.text.lines().count())
    };
    assert_eq!(text("a"), (true, 1));
    assert_eq!(text("b"), (false, 2));
}

#[test]
fn names_of_any_length_are_printed() {
    // More than the widths of `format!` can be.
    let long = "x".repeat(70_000);
    for record in samples() {
        let lengthened = record
            .replace("Ryzen", &long)
            .replace("late", &format!("late{long}"));
        let mut parts = Parts::new(u64::MAX);
        parts.add(lengthened.as_bytes()).expect("a record");
        let answers = parts.answers(None).expect("an answer");
        assert!(!answers.text.is_empty());
    }
}

/// Beside shards, which are judged, no comparison passes a gate unseen.
#[test]
fn a_gate_judges_every_comparison_or_none() {
    let [_, of_machine, of_shard] = samples();
    // Of a working tree.
    let unnamed = of_shard.replacen("\"shard\":", "\"was\":", 1);
    let judged = |files: &[&str]| {
        let mut parts = Parts::new(u64::MAX);
        for file in files {
            parts.add(file.as_bytes()).expect("a record");
        }
        parts.answers(Some(&gate())).map(|answers| answers.pass)
    };
    assert!(matches!(judged(&[&of_shard]), Ok(false)));
    for (other, name) in [
        (
            &of_machine,
            "shop/sort, 7a8b9c0 with features=simd against 1a2b3c4",
        ),
        (&unnamed, "the candidate against the reference"),
    ] {
        match judged(&[&of_shard, other]) {
            Err(Stop::Usage(what)) => assert!(what.contains(name), "{what}"),
            _ => panic!("{name}"),
        }
    }
    assert!(judged(&[&of_machine]).is_ok(), "without flags");
}

/// What a machine leaves that is switched off while it writes, next to the record of the task that was repeated.
#[test]
fn a_record_that_was_cut_off_changes_no_answer() {
    let [_, of_machine, of_shard] = samples();
    for record in [of_shard, of_machine] {
        let judged = |files: &[&[u8]]| {
            let mut parts = Parts::new(u64::MAX);
            for file in files {
                parts.add(file).expect("records");
            }
            let answers = parts.answers(Some(&gate())).expect("an answer");
            (answers.text, parts.records().concat())
        };
        let repeated = record.as_bytes();
        let (expected, _) = judged(&[repeated]);
        // Earlier, and so before it in the file.
        let killed = record.replacen("\"started_unix_ns\":", "\"started_unix_ns\":0,\"was\":", 1);
        assert_ne!(killed, record);
        let ends = killed.match_indices('\n').map(|(at, _)| at);
        let last = killed.len() - 1;
        let cuts = ends
            .flat_map(|at| [at, at + 1, at + 2])
            .chain((0..last).step_by(61));
        for cut in cuts.filter(|cut| *cut < last) {
            let torn = &killed.as_bytes()[..cut];
            let (text, merged) = judged(&[torn, repeated]);
            assert_eq!(text, expected, "cut at {cut}");
            assert!(judged(&[repeated, torn]).1 == merged, "cut at {cut}");
            // The file says the same as the files it is made of, and merging one of them again adds nothing.
            let again = judged(&[&merged]);
            assert_eq!(again.0, text, "cut at {cut}");
            assert!(again.1 == merged, "cut at {cut}");
            assert!(judged(&[&merged, torn]).1 == merged, "cut at {cut}");
        }
    }
}

/// Everything below a folder except in the store in it.
fn outside(root: &Path) -> Vec<PathBuf> {
    let mut open = vec![root.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("store") {
                open.push(path.clone());
            }
            found.push(path);
        }
    }
    found
}

#[test]
fn ten_thousand_records_do_no_harm() {
    // Deep, so that a path that leads out ends in it; in memory where that is possible, because records are
    // written through to the disk.
    let memory = Path::new("/dev/shm");
    let root = if memory.is_dir() {
        tempfile::tempdir_in(memory)
    } else {
        tempfile::tempdir()
    };
    let root = root.expect("a folder");
    let deep = root.path().join("a/b/c/d");
    fs::create_dir_all(deep.join("store")).expect("a folder");
    let store = Store::open(deep.join("store"));
    let before = outside(root.path());
    let (samples, mut mutator) = (samples(), Mutator { rng: Rng::new(27) });
    let (mut read, mut answered) = (0, 0);
    for number in 0..10_000 {
        let bytes = mutator.mutated(&samples[number % samples.len()]);
        let mut parts = Parts::new(u64::MAX);
        if parts.add(&bytes).is_ok() {
            read += 1;
            answered += usize::from(!parts.is_empty());
            let is_plain = |character: char| character == '\n' || !character.is_control();
            // A clock may have lost its frequency.
            if let Ok(answers) = parts.answers(Some(&gate())) {
                assert!(answers.text.chars().all(is_plain), "{}", answers.text);
            }
        }
        for lines in split(&bytes) {
            for stored in parse(lines).unwrap_or_default() {
                let writer = store.begin(&stored.run.header).expect("a file");
                let path = writer.path().to_owned();
                assert!(path.starts_with(store.path()), "{path:?}");
                drop(writer);
                fs::remove_file(path).expect("removed");
            }
        }
        if number % 500 == 0 {
            assert_eq!(outside(root.path()), before, "{number}");
        }
    }
    assert_eq!(outside(root.path()), before);
    // Some mutations are too coarse to be read.
    assert!((2_000..9_500).contains(&read), "{read}");
    assert!((1_000..=read).contains(&answered), "{answered}");
}
