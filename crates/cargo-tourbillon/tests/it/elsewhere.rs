//! `--runner`: the other machine is a script, which has a shell read its words as one line, as `ssh` does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::folder::{Folder, script};
use crate::program::{Ran, command};
use crate::run::{package, target_directory};

/// A package, and a machine that notes each line it gets.
struct Two {
    folder: Folder,
    there: PathBuf,
    log: PathBuf,
    store: PathBuf,
}

impl Two {
    fn new(test: &str, patch: u32) -> Two {
        let folder = Folder::new(test);
        let [root, there, log, store] =
            ["root", "there", "log", "store"].map(|name| folder.join(name));
        package(&root, patch);
        // Otherwise it is a part of the repository around it.
        let mut git = Command::new("git");
        let begun = git.args(["init", "--quiet"]).current_dir(&root).status();
        assert!(begun.expect("git starts").success());
        let noted = log.display();
        script(
            &there,
            &format!("#!/bin/sh\nprintf '%s\\n' \"$*\" >>'{noted}'\ncd /\nexec sh -c \"$*\"\n"),
        );
        Two {
            folder,
            there,
            log,
            store,
        }
    }

    fn command(&self, runner: &Path, words: &[&str]) -> Command {
        let mut program = command(&["tourbillon", "run", "--offline", "--profile", "dev"]);
        program
            .arg("--target-dir")
            .arg(target_directory())
            .arg("--runner")
            .arg(runner)
            .arg("--store")
            .arg(&self.store)
            .args(words)
            .env_remove("TOURBILLON_STORE")
            .env("TOURBILLON_CACHE", self.folder.join("cache"))
            .current_dir(self.folder.join("root"));
        program
    }

    fn run(&self, words: &[&str]) -> Ran {
        let brief = ["--launches", "1", "--max-time", "5ms"];
        let mut program = self.command(&self.there, &[&brief, words].concat());
        program.output().expect("the program starts").into()
    }

