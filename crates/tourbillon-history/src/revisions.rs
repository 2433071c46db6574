//! Builds commits, and compares them in this process.

use std::slice;
use std::sync::Arc;

use tourbillon_builds::{Build, Cache, Error, HeldFiles, Maker, Selection, Subject, is_commit};
use tourbillon_os::Signals;
use tourbillon_present::Block;
use tourbillon_record::Verdict;
use tourbillon_tool::machine_kind::Machine;

use tourbillon_compare::{
    Compared, Confirmed, Demand, Options, RevisionOptions, UnreadFiles, all_listed,
    check_unchanged, find_unchanged, header_of, paired,
};
use tourbillon_tool::exit::{INTERRUPTED, Stop, say};
use tourbillon_tool::interruptible::unless;
use tourbillon_tool::machine_lock::machine_lock_with;
use tourbillon_tool::records::StorePath;

/// Builds commits, and compares them.
#[derive(Debug)]
pub(crate) struct Revisions {
    maker: Arc<Maker>,
    cache: Cache,
    signals: Signals,
}

/// Why a commit was not built that may be at another time, as where there is more memory.
pub(crate) const ENDED: &str = "its build was ended by a signal";

/// What could be done with a commit, or why it could not.
pub(crate) type Attempt<T> = Result<T, String>;

impl Revisions {
    /// For the repository around the current folder. From here on an interrupt is noted, so that no commit counts as
    /// broken because of it.
    pub(crate) fn new(selection: Selection) -> Result<Revisions, Stop> {
        let cache = Cache::locate(say)?;
        let signals = Signals::install()
            .map_err(|error| Stop::Environment(format!("signals cannot be handled: {error}")))?;
        Ok(Revisions {
            maker: Arc::new(Maker::new(cache.clone(), selection, true)?),
            cache,
            signals,
        })
    }

    /// The build of a commit.
    ///
    /// # Errors
    ///
    /// When this machine does not allow it, or after an interrupt. A commit that does not build is an attempt that
    /// failed.
    pub(crate) fn build(&self, commit: &str) -> Result<Attempt<Build>, Stop> {
        // It may come from a record; git would take other revisions, too.
        if !is_commit(commit) {
            return Ok(Err(format!("{commit:?} is not the name of a commit")));
        }
        let (signals, maker) = (self.signals, Arc::clone(&self.maker));
        let subject = Subject::Revision(commit.to_owned());
        // A signal to this process alone does not end cargo.
        let made = unless(
            move || signals.noted().is_some(),
            move || maker.make(&subject),
        );
        self.not_interrupted()?;
        match made.ok_or(Stop::Code(INTERRUPTED))? {
            Ok(build) => Ok(Ok(build)),
            Err(Error::Cargo(..)) => Ok(Err("it does not build".to_owned())),
            Err(Error::Ended(why)) => {
                say(&format!("{why}\n"));
                Ok(Err(ENDED.to_owned()))
            }
            // The commit is known: the mistake is in its files.
            Err(Error::NoBenchmarks(why) | Error::Usage(why)) => Ok(Err(why)),
            Err(other) => Err(other.into()),
        }
    }

    /// The kind of this machine, as an executable of a build sees it; unknown to an executable of an older version.
    pub(crate) fn machine(&self, build: &Build) -> Machine {
        let first = build.executables.first();
        let header = first.and_then(|executable| header_of(build, executable));
        Machine::of(&header.unwrap_or_default())
    }

    /// The ids of the cases of a build.
    ///
    /// # Errors
    ///
    /// When its programs do not list them.
    pub(crate) fn cases(
        &self,
        build: &Build,
        revisions: &RevisionOptions,
        store: &StorePath,
    ) -> Result<Vec<String>, Stop> {
        let all = Options::of_cases(revisions, store, &[], Demand::default())?;
        let listed = all_listed(slice::from_ref(build), &all)?;
        self.not_interrupted()?;
        let cases = listed.into_iter().flat_map(|one| one.numbered(build));
        Ok(cases.map(|(_, case)| case.id).collect())
    }

    /// Compares the selected cases of two builds, those of the reference first; gives the record.
    ///
    /// # Errors
    ///
    /// As for [`Revisions::build`]. Builds that cannot be compared are an attempt that failed.
    pub(crate) fn compare(
        &self,
        builds: &[Build; 2],
        options: &Options,
    ) -> Result<Attempt<String>, Stop> {
        let comparisons =
            all_listed(builds, options).and_then(|lists| paired(builds, &lists, options, None));
        self.not_interrupted()?;
        let mut comparisons = match comparisons {
            Ok(comparisons) => comparisons,
            Err(Stop::Usage(why) | Stop::Failed(_, why)) => return Ok(Err(why)),
            Err(other) => return Err(other),
        };
        let lock = machine_lock_with(self.signals, "cargo tourbillon history", options.no_wait)?;
        let files = self.hold_files(builds)?;
        find_unchanged(&mut comparisons[0], options, &UnreadFiles::default());
        check_unchanged(&mut comparisons[0], options)?;
        let compared = Compared::measure(&comparisons[0], options)?;
        drop((files, lock));
        self.not_interrupted()?;
        if compared.interrupted() {
            Err(Stop::Code(INTERRUPTED))
        } else {
            Ok(Ok(compared.record(options)))
        }
    }

    /// Explains a verdict on two builds, those of the reference first, while nothing else measures.
    ///
    /// # Errors
    ///
    /// As for [`Revisions::build`], and when the builds cannot be compared.
    pub(crate) fn explained(
        &self,
        builds: &[Build],
        options: &Options,
        verdict: &Verdict,
        explain: impl FnOnce(&[Confirmed<'_>]) -> Vec<Block>,
    ) -> Result<Vec<Block>, Stop> {
        let lists = all_listed(builds, options)?;
        let comparisons = paired(builds, &lists, options, None)?;
        let lock = machine_lock_with(self.signals, "cargo tourbillon history", options.no_wait)?;
        let files = self.hold_files(builds)?;
        let blocks = explain(&comparisons[0].confirmed([verdict]));
        drop((files, lock));
        self.not_interrupted()?;
        Ok(blocks)
    }

    /// Holds the files that programs of these builds may read.
    fn hold_files(&self, builds: &[Build]) -> Result<Option<HeldFiles>, Stop> {
        let (signals, builds) = (self.signals, builds.to_vec());
        let held = unless(
            move || signals.noted().is_some(),
            move || Build::hold_files(&builds, say),
        );
        self.not_interrupted()?;
        Ok(held.ok_or(Stop::Code(INTERRUPTED))??)
    }

    /// Ends the program in order after an interrupt.
    pub(crate) fn not_interrupted(&self) -> Result<(), Stop> {
        match self.signals.noted() {
            None => Ok(()),
            Some(_) => Err(Stop::Code(INTERRUPTED)),
        }
    }

    /// Removes builds that were not used for long.
    pub(crate) fn prune(&self) {
        self.cache.prune();
    }
}
