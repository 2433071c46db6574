"""Lays out the seeds of fuzz targets, a folder for each: those that are committed, the repository's golden records, and
the hostile inputs that generators make.

    seeds.py FOLDER TARGET..
"""

import gzip
import hashlib
import json
import pathlib
import re
import shutil
import struct
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / "scripts/hostile"))

import generate  # noqa: E402

# Bytes of the longest seed.
LONGEST = 1 << 16


def family(name):
    return tomllib.loads((ROOT / "fixtures/hostile" / f"{name}.toml").read_text())


def records():
    for file in sorted(generate.GOLDEN.glob("*.jsonl")):
        if "frames" not in file.name:
            yield file.read_bytes()
    yield generate.record(payloads=True)
    yield generate.record(cases=3, facts=2)
    yield generate.record(lower=4.5, upper=4.3)
    for payload in range(len(generate.PAYLOADS)):
        yield generate.mutated("schema-2-run.jsonl", payload)[:LONGEST]


def bundles():
    damages = {damage for made in family("bundles")["generate"] for damage in made["damages"]}
    for damage in [None, *sorted(damages - {"bomb", "deep"})]:
        bundle = generate.bundle(damage)
        yield bundle
        if damage != "garbage":
            yield gzip.decompress(bundle)
        if damage is None:
            # The manifest alone; the target makes an archive of it.
            tar = gzip.decompress(bundle)
            yield tar[512 : 512 + int(tar[124:135], 8)]


def configuration():
    """Every block of TOML in the documentation, and the words of its command lines."""
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text()
        for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL):
            yield block.encode()
        for line in re.findall(r"^cargo tourbillon (.+)$", text, re.MULTILINE):
            yield "\n".join(line.split()).encode()
    for made in family("settings")["generate"]:
        for kind in made["settings"]:
            text = generate.toml(kind)
            yield (text if isinstance(text, bytes) else text.encode())[:2048]


def message(kind, members):
    return json.dumps({"type": kind, "schema": 2} | members).encode()


def protocol():
    for file in sorted(generate.GOLDEN.glob("*frames*.jsonl")):
        yield file.read_bytes()
    baselines = {"compare": "c", "is_strict": True, "save": "s", "writes": True}
    found = {"id": "g/f/p #2", "target": "s::t", "occurrence": 2, "selected": True, "setup_ns": 5, "time_ns": 6}
    found |= {"named": {"group": "g", "function": "f", "parameter": "p"}, "baselines": baselines, "line": 9}
    found |= {"throughput": {"Bytes": 7}, "noise_threshold": 0.01, "without_effect": ["nresamples"], "file": "a.rs"}
    yield message("benchmark", found)
    yield message("failed", {"target": "a\tb", "why": "c\nd"})
    yield message("discover", {"parent": 1, "rehearses": True})
    wanted = {"target": "s::t", "base": "g/f/p", "occurrence": 2, "rehearses": False, "is_shared": True}
    yield message("work", {"parent": 1, "nocapture": False, "wanted": wanted})

    def text(value):
        return struct.pack("<Q", len(value)) + value

    def number(value):
        return struct.pack("<Q", value)

    job = text(b"sh") + number(2) + text(b"sh") + text(b"-c") + number(1) + text(b"A=1")
    job += number(1) + text(b"folder") + number(0) + number(2) + number(1) + text(b"out") + number(1) + number(2**64 - 1)
    yield number(len(job)) + job
    ran = b"".join(number(value) for value in (0, 3, *range(10))) + text(b"stderr")
    yield number(len(ran)) + ran
    failed = number(3) + text(b"why")
    yield number(len(failed)) + failed


SOURCES = {"records": records, "bundles": bundles, "configuration": configuration, "protocol": protocol}


def main():
    folder, *targets = sys.argv[1:]
    for target in targets:
        into = pathlib.Path(folder, target)
        shutil.rmtree(into, ignore_errors=True)
        into.mkdir(parents=True)
        contents = list(SOURCES[target]())
        contents += [file.read_bytes() for file in sorted((HERE / "seeds" / target).glob("*"))]
        for content in contents:
            if len(content) <= LONGEST:
                (into / hashlib.sha256(content).hexdigest()[:16]).write_bytes(content)


main()
