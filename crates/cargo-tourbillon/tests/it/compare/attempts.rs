//! A campaign of attempts, with a real package.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::shop::Shop;
use crate::program::Ran;

/// How often a busy machine may leave a difference of a factor undecided.
const TRIES: usize = 4;

const MAIN: &str = "fn main() -> std::process::ExitCode { tourbillon::main() }\n";

/// A benchmark with this body.
fn bench(body: &str) -> String {
    format!("#[tourbillon::bench]\nfn sum() -> u64 {{ {body} }}\n{MAIN}")
}

/// With a loop of so many steps.
fn core(steps: u32) -> String {
    format!(
        "pub fn sum(n: u64) -> u64 {{ (0..{steps}).fold(n, |sum, i| std::hint::black_box(sum + i)) }}\n"
    )
}

fn store(shop: &Shop) -> PathBuf {
    shop.folder.join("store-of-attempts")
}

fn attempt(shop: &Shop, arguments: &[&str]) -> Ran {
    let store = store(shop);
    let common = [
        "attempt",
        "--offline",
        "--profile",
        "dev",
        "--bench",
        "speed",
        "--layouts",
        "2",
        "--time",
        "30s",
        "--store",
        store.to_str().expect("a path"),
    ];
    let words = [&common[..], arguments].concat();
    let output = shop.command("", &words).output();
    output.expect("the program starts").into()
}

/// The answer to an attempt that differs by a factor, with its row for programs.
fn answered(shop: &Shop, code: i32) -> Value {
    for _ in 0..TRIES {
        let ran = attempt(shop, &["--format", "json"]);
        if ran.code != Some(6) || code == 6 {
            assert_eq!(ran.code, Some(code), "{ran:?}");
            let document: Value = serde_json::from_str(&ran.stdout).expect("JSON");
            assert_eq!(document["kind"], "attempt");
            return document["attempts"][0].clone();
        }
    }
    panic!("undecided on a busy machine");
}

fn git(shop: &Shop, words: &[&str]) -> String {
    let mut git = std::process::Command::new("git");
    let output = git.args(words).current_dir(shop.repository()).output();
    let output = output.expect("git starts");
    assert!(output.status.success(), "git {words:?}");
    String::from_utf8_lossy(&output.stdout)
        .trim_end()
        .to_owned()
}

pub(super) fn a_campaign_keeps_what_is_faster(shop: &Shop) {
    shop.write("core/src/lib.rs", &core(2_000));
    shop.write(
        "shop/benches/speed.rs",
        &bench("core_of_shop::sum(tourbillon::hide(9))"),
    );
    shop.commit("start");
    let ran = attempt(shop, &["--log"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("this checkout has no campaign"),
        "{ran:?}"
    );
    let begun = attempt(shop, &[]);
    assert_eq!(begun.code, Some(0), "{begun:?}");
    assert!(begun.stdout.contains("begun with HEAD ("), "{begun:?}");
    let ran = attempt(shop, &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("nothing differs from the reference"),
        "{ran:?}"
    );

    // What is kept is a commit of its own.
    let (head, index) = (
        git(shop, &["rev-parse", "HEAD"]),
        shop.repository().join(".git/index"),
    );
    shop.write("core/src/lib.rs", &core(500));
    let index_before = fs::read(&index).expect("an index");
    let kept = answered(shop, 0);
    assert_eq!(kept["answer"], "keep");
    assert_eq!(kept["why"], "1 faster");
    assert_eq!(git(shop, &["rev-parse", "HEAD"]), head);
    assert_eq!(fs::read(&index).expect("an index"), index_before);
    let commit = kept["commit"].as_str().expect("a commit");
    let file = format!("{commit}:core/src/lib.rs");
    assert_eq!(git(shop, &["show", &file]) + "\n", core(500));
    assert_eq!(git(shop, &["rev-parse", &format!("{commit}^")]), head);
    assert!(git(shop, &["for-each-ref", "refs/tourbillon"]).contains(commit));

    // Faster than the first reference, and slower than what was kept.
    shop.write("core/src/lib.rs", &core(1_000));
    let slower = answered(shop, 2);
    assert_eq!(
        (&slower["answer"], &slower["reference"]),
        (&"revert".into(), &commit.into())
    );
    let spent = slower["error"].as_f64().expect("a number");
    assert!(spent > 0.0 && spent < kept["error"].as_f64().expect("a number"));

    // What does not build spends nothing.
    shop.write("core/src/lib.rs", "pub fn sum(n: u64) -> u64 { nothing }\n");
    let broken = answered(shop, 3);
    assert_eq!(
        (&broken["answer"], &broken["error"]),
        (&"broken".into(), &0.0.into())
    );

    // A body that is gone is not faster.
    shop.write("core/src/lib.rs", &core(500));
    shop.write(
        "shop/benches/speed.rs",
        &("#[tourbillon::bench]\nfn sum() {}\n".to_owned() + MAIN),
    );
    let ran = attempt(shop, &[]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.stdout.contains("takes as long as an empty loop"),
        "{ran:?}"
    );

    // A benchmark that is gone neither.
    shop.write(
        "shop/benches/speed.rs",
        &bench("9").replace("fn sum", "fn other"),
    );
    let missing = answered(shop, 3);
    assert_eq!(missing["answer"], "broken");

    let other = attempt(shop, &["bare"]);
    assert_eq!(other.code, Some(1), "{other:?}");
    assert!(
        other.stderr.contains("begin another campaign with --new"),
        "{other:?}"
    );
    let log = attempt(shop, &["--log", "--format", "json"]);
    let log: Value = serde_json::from_str(&log.stdout).expect("JSON");
    let rows = log["attempts"].as_array().expect("attempts");
    let answers: Vec<&Value> = rows.iter().map(|row| &row["answer"]).collect();
    assert_eq!(answers.last().map(|one| one.as_str()), Some(Some("broken")));
    assert!(answers.contains(&&"keep".into()) && answers.contains(&&"revert".into()));
    let ledger = fs::read_to_string(store(shop).join("attempts/1.jsonl")).expect("a ledger");
    let begun = ledger
        .lines()
        .filter(|line| line.contains("\"type\":\"measuring\""))
        .count();
    let measured = rows
        .iter()
        .filter(|row| !row["measurement"].is_null())
        .count();
    assert_eq!(begun, measured);

    // An answer to a reference that is none any more: another process keeps an attempt while this one measures.
    let path = store(shop).join("attempts/1.jsonl");
    let other = r#"{"type":"attempt","answer":"keep","commit":"another"}"#;
    let keep = format!(
        "let open = || std::fs::OpenOptions::new().append(true).open({path:?}).unwrap();
        let write = || std::io::Write::write_all(&mut open(), b{:?}).unwrap();
        static ONCE: std::sync::Once = std::sync::Once::new();
        ONCE.call_once(write); core_of_shop::sum(tourbillon::hide(9))",
        format!("{other}\n")
    );
    shop.write("shop/benches/speed.rs", &bench(&keep));
    let late = attempt(shop, &[]);
    assert_eq!(late.code, Some(5), "{late:?}");
    assert!(late.stderr.contains("meanwhile; try again"), "{late:?}");
}
