//! What an index on a server answers, and when it fails.

use std::thread;

use tourbillon_history::index::{
    CommitVerdict, ComparisonSummary, Failure, FileKind, Index, NumberName, PostgresIndex, Rights,
    RunFigure, RunSummary, SqliteIndex, update,
};
use tourbillon_record::{CaseResult, Finding, Run, Undecided};
use tourbillon_stats::Rng;

use super::server::{Database, address};
use crate::answers::{answers, archive, exact_answers};
use crate::samples::{comparison, record, run};

/// A finite number of any size and sign.
fn value(rng: &mut Rng) -> f64 {
    match rng.index(8) {
        0 => -0.0,
        1 => f64::MIN_POSITIVE / 3.0,
        2 => f64::MAX,
        3 => rng.index(1_000) as f64,
        _ => {
            let value = f64::from_bits(rng.next_u64());
            if value.is_finite() { value } else { 1.0 / 3.0 }
        }
    }
}

/// Texts that languages and bytes order in different ways.
const TEXTS: [&str; 14] = [
    "",
    " ",
    "a",
    "B",
    "b",
    "A b",
    "a_b",
    "a-b",
    "ä",
    "z",
    "É\u{301}",
    "数/据::[n=\"1\"]",
    "\u{1f600}",
    "x\\'; DROP TABLE runs; --\n\t",
];

/// Runs with figures of all kinds, some of them twice, and some with the record of another run.
fn generated(count: usize) -> Vec<RunSummary> {
    let rng = &mut Rng::new(1);
    let bytes = record(0, "c", "cpu", &[]);
    let empty = RunSummary::of(&run(&bytes), "", None);
    let mut runs = Vec::new();
    for _ in 0..count {
        let mut run = empty.clone();
        let text = |rng: &mut Rng| TEXTS[rng.index(TEXTS.len())].to_owned();
        run.record = format!("{:064x}", rng.index(count * 3 / 4));
        run.commit = (rng.index(4) > 0).then(|| text(rng));
        run.started_unix_ns = [0, 7, u64::MAX, 1_790_000_000_000_000_000][rng.index(4)];
        run.package = text(rng);
        run.target = text(rng);
        run.engine = text(rng);
        run.machine.key = TEXTS[rng.index(3)].to_owned();
        run.machine.name = text(rng);
        for _ in 0..rng.index(12) {
            run.figures.push(RunFigure {
                case: text(rng),
                metric: ["time", "Cycles", "allocs"][rng.index(3)].to_owned(),
                unit: ["ns", "", "µs"][rng.index(3)].to_owned(),
                method: "m".to_owned(),
                value: value(rng),
                lower: (rng.index(3) > 0).then(|| value(rng)),
                upper: (rng.index(3) > 0).then(|| value(rng)),
            });
        }
        runs.push(run);
    }
    runs
}

/// Comparisons of all kinds, some with the record of another.
fn comparisons(count: usize) -> Vec<ComparisonSummary> {
    let rng = &mut Rng::new(2);
    let bytes = comparison(0, ["c", "c"], &[("a", Finding::Same)]);
    let template = ComparisonSummary::of(&run(&bytes), "").expect("a comparison");
    let findings = [
        Finding::Faster,
        Finding::Slower,
        Finding::Same,
        Finding::Undecided,
    ];
    let mut all = Vec::new();
    for _ in 0..count {
        let text = |rng: &mut Rng| TEXTS[rng.index(TEXTS.len())].to_owned();
        let mut one = template.clone();
        one.record = format!("{:064x}", rng.index(count * 3 / 4));
        one.commits = [text(rng), text(rng)];
        one.started_unix_ns = [0, 7, u64::MAX][rng.index(3)];
        one.machine.key = text(rng);
        one.machine.name = text(rng);
        one.verdicts.clear();
        for _ in 0..rng.index(5) {
            let [ratio, lower, upper, limit] =
                [0; 4].map(|_| (rng.index(3) > 0).then(|| value(rng)));
            one.verdicts.push(CommitVerdict {
                case: text(rng),
                finding: findings[rng.index(findings.len())],
                ratio,
                lower,
                upper,
                limit,
                margin: value(rng),
                confidence: value(rng),
                why: (rng.index(3) > 0).then_some(Undecided::CoreShared),
                number: (rng.index(3) > 0).then(|| NumberName {
                    name: text(rng),
                    unit: text(rng),
                }),
            });
        }
        all.push(one);
    }
    all
}

