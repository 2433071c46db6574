//! `history confirm` and `history bisect` with comparisons that were measured before.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tourbillon_record::{End, Entry, Fact, FactValue, Finding, Header, Undecided, Verdict};

use super::{COMMITS, MACHINE, STEP, history, lines, printed};
#[cfg(target_os = "linux")]
use crate::program::command;
use crate::records::header;

const CASE: &str = "shop/checkout::sort";

/// The record of a comparison of two commits.
pub(crate) fn comparison(second: u64, commits: [&str; 2], cpu: &str, verdict: &Verdict) -> String {
    let header = header(second, cpu);
    let names = ["reference_commit", "candidate_commit"]
        .into_iter()
        .zip(commits);
    let facts = names.map(|(name, commit)| Fact {
        name: name.to_owned(),
        value: FactValue::Text(commit.to_owned()),
    });
    let facts = header.facts.iter().cloned().chain(facts).collect();
    let header = Header { facts, ..header };
    let end = End::default();
    let lines = [
        Entry::Header(&header),
        Entry::Verdict(verdict),
        Entry::End(&end),
    ];
    lines.map(|entry| entry.encode() + "\n").concat()
}

pub(crate) fn verdict(finding: Finding, ratio: f64) -> Verdict {
    Verdict {
        case: CASE.to_owned(),
        reference: "old".to_owned(),
        finding,
        why: (finding == Finding::Undecided).then_some(Undecided::Time),
        ratio: Some(ratio),
        lower: Some(ratio - 0.002),
        upper: Some(ratio + 0.002),
        margin: 0.01,
        confidence: 0.999,
        ..Verdict::default()
    }
}

fn add(folder: &Path, record: &str) {
    fs::write(folder.join("comparison.jsonl"), record).expect("a record");
    let added = printed(folder, &["add", "comparison.jsonl"]);
    assert!(added.contains("0 runs added to "), "{added}");
    assert!(added.contains(", 1 comparison of commits"), "{added}");
}

