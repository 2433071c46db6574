"""The jobs of scripts/ci-job.sh, which describes the arguments."""

import argparse
import collections
import glob
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import yaml

from blocks import put
from ci_heads import heads
from github_runner import ActionJob, git, read, run, write

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CASES = 50
# Alerts of github-action-benchmark: its default, and a threshold in use.
ALERTS = {"github-action-benchmark 200 %": 2.0, "github-action-benchmark 110 %": 1.1}
CHANGE = """//! The change.

pub(crate) const PER_MILLE: u64 = {};
pub(crate) const RARELY_PER_MILLE: u64 = 0;
"""
UNRELATED = """//! Functions that are never called: none.

/// None.
pub static TABLE: [fn(u64, &str) -> u64; 0] = [];
"""


class Log:
    """A line for each verdict and each time; those of a job are written together."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "log.tsv")
        self.lines = []
        if os.path.exists(self.path):
            # A line that was cut off belongs to a job that did not end.
            text = read(self.path)
            lines = text.split("\n")[:-1]
            if not text.endswith("\n"):
                write(self.path, "".join(line + "\n" for line in lines))
            self.lines = [line.split("\t") for line in lines]

    def newest(self):
        """The number of the last job."""
        return max((int(line[0]) for line in self.lines), default=0)

    def jobs(self, kind, load, tools):
        """The numbers of the jobs of a kind and a load that all of these tools measured."""
        jobs = collections.defaultdict(set)
        for number, its_kind, its_load, what, *rest in self.lines:
            if (its_kind, its_load, what) == (kind, load, "verdict"):
                jobs[rest[0]].add(number)
        return set.intersection(*(jobs[tool] for tool in tools))

    def append(self, lines):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write("".join("\t".join(map(str, line)) + "\n" for line in lines))
        self.lines += [[str(part) for part in line] for line in lines]


class Repository:
    """The repository of the project whose pull requests are measured."""

    def __init__(self, work):
        self.path = os.path.join(work, "repository")
        if os.path.exists(os.path.join(self.path, ".git")):
            return
        shutil.rmtree(self.path, ignore_errors=True)
        os.makedirs(self.path)
        for source in ["lib.rs", "suite.rs"]:
            shutil.copy(os.path.join(ROOT, "scripts/shop", source), self.path)
        manifest = read(os.path.join(ROOT, "scripts/shop/Cargo.toml")).replace("@crates@", os.path.join(ROOT, "crates"))
        # One bench target: the other one of the crate has cases of its own.
        head, tail = manifest.split("[[bench]]\nname = \"cases\"")
        write(os.path.join(self.path, "Cargo.toml"), head + tail.split("harness = false\n", 1)[1].lstrip())
        write(os.path.join(self.path, "change.rs"), CHANGE.format(0))
        write(os.path.join(self.path, "unrelated.rs"), UNRELATED)
        write(os.path.join(self.path, "README.md"), "# Shop\n")
        write(os.path.join(self.path, ".gitignore"), "target\n")
        shutil.copytree(os.path.join(ROOT, "scripts/ci_job"), os.path.join(self.path, "criterion"))
        write(os.path.join(self.path, "criterion/lib.rs"), "//! Benchmarks only.\n")
        shutil.copy(os.path.join(ROOT, "Cargo.lock"), self.path)
        run(["cargo", "metadata", "--offline", "--format-version", "1"], self.path)
        git(self.path, "init", "--quiet", "-b", "main")
        git(self.path, "add", "--all")
        git(self.path, "commit", "--quiet", "-m", "start")
        write(os.path.join(self.path, "README.md"), "# The shop\n")
        git(self.path, "commit", "--quiet", "--all", "-m", "base")

    def pull_request(self, number, per_mille):
        """The commits of a pull request's base and of its merge, as GitHub makes it."""
        base = git(self.path, "rev-parse", "main")
        git(self.path, "checkout", "--quiet", "--force", "--detach", "main")
        write(os.path.join(self.path, "README.md"), f"# Shop\n\nPull request {number}.\n")
        write(os.path.join(self.path, "change.rs"), CHANGE.format(per_mille))
        git(self.path, "commit", "--quiet", "--all", "-m", f"pull request {number}")
        head = git(self.path, "rev-parse", "HEAD")
        tree = git(self.path, "rev-parse", "HEAD^{tree}")
        merge = git(self.path, "commit-tree", tree, "-p", base, "-p", head, "-m", "merge")
        git(self.path, "update-ref", "refs/pull/1/merge", merge)
        git(self.path, "checkout", "--quiet", "--force", "main")
        return base, merge


