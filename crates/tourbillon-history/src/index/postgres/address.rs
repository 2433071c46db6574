//! The address of an index on a server.

use std::ffi::OsStr;
use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use super::parts::Parts;
use crate::index::IndexAddress;

/// How long a connection may take unless the address names a time.
const CONNECT: Duration = Duration::from_secs(15);
/// How long an answer may take unless the address names a time: longer than a writer waits for another one.
const ANSWER: Duration = Duration::from_secs(120);

/// Parameters of an address that PostgreSQL's own programs have, besides those that are read here.
const PARAMETERS: [&str; 17] = [
    "application_name",
    "channel_binding",
    "connect_timeout",
    "dbname",
    "host",
    "hostaddr",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "load_balance_hosts",
    "options",
    "password",
    "port",
    "target_session_attrs",
    "tcp_user_timeout",
    "user",
];
/// The address of an index: `postgres://USER@HOST:PORT/DATABASE`, with the parameters of PostgreSQL's own programs
/// after a question mark.
///
/// A connection to another machine is encrypted, and the certificate of the server is verified, unless the address
/// has `sslmode=disable`. Debug output has no password.
#[derive(Clone)]
pub struct ServerAddress {
    pub(super) config: Config,
    /// The same for each of several servers.
    pub(super) servers: Vec<Config>,
    /// File of the authorities that may sign the certificate of the server; those of the system if there is none.
    pub(super) authorities: Option<PathBuf>,
    /// How long an answer may take.
    pub(super) answer: Duration,
}

impl ServerAddress {
    /// Reads an address.
    ///
    /// # Errors
    ///
    /// When it is none, or has a parameter that is not known. The text never repeats the address, which may have a
    /// password.
    pub fn parse(address: &str) -> Result<ServerAddress, String> {
        let IndexAddress::Server(address) = IndexAddress::parse(OsStr::new(address))? else {
            return Err("not an address; write postgres://USER@HOST/DATABASE".to_owned());
        };
        let mut parts = Parts::parse(&address)?;
        let (mut mode, mut authorities, mut answer) = (None, None, ANSWER);
        for (name, value) in std::mem::take(&mut parts.parameters) {
            match name {
                "sslmode" => mode = Some(value),
                "sslrootcert" => authorities = Some(PathBuf::from(decoded(value)?)),
                "answer_timeout" => answer = seconds(value)?,
                name if PARAMETERS.contains(&name) => parts.parameters.push((name, value)),
                _ => {
                    return Err(format!(
                        "a parameter is not known, or an & of a value is not written as %26; known are answer_timeout, \
                         sslmode, sslrootcert, {}",
                        PARAMETERS.join(", ")
                    ));
                }
            }
        }
        let mut config = parts.config(parts.hosts)?;
        let mode = match mode {
            None if is_local(&config) => SslMode::Disable,
            Some("disable") => SslMode::Disable,
            // Certificates are always verified.
            None | Some("require" | "verify-full") => SslMode::Require,
            Some(other) => {
                let weak = ["allow", "prefer", "verify-ca"].contains(&other);
                let shown = if weak { other } else { ".." };
                return Err(format!(
                    "sslmode={shown} is not supported; write verify-full or disable"
                ));
            }
        };
        complete(&mut config, mode);
        let is_list = config.get_hostaddrs().is_empty() && parts.hosts.contains(',');
        let mut servers = vec![config.clone()];
        if is_list {
            servers = parts
                .hosts
                .split(',')
                .map(|host| parts.config(host))
                .collect::<Result<_, _>>()?;
            servers.iter_mut().for_each(|one| complete(one, mode));
        }
        Ok(ServerAddress {
            config,
            servers,
            authorities,
            answer,
        })
    }

    /// The same with other limits for a connection and for an answer than those that the parameters name.
    #[must_use]
    pub fn with_limits(mut self, [connect, answer]: [Duration; 2]) -> ServerAddress {
        for server in &mut self.servers {
            server.connect_timeout(connect);
        }
        self.answer = answer;
        self
    }

    /// Whether the address has a password.
    pub fn has_password(&self) -> bool {
        self.config.get_password().is_some()
    }
}

