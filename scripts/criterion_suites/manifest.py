"""The one line: a manifest whose dependency on criterion is Tourbillon's package with criterion's API."""

import re
import tomllib
from pathlib import Path

# What suites name: criterion itself, and two forks.
KEYS = ("criterion", "criterion2", "codspeed-criterion-compat")
# Keys of a dependency that say where it comes from.
ORIGIN = re.compile(r'\b(version|package|path|git|rev|tag|branch|registry)\s*=\s*"[^"]*"\s*,?\s*')
TABLE = re.compile(r"^\[(?P<table>[^\[\]]+)\]\s*(#.*)?$")


def facade(root, key):
    """The members of a dependency's table that name the package below the root of Tourbillon, which forks have under their name."""
    folder = Path(root) / "crates" / "tourbillon-criterion"
    if key != "criterion":
        return [f'path = "{folder / "patch" / key}"']
    return ['package = "tourbillon-criterion"', f'path = "{folder}"']


def with_features(members, features):
    """The members of an inline table with more features."""
    names = "".join(f', "{name}"' for name in features)
    if features and "features = [" in members:
        return re.sub(r"(\bfeatures = \[[^\]]*?),?\s*\]", rf"\g<1>{names}]", members)
    return ", ".join(filter(None, [members, features and f"features = [{names[2:]}]"]))


def with_facade(text, root, features=()):
    """The text of a manifest with the dependency replaced, and how many of its lines name criterion's version."""
    lines, changed, out, inside = text.splitlines(), 0, [], None
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if table := TABLE.match(line):
            last = table["table"].split(".")[-1].strip("\"' ")
            in_dependencies = "dependencies" in table["table"]
            inside = last if in_dependencies and last in KEYS else None
            out.append(line)
            continue
        if inside:
            if re.match(r'\s*version\s*=', line):
                out.extend(facade(root, inside))
                changed += 1
            else:
                out.append(line)
            continue
        dotted = re.match(r"(criterion)\.version\s*=", line)
        if dotted:
            out.extend(f"criterion.{part}" for part in facade(root, "criterion"))
            changed += 1
            continue
        entry = re.match(r'"?(criterion2?|codspeed-criterion-compat)"?\s*=\s*(?P<value>.*)$', line)
        if not entry:
            out.append(line)
            continue
        key, value = entry[1], entry["value"]
        while value.startswith("{") and value.count("{") > value.count("}"):
            value += " " + re.sub(r"(^|\s)#.*", "", lines[at]).strip()
            at += 1
        if "workspace" in value:
            out.append(line)
            continue
        kept = ""
        if value.startswith("{"):
            kept = ORIGIN.sub("", value[1 : value.rindex("}")]).strip().strip(",").strip()
        elif not value.startswith('"'):
            out.append(line)
            continue
        members = ", ".join(filter(None, [*facade(root, key), with_features(kept, features)]))
        out.append(f"{key} = {{ {members} }}")
        changed += 1
    result = "\n".join(out) + "\n"
    tomllib.loads(result)
    return result, changed


def replace_in(tree, root, features=()):
    """Replaces the dependency in all manifests below a folder; returns how many lines that took, and in which files."""
    lines, files = 0, []
    for path in sorted(Path(tree).rglob("Cargo.toml")):
        text = path.read_text()
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            # Templates of manifests.
            continue
        result, changed = with_facade(text, root, features)
        if changed:
            path.write_text(result)
            lines += changed
            files.append(str(path.relative_to(tree)))
    return lines, files
