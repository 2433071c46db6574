//! A page of a comparison that has every outcome, for `scripts/browser.sh` and for people to look at.

use tourbillon_pictures::results_page;
use tourbillon_present::{
    Block, Document, Explanation, Judged, Note, Outcome, Style, kind, tally, verdict_table,
};
use tourbillon_record::{ComparedNumber, Finding, Reach, Undecided, Verdict};

fn verdict(finding: Finding, ends: [f64; 3]) -> Verdict {
    let [lower, ratio, upper] = ends;
    Verdict {
        finding,
        ratio: Some(ratio),
        lower: Some(lower),
        upper: Some(upper),
        reference_ns: Some(6_183.0),
        case_ns: Some(6_183.0 * ratio),
        margin: 0.01,
        confidence: 0.999,
        scope: Reach::Processes,
        pairs: 24,
        launches: 24,
        seconds: 3.0,
        ..Verdict::default()
    }
}

fn undecided(why: Undecided, ends: [f64; 3]) -> Verdict {
    Verdict {
        why: Some(why),
        ..verdict(Finding::Undecided, ends)
    }
}

/// Verdicts of every finding and reason.
fn verdicts() -> Vec<(&'static str, Verdict)> {
    let around = [0.98, 1.01, 1.04];
    let needs = |seconds_needed| Verdict {
        seconds_needed,
        ..undecided(Undecided::Time, around)
    };
    let with_number = |finding, ends| Verdict {
        number: Some(ComparedNumber {
            name: "retries".to_owned(),
            unit: "retries".to_owned(),
            more_is_better: false,
            reference: 12.0,
            case: 18.0,
        }),
        ..verdict(finding, ends)
    };
    let limited = |finding, ends| Verdict {
        limit: Some(1.05),
        ..verdict(finding, ends)
    };
    vec![
        ("parse/1000", verdict(Finding::Slower, [1.08, 1.16, 1.21])),
        (
            "shared_between_threads/mutex/of_a_long_name/16",
            verdict(Finding::Slower, [2.6, 2.7, 2.86]),
        ),
        ("encode/16", verdict(Finding::Faster, [0.35, 0.37, 0.39])),
        ("parse/10", verdict(Finding::Faster, [0.87, 0.89, 0.92])),
        ("checksum", verdict(Finding::Same, [0.997, 1.001, 1.004])),
        ("retries", with_number(Finding::Slower, [1.4, 1.5, 1.6])),
        ("requests", with_number(Finding::Faster, [0.6, 0.65, 0.7])),
        ("upper : lower", limited(Finding::Faster, [0.9, 0.95, 0.99])),
        ("quick : heap", limited(Finding::Slower, [1.1, 1.15, 1.2])),
        ("parse/100", undecided(Undecided::Time, [0.98, 0.99, 0.999])),
        ("hash/more_time", needs(Some(114.0))),
        ("hash/a_margin", needs(None)),
        (
            "hash/too_few",
            Verdict {
                lower: None,
                upper: None,
                ..undecided(Undecided::TooFew, around)
            },
        ),
        ("hash/control", undecided(Undecided::Control, around)),
        ("hash/drift", undecided(Undecided::Drift, around)),
        ("hash/noise", undecided(Undecided::Noise, around)),
        ("hash/core_shared", undecided(Undecided::CoreShared, around)),
        (
            "hash/built_otherwise",
            undecided(Undecided::BuiltOtherwise, around),
        ),
        (
            "retries_without_interval",
            undecided(Undecided::NotComparable, around),
        ),
        (
            "total",
            Verdict {
                finding: Finding::Unchanged,
                ..Verdict::default()
            },
        ),
    ]
}

