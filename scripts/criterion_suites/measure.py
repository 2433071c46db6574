"""Runs a suite with both, and reads what both wrote."""

import json
import random
import re
import shutil
import statistics
import subprocess
import time
from pathlib import Path

from .prepare import TOOLS, environment
from .suites import Failure, say

# Flags of a trial, which shows that everything works and gives no figures.
TRIAL = {
    "criterion": ["--sample-size", "10", "--warm-up-time", "0.01", "--measurement-time", "0.05", "--nresamples", "100"],
    "tourbillon": ["--launches", "2", "--max-time", "10ms"],
}
FILES = ("benchmark.json", "estimates.json", "sample.json", "tukey.json")
# Longest time for a program.
LIMIT_SECONDS = 3 * 3600
# A line without a time.
WITHOUT = re.compile(r"time:\s+(<.*\(below the resolution\)|no figure: .*)$")


def run(suite, options):
    """Measures the whole suite with Tourbillon, and a sample of it with both; leaves `run.json` or `trial.json`."""
    prepared = suite.record("prepare")
    if not prepared or "tourbillon" not in prepared:
        raise Failure(f"{suite.name} is not prepared")
    kind = "trial" if options.trial else "run"
    if suite.record(kind) and not options.again:
        return
    flags = TRIAL if options.trial else {tool: [] for tool in TOOLS}
    result = {"trial": options.trial, "whole": whole(suite, prepared, kind, flags["tourbillon"], options.critcmp)}
    drawn = sample(prepared["tourbillon"]["programs"], options.sample, f"{suite.name} {options.seed}")
    # criterion measures these whole whatever is asked of it.
    for program in prepared["criterion"]["programs"]:
        if program.get("ignores_flags"):
            drawn[key(program)] = program["names"]
    for tool in TOOLS:
        result[tool] = selected(suite, prepared[tool]["programs"], drawn, f"{kind}-{tool}", flags[tool])
    result["drawn"] = sum(map(len, drawn.values()))
    points = [
        (result["tourbillon"]["found"][of]["point"], theirs["point"])
        for of, theirs in result["criterion"]["found"].items()
        if of in result["tourbillon"]["found"]
    ]
    result["ratio"] = statistics.median(ours / theirs for ours, theirs in points) if points else None
    suite.record(kind, result)
    say(f"{suite.name}: {json.dumps(result['whole'] | {'found': None, 'without': len(result['whole']['without']), 'notes': len(result['whole']['notes'])})}")
    for tool in TOOLS:
        say(f"{suite.name}: {tool}: {result[tool]['seconds']:.1f} s, half-width {result[tool]['half']}")


def whole(suite, prepared, kind, flags, critcmp):
    """A run of all programs."""
    home, seconds, codes, without, notes, count = fresh(suite, kind), 0.0, {}, [], [], 0
    for program in prepared["tourbillon"]["programs"]:
        count += len(program["names"])
        code, output, took = execute(program, home, flags)
        seconds += took
        if code != 0:
            codes[program["target"]] = code
        without += [f"{program['target']}: {line}" for line in lines_without(output)]
        # Those above the table warn of the machine and the build.
        below = re.split(r"±[0-9.]+ %", output, maxsplit=1)[-1].splitlines()
        notes += [f"{program['target']}: {line[2:]}" for line in below if line.startswith("! ")]
    found = estimates(home)
    return {
        "seconds": round(seconds, 1),
        "benchmarks": count,
        "with_files": sum(one["files"] == len(FILES) for one in found.values()),
        "by_critcmp": read_by_critcmp(home, critcmp),
        "with_interval": sum(one["half"] is not None for one in found.values()),
        "half": median_half(found.values()),
        "without": without,
        "notes": notes,
        "codes": codes,
    }


