"""Events of reference kernels; see scripts/counters.sh."""

import json
import os
import re
import subprocess
import sys

from stepped import program, stepper

COUNTERS = ["cpu_cycles", "cpu_instructions", "ipc", "branches", "branch_misses", "cache_references", "cache_misses",
            "minor_faults", "context_switches"]
KERNEL = re.compile(r"multiplications_(\d+)$")


def lines():
    """The record of a run of the kernels, and of an empty body."""
    flags = ["--bench", "--counters", ",".join(["instructions", *COUNTERS]), "--launches", "1", "--max-time", "20ms",
             "--no-store", "--format", "jsonl", "multiplications", "empty"]
    done = subprocess.run([program(), *flags], env=os.environ | stepper(), text=True, stdout=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def main():
    counts, reasons = {}, set()
    for line in lines():
        if line["type"] != "result":
            continue
        of_case = counts.setdefault(line["case"].split("::")[-1], {})
        of_case[line["metric"]] = line.get("estimate")
        reasons |= {note["why"] for note in line.get("notes", []) if note["note"] in ("events_absent", "not_stepped")}
    counts = {name: of_case for name, of_case in counts.items() if name == "empty" or KERNEL.match(name)}
    shown = [name for name in ["instructions", *COUNTERS] if any(name in of_case for of_case in counts.values())]
    print(f"{'kernel':22} {'k':>5} " + " ".join(f"{name:>16}" for name in shown))
    wrong, kernels = [], 0
    for name, of_case in counts.items():
        kernel = KERNEL.match(name)
        k = int(kernel.group(1)) if kernel else 0
        figures = [of_case.get(one) for one in shown]
        print(f"{name:22} {k:5} " + " ".join(f"{'':>16}" if one is None else f"{one:16.3f}" for one in figures))
        if of_case.get("minor_faults", 0) > 0.01:
            wrong.append(f"{name} touches {of_case['minor_faults']} new pages per op")
        if kernel and "cpu_instructions" in of_case:
            kernels += 1
            own = of_case["cpu_instructions"] - counts["empty"]["cpu_instructions"]
            if abs(own - k) > 0.5 + k / 1000:
                wrong.append(f"{name} has {own:.2f} instructions more than an empty body")
    for text in sorted(reasons):
        print(f"not counted: {text}")
    for text in wrong:
        print(f"wrong: {text}")
    if not kernels:
        print("SKIPPED: this machine has no counters of the processor for this user")
    else:
        print(f"{kernels} kernels of multiplications, {len(wrong)} wrong")
    return 1 if wrong else 0


sys.exit(main())
