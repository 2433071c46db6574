//! Cores, their kinds, and caches, as Windows lists them.

#![expect(
    non_upper_case_globals,
    reason = "the names of the system's own headers"
)]

use std::io;
use std::ptr;

use windows_sys::Win32::System::SystemInformation::{
    CACHE_RELATIONSHIP, CacheData, CacheInstruction, GROUP_AFFINITY,
    GetLogicalProcessorInformationEx, PROCESSOR_RELATIONSHIP, RelationAll, RelationCache,
    RelationProcessorCore, SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX,
};

use super::call::succeeded;

/// The cores and caches of the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Processors {
    /// Cores with their hardware threads, in the order of the system.
    pub cores: Vec<Core>,
    /// Caches, in the order of the system; each once, however many cores share it.
    pub caches: Vec<Cache>,
}

/// A core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    /// Hardware threads.
    pub threads: u32,
    /// Its kind: the higher, the faster; 0 for all where cores are alike.
    pub efficiency_class: u8,
}

/// A cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    /// 1 is next to the core.
    pub level: u8,
    /// What it holds.
    pub contents: CacheContents,
    /// Its size.
    pub bytes: u32,
    /// Hardware threads that share it.
    pub threads: u32,
}

/// What a cache holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheContents {
    /// Data and instructions.
    Unified,
    /// Data.
    Data,
    /// Instructions.
    Instructions,
}

/// Lists the cores and caches.
///
/// # Errors
/// If the system does not list them.
pub fn processors() -> io::Result<Processors> {
    let mut bytes = 0;
    // SAFETY: asks for the size. That this is an error of the call is documented.
    unsafe { GetLogicalProcessorInformationEx(RelationAll, ptr::null_mut(), &raw mut bytes) };
    // Aligned as the entries are.
    let mut list = vec![0_u64; (bytes as usize).div_ceil(size_of::<u64>())];
    // SAFETY: the size is that of the list.
    succeeded(unsafe {
        GetLogicalProcessorInformationEx(RelationAll, list.as_mut_ptr().cast(), &raw mut bytes)
    })?;
    let mut found = Processors::default();
    let mut entry: *const u8 = list.as_ptr().cast();
    // SAFETY: the system fills the list with entries, each as long as it states.
    unsafe {
        let end = entry.add(bytes as usize);
        while entry < end {
            let head = entry.cast::<SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX>();
            let body = &raw const (*head).Anonymous;
            match (*head).Relationship {
                RelationProcessorCore => found.cores.push(core(body.cast())),
                RelationCache => found.caches.push(cache(body.cast())),
                _ => {}
            }
            entry = entry.add((*head).Size as usize);
        }
    }
    Ok(found)
}

/// # Safety
/// The pointer leads to an entry of this kind.
unsafe fn core(entry: *const PROCESSOR_RELATIONSHIP) -> Core {
    // SAFETY: by the caller. A core is in one group.
    unsafe {
        Core {
            threads: (*entry).GroupMask[0].Mask.count_ones(),
            efficiency_class: (*entry).EfficiencyClass,
        }
    }
}

/// # Safety
/// The pointer leads to an entry of this kind.
unsafe fn cache(entry: *const CACHE_RELATIONSHIP) -> Cache {
    // SAFETY: by the caller. Both names of the masks lead to the first one; the others follow it. A cache of
    // several groups has as many as it states; before Windows Server 2022 it states 0 and has one.
    unsafe {
        let masks = (&raw const (*entry).Anonymous).cast::<GROUP_AFFINITY>();
        let masks = (0..usize::from((*entry).GroupCount.max(1))).map(|group| masks.add(group));
        Cache {
            level: (*entry).Level,
            contents: match (*entry).Type {
                CacheData => CacheContents::Data,
                CacheInstruction => CacheContents::Instructions,
                _ => CacheContents::Unified,
            },
            bytes: (*entry).CacheSize,
            threads: masks.map(|mask| (*mask).Mask.count_ones()).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_is_of_a_core() {
        let found = processors().unwrap();
        let threads: u32 = found.cores.iter().map(|core| core.threads).sum();
        let available = std::thread::available_parallelism().unwrap().get();
        assert!(threads as usize >= available, "{found:?}");
        assert!(found.caches.iter().all(|cache| cache.bytes > 0));
    }
}
