"""Edits a package, and looks which cases are called unchanged; see scripts/edits.sh."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "arrangements"))

from edits import HARMLESS, HOSTILE  # noqa: E402
from place import ROOT, Place  # noqa: E402

WORKS = pathlib.Path(__file__).resolve().parent / "works"


class Works(Place):
    """The repository of a package, a commit of it, and its working tree."""

    def repository(self):
        shutil.copytree(WORKS, self.checkout)
        manifest = (WORKS / "Cargo.toml").read_text().replace("@crates@", str(ROOT / "crates"))
        self.write("Cargo.toml", manifest)
        self.write(".gitignore", "/target\n")
        self.write("README.md", "# Works\n")
        shutil.copy(ROOT / "Cargo.lock", self.checkout)
        self.ran(["cargo", "metadata", "--offline", "--format-version", "1"])
        self.git("init", "--quiet", "-b", "main")
        self.commit("start")

    def edit(self, replacements):
        for name, old, new in replacements:
            path = self.checkout / name
            if new is None:
                path.unlink()
            elif old is None:
                # The contents of a file that moves, or the text.
                moved = self.checkout / new if "\n" not in new else None
                self.write(name, moved.read_text() if moved else new)
            else:
                text = path.read_text()
                if old not in text:
                    sys.exit(f"{name} has no {old!r}")
                path.write_text(text.replace(old, new))
        # A new file that git does not track is the same for both sides where cargo reads it.
        self.git("add", "--all")

    def restore(self):
        self.git("reset", "--quiet", "--hard")
        self.git("clean", "--quiet", "-fd")

    def findings(self):
        """What the comparison with the commit finds, by case, and why cases are measured."""
        words = [self.program, "tourbillon", "compare", "HEAD", "--offline", "--time", "10ms", "--format", "jsonl"]
        done = subprocess.run(words, cwd=self.checkout, env=self.environment, text=True, capture_output=True)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        verdicts = [line for line in lines if line["type"] == "verdict"]
        if done.returncode != 0 or not verdicts:
            sys.exit(f"exit code {done.returncode}\n{(done.stdout + done.stderr)[-3000:]}")
        cases = [line["case"].split("::") for line in verdicts]
        return {case[1]: line["verdict"] for case, line in zip(cases, verdicts) if case[0].endswith("/work")}


def short(names):
    names = sorted(names)
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def main():
    program, *typed = sys.argv[1:]
    edits = [("hostile", *edit) for edit in HOSTILE] + [("harmless", *edit) for edit in HARMLESS]
    if "--list" in typed:
        print("\n".join(f"{kind}: {name}" for kind, name, _, _ in edits))
        return 0
    chosen = [one for one in edits if not typed or any(word in f"{one[0]}: {one[1]}" for word in typed)]
    if not chosen:
        print(f"{typed[0]} is in no name; --list prints them", file=sys.stderr)
        return 1
    missed, whole, others = [], 0, []
    seconds = []
    with tempfile.TemporaryDirectory(prefix="edits-") as base:
        works = Works(pathlib.Path(base).resolve(), pathlib.Path(program).resolve())
        for kind, name, touched, replacements in chosen:
            works.edit(replacements)
            start = time.monotonic()
            found = works.findings()
            seconds.append(time.monotonic() - start)
            works.restore()
            unchanged = {case for case, verdict in found.items() if verdict == "unchanged"}
            touched = set(found) if touched is None else set(touched)
            unknown = touched - set(found)
            if unknown:
                sys.exit(f"{name}: there is no case {short(unknown)}")
            rest = set(found) - touched
            if kind == "hostile" and touched & unchanged:
                missed.append(name)
            if kind == "harmless":
                whole += rest <= unchanged
            others += [len(rest & unchanged) / len(rest)] if rest else []
            note = f"MISSED {short(touched & unchanged)}" if kind == "hostile" and touched & unchanged else ""
            if kind == "harmless" and rest - unchanged:
                note = f"measured {short(rest - unchanged)}"
            print(f"{kind:8}  {name:52} {len(unchanged):3} of {len(found)} unchanged  {note}", flush=True)
    hostile = sum(kind == "hostile" for kind, *_ in chosen)
    print(f"{hostile} hostile edits, {len(missed)} missed; {len(chosen) - hostile} harmless ones, {whole} with all that they do not touch unchanged")
    if others:
        print(f"of the cases that an edit does not touch, {100 * sum(others) / len(others):.0f} % are unchanged; "
              f"{sum(seconds) / len(seconds):.1f} s an edit, builds included")
    return 1 if missed else 0


sys.exit(main())
