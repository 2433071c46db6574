#!/usr/bin/env python3
"""Whether a change that only moves code leaves every output as it was, to the byte.

    scripts/unchanged.py REVISION     compares the working tree with it
    scripts/unchanged.py --records    forgets the records, which the next call makes again

Builds the programs of both, lets those of the revision record some twenty runs, commands and comparisons (they are
kept in target/unchanged), and starts both on the same command lines: every format of every record, help texts, and
mistakes. Exit codes, stdout, stderr and files are compared. Measures nothing; the first call builds for minutes.
"""

import difflib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "unchanged"
RECORDS = WORK / "records"

EXAMPLES = "first futures growth landmarks latencies math memory_levels processors search sides sort strings_and_maps threads"
FIXTURES = "assertions faults findings growth memory plain terminals"
QUICK = ["--launches", "4", "--max-time", "20ms", "--no-store", "--seed", "1"]
EXPORTS = (
    "libtest bmf smaller-is-better bigger-is-better google-benchmark hyperfine openmetrics csv csv-semicolon md gnuplot"
)
SUBCOMMANDS = (
    "run plan merge compare ci commands bundle save config show report explain export history baselines clocks doctor"
)
HISTORY = "add backfill log changes confirm bisect report accept prune"
PAGES = (["show", "-v"], ["show", "--plot"], ["show", "--columns", "mean,sd,mad,p90,min,max,rank,ratio"])
MISTAKES = (
    [],
    ["nothing"],
    ["show", "nothing.jsonl"],
    ["show", "--format", "nothing"],
    ["show", "--sort", "size"],
    ["show", "--columns", "size"],
    ["compare", "nothing"],
    ["compare", "--gate", "x", "HEAD"],
    ["compare", "--sample-size", "10"],
    ["ci", "--base", "nothing"],
    ["merge", "nothing", "-o", "merged.jsonl"],
    ["commands"],
    ["commands", "--runs", "0", "true"],
    ["export", "--format", "nothing"],
    ["explain", "nothing", "nothing.jsonl"],
    ["history", "log", "--history", "nothing"],
    ["run", "--launches", "x"],
    ["baselines", "--store", "nothing"],
)
PROGRAM_LINES = (
    ["--help"],
    ["--version"],
    ["--list"],
    ["--list", "--format", "terse"],
    ["--show-config"],
    ["--launches", "x"],
    ["--launchs", "3"],
    ["--max-time", "1"],
    ["--precision", "1"],
    ["--partition", "hash:3/2"],
    ["--columns", "x"],
    ["--format", "x"],
    ["--baseline", "nothing", "--store", "nothing"],
    ["--test"],
)


def run(words, **options):
    return subprocess.run(words, check=True, **options)