fn failures(count: usize) -> Vec<Failure> {
    let rng = &mut Rng::new(3);
    let text = |rng: &mut Rng| TEXTS[rng.index(TEXTS.len())];
    let failures = (0..count).map(|_| {
        let [commit, machine, why] = [0; 3].map(|_| text(rng));
        Failure::new(commit, machine, why, [0, 7, u64::MAX][rng.index(3)])
    });
    failures.collect()
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn answers_are_those_of_sqlite_to_the_last_bit() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = SqliteIndex::open(&folder.path().join("i"), |_| ()).expect("an index");
    let mut server = Database::new("tb_answers").open();
    let runs = generated(400);
    let (comparisons, failures) = (comparisons(200), failures(300));
    let indexes: [&mut dyn Index; 2] = [&mut file, &mut server];
    for index in indexes {
        for some in runs.chunks(70) {
            index.insert(some).expect("inserted");
        }
        for some in comparisons.chunks(70) {
            index.insert_comparisons(some).expect("inserted");
        }
        for some in failures.chunks(70) {
            index.insert_failures(some).expect("inserted");
        }
    }
    let expected = exact_answers(&mut file);
    assert!(expected.len() > 100_000, "{}", expected.len());
    assert!(exact_answers(&mut server) == expected, "answers differ");
    let mut again = Database::new("tb_answers_again").open();
    again.insert(&runs).expect("inserted");
    again.insert_failures(&failures).expect("inserted");
    again.insert_comparisons(&comparisons).expect("inserted");
    assert!(exact_answers(&mut again) == expected, "answers differ");
}

/// A user who may add records could hold up those of all others with one name.
#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn a_record_that_does_not_fit_costs_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 8);
    let mut run = Run::default();
    // Random letters: no compression makes the name short.
    let rng = &mut Rng::new(4);
    let name = (0..20_000).map(|_| char::from(b'a' + rng.index(26) as u8));
    run.results.push(CaseResult {
        case: name.collect(),
        estimate: Ok(1.0),
        ..CaseResult::default()
    });
    archive.add(&run, b"too long", None).expect("added");
    let mut index = Database::new("tb_unfit").open();
    for added in [8, 0] {
        let updated = update(&mut index, &archive).expect("answers");
        assert!(updated.left.is_none(), "{updated:?}");
        let [skipped] = &updated.unfit[..] else {
            panic!("{updated:?}");
        };
        let skipped = skipped.to_string();
        assert!(
            skipped.contains("the index does not take it: index row"),
            "{skipped}"
        );
        assert_eq!(updated.runs, added);
    }
    assert_eq!(index.runs().expect("runs").len(), 8);
}

