"""Type-checks the bench files of many repositories against Tourbillon's package with criterion's API.

A file counts if it uses criterion and is part of a target that compiles. A target that does not compile is checked with
criterion, too: what compiles there and not here is a fault of the package."""

import json
import re
import shutil
import subprocess
from pathlib import Path

from . import manifest
from .prepare import LEAST_FREE, free_bytes
from .suites import ROOT, Failure, checkout, clean_environment, say

USES = re.compile(r"criterion_group!|criterion_main!|\bcriterion::|extern crate (criterion|codspeed_criterion_compat)|criterion_compat::")
# Features of the package that suites need whose other dependencies implement criterion's traits.
NEEDS = {"pprof": "pprof", "pprof-0-11": "pprof-0-11"}
SECONDS = 1500


def corpus(snapshots, log, names, again):
    """Checks each repository once; leaves a file of results for each."""
    log = Path(log).resolve() / "corpus"
    log.mkdir(parents=True, exist_ok=True)
    # Small ones first.
    for folder, git in sorted(git_directories(snapshots), key=lambda one: manifests(one[1])):
        if names and folder.name not in names:
            continue
        path = log / f"{folder.name}.json"
        if path.exists() and not again:
            continue
        if free_bytes(log) < LEAST_FREE:
            shutil.rmtree(log / "target", ignore_errors=True)
        try:
            result = check(git, log)
        except Failure as failure:
            result = {"failure": str(failure)}
        path.write_text(json.dumps(result, indent=1))
        shutil.rmtree(log / "tree", ignore_errors=True)
        say(f"{folder.name}: {summary(result)}")


def uses_criterion(text):
    """Whether a source names criterion outside of comments."""
    return bool(USES.search(re.sub(r"//[^\n]*", "", text)))


def git_directories(snapshots):
    """The folders of snapshots with the git directory or the checkout of each."""
    for folder in sorted(Path(snapshots).iterdir()):
        for path in (folder / "repo", folder):
            if (path / "HEAD").exists() or (path / ".git").exists():
                yield folder, path
                break


