#!/usr/bin/env python3
"""Kills subcommands at random moments, several times in a row, and runs the same command again.

    scripts/kills.py PROGRAM KILLS     PROGRAM is cargo-tourbillon; KILLS of each subcommand

After each kill: no process is left that it started, no lock is held, the user's files are as they were, and after
SIGINT and SIGTERM there are no temporary files. After each row of kills the command has the right answer, and nothing
that it says is about something damaged. Exit code 1 otherwise.
"""

import fcntl
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tarfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Kills before the command is run to its end.
ROW = 4
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]
# Seconds in which what was started has to end, on a busy machine.
PATIENCE = 30
REGISTRY = "sparse+http://localhost/"
QUICK = "pub fn sum(n: u64) -> u64 { (0..50 * n).sum() }\n"
SLOW = "pub fn sum(n: u64) -> u64 { (0..1000 * n).sum() }\n"
BUILD = ["--offline", "--profile", "dev", "--bench", "speed"]
FEW = ["--layouts", "2"]


class Shop:
    """A repository whose package has a benchmark, two dependencies in a registry of its own, and a history."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        shutil.rmtree(folder, ignore_errors=True)
        self.root = folder / "shop"
        self.temporary = folder / "temporary"
        self.store = folder / "store"
        self.history = folder / "history"
        for path in (self.root / "src", self.root / "benches", self.root / ".cargo", self.temporary):
            path.mkdir(parents=True)
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("TOURBILLON", "CARGO_", "RUSTFLAGS", "GIT_"))
        } | {
            "TOURBILLON_CACHE": str(folder / "cache"),
            "TOURBILLON_STORE": str(self.store),
            "TOURBILLON_HISTORY": str(self.history),
            "TOURBILLON_LOCK": str(folder),
            "TMPDIR": str(self.temporary),
            "CARGO_INCREMENTAL": "0",
            "CARGO_TERM_COLOR": "never",
        }
        self.write(".gitignore", "target\n")
        self.write(
            ".cargo/config.toml",
            f'[registries.own]\nindex = "{REGISTRY}"\n[source.own]\nregistry = "{REGISTRY}"\n'
            'replace-with = "folder"\n[source.folder]\nlocal-registry = "registry"\n',
        )
        self.write(
            "Cargo.toml",
            '[package]\nname = "shop"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n'
            "[profile.dev]\ndebug = false\n"
            '[[bench]]\nname = "speed"\nharness = false\n[dependencies]\n'
            + "".join(f'{name} = {{ version = "1", registry = "own" }}\n' for name in ("alpha", "beta"))
            + f'[dev-dependencies]\ntourbillon = {{ path = "{ROOT}/crates/tourbillon" }}\n',
        )
        self.write(
            "benches/speed.rs",
            "#[tourbillon::bench]\nfn sum() -> u64 { shop::sum(tourbillon::hide(9)) }\n"
            "fn main() -> std::process::ExitCode { tourbillon::main() }\n",
        )
        self.code(0)
        self.git("init", "--quiet", "-b", "main")
        for name in ("alpha", "beta"):
            self.publish(name, "1.0.0", QUICK.replace("50", "1"))
        self.lock()
        self.commit("older")
        self.publish("alpha", "1.1.0", QUICK.replace("50", "1") + "// Again.\n")
        self.publish("beta", "1.1.0", SLOW)
        self.lock()
        self.commit("newer")
        self.git("checkout", "--quiet", "older", "--", "Cargo.lock")
        self.commit("base")

    def write(self, file, text):
        (self.root / file).write_text(text)

    def code(self, number, body=QUICK):
        """Code that no other commit has."""
        use = "pub fn total(n: u64) -> u64 { alpha::sum(n) + beta::sum(n) + own(n) }\n"
        own = body.replace("fn sum", "fn own")
        self.write("src/lib.rs", f"{use}pub use total as sum;\n{own}pub const NUMBER: &str = \"{number}\";\n")

    def run(self, *words):
        return subprocess.run(
            words, cwd=self.root, env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )

    def git(self, *words):
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", *words]
        ran = self.run(*git)
        assert ran.returncode == 0, ran
        return ran.stdout

    def commit(self, tag):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", tag)
        self.git("tag", tag)

    def lock(self):
        ran = self.run("cargo", "generate-lockfile", "--offline", "--quiet")
        assert ran.returncode == 0, ran

    def publish(self, name, version, text):
        """Adds a package to a registry as cargo reads it from a folder."""
        registry = self.root / "registry"
        made = self.folder / f"{name}-{version}"
        (made / "src").mkdir(parents=True)
        (made / "Cargo.toml").write_text(
            f'[package]\nname = "{name}"\nversion = "{version}"\nedition = "2024"\n[workspace]\n'
        )
        (made / "src/lib.rs").write_text(text)
        index = registry / "index" / name[:2] / name[2:4]
        index.mkdir(parents=True, exist_ok=True)
        archive = registry / f"{name}-{version}.crate"
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(made, made.name)
        line = {"name": name, "vers": version, "deps": [], "features": {}, "yanked": False}
        line["cksum"] = hashlib.sha256(archive.read_bytes()).hexdigest()
        with open(index / name, "a") as file:
            file.write(json.dumps(line) + "\n")

    def state(self):
        """What a command may not change: the files of the checkout, its index, head and branches."""
        files = {}
        for path in sorted(self.root.rglob("*")):
            within = path.relative_to(self.root)
            if path.is_file() and within.parts[0] not in (".git", "target"):
                files[str(within)] = path.read_bytes()
        index = (self.root / ".git/index").read_bytes()
        return files, index, self.git("rev-parse", "HEAD"), self.git("for-each-ref", "refs/heads", "refs/tags")


class Compare:
    """Two commits that no build is kept of."""

    name = "compare"

    def begin(self, shop, number):
        for tag, body in ((f"c{number}", QUICK), (f"d{number}", SLOW)):
            shop.code(f"{number}{len(body)}", body)
            shop.commit(tag)
        self.words = ["compare", f"c{number}", f"d{number}", *BUILD, *FEW, "--time", "10s", "--format", "jsonl"]

    def wrong(self, _, ran):
        verdicts = [line for line in lines(ran.stdout) if line.get("verdict") or line.get("type") == "verdict"]
        return None if ran.returncode == 0 and "slower" in ran.stdout else f"no verdict: {verdicts}"


class Backfill:
    """Three commits, none of them measured."""

    name = "history backfill"

    def begin(self, shop, number):
        for part in range(3):
            shop.code(f"{number}{part}")
            shop.commit(f"b{number}-{part}")
        shutil.rmtree(shop.history, ignore_errors=True)
        self.words = ["history", "backfill", f"b{number}-0^..b{number}-2", *BUILD, "--", "--max-time", "1s"]

    def wrong(self, shop, ran):
        if ran.returncode != 0 or "0 that cannot be measured" not in ran.stdout:
            return "commits are missing"
        runs = list((shop.history / "summaries").rglob("*.json"))
        commits = [json.loads(run.read_text())["commit"] for run in runs]
        if len(set(commits)) != 3 or len(commits) != 3:
            return f"the history has {commits}"
        for record in (shop.history / "records").rglob("*.jsonl"):
            if hashlib.sha256(record.read_bytes()).hexdigest() != record.stem:
                return f"{record} is not whole"
        return None


class Bisect:
    """The dependency that is slow, among two."""

    name = "history bisect --deps"

    def begin(self, shop, number):
        shop.code(f"{number}")
        shop.commit(f"a{number}")
        shutil.rmtree(shop.history, ignore_errors=True)
        self.words = ["history", "bisect", "sum", "--deps", "older", "newer", *BUILD, "--format", "jsonl"]

    def wrong(self, _, ran):
        found = lines(ran.stdout)
        updates = found and found[-1].get("updates")
        return None if ran.returncode == 0 and updates == ["beta 1.0.0 -> 1.1.0"] else f"found {updates}"


class Attempt:
    """A working tree that is quicker than its commit."""

    name = "attempt"

    def begin(self, shop, number):
        shop.code(f"{number}", SLOW)
        shop.commit(f"t{number}")
        shop.code(f"{number}", QUICK)
        shutil.rmtree(shop.store / "attempts", ignore_errors=True)
        self.words = ["attempt", *BUILD, *FEW, "--time", "30s", "--format", "json"]

    def end(self, shop):
        shop.git("checkout", "--quiet", "--force", "main")

    def wrong(self, shop, ran):
        ledgers = sorted((shop.store / "attempts").glob("*.jsonl"))
        kept = [line for ledger in ledgers for line in lines(ledger.read_text()) if line.get("answer") == "keep"]
        if len(kept) != 1 or shop.git("cat-file", "-t", kept[0]["commit"]).strip() != "commit":
            return f"{len(kept)} attempts were kept"
        # Where the answer was written before the last kill, nothing differs any more.
        if ran.returncode == 0 or "nothing differs from the reference" in ran.stderr:
            return None
        return "it is not kept"


def lines(text):
    """The lines of JSON in a text."""
    found = []
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def left(shop, own):
    """The processes that a command of the shop has started: all have its variables, or the parent of one that has."""
    mark = f"TMPDIR={shop.temporary}".encode()
    found = []
    for process in pathlib.Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == own:
            continue
        try:
            if mark in (process / "environ").read_bytes().split(b"\0"):
                stat = (process / "stat").read_text().rsplit(")", 1)[1].split()
                if stat[0] != "Z":
                    found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode()[:100])
        except (OSError, ValueError):
            pass
    return found


def held(shop):
    """The files that are locked."""
    found = []
    cache = shop.folder / "cache"
    files = [path for path in cache.rglob("used")] + [path for path in cache.rglob("*.lock") if path.is_file()]
    files += [path for path in (cache / "repositories").glob("*.used")] + list(shop.folder.glob("tourbillon.lock"))
    for path in files:
        if "clone" in path.parts or path.name == "Cargo.lock":
            continue
        try:
            with open(path) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileNotFoundError:
            pass
        except OSError:
            found.append(str(path))
    return found


def soon(what):
    """What is there for longer than the patience."""
    end = time.monotonic() + PATIENCE
    while True:
        found = what()
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.02)


def not_ignored():
    """A shell has what it starts in the background ignore these."""
    for one in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(one, signal.SIG_DFL)


def killed(shop, words, sent, after):
    """Starts the command and kills it; gives what is wrong then, and whether it ended before."""
    process = subprocess.Popen(
        [shop.program, *words],
        cwd=shop.root,
        env=shop.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=not_ignored,
    )
    try:
        process.wait(after)
        return [], True
    except subprocess.TimeoutExpired:
        process.send_signal(sent)
    wrong = []
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        wrong.append(f"it does not end by {sent.name}")
        process.kill()
        process.wait()
    wrong += [f"left behind: {one}" for one in soon(lambda: left(shop, process.pid))]
    wrong += [f"locked: {one}" for one in soon(lambda: held(shop))]
    temporary = os.listdir(shop.temporary)
    if temporary and sent != signal.SIGKILL:
        wrong.append(f"temporary files: {temporary}")
    if process.returncode not in (-sent, 130, 0, 1, 2) or sent != signal.SIGKILL and process.returncode == -sent:
        wrong.append(f"exit code {process.returncode}")
    for one in temporary:
        path = shop.temporary / one
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return wrong, False


def main():
    program, kills = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    only = sys.argv[3:]
    choice = random.Random(kills)
    shop = Shop(program, pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "kills")
    failed = False
    print(f"{'command':24}{'kills':>7}{'ended before':>14}{'wrong':>7}", flush=True)
    for subject in (Compare(), Backfill(), Bisect(), Attempt()):
        if only and subject.name not in only:
            continue
        shop.git("checkout", "--quiet", "--force", "main")
        number, done, before, bad = 0, 0, 0, 0
        whole = 0
        while done < kills:
            # The first one builds what all have in common, and the second one shows how long it takes.
            row = min(ROW, kills - done) if number > 1 else 0
            tag = f"{subject.name.split()[-1].strip('-')}{number}"
            number += 1
            subject.begin(shop, tag)
            state = shop.state()
            wrong = []
            for _ in range(row):
                sent = SIGNALS[done % len(SIGNALS)]
                after = choice.uniform(0, whole)
                found, is_over = killed(shop, subject.words, sent, after)
                done += 1
                before += is_over
                if shop.state() != state:
                    found.append("files of the checkout changed")
                    state = shop.state()
                wrong += [f"{sent.name} after {after:.2f} s: {one}" for one in found]
            start = time.monotonic()
            ran = shop.run(program, *subject.words)
            if row == 0:
                whole = time.monotonic() - start
            answer = subject.wrong(shop, ran)
            if answer:
                wrong.append(f"then: {answer}\n{ran.returncode}\n{ran.stdout[-2000:]}\n{ran.stderr[-2000:]}")
            if "damaged" in ran.stderr or shop.state() != state:
                wrong.append(f"then: something was damaged\n{ran.stderr[-2000:]}")
            if hasattr(subject, "end"):
                subject.end(shop)
            bad += len(wrong)
            for one in wrong:
                print(f"    {subject.name}: {one}", flush=True)
        failed |= bad > 0
        print(f"{subject.name:24}{done:7}{before:14}{bad:7}", flush=True)
    return 1 if failed else 0


sys.exit(main())
