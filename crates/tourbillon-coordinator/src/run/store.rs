//! The store of a run: where this one goes, and where the last one is.

use std::path::{Path, PathBuf};

use tourbillon_clock::wall;
use tourbillon_record::store::{Last, Store};
use tourbillon_record::{Case, Header};
use tourbillon_report::escape;

use crate::args::{HighArgs, StoreChoice};
use crate::output::Stop;

/// The store that the command line and the environment name; `None` when none is needed.
///
/// # Errors
///
/// Why there is no place for one.
pub(super) fn store(high: &HighArgs) -> Result<Option<Store>, String> {
    let StoreChoice {
        keep,
        flag,
        environment,
    } = &high.store;
    if !keep && high.baseline.is_none() {
        return Ok(None);
    }
    let executable = std::env::current_exe().unwrap_or_else(|_| PathBuf::new());
    Store::locate(flag.as_deref(), environment.as_deref(), &executable)
        .map(|folder| Some(Store::open(folder)))
        .map_err(|error| error.to_string())
}

/// The results of these cases that the new ones are compared with: those of the baseline, if one is named,
/// else the last ones.
///
/// # Errors
///
/// That the baseline does not exist.
pub(super) fn last(
    store: &Store,
    high: &HighArgs,
    header: &Header,
    cases: &[Case],
) -> Result<Last, Stop> {
    let ids: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    let now = wall::unix_ns();
    let last = |store: &Store, takes: &dyn Fn(&Header) -> bool| {
        store.last_with_cases(&header.package, &header.target, &ids, takes, now)
    };
    let Some(name) = &high.baseline else {
        return Ok(last(store, &|then| is_of_one_project(header, then)));
    };
    let baseline = store.baseline(name);
    if baseline.exists() {
        // It was named, wherever it was made.
        return Ok(last(&baseline, &|_| true));
    }
    Err(Stop::usage(format!(
        "baseline {} not found in {:?}; save one with --save",
        escape(name, true),
        store.path()
    )))
}

/// Whether two runs are of one project. In a target folder such as that of `CARGO_TARGET_DIR`, another project or
/// worktree may have a package and a target of the same names. A folder that is gone is that of a checkout which was
/// moved.
fn is_of_one_project(now: &Header, then: &Header) -> bool {
    let [now, then] = [now, then].map(|header| header.fact_text("folder"));
    let (Some(now), Some(then)) = (now, then) else {
        return true;
    };
    now == then || !Path::new(then).is_dir()
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Fact, FactValue};

    use super::*;

    #[test]
    fn projects_with_one_target_folder_are_told_apart() {
        let of = |now: &str, then: Option<&str>| {
            let header = |folder: Option<&str>| Header {
                facts: Vec::from_iter(folder.map(|folder| Fact {
                    name: "folder".to_owned(),
                    value: FactValue::Text(folder.to_owned()),
                })),
                ..Header::default()
            };
            is_of_one_project(&header(Some(now)), &header(then))
        };
        let (own, other) = (
            env!("CARGO_MANIFEST_DIR"),
            concat!(env!("CARGO_MANIFEST_DIR"), "/src"),
        );
        assert!(of(own, Some(own)));
        assert!(!of(own, Some(other)));
        // A checkout that was moved, and a record of an earlier version.
        assert!(of(own, Some("/no/such/folder")));
        assert!(of(own, None));
    }
}
