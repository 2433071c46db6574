"""The engines of scripts/engines.sh: engines.py TOOL [ENGINE..]."""

import collections
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/how-to/partition.md").read_text(encoding="utf-8")
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
"""
SBATCH = """#!/usr/bin/env python3
# Runs the tasks of a job file after each other, and notes how they ended.
import os, re, subprocess, sys

text = open(sys.argv[-1]).read()
array = re.search(r"^#SBATCH --array=(\\d+)-(\\d+)$", text, re.M)
first, last = (int(one) for one in array.groups()) if array else (0, 0)
for task in range(first, last + 1):
    env = dict(os.environ)
    if array:
        numbers = {"ID": task, "MIN": first, "MAX": last, "COUNT": last - first + 1}
        env.update({f"SLURM_ARRAY_TASK_{name}": str(number) for name, number in numbers.items()})
    done = subprocess.run(["bash", sys.argv[-1]], env=env, stdout=sys.stderr)
    with open("codes", "a") as codes:
        codes.write(f"{done.returncode}\\n")
print(4711)
"""


def fail(what):
    sys.exit(f"FAILS: {what}")


def job(name):
    """The job file of the page after the line with this name."""
    _, place, rest = PAGE.partition(f"<!-- job: {name} -->\n\n```")
    if not place:
        fail(f"docs/how-to/partition.md has no job {name}")
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


def check(engine, codes, shards, merged):
    """The codes of the shards, and the merged records."""
    if len(codes) != shards or sorted(codes) != [0] * (shards - 1) + [GATE_FAILS]:
        fail(f"{engine}: the shards exited with {codes}; one of {shards} has a slower case")
    lines = [json.loads(line) for line in merged.read_text().splitlines()]
    verdicts = collections.Counter(line["case"] for line in lines if line["type"] == "verdict")
    if sorted(verdicts.values()) != [1] * CASES:
        fail(f"{engine}: verdicts {verdicts}; there are {CASES} cases")
    numbers = sorted({line["shard"]["number"] for line in lines if line["type"] == "header"})
    print(f"holds: {engine}: {len(verdicts)} cases in shards {numbers}, exit codes {codes}", flush=True)


def slurm(place):
    folder = place.checkout
    for name in ["bench.sbatch", "merge.sbatch"]:
        (folder / name).write_text(job(name))
    sbatch = place.folder / "bin/sbatch"
    sbatch.write_text(SBATCH)
    sbatch.chmod(0o755)
    run(["bash", "-euo", "pipefail", "-c", job("submit")], folder, place.env)
    *codes, merged = (int(code) for code in (folder / "codes").read_text().split())
    if merged != GATE_FAILS:
        fail(f"slurm: merge exited with {merged}")
    check("slurm", codes, 4, folder / "all.jsonl")


def kubernetes(place):
    spec = yaml.safe_load(job("kubernetes"))["spec"]
    [container] = spec["template"]["spec"]["containers"]
    data = place.folder / "data"
    data.mkdir()
    run([place.tool, "bundle", data / "both.tar.gz", "origin/main"], place.checkout, place.env)
    words = [word.replace("/data/", f"{data}/") for word in container["command"] + container["args"]]
    codes = []
    for index in range(spec["completions"]):
        env = place.without_toolchain(JOB_COMPLETION_INDEX=str(index))
        codes.append(run(words, data, env, codes=range(256)).returncode)
    run([place.tool, "merge", "results", "-o", "all.jsonl", "--gate", "2%"], data, place.env, codes=[GATE_FAILS])
    check("kubernetes", codes, spec["completions"], data / "all.jsonl")


class Runner:
    """Runs the jobs of the workflow; what they upload is in a folder for each artifact."""

    def __init__(self, place, workflow):
        self.place, self.workflow = place, workflow
        self.artifacts = place.folder / "artifacts"
        self.outputs = {}

    def job(self, name, folder, values):
        """Runs the steps of a job; returns the first code that is not 0."""

        def filled(text):
            return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: values[found[1]], text)

        code = 0
        for step in self.workflow["jobs"][name]["steps"]:
            if code and step.get("if") != "always()":
                continue
            uses, given = step.get("uses", ""), step.get("with", {})
            if uses.startswith("actions/upload-artifact@"):
                for path in given["path"].split():
                    target = self.artifacts / filled(given["name"])
                    # A folder is the artifact; of several paths each has its own.
                    target = target if (folder / path).is_dir() else target / path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    run(["cp", "-a", folder / path, target], folder)
            elif uses.startswith("actions/download-artifact@"):
                source = self.artifacts / given.get("name", "")
                run(["cp", "-a", f"{source}/.", folder], folder)
            elif "run" in step and not re.match("sudo apt-get|cargo install ", step["run"]):
                output = folder / "output"
                env = self.place.env if name == "build" else self.place.without_toolchain()
                env |= {"GITHUB_OUTPUT": str(output)}
                words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step["run"])]
                code = run(words, folder, env, codes=range(256)).returncode
                if output.exists():
                    lines = (line.split("=", 1) for line in output.read_text().splitlines())
                    self.outputs |= {f"steps.{step['id']}.outputs.{key}": value for key, value in lines}
        return code


def github(place):
    workflow = yaml.safe_load(job("github"))
    runner = Runner(place, workflow)
    # As cargo install would.
    (place.checkout / "tool/bin").mkdir(parents=True)
    shutil.copy(place.tool, place.checkout / "tool/bin/cargo-tourbillon")
    if code := runner.job("build", place.checkout, {}):
        fail(f"github: the job that builds exited with {code}")
    expression = workflow["jobs"]["build"]["outputs"]["matrix"].removeprefix("${{ ").removesuffix(" }}")
    matrix = json.loads(runner.outputs[expression])
    codes = []
    for index, partition in enumerate(matrix["partition"]):
        folder = place.folder / f"runner-{index}"
        folder.mkdir()
        values = {"matrix.partition": partition, "strategy.job-index": str(index)}
        codes.append(runner.job("measure", folder, values))
    folder = place.folder / "runner-merge"
    folder.mkdir()
    if (code := runner.job("merge", folder, {})) != GATE_FAILS:
        fail(f"github: the job that merges exited with {code}")
    check("github", codes, 4, folder / "all.jsonl")


ENGINES = {"slurm": slurm, "kubernetes": kubernetes, "github": github}


def main():
    tool, *names = sys.argv[1:]
    if unknown := set(names) - ENGINES.keys():
        sys.exit(f"{', '.join(sorted(unknown))}: there are {', '.join(ENGINES)}")
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder), Path(tool).resolve())
        for name in names or ENGINES:
            ENGINES[name](place)


main()
