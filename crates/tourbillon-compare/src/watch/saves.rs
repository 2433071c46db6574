//! Saves, made of the changes of files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::debounce::Debounce;
use super::rounds::Saves;

/// How often is looked whether a signal has arrived.
const LOOK_NS: u64 = 100_000_000;

/// How long at most the end of a round waits for a save to be complete.
const LAST_NS: u64 = 1_000_000_000;

/// So many rounds in a row are begun anew because of files that are no sources. Further ones are not: programs write them
/// each time.
const MOST_ANEW: u32 = 2;

/// Where changes of files come from, and the clock.
pub(super) trait FileEvents {
    /// A clock that never goes backwards.
    fn now_ns(&self) -> u64;
    /// Waits for changes, at most so long.
    fn wait(&mut self, longest_ns: u64) -> Vec<PathBuf>;
    /// Watches a new folder.
    fn follow(&mut self, folder: &Path);
    /// Whether a signal has arrived.
    fn is_interrupted(&self) -> bool;
}

/// Which changes count.
pub(super) trait Relevant {
    /// Those that are saves.
    fn keep(&mut self, files: BTreeSet<PathBuf>) -> Vec<PathBuf>;
    /// Whether people write such a file, and programs do not.
    fn is_source(&self, file: &Path) -> bool;
}

/// Saves, made of the changes of files.
pub(super) struct FileSaves<E, R> {
    events: E,
    relevant: R,
    open: Debounce,
    /// The files of saves that are complete, and that were not asked for yet.
    complete: Vec<PathBuf>,
    /// What a round has seen so far; `None` between two.
    round: Option<Round>,
    /// Rounds in a row during which files changed, and no source.
    written: u32,
}

/// What changed while the tree was built and measured.
#[derive(Debug, Default)]
struct Round {
    has_saves: bool,
    has_sources: bool,
    /// Files that are no save.
    unheeded: BTreeSet<PathBuf>,
}

impl<E: FileEvents, R: Relevant> FileSaves<E, R> {
    /// Without a save.
    pub(super) fn new(events: E, relevant: R) -> FileSaves<E, R> {
        FileSaves {
            events,
            relevant,
            open: Debounce::default(),
            complete: Vec::new(),
            round: None,
            written: 0,
        }
    }

    /// Waits until a save is complete, at most so long.
    fn wait(&mut self, longest_ns: u64) {
        let left_ns = self.open.left_ns(self.events.now_ns());
        let files = self
            .events
            .wait(left_ns.unwrap_or(longest_ns).min(longest_ns));
        let now_ns = self.events.now_ns();
        self.open.note(now_ns, files);
        if self.open.left_ns(now_ns) == Some(0) {
            let saved = self.relevant.keep(self.open.take());
            for folder in saved.iter().filter(|path| path.is_dir()) {
                self.events.follow(folder);
            }
            self.add(saved);
        }
    }

    /// Adds a complete save, unless programs have made it.
    fn add(&mut self, saved: Vec<PathBuf>) {
        let has_sources = saved.iter().any(|file| self.relevant.is_source(file));
        if let Some(round) = self.round.as_mut().filter(|_| !saved.is_empty()) {
            if !has_sources && self.written >= MOST_ANEW {
                round.unheeded.extend(saved);
                return;
            }
            round.has_saves = true;
            round.has_sources |= has_sources;
        }
        self.complete.extend(saved);
    }
}

impl<E: FileEvents, R: Relevant> Saves for FileSaves<E, R> {
    fn next(&mut self) -> Option<Vec<PathBuf>> {
        while self.complete.is_empty() {
            if self.events.is_interrupted() {
                return None;
            }
            self.wait(LOOK_NS);
        }
        Some(std::mem::take(&mut self.complete))
    }

    fn has_come(&mut self) -> bool {
        self.wait(0);
        !self.complete.is_empty()
    }

    fn begin_round(&mut self) {
        self.round = Some(Round::default());
    }