/// Adds what an address need not name.
fn complete(config: &mut Config, mode: SslMode) {
    config.ssl_mode(mode);
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT);
    }
    if config.get_application_name().is_none() {
        config.application_name("tourbillon");
    }
}

/// A number of seconds, at least one.
fn seconds(value: &str) -> Result<Duration, String> {
    match value.parse() {
        Ok(count @ 1..) => Ok(Duration::from_secs(count)),
        _ => Err("answer_timeout is no number of seconds".to_owned()),
    }
}

/// What a percent sign and two hexadecimal digits stand for.
fn decoded(text: &str) -> Result<String, String> {
    let bytes = text.as_bytes();
    let (mut result, mut at) = (Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        let code = text.get(at + 1..at + 3).filter(|_| *byte == b'%');
        match code.map(|digits| u8::from_str_radix(digits, 16)) {
            Some(Ok(code)) => {
                result.push(code);
                at += 3;
            }
            _ => {
                result.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8(result).map_err(|_| "a parameter is not UTF-8".to_owned())
}

/// Whether no packet leaves this machine.
fn is_local(config: &Config) -> bool {
    let is_loopback = |name: &str| {
        let address: Option<IpAddr> = name.parse().ok();
        name == "localhost" || address.is_some_and(|address| address.is_loopback())
    };
    let of_hosts = config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => is_loopback(name),
        #[cfg(unix)]
        Host::Unix(_) => true,
    });
    of_hosts && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
}

/// The hosts, or without one the network addresses, each with its port; a socket by its folder.
pub(super) fn hosts(config: &Config) -> Vec<(String, u16)> {
    let name = |host: &Host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.to_string_lossy().into_owned(),
    };
    let mut hosts: Vec<String> = config.get_hosts().iter().map(name).collect();
    if hosts.is_empty() {
        let addresses = config.get_hostaddrs().iter();
        hosts = addresses.map(ToString::to_string).collect();
    }
    let ports = config.get_ports();
    let port = |at: usize| ports.get(at).or(ports.first()).copied().unwrap_or(5432);
    let with_ports = hosts.into_iter().enumerate();
    with_ports.map(|(at, host)| (host, port(at))).collect()
}

