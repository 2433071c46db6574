"""Edits a package, and looks which cases are called unchanged; see scripts/edits.sh."""

import json
import pathlib
import re
import shutil
import statistics
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

    def add_large(self):
        """A bench target with an executable of some 30 MB: collections of types of its own."""
        manifest = self.checkout / "Cargo.toml"
        # Large is quick to compile without optimisation.
        self.write("Cargo.toml", f'{manifest.read_text()}[profile.bench]\nopt-level = 0\n[[bench]]\nname = "large"\nharness = false\n')
        types = range(TYPES)
        bodies = "".join(LARGE.replace("@", str(number)) for number in types)
        table = ", ".join(f"m{number}::go" for number in types[1:])
        self.write("benches/large.rs", f"{bodies}static ALL: [fn(u64) -> u64; {TYPES - 1}] = [{table}];\n{LARGE_END}")
        self.commit("large")

    def executable(self, name):
        """The newest executable of this bench target, which the comparison made."""
        found = [path for path in self.base.rglob(f"{name}-*") if path.parent.name == "deps" and not path.suffix]
        return max(found, key=lambda path: path.stat().st_mtime)

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


# Types, each with code of some 130 kB.
TYPES = 230
# Comparisons of a kind, after the one that builds.
TIMES = 5
LARGE = """mod m@ {
    use std::collections::{BTreeMap, HashMap};
    #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    struct Own([u8; @ % 61], String, Vec<u64>);
    pub fn go(n: u64) -> u64 {
        let own = |i: u64| Own([i as u8; @ % 61], format!("{i}"), vec![i ^ @; i as usize % 3]);
        let tree: BTreeMap<Own, u64> = (0..n).map(|i| (own(i), i)).collect();
        let table: HashMap<Own, Own> = (0..n).map(|i| (own(i), own(i + 1))).collect();
        let mut all: Vec<Own> = table.into_values().filter(|one| tree.contains_key(one)).collect();
        all.sort();
        format!("{all:?}").len() as u64
    }
}
"""
LARGE_END = """#[tourbillon::bench]
fn all() -> u64 {
    ALL.iter().map(|go| go(std::hint::black_box(2))).sum()
}
#[tourbillon::bench]
fn none() -> u64 {
    std::hint::black_box(1)
}
#[tourbillon::bench]
fn edited() -> u64 {
    m0::go(std::hint::black_box(2))
}
fn main() -> std::process::ExitCode {
    tourbillon::main()
}
"""


def large(works):
    """How long the analysis of a large executable takes: what a comparison of other code takes more than one of the same."""
    works.add_large()
    words = [works.program, "tourbillon", "compare", "HEAD", "--offline", "--bench", "large", "--format", "jsonl"]
    words += ["--", "all", "none"]
    path = works.checkout / "benches" / "large.rs"
    seconds = {}
    for kind in ("same", "other code"):
        if kind != "same":
            # In the program, and reached by neither of both cases.
            path.write_text(path.read_text().replace("vec![i ^ 0;", "vec![i ^ 5;"))
        for _ in range(1 + TIMES):
            start = time.monotonic()
            done = subprocess.run(words, cwd=works.checkout, env=works.environment, text=True, capture_output=True)
            # Without what cargo takes, which varies by more than the analysis.
            of_cargo = map(float, re.findall(r"target\(s\) in ([0-9.]+)s", done.stderr))
            seconds.setdefault(kind, []).append(time.monotonic() - start - sum(of_cargo))
            lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
            found = [line["verdict"] for line in lines if line["type"] == "verdict"]
            if found != ["unchanged"] * 2:
                sys.exit(f"{kind}: {found}\n{(done.stdout + done.stderr)[-2000:]}")
    same, other = (statistics.median(seconds[kind][1:]) for kind in ("same", "other code"))
    size = works.executable("large").stat().st_size
    print(f"an executable of {size / 1e6:.0f} MB: same program {same:.2f} s, other code {other:.2f} s, of which the analysis of"
          f" both sides {other - same:.2f} s; medians of {TIMES}, without what cargo takes")
    return 0


def short(names):
    names = sorted(names)
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def main():
    program, *typed = sys.argv[1:]
    if typed == ["--large"]:
        with tempfile.TemporaryDirectory(prefix="edits-") as base:
            return large(Works(pathlib.Path(base).resolve(), pathlib.Path(program).resolve()))
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
