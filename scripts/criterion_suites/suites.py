"""The list of suites, their snapshots, and where everything of a suite lies in the log folder."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Failure(Exception):
    """What keeps a suite from going on."""


@dataclass
class Suite:
    """A line of the list."""

    name: str
    snapshot: Path
    folder: str
    arguments: list
    features: list
    pins: list
    log: Path

    @property
    def tree(self):
        """The checkout."""
        return self.log / "tree"

    @property
    def package(self):
        """Where cargo is started."""
        return self.tree / self.folder

    def record(self, name, value=None):
        """Writes a result, or reads it; `None` where there is none."""
        path = self.log / f"{name}.json"
        if value is None:
            return json.loads(path.read_text()) if path.exists() else None
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(value, indent=1))
        part.rename(path)
        return value


def suites(log, snapshots, names):
    """Those of the list that are named, or all."""
    path = Path(log) / "suites.tsv"
    if not path.exists():
        raise Failure(f"{path} not found; scripts/criterion-suites.sh --help has its form")
    found = []
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, snapshot, folder, *words = (line.split("\t") + ["", "", ""])[:6]
        words = [field.split() for field in words]
        found.append(Suite(name, Path(snapshots) / snapshot, folder, *words, Path(log).resolve() / name))
    unknown = set(names) - {suite.name for suite in found}
    if unknown:
        raise Failure(f"no suite is named {', '.join(sorted(unknown))} in {path}")
    return [suite for suite in found if not names or suite.name in names]


def say(text):
    print(text, file=sys.stderr, flush=True)


def clean_environment(**more):
    """The caller's environment without what would change where builds and results go."""
    names = ("CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "RUSTFLAGS", "CRITERION_HOME", "TOURBILLON_STORE")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    if "RUSTUP_TOOLCHAIN" not in environment:
        # One compiler for all suites, whatever their folders ask for.
        shown = subprocess.run(["rustup", "show", "active-toolchain"], cwd=ROOT, capture_output=True, text=True)
        if shown.returncode == 0:
            environment["RUSTUP_TOOLCHAIN"] = shown.stdout.split()[0]
    environment.update({name: str(value) for name, value in more.items()})
    return environment


def checkout(snapshot, tree):
    """Writes the files of a git directory's or a checkout's commit; returns the commit."""
    shown = subprocess.run(
        ["git", "-C", snapshot, "rev-parse", "--absolute-git-dir"], capture_output=True, text=True
    )
    if shown.returncode != 0:
        raise Failure(f"{snapshot} is no git directory and no checkout")
    git = ["git", f"--git-dir={shown.stdout.strip()}"]
    commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    tree.mkdir(parents=True)
    environment = {**os.environ, "GIT_INDEX_FILE": str(tree.parent / "index")}
    for command in (["read-tree", "HEAD"], ["checkout-index", "-a", "-f", "-q", f"--prefix={tree}/"]):
        ended = subprocess.run([*git, *command], env=environment, capture_output=True, text=True)
        if ended.returncode != 0 and (command[0] == "read-tree" or not any(tree.iterdir())):
            raise Failure(f"{snapshot}: git {command[0]}: {ended.stderr.strip()[:300]}")
        if ended.returncode != 0:
            # Snapshots may lack large files.
            say(f"{snapshot}: {ended.stderr.strip()[:300]}")
    return commit


def listed(output):
    """The names in the output of `--list`; criterion cuts those above a hundred bytes."""
    return re.findall(r"(?m)^(.*): bench(?:mark)?$", output)
