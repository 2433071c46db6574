//! `queue` and `work`.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::server::{database, execute};
use crate::compare::Shop;
use crate::folder::{Folder, run};
use crate::program::{Ran, command};

/// The queue in a database, and a repository to work in.
struct Pool {
    shop: Shop,
    url: String,
}

impl Pool {
    fn ran(&self, arguments: &[&str]) -> Ran {
        let mut command: Command = self.shop.command("", arguments);
        command.env("TOURBILLON_QUEUE", &self.url);
        command.output().expect("the program starts").into()
    }

    fn printed(&self, arguments: &[&str]) -> String {
        let ran = self.ran(arguments);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout
    }

    fn list(&self) -> Vec<Value> {
        let text = self.printed(&["queue", "list", "--all", "--format", "jsonl"]);
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().expect("JSON lines")
    }
}

/// In sequence, because builds are shared.
#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn a_comparison_is_measured_shard_by_shard() {
    let pool = Pool {
        shop: Shop::new("postgres-queue"),
        url: database("cli_queue"),
    };
    // As few executables as can be.
    pool.shop
        .write("tourbillon.toml", "[compare]\nlayouts = 1\n");
    records_are_fetched_and_merged(&pool);
    what_cannot_be_measured_fails_with_the_reason(&pool);
    a_request_is_cancelled(&pool);
    #[cfg(unix)]
    an_interrupted_worker_gives_its_job_back(&pool);
}

fn records_are_fetched_and_merged(pool: &Pool) {
    let add = [
        &["queue", "add", "v1", "v2", "--shards", "3", "-p", "shop"][..],
        &["--offline", "--profile", "dev", "--time", "50ms"],
    ]
    .concat();
    assert_eq!(pool.printed(&add), "1\n");
    let early = pool.ran(&["queue", "fetch", "1", "early"]);
    assert_eq!(early.code, Some(3), "{early:?}");
    assert!(early.stdout.contains("0 of 3 shards written"), "{early:?}");
    let worked = pool.printed(&["work", "--machine", "m1", "--until-empty"]);
    for shard in 1..=3 {
        let started = format!("request 1, shard {shard} of 3: started, attempt 1\n");
        let stored = format!("request 1, shard {shard} of 3: stored\n");
        assert!(worked.contains(&(started + &stored)), "{worked}");
    }
    let list = pool.list();
    assert_eq!(list[0]["done"], 3);
    assert_eq!(list[1]["machine"], "m1");
    assert_eq!(list[1]["shards"], 3);
    let fetched = pool.printed(&["queue", "fetch", "1", "results", "--wait"]);
    assert!(
        fetched.contains("3 of 3 shards written to results"),
        "{fetched}"
    );
    let merged = pool.printed(&["merge", "results", "-o", "all.jsonl"]);
    assert!(merged.contains("2 cases in 3 shards"), "{merged}");
    // The record has the command line of the worker, which has no address.
    let file = pool.shop.repository().join("all.jsonl");
    let text = fs::read_to_string(file).expect("a record");
    assert!(text.contains("--partition=hash:1/3"), "{text}");
    assert!(!text.contains("cli_queue"), "{text}");
    let shown = pool.printed(&["queue", "list"]);
    assert!(shown.contains("no open requests"), "{shown}");
    assert!(shown.contains("m1"), "{shown}");
}

fn what_cannot_be_measured_fails_with_the_reason(pool: &Pool) {
    let commit = "0".repeat(40);
    let request = format!(
        "{{\"reference\":\"{commit}\",\"candidate\":\"{commit}\",\"selected\":{{\"package\":[],\"bench\":[],\
         \"features\":[],\"all_features\":false,\"no_default_features\":false,\"profile\":null,\
         \"workspace\":false,\"locked\":false,\"offline\":false}},\"time\":null,\"margin\":null,\
         \"confidence\":null,\"exact\":false,\"filters\":[]}}"
    );
    let statements = [
        format!("INSERT INTO tourbillon.requests (comparison) VALUES ('{request}')"),
        // As no version adds it.
        "INSERT INTO tourbillon.requests (comparison) VALUES ('{\"program\":\"sh\"}')".to_owned(),
        "INSERT INTO tourbillon.jobs (request, shard, shards, state, attempts, attempts_left) \
         VALUES (2, 1, 1, 'waiting', 0, 2), (3, 1, 1, 'waiting', 0, 1)"
            .to_owned(),
    ];
    execute(&pool.url, &statements.each_ref().map(String::as_str));
    let worked = pool.printed(&["work", "--machine", "m1", "--until-empty"]);
    assert!(
        worked.contains("request 2, shard 1 of 1: started, attempt 2"),
        "{worked}"
    );
    let list = pool.list();
    let reason = |at: usize| {
        list[at]["failures"][0]["reason"]
            .as_str()
            .expect("a reason")
    };
    assert!(reason(1).contains(&format!("commit {commit} is not in the repository")));
    assert!(reason(2).contains("not a comparison"), "{}", reason(2));
    let shown = pool.printed(&["queue", "list"]);
    assert!(shown.contains("request 2, shard 1 failed: "), "{shown}");
    let fetched = pool.ran(&["queue", "fetch", "2", "results", "--wait"]);
    assert_eq!(fetched.code, Some(3), "{fetched:?}");
    assert!(fetched.stderr.contains("shard 1 failed: "), "{fetched:?}");
    assert_eq!(pool.printed(&["queue", "retry", "2"]), "1 job waiting\n");
}

