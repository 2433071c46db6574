//! Ranges of cases without a figure, in pages and pictures of characters.

use tourbillon_record::{Absence, Argument, Line, Note, Rough, Team};

use crate::folder::{Folder, run};
use crate::records::{header, lines, write_lines};
use crate::report::{figures, page};

#[test]
fn a_case_without_a_figure_has_the_range_that_is_known() {
    let folder = Folder::new("report-ranges");
    let header = header(1, "model A");
    let rough = |line| match line {
        Line::Result(mut result) => {
            let (lower, upper) = (result.lower.take(), result.upper.take());
            if result.case.ends_with("add") {
                result.estimate = Err(Absence::MachineBusy);
                result.rough = Some(Rough::between(90.0, 130.0));
            } else {
                result.estimate = Err(Absence::TooScattered);
                (result.lower, result.upper) = (lower, upper);
            }
            Line::Result(result)
        }
        other => other,
    };
    let lines = lines(&header, 100).into_iter().map(rough);
    write_lines(&folder.join("busy.jsonl"), &header, lines);
    let page = page(&folder, &["busy.jsonl"]);
    for range in [
        "<title>roughly between 90.00 ns and 130.0 ns</title>",
        "<title>roughly between 1",
    ] {
        assert_eq!(page.matches(range).count(), 1, "{range}\n{page}");
    }
    // A ring where the dot of an estimate is.
    assert_eq!(page.matches("<path class=\"o a\"").count(), 2, "{page}");
    let rough = &figures(&page)["runs"][0]["cases"][0]["results"][0]["rough"];
    assert_eq!(
        (&rough["lower"], &rough["upper"]),
        (&90.0.into(), &130.0.into())
    );
}

#[test]
fn a_wide_range_stands_alone() {
    let folder = Folder::new("report-wide");
    let header = header(1, "model A");
    let rename = |id: &mut String| {
        let threads = if id.ends_with("add") { 1 } else { 2 };
        *id = format!("shop/checkout::count[threads={threads}]");
        threads
    };
    // One thread has a figure, two have a range that holds anything.
    let of_threads = |line| match line {
        Line::Case(mut case) => {
            let value = rename(&mut case.id).to_string();
            case.name = "count".to_owned();
            case.arguments = vec![Argument {
                axis: "threads".to_owned(),
                value,
            }];
            Line::Case(case)
        }
        Line::Launch(mut launch) => {
            let threads = rename(&mut launch.case);
            launch.team = Some(Team {
                threads,
                ..Team::default()
            });
            Line::Launch(launch)
        }
        Line::Result(mut result) => {
            if rename(&mut result.case) == 2 {
                (result.lower, result.upper) = (None, None);
                result.estimate = Err(Absence::MachineBusy);
                result.rough = Some(Rough::between(33.0, 1200.0));
            } else {
                result.notes.push(Note::FewLaunches { launches: 9 });
            }
            Line::Result(result)
        }
        other => other,
    };
    let lines = lines(&header, 100).into_iter().map(of_threads);
    write_lines(&folder.join("busy.jsonl"), &header, lines);
    let page = page(&folder, &["busy.jsonl"]);
    let range = "roughly between 33.00 ns and 1.200 µs";
    assert!(page.contains(&format!("<title>{range}</title>")), "{page}");
    // No ring in its middle, and no rate of what is not known.
    assert!(!page.contains("<path class=\"o a\""), "{page}");
    assert!(!page.contains("rate over threads"), "{page}");
    assert!(page.contains(&format!("1: 104 ns, 2: {range}")), "{page}");
    let plot = run(&folder, &["show", "busy.jsonl", "--plot"]).stdout;
    let row = plot.lines().find(|line| line.starts_with("count/2"));
    let row = row.unwrap_or_else(|| panic!("{plot}"));
    assert!(row.contains('├') && row.contains('┤'), "{plot}");
    assert_eq!(plot.matches('●').count(), 1, "{plot}");
    assert!(!plot.contains("log axes"), "{plot}");
    // Code is no text with backticks.
    let (body, _) = page.split_once("<script").expect("figures");
    assert!(body.contains("raise <code>launches</code>"), "{body}");
    assert!(!body.contains('`'), "{body}");
}
