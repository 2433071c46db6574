"""Thirty bodies measured by criterion and by Tourbillon in one run."""

import json
import random
import shutil
import statistics
import subprocess
from pathlib import Path

from .measure import TRIAL, estimates, execute
from .prepare import TOOLS
from .suites import ROOT, Failure, clean_environment, say

PACKAGES = ROOT / "benches" / "criterion-bodies"


def programs(log, builds):
    """The executables in the log folder, which are built first if that is asked for."""
    folder = Path(log).resolve() / "bodies"
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for tool in TOOLS:
        name = f"bodies-by-{tool}"
        copy = folder / name
        if builds:
            ended = subprocess.run(
                ["cargo", "bench", "--no-run", "--locked", "-p", name, "--message-format=json-render-diagnostics"],
                cwd=PACKAGES,
                env=clean_environment(CARGO_TARGET_DIR=folder.parent / "target"),
                stdout=subprocess.PIPE,
                text=True,
            )
            if ended.returncode != 0:
                raise Failure(f"the build of {name} failed")
            messages = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
            executable = next(message["executable"] for message in messages if message.get("executable"))
            shutil.copy2(executable, copy)
        elif not copy.exists():
            raise Failure(f"{copy} not found; build it with bodies --prepare")
        found[tool] = {"path": str(copy), "package": str(PACKAGES / tool), "target": name}
    return found


def bodies(log, options):
    """Measures each body in each round with both, in random order; leaves `bodies.jsonl`, which a later call continues."""
    found = programs(log, options.prepare)
    if options.prepare:
        return
    folder = Path(log).resolve() / "bodies"
    path = folder / ("trial.jsonl" if options.trial else "bodies.jsonl")
    if options.again:
        path.unlink(missing_ok=True)
    done = {(line["round"], line["body"], line["tool"]) for line in read(path)}
    shown = subprocess.run([found["tourbillon"]["path"], "--bench", "--list"], capture_output=True, text=True, check=True)
    names = [line.removesuffix(": benchmark") for line in shown.stdout.splitlines() if line]
    for number in range(1, options.rounds + 1):
        order = [(name, tool) for name in names for tool in TOOLS]
        # Both of a body follow each other, in random order.
        rank = random.Random(f"{options.seed} {number}")
        shuffled = {name: rank.random() for name in names}
        order.sort(key=lambda one: (shuffled[one[0]], rank.random()))
        for name, tool in order:
            if (number, name, tool) in done:
                continue
            home = folder / "results"
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir()
            flags = TRIAL[tool] if options.trial else []
            code, output, seconds = execute(found[tool], home, [*flags, "--exact", name])
            line = {"round": number, "body": name, "tool": tool, "code": code, "seconds": round(seconds, 2)}
            line |= estimates(home).get(name, {"point": None, "half": None, "line": output.strip()[-200:]})
            if tool == "criterion":
                line["least"] = least_sample(home)
            with open(path, "a") as out:
                out.write(json.dumps(line) + "\n")
            say(f"{number} {name}: {tool}: {line['point']} ns")


def least_sample(home):
    """The least time of an iteration among the samples of the only benchmark below a folder of results."""
    for path in home.glob("criterion/**/new/sample.json"):
        sample = json.loads(path.read_text())
        return min(taken / iterations for taken, iterations in zip(sample["times"], sample["iters"]))
    return None


def read(path):
    """The lines of a log."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def time_text(ns):
    """A time with its unit."""
    if ns is None:
        return "–"
    for unit, scale in (("ns", 1), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)):
        if ns < 1000 * scale or unit == "s":
            value = ns / scale
            digits = 3 - len(str(int(value))) if value >= 1 else 3
            return f"{value:.{max(digits, 0)}f} {unit}"


def table(log, is_trial):
    """The Markdown table: medians of the rounds."""
    lines = read(Path(log) / "bodies" / ("trial.jsonl" if is_trial else "bodies.jsonl"))
    reasons = dict(
        line.split("\t") for line in (PACKAGES / "reasons.tsv").read_text().splitlines() if line and not line.startswith("#")
    )
    out = ["| body | criterion | ± | least sample | here | ± | here / criterion | why |", "|---|--:|--:|--:|--:|--:|--:|---|"]
    for name in dict.fromkeys(sorted(line["body"] for line in lines)):
        cells, points = [], []
        for tool in TOOLS:
            own = [line for line in lines if (line["body"], line["tool"]) == (name, tool) and line["point"]]
            points.append(statistics.median(line["point"] for line in own) if own else None)
            halves = [line["half"] for line in own if line["half"] is not None]
            half = f"{100 * statistics.median(halves):.1f} %" if halves else "–"
            cells += [time_text(points[-1]), half]
            if tool == "criterion":
                cells.append(time_text(statistics.median(line["least"] for line in own) if own else None))
        ratio = points[1] / points[0] if all(points) else None
        shown = f"{ratio:.2f}" if ratio else "–"
        out.append(f"| {name} | {' | '.join(cells)} | {shown} | {reasons.get(name, '')} |")
    return "\n".join(out)
