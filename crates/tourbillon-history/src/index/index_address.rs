//! What the user names as an index: a file or a server.

use std::ffi::OsStr;
use std::path::PathBuf;

/// Where an index is.
#[derive(Clone, PartialEq, Eq)]
pub enum IndexAddress {
    /// In a file, by SQLite.
    File(PathBuf),
    /// On a server of PostgreSQL: the text begins with `postgres://`, and may have a password.
    Server(String),
}

/// How an address is written.
const FORM: &str = "postgres://USER@HOST/DATABASE";

/// Words before an equals sign that connection strings have and names of files do not.
const KEYWORDS: [&str; 26] = [
    "application_name",
    "connect_timeout",
    "database",
    "db",
    "dbname",
    "driver",
    "dsn",
    "host",
    "hostaddr",
    "options",
    "pass",
    "passfile",
    "passwd",
    "password",
    "pgdatabase",
    "pghost",
    "pgpassword",
    "pguser",
    "port",
    "pwd",
    "server",
    "service",
    "sslmode",
    "uid",
    "user",
    "username",
];

impl IndexAddress {
    /// Reads what was typed. A text that looks like an address is one, or is refused: it is never the name of a file,
    /// because a password would become a part of a path.
    ///
    /// # Errors
    ///
    /// What to write in its place. The text never repeats what was typed, which may have a password.
    pub fn parse(typed: &OsStr) -> Result<IndexAddress, String> {
        let shown = typed.to_string_lossy();
        let text = shown.trim_matches(|letter: char| !is_visible(letter));
        if text.is_empty() {
            return Err(format!("blank; write the name of a file, or {FORM}"));
        }
        if let Some(server) = server(text) {
            return match typed.to_str() {
                Some(_) => Ok(IndexAddress::Server(server)),
                None => Err("an address that is not UTF-8; write other bytes as %XX".to_owned()),
            };
        }
        if is_like_address(text) {
            return Err(format!(
                "neither the name of a file nor the address of a server of PostgreSQL; write {FORM}, or ./NAME for a \
                 file with a colon, an @ or an equals sign in its name"
            ));
        }
        Ok(IndexAddress::File(PathBuf::from(typed)))
    }
}

/// The text as an address, if it has the scheme of one in any spelling.
fn server(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once("://")?;
    let is_ours =
        ["postgres", "postgresql"].map(|name| scheme.eq_ignore_ascii_case(name)) != [false; 2];
    is_ours.then(|| format!("postgres://{rest}"))
}

/// Whether a text may be meant as the address of a server.
fn is_like_address(text: &str) -> bool {
    // Encoded as a whole, as in a link.
    let mut decoded = text.to_owned();
    for (code, letter) in [
        ("%3A", ":"),
        ("%3a", ":"),
        ("%40", "@"),
        ("%2F", "/"),
        ("%2f", "/"),
    ] {
        decoded = decoded.replace(code, letter);
    }
    let text = decoded.as_str();
    if text.contains("://") {
        return true;
    }
    if is_path(text) {
        return false;
    }
    let first = text.split(['/', '\\']).next().unwrap_or_default();
    let lower = text.to_ascii_lowercase();
    let has_name = ["postgres//", "postgresql//"].map(|name| lower.starts_with(name));
    text.contains('@') || first.contains(':') || has_name != [false; 2] || has_keyword(&lower)
}

/// Whether a text can be nothing but the path of a file, whatever letters it has.
fn is_path(text: &str) -> bool {
    let is_absolute = text.starts_with('/') && !text.starts_with("//");
    let is_relative = ["./", "../", ".\\", "..\\"].map(|start| text.starts_with(start));
    let of_windows = match text.as_bytes() {
        [drive, b':', b'/' | b'\\', ..] => drive.is_ascii_alphabetic(),
        [b'\\', b'\\', ..] => true,
        _ => false,
    };
    is_absolute || is_relative != [false; 4] || (cfg!(windows) && of_windows)
}

