"""What large records cost, as a table: `scripts/hostile.sh --measure`. Seconds of the processor, and the most memory."""

import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile

import generate

CASES = [25_000, 50_000, 100_000]
MIB_OF_SAMPLES = 300
HISTORY = ["history", "--history", "H"]
# `criterion` is not among them: it makes four files for each case.
FORMATS = "libtest bmf smaller-is-better google-benchmark hyperfine openmetrics csv md gnuplot".split()
COMMANDS = {
    "show R": ["show", "R.jsonl"],
    "show --plot R": ["show", "--plot", "R.jsonl"],
    "show --columns rank,ratio,mad R": ["show", "--columns", "rank,ratio,mad", "--sort", "time", "R.jsonl"],
    "show A B": ["show", "R.jsonl", "B.jsonl"],
    "explain CASE R": ["explain", "case_7", "R.jsonl"],
    "report R": ["report", "R.jsonl", "-o", "out.html"],
    "report A B": ["report", "R.jsonl", "B.jsonl", "-o", "out.html"],
    "show COMPARISON": ["show", "C.jsonl"],
    "explain CASE COMPARISON": ["explain", "case_7", "C.jsonl"],
    "report COMPARISON": ["report", "C.jsonl", "-o", "out.html"],
    "merge --gate 2% COMPARISON": ["merge", "C.jsonl", "-o", "merged.jsonl", "--gate", "2%"],
    "history add R": [*HISTORY, "add", "R.jsonl"],
    "history log CASE": [*HISTORY, "log", "case_7"],
    "history changes": [*HISTORY, "changes"],
    "history report": [*HISTORY, "report", "-o", "history.html"],
} | {f"export --format {one} R": ["export", "--format", one, "R.jsonl", "-o", "out"] for one in FORMATS}
OF_SAMPLES = {
    "show R": ["show", "R.jsonl"],
    "report R": ["report", "R.jsonl", "-o", "out.html"],
    "merge R": ["merge", "R.jsonl", "-o", "merged.jsonl"],
    "history add R": [*HISTORY, "add", "R.jsonl"],
}


def make(folder, options):
    for name, own in options.items():
        generate.make(folder, {"file": name, "kind": "record", **own})


def made(folder, options):
    """Makes records in a process of its own, whose memory would else count as that of the programs."""
    process = multiprocessing.Process(target=make, args=(folder, options))
    process.start()
    process.join()


def run(program, words, folder):
    """Seconds of the processor, and MiB at most."""
    with open(folder / "text", "wb") as text:
        process = subprocess.Popen([program, *words], cwd=folder, stdout=text, stderr=text, stdin=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 2):
        sys.exit(f"{' '.join(words)}: {(folder / 'text').read_text()}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    run_of = dict(commit="1" * 40, package="p", target="t")
    seconds = {name: [] for name in COMMANDS}
    for cases in CASES:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            records = {"R.jsonl": run_of, "B.jsonl": {"lower": 4.2}, "C.jsonl": {"builds": True}}
            made(folder, {name: {"cases": cases, **own} for name, own in records.items()})
            for name, words in COMMANDS.items():
                seconds[name].append(run(program, words, folder)[0])
    print("| seconds of the processor |", " | ".join(f"{cases:,} cases".replace(",", " ") for cases in CASES), "|")
    print("|---|" + "---:|" * len(CASES))
    for name, all_ in seconds.items():
        print(f"| `{name}` |", " | ".join(f"{one:.1f}" for one in all_), "|")
    print("\n| memory over the size of a record of samples | |\n|---|---:|")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        shard = dict(method="hash", number=1, of=1, cases=1)
        made(folder, {"R.jsonl": dict(pad=MIB_OF_SAMPLES, shard=shard, **run_of)})
        size = (folder / "R.jsonl").stat().st_size / 2**20
        for name, words in OF_SAMPLES.items():
            print(f"| `{name}` | {run(program, words, folder)[1] / size:.1f} |")


if __name__ == "__main__":
    main()
