"""Replays the inputs of fixtures/hostile; see scripts/hostile.sh."""

import concurrent.futures
import os
import pathlib
import shutil
import sys
import tempfile
import time
import tomllib

import checks
import execute
import families
import generate

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ROOT / "fixtures/hostile"


class Skipped(Exception):
    """An input that cannot be replayed here, with the reason."""


def filled(value, places):
    """A text of a table with its places."""
    if isinstance(value, str):
        for name, text in places.items():
            value = value.replace("${" + name + "}", text)
    return value


def long(made):
    """A table of a file whose long texts are written out."""
    is_long = lambda value: isinstance(value, dict) and "times" in value
    return {name: value["text"] * value["times"] if is_long(value) else value for name, value in made.items()}


def words_of(line, places):
    """Words of a command line; a table stands for a word that is long."""
    words = []
    for word in line:
        if isinstance(word, dict):
            words.append(word["text"] * word["times"])
        else:
            words.append(filled(word, places))
    return words


def environment_of(entry, folder, places):
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "temporary"),
        "XDG_CACHE_HOME": str(folder / "home/.cache"),
        "XDG_CONFIG_HOME": str(folder / "home/.config"),
        "TOURBILLON_CACHE": str(folder / "cache"),
        "TOURBILLON_LOCK": "none",
        "LANG": "C.UTF-8",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    # The compiler is found without the user's own folder.
    for name in ("CARGO_HOME", "RUSTUP_HOME"):
        usual = pathlib.Path.home() / ("." + name.split("_")[0].lower())
        environment[name] = os.environ.get(name, str(usual))
    for name, value in entry.get("env", {}).items():
        environment[name] = filled(value, places)
    return environment


def replay(entry, programs, folder):
    """Replays an input in a folder; what is wrong."""
    for needed in entry.get("needs", []):
        if not shutil.which(needed):
            raise Skipped(f"{needed} is not here")
    if entry.get("user") and os.getuid() == 0 and execute.unprivileged() is None:
        raise Skipped("there is no user nobody")
    for name in ("work", "home", "temporary", "cache"):
        (folder / name).mkdir(mode=0o777)
        (folder / name).chmod(0o777)
    # Programs in it are started: it is refused where every user can write to it.
    (folder / "cache").chmod(0o755)
    if entry.get("user") and os.getuid() == 0:
        os.chown(folder / "cache", execute.unprivileged().pw_uid, -1)
    server = generate.SilentServer() if "server" in entry else None
    places = {"work": str(folder / "work"), "port": str(server.port if server else 0), "programs": str(programs), "root": str(ROOT)}
    try:
        made = entry.get("make", [])
        for one in [one for one in made if one["kind"] != "read_only"] + [one for one in made if one["kind"] == "read_only"]:
            one = {name: filled(value, places) for name, value in one.items()}
            generate.make(folder / "work", long(one))
        environment = environment_of(entry, folder, places)
        found = []
        for line in entry.get("before", []):
            words = words_of(line, places)
            words[0] = program(words[0], programs)
            result = execute.run(words, folder, environment, {"seconds": 120})
            if result.code != 0:
                return [f"before it, {' '.join(words)[:80]} exits with {result.code}: {result.text()[:300]}"], ""
        before = execute.tree(folder)
        words = words_of(entry["run"], places)
        words[0] = program(words[0], programs)
        stdin = None
        if "stdin" in entry:
            stdin = open(folder / "work" / entry["stdin"], "rb")
        result = execute.run(words, folder, environment, entry, stdin)
        found += checks.faults(entry, result, before, execute.tree(folder), folder)
        return found, result.text()
    finally:
        if server:
            server.close()


def program(word, programs):
    own = programs / word
    return str(own) if "/" not in word and own.exists() else word


def one(entry, programs, base, keeps):
    folder = pathlib.Path(tempfile.mkdtemp(dir=base))
    folder.chmod(0o777)
    start = time.monotonic()
    try:
        found, text = replay(entry, programs, folder)
    except Skipped as why:
        return entry, None, str(why), 0.0
    finally:
        took = time.monotonic() - start
        if not keeps:
            execute.remove(folder)
    if found and keeps:
        text += f"\n{folder}"
    elif keeps:
        execute.remove(folder)
    return entry, found, text, took


def main():
    programs, *typed = sys.argv[1:]
    keeps = "--keep" in typed
    wanted = [word for word in typed if not word.startswith("--")]
    tables = {file.stem: tomllib.loads(file.read_text()) for file in sorted(TABLES.glob("*.toml"))}
    if "--list" in typed:
        for name, table in tables.items():
            print(f"{name:20} {table['promise']}")
        return 0
    unknown = [name for name in wanted if name not in tables]
    if unknown:
        print(f"{unknown[0]} is no family; --list prints them", file=sys.stderr)
        return 1
    base = pathlib.Path(tempfile.mkdtemp(prefix="hostile-"))
    base.chmod(0o755)
    try:
        return replay_all(tables, wanted, pathlib.Path(programs).resolve(), base, keeps)
    finally:
        if not keeps:
            execute.remove(base)


def replay_all(tables, wanted, programs, base, keeps):
    # An ordinary user may not read the folder of builds.
    copied = base / "programs"
    copied.mkdir()
    for name in ("cargo-tourbillon", "tourbillon", "plain"):
        shutil.copy2(programs / name, copied / name)
    failed, skipped, rows = [], [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for name, table in tables.items():
            if wanted and name not in wanted:
                continue
            start = time.monotonic()
            entries = list(families.entries(table))
            results = list(pool.map(lambda entry: one(entry, copied, base, keeps), entries))
            bad = [(entry, found, text) for entry, found, text, _ in results if found]
            absent = [(entry, why) for entry, found, why, _ in results if found is None]
            failed += [(name, *one_bad) for one_bad in bad]
            skipped += [(name, *one_absent) for one_absent in absent]
            rows.append((name, len(results), len(bad), len(absent), time.monotonic() - start))
            print(f"{name}: {len(results)} inputs, {len(bad)} failed", file=sys.stderr, flush=True)
    for name, entry, why in skipped:
        print(f"SKIPPED {name}: {entry['name']}: {why}")
    for name, entry, found, text in failed:
        line = " ".join(word if isinstance(word, str) else f"{word['text'][:20]}*{word['times']}" for word in entry["run"])
        print(f"\nFAILED {name}: {entry['name']}\n  {line[:300]!r}")
        for one_found in found:
            print(f"  {one_found!r}"[:400])
        for end in text.strip().splitlines()[-3:]:
            print(f"  > {end[:200]!r}")
    print(f"\n{'family':24}{'inputs':>8}{'failed':>8}{'skipped':>9}{'seconds':>9}")
    for name, count, bad, absent, seconds in rows:
        print(f"{name:24}{count:8}{bad:8}{absent:9}{seconds:9.0f}")
    total = [sum(row[at] for row in rows) for at in range(1, 5)]
    print(f"{'all':24}{total[0]:8}{total[1]:8}{total[2]:9}{total[3]:9.0f}")
    return 1 if failed else 0


sys.exit(main())
