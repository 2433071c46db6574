"""Builds a suite with criterion and with Tourbillon, and compares the names that both list."""

import json
import os
import shutil
import subprocess
import time
import tomllib
from pathlib import Path

from . import manifest
from .suites import ROOT, Failure, checkout, clean_environment, listed, say

TOOLS = ("criterion", "tourbillon")
# Longest time for a list: criterion runs what all targets set up, and measures where the suite ignores the flags.
LIST_SECONDS = 3600
# The target folder is emptied where the disk has less than this left.
LEAST_FREE = 4 << 30
# criterion cuts names at this many bytes when it lists them.
CUT = 100


def prepare(suite, options):
    """Leaves executables of both in the log folder, their lists and `prepare.json`; builds what is not built from this revision."""
    target = suite.log.parent / "target"
    if free_bytes(suite.log.parent) < LEAST_FREE:
        shutil.rmtree(target, ignore_errors=True)
    result = None if options.again else suite.record("prepare")
    if not result:
        shutil.rmtree(suite.log, ignore_errors=True)
        result = {"commit": checkout(suite.snapshot, suite.tree), "snapshot": str(suite.snapshot)}
        for pin in suite.pins:
            package, _, version = pin.partition("@")
            command = ["cargo", "update", "-p", package, "--precise", version]
            ended = subprocess.run(command, cwd=suite.package, env=clean_environment(), capture_output=True, text=True)
            if ended.returncode != 0:
                raise Failure(f"{suite.name}: {' '.join(command)}: {ended.stderr.strip()[-300:]}")
        if options.tool == "tourbillon":
            subprocess.run(["cargo", "generate-lockfile"], cwd=suite.package, env=clean_environment(), capture_output=True)
        else:
            result["criterion"] = built(suite, "criterion", target)
        result["version"] = locked_version(suite)
        suite.record("prepare", result)
        say(f"{suite.name}: {'unpacked' if options.tool == 'tourbillon' else 'built'} with criterion {result['version']}")
    revision = subprocess.run(["git", "rev-parse", "HEAD:crates"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    if options.tool == "criterion" or result.get("revision") == revision:
        return
    if "lines" not in result:
        result["lines"], result["manifests"] = manifest.replace_in(suite.tree, ROOT, suite.features)
        if not result["lines"]:
            raise Failure(f"{suite.name}: no manifest names a version of criterion")
        suite.record("prepare", result)
    result["tourbillon"] = built(suite, "tourbillon", target)
    result["revision"] = revision
    if "criterion" in result:
        result["missing"], result["added"] = differences(result)
    suite.record("prepare", result)
    count = sum(len(program["names"]) for program in result["tourbillon"]["programs"])
    compared = f", {len(result['missing'])} missing, {len(result['added'])} added" if "missing" in result else ""
    say(f"{suite.name}: {count} benchmarks{compared}")


def built(suite, tool, target):
    """The bench programs of a suite with what they list."""
    started = time.monotonic()
    programs = build(suite, tool, target)
    seconds = round(time.monotonic() - started, 1)
    for program in programs:
        program |= names(suite, program)
    return {"build_seconds": seconds, "programs": programs}


def locked_version(suite):
    """The versions of criterion and its forks that the lock file of the suite has."""
    folders = [suite.package, *suite.package.parents]
    for path in (folder / "Cargo.lock" for folder in folders if folder.is_relative_to(suite.tree)):
        if path.exists():
            packages = tomllib.loads(path.read_text())["package"]
            named = (f"{one['name']} {one['version']}" for one in packages if one["name"] in manifest.KEYS)
            return ", ".join(sorted(one.removeprefix("criterion ") for one in named))
    return ""


def build(suite, tool, target):
    """Builds the bench targets and copies their executables."""
    if not suite.package.is_dir():
        raise Failure(f"{suite.name}: the snapshot has no folder {suite.package.relative_to(suite.tree)}")
    command = ["cargo", "bench", "--no-run", "--message-format=json-render-diagnostics", *suite.arguments]
    with open(suite.log / f"build-{tool}.log", "w") as log:
        ended = subprocess.run(
            command, cwd=suite.package, env=clean_environment(CARGO_TARGET_DIR=target), stdout=subprocess.PIPE, stderr=log, text=True
        )
    if ended.returncode != 0:
        raise Failure(f"{suite.name}: the build with {tool} failed; see {suite.log}/build-{tool}.log")
    programs = []
    (suite.log / tool).mkdir(parents=True, exist_ok=True)
    for line in ended.stdout.splitlines():
        message = json.loads(line) if line.startswith("{") else {}
        if not message.get("executable") or "bench" not in message["target"]["kind"]:
            continue
        package = Path(message["manifest_path"]).parent
        copy = suite.log / tool / f"{package.name}-{message['target']['name']}"
        shutil.copy2(message["executable"], copy)
        programs.append({"target": message["target"]["name"], "package": str(package), "path": str(copy)})
    return programs


def environment(program, **more):
    """The environment in which cargo starts a bench program."""
    package = Path(program["package"])
    return clean_environment(CARGO_MANIFEST_DIR=package, CARGO_PKG_NAME=package.name, CARGO=shutil.which("cargo"), **more)


def names(suite, program):
    """What a program lists, how long that takes, and whether it ignores the flags of criterion.

    A suite that makes its own `Criterion` and does not configure it from the arguments is measured by criterion instead of
    listed; then the names are those in the files of results."""
    started = time.monotonic()
    home = suite.log / "listing"
    shutil.rmtree(home, ignore_errors=True)
    try:
        ended = subprocess.run(
            [program["path"], "--bench", "--list"],
            cwd=program["package"],
            env=environment(program, CRITERION_HOME=home, TOURBILLON_STORE=home),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIST_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"{suite.name}: {program['path']} --list did not end within {LIST_SECONDS} s") from None
    if ended.returncode != 0:
        say(f"{suite.name}: {program['path']} --list exits with {ended.returncode}: {ended.stderr.strip()[-300:]}")
    found = listed(ended.stdout)
    measured = [json.loads(path.read_text())["full_id"] for path in home.glob("**/new/benchmark.json")]
    shutil.rmtree(home, ignore_errors=True)
    seconds = round(time.monotonic() - started, 2)
    return {"names": found + sorted(measured), "list_seconds": seconds, "ignores_flags": bool(measured)}


def differences(result):
    """What criterion lists and Tourbillon does not, and the reverse, as `target: name`."""
    sides = []
    for tool in TOOLS:
        sides.append({(program["package"], program["target"]): list(program["names"]) for program in result[tool]["programs"]})
    missing, added = [], []
    for key in sorted(sides[0].keys() | sides[1].keys()):
        theirs, ours = sides[0].get(key, []), sides[1].get(key, [])
        for name in theirs:
            whole = name[: -len("...")] if name.endswith("...") and len(name.encode()) > CUT else None
            found = next((own for own in ours if own == name or whole and own.startswith(whole)), None)
            if found is None:
                missing.append(f"{key[1]}: {name}")
            else:
                ours.remove(found)
        added += [f"{key[1]}: {name}" for name in ours]
    return missing, added


def free_bytes(path):
    """What the disk has left."""
    stats = os.statvfs(path)
    return stats.f_bavail * stats.f_frsize
