//! The server that the user names.

use tourbillon_tool::exit::Stop;

use crate::index::ServerAddress;

/// Reads an address, which comes from a flag or a variable. One with a password comes from `variable`: arguments are
/// visible to all users of a machine.
pub(crate) fn address(source: &str, url: &str, variable: &str) -> Result<ServerAddress, Stop> {
    let address =
        ServerAddress::parse(url).map_err(|what| Stop::Usage(format!("{source}: {what}")))?;
    if source != variable && address.has_password() {
        return Err(Stop::Usage(format!(
            "{source}: other users of this machine see the password in an argument; put the address into \
             {variable}, or the password into ~/.pgpass, PGPASSFILE or PGPASSWORD"
        )));
    }
    Ok(address)
}
