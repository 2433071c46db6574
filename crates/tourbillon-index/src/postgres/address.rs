//! The address of an index on a server.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use ::postgres::Config;
use ::postgres::config::{Host, SslMode};

use super::reason::reason;

/// How long a connection may take unless the address names a time.
const PATIENCE: Duration = Duration::from_secs(15);

/// The address of an index: `postgres://USER@HOST:PORT/DATABASE`, with the parameters of PostgreSQL's own programs
/// after a question mark.
///
/// A connection to another machine is encrypted, and the certificate of the server is verified, unless the address
/// has `sslmode=disable`. Debug output has no password.
#[derive(Clone)]
pub struct ServerAddress {
    pub(super) config: Config,
    /// File of the authorities that may sign the certificate of the server; those of the system if there is none.
    pub(super) authorities: Option<PathBuf>,
}

impl ServerAddress {
    /// Whether a text has the scheme of an address.
    fn is_address(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }

    /// Reads an address.
    ///
    /// # Errors
    ///
    /// When it is none, or has a parameter that is not known. The text never repeats the address, which may have a
    /// password.
    pub fn parse(address: &str) -> Result<ServerAddress, String> {
        // User and password come first; both may have a question mark.
        let host = address.find('@').unwrap_or(0);
        let (base, query) = match address[host..].find('?') {
            Some(at) => (&address[..host + at], &address[host + at + 1..]),
            None => (address, ""),
        };
        let (mut kept, mut mode, mut authorities) = (Vec::new(), None, None);
        for parameter in query.split('&').filter(|one| !one.is_empty()) {
            match parameter.split_once('=') {
                Some(("sslmode", value)) => mode = Some(value),
                Some(("sslrootcert", value)) => authorities = Some(PathBuf::from(decoded(value)?)),
                _ => kept.push(parameter),
            }
        }
        if !ServerAddress::is_address(address) {
            return Err("not an address; write postgres://USER@HOST/DATABASE".to_owned());
        }
        let config = Config::from_str(&format!("{base}?{}", kept.join("&")));
        let mut config = config.map_err(|error| reason(&error))?;
        config.ssl_mode(match mode {
            None if is_local(&config) => SslMode::Disable,
            Some("disable") => SslMode::Disable,
            // Certificates are always verified.
            None | Some("require" | "verify-full") => SslMode::Require,
            Some(other) => {
                return Err(format!(
                    "sslmode={other} is not supported; write verify-full or disable"
                ));
            }
        });
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        if config.get_application_name().is_none() {
            config.application_name("tourbillon");
        }
        Ok(ServerAddress {
            config,
            authorities,
        })
    }

    /// Whether the address has a password.
    pub fn has_password(&self) -> bool {
        self.config.get_password().is_some()
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

impl fmt::Debug for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("postgres://")?;
        if let Some(user) = self.config.get_user() {
            write!(f, "{user}@")?;
        }
        let ports = self.config.get_ports();
        for (at, host) in self.config.get_hosts().iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            match host {
                Host::Tcp(name) => write!(f, "{comma}{name}")?,
                #[cfg(unix)]
                Host::Unix(path) => write!(f, "{comma}{}", path.display())?,
            }
            if let Some(port) = ports.get(at).or(ports.first()) {
                write!(f, ":{port}")?;
            }
        }
        write!(f, "/{}", self.config.get_dbname().unwrap_or_default())
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
    fn no_text_has_the_password() {
        let shown = ServerAddress::parse("postgres://a:s3cret@db.example:5433/x");
        let shown = format!("{:?}", shown.expect("an address"));
        assert_eq!(shown, "postgres://a@db.example:5433/x");
        for wrong in [
            "postgres://a:s3cret@db.example/x?password",
            "postgres://a:s3cret@db.example:port/x",
            "postgres://a:s3cret@db.example/x?password=s3cret&more=1",
            "postgres://a:s3cret@[db/x",
            "mysql://a:s3cret@db.example/x",
        ] {
            let error = ServerAddress::parse(wrong).expect_err(wrong);
            assert!(!error.contains("s3cret"), "{error}");
        }
    }
}
