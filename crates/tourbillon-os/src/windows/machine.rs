//! What Windows shows about the machine.

use std::io;
use std::ptr;

use windows_sys::Wdk::System::SystemServices::RtlGetVersion;
use windows_sys::Win32::System::Power::{GetSystemPowerStatus, SYSTEM_POWER_STATUS};
use windows_sys::Win32::System::Registry::{HKEY_LOCAL_MACHINE, RRF_RT_REG_SZ, RegGetValueW};
use windows_sys::Win32::System::SystemInformation::{
    GlobalMemoryStatusEx, IMAGE_FILE_MACHINE_AMD64, IMAGE_FILE_MACHINE_ARM64,
    IMAGE_FILE_MACHINE_UNKNOWN, MEMORYSTATUSEX, OSVERSIONINFOEXW,
};
use windows_sys::Win32::System::Threading::{
    ABOVE_NORMAL_PRIORITY_CLASS, BELOW_NORMAL_PRIORITY_CLASS, GetCurrentProcess, GetPriorityClass,
    GetProcessMitigationPolicy, HIGH_PRIORITY_CLASS, IDLE_PRIORITY_CLASS, IsWow64Process2,
    NORMAL_PRIORITY_CLASS, ProcessASLRPolicy, REALTIME_PRIORITY_CLASS,
};
use windows_sys::w;

use super::call::succeeded;

/// The version of Windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowsVersion {
    /// Such as 10, which Windows 11 has, too.
    pub major: u32,
    /// Such as 0.
    pub minor: u32,
    /// Such as 26100: 22000 is the first one of Windows 11.
    pub build: u32,
    /// Whether it is a server.
    pub server: bool,
}

/// The version of the system, whatever versions this program was made for.
///
/// # Errors
/// If the system does not report it.
pub fn windows_version() -> io::Result<WindowsVersion> {
    let mut version = OSVERSIONINFOEXW {
        dwOSVersionInfoSize: size_of::<OSVERSIONINFOEXW>() as u32,
        ..OSVERSIONINFOEXW::default()
    };
    // SAFETY: the call writes as much as the structure states that it has.
    let status = unsafe { RtlGetVersion((&raw mut version).cast()) };
    if status != 0 {
        return Err(io::Error::other(format!("RtlGetVersion: {status:#X}")));
    }
    /// A workstation (`VER_NT_WORKSTATION`).
    const WORKSTATION: u8 = 1;
    Ok(WindowsVersion {
        major: version.dwMajorVersion,
        minor: version.dwMinorVersion,
        build: version.dwBuildNumber,
        server: version.wProductType != WORKSTATION,
    })
}

/// Memory that the system can use, in bytes.
///
/// # Errors
/// If the system does not report it.
pub fn memory_bytes() -> io::Result<u64> {
    let mut memory = MEMORYSTATUSEX {
        dwLength: size_of::<MEMORYSTATUSEX>() as u32,
        ..MEMORYSTATUSEX::default()
    };
    // SAFETY: the call writes as much as the structure states that it has.
    succeeded(unsafe { GlobalMemoryStatusEx(&raw mut memory) })?;
    Ok(memory.ullTotalPhys)
}

/// Whether the machine runs on its battery; `None` if the system does not know.
pub fn on_battery() -> Option<bool> {
    let mut power = SYSTEM_POWER_STATUS::default();
    // SAFETY: there is room for what the call writes.
    succeeded(unsafe { GetSystemPowerStatus(&raw mut power) }).ok()?;
    match power.ACLineStatus {
        0 => Some(true),
        1 => Some(false),
        _ => None,
    }
}

