//! The command `watch`: compares the working tree with a revision whenever a file is saved.

mod changes;
mod debounce;
mod event;
mod relevance;
mod rounds;
mod saves;
mod screen;
mod tree;

use std::env;
use std::sync::Arc;

use tourbillon_builds::{Cache, IgnoreRules, Maker, Selection, Workspace, cargo, why_no_checkout};
use tourbillon_os::Signals;
use tourbillon_present::{shell_operand, shell_word};
use tourbillon_tool::exit::{Stop, say};

use self::changes::FileChanges;
use self::event::Event;
use self::relevance::Relevance;
use self::saves::FileSaves;
use self::screen::Screen;
use self::tree::Tree;
use crate::options::Options;
use crate::subjects::subject;

/// Relative difference up to which two times count as the same: short pairs in one placement tell no smaller one.
const MARGIN: f64 = 0.05;
/// Time to measure a case, in nanoseconds.
const CASE_NS: u64 = 1_000_000_000;

/// What is watched, and how it is shown.
#[derive(Clone, Debug)]
pub struct WatchRequest {
    /// The revision or saved build that the tree is compared with.
    pub reference: String,
    /// Whether each event is a line of JSON.
    pub is_for_programs: bool,
    /// How builds are made and compared. Margin and time have defaults of their own; gates and placements do not count.
    pub options: Options,
}

/// Compares the working tree with a revision, at once and whenever a file is saved, until a signal ends it.
///
/// # Errors
///
/// The exit code of an interrupt; before that, what keeps the reference from being built or files from being watched.
pub fn watch(request: WatchRequest) -> Result<(), Stop> {
    let mut options = request.options;
    options.complete()?;
    let options = Options {
        gate: None,
        layouts: Some(1),
        direction: true,
        margin: options.margin.or(Some(MARGIN)),
        time_ns: options.time_ns.or(Some(CASE_NS)),
        ..options
    };
    let folder = env::current_dir()
        .map_err(|error| Stop::Environment(format!("the current folder is unknown: {error}")))?;
    let rules = IgnoreRules::around(&folder).ok_or_else(|| {
        why_no_checkout(&folder).map_or_else(
            || {
                let what = "is in no git repository, and `watch` asks git what it ignores";
                Stop::Usage(format!("{folder:?} {what}"))
            },
            Stop::from,
        )
    })?;
    let signals = Signals::install()
        .map_err(|error| Stop::Environment(format!("signals cannot be handled: {error}")))?;
    let cache = Cache::locate(say)?;
    // Single cases are found unchanged by what their programs are linked from.
    let maker = Maker::new(cache.clone(), options.selection.clone(), true)?;
    let reference = subject(&request.reference, &maker, &cache)?;
    maker.check(&reference)?;
    let root = rules.root().to_owned();
    let screen = Screen {
        root: root.clone(),
        is_for_programs: request.is_for_programs,
        color: options.color,
    };
    let confirm = confirmation(&request.reference, &options.selection, &options.bench_flags);
    let maker = (cache, Arc::new(maker));
    let mut tree = Tree::new(maker, reference, signals, options, confirm)?;
    let mut targets =
        Workspace::of(cargo()).map_or(Vec::new(), |found| vec![found.target, found.build]);
    // A checkout may be inside of a target directory that others use, too.
    targets.retain(|target| target.starts_with(&root));
    let mut files = rules.files()?;
    files.retain(|file| !targets.iter().any(|target| file.starts_with(target)));
    let changes = FileChanges::new(&root, &files, signals)?;
    let mut saves = FileSaves::new(changes, Relevance::new(rules, targets, &files));
    screen.show(Event::Begun {
        reference: tree.reference().to_owned(),
        folder: root,
    })?;
    rounds::run(&mut saves, &mut tree, &mut |event| screen.show(event)).map(|never| match never {})
}

/// The command that measures longer.
fn confirmation(reference: &str, selection: &Selection, bench_flags: &[String]) -> String {
    let mut command = "cargo tourbillon compare ".to_owned();
    for flag in selection.typed() {
        command += flag.name();
        if flag.has_value() {
            let value = flag.value().to_string_lossy();
            command += &format!("={}", shell_word(&value, true));
        }
        command += " ";
    }
    command += &shell_operand(reference, true);
    if !bench_flags.is_empty() {
        command += " --";
    }
    for flag in bench_flags {
        command += &format!(" {}", shell_word(flag, true));
    }
    command
}

#[cfg(test)]
mod tests {
    use tourbillon_builds::Flag;

    use super::*;

    #[test]
    fn the_command_that_confirms_can_be_typed() {
        let all = Selection::default();
        assert_eq!(
            confirmation("HEAD", &all, &[]),
            "cargo tourbillon compare HEAD"
        );
        let flags = ["sort", "a[n=1]"].map(str::to_owned);
        assert_eq!(
            confirmation("v1", &all, &flags),
            "cargo tourbillon compare v1 -- sort 'a[n=1]'"
        );
        let selection = Selection {
            packages: vec!["shop".to_owned()],
            workspace: true,
            benches: vec!["a b".to_owned()],
            flags: vec![Flag::switch("--offline"), Flag::new("--features=", "x,y")],
            profile: Some("fat".to_owned()),
        };
        assert_eq!(
            confirmation("v1", &selection, &[]),
            "cargo tourbillon compare --package=shop --workspace --bench='a b' --profile=fat --offline \
             --features=x,y v1"
        );
    }
}
