//! A connection, encrypted where it leaves the machine.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::config::SslMode;

use super::address::ServerAddress;
use super::client::Client;
use super::failure::{failed, not_connected};
use super::password::password;
use super::tables;
use crate::index::Error;

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
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    read.map_err(|error| Error::new(file, format!("cannot be read as certificates: {error}")))
}
