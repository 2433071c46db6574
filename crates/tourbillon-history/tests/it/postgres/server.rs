//! The server of `scripts/postgres.sh`, with a database for each test.

use std::env;

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, NoTls, Row};
use tourbillon_history::index::{PostgresIndex, ServerAddress};

/// A database of its own.
pub(crate) struct Database {
    name: String,
}

impl Database {
    /// An empty database with this name.
    pub(crate) fn new(name: &str) -> Database {
        let mut client = client(&socket());
        for statement in [
            format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"),
            format!("CREATE DATABASE {name}"),
        ] {
            client.batch_execute(&statement).expect("a database");
        }
        Database {
            name: name.to_owned(),
        }
    }

    /// Its address, as the role that may do everything.
    pub(crate) fn url(&self) -> String {
        let url = socket();
        let (server, _) = url.rsplit_once('/').expect("a database");
        format!("{server}/{}", self.name)
    }

    /// Its address by TCP, encrypted, as this role with this password.
    pub(crate) fn url_of(&self, role: &str, password: &str) -> String {
        let url = env::var("TEST_POSTGRES_TLS").expect("scripts/postgres.sh sets it");
        url.replacen("://", &format!("://{role}:{password}@"), 1)
            .replacen("/postgres?", &format!("/{}?", self.name), 1)
    }

    pub(crate) fn open(&self) -> PostgresIndex {
        PostgresIndex::open(&address(&self.url()), |_| ()).expect("an index")
    }

    /// A connection without our library.
    pub(crate) fn client(&self) -> Client {
        client(&self.url())
    }

    /// Makes a role that may log in, and gives its password. No other test may use the name: all databases have the same
    /// roles, and two changes of one role at once fail.
    pub(crate) fn add_role(&self, role: &str) -> &'static str {
        let mut client = self.client();
        // The role may be there from another run of the test.
        let _ = client.batch_execute(&format!("CREATE ROLE {role}"));
        let login = format!("ALTER ROLE {role} LOGIN PASSWORD 'p4ss'");
        client.batch_execute(&login).expect("a role");
        "p4ss"
    }
}

fn socket() -> String {
    env::var("TEST_POSTGRES").expect("scripts/postgres.sh sets it")
}

fn client(url: &str) -> Client {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let (client, connection) = runtime
        .block_on(tokio_postgres::connect(url, NoTls))
        .expect("a connection");
    runtime.spawn(connection);
    Client { client, runtime }
}

/// A connection without our library.
pub(crate) struct Client {
    client: tokio_postgres::Client,
    runtime: Runtime,
}

impl Client {
    pub(crate) fn batch_execute(&mut self, statements: &str) -> Result<(), Error> {
        self.runtime.block_on(self.client.batch_execute(statements))
    }

    pub(crate) fn execute(
        &mut self,
        statement: &str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<u64, Error> {
        self.runtime
            .block_on(self.client.execute(statement, values))
    }

    pub(crate) fn query(
        &mut self,
        query: &str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Error> {
        self.runtime.block_on(self.client.query(query, values))
    }

    pub(crate) fn query_one(
        &mut self,
        query: &str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Row, Error> {
        self.runtime.block_on(self.client.query_one(query, values))
    }
}

pub(crate) fn address(url: &str) -> ServerAddress {
    ServerAddress::parse(url).expect("an address")
}
