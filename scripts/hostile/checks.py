"""What holds for what a program wrote, and for the files that it left."""

import csv
import fnmatch
import html.parser
import io
import json
import re

# Characters that move a cursor, ring a bell, set a title, or change the direction of what follows.
RAW = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Faults of benchmarks in records have such a text, too: those of a program of ours name its source on stderr.
PANIC = re.compile(r"panicked at \S+\.rs:\d+:\d+:|RUST_BACKTRACE|overflowed its stack|memory allocation of \d+ bytes")
# What is never printed.
SECRET = "s3cr3t"


class Page(html.parser.HTMLParser):
    """Finds elements and attributes that a page of ours does not have."""

    ALLOWED_SCRIPTS = 2

    def __init__(self):
        super().__init__()
        self.faults = []
        self.scripts = 0

    def handle_starttag(self, tag, attributes):
        if tag == "script":
            self.scripts += 1
        if tag in ("iframe", "object", "embed", "base", "form", "img", "link"):
            self.faults.append(f"the page has <{tag}>")
        for name, value in attributes:
            if name.startswith("on"):
                self.faults.append(f"<{tag}> has the attribute {name}")
            if name in ("href", "src", "xlink:href") and value and not value.startswith("#"):
                self.faults.append(f"<{tag}> leads to {value[:60]!r}")


def page(text):
    parser = Page()
    parser.feed(text)
    parser.close()
    if parser.scripts > Page.ALLOWED_SCRIPTS:
        parser.faults.append(f"the page has {parser.scripts} scripts")
    if RAW.search(text):
        parser.faults.append("the page has a control character")
    return parser.faults


def cells(text):
    """No cell of a spreadsheet is a formula."""
    faults = []
    separator = ";" if ";" in text.splitlines()[0] else ","
    for row in csv.reader(io.StringIO(text), delimiter=separator):
        for cell in row:
            is_number = re.fullmatch(r"[-+]?[\d.,e+-]+", cell)
            if cell[:1] in "=+-@\t\r" and cell and not is_number:
                faults.append(f"the cell {cell[:40]!r} is a formula")
    return faults


def markdown(text):
    faults = []
    # What fences and backquotes hold is shown as it is.
    text = re.sub(r"(?ms)^(`{3,})[^`\n]*\n.*?^\1`*[ ]*$", "", text)
    text = re.sub(r"(?s)(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    for tag in re.findall(r"(?<!\\)<(/?[a-zA-Z][a-zA-Z0-9]*)", text):
        if tag.lower().strip("/") in ("script", "img", "svg", "b", "iframe"):
            faults.append(f"the table has <{tag}>")
    if re.search(r"(?<!\\)\]\(javascript", text):
        faults.append("the table has a link that runs a script")
    return faults


def as_json(text):
    try:
        json.loads(text)
    except ValueError as error:
        return [f"it is no JSON: {error}"]
    return []


def gnuplot(text):
    """No text ends its quotation marks."""
    return ["a command of a name"] if re.search(r"(?m)^\s*(system|set output 'canary')", text) else []


CHECKS = {"page": page, "cells": cells, "markdown": markdown, "json": as_json, "gnuplot": gnuplot}


def faults(entry, result, before, after, folder):
    """Everything that is wrong; nothing for an input that was handled well."""
    found = []
    if result.why:
        found.append(result.why)
    elif result.code not in entry["exit"]:
        found.append(f"it exits with {result.code}, not with {' or '.join(map(str, entry['exit']))}")
    for name, bytes_ in (("stdout", result.stdout), ("stderr", result.stderr)):
        text = bytes_.decode("utf-8", "replace")
        raw = RAW.search(text)
        if raw and name not in entry.get("raw", []):
            found.append(f"{name} has {raw.group()!r}")
    text = result.text()
    panic = PANIC.search(result.stderr.decode("utf-8", "replace"))
    if panic:
        found.append(f"it prints {panic.group()!r}")
    if SECRET in text:
        found.append("it prints a secret")
    found += [f"it does not print {one!r}" for one in entry.get("has", []) if not re.search(one, text)]
    found += [f"it prints {one!r}" for one in entry.get("lacks", []) if re.search(one, text)]
    found += changes(entry, before, after)
    for check in entry.get("check", []):
        kind, _, name = check.partition(":")
        if name in ("", "stdout"):
            content = result.stdout.decode("utf-8", "replace")
        else:
            try:
                content = (folder / "work" / name).read_text("utf-8", "replace")
            except OSError:
                found.append(f"{name} was not written")
                continue
        if content:
            found += CHECKS[kind](content)[:3]
    return found


def changes(entry, before, after):
    """Files that were made, changed or removed, and may not be; and names that hold a secret."""
    allowed = ["home/*", "cache/*"] + entry.get("writes", [])
    found = []
    for path in sorted(set(before) | set(after)):
        if SECRET in path and path not in before:
            found.append("a path has a secret")
        # What a payload makes where it leads out, or runs.
        if path not in before and path.rsplit("/", 1)[-1] in ("canary", "escape"):
            found.append(f"{path} was made")
        elif before.get(path) == after.get(path) or any(fnmatch.fnmatch(path, one) for one in allowed):
            continue
        what = "was made" if path not in before else "was removed" if path not in after else "was changed"
        found.append(f"{path} {what}")
    return found[:5]
