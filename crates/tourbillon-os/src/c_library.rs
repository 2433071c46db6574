//! The C library that this process runs with.

/// Its name and version, such as `glibc 2.36`; `None` where it does not name them.
#[must_use]
pub fn c_library() -> Option<String> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::ffi::{CStr, c_char};
        unsafe extern "C" {
            fn gnu_get_libc_version() -> *const c_char;
        }
        // SAFETY: it returns a text of the library itself, which ends with a zero byte and never changes.
        let version = unsafe { CStr::from_ptr(gnu_get_libc_version()) };
        Some(format!("glibc {}", version.to_str().ok()?))
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_a_version() {
        let named = c_library();
        let is_glibc = cfg!(all(target_os = "linux", target_env = "gnu"));
        assert_eq!(named.is_some(), is_glibc, "{named:?}");
        assert!(named.is_none_or(|text| text.starts_with("glibc 2.")));
    }
}