pub(super) fn a_nomination_is_confirmed_once(folder: &Path) {
    let found = lines(&printed(folder, &["changes", "--format", "jsonl"]));
    let ends = ["before", "after"].map(|member| found[0][member].as_str().expect("a commit"));
    let plan = printed(folder, &["confirm", "--dry-run"]);
    let [before, after] = ends.map(|commit| &commit[..9]);
    let expected = format!("would compare {before} {after} on ");
    assert!(
        plan.starts_with(&expected) && plan.ends_with(": shop/checkout::sort\n"),
        "{plan}"
    );

    let status = || {
        let found = lines(&printed(folder, &["changes", "--format", "jsonl"]));
        found[0]["verdict"].clone()
    };
    // What another kind of machine measured is not known of this one.
    add(
        folder,
        &comparison(1, ends, "Another 1", &verdict(Finding::Same, 1.0)),
    );
    assert_eq!(status(), Value::Null);
    add(
        folder,
        &comparison(1, ends, MACHINE, &verdict(Finding::Undecided, 1.04)),
    );
    assert_eq!(status(), "undecided");
    assert_eq!(
        printed(folder, &["confirm", "--dry-run"]),
        "nothing to measure\n"
    );
    assert_eq!(printed(folder, &["confirm", "--dry-run", "--again"]), plan);
    // The other direction is not what was nominated.
    add(
        folder,
        &comparison(1, ends, MACHINE, &verdict(Finding::Faster, 0.9)),
    );
    assert_eq!(status(), "not confirmed");
    // The newest decides.
    add(
        folder,
        &comparison(2, ends, MACHINE, &verdict(Finding::Slower, 1.0501)),
    );
    assert_eq!(status(), "confirmed");
    let text = printed(folder, &["changes"]);
    assert!(text.contains("confirmed  +5.01 % \u{b1} 0.20"), "{text}");
    assert!(
        text.contains("1 change nominated in 4 series · 1 confirmed"),
        "{text}"
    );
    let locate = format!("bisect shop/checkout::sort {before} {after}");
    assert!(text.contains(&locate), "{text}");
    assert_eq!(
        printed(folder, &["confirm", "--dry-run", "--again"]),
        "nothing to measure\n"
    );
    // Neither is anything built then. What no gate has reported is news, once.
    let none = "0 changes confirmed · 0 not confirmed · 0 undecided\n";
    assert_eq!(printed(folder, &["confirm"]), none);
    #[cfg(target_os = "linux")]
    {
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let words = [
            "tourbillon",
            "history",
            "--history",
            "kept",
            "confirm",
            "--gate",
        ];
        let mut unprinted = command(&words);
        unprinted
            .current_dir(folder)
            .stdout(full.expect("a device"));
        let status = unprinted.status();
        assert_eq!(status.expect("the program starts").code(), Some(2));
    }
    let ran = history(folder, &["confirm", "--gate"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let news = "1 change confirmed · 0 not confirmed · 0 undecided\n";
    assert!(ran.stdout.ends_with(news), "{ran:?}");
    assert_eq!(printed(folder, &["confirm", "--gate"]), none);
}

pub(super) fn a_change_is_located_by_bisecting(folder: &Path, commits: &[String]) {
    let (good, bad) = (&commits[0], &commits[COMMITS - 1]);
    let bisect = [
        "bisect",
        "sort",
        good,
        bad,
        "--dry-run",
        "--format",
        "jsonl",
    ];
    let mut measured = 0;
    let found = loop {
        let found = lines(&printed(folder, &bisect)).remove(0);
        let next = &found["next"];
        let Some(commit) = next["commit"].as_str() else {
            break found;
        };
        let place = commits
            .iter()
            .position(|one| one == commit)
            .expect("of the line");
        let limit = next["limit"].as_f64();
        let finding = match measured {
            // One in the middle does not decide.
            2 => Finding::Undecided,
            _ if place >= STEP => Finding::Slower,
            _ => Finding::Faster,
        };
        let ratio = if place >= STEP { 1.05 } else { 1.0 };
        let verdict = Verdict {
            limit,
            confidence: next["confidence"].as_f64().expect("a confidence"),
            ..verdict(finding, ratio)
        };
        assert_eq!(limit.is_none(), measured == 0);
        add(folder, &comparison(1, [good, commit], MACHINE, &verdict));
        measured += 1;
        assert!(measured < 12, "{found}");
    };
    assert_eq!(found["commit"].as_str(), Some(commits[STEP].as_str()));
    let sides: Vec<&str> = found["steps"]
        .as_array()
        .expect("steps")
        .iter()
        .filter_map(|step| step["change"].as_str())
        .collect();
    assert_eq!(sides.len() + 1, measured);
    assert!(sides.contains(&"undecided"), "{sides:?}");
    let text = printed(folder, &bisect[..5]);
    let commit = &commits[STEP][..9];
    assert!(
        text.contains(&format!("the change is in {commit}: c{STEP}\n")),
        "{text}"
    );
    assert!(text.contains("history accept"), "{text}");
}

pub(super) fn the_page_draws_series_and_changes(folder: &Path) {
    let page = || {
        let ran = history(folder, &["report", "-o", "history.html"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ran.stdout, "");
        fs::read_to_string(folder.join("history.html")).expect("a page")
    };
    let text = page();
    let (_, json) = text.split_once("id=\"figures\">").expect("figures");
    let (json, _) = json.split_once("</script>").expect("their end");
    let figures: Value = serde_json::from_str(json).expect("JSON");
    let series = figures["series"].as_array().expect("series");
    // Two cases on two machines.
    assert_eq!(series.len(), 4);
    let of_sort = |one: &&Value| {
        one["case"] == CASE
            && one["value"]
                .as_array()
                .is_some_and(|values| values.len() == COMMITS)
    };
    let sort = series.iter().find(of_sort).expect("the series");
    let changes = lines(&printed(folder, &["changes", "--format", "jsonl"]));
    assert_eq!(sort["changes"], Value::Array(changes));
    let runs = sort["runs"].as_u64().expect("a list of runs") as usize;
    let runs = figures["runs"][runs].as_array().expect("runs");
    assert_eq!(runs.len(), COMMITS);
    // The picture of each, and its course in the table.
    assert_eq!(text.matches("<svg").count(), 2 * series.len());
    // The range of a confirmed change, and its number.
    assert_eq!(text.matches("<path class=\"w b\"").count(), 1, "{text}");
    assert!(text.contains(">\u{25b2}1<"), "{text}");
    assert!(text.contains("60 runs; "), "{text}");
    assert!(text.contains(", confirmed: +5.01 % \u{b1} 0.20"), "{text}");
    let ran = history(folder, &["report", "nothing"]);
    assert!(
        ran.stderr
            .contains("the history has no result of these cases"),
        "{ran:?}"
    );
}

pub(super) fn mistakes_name_the_remedy(folder: &Path, commits: &[String]) {
    let same = Verdict {
        case: "shop/checkout::map".to_owned(),
        ..verdict(Finding::Same, 1.001)
    };
    add(
        folder,
        &comparison(1, [&commits[1], &commits[9]], MACHINE, &same),
    );
    for (case, [good, bad], code, expected) in [
        ("sort", [9, 3], 1, "is not before "),
        ("sort", [3, 3], 1, "is not before "),
        (
            "shop",
            [3, 9],
            1,
            "\"shop\" selects 2 cases: shop/checkout::map, shop/checkout::sort",
        ),
        (
            "map",
            [1, 9],
            1,
            "shop/checkout::map takes the same time at ",
        ),
    ] {
        let ran = history(
            folder,
            &["bisect", case, &commits[good], &commits[bad], "--dry-run"],
        );
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stderr.contains(expected), "{ran:?}");
    }
    let ran = history(folder, &["bisect", "sort", "nothing", "HEAD"]);
    assert!(
        ran.stderr.contains("git knows no commit \"nothing\""),
        "{ran:?}"
    );
}