def executables(source, label):
    """Builds the programs of a checkout and copies them: two checkouts have one target folder."""
    target = WORK / "target"
    environment = dict(os.environ, CARGO_TARGET_DIR=str(target))
    copies = WORK / label
    shutil.rmtree(copies, ignore_errors=True)
    copies.mkdir(parents=True)
    builds = (
        ["build", "-p", "cargo-tourbillon", "--bins", "-p", "tourbillon-fixtures"],
        ["bench", "--no-run", "--profile", "dev", "-p", "examples", "--bench", "*"],
    )
    for words in builds:
        output = run(
            ["cargo", *words, "--message-format", "json-render-diagnostics", "-q"],
            cwd=source,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout
        for path in re.findall(r'"executable":"([^"]+)"', output):
            name = re.sub(r"-[0-9a-f]{16}$", "", Path(path).name)
            is_fixture = words[0] == "build" and name not in ("cargo-tourbillon", "tourbillon")
            shutil.copy2(path, copies / (f"fixture-{name}" if is_fixture else name))
    return copies


def checkout(revision):
    folder = WORK / "source"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    archive = run(["git", "archive", revision], cwd=ROOT, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(folder)
    return folder


def record(programs):
    """Runs, commands, shards and a comparison, each as one file."""
    RECORDS.mkdir(parents=True)

    def write(name, words):
        with open(RECORDS / f"{name}.jsonl", "wb") as file:
            subprocess.run(words, stdout=file, stderr=subprocess.DEVNULL, timeout=120)

    for name in EXAMPLES.split():
        write(name, [programs / name, "--bench", *QUICK, "--format", "jsonl"])
    for name in FIXTURES.split():
        write(f"fixture-{name}", [programs / f"fixture-{name}", "--bench", *QUICK, "--format", "jsonl", "--timeout", "1s"])
    for shard in (1, 2):
        words = [programs / "sort", "--bench", *QUICK, "--format", "jsonl", "--partition", f"hash:{shard}/2"]
        write(f"shard-{shard}", words)
    tool = programs / "cargo-tourbillon"
    write("commands", [tool, "commands", "--format", "jsonl", "--runs", "10", "true", "false", "-i", "sleep 0.001"])
    sides = [programs / "fixture-plain", programs / "fixture-plain"]
    write("comparison", [tool, "compare", "--format", "jsonl", "--time", "0.2s", "--bin", *sides])
    for path in RECORDS.iterdir():
        if path.stat().st_size == 0:
            path.unlink()


def lines(programs, records):
    """What both are started with: a name of a program and its arguments."""
    tool = "cargo-tourbillon"
    for path in records:
        for words in PAGES:
            yield tool, [*words, path]
        for name in ("text", "csv", "csv-semicolon", "md", "gnuplot"):
            yield tool, ["show", "--format", name, path]
        for name in EXPORTS.split():
            yield tool, ["export", "--format", name, path]
        yield tool, ["export", "--format", "criterion", "-o", "criterion", path]
        yield tool, ["report", "-o", "report.html", "--svg", "pictures", path]
        ids = dict.fromkeys(re.findall(r'"type":"case".*?"id":"([^"\\]+)"', path.read_text(errors="replace")))
        for case in list(ids)[:3]:
            yield tool, ["explain", case, path]
    yield tool, ["show", *records[:3]]
    yield tool, ["merge", "-o", "merged.jsonl", *records]
    yield tool, ["merge", "-o", "merged.jsonl", *(path for path in records if path.stem.startswith("shard-"))]
    for name in SUBCOMMANDS.split():
        yield from ((tool, [name, flag]) for flag in ("-h", "--help"))
    for name in HISTORY.split():
        yield tool, ["history", name, "--help"]
    for words in MISTAKES:
        yield tool, words
        yield "tourbillon", words
    for name in (*EXAMPLES.split(), *(f"fixture-{name}" for name in FIXTURES.split())):
        for words in PROGRAM_LINES:
            yield name, ["--bench", *words] if words != ["--test"] else words


def outcome(programs, name, words, folder):
    """Exit code, outputs and files, without the folder and the program's path."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    environment = dict(os.environ, HOME=str(folder / "home"), TOURBILLON_STORE=str(folder / "store"), COLUMNS="100")
    ended = subprocess.run(
        [programs / name, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=120
    )
    parts = {"exit code": str(ended.returncode).encode(), "stdout": ended.stdout, "stderr": ended.stderr}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            parts[str(path.relative_to(folder))] = path.read_bytes()
    return {part: text.replace(os.fsencode(programs), b"PROGRAMS") for part, text in parts.items()}


def first_difference(before, after):
    for part in dict.fromkeys((*before, *after)):
        left, right = before.get(part), after.get(part)
        if left != right:
            texts = [(text or b"(absent)").decode(errors="replace").splitlines() for text in (left, right)]
            return part, list(difflib.unified_diff(*texts, "before", "after", n=0, lineterm=""))[:12]
    return None


def main():
    if sys.argv[1:] == ["--records"]:
        shutil.rmtree(RECORDS, ignore_errors=True)
        return 0
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    before = executables(checkout(sys.argv[1]), "before")
    after = executables(ROOT, "after")
    if not RECORDS.exists():
        record(before)
    records = sorted(RECORDS.glob("*.jsonl"))
    changed = total = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "place"
        for name, words in lines(before, records):
            total += 1
            found = first_difference(*(outcome(side, name, words, place) for side in (before, after)))
            if found:
                changed += 1
                print(f"changed: {name} {' '.join(map(str, words))}: {found[0]}", *found[1], sep="\n    ")
    print(f"{total} command lines over {len(records)} records: {changed} changed")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
