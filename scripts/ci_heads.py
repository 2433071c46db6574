"""`scripts/ci-job.sh heads`: heads that attack the job that judges them, against the action and against the two jobs of
docs/how-to/ci-untrusted.md."""

import json
import os
import shutil
import sys

import yaml

from github_runner import ROOT, ActionJob, Runner, git, read, run, write

PAGE = "docs/how-to/ci-untrusted.md"
PASSES, GATE_FAILS = 0, 2
MANIFEST = """[package]
name = "shop"
version = "0.1.0"
edition = "2024"

[workspace]

[dev-dependencies]
tourbillon = {{ path = "{}/crates/tourbillon" }}

[[bench]]
name = "suite"
harness = false
"""
SUITE = """//! Cases that are decided at once.

use std::process::ExitCode;

use tourbillon::{{bench, hide}};

fn main() -> ExitCode {{
    tourbillon::main()
}}

fn steps(count: u64) -> u64 {{
    (0..count).fold(1, |sum, one| hide(sum).wrapping_mul(3) ^ one)
}}
{}"""
# Replaces every program that a later step may start, and writes into every file of the runner that it can name.
BUILD_SCRIPT = r"""use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn put(path: &Path) {
    let _ = fs::create_dir_all(path.parent().unwrap());
    let _ = fs::remove_file(path);
    if fs::write(path, "#!/bin/sh\nexit 0\n").is_ok() {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

fn main() {
    let home = PathBuf::from(env::var_os("HOME").unwrap());
    for name in ["bash", "rm", "git", "cargo-tourbillon"] {
        put(&home.join(".cargo/bin").join(name));
    }
    put(&home.join(".cache/cargo-tourbillon/bin/cargo-tourbillon"));
    put(&home.join(".cache/tourbillon/left-by-the-head"));
    for name in ["GITHUB_PATH", "GITHUB_ENV", "GITHUB_OUTPUT"] {
        if let Some(file) = env::var_os(name) {
            let _ = fs::write(file, format!("{}\nexit-code=0\n", home.join(".cargo/bin").display()));
        }
    }
    // The one of the job that builds.
    if let Some(temp) = env::var_os("RUNNER_TEMP") {
        put(&PathBuf::from(temp).join("tool/bin/cargo-tourbillon"));
    }
}
"""
# In place of cargo: it installs the subcommand that this script built, and passes on everything else.
CARGO = """#!/bin/bash
if [ "$1" != install ]; then exec {cargo} "$@"; fi
while [ $# -gt 0 ]; do [ "$1" = --root ] && root=$2; shift; done
mkdir -p "$root/bin" && cp {program} "$root/bin/cargo-tourbillon"
"""


def suite(**cases):
    """A suite of benchmarks with so many steps; a text before the number has attributes."""
    case = "\n#[bench{1}]\nfn {0}() -> u64 {{\n    steps({2})\n}}\n"
    parts = [case.format(name, *(steps if isinstance(steps, tuple) else ("", steps))) for name, steps in cases.items()]
    return SUITE.format("".join(parts))


BASE = {"one": 2000, "two": 3000, "steady": 2500}
SLOWER = suite(**{**BASE, "one": 4000})
ALIAS = {".cargo/config.toml": '[alias]\ntourbillon = ["run", "-q", "--"]\n', "src/main.rs": "fn main() {}\n"}
# Name, files, flags, exit code, and what the first line of the summary has to name.
HEADS = [
    ("the same", {"README.md": "# Shop\n"}, "", PASSES, ""),
    ("an alias in place of the subcommand", {"benches/suite.rs": SLOWER, **ALIAS}, "", GATE_FAILS, ""),
    (
        "settings that allow everything",
        {"benches/suite.rs": SLOWER, "tourbillon.toml": '[gate]\nrelative = "900%"\n[bench]\nskip = "one"\n'},
        "",
        GATE_FAILS,
        "",
    ),
    ("a build script", {"benches/suite.rs": SLOWER, "build.rs": BUILD_SCRIPT}, "", GATE_FAILS, ""),
    ("a case less", {"benches/suite.rs": suite(one=2000, two=3000)}, "", PASSES, "lost `steady`"),
    ("a case less, on two lines", {"benches/suite.rs": suite(one=2000, two=3000)}, "--time 2s\n--missing fail\n", GATE_FAILS, "lost `steady`"),
    (
        "another name",
        {"benches/suite.rs": suite(one=2000, two=3000, steadier=2500)},
        "--missing 'fail'",
        GATE_FAILS,
        "renamed `steady` to `steadier`",
    ),
    (
        "an ignored case",
        {"benches/suite.rs": suite(one=2000, two=3000, steady=("(ignore)", 2500))},
        "--missing fail",
        GATE_FAILS,
        "ignored `steady`",
    ),
]


