//! The tables on the server, and how they come to be.

use super::address::ServerAddress;
use super::client::{Client, ServerError, Transaction};
use super::failure::failed;
use super::reason::reason;
use crate::index::Error;
use crate::index::tables::{COMPARISONS, CONDITIONS, HOSTS, RUNS};

/// What makes each version of the tables from the one before it. A step that a release has is never changed.
const STEPS: [&str; 7] = [RUNS, "", COMPARISONS, UNUSED, CONDITIONS, FINITE, HOSTS];

/// Tables that only versions 2 and 3 have.
const UNUSED: &str = "DROP TABLE IF EXISTS results, pins, machines, jobs, requests";

/// A number that is infinite or none ends the commands of all who read it, so a role that may append adds none.
/// NaN is larger than all other numbers here.
const FINITE: &str = "
DELETE FROM points WHERE GREATEST(value, lower_end, upper_end) > 1.7976931348623157e308
    OR LEAST(value, lower_end, upper_end) < -1.7976931348623157e308;
ALTER TABLE points ADD CONSTRAINT finite CHECK (GREATEST(value, lower_end, upper_end) <= 1.7976931348623157e308
    AND LEAST(value, lower_end, upper_end) >= -1.7976931348623157e308);
DELETE FROM verdicts WHERE
    GREATEST(ratio, lower_end, upper_end, ratio_limit, margin, confidence) > 1.7976931348623157e308
    OR LEAST(ratio, lower_end, upper_end, ratio_limit, margin, confidence) < -1.7976931348623157e308;
ALTER TABLE verdicts ADD CONSTRAINT finite CHECK (
    GREATEST(ratio, lower_end, upper_end, ratio_limit, margin, confidence) <= 1.7976931348623157e308
    AND LEAST(ratio, lower_end, upper_end, ratio_limit, margin, confidence) >= -1.7976931348623157e308);
";

/// The owner of the schema or of something in it, where this role has more rights: a superuser, or the owner of the
/// database. Triggers and views of the tables are executed with the rights of who asks.
const STRANGER: &str = "
SELECT pg_catalog.pg_get_userbyid(owner)::text
FROM (
    SELECT nspowner AS owner FROM pg_catalog.pg_namespace WHERE nspname = 'tourbillon'
    UNION
    SELECT relowner FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace AS own ON own.oid = relnamespace
    WHERE nspname = 'tourbillon'
) AS owners
CROSS JOIN (SELECT datdba FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()) AS here
JOIN pg_catalog.pg_roles AS own ON own.rolname = current_user
JOIN pg_catalog.pg_roles AS other ON other.oid = owner
WHERE (own.rolsuper OR own.oid = datdba) AND owner <> own.oid AND owner <> datdba AND NOT other.rolsuper
LIMIT 1";

/// The number of the lock that writers take: the letters \"TBIX\".
const LOCK: i64 = 0x5442_4958;

/// Waits until no other writer is at work, and says so first. The lock ends with the transaction.
///
/// Roles that may only append cannot lock a table.
pub(super) fn lock(
    transaction: &Transaction<'_>,
    waiting: impl FnOnce(),
) -> Result<(), ServerError> {
    let query = "SELECT pg_try_advisory_xact_lock($1)";
    if !transaction.query_one(query, &[&LOCK])?.try_get(0)? {
        waiting();
        transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])?;
    }
    Ok(())
}

/// Makes the tables, or brings older ones up to date.
pub(super) fn prepare(client: &mut Client, address: &ServerAddress) -> Result<(), Error> {
    let newest = STEPS.len() as i64;
    let asked = |transaction: Transaction<'_>| {
        Ok(match transaction.query(STRANGER, &[])?.first() {
            Some(row) => Err(row.try_get::<_, String>(0)?),
            None => Ok(version(&transaction)?),
        })
    };
    let found = client.transaction().and_then(asked);
    let found = found.map_err(|error| failed(address, &error))?;
    let found = found.map_err(|owner| {
        let what = format!(
            "its schema tourbillon belongs to {owner:?}, whose triggers would be executed with the rights of this role; \
             connect as a role that may only read or append"
        );
        Error::new(address, what)
    })?;
    match found {
        Some(version) if version == newest => return Ok(()),
        Some(version) if version > newest => {
            return Err(Error::new(
                address,
                format!(
                    "the tables have version {version}, this program knows {newest}; install a newer cargo-tourbillon"
                ),
            ));
        }
        _ => {}
    }
    migrate(client).map_err(|error| {
        let state = match found {
            None => "the tables are missing".to_owned(),
            Some(version) => format!("the tables have version {version}, {newest} is needed"),
        };
        let ServerError::Reported(error) = &error else {
            return failed(address, &error);
        };
        let reason = reason(error);
        Error::new(
            address,
            format!("{state}, and this role cannot make them ({reason}); connect once as a role that owns the database"),
        )
    })
}

/// The version of the tables; `None` without tables.
fn version(transaction: &Transaction<'_>) -> Result<Option<i64>, ServerError> {
    let query = "SELECT count(*) FROM pg_catalog.pg_tables \
                 WHERE schemaname = 'tourbillon' AND tablename = 'tables_version'";
    let tables: i64 = transaction.query_one(query, &[])?.try_get(0)?;
    if tables == 0 {
        return Ok(None);
    }
    let row = transaction.query_one("SELECT version FROM tourbillon.tables_version", &[])?;
    Ok(Some(row.try_get(0)?))
}

/// Takes the steps that are missing, all or none.
fn migrate(client: &mut Client) -> Result<(), ServerError> {
    let transaction = client.transaction()?;
    lock(&transaction, || ())?;
    // Another program may have been first.
    let done = match version(&transaction)? {
        Some(version) => usize::try_from(version).unwrap_or(STEPS.len()),
        None => {
            // Not IF NOT EXISTS, which needs the right to make a schema even where there is one.
            let query = "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = 'tourbillon'";
            let schemas: i64 = transaction.query_one(query, &[])?.try_get(0)?;
            if schemas == 0 {
                transaction.batch_execute("CREATE SCHEMA tourbillon")?;
            }
            transaction.batch_execute(
                "CREATE TABLE tourbillon.tables_version (version BIGINT NOT NULL); \
                 INSERT INTO tourbillon.tables_version VALUES (0);",
            )?;
            0
        }
    };
    for step in STEPS.iter().skip(done) {
        // Texts are compared by their bytes, as by SQLite.
        let sql = step.replace(" TEXT", " TEXT COLLATE \"C\"");
        transaction.batch_execute(&sql)?;
    }
    let newest = STEPS.len() as i64;
    transaction.execute(
        "UPDATE tourbillon.tables_version SET version = $1 WHERE version < $1",
        &[&newest],
    )?;
    transaction.commit()
}
