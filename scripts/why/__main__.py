"""Explains pairs of builds; see scripts/why.sh."""

import contextlib
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "arrangements"))

from pairs import MANIFEST, PAIRS  # noqa: E402
from place import ROOT, Place  # noqa: E402

MILL = pathlib.Path(__file__).resolve().parent / "mill"
VENDORED = ["adler2", "siphasher"]
SMALL = ["vectors", "spill"]


class Mill(Place):
    """The repository of `mill`, with two commits for each pair."""

    def repository(self):
        shutil.copytree(MILL, self.checkout)
        self.write(".gitignore", "/target\n")
        shutil.copy(ROOT / "Cargo.lock", self.checkout)
        manifest = (MILL / MANIFEST).read_text().replace("@crates@", str(ROOT / "crates"))
        # First as crates of the registry, to find their code.
        self.write(MANIFEST, re.sub(r'\{ path = "vendor/.*', '"*"', manifest))
        for package in json.loads(self.locked())["packages"]:
            if package["name"] in VENDORED:
                shutil.copytree(pathlib.Path(package["manifest_path"]).parent, self.checkout / "vendor" / package["name"])
        self.write(MANIFEST, manifest)
        self.locked()
        self.git("init", "--quiet", "-b", "main")
        self.commit("start")

    def locked(self):
        """Has cargo write the versions of dependencies; gives its description of them."""
        printed = self.ran(["cargo", "metadata", "--offline", "--format-version", "1"])
        return next(line for line in printed.splitlines() if line.startswith("{"))

    def change(self, name, replacements):
        """A branch from the start with one more commit."""
        self.git("checkout", "--quiet", "-b", name, "main")
        for file, old, new in replacements:
            path = self.checkout / file
            text = path.read_text()
            if old not in text:
                sys.exit(f"{file} has no {old!r}")
            path.write_text(text.replace(old, new))
        if any(file == MANIFEST for file, *_ in replacements):
            self.locked()
        self.commit(name)

    def tourbillon(self, *words):
        start = time.monotonic()
        done = subprocess.run([self.program, "tourbillon", *words], cwd=self.folder, env=self.environment, text=True, capture_output=True)
        return done, time.monotonic() - start


def decided(mill, verdict):
    """Has the newest record say what its estimate says, where the machine was too busy for a verdict."""
    record = max(mill.checkout.glob("target/tourbillon/comparisons/runs/mill/pairs/*.jsonl"))
    word = "slower" if verdict["ratio"] > 1 else "faster"
    lines = record.read_text().splitlines()
    lines = [re.sub('"verdict":"undecided",("why":"[a-z_]*",)?', f'"verdict":"{word}",', line) for line in lines]
    record.write_text("\n".join(lines) + "\n")


def explained(mill, name, seconds, is_estimate):
    """The verdict, the table of the cause, the first function, and the seconds of both commands."""
    layouts = ["--layouts", "1"] if is_estimate else []
    done, compared = mill.tourbillon("compare", "main", name, "--offline", "--time", seconds, *layouts, "--format", "jsonl", "--", name)
    verdicts = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"type":"verdict"')]
    if len(verdicts) != 1:
        sys.exit(f"{name}: exit code {done.returncode}\n{(done.stdout + done.stderr)[-3000:]}")
    found = {"verdict": verdicts[0], "compared": compared, "cause": "", "sentence": "", "function": "", "seconds": 0.0}
    if is_estimate and verdicts[0]["verdict"] == "undecided" and abs(math.log(verdicts[0].get("ratio", 1))) > 0.05:
        decided(mill, verdicts[0])
    elif verdicts[0]["verdict"] not in ("slower", "faster"):
        return found | {"sentence": verdicts[0].get("why", "")}
    done, found["seconds"] = mill.tourbillon("why", name, "--format", "json")
    if done.returncode != 0:
        return found | {"sentence": done.stderr.strip()}
    found["text"] = done.stdout
    document = json.loads(done.stdout)
    causes, functions = rows(document, "causes"), rows(document, "functions")
    if causes:
        found |= {"cause": causes[0]["cause"], "sentence": causes[0]["sentence"]}
    else:
        found["sentence"] = json.dumps(document)[:300]
    if functions:
        found["function"] = functions[0]["function"]
    return found


def rows(document, key):
    """The rows of a table, wherever it stands."""
    if isinstance(document, dict):
        if isinstance(document.get(key), list):
            return document[key]
        document = list(document.values())
    if isinstance(document, list):
        for part in document:
            found = rows(part, key)
            if found:
                return found
    return []


def row(pair, change, expected, said, function, ratio, seconds):
    print(f"{pair:10} {change:40} {expected:22} {said:22} {function:44} {ratio:>6} {seconds:>7}", flush=True)


def main():
    program, *typed = sys.argv[1:]
    if "--list" in typed:
        print("\n".join(f"{name:10} {change}" for name, change, *_ in PAIRS))
        return 0
    is_small = "--small" in typed
    is_loud = "--sentences" in typed
    is_estimate = is_small or "--estimates" in typed
    words = SMALL if is_small else [word for word in typed if not word.startswith("--")]
    chosen = [pair for pair in PAIRS if not words or pair[0] in words]
    if not chosen:
        print(f"{words[0]} is no pair; --list prints them", file=sys.stderr)
        return 1
    right, first, wrong, undecided, times = 0, 0, [], [], []
    keep = os.environ.get("WHY_FOLDER")
    if keep:
        pathlib.Path(keep).mkdir(parents=True, exist_ok=True)
    with contextlib.nullcontext(keep) if keep else tempfile.TemporaryDirectory(prefix="why-") as base:
        mill = Mill(pathlib.Path(base).resolve(), pathlib.Path(program).resolve())
        row("pair", "change", "expected", "said", "first function", "ratio", "seconds")
        for name, change, classes, functions, replacements in chosen:
            mill.change(name, replacements)
            found = explained(mill, name, "1s" if is_estimate else "2s", is_estimate)
            said, function = found["cause"], found["function"]
            ratio = found["verdict"].get("ratio")
            is_right = said in classes
            is_first = any(part in function for part in [f"src/{name}.rs", *functions])
            right += is_right
            first += is_first
            # Sentences on the same work name several causes, and one on more work may name the requests among it.
            is_named = said == "more work" and "request" in found["sentence"] and "allocations" in classes
            if said and not is_right and not is_named and not said.startswith("same work"):
                wrong.append(name)
            if not said:
                undecided.append(name)
            times.append(found["seconds"])
            marks = ("" if is_right else " !", "" if is_first else " !")
            row(name, change, classes[0], (said or found["verdict"]["verdict"]) + marks[0], function[:40] + marks[1],
                f"{ratio:.2f}" if ratio else "-", f"{found['seconds']:.1f}")
            if is_loud or not is_right:
                print(f"           {found['sentence']}", flush=True)
    total = len(chosen)
    print(f"{total} pairs: class right in {right}, changed function first in {first}, wrong with confidence {len(wrong)}"
          + (f" ({', '.join(wrong)})" if wrong else "") + (f"; not explained: {', '.join(undecided)}" if undecided else ""))
    print(f"seconds of `why`: median {sorted(times)[total // 2]:.1f}, most {max(times):.1f}")
    return 1 if right * 24 < 21 * total or first * 24 < 18 * total or wrong else 0


sys.exit(main())
