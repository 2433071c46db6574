//! The parts of an address, divided so that no password is taken for another part.

use std::str::FromStr;

use tokio_postgres::Config;

use super::reason::reason;

/// What is wrong with an address in which a letter may be a part of a password or may end it.
const BARE: &str = "an @, a slash, a #, a % or a question mark of a user, password or parameter stands for itself; \
                    write it as %40, %2F, %23, %25 or %3F, or put the password into PGPASSWORD or ~/.pgpass";

/// What is wrong with an address of which more than its password was encoded: a name is shown, and is looked up.
const ENCODED: &str = "the user or the host has an encoded colon or @; write those between user, password and host as \
                       they are, or put the password into PGPASSWORD or ~/.pgpass";

/// The parts of an address.
pub(super) struct Parts<'a> {
    /// User and password, with the @ after them.
    who: &'a str,
    pub(super) hosts: &'a str,
    /// The database, with the slash before it.
    database: &'a str,
    pub(super) parameters: Vec<(&'a str, &'a str)>,
}

impl Parts<'_> {
    /// Divides an address at letters that can stand for nothing else: no part of a password becomes a host.
    pub(super) fn parse(address: &str) -> Result<Parts<'_>, String> {
        let rest = address.strip_prefix("postgres://").unwrap_or(address);
        let (who, rest) = rest.split_at(rest.find('@').map_or(0, |at| at + 1));
        if who.contains(['/', '?', '#']) || rest.contains(['@', '#']) || !is_encoded(address) {
            return Err(BARE.to_owned());
        }
        let (base, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (hosts, database) = base.split_at(base.find('/').unwrap_or(base.len()));
        let is_of_host = |letter: char| letter.is_alphanumeric() || "-._~:,[]%".contains(letter);
        if !hosts.chars().all(is_of_host) {
            return Err(
                "the host has a letter that no host has; write postgres://USER@HOST/DATABASE"
                    .to_owned(),
            );
        }
        let user = who.split(':').next().unwrap_or_default();
        if has_colon(user) || hosts.split(',').any(has_password) {
            return Err(ENCODED.to_owned());
        }
        let mut parameters = Vec::new();
        for parameter in query.split('&').filter(|one| !one.is_empty()) {
            parameters.push(
                parameter.split_once('=').ok_or(
                    "a parameter has no value; write NAME=VALUE, and an & of a value as %26",
                )?,
            );
        }
        Ok(Parts {
            who,
            hosts,
            database,
            parameters,
        })
    }

    /// As the library reads it, with these servers.
    pub(super) fn config(&self, hosts: &str) -> Result<Config, String> {
        let kept: Vec<String> = self
            .parameters
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let (who, database) = (self.who, self.database);
        let config = Config::from_str(&format!(
            "postgres://{who}{hosts}{database}?{}",
            kept.join("&")
        ));
        config.map_err(|error| reason(&error))
    }
}

fn has_colon(part: &str) -> bool {
    part.contains("%3A") || part.contains("%3a")
}

/// Whether a host may begin with user and password. The path of a socket may have any letter.
fn has_password(host: &str) -> bool {
    let is_socket = host.starts_with("%2F") || host.starts_with("%2f");
    !is_socket && (has_colon(host) || host.contains("%40"))
}

/// Whether each percent sign has two hexadecimal digits.
fn is_encoded(text: &str) -> bool {
    let mut parts = text.split('%').skip(1);
    parts.all(|part| {
        let digits = part.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}
