//! Claims, pins and results of a queue.

use std::time::Duration;

use tokio_postgres::error::SqlState;
use tourbillon_index::Rights;
use tourbillon_index::queue::{Job, JobCounts, Patience, Queue};

use super::server::{Database, address};

/// Nothing expires.
const PATIENT: Patience = Patience {
    heartbeat: Duration::from_secs(60),
    lease: Duration::from_secs(3_600),
    absence: Duration::from_secs(3_600),
    poll: Duration::from_millis(1),
};

fn queue(database: &Database, patience: Patience) -> Queue {
    Queue::open(&address(&database.url()), patience).expect("a queue")
}

fn claim(queue: &mut Queue, machine: &str) -> Option<Job> {
    queue.claim(machine).expect("an answer")
}

fn counts(queue: &mut Queue, request: i64) -> JobCounts {
    let requests = queue.requests().expect("requests");
    let own = requests.iter().find(|one| one.number == request);
    own.expect("the request").jobs
}

fn records(queue: &mut Queue, request: i64) -> Vec<(i64, String, Vec<u8>)> {
    let mut all = Vec::new();
    let passed = queue.records(request, |one| {
        all.push((one.shard, one.machine, one.bytes));
        Ok::<(), tourbillon_index::Error>(())
    });
    passed.expect("records");
    all
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn a_worker_that_comes_back_cannot_store_a_second_result() {
    let database = Database::new("tq_back");
    let hasty = Patience {
        lease: Duration::ZERO,
        absence: Duration::ZERO,
        ..PATIENT
    };
    let mut queue = queue(&database, hasty);
    let request = queue.add("work", 1, 9).expect("added");
    let first = claim(&mut queue, "m1").expect("a job");
    assert!(queue.beat(&first).expect("an answer"));
    // Its lease is over: another machine gets the job and what is pinned.
    let second = claim(&mut queue, "m2").expect("a job");
    assert_eq!((second.number, second.attempt), (first.number, 2));
    assert!(!queue.beat(&first).expect("an answer"));
    assert!(!queue.finish(&first, 0, b"first").expect("an answer"));
    assert!(!queue.fail(&first, "late").expect("an answer"));
    assert!(!queue.give_back(&first).expect("an answer"));
    assert!(queue.finish(&second, 0, b"second").expect("stored"));
    // The answer was lost with the connection: it is asked again.
    assert!(queue.finish(&second, 0, b"second").expect("stored"));
    assert!(!queue.finish(&first, 0, b"first").expect("an answer"));
    let expected = [(1, "m2".to_owned(), b"second".to_vec())];
    assert_eq!(records(&mut queue, request), expected);
    assert_eq!(claim(&mut queue, "m1"), None);
    assert!(queue.is_drained().expect("an answer"));
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn a_shard_stays_on_its_machine() {
    let database = Database::new("tq_pins");
    let mut queue = queue(&database, PATIENT);
    queue.add("first", 2, 9).expect("added");
    let later = queue.add("later", 2, 9).expect("added");
    let one = claim(&mut queue, "m1").expect("a job");
    let two = claim(&mut queue, "m2").expect("a job");
    assert_eq!((one.shard, two.shard, two.shards), (1, 2, 2));
    assert_eq!((one.comparison.as_str(), one.attempt), ("first", 1));
    assert!(queue.finish(&two, 0, b"").expect("stored"));
    // The first shard of the later request is not for the second machine.
    let next = claim(&mut queue, "m2").expect("a job");
    assert_eq!((next.request, next.shard), (later, 2));
    assert_eq!(claim(&mut queue, "m2"), None);
    // A division into another number of shards has pins of its own.
    let other = queue.add("other", 3, 9).expect("added");
    let free = claim(&mut queue, "m2").expect("a job");
    assert_eq!((free.request, free.shard), (other, 1));
    let pins = |queue: &mut Queue| -> Vec<(String, i64)> {
        let machines = queue.machines().expect("machines");
        let machines = machines.into_iter().map(|one| (one.name, one.pins));
        machines.collect()
    };
    assert_eq!(
        pins(&mut queue),
        [("m1".to_owned(), 1), ("m2".to_owned(), 2)]
    );
    assert_eq!(queue.release("m1").expect("released"), 1);
    assert_eq!(
        pins(&mut queue),
        [("m1".to_owned(), 0), ("m2".to_owned(), 2)]
    );
    let released = claim(&mut queue, "m2").expect("a job");
    assert_eq!((released.request, released.shard), (later, 1));
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn a_job_fails_after_its_last_attempt() {
    let database = Database::new("tq_fail");
    let mut queue = queue(&database, PATIENT);
    let request = queue.add("work", 2, 2).expect("added");
    for _ in 0..2 {
        let job = claim(&mut queue, "m1").expect("a job");
        assert_eq!(job.shard, 1);
        assert!(queue.fail(&job, "it does not \0build").expect("noted"));
    }
    let mut other = claim(&mut queue, "m1").expect("a job");
    assert_eq!(other.shard, 2);
    // Interrupted: no attempt is used up.
    for _ in 0..3 {
        assert!(queue.give_back(&other).expect("an answer"));
        other = claim(&mut queue, "m1").expect("the same job");
        assert_eq!(other.shard, 2);
    }
    let requests = queue.requests().expect("requests");
    assert_eq!(
        requests[0].failures,
        [(1, "it does not \u{fffd}build".to_owned())]
    );
    let expected = JobCounts {
        running: 1,
        failed: 1,
        ..JobCounts::default()
    };
    assert_eq!(counts(&mut queue, request), expected);
    assert!(!expected.is_complete());
    assert_eq!(queue.retry(request, 1).expect("changed"), 1);
    assert_eq!(claim(&mut queue, "m1").expect("a job").shard, 1);
    // Workers that are dead after the last attempt leave a reason, too.
    let hasty = Patience {
        lease: Duration::ZERO,
        ..PATIENT
    };
    let mut hasty = self::queue(&database, hasty);
    let job = claim(&mut hasty, "m1").expect("the other shard");
    assert_eq!(job.shard, 2);
    let requests = queue.requests().expect("requests");
    let failures = &requests[0].failures;
    assert!(
        failures[0].1.contains("ended without a result"),
        "{failures:?}"
    );
    assert_eq!(queue.cancel(request).expect("changed"), 2);
    assert!(!queue.beat(&job).expect("an answer"));
    assert!(!queue.finish(&job, 0, b"").expect("an answer"));
    assert_eq!(counts(&mut queue, request).cancelled, 2);
    assert_eq!(records(&mut queue, request), []);
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn roles_of_the_queue_do_their_part_only() {
    let database = Database::new("tq_roles");
    drop(queue(&database, PATIENT));
    let mut client = database.client();
    let mut open = |role: &str, rights: Rights| {
        let password = database.add_role(role);
        client.batch_execute(&rights.grant(role)).expect("granted");
        let url = database.url_of(role, password);
        Queue::open(&address(&url), PATIENT).expect("a queue")
    };
    let mut user = open("tq_user", Rights::Request);
    let mut worker = open("tq_worker", Rights::Work);
    let request = user.add("work", 3, 9).expect("added");
    let job = claim(&mut worker, "m1").expect("a job");
    assert!(worker.beat(&job).expect("an answer"));
    assert!(worker.finish(&job, 0, b"record").expect("stored"));
    let failing = claim(&mut worker, "m1").expect("a job");
    assert!(worker.fail(&failing, "why").expect("noted"));
    assert_eq!(records(&mut user, request).len(), 1);
    assert_eq!(user.cancel(request).expect("cancelled"), 2);
    assert_eq!(user.retry(request, 1).expect("changed"), 2);
    assert_eq!(user.release("m1").expect("released"), 2);
    assert_eq!(user.requests().expect("requests").len(), 1);
    assert_eq!(worker.machines().expect("machines").len(), 1);
    let refused = worker.add("work", 1, 1).expect_err("no right").to_string();
    assert!(refused.contains("permission denied"), "{refused}");
    let refused = user.claim("m2").expect_err("no right").to_string();
    assert!(refused.contains("permission denied"), "{refused}");
    for role in ["tq_user", "tq_worker"] {
        let mut client = database.client();
        let set = format!("SET ROLE {role}; SET search_path = tourbillon");
        client.batch_execute(&set).expect("the role");
        for statement in [
            "DELETE FROM results",
            "UPDATE results SET record = ''",
            "DELETE FROM jobs",
            "UPDATE requests SET comparison = 'x'",
            "UPDATE jobs SET shard = 9",
            "DELETE FROM machines",
            "INSERT INTO runs VALUES (1, 'r', NULL, 1, '', '', '', '')",
        ] {
            let error = client.execute(statement, &[]).expect_err(statement);
            let code = error.code();
            assert_eq!(code, Some(&SqlState::INSUFFICIENT_PRIVILEGE), "{statement}");
        }
    }
    // The owner removes old requests, with all that belongs to them.
    let mut owner = database.client();
    let removed = owner.execute("DELETE FROM tourbillon.requests", &[]);
    assert_eq!(removed.expect("removed"), 1);
    let left =
        "SELECT (SELECT count(*) FROM tourbillon.jobs) + (SELECT count(*) FROM tourbillon.results)";
    let left: i64 = owner.query_one(left, &[]).expect("a row").get(0);
    assert_eq!(left, 0);
}