impl fmt::Debug for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("postgres://")?;
        if let Some(user) = self.config.get_user() {
            write!(f, "{}@", user.escape_debug())?;
        }
        for (at, (host, port)) in hosts(&self.config).into_iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            write!(f, "{comma}{}:{port}", host.escape_debug())?;
        }
        let database = self.config.get_dbname().unwrap_or_default();
        write!(f, "/{}", database.escape_debug())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(text: &str) -> SslMode {
        let address = ServerAddress::parse(text).expect(text);
        address.config.get_ssl_mode()
    }

    #[test]
    fn connections_to_other_machines_are_encrypted() {
        for (text, expected) in [
            ("postgres://a@db.example/x", SslMode::Require),
            (
                "postgresql://a@db.example:5433/x?sslmode=require",
                SslMode::Require,
            ),
            (
                "postgres://a@db.example/x?sslmode=verify-full",
                SslMode::Require,
            ),
            (
                "postgres://a@db.example/x?sslmode=disable",
                SslMode::Disable,
            ),
            ("postgres://a@localhost,db.example/x", SslMode::Require),
            (
                "postgres://a@localhost/x?hostaddr=10.0.0.1",
                SslMode::Require,
            ),
            ("postgres://a@localhost/x", SslMode::Disable),
            ("postgres://a@[::1]/x", SslMode::Disable),
            (
                "postgres://a@127.0.0.1/x?sslmode=verify-full",
                SslMode::Require,
            ),
        ] {
            assert_eq!(mode(text), expected, "{text}");
        }
        // What would accept any certificate, or none.
        for weak in ["allow", "prefer", "verify-ca", ""] {
            let text = format!("postgres://a@db.example/x?sslmode={weak}");
            let error = ServerAddress::parse(&text).expect_err(weak);
            assert!(error.contains("is not supported"), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn sockets_are_local() {
        assert_eq!(mode("postgres://a@%2Frun%2Fpg/x"), SslMode::Disable);
        assert_eq!(mode("postgres:///x?host=/run/pg&user=a"), SslMode::Disable);
    }

    #[test]
    fn parameters_are_read() {
        let text =
            "postgres://a:s%3Fcret@db.example/x?sslrootcert=/etc/my%20ca.pem&connect_timeout=3";
        let address = ServerAddress::parse(text).expect("an address");
        assert_eq!(address.authorities, Some(PathBuf::from("/etc/my ca.pem")));
        assert_eq!(
            address.config.get_connect_timeout(),
            Some(&Duration::from_secs(3))
        );
        assert_eq!(address.config.get_password(), Some(b"s?cret".as_slice()));
        assert!(address.has_password());
        assert!(
            !ServerAddress::parse("postgres://a@b/c")
                .expect("one")
                .has_password()
        );
    }

    #[test]
    fn letters_that_may_end_a_password_are_refused() {
        for letter in [
            "@", "/", "#", "?", "%", "%4z", "%zz", "@h/", "@h/x@", "@h?x=", "/@", "://",
        ] {
            for url in [
                format!("postgres://a:s3{letter}cret@db.example/x"),
                format!("Postgres://a:s3{letter}cret@db.example/x"),
                format!("postgresql://a:s3{letter}cret@db.example:1/x?sslmode=disable"),
            ] {
                let error = ServerAddress::parse(&url).expect_err(&url);
                assert!(!error.contains("s3") && !error.contains("cret"), "{error}");
                assert!(
                    error.contains("PGPASSWORD") && error.contains("%40"),
                    "{error}"
                );
            }
        }
        // Each of them can be written.
        let url = "postgres://a:%40%2F%23%3F%25%3A@db.example/x";
        let address = ServerAddress::parse(url).expect("an address");
        assert_eq!(address.config.get_password(), Some(b"@/#?%:".as_slice()));
    }

    #[test]
    fn several_servers_are_tried_one_after_the_other() {
        let url = "postgres://a@one:1,two/x?connect_timeout=3&answer_timeout=7";
        let address = ServerAddress::parse(url).expect("an address");
        assert_eq!(address.answer, Duration::from_secs(7));
        assert_eq!(format!("{address:?}"), "postgres://a@one:1,two:5432/x");
        let servers: Vec<_> = address
            .servers
            .iter()
            .map(|one| (one.get_hosts().len(), one.get_ports()))
            .collect();
        assert_eq!(servers, [(1, &[1][..]), (1, &[5432])]);
        let second = &address.servers[1];
        assert_eq!(second.get_ssl_mode(), SslMode::Require);
        assert_eq!(second.get_connect_timeout(), Some(&Duration::from_secs(3)));
    }

    #[test]
    fn no_text_has_the_password() {
        let shown = ServerAddress::parse("postgres://a:s3cret@db.example:5433/x");
        let shown = format!("{:?}", shown.expect("an address"));
        assert_eq!(shown, "postgres://a@db.example:5433/x");
        for wrong in [
            "postgres://a%3As3cret%40db.example/x",
            "postgres://a%3as3cret@db.example/x",
            "postgres://a:p@s3cret%40db.example/x",
            "postgres://a:p@db.example,s3cret%3Ap%40db.example/x",
            "postgres://a:s3cret@db.example/x?password",
            "postgres://a:s3cret@db.example:port/x",
            "postgres://a:s3cret/x",
            "postgres://a:s3cret@db.example/x?password=s3cret&more=1",
            "postgres://a@db.example/x?password=more&s3cret=1",
            "postgres://a@db.example/x?password=more&s3cret",
            "postgres://a@db.example/x?password=more&sslmode=s3cret",
            "postgres://a@db.example/x?connect_timeout=s3cret",
            "postgres://a@db.example/x?answer_timeout=s3cret",
            "postgres://a:s3cret@[db/x",
            "postgres://a:p@ s3cret/x",
            "mysql://a:s3cret@db.example/x",
            "host=db.example password=s3cret",
        ] {
            let error = ServerAddress::parse(wrong).expect_err(wrong);
            assert!(!error.contains("s3cret"), "{error}");
        }
        let url = "postgres://a%1b%E2%80%AE@db.example/x%07";
        let shown = format!("{:?}", ServerAddress::parse(url).expect("an address"));
        assert_eq!(
            shown,
            "postgres://a\\u{1b}\\u{202e}@db.example:5432/x\\u{7}"
        );
    }
}
