"""Counts verdicts between two builds of one commit: ours, and what criterion prints of one executable run twice."""

import json
import subprocess
import time
from collections import Counter

from .measure import TRIAL, execute, fresh, key, pattern, sample
from .suites import Failure, clean_environment, say

# What criterion prints below `change:`.
PRINTED = {
    "improved": "Performance has improved.",
    "regressed": "Performance has regressed.",
    "within noise": "Change within noise threshold.",
    "none": "No change in performance detected.",
}


def prepare(suite, options):
    """Commits the tree with its changed manifests and builds both sides of a comparison with it."""
    if "tourbillon" not in (suite.record("prepare") or {}):
        raise Failure(f"{suite.name} is not prepared")
    if not (suite.tree / ".git").exists():
        author = ["-c", "user.name=suite", "-c", "user.email=suite@localhost", "-c", "commit.gpgsign=false"]
        for command in (["init", "-q"], ["add", "-A"], [*author, "commit", "-q", "-m", "Measure with Tourbillon"]):
            subprocess.run(["git", *command], cwd=suite.tree, check=True)
    ended = compare(suite, options, ["--build-only"])
    if ended.returncode != 0:
        raise Failure(f"{suite.name}: compare HEAD --build-only: {ended.stderr.strip()[-600:]}")
    suite.record("aa-prepared", {"built": True})


def compare(suite, options, flags):
    """The tree compared with its own commit."""
    environment = clean_environment(
        TOURBILLON_CACHE=suite.log.parent / "cache", TOURBILLON_STORE=suite.log / "store", CARGO_TARGET_DIR=suite.log.parent / "target"
    )
    arguments = [argument for argument in suite.arguments if argument != "--benches"]
    return subprocess.run(
        [options.subcommand, "tourbillon", "compare", "HEAD", "--measure-unchanged", *arguments, *flags],
        cwd=suite.package,
        env=environment,
        capture_output=True,
        text=True,
    )


def aa(suite, options):
    """Measures what is prepared; a file for each round."""
    if not suite.record("aa-prepared"):
        raise Failure(f"{suite.name}: both sides are not built; see aa --prepare")
    kind = "aa-trial" if options.trial else "aa"
    for number in range(1, options.rounds + 1):
        name = f"{kind}-{number}"
        if suite.record(name) and not options.again:
            continue
        result = {"tourbillon": ours(suite, options, number), "criterion": theirs(suite, options, f"{name}-criterion", number)}
        suite.record(name, result)
        for tool, of in result.items():
            say(f"{suite.name} {name}: {tool}: {of['seconds']} s, {of['counts']}")


def ours(suite, options, number):
    """The verdicts of one comparison."""
    limits = ["--time", "0.2s"] if options.trial else ["--time", options.time] if options.time else []
    started = time.monotonic()
    ended = compare(suite, options, ["--format", "jsonl", "--seed", f"{options.seed * 1000 + number:x}", *limits])
    seconds = round(time.monotonic() - started, 1)
    lines = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
    verdicts = [line for line in lines if line.get("type") == "verdict"]
    if not verdicts:
        raise Failure(f"{suite.name}: compare HEAD gives no verdict: {ended.stderr.strip()[-600:]}")
    wrong = [
        {name: one.get(name) for name in ("case", "verdict", "ratio", "lower", "upper", "pairs")}
        for one in verdicts
        if one["verdict"] not in ("same", "undecided")
    ]
    return {
        "seconds": seconds,
        "code": ended.returncode,
        "counts": dict(Counter(one["verdict"] for one in verdicts)),
        "wrong": wrong,
    }


def theirs(suite, options, kind, number):
    """What criterion prints of one executable that it measures twice: base, then the comparison with it."""
    programs = suite.record("prepare")["criterion"]["programs"]
    drawn = sample(suite.record("prepare")["tourbillon"]["programs"], options.sample, f"{suite.name} aa {options.seed} {number}")
    flags = TRIAL["criterion"] if options.trial else []
    home, seconds, counts = fresh(suite, kind), 0.0, Counter()
    for baseline in ("--save-baseline", "--baseline"):
        for program in programs:
            names = drawn.get(key(program))
            if not names:
                continue
            _, output, took = execute(program, home, [*flags, baseline, "aa", pattern(names)])
            seconds += took
            if baseline == "--baseline":
                counts.update({name: output.count(text) for name, text in PRINTED.items()})
    return {"seconds": round(seconds, 1), "counts": {name: count for name, count in counts.items() if count}}
