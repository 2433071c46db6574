"""Every path of criterion that the files of a corpus import, resolved against Tourbillon's package.

Needs no dependency of any repository, so it also holds for those that do not compile here."""

import json
import re
import subprocess
from pathlib import Path

from . import manifest
from .corpus import git_directories, uses_criterion
from .suites import ROOT, Failure, checkout, clean_environment, say


def paths(snapshots, log):
    """Leaves `paths.json`: files, and those that import a path that does not resolve."""
    files, users = 0, {}
    repositories = 0
    for folder, git in git_directories(snapshots):
        own = 0
        for name, text in sources(git):
            if uses_criterion(text):
                own += 1
                for path in imported(text):
                    users.setdefault(path, []).append(f"{folder.name}/{name}")
        files += own
        repositories += own > 0
    wrong = unresolved(sorted(users), Path(log))
    result = {
        "repositories": repositories,
        "files": files,
        "paths": {name: len(users[name]) for name in sorted(users, key=lambda name: -len(users[name]))},
        "unresolved": {name: users[name] for name in wrong},
    }
    (Path(log) / "paths.json").write_text(json.dumps(result, indent=1))
    of = {file for name in wrong for file in users[name]}
    say(f"{repositories} repositories, {files} files, {len(users)} paths; unresolved: {wrong} in {len(of)} files")


def sources(git):
    """The source files of a repository that contain the word, with their text."""
    command = ["git", "-C", git]
    found = subprocess.run([*command, "grep", "-l", "criterion", "HEAD", "--", "*.rs"], capture_output=True, text=True)
    for name in found.stdout.splitlines():
        shown = subprocess.run([*command, "show", name], capture_output=True, text=True, errors="replace")
        yield name.removeprefix("HEAD:"), shown.stdout


def imported(text):
    """The paths of items below `criterion` that a source names, in trees of `use` and elsewhere."""
    text = re.sub(r"//[^\n]*", "", text)
    found = set()
    for tree in re.findall(r"\buse\s+(?:::)?(criterion::[^;]*);", text):
        found |= expanded("", tree)
    for rest in re.findall(r"(?<![\w:])criterion((?:::\w+)+)", re.sub(r"\buse\s+[^;]*;", "", text)):
        found.add(f"criterion{rest}")
    names = set()
    for path in found:
        parts = path.split("::")
        # Of an associated function, its type.
        if len(parts) > 2 and parts[-2][0].isupper() and parts[-1][0].islower():
            parts.pop()
        if parts[-1] not in ("*", "self"):
            names.add("::".join(parts))
    return names


def expanded(prefix, tree):
    """The paths of a tree of `use`."""
    tree = tree.strip()
    group = re.match(r"^([^{]*)\{(.*)\}$", tree, re.DOTALL)
    if not group:
        return {re.sub(r"\s+as\s+\w+$", "", prefix + tree).replace(" ", "").replace("\n", "")}
    found, depth, part = set(), 0, ""
    for char in group[2] + ",":
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == "," and depth == 0:
            found |= expanded(prefix + group[1], part) if part.strip() else set()
            part = ""
        else:
            part += char
    return found


def unresolved(names, log):
    """Those paths that the compiler does not find."""
    package = log / "paths"
    (package / "src").mkdir(parents=True, exist_ok=True)
    dependency = ", ".join([*manifest.facade(ROOT), 'features = ["async_futures"]'])
    (package / "Cargo.toml").write_text(
        f'[package]\nname = "paths"\nedition = "2021"\n[workspace]\n[dependencies]\ncriterion = {{ {dependency} }}\n'
    )
    (package / "src" / "lib.rs").write_text("".join(f"mod m{at} {{ use {name} as _; }}\n" for at, name in enumerate(names)))
    ended = subprocess.run(
        ["cargo", "check", "--message-format=json"],
        cwd=package,
        env=clean_environment(CARGO_TARGET_DIR=log / "corpus" / "target", CARGO_INCREMENTAL=0, CARGO_PROFILE_DEV_DEBUG=0, RUSTFLAGS="--cap-lints=allow"),
        capture_output=True,
        text=True,
    )
    wrong = set()
    for line in ended.stdout.splitlines():
        message = json.loads(line) if line.startswith("{") else {}
        if message.get("reason") == "compiler-message" and message["message"]["level"] == "error":
            wrong |= {names[span["line_start"] - 1] for span in message["message"]["spans"] if span["is_primary"]}
    if ended.returncode != 0 and not wrong:
        raise Failure(f"the paths do not compile: {ended.stderr.strip()[-500:]}")
    return sorted(wrong)
