//! A repository with a history.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use serde_json::Value;

use crate::facade_build::{PROFILE, cached, lend, target_of};
use crate::folder::Folder;
use crate::program::{Ran, command};

/// A repository and a cache for its builds.
pub(crate) struct Shop {
    pub(crate) folder: Folder,
}

/// Flags of every build: for the fastest build.
const FLAGS: [&str; 5] = ["--build-only", "--offline", "--profile", "dev", "--layouts"];

const CORE: &str = "pub fn sum(n: u64) -> u64 { (0..n).sum() }\n";

impl Shop {
    /// The revisions, each a tag: `bare` has no benchmarks, `foreign` has some of another harness,
    /// `v1` has ours, `broken` does not compile, `astray` needs a package outside the repository,
    /// `v2` is the last. The working tree adds an uncommitted case.
    pub(crate) fn new(test: &str) -> Shop {
        let shop = Shop {
            folder: Folder::new(test),
        };
        let facade = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tourbillon");
        let repository = shop.repository();
        for folder in ["shop/benches", "shop/src", "core/src"] {
            fs::create_dir_all(repository.join(folder)).expect("a folder");
        }
        shop.git(&["init", "--quiet", "-b", "main"]);
        shop.write(".gitignore", "target\nCargo.lock\n");
        let manifest = format!(
            "[workspace]\nresolver = \"3\"\nmembers = [\"shop\", \"core\"]\n{PROFILE}[profile.fat]\n\
             inherits = \"dev\"\nlto = \"fat\"\ndebug-assertions = false\n",
        );
        shop.write("Cargo.toml", &manifest);
        shop.write("shop/src/lib.rs", "");
        shop.write("core/src/lib.rs", CORE);
        let package = |name: &str| {
            format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n")
        };
        let bench = |name: &str| format!("[[bench]]\nname = \"{name}\"\nharness = false\n");
        shop.write("core/Cargo.toml", &package("core-of-shop"));
        let manifest = package("shop") + "[dependencies]\ncore-of-shop = { path = \"../core\" }\n";
        shop.write("shop/Cargo.toml", &manifest);
        shop.commit("bare");

        shop.write("shop/benches/foreign.rs", "fn main() {}\n");
        let manifest = manifest + &bench("foreign");
        shop.write("shop/Cargo.toml", &manifest);
        shop.commit("foreign");

        let manifest = manifest
            + &bench("speed")
            + &bench("more")
            + "[features]\nsimd = []\n"
            + &format!("[dev-dependencies]\ntourbillon = {{ path = {facade:?} }}\n");
        shop.write("shop/Cargo.toml", &manifest);
        shop.write("shop/benches/speed.rs", &cases(&["sum", "gone"]));
        shop.write("shop/benches/more.rs", &cases(&["more"]));
        shop.commit("v1");

        shop.write("core/src/lib.rs", "pub fn sum(n: u64) -> u64 { nothing }\n");
        shop.commit("broken");

        shop.write("core/src/lib.rs", CORE);
        fs::create_dir_all(shop.folder.join("elsewhere/src")).expect("a folder");
        let elsewhere = shop.folder.join("elsewhere");
        fs::write(elsewhere.join("Cargo.toml"), package("core-of-shop")).expect("a file");
        fs::write(elsewhere.join("src/lib.rs"), CORE).expect("a file");
        shop.write(
            "shop/Cargo.toml",
            &manifest.replace("\"../core\"", "\"../../elsewhere\""),
        );
        shop.commit("astray");

        shop.write("shop/Cargo.toml", &manifest);
        shop.write("shop/benches/speed.rs", &cases(&["sum", "added"]));
        shop.commit("v2");

        let speed = "#![allow(unexpected_cfgs)]\n".to_owned()
            + &cases(&["sum", "added", "dirty"])
            + "#[cfg(feature = \"simd\")]\n"
            + &case("simd")
            + "#[cfg(special)]\n"
            + &case("special")
            + "#[cfg(not(debug_assertions))]\n"
            + &case("unchecked")
            + "fn shelf() -> [u64; 1] { [std::env::var(\"SHELF\").map_or(0, |s| s.len() as u64)] }\n\
               #[tourbillon::bench(args = shelf())]\nfn shelved(n: u64) -> u64 { n }\n";
        let asserting = "#[tourbillon::bench(verify = \"dirty <= 1000 * sum\")]\nfn dirty";
        let speed = speed.replace("#[tourbillon::bench]\nfn dirty", asserting);
        shop.write("shop/benches/speed.rs", &speed);
        // Not committed, and therefore copied to the revisions.
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["generate-lockfile", "--offline", "--quiet"]);
        let locked = cargo.current_dir(shop.repository()).status();
        assert!(locked.expect("cargo starts").success());
        shop.write("shop/notes.txt", "not known to git\n");
        shop.write("core/src/staged.rs", "");
        shop.git(&["add", "core/src/staged.rs"]);
        shop
    }

    pub(crate) fn repository(&self) -> PathBuf {
        self.folder.join("repository")
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.folder.join("cache")
    }

    /// Saves the time in which revisions would compile the facade.
    pub(crate) fn lend_facade(&self) {
        let cached = cached(&self.cache(), &self.repository());
        lend("", &target_of(&cached, "target", &cached.join("clone")));
    }

    /// Saves the time in which the working tree and its variations would compile the facade.
    pub(crate) fn lend_facade_to_the_tree(&self) {
        let cached = cached(&self.cache(), &self.repository());
        for kind in ["tree", "variations"] {
            lend("", &target_of(&cached, kind, &self.repository()));
        }
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        fs::write(self.repository().join(file), text).expect("a file");
    }

    pub(crate) fn commit(&self, tag: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "-m", tag]);
        self.git(&["tag", tag]);
    }

    pub(crate) fn git(&self, words: &[&str]) {
        let status = Command::new("git")
            .args(["-c", "user.name=Shop", "-c", "user.email=shop@shop"])
            .args(["-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"])
            .args(words)
            .current_dir(self.repository())
            .stdin(Stdio::null())
            .status();
        assert!(status.expect("git starts").success(), "git {words:?}");
    }

    /// The commit of a tag.
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    pub(crate) fn commit_of(&self, tag: &str) -> String {
        let mut git = Command::new("git");
        git.args(["rev-parse", tag]);
        let output = git.current_dir(self.repository()).output();
        let printed = output.expect("git starts").stdout;
        String::from_utf8_lossy(&printed).trim().to_owned()
    }

    /// The program in a folder of the repository.
    pub(crate) fn command(&self, within: &str, arguments: &[&str]) -> Command {
        let mut command = command(&[&["tourbillon"], arguments].concat());
        // A shared target directory outside the repository.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("");
        for name in [
            "TOURBILLON_STORE",
            "RUSTFLAGS",
            "CARGO_ENCODED_RUSTFLAGS",
            "SHELF",
        ] {
            command.env_remove(name);
        }
        command
            .env("TOURBILLON_CACHE", self.cache())
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_TERM_COLOR", "never")
            .current_dir(self.repository().join(within));
        command
    }

    pub(crate) fn compare_in(&self, within: &str, arguments: &[&str], bench: &[&str]) -> Ran {
        let words = [&["compare"], &FLAGS[..], &["2"], arguments, &["--"], bench].concat();
        let output = self.command(within, &words).output();
        output.expect("the program starts").into()
    }

    /// `compare` with two placements.
    pub(crate) fn compare(&self, arguments: &[&str]) -> Ran {
        self.compare_in("", arguments, &[])
    }

    /// The result of `compare`, which must succeed.
    pub(crate) fn prepared(&self, arguments: &[&str]) -> Prepared {
        self.prepared_in("", arguments, &[])
    }

    pub(crate) fn prepared_in(&self, within: &str, arguments: &[&str], bench: &[&str]) -> Prepared {
        let ran = self.compare_in(within, &[arguments, &["--format", "jsonl"]].concat(), bench);
        Prepared::of(&ran)
    }

    /// Every file of the repository, git's included, with its date and contents.
    pub(crate) fn snapshot(&self) -> BTreeMap<PathBuf, (SystemTime, Vec<u8>)> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.repository()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let date = path.metadata().and_then(|file| file.modified());
                let text = fs::read(&path).expect("a file");
                files.insert(path, (date.expect("a date"), text));
            }
        }
        files
    }
}

