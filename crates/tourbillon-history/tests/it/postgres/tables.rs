//! How the tables come to be.

use std::thread;

use tourbillon_history::index::{Index, PostgresIndex, RunSummary};

use super::server::{Client, Database, address};
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

/// Tables that only versions 2 and 3 have, with rows and with rights of a role.
const UNUSED: &str = "
    CREATE TABLE requests (request BIGINT PRIMARY KEY);
    CREATE TABLE jobs (job BIGINT PRIMARY KEY, request BIGINT NOT NULL REFERENCES requests ON DELETE CASCADE);
    CREATE TABLE machines (machine TEXT PRIMARY KEY);
    CREATE TABLE pins (shard BIGINT PRIMARY KEY, machine TEXT NOT NULL REFERENCES machines);
    CREATE TABLE results (job BIGINT PRIMARY KEY REFERENCES jobs ON DELETE CASCADE, record BYTEA NOT NULL);
    INSERT INTO requests VALUES (1);
    INSERT INTO jobs VALUES (1, 1);
    INSERT INTO machines VALUES ('m1');
    INSERT INTO pins VALUES (1, 'm1');
    INSERT INTO results VALUES (1, 'x');
";

/// The tables of an index, in the order of their names.
fn tables(client: &mut Client) -> Vec<String> {
    let query = "SELECT tablename::text FROM pg_catalog.pg_tables WHERE schemaname = 'tourbillon' ORDER BY 1";
    let rows = client.query(query, &[]).expect("tables");
    rows.iter().map(|row| row.get(0)).collect()
}

fn version(client: &mut Client) -> i64 {
    let version = "SELECT version FROM tourbillon.tables_version";
    client.query_one(version, &[]).expect("a row").get(0)
}

/// A database with a run, whose tables are those of an earlier version.
fn older(name: &str, version: i64) -> Database {
    let database = Database::new(name);
    let bytes = record(1, "c1", "cpu", &[("a", 1.0)]);
    let summary = RunSummary::of(&run(&bytes), "r1", None);
    database.open().insert(&[summary]).expect("inserted");
    // The server has one set of roles for all databases, and tests run side by side.
    let role = format!("{name}_role");
    database.add_role(&role);
    let mut client = database.client();
    let mut sql = "SET search_path = tourbillon;".to_owned();
    if version < 7 {
        sql += "ALTER TABLE runs DROP COLUMN host;";
    }
    if version < 6 {
        sql += "ALTER TABLE points DROP CONSTRAINT finite; ALTER TABLE verdicts DROP CONSTRAINT finite;";
    }
    if version < 5 {
        sql += "ALTER TABLE runs DROP COLUMN compilation, DROP COLUMN more_is_better;";
        sql += "ALTER TABLE verdicts DROP COLUMN why, DROP COLUMN number, DROP COLUMN number_unit;";
    }
    if version < 3 {
        sql += "DROP TABLE failures, verdicts, comparisons;";
    }
    if (2..4).contains(&version) {
        sql += UNUSED;
        sql += &format!("GRANT SELECT, INSERT ON requests, jobs, results TO {role};");
    }
    sql += &format!("UPDATE tables_version SET version = {version}");
    client.batch_execute(&sql).expect("changed");
    database
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn older_tables_are_brought_up_to_date_with_their_rows() {
    let newest = Database::new("tb_newest");
    newest.open();
    let newest = tables(&mut newest.client());
    for old in 1..=6 {
        let database = older("tb_older", old);
        let mut client = database.client();
        assert_eq!(tables(&mut client) == newest, old >= 4);
        let runs = database.open().runs().expect("runs");
        assert_eq!(runs.len(), 1);
        assert_eq!(runs[0].record, "r1");
        assert_eq!(version(&mut client), 7);
        assert_eq!(tables(&mut client), newest);
    }
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn tables_stay_as_they_are_if_one_of_them_cannot_be_dropped() {
    let database = older("tb_in_use", 3);
    let mut client = database.client();
    let view = "CREATE VIEW tourbillon.shown AS SELECT job FROM tourbillon.results";
    client.batch_execute(view).expect("a view");
    let before = tables(&mut client);
    let error = PostgresIndex::open(&address(&database.url()), |_| ())
        .expect_err("in use")
        .to_string();
    assert!(error.contains("the tables have version 3"), "{error}");
    assert!(error.contains("view shown depends on table"), "{error}");
    assert_eq!((version(&mut client), tables(&mut client)), (3, before));
    let view = "DROP VIEW tourbillon.shown";
    client.batch_execute(view).expect("no view");
    assert_eq!(database.open().runs().expect("runs").len(), 1);
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn tables_of_a_newer_version_stay_as_they_are() {
    let database = Database::new("tb_newer");
    database.open();
    let mut client = database.client();
    let newer = "UPDATE tourbillon.tables_version SET version = 99";
    client.batch_execute(newer).expect("changed");
    let error = PostgresIndex::open(&address(&database.url()), |_| ())
        .expect_err("newer")
        .to_string();
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
    let error = PostgresIndex::open(&address(&url), |_| ())
        .expect_err("no tables")
        .to_string();
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
