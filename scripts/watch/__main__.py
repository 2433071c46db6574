"""Saves a package while `cargo tourbillon watch` runs, and takes the time of its verdicts; see scripts/watch.sh."""

import json
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "arrangements"))

from place import ROOT, Place  # noqa: E402

MANIFEST = """[package]
name = "edited"
version = "0.0.0"
edition = "2024"

[dev-dependencies]
tourbillon = { path = "@crates@/tourbillon" }

[profile.bench]
debug = "line-tables-only"

[workspace]
"""
BENCH = '\n[[bench]]\nname = "of_@"\nharness = false\n'
# The work of all cases, in thousandths; a chain, so that it takes as long as it is.
LIBRARY = """pub fn work(n: u64) -> u64 {
    (0..n * @ / 1000).fold(n, |x, i| (x ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
"""
CASE = "#[tourbillon::bench]\nfn of_@() -> u64 { edited::work(tourbillon::hide(@)) }\n"
MAIN = "fn main() -> std::process::ExitCode { tourbillon::main() }\n"
# A step of the chain takes some 1.5 ns: 1 us to 100 us.
LENGTHS = {3: [700, 7000, 70000], 10: [700, 1200, 2000, 3300, 5500, 9200, 15000, 25000, 42000, 70000]}
# Per cent by which a save changes the work of all cases, as of the commit.
CHANGES = [0, 5, -5, 10, -10]
# What cargo's builds end with: the moment.
WRAPPER = """#!/bin/sh
"{cargo}" "$@"
code=$?
case " $* " in *' --no-run '*) date +%s.%N >>"{ends}" ;; esac
exit $code
"""


class Edited(Place):
    """The repository of a package with cases of known length."""

    def repository(self):
        manifest = MANIFEST.replace("@crates@", str(ROOT / "crates"))
        manifest += "".join(BENCH.replace("@", str(count)) for count in LENGTHS)
        self.write("Cargo.toml", manifest)
        for count, lengths in LENGTHS.items():
            cases = "".join(CASE.replace("@", str(length)) for length in lengths)
            self.write(f"benches/of_{count}.rs", cases + MAIN)
        self.save(0)
        self.write(".gitignore", "/target\n")
        shutil.copy(ROOT / "Cargo.lock", self.checkout)
        self.ran(["cargo", "metadata", "--offline", "--format-version", "1"])
        self.git("init", "--quiet", "-b", "main")
        self.commit("start")
        self.ends = self.base / "ends"
        wrapper = self.base / "bin" / "cargo"
        wrapper.parent.mkdir()
        cargo = self.ran(["rustup", "which", "cargo"]).strip()
        wrapper.write_text(WRAPPER.format(cargo=cargo, ends=self.ends))
        wrapper.chmod(0o755)
        self.environment["PATH"] = f"{wrapper.parent}:{self.environment['PATH']}"

    def save(self, per_cent, number=0):
        # No save is like another one: a comment moves no code.
        text = LIBRARY.replace("@", str(1000 + 10 * per_cent))
        self.write("src/lib.rs", f"{text}// {number}\n")


def expected(per_cent):
    """What a save may be found to be, with a margin of 5 %."""
    words = ["undecided"]
    if abs(per_cent) <= 5:
        words.append("same")
    if per_cent == 0:
        return [*words, "unchanged"]
    return [*words, "slower" if per_cent > 0 else "faster"]


def saved(place, count, saves):
    """Seconds from the end of cargo's build to the verdicts, by save, and the verdicts by change."""
    words = [place.program, "tourbillon", "watch", "--offline", "--bench", f"of_{count}", "--format", "jsonl"]
    program = subprocess.Popen(words, cwd=place.checkout, env=place.environment, text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    seconds, whole, found = [], [], {}

    def round_of():
        """The words of the verdicts up to the end of a round."""
        verdicts = []
        for line in map(json.loads, program.stdout):
            if line["type"] == "verdict":
                verdicts.append(line["verdict"])
            elif line.get("event") == "failed":
                sys.exit(f"failed: {line}")
            elif line.get("event") == "compared":
                return verdicts
        sys.exit(f"watch ended with {program.wait()}")

    round_of()
    try:
        for number in range(1, saves + 1):
            per_cent = CHANGES[number % len(CHANGES)]
            time.sleep(random.uniform(0.1, 0.5))
            place.ends.write_text("")
            start = time.time()
            place.save(per_cent, number)
            verdicts = round_of()
            end = time.time()
            built = float(place.ends.read_text().split()[-1])
            seconds.append(end - built)
            whole.append(end - start)
            found.setdefault(per_cent, Counter()).update(verdicts)
    finally:
        program.send_signal(signal.SIGINT)
        program.wait()
    return seconds, whole, found


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    saves = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    wrong = 0
    print("| cases | saves | s after the build: median | most | s after the save: median | found |\n|--:|--:|--:|--:|--:|---|")
    with tempfile.TemporaryDirectory(prefix="tourbillon-watch-") as folder:
        place = Edited(pathlib.Path(folder), program)
        for count in LENGTHS:
            place.save(0)
            seconds, whole, found = saved(place, count, saves)
            texts = [f"{change:+} %: " + ", ".join(f"{number} {word}" for word, number in words.most_common())
                     for change, words in sorted(found.items())]
            wrong += sum(number for change, words in found.items() for word, number in words.items()
                         if word not in expected(change))
            print(f"| {count} | {saves} | {statistics.median(seconds):.1f} | {max(seconds):.1f} | "
                  f"{statistics.median(whole):.1f} | {'; '.join(texts)} |", flush=True)
    if wrong:
        sys.exit(f"{wrong} verdicts are wrong")


if __name__ == "__main__":
    main()