/// Whether a word of connection strings stands before an equals sign.
fn has_keyword(lower: &str) -> bool {
    lower.match_indices('=').any(|(at, _)| {
        let before = lower[..at].trim_end();
        let is_other = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_';
        let word = before.rsplit(is_other).next().unwrap_or_default();
        KEYWORDS.contains(&word)
    })
}

/// Not so are blanks and marks that a copied text may have at its ends.
fn is_visible(letter: char) -> bool {
    let is_mark = matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    !letter.is_whitespace() && !letter.is_control() && !is_mark
}

/// No debug text has the password.
impl std::fmt::Debug for IndexAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            IndexAddress::File(path) => f.debug_tuple("File").field(path).finish(),
            IndexAddress::Server(_) => f.debug_struct("Server").finish_non_exhaustive(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<IndexAddress, String> {
        IndexAddress::parse(OsStr::new(text))
    }

    #[test]
    fn every_spelling_of_the_scheme_is_a_server() {
        for text in [
            "postgres://ada:s3cret@db.example/x",
            "Postgres://ada:s3cret@db.example/x",
            "POSTGRESQL://ada:s3cret@db.example/x",
            " postgresql://ada:s3cret@db.example/x\n",
            "\u{feff}postgres://ada:s3cret@db.example/x\u{a0}",
        ] {
            let expected = "postgres://ada:s3cret@db.example/x".to_owned();
            let found = parse(text).expect(text);
            assert!(!format!("{found:?}").contains("s3cret"));
            assert!(found == IndexAddress::Server(expected), "{text}");
        }
    }

    #[test]
    fn what_may_be_an_address_is_no_file() {
        for text in [
            "postgres:/ada:s3cret@db.example/x",
            "postgres:ada:s3cret@db.example/x",
            "postgres//ada:s3cret@db.example/x",
            "postgresql//db.example/x",
            "//ada:s3cret@db.example/x",
            "ada:s3cret@db.example/x",
            "ada/s3cret@db.example:1521/x",
            "ada@db.example/x",
            "db.example:5432/x",
            "host=db.example password=s3cret",
            " HOST = db.example PASSWORD = s3cret",
            "dbname=x",
            "PGPASSWORD=s3cret",
            "Server=db.example;Port=5432;Pwd=s3cret",
            "mysql://ada:s3cret@db.example/x",
            "sqlite://s3cret",
            "sqlite:s3cret",
            "file:s3cret?mode=ro",
            ":memory:",
            "jdbc:postgresql://db.example/x?password=s3cret",
            "'postgres://ada:s3cret@db.example/x'",
            "TOURBILLON_INDEX=postgres://ada:s3cret@db.example/x",
            "postgres%3A%2F%2Fada%3As3cret%40db.example%2Fx",
            "ada%3as3cret%40db.example/x",
            "./postgres://ada:s3cret@db.example/x",
            "  ",
        ] {
            let error = parse(text).expect_err(text);
            assert!(!error.contains("s3cret"), "{error}");
            assert!(error.contains("postgres://USER@HOST/DATABASE"), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn other_bytes_are_no_reason_for_a_file() {
        use std::os::unix::ffi::OsStrExt;
        let address = IndexAddress::parse(OsStr::from_bytes(b"postgres://a:s3cret\xff@b/c"));
        let error = address.expect_err("no address");
        assert!(error.contains("not UTF-8") && !error.contains("s3cret"));
        let file = OsStr::from_bytes(b"\xff.sqlite");
        assert_eq!(
            IndexAddress::parse(file),
            Ok(IndexAddress::File(file.into()))
        );
    }

    #[test]
    fn names_of_files_stay_as_they_are() {
        for text in [
            "index.sqlite",
            "target/history.sqlite",
            "/srv/history/index.sqlite",
            "/srv/a@b/c:d.sqlite",
            "./a:b@c",
            "../port=1",
            "run=1/index.sqlite",
            "postgres",
            "postgres/index.sqlite",
            " leading.sqlite",
        ] {
            assert_eq!(parse(text), Ok(IndexAddress::File(text.into())), "{text}");
        }
    }
}