/// The power plan that is in use: its name, or its GUID where it is not one of Microsoft's.
///
/// # Errors
/// If the registry does not have it.
pub fn power_plan() -> io::Result<String> {
    let mut guid = [0_u16; 64];
    let mut bytes = size_of_val(&guid) as u32;
    // SAFETY: the names end with 0; the size is that of the array, which the call writes to.
    let status = unsafe {
        RegGetValueW(
            HKEY_LOCAL_MACHINE,
            w!(r"SYSTEM\CurrentControlSet\Control\Power\User\PowerSchemes"),
            w!("ActivePowerScheme"),
            RRF_RT_REG_SZ,
            ptr::null_mut(),
            guid.as_mut_ptr().cast(),
            &raw mut bytes,
        )
    };
    if status != 0 {
        return Err(io::Error::from_raw_os_error(status.cast_signed()));
    }
    let guid = String::from_utf16_lossy(&guid);
    Ok(plan_name(guid.trim_end_matches('\0')).to_owned())
}

/// The plans that every Windows has, by the GUIDs of winnt.h and powercfg.
fn plan_name(guid: &str) -> &str {
    match guid.to_ascii_lowercase().as_str() {
        "381b4222-f694-41f0-9685-ff5bb260df2e" => "balanced",
        "8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c" => "high performance",
        "a1841308-3541-4fab-bc81-f71556f20b4a" => "power saver",
        "e9a42b02-d5df-448d-aa00-03f14749eb61" => "ultimate performance",
        _ => guid,
    }
}

/// Whether the addresses of this process are random.
///
/// # Errors
/// If the system does not report it.
pub fn random_addresses() -> io::Result<bool> {
    let mut flags = 0_u32;
    // SAFETY: the structure of this policy is a number, to which the call writes.
    succeeded(unsafe {
        GetProcessMitigationPolicy(
            GetCurrentProcess(),
            ProcessASLRPolicy,
            (&raw mut flags).cast(),
            size_of_val(&flags),
        )
    })?;
    /// Addresses of stacks, heaps and libraries (`EnableBottomUpRandomization`).
    const BOTTOM_UP: u32 = 1;
    Ok(flags & BOTTOM_UP != 0)
}

/// The priority class of this process; processes that it starts inherit `idle` and `below normal`.
///
/// # Errors
/// If the system does not report it.
pub fn priority() -> io::Result<&'static str> {
    // SAFETY: takes a pseudo handle and returns a number.
    Ok(match unsafe { GetPriorityClass(GetCurrentProcess()) } {
        0 => return Err(io::Error::last_os_error()),
        IDLE_PRIORITY_CLASS => "idle",
        BELOW_NORMAL_PRIORITY_CLASS => "below normal",
        NORMAL_PRIORITY_CLASS => "normal",
        ABOVE_NORMAL_PRIORITY_CLASS => "above normal",
        HIGH_PRIORITY_CLASS => "high",
        REALTIME_PRIORITY_CLASS => "real time",
        _ => "unknown",
    })
}

/// Whether this program is made for another processor than the machine's, and translated: x86-64 on Arm.
///
/// # Errors
/// If the system does not report it, as Windows 10 before version 1709.
pub fn is_translated() -> io::Result<bool> {
    let [mut process, mut machine] = [IMAGE_FILE_MACHINE_UNKNOWN; 2];
    // SAFETY: there is room for what the call writes.
    succeeded(unsafe { IsWow64Process2(GetCurrentProcess(), &raw mut process, &raw mut machine) })?;
    let own = if cfg!(target_arch = "aarch64") {
        IMAGE_FILE_MACHINE_ARM64
    } else {
        IMAGE_FILE_MACHINE_AMD64
    };
    Ok(machine != own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_described() {
        let version = windows_version().unwrap();
        assert!(version.major >= 6, "{version:?}");
        assert!(memory_bytes().unwrap() > 1 << 28);
        assert_ne!(priority().unwrap(), "unknown");
        assert!(!is_translated().unwrap());
    }

    #[test]
    fn plans_of_microsoft_have_names() {
        let balanced = "381B4222-F694-41F0-9685-FF5BB260DF2E";
        assert_eq!(plan_name(balanced), "balanced");
        assert_eq!(plan_name("0b5e7fda"), "0b5e7fda");
    }
}
