//! A connection, encrypted where it leaves the machine.

use std::path::Path;
use std::sync::Arc;

use ::postgres::config::SslMode;
use ::postgres::{Client, NoTls};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::address::ServerAddress;
use super::password::password;
use super::reason::reason;
use super::tables;
use crate::Error;

/// What every connection begins with. A writer waits for another one as long as with SQLite.
const SETTINGS: &str = "SET search_path = tourbillon; SET lock_timeout = '60s'";

/// Connects, and brings the tables up to date.
pub(super) fn connect(address: &ServerAddress) -> Result<Client, Error> {
    let mut config = address.config.clone();
    if let Some(password) = password(address)? {
        config.password(password);
    }
    let connected = if config.get_ssl_mode() == SslMode::Disable {
        config.connect(NoTls)
    } else {
        config.connect(MakeRustlsConnect::new(encryption(address)?))
    };
    let failed = |error: ::postgres::Error| Error::new(address, reason(&error));
    let mut client = connected.map_err(failed)?;
    client.batch_execute(SETTINGS).map_err(failed)?;
    tables::prepare(&mut client, address)?;
    Ok(client)
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
    let config = ClientConfig::builder_with_provider(provider);
    let config = config
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::new(address, error))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    read.map_err(|error| Error::new(file, format!("cannot be read as certificates: {error}")))
}
