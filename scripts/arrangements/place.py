"""A repository in a folder of its own, and the comparison in it."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOP = pathlib.Path(__file__).resolve().parent / "shop"
TRIPLE = next(line.split()[1] for line in subprocess.check_output(["rustc", "-vV"], text=True).splitlines() if "host" in line)
IDENTITY = ["-c", "user.name=Shop", "-c", "user.email=shop@shop", "-c", "commit.gpgsign=false", "-c", "protocol.file.allow=always"]


class Skipped(Exception):
    """An arrangement that cannot be made here, with the reason."""


class Place:
    """What an arrangement may change before the comparison: files, variables, and where it runs.

    Every checkout is at the same path, so that cargo builds again only what an arrangement changes.
    """

    def __init__(self, base, program):
        self.base, self.program = base, program
        # What lies above the checkout is not above the cache.
        self.outer = base / "outer"
        self.checkout = self.outer / "checkout"
        self.folder = self.checkout
        self.cargo_home = base / "cargo"
        self.revision = "HEAD"
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("CARGO", "RUST", "GIT"))}
        self.environment |= {
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(pathlib.Path.home() / ".rustup")),
            "CARGO_HOME": str(self.cargo_home),
            "TOURBILLON_CACHE": str(base / "cache"),
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        kept = base / "target"
        if (self.checkout / "target").exists():
            (self.checkout / "target").rename(kept)
        for folder in (self.outer, self.cargo_home, base / "origin"):
            shutil.rmtree(folder, ignore_errors=True)
        self.cargo_home.mkdir()
        real = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo"))
        (self.cargo_home / "registry").symlink_to(real / "registry")
        self.repository()
        if kept.exists():
            kept.rename(self.checkout / "target")

    def repository(self):
        """The repository of a crate with two commits of equal code."""
        manifest = (SHOP / "Cargo.toml").read_text().replace("@crates@", str(ROOT / "crates"))
        self.write("Cargo.toml", manifest)
        self.write("src/lib.rs", (SHOP / "lib.rs").read_text())
        self.write("speed.rs", (SHOP / "speed.rs").read_text())
        self.write(".gitignore", "/target\n")
        self.write("README.md", "# Shop\n")
        shutil.copy(ROOT / "Cargo.lock", self.checkout)
        self.ran(["cargo", "metadata", "--offline", "--format-version", "1"])
        self.git("init", "--quiet", "-b", "main")
        self.commit("start")
        self.write("README.md", "# A shop\n")
        self.commit("readme")

    def write(self, name, text, folder=None):
        path = (folder or self.checkout) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def ran(self, words, folder=None):
        done = subprocess.run(
            words, cwd=folder or self.checkout, env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, words))} exits with {done.returncode}\n{done.stdout}")
        return done.stdout

    def git(self, *words, folder=None):
        return self.ran(["git", *IDENTITY, *words], folder)

    def commit(self, message):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def other_toolchain(self):
        """A toolchain that is installed and is not the default."""
        lines = self.ran(["rustup", "toolchain", "list"], self.base).splitlines()
        others = [line.split()[0] for line in lines if "default" not in line]
        if not others:
            raise Skipped("there is one toolchain only")
        return next((name for name in others if name.startswith("nightly")), others[0])

    def compare(self):
        """What the comparison finds."""
        start = time.monotonic()
        words = [self.program, "tourbillon", "compare", self.revision, "--offline", "--measure-unchanged", "--time", "2s",
                 "--format", "jsonl"]
        done = subprocess.run(words, cwd=self.folder, env=self.environment, text=True, capture_output=True)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        return Found(done, lines, time.monotonic() - start)


class Found:
    def __init__(self, done, lines, seconds):
        self.code, self.seconds, self.text = done.returncode, seconds, done.stdout + done.stderr
        verdicts = [line for line in lines if line["type"] == "verdict"]
        self.words = [line["verdict"] for line in verdicts]
        ends = [line for line in lines if line["type"] == "comparison"]
        self.otherwise = any(end["built_otherwise"] for end in ends)
        # Their times tell how the code was built. What was built otherwise is not measured.
        timed = [line for line in sorted(verdicts, key=lambda line: line["case"]) if "case_ns" in line]
        self.times = " ".join(f"{line['case_ns']:.0f}" for line in timed)

    def counts(self):
        counts = [f"{self.words.count(word)} {word}" for word in dict.fromkeys(self.words)]
        return ", ".join(counts) + (", built otherwise" if self.otherwise else "")

    def faults(self, expected):
        """What is wrong; empty where all is as an arrangement expects it."""
        if self.code != 0:
            return f"exit code {self.code}"
        if not self.words:
            return "no verdict"
        if expected == "slower":
            return "" if "slower" in self.words else "the change was not found"
        if expected == "built otherwise":
            return "" if self.otherwise else "not called built otherwise"
        other = [word for word in self.words if word not in ("same", "undecided")]
        if self.otherwise:
            other.append("built otherwise")
        return f"{', '.join(other)} where code is equal" if other else ""