fn a_request_is_cancelled(pool: &Pool) {
    assert_eq!(pool.printed(&["queue", "cancel", "2"]), "1 job cancelled\n");
    assert_eq!(
        pool.printed(&["work", "--machine", "m1", "--until-empty"]),
        ""
    );
    assert_eq!(
        pool.printed(&["queue", "release", "m1"]),
        "4 shards released\n"
    );
    let unknown = pool.ran(&["queue", "fetch", "99", "results"]);
    assert_eq!(unknown.code, Some(1), "{unknown:?}");
    assert!(
        unknown.stderr.contains("the queue has no request 99"),
        "{unknown:?}"
    );
    let unknown = pool.ran(&["queue", "add", "nothing"]);
    assert!(
        unknown.stderr.contains("git knows no commit \"nothing\""),
        "{unknown:?}"
    );
    let flag = pool.ran(&["queue", "add", "v1", "v2", "--", "--store=x"]);
    assert!(flag.stderr.contains("filters and --exact only"), "{flag:?}");
}

/// As by Ctrl-C, which reaches the worker and what it runs.
#[cfg(unix)]
fn an_interrupted_worker_gives_its_job_back(pool: &Pool) {
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::CommandExt;

    // Long enough to be interrupted: with this margin, equal code stays undecided.
    let add = [
        &[
            "queue",
            "add",
            "v1",
            "v2",
            "--shards",
            "1",
            "-p",
            "shop",
            "--attempts",
            "1",
        ][..],
        &[
            "--offline",
            "--profile",
            "dev",
            "--time",
            "60s",
            "--margin",
            "0%",
        ],
    ]
    .concat();
    assert_eq!(pool.printed(&add), "4\n");
    let mut worker = pool.shop.command("", &["work", "--machine", "m1"]);
    worker.env("TOURBILLON_QUEUE", &pool.url).process_group(0);
    let mut worker = worker
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the worker starts");
    let mut line = String::new();
    let stdout = worker.stdout.as_mut().expect("a pipe");
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    assert_eq!(line, "request 4, shard 1 of 1: started, attempt 1\n");
    let is_measured = || {
        let mut processes = Command::new("ps");
        let processes = processes.args(["-eo", "pgid=,args="]).output();
        let processes = Ran::from(processes.expect("ps starts")).stdout;
        let mut own = processes
            .lines()
            .filter_map(|line| line.trim().split_once(' '));
        let group = worker.id().to_string();
        own.any(|(found, command)| found == group && command.contains(" tourbillon compare "))
    };
    while !is_measured() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let group = format!("-{}", worker.id());
    let signalled = Command::new("kill").args(["-INT", "--", &group]).status();
    assert!(signalled.expect("kill starts").success());
    assert_eq!(worker.wait().expect("an end").code(), Some(130));
    let list = pool.list();
    let own = list.iter().find(|one| one["request"] == 4);
    assert_eq!(own.expect("the request")["waiting"], 1, "{list:?}");
}

#[test]
fn a_queue_has_to_be_named_and_takes_no_password_in_an_argument() {
    let folder = Folder::new("postgres-queue-name");
    let unnamed = command(&["tourbillon", "work"])
        .env_remove("TOURBILLON_QUEUE")
        .output();
    let unnamed = Ran::from(unnamed.expect("the program starts"));
    assert_eq!(unnamed.code, Some(1), "{unnamed:?}");
    assert!(
        unnamed.stderr.contains("set TOURBILLON_QUEUE"),
        "{unnamed:?}"
    );
    let url = "postgres://a:s3cret@127.0.0.1:1/x";
    for words in [
        &["work", "--queue", url][..],
        &["queue", "--queue", url, "list"],
    ] {
        let ran = run(&folder, words);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(
            ran.stderr.contains("put the address into TOURBILLON_QUEUE"),
            "{ran:?}"
        );
        assert!(!ran.stderr.contains("s3cret"), "{ran:?}");
    }
    let grant = run(&folder, &["queue", "grant", "work", "bench"]);
    assert!(
        grant
            .stdout
            .contains("INSERT ON tourbillon.results TO \"bench\""),
        "{grant:?}"
    );
}
