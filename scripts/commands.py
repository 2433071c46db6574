"""The steps of scripts/commands.sh: commands.py FOLDER TOURBILLON STEP [COUNT]."""

import contextlib
import json
import math
import os
import signal
import statistics
import subprocess
import sys
import threading
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


def measured(*arguments, program=TOURBILLON):
    """The lines of the record of a measurement, by their types."""
    command = [program, "commands", "--store", STORE, *arguments]
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
    """In turns with the bare loop; with the programs in BEFORE, too, which are other builds of this one."""
    rounds = COUNT or 2_000
    programs = [*os.environ.get("BEFORE", "").split(), TOURBILLON]
    # The empty program runs between the rounds, as often as another run.
    runs = rounds + 9 + -(-rounds // 10)
    bare, ours = [], {program: [] for program in programs}
    for _ in range(10):
        bare.append(statistics.median(spawned(rounds, WORK, "0")))
        for program in programs:
            lines = measured("--runs", str(rounds), f"{WORK} 0", program=program)
            shown = statistics.median(columns(lines, "ticks")[0])
            ours[program].append((lines["end"][0]["wall_ns"] / runs, shown))

    def us(values):
        return f"{statistics.median(values) / 1e3:.0f} us ({min(values) / 1e3:.0f} to {max(values) / 1e3:.0f})"

    print(f"| an empty program by a bare loop in C | {us(bare)} |")
    for program, measurements in ours.items():
        of = "" if program == TOURBILLON else f" by {program}"
        print(f"| shown{of} | {us([shown for _, shown in measurements])} |")
        print(f"| wall time of a run beyond what it shows{of} | {us([wall - shown for wall, shown in measurements])} |")
        beyond = [wall - loop for (wall, _), loop in zip(measurements, bare)]
        print(f"| wall time of a run beyond the loop's{of} | {us(beyond)} |")


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
    took = f"{sum(seconds) / 60:.0f} min, median {statistics.median(seconds):.1f} s, at most {max(seconds):.1f} s"
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
    steps, _ = steps_of(1)
    recorded(lambda _: measured("--runs", "1500", f"{WORK} {steps}", f"{COPY} {steps}"))


def recorded(one):
    """Appends the rounds of measurements to a log, and has their names drawn anew."""
    log = os.path.join(FOLDER, f"{STEP}.jsonl")
    have = open(log, encoding="utf-8").read().count("\n") if os.path.exists(log) else 0
    with open(log, "a", encoding="utf-8") as file:
        for at in range(have, COUNT or 30):
            rounds = one(at)["rounds"][0]
            file.write(json.dumps(rounds, separators=(",", ":")) + "\n")
            file.flush()
    subprocess.run(["cargo", "run", "-q", "--release", "-p", "sim", "--bin", "commands", log], check=True)


def doubles():
    """Equal programs, of 1 ms and of 10 ms in turns, while the load doubles from half, or all, of the processors."""
    steps = [steps_of(milliseconds)[0] for milliseconds in (1, 10)]

    def one(at):
        processors = len(os.sched_getaffinity(0))
        busy = max(1, processors // 2) if at % 4 < 2 else processors
        # At another moment of each measurement, which takes two to six seconds.
        moment = 0.25 + 0.5 * (at % 7)
        with load_that_doubles(busy, moment):
            runs = "300" if at % 2 == 0 else "60"
            return measured("--runs", runs, f"{WORK} {steps[at % 2]}", f"{COPY} {steps[at % 2]}")

    recorded(one)


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


@contextlib.contextmanager
def load_that_doubles(busy, moment):
    """So many busy processes from the beginning, and as many more after so many seconds; none more for None."""
    load = []

    def more():
        for _ in range(busy):
            # In a session of its own: Linux shares a processor among sessions first, so that a second process in one
            # would take nothing from the commands.
            load.append(subprocess.Popen(["sh", "-c", "while :; do :; done"], start_new_session=True))

    more()
    later = threading.Timer(moment or 0, more)
    if moment is not None:
        later.start()
    try:
        yield
    finally:
        if moment is not None:
            later.cancel()
            later.join()
        for one in load:
            one.kill()
            one.wait()


def five(moment):
    """5 % more, beside a busy process on each processor, and a second one after so many seconds."""
    steps, of_one = steps_of(10)
    longer = steps + round(10 * 0.05 * of_one)
    with load_that_doubles(len(os.sched_getaffinity(0)), moment):
        return verdict("--time", "60s", f"{WORK} {steps}", f"{COPY} {longer}")


def load():
    # Half-way of a measurement of about a second.
    words, counts, took = tried(COUNT or 200, lambda: five(0.5))
    wrong = words.count("faster") + words.count("same")
    print(f"| 5 % more at 10 ms while load doubles: wrong | {wrong} of {len(words)} ({counts}; {took}) |")


def beside():
    words, counts, took = tried(COUNT or 100, lambda: five(None))
    print(f"| 5 % more at 10 ms beside load: found | {words.count('slower')} of {len(words)} ({counts}; {took}) |")


def poop(first, second):
    """Whether poop calls two samples different: a pooled t interval of the difference, and 1 % of the first mean."""
    sizes = len(first), len(second)
    means = statistics.fmean(first), statistics.fmean(second)
    pooled = sum((n - 1) * statistics.variance(x) for n, x in zip(sizes, (first, second))) / (sum(sizes) - 2)
    half = 1.96 * math.sqrt(pooled * (1 / sizes[0] + 1 / sizes[1]))
    difference = means[1] - means[0]
    return abs(difference) > half and abs(difference) >= 0.01 * means[0]


def means_of(path):
    """Mean, standard deviation and times of each command, of hyperfine's JSON of either schema."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    for result in document["results"]:
        if document.get("schema_version") == 2:
            summary = result["summary"]["time_wall_clock"]
            times = [one["time_wall_clock"]["value"] for one in result["measurements"]]
            yield summary["mean"], summary["stddev"], times
        else:
            yield result["mean"], result["stddev"], result["times"]


def by_hyperfine(version, lines):
    """The word for the second of two commands: by the means, beyond their error, by poop's rule."""
    export = os.path.join(FOLDER, "hyperfine.json")
    program = os.path.join(FOLDER, f"hyperfine-{version}", "bin", "hyperfine")
    output([program, "-N", "--export-json", export, *lines])
    (first, first_error, first_times), (second, second_error, second_times) = means_of(export)
    ratio = max(first, second) / min(first, second)
    error = ratio * math.hypot(first_error / first, second_error / second)
    word = "slower" if second > first else "faster"
    is_said = [ratio > 1.01, ratio - error > 1, poop(first_times, second_times)]
    return [word if said else "same" for said in is_said]


def peers():
    """Copies, and 5 % more at 10 ms, by each tool in turns, as the tools are by default."""
    versions = ["1.20.0", "2.0.0"]
    tools = {f"hyperfine {version}": lambda lines, of=version: by_hyperfine(of, lines) for version in versions}
    tools["tourbillon"] = lambda lines: [verdict(*lines)]
    steps, _ = steps_of(1)
    ten, of_one = steps_of(10)
    pairs = {
        "copies": [f"{WORK} {steps}", f"{COPY} {steps}"],
        "5 %": [f"{WORK} {ten}", f"{COPY} {ten + round(10 * 0.05 * of_one)}"],
    }
    outcomes, file = known()
    turns = [(tool, pair) for pair in pairs for tool in tools]
    with file:
        while len(outcomes) < len(turns) * (COUNT or 40):
            tool, pair = turns[len(outcomes) % len(turns)]
            start = time.monotonic()
            words = tools[tool](pairs[pair])
            outcomes.append([tool, pair, "/".join(words), f"{time.monotonic() - start:.2f}"])
            file.write("\t".join(outcomes[-1]) + "\n")
            file.flush()
    for tool, pair in turns:
        own = [(words.split("/"), float(seconds)) for of, what, words, seconds in outcomes if (of, what) == (tool, pair)]
        rules = ["more than 1 %", "beyond its error", "poop's rule"] if tool != "tourbillon" else ["verdict"]
        took = statistics.median([seconds for _, seconds in own])
        for at, rule in enumerate(rules):
            said = [words[at] for words, _ in own]
            counts = ", ".join(f"{said.count(word)} {word}" for word in sorted(set(said)))
            print(f"| {pair} by {tool}, {rule} | {counts}; median {took:.1f} s |")


STEPS = {
    "overhead": overhead,
    "memory": memory,
    "same": same,
    "redrawn": redrawn,
    "two": two,
    "one": one,
    "load": load,
    "beside": beside,
    "doubles": doubles,
    "peers": peers,
}
# What was started ends with it.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
if STEP not in STEPS:
    sys.exit(f"{STEP!r} is no step; write one of {', '.join(STEPS)}")
STEPS[STEP]()
