//! Workers that are killed, and that lose their connections.

use std::env;
use std::process::{self, Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use tourbillon_index::queue::{Event, Job, Measure, Outcome, Patience, Queue, work};

use super::server::{Database, address};

const WORKERS: usize = 8;
const REQUESTS: i64 = 10;
const SHARDS: u64 = 100;
/// Workers that the test kills, besides those that end by themselves.
const KILLS: usize = 40;

/// Address of the queue, and name of the machine, of a process that works.
const VARIABLES: [&str; 2] = ["TEST_QUEUE", "TEST_QUEUE_MACHINE"];

/// Leases of dead workers end soon. That a living one may lose its job under load is part of the test.
const HASTY: Patience = Patience {
    heartbeat: Duration::from_millis(50),
    lease: Duration::from_millis(400),
    absence: Duration::from_millis(800),
    poll: Duration::from_millis(20),
};

/// Measures at once, and sometimes ends the process before or after that.
struct Instantly;

/// What the measurement of a job comes to.
fn expected(request: i64, shard: u64) -> String {
    format!("{request} {shard}")
}

/// Bits that depend on both numbers.
fn bits(one: i64, other: i64) -> u64 {
    let mut bits = one.unsigned_abs() << 32 | other.unsigned_abs();
    for _ in 0..2 {
        bits = (bits ^ (bits >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    bits >> 40
}

/// Whether the process ends itself at the first attempt at a job.
fn is_doomed(job: i64) -> bool {
    bits(job, 1).is_multiple_of(32)
}

impl Measure for Instantly {
    fn measure(&self, job: &Job) -> Outcome {
        if job.attempt == 1 && is_doomed(job.number) {
            process::abort();
        }
        let text = expected(job.request, job.shard);
        match bits(job.number, job.attempt) % 16 {
            0 => Outcome::Failed("an accident".to_owned()),
            _ => Outcome::Record {
                exit_code: 0,
                bytes: text.into_bytes(),
            },
        }
    }

    fn cancel(&self, _: &Job) {}

    fn wait(&self, time: Duration) -> bool {
        thread::sleep(time);
        false
    }
}

/// The process of a worker; nothing without the variables.
#[test]
#[ignore = "a process of another test"]
fn worker_process() {
    let [Ok(url), Ok(machine)] = VARIABLES.map(env::var) else {
        return;
    };
    let worked = work(
        &address(&url),
        &machine,
        HASTY,
        true,
        &Instantly,
        &mut |_| {},
    );
    assert!(!worked.expect("the queue is drained"));
}

fn start(database: &Database, machine: usize) -> Child {
    let mut worker = Command::new(env::current_exe().expect("this program"));
    let name = "postgres::workers::worker_process";
    worker.args(["--exact", name, "--include-ignored", "--test-threads=1"]);
    worker.env(VARIABLES[0], database.url());
    worker.env(VARIABLES[1], format!("m{machine}"));
    worker.stdout(Stdio::null()).stderr(Stdio::null());
    worker.spawn().expect("the worker starts")
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn each_job_of_workers_that_are_killed_has_one_result() {
    let database = Database::new("tq_killed");
    let mut queue = Queue::open(&address(&database.url()), HASTY).expect("a queue");
    let add = |queue: &mut Queue, number: i64| {
        let request = queue.add(&format!("work {number}"), SHARDS, 1_000);
        assert_eq!(request.expect("added"), number);
    };
    for number in 1..REQUESTS {
        add(&mut queue, number);
    }
    let mut workers: Vec<Option<Child>> = (0..WORKERS)
        .map(|machine| Some(start(&database, machine)))
        .collect();
    let (mut kills, mut ended, mut round) = (0, 0, 0);
    while workers.iter().any(Option::is_some) {
        round += 1;
        let victim = bits(round, 7) as usize % WORKERS;
        if kills < KILLS
            && let Some(worker) = &mut workers[victim]
        {
            worker.kill().expect("a signal");
            kills += 1;
            // Without the last request the queue may be drained before all kills.
            if kills == KILLS {
                add(&mut queue, REQUESTS);
            }
        }
        for (machine, slot) in workers.iter_mut().enumerate() {
            let Some(worker) = slot else {
                continue;
            };
            let Some(status) = worker.try_wait().expect("a status") else {
                continue;
            };
            ended += usize::from(!status.success());
            let is_needed =
                kills < KILLS || !status.success() || !queue.is_drained().expect("an answer");
            *slot = is_needed.then(|| start(&database, machine));
        }
        thread::sleep(Duration::from_millis(20 + bits(round, 3) % 60));
    }
    let doomed = (1..=REQUESTS * SHARDS as i64).filter(|job| is_doomed(*job));
    let doomed = doomed.count();
    assert!(doomed >= 20 && ended >= doomed, "{doomed} {ended}");
    for request in queue.requests().expect("requests") {
        let jobs = request.jobs;
        assert!(jobs.done == SHARDS as i64 && jobs.is_complete(), "{jobs:?}");
        let mut shards = Vec::new();
        let passed = queue.records(request.number, |one| {
            let text = expected(request.number, one.shard.unsigned_abs());
            assert_eq!(String::from_utf8(one.bytes).expect("text"), text);
            shards.push(one.shard.unsigned_abs());
            Ok::<(), tourbillon_index::Error>(())
        });
        passed.expect("records");
        assert_eq!(shards, (1..=SHARDS).collect::<Vec<_>>());
    }
    let stored = "SELECT count(*), count(DISTINCT job) FROM tourbillon.results";
    let stored = database.client().query_one(stored, &[]).expect("a row");
    let all = REQUESTS * SHARDS as i64;
    assert_eq!([stored.get::<_, i64>(0), stored.get(1)], [all, all]);
}

/// Ends all connections of the worker before it gives a result.
struct Disconnecting<'d>(&'d Database);

impl Measure for Disconnecting<'_> {
    fn measure(&self, job: &Job) -> Outcome {
        let ended = self.0.client().execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE datname = 'tq_disconnected' AND application_name = 'tourbillon'",
            &[],
        );
        assert!(ended.expect("ended") >= 1);
        Outcome::Record {
            exit_code: 2,
            bytes: expected(job.request, job.shard).into_bytes(),
        }
    }

    fn cancel(&self, _: &Job) {}

    fn wait(&self, time: Duration) -> bool {
        thread::sleep(time);
        false
    }
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn a_worker_outlives_its_connection() {
    let database = Database::new("tq_disconnected");
    let url = address(&database.url());
    let request = Queue::open(&url, HASTY).expect("a queue").add("work", 3, 9);
    let patient = Patience {
        lease: Duration::from_secs(3_600),
        heartbeat: Duration::from_secs(3_600),
        ..HASTY
    };
    let (mut disconnected, mut stored) = (0, Vec::new());
    let worked = work(
        &url,
        "m1",
        patient,
        true,
        &Disconnecting(&database),
        &mut |event| match event {
            Event::Disconnected(_) => disconnected += 1,
            Event::Stored(job) => stored.push(job.shard),
            _ => {}
        },
    );
    assert!(!worked.expect("drained"));
    assert_eq!((disconnected, stored), (3, vec![1, 2, 3]));
    let mut queue = Queue::open(&url, patient).expect("a queue");
    let mut codes = Vec::new();
    let passed = queue.records(request.expect("added"), |one| {
        codes.push(one.exit_code);
        Ok::<(), tourbillon_index::Error>(())
    });
    passed.expect("records");
    assert_eq!(codes, [2, 2, 2]);
}

/// Waits until it is cancelled.
#[derive(Default)]
struct Waiting(std::sync::Mutex<bool>, std::sync::Condvar);

impl Measure for Waiting {
    fn measure(&self, _: &Job) -> Outcome {
        let mut is_cancelled = self.0.lock().expect("no panic");
        while !*is_cancelled {
            is_cancelled = self.1.wait(is_cancelled).expect("no panic");
        }
        Outcome::Failed("cancelled".to_owned())
    }

    fn cancel(&self, _: &Job) {
        *self.0.lock().expect("no panic") = true;
        self.1.notify_all();
    }

    fn wait(&self, time: Duration) -> bool {
        thread::sleep(time);
        false
    }
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn a_cancelled_request_ends_its_measurement() {
    let database = Database::new("tq_cancelled");
    let url = address(&database.url());
    let mut queue = Queue::open(&url, HASTY).expect("a queue");
    let request = queue.add("work", 1, 9).expect("added");
    let mut lost = 0;
    let worked = work(
        &url,
        "m1",
        HASTY,
        true,
        &Waiting::default(),
        &mut |event| match event {
            Event::Claimed(_) => assert_eq!(queue.cancel(request).expect("cancelled"), 1),
            Event::Lost(_) => lost += 1,
            other => panic!("{other:?}"),
        },
    );
    assert!(!worked.expect("drained"));
    assert_eq!(lost, 1);
}
