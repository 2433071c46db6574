//! A connection on which no wait is without a limit.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::io;
use std::time::Duration;

use rustls::ClientConfig;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, NoTls, Row, Statement, ToStatement};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long a server may take to note the end of a connection.
const CLOSE: Duration = Duration::from_secs(1);

/// Parameters of a statement.
type Values<'v> = &'v [&'v (dyn ToSql + Sync)];

/// Why a server did not do something.
#[derive(Debug)]
pub(crate) enum ServerError {
    /// What the server or the connection to it reports.
    Reported(tokio_postgres::Error),
    /// There was no answer within a time.
    Silent(Duration),
    /// This machine does not allow a connection.
    Impossible(io::Error),
}

impl From<tokio_postgres::Error> for ServerError {
    fn from(error: tokio_postgres::Error) -> ServerError {
        ServerError::Reported(error)
    }
}

/// A connection.
pub(crate) struct Client {
    // Dropped first: its end ends the connection.
    pub(crate) client: tokio_postgres::Client,
    pub(crate) link: Link,
}

/// Changes that are made together or not at all.
pub(crate) struct Transaction<'c> {
    pub(crate) transaction: tokio_postgres::Transaction<'c>,
    pub(crate) link: &'c Link,
}

/// What a connection needs to go on.
pub(crate) struct Link {
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    /// How long an answer may take.
    limit: Duration,
    /// Whether an answer is missing, after which there is no other.
    is_silent: Cell<bool>,
    /// The connection, which ends with the reason.
    connection: RefCell<Option<JoinHandle<Result<(), tokio_postgres::Error>>>>,
}

impl Client {
    /// Connects within `connect`, with encryption if that is given. Each answer may take `answer`.
    pub(super) fn connect(
        config: &Config,
        encryption: Option<ClientConfig>,
        [connect, answer]: [Duration; 2],
    ) -> Result<Client, ServerError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let mut link = Link {
            runtime: Some(runtime.map_err(ServerError::Impossible)?),
            limit: connect,
            is_silent: Cell::new(false),
            connection: RefCell::new(None),
        };
        let mut config = config.clone();
        // Of two addresses of a host the first may be out of reach.
        config.connect_timeout(connect / 2);
        let connected = async {
            match encryption {
                None => {
                    let (client, connection) = config.connect(NoTls).await?;
                    Ok((client, tokio::spawn(connection)))
                }
                Some(encryption) => {
                    let encryption = MakeRustlsConnect::new(encryption);
                    let (client, connection) = config.connect(encryption).await?;
                    Ok((client, tokio::spawn(connection)))
                }
            }
        };
        let (client, connection) = link.within(connected)?;
        link.connection.replace(Some(connection));
        link.limit = answer;
        Ok(Client { client, link })
    }

    pub(crate) fn query(&self, query: &str, values: Values<'_>) -> Result<Vec<Row>, ServerError> {
        self.link.within(self.client.query(query, values))
    }

    pub(crate) fn batch_execute(&self, statements: &str) -> Result<(), ServerError> {
        self.link.within(self.client.batch_execute(statements))
    }

    pub(crate) fn transaction(&mut self) -> Result<Transaction<'_>, ServerError> {
        let link = &self.link;
        let transaction = link.within(self.client.transaction())?;
        Ok(Transaction { transaction, link })
    }
}

impl Transaction<'_> {
    pub(crate) fn query(&self, query: &str, values: Values<'_>) -> Result<Vec<Row>, ServerError> {
        self.link.within(self.transaction.query(query, values))
    }

    pub(crate) fn query_one(&self, query: &str, values: Values<'_>) -> Result<Row, ServerError> {
        self.link.within(self.transaction.query_one(query, values))
    }

    pub(crate) fn prepare(&self, statement: &str) -> Result<Statement, ServerError> {
        self.link.within(self.transaction.prepare(statement))
    }

    /// How many rows a statement changes.
    pub(crate) fn execute(
        &self,
        statement: &(impl ToStatement + ?Sized),
        values: Values<'_>,
    ) -> Result<u64, ServerError> {
        self.link
            .within(self.transaction.execute(statement, values))
    }

    pub(crate) fn batch_execute(&self, statements: &str) -> Result<(), ServerError> {
        self.link.within(self.transaction.batch_execute(statements))
    }

    pub(crate) fn commit(self) -> Result<(), ServerError> {
        self.link.within(self.transaction.commit())
    }
}

impl Link {
    /// The result of an exchange with the server, or that it takes too long.
    pub(crate) fn within<T>(
        &self,
        exchange: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, ServerError> {
        let silent = ServerError::Silent(self.limit);
        let Some(runtime) = self.runtime.as_ref().filter(|_| !self.is_silent.get()) else {
            return Err(silent);
        };
        match runtime.block_on(async { timeout(self.limit, exchange).await }) {
            Ok(Err(error)) if error.is_closed() => Err(self.end().unwrap_or(error).into()),
            Ok(answer) => Ok(answer?),
            Err(_) => {
                self.is_silent.set(true);
                Err(silent)
            }
        }
    }

    /// Why the connection ended, if it says.
    fn end(&self) -> Option<tokio_postgres::Error> {
        let connection = self.connection.take()?;
        let runtime = self.runtime.as_ref()?;
        let ended = runtime.block_on(async { timeout(CLOSE, connection).await });
        ended.ok()?.ok()?.err()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if !self.is_silent.get() {
            self.end();
        }
        // Without a wait for what looks up the name of a host.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
