"""Instructions of bodies, stepped and by callgrind; see scripts/instructions.sh."""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from stepped import program, stepper

# What only one of both processors has.
FEATURES = ["AVX512F", "AVX512VL", "AVX512BW", "AVX2", "AVX", "AVX_Fast_Unaligned_Load", "ERMS", "FSRM", "RTM", "MOVBE", "BMI2",
            "BMI1", "LZCNT", "FMA", "FMA4", "SSE4_2", "SSE4_1", "SSSE3", "Prefer_No_VZEROUPPER", "AVX_Fast_Unaligned_Load"]
TUNABLES = "glibc.cpu.hwcaps=" + ",".join(f"-{name}" for name in dict.fromkeys(FEATURES)) + ":glibc.elision.enable=0"
# Bodies that copy, move or search memory, whose addresses differ: how many bytes come before the first whole word, and
# which piece of the heap is free. Neither moves more than this many instructions. (`build_map` has the count of callgrind
# where the same program lies in a folder with a shorter name.)
OF_ADDRESSES = ["build_map", "sort", "stable_sort", "queue", "concatenation", "formatting", "copy", "memchr_crate", "json_crate"]
MOST_OF_ADDRESSES = 100
KERNEL = re.compile(r"multiplications_(\d+)$")


def stepped(executable, environment, words):
    """Instructions of an op by body; a text where there are none."""
    flags = ["--bench", "--counters", "instructions", "--launches", "1", "--max-time", "5ms", "--no-store", "--format", "jsonl"]
    done = subprocess.run([executable, *flags, *words], env=environment, text=True, capture_output=True)
    found = {}
    for line in done.stdout.splitlines():
        if not line.startswith(('{"type":"stepped"', '{"type":"fault"')):
            continue
        entry = json.loads(line)
        name = entry["case"].split("::")[-1]
        if entry["type"] == "fault":
            found[name] = "failed: " + entry["message"].splitlines()[0]
            continue
        counts = entry.get("counts")
        if not counts:
            found[name] = entry.get("not_counted", "no counts")
        elif entry["launch"] == 0:
            one, two, *rest = counts["instructions"]
            of_loop = counts["empty"][1] - counts["empty"][0]
            found[name] = two - one - of_loop if rest and rest[0] == one else f"not steady: {counts['instructions']}"
    if not found:
        sys.exit(f"exit code {done.returncode}\n{done.stderr[-2000:]}")
    return found


def by_callgrind(executable, environment, name, folder):
    """Instructions of one call of a body."""
    out = pathlib.Path(folder) / f"{name}.callgrind"
    words = ["valgrind", "--tool=callgrind", "--toggle-collect=measured", f"--callgrind-out-file={out}", executable]
    subprocess.run(words, check=True, env=environment | {"STEPPED_ONCE": name}, capture_output=True)
    return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.MULTILINE).group(1))


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    words = [sys.argv[2]] if len(sys.argv) > 2 else []
    executable = program()
    environment = os.environ | stepper() | {"GLIBC_TUNABLES": TUNABLES}
    start = time.monotonic()
    all_runs = [stepped(executable, environment, words) for _ in range(runs)]
    per_run = (time.monotonic() - start) / runs
    first = all_runs[0]
    varied = [name for name in first if any(run.get(name) != first[name] for run in all_runs)]
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="callgrind-") as folder:
        counted = {name: by_callgrind(executable, environment, name, folder) for name in ["empty", *first]}
    by_valgrind = time.monotonic() - start
    empty = first.get("empty", stepped(executable, environment, ["empty"]).get("empty", 0))
    print(f"{'body':24} {'stepped':>9} {'callgrind':>10} {'difference':>10}")
    equal, named, others, kernels = 0, 0, [], collections.Counter()
    for name, count in first.items():
        if name == "empty":
            continue
        if isinstance(count, str):
            print(f"{name:24} {count}")
            others.append(name)
            continue
        own, theirs = count - empty, counted[name] - counted["empty"]
        reason = ""
        if own == theirs:
            equal += 1
        elif name in OF_ADDRESSES and abs(own - theirs) <= MOST_OF_ADDRESSES:
            named += 1
            reason = "addresses"
        else:
            others.append(name)
        print(f"{name:24} {own:9} {theirs:10} {own - theirs:+10}  {reason}".rstrip())
        kernel = KERNEL.match(name)
        if kernel:
            kernels[own == int(kernel.group(1))] += 1
    print(f"{equal + named + len(others)} bodies: {equal} equal, {named} with a named difference"
          + (f", {len(others)} others: {', '.join(others)}" if others else ""))
    print(f"{runs} runs: {len(varied)} bodies varied" + (f": {', '.join(varied)}" if varied else ""))
    print(f"{kernels.total()} kernels of multiplications: {kernels[True]} exact")
    print(f"{per_run:.1f} s for all bodies, stepped, with their times; {by_valgrind:.1f} s by callgrind, a process each")
    return 1 if others or varied or kernels[False] else 0


sys.exit(main())
