"""The inputs of a table: those that it lists, and those that a generator makes of what it lists."""

import itertools
import random

import generate


def entries(table):
    """All inputs of a family, with what the family sets for each."""
    every = table.get("every", {})
    for entry in table.get("entry", []):
        yield every | entry
    for made in table.get("generate", []):
        for entry in GENERATORS[made["kind"]](made):
            yield every | entry


def matrix(made):
    """Each of several command lines with each of several files."""
    for line, file in itertools.product(made["lines"], made["files"]):
        yield {
            "name": f"{' '.join(line['run'][1:3])} with {file['name']}",
            "make": file["make"],
            **line,
        }


def payloads(made):
    """Each command line with a record in which every text is one payload."""
    for golden in made["golden"]:
        for number, payload in enumerate(generate.PAYLOADS):
            for line in made["lines"]:
                yield {
                    "name": f"{golden}: {payload[:20]!r}",
                    "make": [{"file": "R.jsonl", "kind": "mutated", "golden": golden, "payload": number}],
                    **line,
                }


def bundles(made):
    for damage in made["damages"]:
        yield {
            "name": damage,
            "make": [{"file": "B.tar.gz", "kind": "bundle", "damage": damage}],
            **made["line"],
        }


def settings(made):
    for kind in made["settings"]:
        for line in made["lines"]:
            yield {
                "name": f"{kind}: {' '.join(line['run'][:2])}",
                "make": [
                    {"file": "R.jsonl", "kind": "golden", "golden": "schema-2-run.jsonl"},
                    {"file": "tourbillon.toml", "kind": "toml", "toml": kind},
                ],
                **line,
            }


def random_lines(made):
    """Command lines of words that the table lists, in any order."""
    choice = random.Random(made["seed"])
    for number in range(made["count"]):
        program = choice.choice(made["programs"])
        words = [choice.choice(made["first"])]
        words += [choice.choice(made["words"] + generate.PAYLOADS) for _ in range(choice.randrange(6))]
        words = [word.replace("\x00", "") for word in words]
        yield {
            "name": f"line {number}",
            "run": [program, *words],
            "make": [{"file": "R.jsonl", "kind": "golden", "golden": "schema-2-run.jsonl"}],
        }


def damaged_records(made):
    """A record in which bytes were changed, inserted, removed or repeated."""
    golden = "".join(line + "\n" for line in generate.one_run(made["golden"])).encode()
    choice = random.Random(made["seed"])
    import base64

    for number in range(made["count"]):
        bytes_ = bytearray(golden)
        for _ in range(choice.randrange(1, 20)):
            at = choice.randrange(len(bytes_))
            match choice.randrange(4):
                case 0:
                    bytes_[at] = choice.randrange(256)
                case 1:
                    del bytes_[at : at + choice.randrange(1, 50)]
                case 2:
                    bytes_[at:at] = bytes_[at : at + choice.randrange(1, 2000)]
                case 3:
                    bytes_[at:at] = str(choice.choice([2**63, -1, 2**64, 1e308, 0, -0.0])).encode()
        yield {
            "name": f"damage {number}",
            "make": [{"file": "R.jsonl", "kind": "bytes", "base64": base64.b64encode(bytes_).decode()}],
            **made["lines"][number % len(made["lines"])],
        }


GENERATORS = {
    "matrix": matrix,
    "payloads": payloads,
    "bundles": bundles,
    "settings": settings,
    "random-lines": random_lines,
    "damaged-records": damaged_records,
}
