//! Results of comparisons.

use tourbillon_analysis::Design;
use tourbillon_record::{Case, Control, Finding, Interference, Reach, Undecided, Verdict};
use tourbillon_report::{
    Names, Outcome, Style, answer, assertions, comparisons, differs_from_times,
};

use crate::same::same;
use crate::samples::case;

fn sample() -> Verdict {
    Verdict {
        case: "shop/checkout::basket::quick[n=10,t=a::b]".into(),
        reference: "shop/checkout::basket::heap[n=10,t=a::b]".into(),
        finding: Finding::Faster,
        why: None,
        ratio: Some(0.213_4),
        lower: Some(0.211_9),
        upper: Some(0.214_2),
        confidence: 0.999,
        margin: 0.005,
        scope: Reach::Process,
        pairs: 64,
        launches: 1,
        placements: 1,
        seconds: 0.015,
        ..Verdict::default()
    }
}

const PLAIN: Style = Style {
    width: 80,
    unicode: true,
    color: false,
    wide_tables: false,
};

fn names() -> Names {
    let of = |name: &str| Case {
        id: format!("shop/checkout::basket::{name}[n=10,t=a::b]"),
        ..case("basket", name, &[("n", "10"), ("t", "a::b")])
    };
    Names::of(&["quick", "heap"].map(of))
}

fn verdict(of: &Verdict, style: &Style) -> String {
    tourbillon_report::verdict(of, &names(), style)
}

fn verdicts(all: &[Verdict], style: &Style) -> String {
    let labels = ["reference", "case"].map(str::to_owned);
    comparisons(all, &names(), &labels, style).text(style)
}

#[test]
fn a_verdict_is_a_sentence() {
    assert_eq!(
        verdict(&sample(), &PLAIN),
        "quick/10/a::b takes 0.2134 [0.2119, 0.2142] of the time of heap/10/a::b: \
         faster (64 pairs, 15 ms, this process)"
    );
    let shared = Verdict {
        why: Some(Undecided::CoreShared),
        ..sample()
    };
    assert!(
        verdict(&shared, &PLAIN).contains(": faster, something else used the core in most pairs ("),
    );
    let undecided = Verdict {
        case: "b".into(),
        reference: "a".into(),
        finding: Finding::Undecided,
        why: Some(Undecided::Time),
        ratio: Some(1.01),
        lower: Some(0.99),
        upper: Some(1.03),
        seconds_needed: Some(7.0),
        ..sample()
    };
    assert_eq!(
        verdict(&undecided, &PLAIN),
        "b takes 1.010 [0.990, 1.030] of the time of a: undecided, a verdict needs about 7.0 s of measuring; differences from 2.6 % on would show \
         (64 pairs, 15 ms, this process)"
    );
    let open = std::slice::from_ref(&undecided);
    assert_eq!(
        answer("comparison", open, &names(), &PLAIN).as_deref(),
        Some("1 comparison: b against a: undecided, between −1 and +3 %")
    );
    let few = Verdict {
        why: Some(Undecided::TooFew),
        ratio: None,
        lower: None,
        upper: None,
        pairs: 1,
        ..undecided
    };
    assert_eq!(
        verdict(&few, &PLAIN),
        "b against a: undecided, too few pairs (1 pair, 15 ms, this process)"
    );
}

#[test]
fn an_interval_that_excludes_one_differs_by_an_undecided_size() {
    let undecided = |lower, ratio, upper, why| Verdict {
        case: "b".into(),
        reference: "a".into(),
        finding: Finding::Undecided,
        why: Some(why),
        ratio: Some(ratio),
        lower: Some(lower),
        upper: Some(upper),
        seconds_needed: Some(7.0),
        ..sample()
    };
    let slower = undecided(1.002, 1.008, 1.014, Undecided::Time);
    assert_eq!(
        verdict(&slower, &PLAIN),
        "b takes 1.0080 [1.0020, 1.0140] of the time of a: differs, size undecided, a verdict needs \
         about 7.0 s of measuring (64 pairs, 15 ms, this process)"
    );
    let rows = verdicts(&[slower], &PLAIN);
    let row = "\n? b : a  differs, size undecided  (+0.2 … +1.4 %)  7.0 s more\n";
    assert!(rows.contains(row), "{rows}");
    for (lower, upper, why, words) in [
        (0.98, 0.999, Undecided::Time, "differs, size undecided"),
        // A process may measure 0.02 % too much by itself.
        (1.000_1, 1.02, Undecided::Time, "undecided"),
        (0.98, 1.0, Undecided::Time, "undecided"),
        (1.0, 1.02, Undecided::Time, "undecided"),
        // What voids a verdict voids the difference, too.
        (1.002, 1.02, Undecided::Control, "undecided"),
        (1.002, 1.02, Undecided::Noise, "undecided"),
    ] {
        let verdict = undecided(lower, f64::midpoint(lower, upper), upper, why);
        assert_eq!(Outcome::of(&verdict).word(), words, "{verdict:?}");
    }
    assert_eq!(Outcome::of(&sample()).word(), "faster");
    let small = undecided(1.000_1, 1.01, 1.02, Undecided::Time);
    let builds = Verdict {
        scope: Reach::Placements,
        method: Design::Builds.method().to_owned(),
        ..small.clone()
    };
    // Builds run in processes of their own, which chance assigns.
    assert_eq!(Outcome::of(&builds).word(), "differs, size undecided");
    let control = Control {
        ratio: Some(1.004),
        lower: Some(1.003),
        upper: Some(1.005),
        pairs: 20,
        fired: false,
    };
    let biased = Verdict {
        lower: Some(1.002),
        control: Some(control),
        ..small
    };
    assert_eq!(Outcome::of(&biased).word(), "undecided");
}

