//! What macOS shows about the machine.

use std::ffi::{CString, c_void};
use std::io;
use std::process::{Command, Stdio};
use std::ptr;

use crate::power_settings::{PowerSettings, power_settings};
use crate::sys;

/// A text of the kernel by its name, such as `machdep.cpu.brand_string` (`sysctl -a` lists the names).
///
/// # Errors
/// If the kernel has no value of that name.
pub fn system_text(name: &str) -> io::Result<String> {
    let mut bytes = value(name)?;
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A number of the kernel by its name, such as `hw.memsize`.
///
/// # Errors
/// If the kernel has no value of that name, or if it is no number of 32 or 64 bits.
pub fn system_number(name: &str) -> io::Result<u64> {
    let bytes = value(name)?;
    match (<[u8; 4]>::try_from(&*bytes), <[u8; 8]>::try_from(&*bytes)) {
        (Ok(bytes), _) => Ok(u32::from_ne_bytes(bytes).into()),
        (_, Ok(bytes)) => Ok(u64::from_ne_bytes(bytes)),
        _ => {
            let text = format!("{name} is no number");
            Err(io::Error::new(io::ErrorKind::InvalidData, text))
        }
    }
}

/// A value of the kernel.
fn value(name: &str) -> io::Result<Vec<u8>> {
    let terminated = CString::new(name)?;
    let read = |into: *mut c_void, bytes: &mut usize| {
        // SAFETY: the name ends with 0; `bytes` is the size of the place that `into` leads to.
        match unsafe { sys::sysctlbyname(terminated.as_ptr(), into, bytes, ptr::null_mut(), 0) } {
            0 => Ok(()),
            _ => {
                let error = io::Error::last_os_error();
                Err(io::Error::new(error.kind(), format!("{name}: {error}")))
            }
        }
    };
    let mut bytes = 0;
    read(ptr::null_mut(), &mut bytes)?;
    let mut value = vec![0_u8; bytes];
    read(value.as_mut_ptr().cast(), &mut bytes)?;
    value.truncate(bytes);
    Ok(value)
}

/// Runnable tasks on average over 1, 5 and 15 minutes.
pub fn load_average() -> Option<[f64; 3]> {
    let mut load = [0.0; 3];
    // SAFETY: there is room for three numbers.
    let count = unsafe { sys::getloadavg(load.as_mut_ptr(), 3) };
    (count == 3).then_some(load)
}

/// What the machine is supplied with, and whether it saves power.
///
/// # Errors
/// If `pmset`, which is a part of macOS, cannot be started.
///
/// # Cost
/// Starts two processes: about 20 ms.
pub fn power() -> io::Result<PowerSettings> {
    let output = |arguments: &[&str]| {
        let mut command = Command::new("/usr/bin/pmset");
        let output = command.args(arguments).stdin(Stdio::null()).output()?;
        io::Result::Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    Ok(power_settings(
        &output(&["-g", "ps"])?,
        &output(&["-g", "custom"])?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_described() {
        assert_eq!(system_text("kern.ostype").unwrap(), "Darwin");
        assert!(system_number("hw.memsize").unwrap() > 1 << 28);
        assert!(system_number("hw.logicalcpu").unwrap() >= 1);
        let error = system_number("hw.no.such").unwrap_err().to_string();
        assert!(error.starts_with("hw.no.such: "), "{error}");
        assert!(load_average().is_some());
    }
}
