//! The password of a role, from the places where PostgreSQL's own programs look for it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use tokio_postgres::Config;
use tourbillon_values::limits::SETTINGS_BYTES;
use tourbillon_values::regular_file;

use super::address::hosts;
use crate::index::Error;

/// The password for a server: that of the address, else `PGPASSWORD`, else that of the file.
pub(super) fn password(config: &Config) -> Result<Option<Vec<u8>>, Error> {
    if let Some(password) = config.get_password() {
        return Ok(Some(password.to_vec()));
    }
    if let Some(password) = env::var_os("PGPASSWORD").filter(|value| !value.is_empty()) {
        return Ok(Some(password.into_encoded_bytes()));
    }
    let Some(path) = file() else {
        return Ok(None);
    };
    let text = match regular_file::read_text(&path, SETTINGS_BYTES) {
        Ok(text) => text,
        // `/dev/null` has none, as for PostgreSQL's own programs.
        Err(_) if !path.is_file() => return Ok(None),
        Err(error) => return Err(Error::new(&path, format!("cannot be read: {error}"))),
    };
    let Some(found) = find_for_all(&text, &keys(config)) else {
        return Ok(None);
    };
    check(&path)?;
    Ok(Some(found.into_bytes()))
}

/// The file of passwords: `PGPASSFILE`, else the one in the home folder.
fn file() -> Option<PathBuf> {
    if let Some(path) = env::var_os("PGPASSFILE").filter(|value| !value.is_empty()) {
        return Some(PathBuf::from(path));
    }
    if cfg!(windows) {
        let folder = env::var_os("APPDATA")?;
        return Some(Path::new(&folder).join("postgresql").join("pgpass.conf"));
    }
    Some(env::home_dir()?.join(".pgpass"))
}

/// Fails if other users of this machine may read the file.
#[cfg(unix)]
fn check(path: &Path) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path).map_or(0, |data| data.permissions().mode());
    if mode & 0o077 == 0 {
        return Ok(());
    }
    let what = "other users of this machine may read the passwords; run chmod 600 on the file";
    Err(Error::new(path, what))
}

#[cfg(not(unix))]
fn check(_: &Path) -> Result<(), Error> {
    Ok(())
}

/// Host, port, database and user of each server that one password is sent to.
fn keys(config: &Config) -> Vec<[String; 4]> {
    let user = match config.get_user() {
        Some(user) => user.to_owned(),
        None => whoami::username().unwrap_or_default(),
    };
    let database = config.get_dbname().unwrap_or(&user);
    let key = |(host, port): (String, u16)| {
        let is_socket = host.starts_with('/');
        let host = if is_socket {
            "localhost".to_owned()
        } else {
            host
        };
        [host, port.to_string(), database.to_owned(), user.clone()]
    };
    hosts(config).into_iter().map(key).collect()
}

/// The password that is that of each server; `None` where they have different ones, as none may see that of another.
fn find_for_all(text: &str, keys: &[[String; 4]]) -> Option<String> {
    let mut found = keys.iter().map(|key| find(text, key));
    let first = found.next()??;
    found
        .all(|other| other.as_ref() == Some(&first))
        .then_some(first)
}

/// The password of the first line that fits.
fn find(text: &str, key: &[String; 4]) -> Option<String> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.find_map(|line| {
        let fields = fields(line);
        let [host, port, database, user, password] = fields.try_into().ok()?;
        let fits = [host, port, database, user]
            .iter()
            .zip(key)
            .all(|(pattern, own)| pattern == "*" || pattern == own);
        fits.then_some(password)
    })
}

/// The fields between colons; a backslash makes the next letter an ordinary one.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        let ordinary = match letter {
            ':' => {
                fields.push(String::new());
                continue;
            }
            '\\' => letters.next(),
            letter => Some(letter),
        };
        if let (Some(field), Some(letter)) = (fields.last_mut(), ordinary) {
            field.push(letter);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::super::address::ServerAddress;
    use super::*;

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        let text = "# host:port:database:user:password\n\
                    db.example:5433:x:a:first\n\
                    db.example:*:x:a:sec\\:ond\\\\\n\
                    too:few\n\
                    *:*:*:b:any\n\
                    db.example:5432:x:a:late\n";
        let found = |url: &str| {
            let address = ServerAddress::parse(url).expect(url);
            let of_servers = address.servers.iter();
            let found = of_servers.map(|one| find_for_all(text, &keys(one)).unwrap_or_default());
            found.collect::<Vec<String>>().join(" ")
        };
        assert_eq!(found("postgres://a@db.example:5433/x"), "first");
        assert_eq!(found("postgres://a@db.example/x"), "sec:ond\\");
        assert_eq!(found("postgres://b@other.example/y"), "any");
        assert_eq!(found("postgres://c@db.example/x"), "");
        // Each server is sent its own.
        let two = "postgres://a@db.example:5433,db.example/x";
        assert_eq!(found(two), "first sec:ond\\");
        assert_eq!(found("postgres://b@other.example,db.example/x"), "any any");
        assert_eq!(
            found("postgres://a@other.example,db.example/x"),
            " sec:ond\\"
        );
        let addresses = "postgres://b@/x?hostaddr=127.0.0.1,127.0.0.2";
        assert_eq!(found(addresses), "any");
    }

    #[test]
    fn the_user_of_the_system_has_a_password() {
        let address = ServerAddress::parse("postgres://db.example/x").expect("an address");
        let [key] = &keys(&address.config)[..] else {
            panic!("one server");
        };
        let user = whoami::username().expect("a user");
        assert_eq!(key[3], user);
        let text = format!("db.example:5432:x:{user}:own\n");
        assert_eq!(find(&text, key).as_deref(), Some("own"));
    }

    #[test]
    fn servers_with_one_password_see_that_of_none_of_them() {
        let text = "127.0.0.1:*:*:*:first\n127.0.0.2:*:*:*:second\n";
        let both = "postgres://a@/x?hostaddr=127.0.0.1,127.0.0.2";
        let config = ServerAddress::parse(both).expect("an address").config;
        assert_eq!(keys(&config).len(), 2);
        assert_eq!(find_for_all(text, &keys(&config)), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_socket_is_called_localhost() {
        let address =
            ServerAddress::parse("postgres:///x?host=/run/pg&user=a").expect("an address");
        assert_eq!(
            find("localhost:5432:x:a:own", &keys(&address.config)[0]).as_deref(),
            Some("own")
        );
    }
}