class Shop:
    """The repository with a settled base."""

    def __init__(self, work):
        self.path = os.path.join(work, "repository")
        os.makedirs(self.path)
        files = {"Cargo.toml": MANIFEST.format(ROOT), "src/lib.rs": "//! Benchmarks only.\n", ".gitignore": "target\n"}
        self.write({**files, "benches/suite.rs": suite(**BASE)})
        shutil.copy(os.path.join(ROOT, "Cargo.lock"), self.path)
        run(["cargo", "update", "--quiet", "--workspace", "--offline"], self.path)
        git(self.path, "init", "--quiet", "-b", "main")
        git(self.path, "add", "--all")
        git(self.path, "commit", "--quiet", "-m", "start")
        self.write({"tourbillon.toml": '[gate]\nrelative = "5%"\n'})
        git(self.path, "add", "--all")
        git(self.path, "commit", "--quiet", "-m", "base")

    def write(self, files):
        for name, text in files.items():
            write(os.path.join(self.path, name), text)

    def pull_request(self, files):
        """The merge of a pull request, as GitHub makes it."""
        git(self.path, "checkout", "--quiet", "--force", "--detach", "main")
        self.write(files)
        git(self.path, "add", "--all")
        git(self.path, "commit", "--quiet", "-m", "head")
        head, tree = (git(self.path, "rev-parse", name) for name in ["HEAD", "HEAD^{tree}"])
        merge = git(self.path, "commit-tree", tree, "-p", "main", "-p", head, "-m", "merge")
        git(self.path, "update-ref", "refs/pull/1/merge", merge)
        git(self.path, "checkout", "--quiet", "--force", "main")
        return merge


class PageJob(Runner):
    """A job of a workflow of the page, on a machine of its own. Artifacts are folders."""

    def __init__(self, work, repository, merge, variables):
        self.repository, self.artifacts = repository, os.path.join(work, "artifacts")
        event = os.path.join(work, "event.json")
        write(event, json.dumps({"pull_request": {"number": 1}}))
        own = {"GITHUB_SHA": merge, "GITHUB_BASE_REF": "main", "GITHUB_EVENT_PATH": event}
        super().__init__(work, {"sha": merge}, {**variables, **own})

    def uses(self, action, step):
        if action == "actions/checkout":
            git(self.workspace, "init", "--quiet")
            git(self.workspace, "remote", "add", "origin", self.repository)
            refs = ["+refs/heads/*:refs/remotes/origin/*", "+refs/pull/1/merge:refs/remotes/pull/1/merge"]
            git(self.workspace, "fetch", "--quiet", "origin", *refs)
            git(self.workspace, "checkout", "--quiet", "--force", "--detach", self.github["sha"])
            return 0
        name, path = (self.text(step["with"][part]) for part in ["name", "path"])
        kept = os.path.join(self.artifacts, name)
        if action == "actions/upload-artifact":
            shutil.rmtree(kept, ignore_errors=True)
            if os.path.isdir(path):
                shutil.copytree(path, kept)
            else:
                os.makedirs(kept)
                shutil.copy(path, kept)
        elif action == "actions/download-artifact":
            shutil.copytree(kept, path)
        else:
            return super().uses(action, step)
        return 0


