//! How the tables come to be.

use std::thread;

use tourbillon_index::queue::{Patience, Queue};
use tourbillon_index::{Index, PostgresIndex, RunSummary};

use super::server::{Database, address};
use crate::samples::{record, run};

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn several_programs_make_the_tables_at_once() {
    let database = Database::new("tb_make");
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(database.open().runs().expect("an index"), []));
        }
    });
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn older_tables_are_brought_up_to_date_with_their_rows() {
    let database = Database::new("tb_older");
    let bytes = record(1, "c1", "cpu", &[("a", 1.0)]);
    let summary = RunSummary::of(&run(&bytes), "r1", None);
    database.open().insert(&[summary]).expect("inserted");
    let mut client = database.client();
    // As the first version left them.
    let older = "SET search_path = tourbillon; DROP TABLE failures, verdicts, comparisons, results, pins, \
                 machines, jobs, requests; UPDATE tables_version SET version = 1";
    client.batch_execute(older).expect("changed");
    let runs = database.open().runs().expect("runs");
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].record, "r1");
    let version = "SELECT version FROM tourbillon.tables_version";
    let version: i64 = client.query_one(version, &[]).expect("a row").get(0);
    assert_eq!(version, 3);
    let mut queue = Queue::open(&address(&database.url()), Patience::default()).expect("a queue");
    assert!(queue.is_drained().expect("an answer"));
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn tables_of_a_newer_version_stay_as_they_are() {
    let database = Database::new("tb_newer");
    database.open();
    let mut client = database.client();
    let newer = "UPDATE tourbillon.tables_version SET version = 99";
    client.batch_execute(newer).expect("changed");
    let error = PostgresIndex::open(&address(&database.url()), |_| ()).expect_err("newer");
    let error = error.to_string();
    assert!(error.contains("the tables have version 99"), "{error}");
    assert!(
        error.contains("install a newer cargo-tourbillon"),
        "{error}"
    );
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn a_role_that_may_not_make_the_tables_gets_the_reason() {
    let database = Database::new("tb_missing");
    let password = database.add_role("tb_missing_role");
    let url = database.url_of("tb_missing_role", password);
    let error = PostgresIndex::open(&address(&url), |_| ()).expect_err("no tables");
    let error = error.to_string();
    assert!(error.contains("the tables are missing"), "{error}");
    assert!(
        error.contains("as a role that owns the database"),
        "{error}"
    );
    // A schema that the owner made for the role is enough.
    let schema = "CREATE SCHEMA tourbillon AUTHORIZATION tb_missing_role";
    database.client().batch_execute(schema).expect("a schema");
    PostgresIndex::open(&address(&url), |_| ()).expect("an index");
}
