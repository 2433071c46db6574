//! The server of `scripts/postgres.sh`, with a database for each test.

use std::env;

use crate::program::Ran;

/// Statements, executed one after the other by psql.
pub(super) fn execute(url: &str, statements: &[&str]) -> String {
    let mut psql = std::process::Command::new("psql");
    psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url]);
    for statement in statements {
        psql.args(["-c", statement]);
    }
    let ran = Ran::from(psql.output().expect("psql starts"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.stdout
}

/// The address of an empty database with this name, as the role that may do everything.
pub(super) fn database(name: &str) -> String {
    let all = env::var("TEST_POSTGRES").expect("scripts/postgres.sh sets it");
    let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
    execute(&all, &[&drop, &format!("CREATE DATABASE {name}")]);
    let (server, _) = all.rsplit_once('/').expect("a database");
    format!("{server}/{name}")
}

/// The address of a database by TCP, encrypted, as this role, without a password.
pub(super) fn encrypted(name: &str, role: &str) -> String {
    let url = env::var("TEST_POSTGRES_TLS").expect("scripts/postgres.sh sets it");
    url.replacen("://", &format!("://{role}@"), 1)
        .replacen("/postgres?", &format!("/{name}?"), 1)
}