def manifests(git):
    """How many manifests a repository has."""
    shown = subprocess.run(["git", "-C", git, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, text=True)
    return shown.stdout.count("Cargo.toml\n")


def summary(result):
    if "failure" in result:
        return result["failure"]
    counts = {name: len(result[name]) for name in ("files", "ours", "ours_only_fails", "both_fail")}
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def check(git, log):
    """What compiles of one repository."""
    tree = log / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    commit = checkout(git, tree)
    files = {path for path in tree.rglob("*.rs") if path.is_file() and uses_criterion(path.read_text(errors="replace"))}
    result = {"commit": commit, "files": [], "ours": [], "ours_only_fails": {}, "both_fail": {}, "lines": 0}
    result["files"] = sorted(str(path.relative_to(tree)) for path in files)
    result["git_dependencies"] = remove_git_dependencies(tree)
    originals = {path: path.read_bytes() for path in tree.rglob("Cargo.*") if path.is_file()}
    pprof = any(re.search(rb"(?m)^pprof\b.*\"0\.11", text) for text in originals.values())
    others = any(re.search(rb"(?m)^pprof\b", text) for text in originals.values())
    features = ["pprof-0-11"] if pprof else ["pprof"] if others else []
    result["lines"], result["manifests"] = manifest.replace_in(tree, ROOT, features)
    result["features"] = features
    covered, failed = set(), {}
    roots = workspaces(tree, files)
    all_packages = dict(roots)
    for root, packages in roots:
        found, wrong = compiled(root, packages, files, log)
        covered |= found
        failed |= {(root, target): (packages, why) for target, why in wrong.items()}
    result["ours"] = sorted(str(path.relative_to(tree)) for path in covered)
    for path, text in originals.items():
        path.write_bytes(text)
    for root in sorted({root for root, _ in failed}):
        packages = {}
        for (of, (package, target)), _ in failed.items():
            if of == root:
                packages.setdefault(package, {})[target] = all_packages[root][package][target]
        _, wrong = compiled(root, packages, files, log)
        for (of, target), (_, why) in failed.items():
            if of == root:
                kind = "both_fail" if target in wrong else "ours_only_fails"
                result[kind][f"{target[0]}/{target[1]}"] = why
    return result


def remove_git_dependencies(tree):
    """Removes dependencies that no registry has, so that the rest of a workspace resolves; returns how many."""
    count = 0
    for path in tree.rglob("Cargo.toml"):
        text, found = re.subn(r"(?m)^[\w-]+ *= *\{[^\n}]*\bgit *= *\"[^\n]*\}[^\n]*\n", "", path.read_text())
        if found:
            path.write_text(text)
            count += found
    return count


def workspaces(tree, files):
    """The roots of workspaces with bench targets that use criterion, and those by package, with the features that they need."""
    found, seen = [], set()
    for path in sorted(tree.rglob("Cargo.toml"), key=lambda path: len(path.parts)):
        if path in seen or not any(path.parent in file.parents for file in files):
            continue
        ended = subprocess.run(
            ["cargo", "metadata", "--format-version=1", "--no-deps"],
            cwd=path.parent,
            env=clean_environment(),
            capture_output=True,
            text=True,
        )
        if ended.returncode != 0:
            say(f"{path}: {ended.stderr.strip()[:300]}")
            continue
        metadata = json.loads(ended.stdout)
        packages = {}
        for package in metadata["packages"]:
            seen.add(Path(package["manifest_path"]))
            for target in package["targets"]:
                source = Path(target["src_path"])
                near = source in files or any(source.parent in file.parents for file in files)
                if "bench" in target["kind"] and near and "fuzz" not in package["name"]:
                    features = target.get("required-features", [])
                    packages.setdefault(package["name"], {})[target["name"]] = features
        if packages:
            found.append((Path(metadata["workspace_root"]), packages))
    return found


def compiled(root, packages, files, log):
    """The files among these that are part of targets that compile, and the targets that do not, with their first error."""
    covered, failed, done = set(), {}, set()
    wanted = {(package, target) for package, targets in packages.items() for target in targets}
    with_features = {(package, target) for package, target in wanted if packages[package][target]}
    for left in (wanted - with_features, with_features):
        if not left:
            continue
        command = ["cargo", "check", "--keep-going", "--message-format=json"]
        features = {f"{package}/{feature}" for package, target in left for feature in packages[package][target]}
        if features:
            command += ["--features", ",".join(sorted(features))]
        for package in sorted({package for package, _ in left}):
            command += ["-p", package]
        for target in sorted({target for _, target in left}):
            command += ["--bench", target]
        environment = clean_environment(
            CARGO_TARGET_DIR=log / "target", CARGO_INCREMENTAL=0, CARGO_PROFILE_DEV_DEBUG=0, RUSTFLAGS="--cap-lints=allow"
        )
        try:
            ended = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            failed |= {target: "no end within the limit" for target in left}
            break
        errors = {}
        for line in ended.stdout.splitlines():
            message = json.loads(line) if line.startswith("{") else {}
            target = message.get("target")
            if not target or "bench" not in target["kind"]:
                continue
            key = next(((p, t) for p, t in wanted if t == target["name"] and f"{p}@" in package_of(message)), None)
            if not key:
                continue
            if message["reason"] == "compiler-message" and message["message"]["level"] == "error":
                errors.setdefault(key, message["message"]["rendered"][:1500])
            if message["reason"] == "compiler-artifact":
                done.add(key)
                covered |= sources(message["filenames"], root) & files
        failed |= errors
        if ended.returncode != 0 and not errors:
            say(f"{root}: {ended.stderr.strip()[-400:]}")
    return covered, {target: why for target, why in failed.items() if target not in done}


def package_of(message):
    """The name of a message's package, as `NAME@`; ids have the forms `URL#NAME@VERSION` and `URL/NAME#VERSION`."""
    id = message["package_id"]
    fragment = id.split("#")[-1]
    return fragment if "@" in fragment else id.split("#")[0].rsplit("/", 1)[-1] + "@"


def sources(filenames, root):
    """The source files of an artifact, from the list that the compiler wrote beside it."""
    found = set()
    for name in filenames:
        path = Path(name)
        list = path.with_name(path.stem.removeprefix("lib") + ".d")
        if list.exists():
            for line in list.read_text().splitlines():
                if line.endswith(".rs:"):
                    found.add((root / line[:-1]).resolve())
    return found