fn case(name: &str) -> String {
    format!(
        "#[tourbillon::bench]\nfn {name}() -> u64 {{ core_of_shop::sum(tourbillon::hide(9)) }}\n"
    )
}

fn cases(names: &[&str]) -> String {
    let cases: String = names.iter().map(|name| case(name)).collect();
    // The first line of the list follows text without a line break.
    let loading =
        "if std::env::args().any(|word| word == \"--list\") { print!(\"loading data ... \"); }";
    cases + "fn main() -> std::process::ExitCode { " + loading + " tourbillon::main() }\n"
}

/// The output of `compare --build-only --format jsonl`.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) builds: Vec<Value>,
    pub(crate) comparisons: Vec<Value>,
    pub(crate) stderr: String,
}

impl Prepared {
    pub(crate) fn of(ran: &Ran) -> Prepared {
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let lines = ran.stdout.lines().map(|line| {
            let value: Value = serde_json::from_str(line).expect(line);
            value
        });
        let (builds, comparisons) = lines.partition(|line| line["type"] == "build");
        Prepared {
            builds,
            comparisons,
            stderr: ran.stderr.clone(),
        }
    }

    /// The ids of the cases of both sides of a comparison.
    pub(crate) fn cases(&self, comparison: usize) -> Vec<&str> {
        let cases = self.comparisons[comparison]["cases"]
            .as_array()
            .expect("cases")
            .iter();
        sorted(cases.map(|case| &case["case"]))
    }

    /// The ids of one side: `only_reference`, `only_candidate`.
    pub(crate) fn only(&self, comparison: usize, side: &str) -> Vec<&str> {
        let cases = self.comparisons[comparison][side].as_array();
        sorted(cases.expect("cases").iter())
    }

    /// The executables of a build.
    pub(crate) fn executables(&self, build: usize) -> &[Value] {
        self.builds[build]["executables"]
            .as_array()
            .expect("executables")
    }

    /// The path of an executable.
    pub(crate) fn path(&self, build: usize, executable: usize) -> &str {
        text(&self.executables(build)[executable]["path"])
    }
}

fn sorted<'a>(texts: impl Iterator<Item = &'a Value>) -> Vec<&'a str> {
    let mut sorted: Vec<&str> = texts.map(text).collect();
    sorted.sort_unstable();
    sorted
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}