/// Two writers at once lose nothing and add nothing twice.
#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn two_writers_add_each_run_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 40);
    let hashes = archive.hashes(FileKind::Run).expect("hashes");
    let all: Vec<RunSummary> = hashes
        .iter()
        .map(|hash| archive.summary(hash))
        .collect::<Result<_, _>>()
        .expect("summaries");
    let database = Database::new("tb_writers");
    thread::scope(|scope| {
        for writer in 0..2 {
            let (all, database) = (&all, &database);
            scope.spawn(move || {
                let mut index = database.open();
                let order = |at: usize| if writer == 0 { at } else { all.len() - 1 - at };
                for at in 0..all.len() {
                    index.insert(&all[order(at)..=order(at)]).expect("inserted");
                }
            });
        }
    });
    let mut both = database.open();
    let mut file = SqliteIndex::open(&folder.path().join("i"), |_| ()).expect("an index");
    file.insert(&all).expect("inserted");
    assert_eq!(answers(&mut both), answers(&mut file));
    assert_eq!(both.runs().expect("runs").len(), 40);
    // The truth is elsewhere: nothing is missing.
    assert_eq!(update(&mut both, &archive).expect("nothing new").runs, 0);
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn a_role_that_may_append_changes_nothing_that_is_there() {
    let database = Database::new("tb_append");
    let runs = generated(60);
    let (known, new) = runs.split_at(20);
    database.open().insert(known).expect("inserted");
    let mut owner = database.client();
    for (role, rights, new) in [
        ("Tb_append", Rights::Append, &new[..20]),
        ("tb \"read", Rights::Read, &new[20..]),
    ] {
        let quoted = format!("\"{}\"", role.replace('"', "\"\""));
        let password = database.add_role(&quoted);
        owner.batch_execute(&rights.grant(role)).expect("granted");
        let url = database.url_of(&role.replace('"', "%22").replace(' ', "%20"), password);
        let mut index = PostgresIndex::open(&address(&url), |_| ()).expect("an index");
        let before = exact_answers(&mut index);
        for added in [
            index.insert(new),
            index.insert_comparisons(&comparisons(5)),
            index.insert_failures(&failures(5)),
        ] {
            if rights == Rights::Append {
                added.expect("appended");
            } else {
                let error = added.expect_err("no right").to_string();
                assert!(error.contains("permission denied for table"), "{error}");
            }
        }
        if rights == Rights::Read {
            assert_eq!(exact_answers(&mut index), before);
        }
        let set = format!("SET ROLE {quoted}; SET search_path = tourbillon");
        let mut client = database.client();
        client.batch_execute(&set).expect("the role");
        // A number that no command can read is not added.
        for number in ["'NaN'", "'Infinity'", "'-Infinity'"] {
            let added = format!("INSERT INTO points VALUES (1, 999, 1, {number}, 2)");
            let error = client.execute(&added, &[]).expect_err("not finite");
            let expected = match rights {
                Rights::Append => tokio_postgres::error::SqlState::CHECK_VIOLATION,
                _ => tokio_postgres::error::SqlState::INSUFFICIENT_PRIVILEGE,
            };
            assert_eq!(error.code(), Some(&expected), "{added}: {error}");
        }
        for statement in [
            "DELETE FROM runs",
            "UPDATE runs SET commit_id = 'x'",
            "DELETE FROM points",
            "DELETE FROM failures",
            "UPDATE verdicts SET finding = 'same'",
            "UPDATE comparisons SET started = 0",
            "UPDATE points SET value = 1",
            "UPDATE series SET unit = 's'",
            "TRUNCATE points",
            "DROP TABLE points",
            "ALTER TABLE points ADD more TEXT",
            "UPDATE tables_version SET version = 0",
            "CREATE TABLE tourbillon.own (a TEXT)",
        ] {
            let error = client.execute(statement, &[]).expect_err(statement);
            assert_eq!(
                error.code(),
                Some(&tokio_postgres::error::SqlState::INSUFFICIENT_PRIVILEGE),
                "{statement}: {error}"
            );
        }
    }
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn a_lost_connection_is_named() {
    let database = Database::new("tb_lost");
    let mut index = database.open();
    let ended = database.client().execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = 'tb_lost' AND application_name = 'tourbillon'",
        &[],
    );
    assert_eq!(ended.expect("ended"), 1);
    for _ in 0..2 {
        let error = index.runs().expect_err("no connection").to_string();
        assert!(
            error.contains("the connection was lost (") && error.contains("repeat the command"),
            "{error}"
        );
    }
    assert_eq!(database.open().runs().expect("a new connection"), []);
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn only_servers_with_a_certificate_of_the_authority_are_trusted() {
    let database = Database::new("tb_tls");
    database.open();
    let password = database.add_role("tb_tls_role");
    let grant = Rights::Read.grant("tb_tls_role");
    database.client().batch_execute(&grant).expect("granted");
    let url = database.url_of("tb_tls_role", password);
    let failure = |url: &str| {
        let error = PostgresIndex::open(&address(url), |_| ())
            .expect_err(url)
            .to_string();
        assert!(!error.contains(password), "{error}");
        error
    };
    PostgresIndex::open(&address(&url), |_| ()).expect("a connection");
    // Another name than that of the certificate, another authority, no encryption, another password.
    let error = failure(&url.replace("localhost", "db.example"));
    assert!(error.contains("not valid for name"), "{error}");
    let (start, authority) = url.split_once("&sslrootcert=").expect("an authority");
    let error = failure(start);
    assert!(
        error.contains("UnknownIssuer") || error.contains("no authority"),
        "{error}"
    );
    let error = failure(&url.replace("verify-full", "disable"));
    assert!(error.contains("no encryption"), "{error}");
    let error = failure(&url.replace(password, "wrong"));
    assert!(error.contains("password authentication failed"), "{error}");
    let missing = format!("{start}&sslrootcert={authority}.missing");
    assert!(failure(&missing).contains("cannot be read as certificates"));
    // No server at this port.
    let error = failure("postgres://a@127.0.0.1:1/x");
    assert!(error.contains("onnect"), "{error}");
}
