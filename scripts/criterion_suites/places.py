"""Runs prepared suites where people run them: by cargo bench, nextest, Valgrind, and on another machine."""

import json
import os
import re
import shlex
import shutil
import subprocess
import time

from .measure import fresh, key, pattern, sample
from .suites import Failure, clean_environment, say

# Two short launches: what is judged is that every benchmark has its line, its test and its case, not its figure.
SHORT = ["--launches", "2", "--max-time", "10ms"]
# Longest time for one place.
LIMIT_SECONDS = 3600
# Most reasons that are kept of what went wrong in one place.
REASONS = 5


def places(suite, options):
    """Leaves `places.json`: for each place how many benchmarks it should have had, and how many were right."""
    prepared = suite.record("prepare")
    if not prepared or "tourbillon" not in prepared:
        raise Failure(f"{suite.name} is not prepared")
    found = {} if options.again else suite.record("places") or {}
    # Others are of no suite of criterion.
    programs = [program for program in prepared["tourbillon"]["programs"] if program["names"]]
    for place in PLACES:
        if place.__name__ in found:
            continue
        home = fresh(suite, f"places-{place.__name__}")
        started = time.monotonic()
        result = place(suite, programs, home, options)
        if result:
            result["seconds"] = round(time.monotonic() - started, 1)
            found[place.__name__] = result
            suite.record("places", found)
        say(f"{suite.name}: {place.__name__}: {json.dumps(result)}")


def cargo_bench(suite, programs, home, _):
    """`cargo bench`, as it stands in the documentation of a suite: a line for each benchmark."""
    command = ["cargo", "bench", *of_targets(suite, programs), "--", *SHORT]
    code, output = execute(command, suite, home, suite.package)
    return judged(every_name(programs), named_lines(output), code)


def nextest(suite, programs, home, _):
    """`cargo nextest run`: a passed test for each benchmark."""
    if not shutil.which("cargo-nextest"):
        return None
    command = ["cargo", "nextest", "run", "--cargo-profile", "bench", "--no-fail-fast", "--status-level", "pass", "-E", "kind(bench)"]
    code, _ = execute([*command, *of_targets(suite, programs)], suite, home, suite.package)
    passed = re.findall(r"(?m)^\s+PASS \[[^\]]*\](?: \([^)]*\))? \S+ (.*)$", errors_of(home))
    return judged(every_name(programs), passed, code)


def valgrind(suite, programs, home, options):
    """Drawn benchmarks with each program and its workers under Valgrind."""
    if not shutil.which("valgrind"):
        return None
    drawn = sample(programs, options.sample, f"{suite.name} {options.seed}")
    lines, codes = [], 0
    for program in programs:
        names = drawn.get(key(program))
        if names:
            flags = ["--bench", "--launches", "1", "--max-time", "10ms", pattern(names)]
            command = ["valgrind", "-q", "--trace-children=yes", program["path"], *flags]
            code, output = execute(command, suite, home, program["package"])
            lines += named_lines(output)
            codes = codes or code
    return judged([name for names in drawn.values() for name in names], lines, codes)


def runner(suite, programs, home, options):
    """`cargo tourbillon run --runner`: a case of each benchmark in the records that come back."""
    if not os.environ.get("RUNNER"):
        return None
    if not (suite.tree / ".git").exists():
        # As its users have it: the files of packages are sent that git lists.
        for words in (["init", "--quiet"], ["add", "--all", "--force"]):
            subprocess.run(["git", "-C", suite.tree, *words], check=True)
    words = [options.subcommand, "tourbillon", "run", "--runner", os.environ["RUNNER"]]
    code, _ = execute([*words, *of_targets(suite, programs), *SHORT], suite, home, suite.package)
    cases = []
    for path in sorted(home.glob("store/runs/**/*.jsonl")):
        lines = map(json.loads, path.read_text().splitlines())
        cases += {line["case"] for line in lines if line["type"] == "launch"}
    return judged(every_name(programs), cases, code)


PLACES = (cargo_bench, nextest, valgrind, runner)


def every_name(programs):
    """The names of all programs, as often as they have them."""
    return [name for program in programs for name in program["names"]]


def of_targets(suite, programs):
    """The suite's arguments of cargo, with the bench targets by name: `--benches` has the unit tests of the library, too."""
    named = [f"--bench={program['target']}" for program in programs]
    return [*(word for word in suite.arguments if word != "--benches" and not word.startswith("--bench=")), *named]


def execute(command, suite, home, folder):
    """Runs a command; returns its exit code and its stdout, and appends its stderr to `home/err`."""
    environment = clean_environment(
        CARGO_TARGET_DIR=suite.log.parent / "target",
        CARGO_TERM_COLOR="never",
        CRITERION_HOME=home / "criterion",
        TOURBILLON_CACHE=suite.log.parent / "cache",
        # Other programs may measure meanwhile: no figure is read.
        TOURBILLON_LOCK="none",
        TOURBILLON_STORE=home / "store",
    )
    with open(home / "command", "a") as log:
        log.write(shlex.join(map(str, command)) + "\n")
    with open(home / "err", "ab") as errors:
        try:
            ended = subprocess.run(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, timeout=LIMIT_SECONDS
            )
        except subprocess.TimeoutExpired as expired:
            (home / "out").write_bytes(expired.stdout or b"")
            return "timeout", (expired.stdout or b"").decode(errors="replace")
    with open(home / "out", "ab") as log:
        log.write(ended.stdout)
    return ended.returncode, ended.stdout.decode(errors="replace")


def errors_of(home):
    return (home / "err").read_text(errors="replace")


def named_lines(output):
    """The names of the benchmarks with a line, which may stand on a line of their own; not of those that failed."""
    return re.findall(r"(?m)^(\S.*?)(?:\n)?\s+time:   (?!no figure: failed)", output)


def judged(names, found, code):
    """How many of the names were found, and why the others were not."""
    left, missing = list(found), []
    for name in names:
        if name in left:
            left.remove(name)
        else:
            missing.append(name)
    wrong = [f"missing: {name}" for name in missing] + [f"added: {name}" for name in left]
    if code != 0:
        wrong.append(f"exit code {code}")
    return {"names": len(names), "right": len(names) - len(missing), "code": code, "wrong": wrong[:REASONS], "all_right": not wrong}
