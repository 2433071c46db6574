use tourbillon_record::Case;
use tourbillon_report::{Style, list_pretty, list_terse};

use crate::same::same;
use crate::samples::case;

fn cases() -> Vec<Case> {
    let mut cases = vec![
        case("sort", "selection", &[("n", "100"), ("kind", "random")]),
        case("search", "linear", &[]),
        case("sort", "heap", &[("n", "100"), ("kind", "random")]),
        case("", "concat", &[]),
    ];
    cases[0].ignored = Some("takes minutes".to_owned());
    cases[0].tags = vec!["slow".to_owned(), "nightly".to_owned()];
    cases[2].ignored = Some(String::new());
    cases
}

#[test]
fn for_people() {
    same(
        &list_pretty(&cases(), &Style::default()),
        "
concat
sort(n, kind)
├─ sort/selection/100/random #slow #nightly (ignored: takes minutes)
╰─ sort/heap/100/random (ignored)
search
╰─ search/linear
4 cases, 2 ignored
",
    );
}

#[test]
fn narrow() {
    same(
        &list_pretty(&cases()[..1], &Style::of_width(40)),
        "
sort(n, kind)
╰─ sort/selection/100/random #slow
   #nightly (ignored: takes minutes)
1 case, 1 ignored
",
    );
}

#[test]
fn nothing_to_list() {
    assert_eq!(list_pretty(&[], &Style::default()), "0 cases\n");
    assert_eq!(list_terse(&[]), "");
}

#[test]
fn for_programs_in_the_order_given() {
    let mut cases = cases();
    cases[1].id.push_str("\n\u{1b}[2J: test");
    same(
        &list_terse(&cases),
        "
examples/it::sort::selection[n=100,kind=random]: benchmark
examples/it::search::linear\\n\\u{1b}[2J: test: benchmark
examples/it::sort::heap[n=100,kind=random]: benchmark
examples/it::concat: benchmark
",
    );
}