def selected(suite, programs, drawn, kind, flags):
    """A run of the drawn benchmarks alone."""
    home, seconds, codes = fresh(suite, kind), 0.0, {}
    for program in programs:
        names = drawn.get(key(program))
        if names:
            code, _, took = execute(program, home, [*flags, pattern(names)])
            seconds += took
            if code != 0:
                codes[program["target"]] = code
    found = estimates(home)
    return {"seconds": round(seconds, 1), "codes": codes, "half": median_half(found.values()), "found": found}


def key(program):
    """What a program of one build and that of the other have in common."""
    return f"{Path(program['package']).name}/{program['target']}"


def sample(programs, count, seed):
    """Names drawn from a whole suite, by program, without repeated ones, which filters cannot distinguish."""
    every = [(key(program), name) for program in programs for name in program["names"]]
    found = sorted(one for one in every if every.count(one) == 1 and (one[0], one[1] + " #2") not in every)
    found = [one for one in found if not re.search(r" #\d+$", one[1])]
    drawn = {}
    for program, name in random.Random(seed).sample(found, min(count, len(found))):
        drawn.setdefault(program, []).append(name)
    return drawn


def pattern(names):
    """The regular expression that selects benchmarks by their whole ids."""
    escaped = (re.sub(r"([.^$*+?()\[\]{}|\\])", r"\\\1", name) for name in sorted(names))
    return f"^({'|'.join(escaped)})$"


def fresh(suite, kind):
    """An empty folder for results."""
    home = suite.log / "results" / kind
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    return home


def execute(program, home, flags):
    """Runs a bench program as `cargo bench` does; returns its exit code, its stdout and its seconds."""
    more = {"CRITERION_HOME": home / "criterion", "TOURBILLON_STORE": home / "store"}
    started = time.monotonic()
    with open(home / f"{program['target']}.err", "ab") as errors:
        try:
            ended = subprocess.run(
                [program["path"], "--bench", *flags],
                cwd=program["package"],
                env=environment(program, **more),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                timeout=LIMIT_SECONDS,
            )
            code, output = ended.returncode, ended.stdout
        except subprocess.TimeoutExpired as ended:
            code, output = "timeout", ended.stdout or b""
    took = time.monotonic() - started
    (home / f"{program['target']}.out").write_bytes(output)
    return code, output.decode(errors="replace"), took


def lines_without(output):
    """The lines of benchmarks without a time, with the name that may stand on the line before."""
    lines = output.splitlines()
    for at, line in enumerate(lines):
        if WITHOUT.search(line):
            yield (f"{lines[at - 1]} " if line.startswith(" ") and at else "") + line.strip()


def estimates(home):
    """The point and the half-width, relative to it, of each benchmark with files below a folder of results.

    Of criterion that is the slope, or the mean where it has none, which is what it prints; of Tourbillon the median."""
    found = {}
    for path in Path(home).glob("criterion/**/new/estimates.json"):
        id = json.loads(path.with_name("benchmark.json").read_text())["full_id"]
        values = json.loads(path.read_text())
        is_ours = path.with_name("tourbillon.jsonl").exists()
        value = values["median"] if is_ours else values["slope"] or values["mean"]
        interval, point = value["confidence_interval"], value["point_estimate"]
        has_interval = interval["confidence_level"] > 0 and point > 0
        found[id] = {
            "point": point,
            "half": (interval["upper_bound"] - interval["lower_bound"]) / 2 / point if has_interval else None,
            "files": sum(path.with_name(file).exists() for file in FILES),
        }
    return found


def median_half(found):
    """The median of half-widths."""
    halves = [one["half"] for one in found if one["half"] is not None]
    return statistics.median(halves) if halves else None


def read_by_critcmp(home, critcmp):
    """How many benchmarks critcmp finds in the results; `None` where it is not installed."""
    if not critcmp:
        return None
    if not any(home.glob("criterion/**/base/estimates.json")):
        return 0
    ended = subprocess.run([critcmp, "--target-dir", home, "--export", "base"], capture_output=True, text=True)
    if ended.returncode != 0:
        return f"failed: {ended.stderr.strip()[:200]}"
    return len(json.loads(ended.stdout)["benchmarks"])