/// What has no verdict, and what changed.
const OTHERS: [(&str, Outcome, &str); 12] = [
    (
        "from_hex/[u8; 32]",
        Outcome::AllocatesMore,
        "33 bytes instead of 32",
    ),
    (
        "from_hex/[u8; 16]",
        Outcome::AllocatesLess,
        "1 allocation instead of 2",
    ),
    (
        "label/short",
        Outcome::ExecutesMore,
        "2,118 instructions instead of 2,042",
    ),
    (
        "label/long",
        Outcome::ExecutesLess,
        "2,042 instructions instead of 2,118",
    ),
    (
        "sort over n",
        Outcome::GrowsFaster,
        "grows like n², at most n log n is allowed; raise `at_most`",
    ),
    ("merge over n", Outcome::GrowthUnknown, ""),
    ("removed", Outcome::Missing, ""),
    ("elsewhere", Outcome::NotCompared, ""),
    ("added", Outcome::New, ""),
    (
        "late",
        Outcome::Failed,
        "panicked: index out of bounds: the len is 3 but the index is 7",
    ),
    ("never", Outcome::NoOutcome, ""),
    ("early", Outcome::Failed, ""),
];

/// The page.
pub(crate) fn page() -> String {
    let verdicts = verdicts();
    let style = Style::FILE;
    let mut judged: Vec<Judged<'_>> = verdicts
        .iter()
        .map(|(name, one)| Judged::new(name, one))
        .collect();
    judged.extend(OTHERS.map(|(name, outcome, change)| Judged {
        name,
        outcome,
        status: outcome.status(),
        verdict: None,
        change,
        placement: None,
    }));
    let labels = ["HEAD (fe34afe)", "working tree"].map(str::to_owned);
    let table = verdict_table(&labels, &judged, &style, true);
    let explained = verdicts
        .iter()
        .filter_map(|(name, one)| Some(((*name).to_owned(), Explanation::of(one)?)));
    let mut notes = Note::joined(explained);
    notes.push(Note::new("! ", "raise `launches`, or `cpupower frequency-set -g performance` as root, until the next start"));
    let document = Document {
        title: "every/outcome: HEAD → working tree".to_owned(),
        answer: tally(judged),
        blocks: vec![Block::Table(table), Block::Notes(notes)],
        ..Document::default()
    };
    results_page(&document, &kind::COMPARISON)
}

#[test]
fn the_page_has_every_outcome_and_no_backtick() {
    let page = page();
    for word in [
        "slower",
        "worse",
        "faster",
        "better",
        "same within 1 %",
        "unchanged",
        "undecided",
        "differs, size undecided",
        "not comparable",
        "allocates more",
        "allocates less",
        "executes more",
        "executes less",
        "grows faster",
        "growth unknown",
        "missing",
        "not compared",
        "new",
        "holds",
        "does not hold",
        "failed",
        "no outcome",
    ] {
        assert!(page.contains(word), "{word}");
    }
    let (body, _) = page.split_once("<script").expect("figures");
    assert!(!body.contains('`'), "{body}");
    assert!(body.contains("raise <code>launches</code>") && body.contains("<code>--margin</code>"));
    // What a narrow page labels, and what it puts in two lines.
    assert!(body.contains("<table class=\"results changes\">"));
}

#[test]
fn rows_that_are_folded_open_on_a_click() {
    let unchanged = Verdict {
        finding: Finding::Unchanged,
        ..Verdict::default()
    };
    let slower = verdict(Finding::Slower, [1.08, 1.16, 1.21]);
    let mut judged = vec![Judged::new("parse", &slower)];
    judged.extend((0..11).map(|_| Judged::new("sort", &unchanged)));
    let labels = ["HEAD", "working tree"].map(str::to_owned);
    let table = verdict_table(&labels, &judged, &Style::FILE, false);
    let page = results_page(&Document::of(vec![Block::Table(table)]), &kind::COMPARISON);
    let (listed, folded) = page.split_once("<details>").expect("folded rows");
    assert_eq!(listed.matches("<tr data-n=").count(), 1, "{listed}");
    assert!(folded.starts_with("<summary>and 11 unchanged</summary>"));
    assert_eq!(folded.matches("<tr data-n=\"sort\"").count(), 11);
}
