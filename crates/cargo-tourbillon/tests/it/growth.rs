//! Growth with size, from a record.

use std::fs;

use tourbillon_record::{Argument, Entry, Line};

use crate::folder::{Folder, run};
use crate::records::{header, lines};

#[test]
fn a_record_with_sizes_is_shown_with_their_growth() {
    let folder = Folder::new("growth");
    let mut header = header(1, "model A");
    header.facts.push(tourbillon_record::Fact {
        name: "caches".to_owned(),
        value: tourbillon_record::FactValue::List(vec!["L1 data 32 KiB".to_owned()]),
    });
    let mut text = Entry::Header(&header).encode() + "\n";
    for power in 10..20 {
        let size = 1_u64 << power;
        let id = format!("shop/checkout::add[bytes={size}]");
        // Twice as slow where the first cache is full.
        let ns = if size > 32_768 { size / 4 } else { size / 8 };
        for line in lines(&header, ns) {
            match line {
                Line::Case(mut case) if case.name == "add" => {
                    case.id.clone_from(&id);
                    case.arguments.push(Argument {
                        axis: "bytes".to_owned(),
                        value: size.to_string(),
                    });
                    text += &(Line::Case(case).encode() + "\n");
                }
                Line::Result(mut result) if result.case.ends_with("add") => {
                    result.case.clone_from(&id);
                    text += &(Line::Result(result).encode() + "\n");
                }
                _ => {}
            }
        }
    }
    fs::write(folder.join("sizes.jsonl"), text).expect("a record");
    let ran = run(&folder, &["show", "sizes.jsonl"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for line in [
        "\n\ngrowth\n  add over bytes: n · exponent 1.00 [",
        "\n  ! kink between 32,768 and 65,536: 2.0 times slower",
        "L1 holds 32 KiB\n",
    ] {
        assert!(ran.stdout.contains(line), "{}", ran.stdout);
    }
    let report = run(
        &folder,
        &[
            "report",
            "sizes.jsonl",
            "--svg",
            "pictures",
            "-o",
            "report.html",
        ],
    );
    assert_eq!(report.code, Some(0), "{report:?}");
    let page = fs::read_to_string(folder.join("report.html")).expect("a page");
    // A rule where the first cache is full, and the same without log axes.
    for (text, count) in [
        ("; L1 is full at 32768</desc>", 1),
        (">bytes, log axis<", 2),
        ("<div class=\"grid log\">", 1),
        ("<div class=\"grid linear\">", 1),
        (
            "<button class=\"axes\" type=\"button\" aria-pressed=\"false\" hidden>",
            1,
        ),
    ] {
        assert_eq!(page.matches(text).count(), count, "{text}");
    }
    let picture = |name: &str| {
        let path = folder.join("pictures").join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let (log, linear) = (
        picture("001-add-sweep.svg"),
        picture("003-add-sweep-linear.svg"),
    );
    assert!(log.contains(">L1</text>") && !linear.contains(">L1</text>"));
    assert!(!linear.contains("log axis"), "{linear}");
    let script = run(&folder, &["show", "sizes.jsonl", "--format", "gnuplot"]);
    assert!(
        script.stdout.contains("\n#   add over bytes: n"),
        "{script:?}"
    );
}