    fn end_round(&mut self) -> Vec<PathBuf> {
        // What programs have written may be the beginning of a save. One that never rests is not waited for.
        let end_ns = self.events.now_ns() + LAST_NS;
        self.wait(0);
        let mut now_ns = self.events.now_ns();
        while now_ns < end_ns && self.open.left_ns(now_ns).is_some() {
            self.wait(LOOK_NS);
            now_ns = self.events.now_ns();
        }
        let round = self.round.take().unwrap_or_default();
        let is_quiet = !round.has_saves && round.unheeded.is_empty();
        if round.has_sources || is_quiet {
            self.written = 0;
        } else if round.has_saves {
            self.written += 1;
        }
        Vec::from_iter(round.unheeded)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;

    const MS: u64 = 1_000_000;

    /// Changes at scripted times, and a clock that waiting moves.
    #[derive(Default)]
    struct Script {
        now_ns: u64,
        changes: VecDeque<(u64, &'static str)>,
    }

    impl FileEvents for Script {
        fn now_ns(&self) -> u64 {
            self.now_ns
        }

        fn wait(&mut self, longest_ns: u64) -> Vec<PathBuf> {
            let end_ns = self.now_ns + longest_ns;
            match self.changes.front() {
                Some(&(at_ns, file)) if at_ns <= end_ns => {
                    self.changes.pop_front();
                    self.now_ns = self.now_ns.max(at_ns);
                    vec![file.into()]
                }
                _ => {
                    self.now_ns = end_ns;
                    Vec::new()
                }
            }
        }

        fn follow(&mut self, _: &Path) {}

        fn is_interrupted(&self) -> bool {
            self.changes.is_empty() && self.now_ns > 10_000 * MS
        }
    }

    /// All but objects.
    struct NoObjects;

    impl Relevant for NoObjects {
        fn keep(&mut self, files: BTreeSet<PathBuf>) -> Vec<PathBuf> {
            let mut kept = Vec::from_iter(files);
            kept.retain(|file| file.extension().is_none_or(|end| end != "o"));
            kept
        }

        fn is_source(&self, file: &Path) -> bool {
            file.extension().is_some_and(|end| end == "rs")
        }
    }

    fn saves(changes: &[(u64, &'static str)]) -> FileSaves<Script, NoObjects> {
        let changes = changes.iter().map(|(ms, file)| (ms * MS, *file));
        let script = Script {
            now_ns: 0,
            changes: changes.collect(),
        };
        FileSaves::new(script, NoObjects)
    }

    #[test]
    fn changes_that_follow_one_another_are_one_save() {
        let mut saves = saves(&[(10, "a"), (40, "b.o"), (89, "c"), (300, "x.o"), (700, "d")]);
        let files = |names: &[&str]| Some(names.iter().map(PathBuf::from).collect());
        assert_eq!(saves.next(), files(&["a", "c"]));
        assert_eq!(saves.events.now_ns, 139 * MS);
        // What is ignored is no save.
        assert_eq!(saves.next(), files(&["d"]));
        assert_eq!(saves.next(), None, "interrupted");
    }

    #[test]
    fn a_look_at_saves_does_not_wait() {
        let mut saves = saves(&[(10, "a"), (100, "b")]);
        assert!(!saves.has_come());
        assert_eq!(saves.events.now_ns, 0);
        saves.events.now_ns = 20 * MS;
        assert!(!saves.has_come(), "it may go on");
        saves.events.now_ns = 70 * MS;
        assert!(saves.has_come() && saves.has_come());
        // The next one is another save.
        assert_eq!(saves.next(), Some(vec!["a".into()]));
        assert_eq!(saves.next(), Some(vec!["b".into()]));
    }

    /// A round of so many milliseconds: whether it was begun anew, and what is no save.
    fn round(saves: &mut FileSaves<Script, NoObjects>, ms: u64) -> (bool, Vec<PathBuf>) {
        saves.begin_round();
        let end_ns = saves.events.now_ns + ms * MS;
        let mut is_anew = false;
        while saves.events.now_ns < end_ns && !is_anew {
            is_anew = saves.has_come();
            saves.events.now_ns += MS;
        }
        let unheeded = saves.end_round();
        if !saves.complete.is_empty() {
            saves.next();
        }
        (is_anew, unheeded)
    }

    #[test]
    fn what_programs_write_each_time_begins_two_rounds_anew() {
        // Each round writes; the last one only after its end, as a person does.
        let mut saves = saves(&[
            (10, "log"),
            (110, "log"),
            (210, "log"),
            (300, "other"),
            (620, "lib.rs"),
            (1_500, "log"),
        ]);
        assert_eq!(round(&mut saves, 100), (true, vec![]));
        assert_eq!(round(&mut saves, 100), (true, vec![]));
        // The others are no saves, not those either that come just before the end.
        let unheeded = vec!["log".into(), "other".into()];
        assert_eq!(round(&mut saves, 200), (false, unheeded));
        assert!(saves.events.now_ns < 600 * MS, "it rests");
        // A source is one.
        assert_eq!(round(&mut saves, 400), (true, vec![]));
        assert_eq!(saves.written, 0);
        // Between two rounds every file is.
        assert_eq!(saves.next(), Some(vec!["log".into()]));
    }

    #[test]
    fn a_round_without_a_change_forgets_those_before() {
        let mut saves = saves(&[(10, "log"), (110, "log"), (900, "log")]);
        for _ in 0..2 {
            assert_eq!(round(&mut saves, 100), (true, vec![]));
        }
        assert_eq!(round(&mut saves, 100), (false, vec![]));
        saves.events.now_ns = 890 * MS;
        assert_eq!(round(&mut saves, 100), (true, vec![]));
    }
}
