"""The words of scripts/criterion-suites.sh."""

import argparse
import shutil
import sys
from pathlib import Path

from . import aa, bodies, corpus, measure, paths, places, prepare, table
from .suites import Failure, say, suites


def options():
    parser = argparse.ArgumentParser(prog="scripts/criterion-suites.sh", add_help=False)
    parser.add_argument("word", choices=["prepare", "run", "aa", "bodies", "corpus", "paths", "places", "plan", "table"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--log", required=True)
    parser.add_argument("--snapshots", default=".")
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--tool", choices=["criterion", "tourbillon"])
    parser.add_argument("--trial", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--sample", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time")
    parser.add_argument("--critcmp", default=shutil.which("critcmp"))
    parser.add_argument("--subcommand", default=shutil.which("cargo-tourbillon") or "cargo-tourbillon")
    return parser.parse_intermixed_args()


def plan(suite, wanted):
    """Roughly how long `run` takes, in seconds."""
    prepared = suite.record("prepare")
    if not prepared or "tourbillon" not in prepared:
        say(f"{suite.name} is not prepared")
        return 0
    programs = prepared["tourbillon"]["programs"]
    count = sum(len(program["names"]) for program in programs)
    set_up = sum(program["list_seconds"] for program in prepared["criterion"]["programs"])
    # A benchmark takes 0.3 s here and 10 s by criterion; a long set-up is repeated for each launch.
    seconds = 0.3 * count + min(wanted.sample, count) * (0.3 + 10) + 20 * set_up
    say(f"{suite.name}: {count} benchmarks, set-up {set_up:.1f} s, about {seconds:.0f} s")
    return seconds


def main():
    wanted = options()
    if wanted.word == "corpus":
        corpus.corpus(wanted.snapshots, wanted.log, wanted.names, wanted.again)
        return 0
    if wanted.word == "paths":
        paths.paths(wanted.snapshots, wanted.log)
        return 0
    if wanted.word == "bodies":
        bodies.bodies(wanted.log, wanted)
        return 0
    selected = suites(wanted.log, wanted.snapshots, wanted.names)
    if wanted.word == "table":
        kind = "trial" if wanted.trial else "run"
        (Path(wanted.log) / f"{kind}.tsv").write_text(table.tsv(selected, kind))
        found = table.tables(wanted.log, selected, wanted)
        if wanted.write:
            table.write(found)
        else:
            print("\n\n".join(found.values()))
        return 0
    if wanted.word == "plan":
        total = sum(plan(suite, wanted) for suite in selected)
        # Comparisons end after 3.5 min by default.
        round_of_aa = 210 + 2 * wanted.sample * 10
        say(f"run: about {total / 60:.0f} min; bodies: about {wanted.rounds * 30 * 10 / 60:.0f} min")
        say(f"aa: about {wanted.rounds * round_of_aa / 60:.0f} min for each suite that is named")
        return 0
    failures = 0
    for suite in selected:
        try:
            if wanted.word == "prepare":
                prepare.prepare(suite, wanted)
            elif wanted.word == "run":
                measure.run(suite, wanted)
            elif wanted.word == "places":
                places.places(suite, wanted)
            elif wanted.prepare:
                aa.prepare(suite, wanted)
            else:
                aa.aa(suite, wanted)
        except Failure as failure:
            say(f"failed: {failure}")
            failures += 1
    return int(failures > 0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        say(f"failed: {failure}")
        sys.exit(1)
