//! `watch`: a save, an error of cargo, an interrupt.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use serde_json::{Value, json};

use crate::compare::Shop;
use crate::facade_build::{cached, lend, target_of};
use crate::process::{ended, signal};

const BENCH: &str = "#[tourbillon::bench]\nfn sum() -> u64 { core_of_shop::sum(tourbillon::hide(9)) }\n\
    #[tourbillon::bench]\nfn own() -> u64 { tourbillon::hide(9) }\n\
    fn main() -> std::process::ExitCode { tourbillon::main() }\n";

/// With a loop of so many steps for each number.
fn core(steps: u32) -> String {
    format!(
        "pub fn sum(n: u64) -> u64 {{ (0..{steps}).fold(n, |sum, i| std::hint::black_box(sum + i)) }}\n"
    )
}

/// The lines of a program that goes on.
struct Events(Receiver<Value>);

impl Events {
    /// The lines up to an event, which is the last.
    fn until(&self, event: &str) -> Vec<Value> {
        let mut lines = Vec::new();
        loop {
            // A build of the tree takes seconds.
            let line = self.0.recv_timeout(Duration::from_secs(300));
            lines.push(line.unwrap_or_else(|error| panic!("{event}: {error}: {lines:?}")));
            if lines.last().is_some_and(|line| line["event"] == event) {
                return lines;
            }
        }
    }

    /// The last line up to an event.
    fn next(&self, event: &str) -> Value {
        self.until(event).pop().unwrap_or_default()
    }
}

/// The words of the verdicts among lines.
fn verdicts(lines: &[Value]) -> Vec<&str> {
    let verdicts = lines.iter().filter(|line| line["type"] == "verdict");
    verdicts
        .filter_map(|line| line["verdict"].as_str())
        .collect()
}

#[test]
fn a_save_is_compared_and_an_error_of_cargo_is_shown() {
    let shop = Shop::new("watch");
    shop.lend_facade();
    let cached = cached(&shop.cache(), &shop.repository());
    lend("", &target_of(&cached, "tree", &shop.repository()));
    shop.write("core/src/lib.rs", &core(1_000));
    shop.write("shop/benches/speed.rs", BENCH);
    shop.commit("start");
    let mut command = shop.command(
        "shop",
        &[
            "watch",
            "--offline",
            "--profile",
            "dev",
            "--bench",
            "speed",
            "--format",
            "jsonl",
        ],
    );
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let stdout = child.stdout.take().expect("a pipe");
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let value = serde_json::from_str(&line).expect(&line);
            sender.send(value).expect("a reader");
        }
    });
    let events = Events(lines);

    let begun = events.next("begun");
    let reference = begun["reference"].as_str().expect("a label");
    assert!(reference.starts_with("HEAD ("), "{begun}");
    let counts = |line: &Value| ["cases", "unchanged", "kept"].map(|name| line[name].clone());
    let counted = |numbers: [u64; 3]| numbers.map(|number| json!(number));
    assert_eq!(counts(&events.next("measuring")), counted([0, 2, 0]));
    let lines = events.until("compared");
    assert_eq!(verdicts(&lines), ["unchanged"; 2]);
    let confirm = "cargo tourbillon compare --bench=speed --profile=dev --offline HEAD";
    assert_eq!(
        lines.last().map(|line| &line["confirm"]),
        Some(&json!(confirm))
    );

    shop.write("core/src/lib.rs", &core(20_000));
    assert_eq!(events.next("saved")["files"], json!(["core/src/lib.rs"]));
    // Single cases are compared on Linux, x86-64.
    let own = u64::from(cfg!(all(target_os = "linux", target_arch = "x86_64")));
    let expected = counted([2 - own, own, 0]);
    assert_eq!(counts(&events.next("measuring")), expected);
    let lines = events.until("compared");
    assert_eq!(verdicts(&lines).len(), 2, "{lines:?}");
    assert_ne!(verdicts(&lines)[0], "unchanged");

    // A comment below all code: the verdict stays.
    shop.write("core/src/lib.rs", &(core(20_000) + "// The end.\n"));
    let expected = counted([0, own, 2 - own]);
    assert_eq!(counts(&events.next("measuring")), expected);
    let again = events.until("compared");
    assert_eq!(verdicts(&again), verdicts(&lines));

    shop.write("core/src/lib.rs", "pub fn sum(n: u64) -> u64 { nothing }\n");
    let failed = events.next("failed");
    assert_eq!(failed["exit_code"], 101);

    // Neither of these is a save.
    shop.write("shop/target", "");
    shop.write("shop/benches/.speed.rs.swp", "");
    shop.write("core/src/lib.rs", &core(1_000));
    assert_eq!(events.next("saved")["files"], json!(["core/src/lib.rs"]));
    assert_eq!(verdicts(&events.until("compared")), ["unchanged"; 2]);
    assert!(signal("INT", &child.id().to_string()));
    let ran = ended(child);
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(ran.stderr.contains("nothing"), "cargo's message: {ran:?}");
}
