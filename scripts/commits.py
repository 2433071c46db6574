"""Compares the commits of repositories with suites of criterion; see scripts/commits.sh."""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from criterion_suites.manifest import with_facade
from criterion_suites.suites import ROOT, Failure, clean_environment, say, suites

# A filter of paths, as projects write it for their benchmarks: what else changes measures nothing.
MEASURED_PATHS = re.compile(r"(^|/)(src|benches)/|(^|/)(Cargo\.toml|Cargo\.lock|build\.rs)$")
# What a case that is measured may be found to be, if its code is the same.
ALIKE = ("same", "undecided", "not_comparable")
AUTHOR = {"GIT_AUTHOR_NAME": "suite", "GIT_AUTHOR_EMAIL": "suite@localhost", "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z"}
COMMITTER = {name.replace("AUTHOR", "COMMITTER"): value for name, value in AUTHOR.items()}


class Repository:
    """One repository for all suites, so that they share a clone and a target folder in the cache."""

    def __init__(self, log):
        self.folder = Path(log).resolve() / "commits"
        self.index = self.folder / ".git" / "index-of-a-commit"
        if not (self.folder / ".git").exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            self.git("init", "--quiet", "-b", "none")

    def git(self, *words, text=None, **more):
        environment = {**os.environ, **AUTHOR, **COMMITTER, **more}
        done = subprocess.run(["git", *words], cwd=self.folder, env=environment, input=text, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"git {' '.join(words)}: {done.stderr.strip()[-300:]}")
        return done.stdout

    def with_facade(self, commit, features):
        """A commit with the same files, except for the line that names criterion; `None` where no manifest does."""
        own = {"GIT_INDEX_FILE": str(self.index)}
        self.git("read-tree", commit, **own)
        changed = 0
        for path in self.git("ls-files", "-z", **own).split("\0"):
            if Path(path).name != "Cargo.toml":
                continue
            try:
                text, lines = with_facade(self.git("show", f"{commit}:{path}"), ROOT, features)
            except ValueError:
                # Templates of manifests.
                continue
            if lines:
                blob = self.git("hash-object", "-w", "--stdin", text=text).strip()
                self.git("update-index", "--cacheinfo", f"100644,{blob},{path}", **own)
                changed += lines
        tree = self.git("write-tree", **own).strip()
        return self.git("commit-tree", "-m", f"{commit} with Tourbillon", tree).strip() if changed else None

    def work_on(self, commit, package):
        """Checks a commit out, with a lock file where it tracks none: both sides of a comparison have that of the tree."""
        self.git("checkout", "--quiet", "--force", "--detach", commit)
        self.git("clean", "--quiet", "-ffdx")
        done = subprocess.run(
            ["cargo", "metadata", "--format-version", "1"],
            cwd=self.folder / package,
            env=clean_environment(),
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise Failure(f"cargo metadata: {done.stderr.strip()[-300:]}")
        self.git("checkout", "--quiet", "--force", "HEAD")


# A suite, and what its commits write: documentation, a comment, a change.
SUITE = {
    "Cargo.toml": """[package]
name = "small"
version = "0.0.0"
edition = "2021"
[dev-dependencies]
criterion = "0.5"
[[bench]]
name = "suite"
harness = false
""",
    "benches/suite.rs": """use criterion::{black_box, criterion_group, criterion_main, Criterion};
fn sums(c: &mut Criterion) { c.bench_function("sum", |b| b.iter(|| small::sum(black_box(&[1, 2, 3])))); }
criterion_group!(benches, sums);
criterion_main!(benches);
""",
    "src/lib.rs": "pub fn sum(of: &[u64]) -> u64 { of[1..].iter().sum() }\n",
}
COMMITS = [
    {"README.md": "# Small\n"},
    {"src/lib.rs": "// A comment.\n" + SUITE["src/lib.rs"]},
    {"src/lib.rs": "pub fn sum(of: &[u64]) -> u64 { of[1..].iter().map(|one| one ^ 5).sum() }\n"},
]


def small_suite(log):
    """The list of suites with one, whose repository is made."""
    folder = Path(log) / "small"
    if folder.exists():
        return
    for number, files in enumerate([SUITE, *COMMITS]):
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        git = ["git", "-C", str(folder)]
        environment = {**os.environ, **AUTHOR, **COMMITTER}
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", str(number)]):
            subprocess.run([*git, *words], env=environment, check=True)
    (Path(log) / "suites.tsv").write_text(f"small\t{folder.resolve()}\t\t--bench suite\n")


def compared(suite, repository, wanted, sides, flags):
    """The verdicts by case, and seconds; a text where nothing was compared."""
    arguments = list(suite.arguments)
    at = arguments.index("--") if "--" in arguments else len(arguments)
    arguments[at:at] = ["--format", "jsonl", "--no-wait", *flags]
    log = suite.log.parent
    environment = clean_environment(
        TOURBILLON_CACHE=log / "commits-cache", TOURBILLON_STORE=suite.log / "store", TOURBILLON_LOCK=log
    )
    started = time.monotonic()
    done = subprocess.run(
        [wanted.subcommand, "tourbillon", "compare", *sides, *arguments],
        cwd=repository.folder / suite.folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    seconds = time.monotonic() - started
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    verdicts = {line["case"]: line for line in lines if line["type"] == "verdict" and "metric" not in line}
    if not verdicts:
        return done.stderr.strip()[-400:] or f"exit code {done.returncode}"
    kept = ("verdict", "ratio", "lower", "upper", "seconds")
    cases = {case: {name: line.get(name) for name in kept} for case, line in verdicts.items()}
    return {"cases": cases, "seconds": round(seconds, 2)}


def walk(suite, repository, wanted):
    """Compares the commits of a suite that are not compared yet."""
    path = suite.log / "commits.jsonl"
    suite.log.mkdir(parents=True, exist_ok=True)
    # What failed, such as for a full disk, is tried again.
    done = {line["commit"] for line in read(path) if "failed" not in line}
    branch = f"refs/suites/{suite.name}"
    repository.git("fetch", "--quiet", "--no-tags", str(suite.snapshot.resolve()), f"+HEAD:{branch}")
    first = f"--skip={wanted.skip}"
    commits = repository.git("rev-list", "--first-parent", first, f"--max-count={wanted.commits}", branch).split()
    tip = repository.with_facade(commits[0], suite.features)
    if tip is None:
        raise Failure(f"{suite.name}: no manifest names a version of criterion")
    repository.work_on(tip, suite.folder)
    for commit in commits:
        if commit in done:
            continue
        files = repository.git("diff", "--name-only", "--no-renames", f"{commit}^1", commit).split("\n")[:-1]
        line = {"commit": commit, "files": len(files), "filter": any(map(MEASURED_PATHS.search, files))}
        sides = [repository.with_facade(one, suite.features) for one in (f"{commit}^1", commit)]
        if None in sides:
            line["failed"] = "no manifest names a version of criterion"
        else:
            # Which cases are unchanged does not depend on how long the others are measured.
            line["plain"] = compared(suite, repository, wanted, sides, ["--time", "1ms"])
            line["measured"] = compared(suite, repository, wanted, sides, ["--time", wanted.time, "--measure-unchanged"])
            if "failed" not in line and any(isinstance(line[name], str) for name in ("plain", "measured")):
                line["failed"] = next(line[name] for name in ("plain", "measured") if isinstance(line[name], str))
        with open(path, "a") as out:
            out.write(json.dumps(line) + "\n")
        say(f"{suite.name} {commit[:9]}: {described(line)}")


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def unchanged(line):
    """The cases that are called unchanged, with what measuring them found."""
    cases = line["plain"]["cases"]
    names = [name for name, found in cases.items() if found["verdict"] == "unchanged"]
    return {name: line["measured"]["cases"][name] for name in names}


def described(line):
    if "failed" in line:
        return f"not compared: {line['failed'].splitlines()[-1]}"
    all_cases, same = line["measured"]["cases"], unchanged(line)
    found = Counter(case["verdict"] for case in same.values())
    by_filter = "measured" if line["filter"] else "skipped"
    return f"{len(same)} of {len(all_cases)} cases unchanged, measured: {dict(found)}; {by_filter} by the filter"


def row(name, lines):
    """What the commits of a suite come to, and the cases that are called unchanged and were found not to be."""
    whole = [line for line in lines if "failed" not in line]
    same = [case for line in whole for case in unchanged(line).values()]
    wrong = [
        f"{name} {line['commit'][:9]} {case}: {found}"
        for line in whole
        for case, found in unchanged(line).items()
        if found["verdict"] not in ALIKE
    ]
    cases = [case for line in whole for case in line["measured"]["cases"].values()]
    seconds = [sum(case["seconds"] or 0 for case in of) for of in (cases, same)]
    differs = [line for line in whole if len(unchanged(line)) < len(line["measured"]["cases"])]
    skipped_wrongly = sum(not line["filter"] for line in differs)
    measured_in_vain = sum(line["filter"] for line in whole if line not in differs)
    found = Counter(case["verdict"] for case in same)
    numbers = [len(whole), len(whole) - len(differs), len(cases), len(same), found["same"], found["undecided"], len(wrong)]
    numbers += [round(seconds[0]), round(seconds[1]), sum(not line["filter"] for line in whole)]
    return [*numbers, skipped_wrongly, measured_in_vain], wrong


TITLES = (
    "repository | commits | unchanged as a whole | cases | unchanged | same | undecided | faster or slower | seconds measured"
    " | of these saved | skipped by paths | of these changed | measured by paths, unchanged"
)


def table(chosen):
    """Prints the table; whether a case that is called unchanged was found not to be."""
    print(f"| {TITLES} |\n|---|{'--:|' * TITLES.count('|')}")
    total, all_wrong = None, []
    for suite in chosen:
        numbers, wrong = row(suite.name, read(suite.log / "commits.jsonl"))
        all_wrong += wrong
        total = [one + other for one, other in zip(total, numbers)] if total else numbers
        print(f"| {suite.name} | {' | '.join(map(str, numbers))} |")
    print(f"| all | {' | '.join(map(str, total))} |")
    print("".join(f"\nfound to differ: {one}" for one in all_wrong))
    return bool(all_wrong)


def options():
    parser = argparse.ArgumentParser(prog="scripts/commits.sh", add_help=False)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--log", required=True)
    parser.add_argument("--snapshots", default=".")
    parser.add_argument("--commits", type=int, default=10)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--time", default="1s")
    parser.add_argument("--subcommand")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--small", action="store_true")
    return parser.parse_intermixed_args()


def main():
    wanted = options()
    if wanted.small:
        small_suite(wanted.log)
        wanted.commits = min(wanted.commits, len(COMMITS))
    chosen = suites(wanted.log, wanted.snapshots, wanted.names)
    if not wanted.table:
        if not wanted.subcommand:
            subprocess.run(["cargo", "build", "-q", "-p", "cargo-tourbillon"], cwd=ROOT, check=True)
            target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
            wanted.subcommand = str(target / "debug" / "cargo-tourbillon")
        repository = Repository(wanted.log)
        for suite in chosen:
            try:
                walk(suite, repository, wanted)
            except Failure as failure:
                say(f"failed: {failure}")
    return table(chosen)


if __name__ == "__main__":
    sys.exit(main())