#[test]
fn a_ratio_that_is_not_that_of_the_times_says_why() {
    let with = |reference_ns, case_ns| {
        differs_from_times(&Verdict {
            ratio: Some(2.02),
            lower: Some(1.40),
            upper: Some(2.49),
            reference_ns,
            case_ns,
            ..sample()
        })
    };
    assert_eq!(with(Some(10.0), Some(21.0)), None);
    assert_eq!(with(None, Some(21.0)), None);
    let why = with(Some(10.0), Some(24.4)).unwrap();
    assert!(
        why.ends_with(": 2.0× slower within pairs, 2.4× slower between the two times"),
        "{why}"
    );
    // Within the margin the narrowest interval is not mentioned.
    let narrow = Verdict {
        ratio: Some(1.0),
        lower: Some(0.9999),
        upper: Some(1.0001),
        reference_ns: Some(10.0),
        case_ns: Some(10.04),
        ..sample()
    };
    assert_eq!(differs_from_times(&narrow), None);
}

#[test]
fn arms_that_disturb_each_other_are_told() {
    let line = |reference, lead_in, matters| {
        let interference = Some(Interference {
            reference: Some(reference),
            case: Some(1.021),
            pairs: 20,
            lead_in,
            matters,
        });
        let clear = Verdict {
            interference,
            ..sample()
        };
        assert!(
            verdict(&clear, &PLAIN).ends_with("this process)"),
            "what would be faster all the same"
        );
        let near = Verdict {
            interference,
            upper: Some(0.98),
            ..sample()
        };
        let text = verdict(&near, &PLAIN);
        text.split_once(", this process)").unwrap().1.to_owned()
    };
    assert_eq!(line(0.999, 1, false), "");
    assert_eq!(
        line(0.999, 1, true),
        "; quick/10/a::b takes 2.1 % longer after another than after itself, \
         heap/10/a::b takes 0.1 % less after another than after itself: the ratio is \
         that of the two in turns; there was no time for longer turns"
    );
    assert!(
        line(1.0, 64, true)
            .ends_with("in turns, though each ran 8 batches before every one that counts")
    );
    assert_eq!(
        line(1.0, 8, false),
        "; they disturb each other: each ran 1 batch before every one that counts"
    );
}

#[test]
fn verdicts_of_a_run_are_a_document() {
    let builds = Verdict {
        reference: "main".into(),
        scope: Reach::Placements,
        launches: 16,
        placements: 16,
        seconds: 2.4,
        ..sample()
    };
    same(
        &verdicts(&[sample(), builds], &PLAIN),
        "
compared in one process, batch by batch, 99.9 % confidence

                                change        99.9 % interval
▼ quick/10/a::b : heap/10/a::b  4.69× faster  (4.66 … 4.72)
▼ basket/quick/10/a::b : main   4.69× faster  (4.66 … 4.72)

2 faster
",
    );
    assert_eq!(verdicts(&[], &PLAIN), "");
}

#[test]
fn assertions_are_named_by_what_they_assert() {
    let limited = |finding, why| Verdict {
        finding,
        why,
        limit: Some(1.05),
        ..sample()
    };
    let all = [
        limited(Finding::Faster, None),
        limited(Finding::Slower, None),
        limited(Finding::Undecided, Some(Undecided::Time)),
    ];
    same(
        &assertions(&all, &names(), &PLAIN).text(&PLAIN),
        "
assertions, compared in one process, batch by batch, 99.9 % confidence

                                    change                       99.9 % interval
✕ quick/10/a::b <=… * heap/10/a::b  does not hold, 4.69× faster  (4.66 … 4.72)
? quick/10/a::b <=… * heap/10/a::b  undecided                    (4.66 … 4.72)
▼ quick/10/a::b <=… * heap/10/a::b  holds, 4.69× faster          (4.66 … 4.72)
no room for: remark

! quick/10/a::b <= 1.05 * heap/10/a::b: undecided: at the limit
1 does not hold · 1 undecided · 1 holds
",
    );
}
