//! A connection, encrypted where it leaves the machine.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::config::SslMode;
use tourbillon_values::regular_file;

use super::address::ServerAddress;
use super::client::Client;
use super::failure::{failed, not_connected};
use super::password::password;
use super::tables;
use crate::index::Error;

/// Bytes of the largest file of certificates: those of all authorities that systems know are some hundred kilobytes.
const CERTIFICATES_BYTES: u64 = 1 << 24;

/// What every connection begins with. A writer waits for another one as long as with SQLite.
const SETTINGS: &str = "SET search_path = tourbillon; SET lock_timeout = '60s'";

/// Connects to the first server that answers, and brings the tables up to date.
pub(crate) fn connect(address: &ServerAddress) -> Result<Client, Error> {
    let encryption = match address.config.get_ssl_mode() {
        SslMode::Disable => None,
        _ => Some(encryption(address)?),
    };
    let mut failure = None;
    for server in &address.servers {
        let mut server = server.clone();
        if let Some(password) = password(&server)? {
            server.password(password);
        }
        let connect = server.get_connect_timeout().copied();
        let limits = [connect.unwrap_or(Duration::MAX), address.answer];
        let ready = Client::connect(&server, encryption.clone(), limits)
            .map_err(|error| not_connected(address, &error))
            .and_then(|client| {
                let set = client.batch_execute(SETTINGS);
                set.map(|()| client)
                    .map_err(|error| failed(address, &error))
            });
        match ready {
            Ok(mut client) => {
                tables::prepare(&mut client, address)?;
                return Ok(client);
            }
            Err(error) => failure = Some(error),
        }
    }
    Err(failure.unwrap_or_else(|| Error::new(address, "the address names no server")))
}

/// Which certificates are accepted.
fn encryption(address: &ServerAddress) -> Result<ClientConfig, Error> {
    let mut roots = RootCertStore::empty();
    match &address.authorities {
        Some(file) => {
            for certificate in certificates(file)? {
                let added = roots.add(certificate);
                added.map_err(|error| Error::new(file, error))?;
            }
        }
        None => {
            // Some of a system's certificates are often unreadable or outdated.
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    if roots.is_empty() {
        let what = "no authority for certificates is known; name a file of them with sslrootcert=FILE in the address";
        return Err(Error::new(address, what));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::new(address, error))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let unread = |why: String| Error::new(file, format!("cannot be read as certificates: {why}"));
    let text = regular_file::read(file, CERTIFICATES_BYTES);
    let text = text.map_err(|error| unread(error.to_string()))?;
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    read.map_err(|error| unread(error.to_string()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn certificates_are_in_a_regular_file_of_a_limited_size() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        for file in [pipe.as_path(), Path::new("/dev/zero")] {
            let error = certificates(file).expect_err("no file").to_string();
            assert!(error.contains("cannot be read as certificates"), "{error}");
        }
        let file = folder.path().join("none.pem");
        std::fs::write(&file, "no certificate\n").expect("a file");
        assert!(certificates(&file).expect("read").is_empty());
    }
}
