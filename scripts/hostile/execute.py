"""Runs a program in a folder of its own, under limits, and finds out what it did."""

import hashlib
import os
import pathlib
import pwd
import resource
import shutil
import signal
import stat
import subprocess
import time

# Bytes of the streams of a program that are kept.
KEPT = 1 << 26
MIB = 1 << 20


class Result:
    """What came of a program."""

    def __init__(self, code, stdout, stderr, why):
        self.code, self.stdout, self.stderr = code, stdout, stderr
        # Why it was ended, if it was.
        self.why = why

    def text(self):
        return (self.stdout + self.stderr).decode("utf-8", "replace")


def tree(folder):
    """What is in a folder: its paths, each with what distinguishes its state."""
    found = {}
    for path, folders, files in os.walk(folder):
        for name in folders + files:
            full = os.path.join(path, name)
            try:
                about = os.lstat(full)
            except FileNotFoundError:
                continue
            state = (stat.S_IFMT(about.st_mode), about.st_mode & 0o777)
            if stat.S_ISREG(about.st_mode):
                state += (about.st_size, digest(full) if about.st_size < 64 * MIB else about.st_mtime_ns)
            elif stat.S_ISLNK(about.st_mode):
                state += (os.readlink(full),)
            found[os.path.relpath(full, folder)] = state
    return found


def digest(path):
    try:
        return hashlib.blake2b(pathlib.Path(path).read_bytes()).hexdigest()
    except OSError:
        return None


def size(folder):
    total = 0
    for path, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.lstat(os.path.join(path, name)).st_blocks * 512
            except OSError:
                pass
    return total


def unprivileged():
    """An ordinary user; `None` where that cannot be had, or this process is one already."""
    if os.getuid() != 0:
        return None
    try:
        return pwd.getpwnam("nobody")
    except KeyError:
        return None


def run(words, folder, environment, entry, stdin=None):
    """Runs words in folder/work; `entry` has the limits."""
    user = unprivileged() if entry.get("user") else None

    def limit():
        memory = entry.get("memory", 4096) * MIB
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        # One file may have more than all together may: what fills the disk is found by its size, not ended by a signal.
        most = 8 * entry.get("disk", 256) * MIB
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        seconds = int(entry.get("seconds", 20) * 4)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        if "descriptors" in entry:
            resource.setrlimit(resource.RLIMIT_NOFILE, (entry["descriptors"],) * 2)
        if user is not None:
            os.setgroups([])
            os.setgid(user.pw_gid)
            os.setuid(user.pw_uid)

    streams = [folder / "stdout", folder / "stderr"]
    with open(streams[0], "wb") as stdout, open(streams[1], "wb") as stderr:
        process = subprocess.Popen(
            words,
            cwd=folder / "work",
            env=environment,
            stdin=stdin if stdin is not None else subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
            preexec_fn=limit,
        )
        why = wait(process, folder, entry)
    contents = []
    for path in streams:
        with open(path, "rb") as file:
            contents.append(file.read(KEPT))
        path.unlink()
    return Result(process.returncode, *contents, why)


def wait(process, folder, entry):
    """Waits for the end; why it had to be brought about, or `None`."""
    start = time.monotonic()
    sent = "signal" not in entry
    why = None
    while True:
        try:
            process.wait(0.05)
            break
        except subprocess.TimeoutExpired:
            pass
        took = time.monotonic() - start
        if not sent and took > entry.get("after", 1.0):
            os.kill(process.pid, getattr(signal, "SIG" + entry["signal"]))
            sent = True
        if took > entry.get("seconds", 20):
            why = f"it did not end within {entry.get('seconds', 20)} s"
        elif size(folder) > entry.get("disk", 256) * MIB:
            why = f"it wrote more than {entry.get('disk', 256)} MiB"
        if why:
            break
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    return why


def remove(folder):
    """Removes a folder in which others may not write."""
    for path, folders, _ in os.walk(folder):
        for name in folders:
            full = os.path.join(path, name)
            if not os.path.islink(full):
                os.chmod(full, 0o755)
    shutil.rmtree(folder, ignore_errors=True)
