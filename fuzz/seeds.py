"""Lays out the seeds of fuzz targets, a folder for each: those that are committed, and what the repository has anyway.

    seeds.py FOLDER TARGET..
"""

import gzip
import hashlib
import pathlib
import re
import shutil
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
CRATES = HERE.parent / "crates"
GOLDEN = CRATES / "tourbillon-record/tests/golden"


def records():
    for file in sorted(GOLDEN.glob("*.jsonl")):
        if "frames" not in file.name:
            yield file.read_bytes()


def bundles():
    """None are in the repository: they have executables."""
    return []


def configuration():
    """Every block of TOML in the documentation, and the words of its command lines."""
    for page in sorted((HERE.parent / "docs").rglob("*.md")):
        text = page.read_text()
        for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL):
            yield block.encode()
        for line in re.findall(r"^cargo tourbillon (.+)$", text, re.MULTILINE):
            yield "\n".join(line.split()).encode()


def protocol():
    for file in sorted(GOLDEN.glob("*frames*.jsonl")):
        yield file.read_bytes()


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
            name = hashlib.sha256(content).hexdigest()[:16]
            (into / name).write_bytes(content)


main()
