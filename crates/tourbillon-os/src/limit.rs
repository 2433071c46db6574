use std::io;

use crate::Resource;

/// Limits what this process, and what it starts, may use of a resource (the soft limit).
///
/// # Errors
/// When the limit is above the hard one.
pub fn set_limit(resource: Resource, most: u64) -> io::Result<()> {
    let resource = match resource {
        Resource::CoreFile => libc::RLIMIT_CORE,
        Resource::AddressSpace => libc::RLIMIT_AS,
    };
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is a place for one rlimit.
    if unsafe { libc::getrlimit(resource, &mut limit) } != 0 {
        return Err(io::Error::last_os_error());
    }
    limit.rlim_cur = most as libc::rlim_t;
    // SAFETY: `limit` is one rlimit, filled in.
    match unsafe { libc::setrlimit(resource, &limit) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
