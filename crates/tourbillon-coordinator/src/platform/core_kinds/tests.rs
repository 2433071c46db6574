//! Files of /sys as three processors have them, written from what is published about these.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

use super::*;

/// Core i9-12900K (Alder Lake): eight cores of two threads, eight of one.
const ALDER_LAKE: &[(&str, &str)] = &[
    ("sys/devices/cpu_core/cpus", "0-15"),
    ("sys/devices/cpu_atom/cpus", "16-23"),
];
/// Rockchip RK3588: four Cortex-A55, then four Cortex-A76, the last two of which clock a little higher.
const BIG_LITTLE: &[(&str, &str)] = &[
    ("sys/devices/system/cpu/cpu0/cpu_capacity", "381"),
    ("sys/devices/system/cpu/cpu1/cpu_capacity", "381"),
    ("sys/devices/system/cpu/cpu2/cpu_capacity", "381"),
    ("sys/devices/system/cpu/cpu3/cpu_capacity", "381"),
    ("sys/devices/system/cpu/cpu4/cpu_capacity", "1007"),
    ("sys/devices/system/cpu/cpu5/cpu_capacity", "1007"),
    ("sys/devices/system/cpu/cpu6/cpu_capacity", "1024"),
    ("sys/devices/system/cpu/cpu7/cpu_capacity", "1024"),
    (
        "sys/devices/system/cpu/cpufreq/policy0/scaling_governor",
        "schedutil",
    ),
];
/// A server: one unit of counters.
const SERVER: &[(&str, &str)] = &[
    ("sys/devices/cpu/type", "4"),
    ("sys/devices/system/cpu/online", "0-63"),
    ("sys/devices/system/cpu/cpu0/topology/core_id", "0"),
];

/// Such files in a folder of their own.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn folder(files: &[(&str, &str)]) -> Folder {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder =
        Folder(env::temp_dir().join(format!("tourbillon-kinds-{}-{number}", process::id())));
    for (path, text) in files {
        let path = folder.0.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, format!("{text}\n")).expect("a file");
    }
    folder
}

fn kinds_of(files: &[(&str, &str)]) -> Option<CoreKinds> {
    CoreKinds::read(&folder(files).0, &|| None)
}

fn list(text: &str) -> Vec<u32> {
    processors(text).expect(text)
}

#[test]
fn three_processors() {
    let two = |fast: &str, slow: &str| {
        let kinds = [(CoreKind::Performance, fast), (CoreKind::Efficiency, slow)];
        Some(CoreKinds(
            kinds.map(|(kind, cpus)| (kind, list(cpus))).to_vec(),
        ))
    };
    assert_eq!(kinds_of(ALDER_LAKE), two("0-15", "16-23"));
    assert_eq!(kinds_of(BIG_LITTLE), two("4-7", "0-3"));
    assert_eq!(kinds_of(SERVER), None);
    // Efficiency cores that the firmware has switched off.
    assert_eq!(kinds_of(&ALDER_LAKE[..1]), None);
    // A kernel without units for each kind, and Cores of two generations of names.
    let types = || Some(vec![(0, 0x40), (1, 0x40), (2, 0x20)]);
    assert_eq!(CoreKinds::read(&folder(SERVER).0, &types), two("0-1", "2"));
    let alike = || Some(vec![(0, 0x40), (1, 0x40)]);
    assert_eq!(CoreKinds::read(&folder(SERVER).0, &alike), None);
}

#[test]
fn three_kinds_have_a_middle() {
    let capacity = |cpu: u32| format!("sys/devices/system/cpu/cpu{cpu}/cpu_capacity");
    let paths: Vec<String> = (0..5).map(capacity).collect();
    let texts = ["250", "600", "500", "1024", "250"];
    let files: Vec<(&str, &str)> = paths.iter().map(String::as_str).zip(texts).collect();
    let kinds = kinds_of(&files).expect("kinds");
    let expected = [
        (CoreKind::Performance, &[3][..]),
        (CoreKind::Middle, &[1, 2]),
        (CoreKind::Efficiency, &[0, 4]),
    ];
    assert_eq!(Vec::from_iter(kinds.iter()), expected);
    let units = [ALDER_LAKE, &[("sys/devices/cpu_lowpower/cpus", "24-25")]].concat();
    let kinds = kinds_of(&units).expect("kinds");
    assert_eq!(
        kinds.of(&[24, 3]),
        [CoreKind::Performance, CoreKind::LowPower]
    );
}

#[test]
fn a_run_has_one_kind_unless_a_list_has_more() {
    let kinds = kinds_of(ALDER_LAKE);
    let all = list("0-23");
    let of = |typed: &str, allowed: &[u32]| {
        let choice = match typed {
            "" => CpuChoice::Fastest,
            typed => typed.parse().expect(typed),
        };
        let cpus = WorkerCpus::new(&choice, kinds.as_ref(), allowed)?;
        Ok::<_, String>((cpus.kind().unwrap_or_default(), cpus.cpus))
    };
    let one = |kind: &str, cpus: &str| Ok((kind.to_owned(), list(cpus)));
    assert_eq!(of("", &all), one("performance", "0-15"));
    assert_eq!(of("performance", &all), one("performance", "0-15"));
    assert_eq!(of("efficiency", &all), one("efficiency", "16-23"));
    assert_eq!(of("", &[2, 17]), one("performance", "2"));
    assert_eq!(of("", &[17, 18]), one("efficiency", "17-18"));
    assert_eq!(of("0,3", &all), one("performance", "0,3"));
    assert_eq!(of("3,16", &all), one("mixed", "3,16"));
    for (typed, allowed, expected) in [
        (
            "efficiency",
            &[2][..],
            "this process may run on no efficiency core; it may on 2",
        ),
        (
            "3",
            &[2],
            "this process may not run on processor 3; it may on 2",
        ),
    ] {
        assert_eq!(of(typed, allowed), Err(expected.to_owned()));
    }
    assert!("fast".parse::<CpuChoice>().is_err());
}

#[test]
fn without_kinds_nothing_is_pinned_that_was_not_asked_for() {
    let of = |typed: &str| {
        let choice = typed.parse().expect(typed);
        WorkerCpus::new(&choice, None, &[0, 1])
    };
    assert_eq!(of("performance"), Ok(WorkerCpus::default()));
    assert_eq!(
        WorkerCpus::new(&CpuChoice::Fastest, None, &[]),
        Ok(WorkerCpus::default())
    );
    let one = of("1").expect("a processor");
    assert_eq!((one.cpus.as_slice(), one.kind()), (&[1][..], None));
    let why = of("efficiency").expect_err("a mistake");
    assert!(
        why.starts_with("no efficiency cores are known on this machine; "),
        "{why}"
    );
}