class Job(ActionJob):
    """A job, and what it found."""

    def verdicts(self):
        """The verdict on each case, its name and the ratio."""
        path = os.path.join(self.outputs["compare"]["folder"], "comparison.jsonl")
        lines = [json.loads(line) for line in read(path).splitlines()]
        if lines[-1]["type"] == "error":
            sys.exit(f"job {self.number}: {lines[-1]['message']}; {self.work}/job.log has the output")
        return [(line["verdict"], line["case"], line.get("ratio", "")) for line in lines if line["type"] == "verdict"]

    def criterion(self, flags):
        """What criterion finds after base and head, and github-action-benchmark in its medians of each case. Other flags
        are another tool."""
        folder = os.path.join(self.workspace, "criterion")
        env = {**os.environ, "CARGO_TARGET_DIR": os.path.join(self.work, "criterion-target"), "CARGO_NET_OFFLINE": "true"}
        results = os.path.join(self.work, "criterion-target", "criterion")
        shutil.rmtree(results, ignore_errors=True)
        bench = ["cargo", "bench", "--quiet", "--bench", "suite", "--", "--noplot", *flags]
        git(self.workspace, "checkout", "--quiet", "--force", "--detach", self.base)
        run([*bench, "--save-baseline", "base"], folder, env)
        git(self.workspace, "checkout", "--quiet", "--force", "--detach", self.merge)
        text = run([*bench, "--baseline", "base"], folder, env).stdout
        words = re.findall(r"Performance has (regressed|improved)", text)
        tool = " ".join(["criterion", *flags])
        found = [(tool, "slower" if word == "regressed" else "faster") for word in words]
        found += [(tool, "same")] * (CASES - len(found))
        for base in glob.glob(os.path.join(glob.escape(results), "**/base/estimates.json"), recursive=True):
            new = os.path.join(os.path.dirname(os.path.dirname(base)), "new/estimates.json")
            before, after = (json.loads(read(path))["median"]["point_estimate"] for path in [base, new])
            # As in the line that it reads, in whole nanoseconds.
            ratio = round(after) / max(round(before), 1)
            for rule, alert in ALERTS.items():
                found.append((" ".join([rule, *flags]), "slower" if ratio > alert else "same"))
        return found


def job(arguments, kind, log):
    """Runs one job and logs its verdicts."""
    number = log.newest() + 1
    seed = f"--seed {number:x}"
    inputs = {"flags": f"{seed} {arguments.flags}".strip()}
    repository = Repository(arguments.log)
    repository.pull_request(number, 20 if kind == "slower" else 0)
    caches = os.path.join(arguments.log, "caches")
    if kind == "cold":
        shutil.rmtree(caches, ignore_errors=True)
    elif not os.path.isdir(caches):
        Job.of_push(arguments.log, repository.path, {"flags": "--time 1ms"}).run()
    this = Job(arguments.log, repository.path, number, inputs)
    burner = subprocess.Popen([sys.executable, "-c", "while True: pass"]) if arguments.busy else None
    try:
        start = time.monotonic()
        code = this.run()
        wall = time.monotonic() - start
        if "compare" not in this.outputs or "folder" not in this.outputs["compare"]:
            sys.exit(f"job {number} exited with {code}; {arguments.log}/job.log has the output")
        ours = arguments.tools[0]
        found = [(ours, *one) for one in this.verdicts()]
        # Cases that failed.
        found += [(ours, "none", "", "")] * (CASES - len(found))
        if arguments.others:
            found += [(*one, "", "") for one in this.criterion(arguments.criterion.split())]
    finally:
        if burner:
            burner.terminate()
            burner.wait()
    cache = "cold" if this.is_cold else "warm"
    load = arguments.load
    lines = [(number, kind, load, "time", cache, f"{wall:.1f}", code)]
    lines += [(number, kind, load, "step", cache, step, f"{seconds:.1f}") for step, seconds in this.seconds.items()]
    lines += [(number, kind, load, "verdict", *one) for one in found]
    log.append(lines)
    counts = collections.Counter((tool, verdict) for tool, verdict, *_ in found)
    counts = ", ".join(f"{tool}: {count} {verdict}" for (tool, verdict), count in sorted(counts.items()))
    print(f"job {number} ({kind}, {load}, {cache}): {wall:.0f} s, exit code {code}; {counts}", flush=True)


