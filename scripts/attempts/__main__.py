"""Tries changes of a package by `cargo tourbillon attempt`; see scripts/attempts.sh."""

import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "arrangements"))

from place import ROOT, Place  # noqa: E402

MANIFEST = """[package]
name = "tried"
version = "0.0.0"
edition = "2024"

[dev-dependencies]
tourbillon = { path = "@crates@/tourbillon" }

[[bench]]
name = "speed"
harness = false

[workspace]
"""
# A chain of so many steps, with a number in it that changes no time.
LIBRARY = """pub fn work(n: u64) -> u64 {
    (0..n).fold(@number@, |x, i| (x ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

pub const STEPS: u64 = @steps@;
"""
BENCH = """#[tourbillon::bench]
fn chain() -> u64 { tried::work(tourbillon::hide(tried::STEPS)) }
fn main() -> std::process::ExitCode { tourbillon::main() }
"""
STEPS = 4000
ANSWERS = {0: "keep", 2: "revert", 3: "broken", 6: "undecided"}
# The share of attempts that are faster which has to be kept.
POWER = 0.95


class Tried(Place):
    """The repository of a package with one case."""

    def repository(self):
        self.write("Cargo.toml", MANIFEST.replace("@crates@", str(ROOT / "crates")))
        self.write("benches/speed.rs", BENCH)
        self.write(".gitignore", "/target\n")
        self.library(STEPS, 1)
        shutil.copy(ROOT / "Cargo.lock", self.checkout)
        self.ran(["cargo", "metadata", "--offline", "--format-version", "1"])
        self.git("init", "--quiet", "-b", "main")
        self.commit("start")

    def library(self, steps, number):
        text = LIBRARY.replace("@number@", str(number)).replace("@steps@", str(steps))
        self.write("src/lib.rs", text)

    def attempt(self, *words):
        """The answer, and its seconds."""
        words = [self.program, "tourbillon", "attempt", "--offline", "--format", "json", *words]
        done = subprocess.run(words, cwd=self.checkout, env=self.environment, text=True, capture_output=True)
        answer = ANSWERS.get(done.returncode)
        if answer is None:
            sys.exit(f"exit code {done.returncode}\n{done.stderr[-2000:]}")
        if "--new" in words:
            return answer, 0
        row = json.loads(done.stdout)["attempts"][0]
        if row["answer"] != answer:
            sys.exit(f"the answer is {row['answer']}, and the exit code {done.returncode}")
        return answer, row["seconds"]


def campaign(place, what, steps_of, count):
    """Tries `count` changes; the answers."""
    place.library(STEPS, 1)
    place.attempt("--new", "main")
    answers, seconds, kept = Counter(), [], STEPS
    for number in range(1, count + 1):
        steps = steps_of(kept)
        # No two attempts have the same machine code.
        place.library(steps, 1000 + number)
        answer, took = place.attempt()
        answers[answer] += 1
        seconds.append(took)
        if answer == "keep":
            kept = steps
        if sys.stderr.isatty():
            print(f"\r{what}: {number} of {count}, {dict(answers)}  ", end="", file=sys.stderr, flush=True)
    found = ", ".join(f"{number} {answer}" for answer, number in answers.most_common())
    print(f"| {what} | {count} | {found} | {statistics.median(seconds):.1f} | {max(seconds):.1f} |", flush=True)
    return answers


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    null, faster = (int(text) for text in (sys.argv[2:4] + ["200", "40"][len(sys.argv) - 2:])[:2])
    print("| attempts | number | answers | s: median | most |\n|---|--:|---|--:|--:|")
    with tempfile.TemporaryDirectory(prefix="tourbillon-attempts-") as folder:
        place = Tried(pathlib.Path(folder), program)
        same = campaign(place, "other code, as fast", lambda kept: kept, null)
        quicker = campaign(place, "2 % faster", lambda kept: round(kept * 0.98), faster)
    if same["keep"]:
        sys.exit(f"{same['keep']} attempts are kept that are not faster")
    if quicker["keep"] < POWER * faster:
        sys.exit(f"only {quicker['keep']} of {faster} are kept that are faster")


if __name__ == "__main__":
    main()
