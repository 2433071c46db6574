"""The job files of docs/how-to/partition.md and partition-engines.md, and a place where they run: a repository with a slower case."""

import collections
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "docs/how-to" / page for page in ("partition.md", "partition-engines.md")]
PAGE = "".join(page.read_text(encoding="utf-8") for page in PAGES)
CASES = 8
# The exit code of a shard with the slower case, and of the merge of all shards.
GATE_FAILS = 2
# One case does twice the steps in the head.
SUITE = """//! Cases that are decided at once.

use std::process::ExitCode;

use tourbillon::{bench, hide};

fn main() -> ExitCode {
    tourbillon::main()
}

fn steps(count: u64) -> u64 {
    (0..count).fold(1, |sum, one| hide(sum).wrapping_mul(3) ^ one)
}
"""
CASE = """
#[bench]
fn of_{0}() -> u64 {{
    steps({1})
}}
"""
MANIFEST = f"""[package]
name = "shards"
version = "0.1.0"
edition = "2024"

[workspace]

[dev-dependencies]
tourbillon = {{ path = "{ROOT}/crates/tourbillon" }}

[lib]
path = "lib.rs"
bench = false

[[bench]]
name = "suite"
path = "suite.rs"
harness = false

# Differences are large: what is built fast is measured well enough.
[profile.bench]
opt-level = 1

[profile.bench.package."*"]
opt-level = 0
"""


def fail(what):
    sys.exit(f"FAILS: {what}")


def job(name):
    """The job file of the page after the line with this name."""
    _, place, rest = PAGE.partition(f"<!-- job: {name} -->\n\n```")
    if not place:
        fail(f"docs/how-to/partition.md and partition-engines.md have no job {name}")
    return rest.split("\n", 1)[1].split("\n```", 1)[0] + "\n"


def run(words, folder, env=None, codes=(0,)):
    done = subprocess.run(words, cwd=folder, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode not in codes:
        fail(f"{shlex.join(map(str, words))} exited with {done.returncode}\n{done.stdout}")
    return done


def git(folder, *words):
    identity = ["-c", "user.name=Shards", "-c", "user.email=shards@shards", "-c", "commit.gpgsign=false"]
    run(["git", *identity, *words], folder)


def suite(slower):
    cases = range(1, CASES + 1)
    return SUITE + "".join(CASE.format(one, 100 * one * (2 if one == slower else 1)) for one in cases)


class Place:
    """A repository, a checkout of it with a change, and the tool in the path."""

    def __init__(self, folder, tool):
        self.folder = folder
        origin = folder / "origin"
        origin.mkdir()
        files = {"Cargo.toml": MANIFEST, "lib.rs": "//! Benchmarks only.\n", "suite.rs": suite(None), ".gitignore": "target\n"}
        for name, text in files.items():
            (origin / name).write_text(text)
        shutil.copy(ROOT / "Cargo.lock", origin)
        run(["cargo", "update", "--quiet", "--workspace", "--offline"], origin)
        git(origin, "init", "--quiet", "-b", "main")
        git(origin, "add", "--all")
        git(origin, "commit", "--quiet", "-m", "base")
        self.checkout = folder / "checkout"
        git(folder, "clone", "--quiet", str(origin), str(self.checkout))
        (self.checkout / "suite.rs").write_text(suite(3))
        git(self.checkout, "commit", "--quiet", "--all", "-m", "change")
        (folder / "bin").mkdir()
        self.tool = folder / "bin/cargo-tourbillon"
        self.tool.symlink_to(tool)
        self.env = {name: value for name, value in os.environ.items() if not name.startswith(("TOURBILLON_", "CARGO_TARGET"))}
        self.env |= {
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "TOURBILLON_CACHE": str(folder / "cache"),
            "TOURBILLON_LOCK": "none",
            "CARGO_NET_OFFLINE": "true",
        }

    def without_toolchain(self, **variables):
        """The environment of a machine that measures."""
        return self.env | {"PATH": f"{self.folder / 'bin'}:/usr/bin:/bin"} | variables


def complete(file):
    """The records of a file that have their end and were not interrupted: the lines of each."""
    runs = []
    for line in map(json.loads, file.read_text().splitlines()):
        if line["type"] == "header":
            runs.append([])
        runs[-1].append(line)
    return [lines for lines in runs if lines[-1]["type"] == "end" and not lines[-1]["interrupted"]]


def check(engine, codes, shards, merged):
    """The codes of the shards, and the merged records."""
    if len(codes) != shards or sorted(codes) != [0] * (shards - 1) + [GATE_FAILS]:
        fail(f"{engine}: the shards exited with {codes}; one of {shards} has a slower case")
    lines = [line for lines in complete(merged) for line in lines]
    verdicts = collections.Counter(line["case"] for line in lines if line["type"] == "verdict")
    if sorted(verdicts.values()) != [1] * CASES:
        fail(f"{engine}: verdicts {verdicts}; there are {CASES} cases")
    numbers = sorted({line["shard"]["number"] for line in lines if line["type"] == "header"})
    print(f"holds: {engine}: {len(verdicts)} cases in shards {numbers}, exit codes {codes}", flush=True)