def table(heading, rows):
    """A table in Markdown; columns after the bar in the heading hold numbers."""
    left, _, right = heading.partition(" | | ")
    names = [*left.split(" | "), *right.split(" | ")]
    rule = "|---" * len(left.split(" | ")) + "|--:" * len(right.split(" | ")) + "|"
    heading, *lines = ("| " + " | ".join(map(str, cells)) + " |" for cells in [names, *rows])
    return "\n".join([heading, rule, *lines])


def verdicts_table(log):
    """What each tool found; its own jobs only."""
    jobs = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    for number, kind, load, what, *rest in log.lines:
        if what == "verdict":
            kind = "2 % more steps" if kind == "slower" else "README changed"
            jobs[(rest[0], kind, load)][number][rest[1]] += 1
    rows = []
    for key, found in sorted(jobs.items()):
        counts = sum(found.values(), collections.Counter())
        flagged = counts["slower"] + counts["faster"]
        alarms = sum(1 for verdicts in found.values() if verdicts["slower"] + verdicts["faster"] > 0)
        words = [counts.pop(word, 0) for word in ["slower", "faster", "undecided", "same"]]
        all_verdicts = sum(words) + counts.total()
        share = f"{100 * flagged / all_verdicts:.3g} %"
        rows.append([*key, len(found), alarms, all_verdicts, share, *words, counts.total()])
    heading = "tool | pull request | load | | jobs | with an alarm | verdicts | flagged | slower | faster | undecided | same | none"
    return table(heading, rows)


def times_table(log):
    times = collections.defaultdict(list)
    for _, _, load, what, *rest in log.lines:
        if what == "time":
            times[(rest[0], load)].append(float(rest[1]))
    rows = [
        [*key, len(seconds), f"{statistics.median(seconds):.0f} s", f"{max(seconds):.0f} s"]
        for key, seconds in sorted(times.items())
    ]
    return table("cache | load | | jobs | median time | longest", rows)


def steps_table(log):
    steps = collections.defaultdict(list)
    for _, _, _, what, *rest in log.lines:
        if what == "step":
            steps[(rest[1], rest[0])].append(float(rest[2]))
    rows = [[*key, f"{statistics.median(seconds):.1f} s"] for key, seconds in steps.items()]
    return table("step | cache | | median time", rows)


def tables(log):
    """The tables by the names of their places in the page."""
    return {"verdicts": verdicts_table(log), "times": times_table(log), "steps": steps_table(log)}


def main():
    parser = argparse.ArgumentParser(prog="scripts/ci-job.sh")
    parser.add_argument("what", choices=["cold", "same", "slower", "heads", "tables"])
    parser.add_argument("jobs", nargs="?", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--load")
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--criterion", default="")
    parser.add_argument("--flags", default="")
    parser.add_argument("--log", default=os.path.join(ROOT, "target/ci-job"))
    arguments = parser.parse_args()
    if arguments.what == "heads":
        heads(arguments.log)
        return
    if arguments.load is None:
        arguments.load = "busy" if arguments.busy else "idle"
    if not arguments.load or re.search(r"[\t\n|]", arguments.load):
        parser.error("--load takes a text without a tab, a line break and a bar")
    arguments.log = os.path.abspath(arguments.log)
    os.makedirs(arguments.log, exist_ok=True)
    log = Log(arguments.log)
    if arguments.what == "tables":
        found = tables(log)
        if arguments.write:
            for document in ("ci-jobs.md", "tables/ci-jobs.log"):
                put(Path(ROOT, "docs/evidence", document), found)
        else:
            print("\n\n".join(found.values()))
        return
    # Other flags are another tool.
    arguments.tools = [" ".join(["cargo tourbillon ci", *arguments.flags.split()])]
    if arguments.others:
        arguments.tools.append(" ".join(["criterion", *arguments.criterion.split()]))
    while len(log.jobs(arguments.what, arguments.load, arguments.tools)) < arguments.jobs:
        job(arguments, arguments.what, log)


main()
