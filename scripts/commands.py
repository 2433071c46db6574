"""The steps of scripts/commands.sh: commands.py FOLDER TOURBILLON STEP [COUNT]."""

import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import time

FOLDER, TOURBILLON, STEP = sys.argv[1:4]
COUNT = int(sys.argv[4]) if len(sys.argv) > 4 else None
WORK, COPY, MEMORY, SPAWN = (os.path.join(FOLDER, name) for name in ("work", "copy", "memory", "spawn"))
STORE = os.path.join(FOLDER, "store")


def output(command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def spawned(rounds, *command):
    """Nanoseconds of each round of the bare loop."""
    return [int(line) for line in output([SPAWN, str(rounds), *command]).split()]


def measured(*arguments):
    """The lines of the record of a measurement, by their types."""
    command = [TOURBILLON, "commands", "--store", STORE, *arguments]
    run = subprocess.run(command, capture_output=True, text=True)
    stored = [line for line in run.stderr.splitlines() if line.startswith("stored in ")]
    if run.returncode != 0 or not stored:
        sys.exit(f"{command}: {run.returncode}: {run.stderr}")
    path = stored[-1].removeprefix("stored in ")
    lines = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = json.loads(line)
            lines.setdefault(line["type"], []).append(line)
    os.remove(path)
    return lines


def columns(lines, name):
    """A column of the processes for each command."""
    rounds = lines["rounds"][0]
    values = rounds["ticks"] if name == "ticks" else rounds["processes"][name]
    clock = lines["header"][0]["clock"]
    unit = 1e9 * clock["hz_denominator"] / clock["hz_numerator"] if name == "ticks" else 1
    own = [[] for _ in rounds["cases"]]
    for arm, value in zip(rounds["arm"], values):
        own[arm].append(value * unit)
    return own


def steps_of(milliseconds):
    """Steps with which the program takes so many milliseconds, its start included; and those of a millisecond."""
    rounds = 40
    empty = statistics.median(spawned(rounds, WORK, "0"))
    many = 10_000_000
    work = statistics.median(spawned(rounds, WORK, str(many)))
    of_one = many / (work - empty) * 1e6
    return max(0, round(milliseconds * of_one - empty / 1e6 * of_one)), of_one


def overhead():
    rounds = COUNT or 2_000
    bare, ours = [], []
    for _ in range(10):
        bare += spawned(rounds // 10, WORK, "0")
        lines = measured("--runs", str(rounds // 10), f"{WORK} 0")
        ours.append((lines["end"][0]["wall_ns"], columns(lines, "ticks")[0]))
    shown = statistics.median([value for _, own in ours for value in own])
    wall = statistics.median([wall / len(own) for wall, own in ours])
    bare = statistics.median(bare)
    # The empty program runs between the rounds: that is not overhead of a run.
    between = 1 + (10 + rounds // 100) / (rounds / 10)
    print(f"| cost of an empty program: bare loop in C, shown | {bare / 1e3:.0f} us, {shown / 1e3:.0f} us |")
    beyond = wall / between - shown
    print(f"| wall time of a run beyond what it shows | {beyond / 1e3:.0f} us |")
    print(f"| wall time of a run beyond the loop's | {(beyond + shown - bare) / 1e3:.0f} us |")


def memory():
    rounds = COUNT or 50
    sizes = {"100 MB": 100_000_000 // 1024, "2 MB": None}
    # The small program is to peak at 2 MB with what its libraries take.
    def own(kib):
        return statistics.median([int(output([MEMORY, str(kib)])) for _ in range(rounds)])

    sizes["2 MB"] = max(0, round(2_000_000 - own(0)) // 1024)
    lines = measured("--runs", str(rounds), *(f"{MEMORY} {kib}" for kib in sizes.values()))
    for (name, kib), shown in zip(sizes.items(), columns(lines, "peak_bytes")):
        truth = own(kib)
        least, most = (f"{(end - truth) / 1024:+.0f}" for end in (min(shown), max(shown)))
        print(
            f"| peak memory of {name}: median as the programs read it, median shown, range of processes around the "
            f"former | {truth / 1024:.0f} KiB, {statistics.median(shown) / 1024:.0f} KiB, {least} to {most} KiB |"
        )


def known():
    """The outcomes of a step that was stopped before, and its file."""
    path = os.path.join(FOLDER, f"{STEP}.tsv")
    lines = open(path, encoding="utf-8").read().splitlines() if os.path.exists(path) else []
    return [line.split("\t") for line in lines], open(path, "a", encoding="utf-8")


def tried(count, one):
    """Tries until there are so many outcomes; those and the seconds of each."""
    outcomes, file = known()
    with file:
        while len(outcomes) < count:
            start = time.monotonic()
            outcomes.append([one(), f"{time.monotonic() - start:.2f}"])
            file.write("\t".join(outcomes[-1]) + "\n")
            file.flush()
    seconds = [float(seconds) for _, seconds in outcomes]
    words = [word for word, _ in outcomes]
    counts = ", ".join(f"{words.count(word)} {word}" for word in sorted(set(words)))
    took = f"{sum(seconds) / 60:.0f} min, median {statistics.median(seconds):.1f} s"
    return words, counts, took


def verdict(*arguments):
    return measured(*arguments)["verdict"][0]["verdict"]


def same():
    steps, _ = steps_of(1)
    words, counts, took = tried(COUNT or 3_000, lambda: verdict(f"{WORK} {steps}", f"{COPY} {steps}"))
    wrong = words.count("faster") + words.count("slower")
    print(f"| copies of a program of 1 ms called different | {wrong} of {len(words)} ({counts}; {took}) |")


def redrawn():
    """Appends rounds of copies to a log, and has the names drawn anew, many times."""
    log = os.path.join(FOLDER, "redrawn.jsonl")
    have = open(log, encoding="utf-8").read().count("\n") if os.path.exists(log) else 0
    steps, _ = steps_of(1)
    with open(log, "a", encoding="utf-8") as file:
        for _ in range(have, COUNT or 30):
            lines = measured("--runs", "1500", f"{WORK} {steps}", f"{COPY} {steps}")
            file.write(json.dumps(lines["rounds"][0], separators=(",", ":")) + "\n")
            file.flush()
    subprocess.run(["cargo", "run", "-q", "--release", "-p", "sim", "--bin", "commands", log], check=True)


def more(share, *arguments):
    steps, of_one = steps_of(10)
    longer = steps + round(10 * share * of_one)
    return verdict(*arguments, f"{WORK} {steps}", f"{COPY} {longer}")


def two():
    words, counts, took = tried(COUNT or 100, lambda: more(0.02, "--time", "15s"))
    print(f"| 2 % more at 10 ms, found in 15 s | {words.count('slower')} of {len(words)} ({counts}; {took}) |")


def one():
    words, counts, took = tried(COUNT or 40, lambda: more(0.01, "--time", "60s", "--margin", "0.5%"))
    print(
        f"| 1 % more at 10 ms, margin 0.5 %, found in 60 s | {words.count('slower')} of {len(words)} "
        f"({counts}; {took}) |"
    )


def loaded():
    """One process of load on each processor from the beginning, and a second one half-way."""
    burners = []
    busy = ["sh", "-c", "while :; do :; done"]
    processors = len(os.sched_getaffinity(0))
    try:
        burners += [subprocess.Popen(busy) for _ in range(processors)]
        steps, of_one = steps_of(10)
        longer = steps + round(10 * 0.05 * of_one)
        # Half-way of a measurement of about a second.
        later = subprocess.Popen(["sh", "-c", f"sleep 0.5; for i in $(seq {processors}); do (while :; do :; done) & done; wait"], start_new_session=True)
        burners.append(later)
        return verdict("--time", "60s", f"{WORK} {steps}", f"{COPY} {longer}")
    finally:
        for burner in burners[:-1]:
            burner.kill()
        for burner in burners[-1:]:
            os.killpg(burner.pid, 9)
        for burner in burners:
            burner.wait()


def load():
    words, counts, took = tried(COUNT or 200, loaded)
    wrong = words.count("faster") + words.count("same")
    print(f"| 5 % more at 10 ms while load doubles: wrong | {wrong} of {len(words)} ({counts}; {took}) |")


def poop(first, second):
    """Whether poop calls two samples different: a pooled t interval of the difference, and 1 % of the first mean."""
    sizes = len(first), len(second)
    means = statistics.fmean(first), statistics.fmean(second)
    pooled = sum((n - 1) * statistics.variance(x) for n, x in zip(sizes, (first, second))) / (sum(sizes) - 2)
    half = 1.96 * math.sqrt(pooled * (1 / sizes[0] + 1 / sizes[1]))
    difference = means[1] - means[0]
    return abs(difference) > half and abs(difference) >= 0.01 * means[0]


def peers():
    if not shutil.which("hyperfine"):
        print("| hyperfine | not installed |")
        return
    version = output(["hyperfine", "--version"]).strip()
    steps, _ = steps_of(1)
    export = os.path.join(FOLDER, "hyperfine.json")

    def once():
        command = ["hyperfine", "-N", "--export-json", export, f"{WORK} {steps}", f"{COPY} {steps}"]
        output(command)
        with open(export, encoding="utf-8") as file:
            first, second = json.load(file)["results"]
        slow, fast = sorted((first, second), key=lambda result: -result["mean"])
        ratio = slow["mean"] / fast["mean"]
        error = ratio * math.hypot(slow["stddev"] / slow["mean"], fast["stddev"] / fast["mean"])
        beyond = "yes" if ratio - error > 1 else "no"
        apart = "yes" if ratio > 1.01 else "no"
        return f"{beyond}/{apart}/{'yes' if poop(first['times'], second['times']) else 'no'}"

    words, _, took = tried(COUNT or 200, once)
    of = [sum(word.split("/")[at] == "yes" for word in words) for at in range(3)]
    print(f"| the same copies by {version}: ratio beyond its own error | {of[0]} of {len(words)} ({took}) |")
    print(f"| .. printed as more than 1 % faster | {of[1]} of {len(words)} |")
    print(f"| .. called different by poop's rule | {of[2]} of {len(words)} |")


STEPS = {
    "overhead": overhead,
    "memory": memory,
    "same": same,
    "redrawn": redrawn,
    "two": two,
    "one": one,
    "load": load,
    "peers": peers,
}
if STEP not in STEPS:
    sys.exit(f"{STEP!r} is no step; write one of {', '.join(STEPS)}")
STEPS[STEP]()
