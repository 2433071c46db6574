//! A connection on which no wait is without a limit.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::io;
use std::ops::Range;
use std::pin::pin;
use std::time::Duration;

use futures_util::TryStreamExt;
use rustls::ClientConfig;
use tokio::io::{AsyncRead, AsyncWrite};
#[cfg(unix)]
use tokio::net::UnixStream;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio::time::timeout;
#[cfg(unix)]
use tokio_postgres::NoTls;
#[cfg(unix)]
use tokio_postgres::config::Host;
use tokio_postgres::config::{SslMode, SslNegotiation};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, Connection, Row, RowStream, Statement, ToStatement};
use tokio_postgres_rustls::MakeRustlsConnect;
use tourbillon_values::limits::ANSWER_BYTES;

#[cfg(unix)]
use super::announcements::Limited;
use super::announcements::{Encrypted, Plain};

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
    /// There was an answer of more than so many bytes.
    Endless(u64),
    /// This machine does not allow a connection.
    Impossible(io::Error),
}

impl From<tokio_postgres::Error> for ServerError {
    fn from(error: tokio_postgres::Error) -> ServerError {
        ServerError::Reported(error)
    }
}

/// The task of a connection, which ends with the reason.
type Task = JoinHandle<Result<(), tokio_postgres::Error>>;

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
    /// Most bytes of an answer.
    most: u64,
    /// Whether an answer is missing or has no end, after which there is no other.
    is_silent: Cell<bool>,
    connection: RefCell<Option<Task>>,
}

/// Connects with a limit for announcements.
async fn connected(
    mut config: Config,
    encryption: Option<ClientConfig>,
) -> Result<(tokio_postgres::Client, Task), tokio_postgres::Error> {
    if let Some(encryption) = encryption {
        let encryption = Encrypted(MakeRustlsConnect::new(encryption));
        return config.connect(encryption).await.map(spawned);
    }
    #[cfg(unix)]
    if let ([Host::Unix(folder)], []) = (config.get_hosts(), config.get_hostaddrs()) {
        let port = config.get_ports().first().unwrap_or(&5432);
        return match UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await {
            Ok(socket) => {
                let connecting = config.connect_raw(Limited::plain(socket), NoTls);
                connecting.await.map(spawned)
            }
            // Fails again, in the words for it.
            Err(_) => config.connect(NoTls).await.map(spawned),
        };
    }
    // The one way to another stream is that of encryption, of which the server need not know.
    config.ssl_mode(SslMode::Require);
    config.ssl_negotiation(SslNegotiation::Direct);
    if config.get_hosts().is_empty() {
        for address in config.get_hostaddrs().to_vec() {
            config.host(address.to_string());
        }
    }
    config.connect(Plain).await.map(spawned)
}

fn spawned<S, T>(
    (client, connection): (tokio_postgres::Client, Connection<S, T>),
) -> (tokio_postgres::Client, Task)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    (client, tokio::spawn(connection))
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
            most: ANSWER_BYTES,
            is_silent: Cell::new(false),
            connection: RefCell::new(None),
        };
        let mut config = config.clone();
        // Of two addresses of a host the first may be out of reach.
        config.connect_timeout(connect / 2);
        let (client, connection) = link.within(connected(config, encryption))?;
        link.connection.replace(Some(connection));
        link.limit = answer;
        Ok(Client { client, link })
    }

    pub(crate) fn query(&self, query: &str, values: Values<'_>) -> Result<Vec<Row>, ServerError> {
        let values = values.iter().copied();
        self.link.rows(self.client.query_raw(query, values))
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
        let values = values.iter().copied();
        self.link.rows(self.transaction.query_raw(query, values))
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

    /// All rows of an answer, or that they are too many.
    fn rows(
        &self,
        answer: impl Future<Output = Result<RowStream, tokio_postgres::Error>>,
    ) -> Result<Vec<Row>, ServerError> {
        let rows = self.within(async {
            let mut answer = pin!(answer.await?);
            let (mut rows, mut bytes) = (Vec::new(), 0);
            while let Some(row) = answer.try_next().await? {
                // And where its columns begin and end.
                bytes += (row.raw_size_bytes() + size_of::<Row>()) as u64;
                bytes += (row.len() * size_of::<Option<Range<usize>>>()) as u64;
                if bytes > self.most {
                    return Ok(None);
                }
                rows.push(row);
            }
            Ok(Some(rows))
        })?;
        rows.ok_or_else(|| {
            self.is_silent.set(true);
            ServerError::Endless(self.most)
        })
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

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, TcpListener, TcpStream};
    use std::thread;

    use super::*;

    /// Reads what a client says until it waits for an answer.
    fn request(stream: &mut TcpStream) {
        let mut kind = [0];
        while kind != *b"S" {
            let mut length = [0; 4];
            stream.read_exact(&mut kind).expect("a message");
            stream.read_exact(&mut length).expect("a length");
            let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
            stream.read_exact(&mut body).expect("the message");
        }
    }

    /// A server whose answer is rows of one text without an end; gives its port.
    fn server() -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("a port").port();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut length = [0; 4];
            stream.read_exact(&mut length).expect("a length");
            let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
            stream.read_exact(&mut body).expect("the first message");
            let ready = b"Z\0\0\0\x05I";
            let columns = b"T\0\0\0\x1a\0\x01x\0\0\0\0\0\0\0\0\0\0\x19\xff\xff\xff\xff\xff\xff\0\0";
            let prepared = [&b"1\0\0\0\x04t\0\0\0\x06\0\0"[..], columns, ready].concat();
            stream
                .write_all(&[&b"R\0\0\0\x08\0\0\0\0"[..], ready].concat())
                .expect("the client reads");
            request(&mut stream);
            stream.write_all(&prepared).expect("the client reads");
            request(&mut stream);
            stream.write_all(b"2\0\0\0\x04").expect("the client reads");
            while stream.write_all(b"D\0\0\0\x0b\0\x01\0\0\0\x01a").is_ok() {}
        });
        port
    }

    #[test]
    fn rows_without_an_end_have_one() {
        let mut config = Config::new();
        let address = Ipv4Addr::LOCALHOST.into();
        config.hostaddr(address).port(server()).user("ada");
        let never = Duration::from_secs(600);
        let mut client = Client::connect(&config, None, [never; 2]).expect("connected");
        client.link.most = 1 << 16;
        let error = client.query("SELECT x", &[]).expect_err("no end");
        assert!(matches!(error, ServerError::Endless(65_536)), "{error:?}");
        let error = client.query("SELECT x", &[]);
        assert!(matches!(error, Err(ServerError::Silent(_))), "{error:?}");
    }
}
