"""Compares equal code under arrangements; see scripts/arrangements.sh."""

import pathlib
import sys
import tempfile

from arranged import ALL
from place import Place, Skipped


def row(name, found, times, seconds):
    print(f"{name:62} {found:28} {times:>14} {seconds:>8}", flush=True)


def main():
    program, *typed = sys.argv[1:]
    if "--list" in typed:
        print("\n".join(name for name, _, _ in ALL))
        return 0
    chosen = [one for one in ALL if not typed or any(word in one[0] for word in typed)]
    if not chosen:
        print(f"{typed[0]} is in no name; --list prints them", file=sys.stderr)
        return 1
    failed = 0
    with tempfile.TemporaryDirectory(prefix="arrangements-") as base:
        base = pathlib.Path(base).resolve()
        row("arrangement", "verdicts", "ns", "seconds")
        for name, expected, arrange in chosen:
            place = Place(base, pathlib.Path(program).resolve())
            try:
                arrange(place)
            except Skipped as why:
                print(f"SKIPPED {name}: {why}")
                continue
            found = place.compare()
            row(name, found.counts(), found.times, f"{found.seconds:.0f}")
            wrong = found.faults(expected)
            if wrong:
                failed += 1
                print(f"FAILED: {wrong}\n{found.text[-3000:]}")
    print(f"{len(chosen)} arrangements, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