    /// The lines that the other machine got.
    fn lines(&self) -> Vec<String> {
        let text = fs::read_to_string(&self.log).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The folders that were sent.
    fn sent(&self) -> Vec<PathBuf> {
        let lines = self.lines();
        let scripts = lines.iter().filter_map(|line| line.strip_prefix("sh "));
        let folders = scripts.map(|script| PathBuf::from(script).with_file_name(""));
        folders.collect()
    }
}

#[test]
fn what_is_measured_elsewhere_is_kept_here() {
    let two = Two::new("elsewhere", 21);
    let fine = two.run(&["fine"]);
    assert_eq!(fine.code, Some(0), "{fine:?}");
    assert!(fine.stdout.contains("fine "), "{}", fine.stdout);
    let kept = format!("stored in {}", two.store.display());
    assert!(fine.stderr.contains(&kept), "{}", fine.stderr);
    let stored = fine.stderr.matches("stored in ");
    assert_eq!(stored.count(), 1, "{}", fine.stderr);
    let runs = fs::read_dir(two.store.join("runs/shop/ours")).expect("runs");
    let records = runs.flatten().filter(|entry| {
        let path = entry.path();
        path.extension().is_some_and(|end| end == "jsonl")
    });
    assert_eq!(records.count(), 1);
    // Its exit code, and a filter that no shell may read.
    assert_eq!(two.run(&["fails"]).code, Some(3));
    let hostile = "it's $(touch pwned); `touch pwned`\n\"*";
    let nothing = two.run(&["--", hostile]);
    assert_eq!(nothing.code, Some(4), "{nothing:?}");
    let listed = two.run(&["--list"]);
    assert!(listed.stdout.contains("fails"), "{listed:?}");
    for line in two.lines() {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._- ".contains(c);
        assert!(line.chars().all(is_plain), "{line}");
    }
    for place in [Path::new("/"), &two.folder, &two.folder.join("root")] {
        assert!(!place.join("pwned").exists());
    }
    assert_eq!(two.sent().len(), 4);
    for folder in two.sent() {
        assert!(!folder.exists(), "{folder:?} is left");
    }
}

/// Of a package that is not the root of its checkout.
#[test]
fn benchmarks_find_the_files_of_their_package_there() {
    let two = Two::new("elsewhere-files", 25);
    let root = two.folder.join("root");
    fs::rename(root.join(".git"), two.folder.join(".git")).expect("a repository");
    fs::write(root.join("benches/a b.txt"), "text").expect("a file");
    let bench = root.join("benches/ours.rs");
    let text = fs::read_to_string(&bench).expect("a bench");
    let reads = "#[tourbillon::bench]\nfn reads() -> String \
                 { std::fs::read_to_string(\"benches/a b.txt\").expect(\"a file\") }\n";
    fs::write(&bench, format!("{reads}{text}")).expect("a bench");
    let ran = two.run(&["reads"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("reads "), "{}", ran.stdout);
    for folder in two.sent() {
        assert!(!folder.exists(), "{folder:?} is left");
    }
}

/// As where the connection breaks when all is measured, and a shared connection holds the outputs open.
#[test]
fn what_cannot_be_brought_back_stays_there() {
    let two = Two::new("elsewhere-lost", 24);
    let noted = two.log.display();
    script(
        &two.there,
        &format!(
            "#!/bin/sh\nprintf '%s\\n' \"$*\" >>'{noted}'\ncd /\ncase \"$1 $2\" in\n\
             'tar -cf') exit 255;;\nsh*) sleep 600 >/dev/null & echo $! >'{noted}.left';;\nesac\nsh -c \"$*\"\n"
        ),
    );
    let ran = two.run(&["fine"]);
    let left = fs::read_to_string(two.log.with_extension("left")).expect("an id");
    let status = Command::new("kill").arg(left.trim()).status();
    assert!(status.expect("kill starts").success());
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.stdout.contains("fine "), "{ran:?}");
    assert!(
        ran.stderr
            .contains("could not send the records back: exit status: 255"),
        "{ran:?}"
    );
    let [sent] = &two.sent()[..] else {
        panic!("{ran:?}");
    };
    let results = sent.join("results");
    let stay = format!(
        "the records stay in {} on the machine of",
        results.display()
    );
    assert!(ran.stderr.contains(&stay), "{ran:?}");
    assert_eq!(
        fs::read_dir(results.join("runs/shop/ours"))
            .expect("runs")
            .count(),
        1
    );
    fs::remove_dir_all(sent).expect("a folder");
}

#[test]
fn a_runner_that_reaches_nothing_and_flags_of_this_store_are_mistakes() {
    let two = Two::new("elsewhere-mistakes", 22);
    let ran = |runner: &str, words: &[&str]| -> Ran {
        let mut program = two.command(Path::new(runner), words);
        program.output().expect("the program starts").into()
    };
    let unreached = ran("false", &[]);
    assert_eq!(unreached.code, Some(5), "{unreached:?}");
    let what = "`false` could not unpack what was sent: exit status: 1; it has to pass the words";
    assert!(unreached.stderr.contains(what), "{}", unreached.stderr);
    let gone = ran("no-such-program", &[]);
    assert_eq!(gone.code, Some(5), "{gone:?}");
    let saved = ran("false", &["--save", "main"]);
    assert_eq!(saved.code, Some(1), "{saved:?}");
    assert!(
        saved.stderr.contains("--save names results"),
        "{}",
        saved.stderr
    );
}

/// As `ssh -f` does, a wrapper that loses exit codes, and a machine of another who can write to the standard output.
#[test]
fn the_end_is_that_of_the_subcommand_there() {
    let two = Two::new("elsewhere-ends", 26);
    let ran = |name: &str, text: &str, filter: &str| {
        let runner = two.folder.join(name);
        script(&runner, &format!("#!/bin/sh\ncd /\n{text}\n"));
        let brief = ["--launches", "1", "--max-time", "5ms", filter];
        let output = two.command(&runner, &brief).output();
        Ran::from(output.expect("the program starts"))
    };
    let detaches = "case $1 in sh) sh -c \"$*\" >/dev/null 2>&1 & ;; *) exec sh -c \"$*\";; esac";
    let detached = ran("detaches", detaches, "fine");
    assert_eq!(detached.code, Some(5), "{detached:?}");
    let absent = ran("absent", "case $1 in tar) cat >/dev/null;; esac", "fine");
    assert_eq!(absent.code, Some(5), "{absent:?}");
    let why = "absent` ended before what it started; nothing was measured";
    assert!(absent.stderr.contains(why), "{absent:?}");
    let loses = ran("loses", "sh -c \"$*\"\nexit 0", "fails");
    assert_eq!(loses.code, Some(3), "{loses:?}");
    let writes =
        "case \"$1\" in sh) printf '\\033[2J\\033]0;title\\007\\n';; esac\nexec sh -c \"$*\"";
    let wrote = ran("writes", writes, "fine");
    assert_eq!(wrote.code, Some(0), "{wrote:?}");
    assert!(wrote.stdout.contains("fine "), "{wrote:?}");
    assert!(!wrote.stdout.contains(['\u{1b}', '\u{7}']), "{wrote:?}");
}

#[test]
fn an_interrupt_ends_the_other_machine_and_leaves_nothing_there() {
    let two = Two::new("elsewhere-interrupt", 23);
    let long = ["--launches", "2000", "--max-time", "600s", "fine"];
    let mut program = two.command(&two.there, &long);
    let mut program = program
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut patience = 0..1200;
    let mut soon = |what: &str, is_so: &mut dyn FnMut() -> bool| {
        while !is_so() {
            patience.next().unwrap_or_else(|| panic!("{what}"));
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    soon("it begins", &mut || !two.sent().is_empty());
    let folder = two.sent().remove(0);
    soon("it stores", &mut || folder.join("results").exists());
    let mut kill = Command::new("kill");
    let sent = kill.args(["-INT", &program.id().to_string()]).status();
    assert!(sent.expect("kill starts").success());
    let mut code = None;
    soon("it ends", &mut || {
        let status = program.try_wait().expect("it is ours");
        code = status.and_then(|status| status.code());
        status.is_some()
    });
    assert_eq!(code, Some(130));
    soon("nothing is left", &mut || !folder.exists());
}