def page_jobs(work, repository, merge, variables):
    """Runs the jobs of the page; gives the exit code of the last one, and the folder of its result."""
    _, place, rest = read(os.path.join(ROOT, PAGE)).partition("<!-- job: judge -->\n\n```yaml\n")
    if not place:
        sys.exit(f"{PAGE} has no job judge")
    jobs = yaml.safe_load(rest.split("\n```", 1)[0])["jobs"]
    for name in ["build", "judge"]:
        job = PageJob(work, repository, merge, variables)
        if code := job.run(jobs[name]["steps"]):
            return name, code, os.path.join(job.artifacts, "tourbillon")
    return "judge", 0, os.path.join(job.artifacts, "tourbillon")


def check(what, found, code, folder, named):
    """Compares the end of a job with what is right."""
    summary = os.path.join(folder or "", "summary.md")
    first = read(summary).split("\n", 1)[0] if os.path.exists(summary) else "no summary"
    right = found == code and named in first and first != "no summary"
    print(f"{'holds' if right else 'FAILS'}: {what}: exit code {found}, {first}", flush=True)
    return right


def without_verdict(folder):
    """Whether every case of a result is the same or undecided."""
    found = {row["finding"] for row in json.loads(read(os.path.join(folder, "outcomes.json")))["cases"]}
    return found <= {"same", "undecided"}


def heads(work):
    """Judges every head, by the action and by the jobs of the page."""
    work = os.path.join(work, "heads")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(os.path.join(work, "bin"))
    run(["cargo", "build", "--quiet", "-p", "cargo-tourbillon", "--bin", "cargo-tourbillon"], ROOT)
    program = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "debug/cargo-tourbillon")
    cargo = os.path.join(work, "bin/cargo")
    write(cargo, CARGO.format(cargo=shutil.which("cargo"), program=program))
    os.chmod(cargo, 0o755)
    shop = Shop(work)
    path = ":".join([os.path.join(work, "home", ".cargo/bin"), os.path.join(work, "bin"), os.environ["PATH"]])
    # What is judged is no speed: every job builds everything, and this takes a quarter of the time.
    variables = {"PATH": path, "TOURBILLON_LOCK": "none", "CARGO_PROFILE_BENCH_OPT_LEVEL": "0"}
    shop.pull_request({"README.md": "# Shop\n"})
    pushed = ActionJob.of_push(work, shop.path, {"flags": "--time 1ms"}, variables)
    pushed.run()
    keys = os.listdir(pushed.caches)
    all_right = True
    for what, files, flags, code, named in HEADS:
        shop.pull_request(files)
        job = ActionJob(work, shop.path, 1, {"flags": flags}, variables=variables)
        found = job.run()
        right = check(f"action, {what}", found, code, job.outputs.get("compare", {}).get("folder"), named)
        kept = [name for _, _, names in os.walk(pushed.caches) for name in names]
        if os.listdir(pushed.caches) != keys or "left-by-the-head" in kept or "cargo-tourbillon" in kept:
            print(f"FAILS: {what}: the cache is not that of the push")
            right = False
        all_right &= right
    for what, files, flags, code, named in HEADS:
        if flags or "alias" in what:
            continue
        # The jobs of the page fail for a lost case.
        code = GATE_FAILS if named else code
        merge = shop.pull_request(files)
        name, found, folder = page_jobs(work, shop.path, merge, variables)
        if name != "judge":
            print(f"FAILS: {what}: the job {name} exited with {found}")
            all_right = False
            continue
        if code == PASSES and found == GATE_FAILS and without_verdict(folder):
            # The page has `--undecided fail`, and no machine is always quiet.
            code = GATE_FAILS
        all_right &= check(f"two jobs, {what}", found, code, folder, named)
    if not all_right:
        sys.exit(f"{work}/job.log has the output")
    shutil.rmtree(work)
