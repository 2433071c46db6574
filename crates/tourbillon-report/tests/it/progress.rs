use tourbillon_report::{Progress, Style};

fn at(width: usize, done: u64, total: u64, unicode: bool) -> String {
    let case = "examples/sort::sort::selection[n=10000]";
    Progress {
        done,
        total,
        case,
        elapsed_ns: 2_800_000_000,
        kept: None,
    }
    .render(&Style {
        width,
        unicode,
        color: true,
        wide_tables: false,
    })
}

#[test]
fn lines() {
    for (width, done, total, unicode, expected) in [
        (
            100,
            281,
            1_760,
            true,
            "281/1,760 launches · 2.8 s · 15 s left · examples/sort::sort::selection[n=10000]",
        ),
        (
            80,
            281,
            1_760,
            true,
            "281/1,760 launches · 2.8 s · 15 s left · examples/sort::sor…election[n=10000]",
        ),
        (
            70,
            281,
            1_760,
            true,
            "281/1,760 launches · 2.8 s · 15 s left · examples/sort…ion[n=10000]",
        ),
        (
            60,
            281,
            1_760,
            false,
            "281/1,760 launches | 2.8 s | 15 s left | example..=10000]",
        ),
        (
            40,
            281,
            1_760,
            true,
            "281/1,760 launches · 2.8 s · exam…00]",
        ),
        (24, 281, 1_760, true, "281/1,760 launches"),
        (24, 281_000_000, 1_760_000_000, true, "15 % · 2.8 s"),
        // Before the first launch is over nothing is known of the others.
        (
            80,
            0,
            760,
            true,
            "0/760 launches · 2.8 s · examples/sort::sort::selection[n=10000]",
        ),
        (40, 760, 760, true, "760/760 launches · 2.8 s · 0 ms left"),
    ] {
        assert_eq!(at(width, done, total, unicode), expected, "{width}");
    }
}

#[test]
fn between_launches_there_is_no_case() {
    let progress = Progress {
        done: 0,
        total: 0,
        case: "",
        elapsed_ns: 0,
        kept: None,
    };
    assert_eq!(progress.render(&Style::default()), "0/0 launches · 0 ms");
}
